"""What a message carries beside its text, in short plain words that can be kept for ever."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import discord

from bot.faces.discord.words import described, displayed

_MOST: Final = 20
"""Descriptions kept of one message: more than any member can attach to it."""

_KINDS: Final = ("image", "video", "audio")
_KIND_BY_EXTENSION: Final = {
    extension: kind
    for kind, extensions in (
        ("image", "apng avif bmp gif heic heif jfif jpeg jpg png svg tiff webp"),
        ("video", "avi m4v mkv mov mp4 mpeg webm"),
        ("audio", "aac flac m4a mp3 oga ogg opus wav"),
    )
    for extension in extensions.split()
}
_SPOILER: Final = "SPOILER_"


def carried(message: discord.Message) -> tuple[str, ...]:
    """Return a description, such as `[image: cat.png]`, of each thing that a message carries.

    What a forward, a poll or an embed says stands here and not in the text: those are not its author's words.
    """
    return tuple(_things(message))[:_MOST]


def poll_closed(message: discord.Message) -> tuple[str, ...]:
    """Return the outcome that Discord announces of a poll: `[poll closed: question: winner]`."""
    told = {field.name: field.value or "" for embed in message.embeds for field in embed.fields}
    question, winner = told.get("poll_question_text", ""), told.get("victor_answer_text", "")
    return (described("poll closed", _joined(question, winner)),)


def _things(message: discord.Message) -> Iterator[str]:
    yield from _enclosed(message.attachments, message.stickers, _shown_embeds(message))
    if message.poll is not None:
        answers = " / ".join(answer.text or str(answer.emoji or "") for answer in message.poll.answers)
        yield described("poll", _joined(message.poll.question or "", answers))
    if message.activity is not None:
        # An invitation to play or to listen together; what its party is called changes by the minute.
        yield described("activity", message.application.name if message.application is not None else "")
    for snapshot in message.message_snapshots:
        yield described("forwarded", snapshot.content or "\n".join(displayed(snapshot.components)))
        yield from _enclosed(snapshot.attachments, snapshot.stickers, snapshot.embeds)


def _enclosed(
    attachments: Sequence[discord.Attachment],
    stickers: Sequence[discord.StickerItem],
    embeds: Iterable[discord.Embed],
) -> Iterator[str]:
    for attachment in attachments:
        yield _attached(attachment)
    for sticker in stickers:
        yield described("sticker", sticker.name)
    for embed in embeds:
        words = _joined(embed.title or "", embed.description or "")
        # A bare picture or video that Discord shows for a link says nothing.
        if words:
            yield described("embed", words)


def _shown_embeds(message: discord.Message) -> Sequence[discord.Embed]:
    return [] if message.flags.suppress_embeds else message.embeds


def _attached(attachment: discord.Attachment) -> str:
    if attachment.is_voice_message():
        return described("voice message", f"{max(1, math.ceil(attachment.duration or 0))} s")
    name = attachment.filename.removeprefix(_SPOILER)
    if attachment.title:
        # The name under which it was sent: Discord's own has only Latin letters.
        suffix = name.rpartition(".")[2] if "." in name else ""
        name = f"{attachment.title}.{suffix}" if suffix else attachment.title
    return described(_kind_of(attachment), _joined(name, attachment.description or ""))


def _kind_of(attachment: discord.Attachment) -> str:
    kind = (attachment.content_type or "").partition("/")[0].lower()
    if kind in _KINDS:
        return kind
    return _KIND_BY_EXTENSION.get(attachment.filename.rpartition(".")[2].lower(), "file")


def _joined(*parts: str) -> str:
    return ": ".join(part.strip() for part in parts if part.strip())

"""Converts a Discord message to a `Message`: author, text, contents, pictures and address."""

import asyncio
import logging
import math
import mimetypes
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import aiohttp
import discord
import yarl

from bot.adapters.describing import description_line, joined, kind_of_file, stored_text
from bot.adapters.discord.rest import is_this_machine
from bot.chat.reply import MEDIA_TYPES, MOST_BYTES, MOST_IMAGES
from bot.core.domain import ForwardOrigin, Member, Message, MessageKind
from bot.core.log import trace
from bot.llm.operation import Image

logger = logging.getLogger(__name__)


MESSAGE_CHARACTERS: Final = 2_000
"""The longest content of a message that Discord takes from a bot."""

MOST_MESSAGES: Final = 2
"""More than this at once is a wall that pushes everybody else out of sight."""

_FENCE: Final = re.compile(r"```(?:([\w+#.-]{1,20})(?=\n))?")
_CLOSING: Final = "\n```"
_ELLIPSIS: Final = "\n…"


@dataclass(frozen=True, slots=True)
class SplitAnswer:
    """An answer in pieces: what is sent as messages, and what is left for a file."""

    messages: tuple[str, ...]
    rest: str = ""

    def without_rest(self) -> "SplitAnswer":
        """Return the messages alone, the last one ending in `…` where something was left."""
        if not self.rest:
            return self
        *before, last = self.messages
        body = last.removesuffix(_CLOSING)
        closing = _CLOSING if body != last else ""
        end = MESSAGE_CHARACTERS - len(_ELLIPSIS) - len(closing)
        return SplitAnswer((*before, body[:end].rstrip() + _ELLIPSIS + closing))


def split(text: str, *, characters: int = MESSAGE_CHARACTERS, most: int = MOST_MESSAGES) -> SplitAnswer:
    """Return `text` as at most `most` messages of `characters` characters, and what did not fit.

    Pieces end at a paragraph, else at a line, else between words; only a word longer than a message is cut. A
    code fence that is cut is closed and opened again, with its language.
    """
    messages: list[str] = []
    left = text.strip()
    while left and len(messages) < most:
        piece, left = _piece(left, characters)
        messages.append(piece)
    return SplitAnswer(tuple(messages), left)


def _piece(text: str, characters: int) -> tuple[str, str]:
    """Return the first piece of `text`, and what comes after it, which is shorter than `text`."""
    if len(text) <= characters:
        return text, ""
    end = _cut(text, characters - len(_CLOSING))
    opened = _open_fence(text[:end])
    if opened is None:
        return text[:end].rstrip(), text[end:].lstrip()
    if opened.start() > characters // 2 and text[: opened.start()].strip():
        # A fence that has only begun goes into the next piece as a whole.
        return text[: opened.start()].rstrip(), text[opened.start() :]
    begins = f"```{opened[1] or ''}\n"
    rest = text[end:].removeprefix("\n")
    if end <= len(begins):
        # Nothing but the fence itself fits: opened again it would never end.
        return text[:end] + _CLOSING, rest
    return text[:end] + _CLOSING, begins + rest


def _cut(text: str, longest: int) -> int:
    """Return where a piece of at most `longest` characters should end."""
    window = text[: longest + 1]
    for mark in ("\n\n", "\n"):
        found = window.rfind(mark)
        if found > longest // 2:
            return found
    found = max(window.rfind(" "), window.rfind("\n"))
    return found if found > 0 else longest


def _open_fence(text: str) -> re.Match[str] | None:
    """Return the fence that `text` opens and does not close."""
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        opened = None if opened is not None else fence
    return opened


def message_link(guild_id: int | None, channel_id: int, message_id: int) -> str:
    """Return where a message can be seen; direct messages (`None`) have no guild on Discord."""
    place = "@me" if guild_id is None else str(guild_id)
    return f"https://discord.com/channels/{place}/{channel_id}/{message_id}"


def component_texts(components: Iterable[discord.Component]) -> Iterator[str]:
    """Yield the texts that a message laid out in components shows, in their order."""
    for component in components:
        if isinstance(component, discord.TextDisplay):
            yield component.content
        elif isinstance(component, discord.SectionComponent | discord.Container):
            yield from component_texts(component.children)


_MOST: Final = 20
"""Descriptions kept of one message: more than any member can attach to it."""

_SPOILER: Final = "SPOILER_"


def describe_contents(message: discord.Message) -> tuple[str, ...]:
    """Return a description, such as `[image: cat.png]`, of each thing that a message carries.

    What a forward, a poll or an embed says stands here and not in the text: those are not its author's words.
    """
    return tuple(_things(message))[:_MOST]


def poll_closed(message: discord.Message) -> tuple[str, ...]:
    """Return the outcome that Discord announces of a poll: `[poll closed: question: winner]`."""
    told = {field.name: field.value or "" for embed in message.embeds for field in embed.fields}
    question, winner = told.get("poll_question_text", ""), told.get("victor_answer_text", "")
    return (description_line("poll closed", joined(question, winner)),)


def _things(message: discord.Message) -> Iterator[str]:
    yield from _enclosed(message.attachments, message.stickers, _shown_embeds(message))
    if message.poll is not None:
        answers = " / ".join(answer.text or str(answer.emoji or "") for answer in message.poll.answers)
        yield description_line("poll", joined(message.poll.question or "", answers))
    if message.activity is not None:
        # An invitation to play or to listen together; what its party is called changes by the minute.
        yield description_line(
            "activity", message.application.name if message.application is not None else ""
        )
    for snapshot in message.message_snapshots:
        yield description_line(
            "forwarded", snapshot.content or "\n".join(component_texts(snapshot.components))
        )
        yield from _enclosed(snapshot.attachments, snapshot.stickers, snapshot.embeds)


def _enclosed(
    attachments: Sequence[discord.Attachment],
    stickers: Sequence[discord.StickerItem],
    embeds: Iterable[discord.Embed],
) -> Iterator[str]:
    for attachment in attachments:
        yield _attached(attachment)
    for sticker in stickers:
        yield description_line("sticker", sticker.name)
    for embed in embeds:
        words = joined(embed.title or "", embed.description or "")
        # A bare picture or video that Discord shows for a link says nothing.
        if words:
            yield description_line("embed", words)


def _shown_embeds(message: discord.Message) -> Sequence[discord.Embed]:
    return [] if message.flags.suppress_embeds else message.embeds


def _attached(attachment: discord.Attachment) -> str:
    if attachment.is_voice_message():
        return description_line("voice message", f"{max(1, math.ceil(attachment.duration or 0))} s")
    name = attachment.filename.removeprefix(_SPOILER)
    if attachment.title:
        # The name under which it was sent: Discord's own has only Latin letters.
        suffix = name.rpartition(".")[2] if "." in name else ""
        name = f"{attachment.title}.{suffix}" if suffix else attachment.title
    return description_line(
        kind_of_file(attachment.filename, attachment.content_type), joined(name, attachment.description or "")
    )


_COMMANDED: Final = frozenset(
    {discord.MessageType.chat_input_command, discord.MessageType.context_menu_command}
)
_ANSWERING: Final = _COMMANDED | {discord.MessageType.reply}
_SAID: Final = _ANSWERING | {discord.MessageType.default}
"""Types of messages that somebody wrote. All others, also those yet to come, are Discord's announcements."""

_TITLED: Final = frozenset(
    {
        discord.MessageType.channel_name_change,
        discord.MessageType.thread_created,
        discord.MessageType.stage_start,
        discord.MessageType.stage_end,
        discord.MessageType.stage_topic,
    }
)
"""Announcements whose content is a name that somebody gave; elsewhere it is a number or a date."""

_DELETED_USER_ID: Final = 456226577798135808
"""The account in whose name Discord keeps what was written by those who are gone: many people under one id."""

_MAX_NAME_CHARACTERS: Final = 100
"""Names of members have 32 at most, those of webhooks 80."""


def message_of(message: discord.Message, *, audience: int, from_visitor: bool = False) -> Message:
    """Return `message` as it is kept, heard in a channel of `audience`, perhaps of one who lacks the base role.

    A direct message belongs to a guild with its channel's id. A text or attachment that is not for keeping
    (ephemeral, or an announcement without words) is left out; the message itself never is.
    """
    author = _author_of(message)
    return Message(
        guild_id=guild_id_of(message),
        channel_id=message.channel.id,
        message_id=message.id,
        user_id=author.id if author is not None else 0,
        audience=audience,
        kind=kind_of(message),
        text=text_of(message),
        attachments=attachments_of(message),
        timestamp=message.created_at,
        edited_at=message.edited_at,
        reply_to_id=_reply_to_id(message),
        from_visitor=from_visitor,
        forwarded=_origin(message),
    )


def guild_id_of(message: discord.Message) -> int:
    """Return the guild that `message` belongs to; in a direct message the id of its channel."""
    if message.guild is not None:
        return message.guild.id
    channel = message.channel
    if isinstance(channel, discord.PartialMessageable) and channel.guild_id is not None:
        return channel.guild_id
    return channel.id


def kind_of(message: discord.Message) -> MessageKind:
    """Return who wrote `message`: a member, a bot, a webhook, or Discord itself."""
    author = _author_of(message)
    if message.type not in _SAID or author is None or author.system or author.id == _DELETED_USER_ID:
        return MessageKind.SYSTEM
    if message.webhook_id is not None and not _answers_a_command(message):
        return MessageKind.WEBHOOK
    return MessageKind.BOT if author.bot or message.webhook_id is not None else MessageKind.MEMBER


def text_of(message: discord.Message) -> str:
    """Return the words of `message`: its content, or those that its components show; "" if there are none."""
    if _is_left_out(message) or (message.type not in _SAID and message.type not in _TITLED):
        return ""
    # The library sets no components where Discord left them out.
    words = message.content or "\n".join(component_texts(getattr(message, "components", ())))
    return stored_text(_meaning_the_bot(words, message.guild))


def _meaning_the_bot(words: str, guild: discord.Guild | None) -> str:
    """Return `words` with a mention of the bot in place of one of the role that came with it.

    Both have the bot's name, and members who pick the wrong one from Discord's list mean the bot.
    """
    role = guild.self_role if guild is not None and "<@&" in words else None
    if role is None or role.tags is None:
        return words
    return words.replace(role.mention, f"<@{role.tags.bot_id}>")


def attachments_of(message: discord.Message) -> tuple[str, ...]:
    """Return what `message` carries in short plain words, such as `[image: cat.png]`; never an address."""
    if _is_left_out(message):
        return ()
    if message.type is discord.MessageType.poll_result:
        return poll_closed(message)
    # An announcement may quote what moderation kept from being posted.
    return describe_contents(message) if message.type in _SAID else ()


def member_of(member: discord.Member | discord.User, *, guild_id: int) -> Member:
    """Return `member` with the names by which a guild knows them; a user who is no member has no nickname."""
    nickname = member.nick if isinstance(member, discord.Member) else None
    return Member(
        guild_id=guild_id,
        user_id=member.id,
        user_name=_name(member.name),
        display_name=_name(member.global_name),
        nickname=_name(nickname),
        is_bot=member.bot,
    )


def _name(name: str | None) -> str:
    return stored_text(name or "")[:_MAX_NAME_CHARACTERS]


def _author_of(message: discord.Message) -> discord.Member | discord.User | None:
    """Return who wrote `message`, `None` if Discord did not say: then the library sets no author at all."""
    return getattr(message, "author", None)


def _answers_a_command(message: discord.Message) -> bool:
    """Tell whether the webhook behind `message` is the one by which a bot answers its commands."""
    return (
        message.webhook_id == message.application_id
        or message.type in _COMMANDED
        or message.interaction_metadata is not None
    )


def _is_left_out(message: discord.Message) -> bool:
    """Tell whether the words of `message` are for one pair of eyes, or were taken back where they came from."""
    return message.flags.ephemeral or message.flags.source_message_deleted


def _reply_to_id(message: discord.Message) -> int | None:
    """Return what `message` answers; forwards, crossposts, pins and threads refer to messages too."""
    reference = message.reference
    if reference is None or message.type not in _ANSWERING:
        return None
    return reference.message_id if reference.type is discord.MessageReferenceType.reply else None


def _origin(message: discord.Message) -> ForwardOrigin | None:
    """Return what `message` forwards; a message that was said in private belongs to a guild with its channel's id."""
    reference = message.reference
    if reference is None or reference.type is not discord.MessageReferenceType.forward:
        return None
    if reference.message_id is None:
        return None
    return ForwardOrigin(guild_id=reference.guild_id or reference.channel_id, message_id=reference.message_id)


DISCORD_CDN: Final = frozenset({"https://cdn.discordapp.com", "https://media.discordapp.net"})
"""The origins (scheme, host and port) of everything that is attached to a message."""

_SECONDS: Final = 5.0
"""The longest that a reply waits for all pictures of its message, in real seconds."""


def origins_for(api_url: str | None) -> frozenset[str]:
    """Return the origins from which pictures may be fetched.

    They are Discord's, and the address of `DISCORD_API_URL` if it is on this machine, since a loopback Discord serves
    its files there.
    """
    if api_url is None or not is_this_machine(yarl.URL(api_url)):
        return DISCORD_CDN
    return DISCORD_CDN | {_origin_of(api_url)}


async def images_of(message: discord.Message, *, origins: Collection[str] = DISCORD_CDN) -> tuple[Image, ...]:
    """Return the pictures attached to `message`, or to what it forwards: at most `MOST_IMAGES`, `MOST_BYTES` in all.

    Only attachments of `MEDIA_TYPES` at `origins` are fetched, never an address that somebody wrote, and no
    redirect is followed. What cannot be had within 5 seconds is no picture; nothing is raised.
    """
    chosen = list(_chosen(message, origins))
    if not chosen:
        return ()
    found: list[Image | None] = [None] * len(chosen)
    try:
        async with (
            asyncio.timeout(_SECONDS),
            aiohttp.ClientSession() as session,
            asyncio.TaskGroup() as group,
        ):
            for place, attachment in enumerate(chosen):
                group.create_task(_fetch(session, attachment, found, place))
    except TimeoutError:
        logger.info("not all pictures of message %d came in time", message.id)
    return tuple(image for image in found if image is not None)


def _chosen(message: discord.Message, origins: Collection[str]) -> Iterator[discord.Attachment]:
    left, chosen = MOST_BYTES, 0
    forwarded = (attachment for snapshot in message.message_snapshots for attachment in snapshot.attachments)
    for attachment in (*message.attachments, *forwarded):
        is_fit = _media_type_of(attachment) in MEDIA_TYPES and 0 < attachment.size <= left
        if is_fit and chosen < MOST_IMAGES and _origin_of(attachment.url) in origins:
            left -= attachment.size
            chosen += 1
            yield attachment


async def _fetch(
    session: aiohttp.ClientSession, attachment: discord.Attachment, found: list[Image | None], place: int
) -> None:
    try:
        # A file on Discord's hosts has the address that it has; a redirect could lead anywhere.
        async with session.get(attachment.url, allow_redirects=False) as response:
            if response.status != 200:
                logger.info("attachment %d answered %d", attachment.id, response.status)
                return
            content = bytearray()
            async for chunk in response.content.iter_any():
                content += chunk
                if len(content) > attachment.size:
                    logger.info("attachment %d is larger than its %d bytes", attachment.id, attachment.size)
                    return
    except (aiohttp.ClientError, OSError, ValueError) as error:
        logger.info("attachment %d could not be fetched: %s", attachment.id, trace(error))
        return
    if content:
        found[place] = Image(content=bytes(content), media_type=_media_type_of(attachment))


def _media_type_of(attachment: discord.Attachment) -> str:
    told = attachment.content_type or mimetypes.guess_type(attachment.filename)[0] or ""
    return told.partition(";")[0].strip().lower()


def _origin_of(address: str) -> str:
    """Return scheme, host and port of `address`; "" for one that carries a name and password, or is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return "" if "@" in parts.netloc else f"{parts.scheme}://{parts.netloc}".lower()

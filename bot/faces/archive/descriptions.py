"""What an exported message carries beside its text, in short plain words that can be kept for ever."""

from collections.abc import Iterator
from typing import Final

from bot.faces.archive.fields import JsonObject, object_of, objects_of, text_of

_MAX_CHARACTERS: Final = 300
"""Enough to know what a link or a forward was about; the rest belongs to whoever wrote it."""

_KINDS: Final = {
    "image": (
        "apng",
        "avif",
        "bmp",
        "gif",
        "heic",
        "heif",
        "jfif",
        "jpeg",
        "jpg",
        "png",
        "svg",
        "tiff",
        "webp",
    ),
    "video": ("avi", "m4v", "mkv", "mov", "mp4", "mpeg", "webm"),
    "audio": ("aac", "flac", "m4a", "mp3", "oga", "ogg", "opus", "wav"),
}
_KIND_BY_EXTENSION: Final = {
    extension: kind for kind, extensions in _KINDS.items() for extension in extensions
}


def describe(record: JsonObject) -> tuple[str, ...]:
    """Return a description, such as `[image: cat.png]`, of each thing that a message carries.

    What a forward, a poll or an embed says stands here and not in the text: those are not its author's words.
    """
    forwarded = object_of(record, "forwardedMessage")
    return (
        *_things(record),
        *([_named("forwarded", text_of(forwarded, "content"))] if forwarded else []),
        *_things(forwarded),
    )


def _things(record: JsonObject) -> Iterator[str]:
    for attachment in objects_of(record, "attachments"):
        name = text_of(attachment, "fileName")
        yield _named(_KIND_BY_EXTENSION.get(name.rpartition(".")[2].lower(), "file"), name)
    for sticker in objects_of(record, "stickers"):
        yield _named("sticker", text_of(sticker, "name"))
    for embed in objects_of(record, "embeds"):
        parts = [text_of(embed, "title"), text_of(embed, "description")]
        # A bare picture or video that Discord shows for a link says nothing.
        if any(part.strip() for part in parts):
            yield _named("embed", ": ".join(part for part in parts if part.strip()))
    if poll := object_of(record, "poll"):
        answers = " / ".join(_words(answer) for answer in objects_of(poll, "answers"))
        yield _named("poll", f"{_words(poll, 'question')} {answers}")


def _words(holder: JsonObject, name: str = "text") -> str:
    """Return the words in a field that holds either a text or an object with one."""
    return text_of(holder, name) or text_of(object_of(holder, name), "text")


def _named(kind: str, words: str) -> str:
    """Return `[kind: words]` on one line, with no more words than are wanted."""
    line = " ".join(words.split())
    if len(line) > _MAX_CHARACTERS:
        line = f"{line[: _MAX_CHARACTERS - 1].rstrip()}…"
    return f"[{kind}: {line}]" if line else f"[{kind}]"

"""Describes what a message carries in short plain words, and makes its text as it is stored."""

import re
from typing import Final

MAX_TEXT_CHARACTERS: Final = 8_000
"""Twice what Discord lets anybody write, and little enough for five hundred messages in one statement."""

_MAX_LINE_CHARACTERS: Final = 300
"""Enough to know what a link or a forward was about; the rest belongs to whoever wrote it."""

NICKNAMED_MENTION: Final = re.compile(r"<@!(\d+)>", re.ASCII)


def clean(text: str) -> str:
    """Return `text` without NUL and lone surrogates, which no UTF-8 database can hold."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")


def stored_text(text: str) -> str:
    """Return `text` as it is stored: a mention by nickname as `<@id>`, all other markup as it was written.

    What no database can hold is left out, and what is longer than any message is cut.
    """
    return truncate(NICKNAMED_MENTION.sub(r"<@\1>", clean(text)), MAX_TEXT_CHARACTERS)


def description_line(kind: str, words: str = "") -> str:
    """Return `[kind: words]` on one line, with no more words than are wanted, or `[kind]` without any."""
    line = truncate(" ".join(stored_text(words).split()), _MAX_LINE_CHARACTERS)
    return f"[{kind}: {line}]" if line else f"[{kind}]"


def joined(*parts: str) -> str:
    """Return those of `parts` that say something as one text."""
    return ": ".join(part.strip() for part in parts if part.strip())


def truncate(text: str, characters: int) -> str:
    """Return `text` with at most so many characters; one that was cut ends in `…`."""
    return text if len(text) <= characters else f"{text[: characters - 1].rstrip()}…"


_KIND_BY_EXTENSION: Final = {
    extension: kind
    for kind, extensions in (
        ("image", "apng avif bmp gif heic heif jfif jpeg jpg png svg tiff webp"),
        ("video", "avi m4v mkv mov mp4 mpeg webm"),
        ("audio", "aac flac m4a mp3 oga ogg opus wav"),
    )
    for extension in extensions.split()
}
_KINDS: Final = frozenset(_KIND_BY_EXTENSION.values())


def kind_of_file(name: str, media_type: str | None = None) -> str:
    """Return what kind of file has this name and, where that is known, this media type: `image`, or `file`."""
    kind = (media_type or "").partition("/")[0].lower()
    return kind if kind in _KINDS else _KIND_BY_EXTENSION.get(name.rpartition(".")[2].lower(), "file")

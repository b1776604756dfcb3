"""The words of a message as they are kept: plain, bounded, with members as `<@id>`."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import discord

MAX_TEXT_CHARACTERS: Final = 8_000
"""Twice what Discord lets anybody write, and little enough for five hundred messages in one statement."""

_MAX_LINE_CHARACTERS: Final = 300
"""Enough to know what a link or a forward was about; the rest belongs to whoever wrote it."""

_NICKNAMED_MENTION: Final = re.compile(r"<@!(\d+)>", re.ASCII)


def kept(text: str) -> str:
    """Return `text` as it is stored: a mention by nickname as `<@id>`, all other markup as it was written.

    What no UTF-8 database can hold is left out, and what is longer than any message is cut.
    """
    clean = text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")
    return cut(_NICKNAMED_MENTION.sub(r"<@\1>", clean), MAX_TEXT_CHARACTERS)


def described(kind: str, words: str = "") -> str:
    """Return `[kind: words]` on one line, with no more words than are wanted, or `[kind]` without any."""
    line = cut(" ".join(kept(words).split()), _MAX_LINE_CHARACTERS)
    return f"[{kind}: {line}]" if line else f"[{kind}]"


def displayed(components: Iterable[discord.Component]) -> Iterator[str]:
    """Yield the texts that a message laid out in components shows, in their order."""
    for component in components:
        if isinstance(component, discord.TextDisplay):
            yield component.content
        elif isinstance(component, discord.SectionComponent | discord.Container):
            yield from displayed(component.children)


def cut(text: str, characters: int) -> str:
    """Return `text` with at most so many characters; one that was cut ends in `…`."""
    return text if len(text) <= characters else f"{text[: characters - 1].rstrip()}…"

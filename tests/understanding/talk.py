"""Ordinary talk between people, of whom none speaks to the bot: what it takes for commands, and what it learns."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bench.conversations import conversations
from bot.chat.addressed import Addressed, addressed
from bot.text.extraction import extract
from bot.text.extraction_rules import ExtractionInput
from tests.understanding.judging import DATA

NAMES: Final = ("Bot", "Бот", "Keepsake")
_HELP_CHANNELS: Final = ("irc-ubuntu.json", "irc-ubuntu-2006.json")
_FRIENDS: Final = DATA.with_name("locomo-dev.json")


@dataclass(frozen=True, slots=True)
class Said:
    """A message between its author's nearest two."""

    author_id: int
    text: str
    before: str = ""
    after: str = ""


def help_channels() -> list[Said]:
    """Return what was said in the help channels; none where they are not here."""
    found: list[Said] = []
    for name in _HELP_CHANNELS:
        file = DATA.with_name(name)
        if file.is_file():
            messages = json.loads(file.read_text(encoding="utf-8"))["messages"]
            found += _between([(int(one["author"]["id"]), one["content"]) for one in messages])
    return found


def friends() -> list[Said]:
    """Return what pairs of friends told each other; none where they are not here."""
    if not _FRIENDS.is_file():
        return []
    told = conversations(path=_FRIENDS)
    return [said for one in told for said in _between([(m.user_id, m.text) for m in one.messages])]


def _between(said: Sequence[tuple[int, str]]) -> Iterator[Said]:
    places: dict[int, list[int]] = {}
    for place, (author_id, _) in enumerate(said):
        places.setdefault(author_id, []).append(place)
    for author_id, own in places.items():
        texts = ["", *(said[place][1] for place in own), ""]
        yield from (
            Said(author_id, text, before, after)
            for before, text, after in zip(texts, texts[1:], texts[2:], strict=False)
        )


def called(said: Said) -> Addressed | None:
    """Return what a message says to the bot, if the bot thinks that it is called."""
    return addressed(said.text, names=NAMES, bot_id=1, replies_to_bot=False, direct=False)


def learned(said: Said) -> list[str]:
    """Return the facts that are read out of a message."""
    given = ExtractionInput(said.text, said.author_id, said.before, said.after)
    return [one.content.replace(f"<@{said.author_id}>", "X") for one in extract(given)]

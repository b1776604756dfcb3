"""What a place is as a fact: its key, how it is told, and when two are one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.domain import MAX_FACT_CHARACTERS, Fact, FactCategory, FactOrigin, Language, mention_of
from bot.errors import EmptyFactError, FactTooLongError, SecretFactError
from bot.memory import tokens
from bot.memory.facts import COMMANDED_IMPORTANCE
from bot.memory.secrets import holds_secret, masked
from bot.store.facts import NewFact
from bot.store.remembered_places import Mention

_DETERMINER: Final = re.compile(
    r"(?:the|my|our|his|her|their|мо[йяеёи]|моего|моей|моём|моем|мою|наш\w*|его|её|ее|их)\s+", re.IGNORECASE
)
_CONTENTS: Final = {
    Language.ENGLISH: ("{who}'s place “{name}”", "{who}'s place “{name}”: {notes}"),
    Language.RUSSIAN: ("у {who} есть место «{name}»", "у {who} есть место «{name}»: {notes}"),
}
"""How a place is told as a fact, without notes and with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedPlace:
    """A place of a member, and the fact that it is."""

    fact: Fact
    name: str
    notes: str
    mentions: tuple[Mention, ...]

    @property
    def conversations(self) -> int:
        """In how many conversations it was mentioned, however often in each."""
        return len({one.conversation_id for one in self.mentions})


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPlace:
    """A place that somebody told of in a message."""

    guild_id: int
    subject_id: int
    author_id: int
    audience: int
    name: str
    notes: str = ""
    language: Language = Language.ENGLISH
    cause: str
    channel_id: int
    message_id: int
    said_at: datetime
    said: str = ""
    """The words in which it was told."""
    origin: FactOrigin = FactOrigin.TOOL


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What became of a place: the fact that now tells it, and what was new."""

    fact_id: int | None
    """`None` if this very note was taken back or forgotten before it was heard again, or nothing is known of it."""
    content: str = ""
    is_new: bool = False
    is_mentioned: bool = False
    """Whether a place that was known already was mentioned once more."""


def place_key(name: str) -> str:
    """Return the key of a place: "my home", "Home" and "home!" are one."""
    plain = tokens.normalised(name)
    return f"place:{_DETERMINER.sub('', plain, count=1) if _DETERMINER.match(plain) else plain}"


def united(places: Iterable[RememberedPlace]) -> list[RememberedPlace]:
    """Return `places` with those of one subject and one name as one: all mentions, the newest notes."""
    by_key: dict[tuple[int, int, str], RememberedPlace] = {}
    for place in sorted(places, key=lambda one: (one.fact.said_at, one.fact.fact_id)):
        key = (place.fact.guild_id, place.fact.subject_id, place.fact.key)
        older = by_key.pop(key, None)
        by_key[key] = place if older is None else _joined(older, place)
    return list(by_key.values())


def _joined(older: RememberedPlace, newer: RememberedPlace) -> RememberedPlace:
    mentions = {one.message_id: one for one in (*older.mentions, *newer.mentions)}
    return replace(newer, notes=newer.notes or older.notes, mentions=tuple(mentions.values()))


def alike(one: str, other: str) -> bool:
    """Tell whether two notes say the same."""
    return tokens.normalised(one) == tokens.normalised(other)


def name_of(name: str) -> str:
    """Return a name as it is told: "my home" is "home"."""
    plain = " ".join(name.split())
    return _DETERMINER.sub("", plain, count=1) if _DETERMINER.match(plain) else plain


def new_fact(place: NewPlace) -> NewFact:
    """Return the fact that `place` is.

    Raises `EmptyFactError` without a name, `SecretFactError`, and `FactTooLongError`.
    """
    if place_key(place.name) == "place:":
        raise EmptyFactError
    if holds_secret(place.name) or holds_secret(place.notes):
        raise SecretFactError
    notes = " ".join(place.notes.split())
    without, with_notes = _CONTENTS[place.language]
    content = (with_notes if notes else without).format(
        who=mention_of(place.subject_id), name=name_of(place.name), notes=notes
    )
    if len(content) > MAX_FACT_CHARACTERS:
        raise FactTooLongError(characters=len(content), allowed=MAX_FACT_CHARACTERS)
    return NewFact(
        guild_id=place.guild_id,
        subject_id=place.subject_id,
        audience=place.audience,
        category=FactCategory.PLACE,
        key=place_key(place.name),
        value=f"{name_of(place.name)}: {notes}" if notes else name_of(place.name),
        content=content,
        raw_content=masked(place.said or content),
        importance=COMMANDED_IMPORTANCE,
        confidence=1.0,
        origin=place.origin,
        author_id=place.author_id,
        source_channel_id=place.channel_id,
        source_message_id=place.message_id,
        cause=place.cause,
        said_at=place.said_at,
    )

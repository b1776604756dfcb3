"""Which member a name means."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from bot.conversation.names.roster import Roster, name_key
from bot.domain import MAX_ID, Member


@dataclass(frozen=True, slots=True)
class Found:
    """One member is meant."""

    user_id: int


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several members answer to the name; somebody has to say which."""

    candidates: tuple[int, ...]
    name: str = field(default="", compare=False)
    """The name as it was written: what a mention replaces once it is settled who is meant."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody is called so; `closest_id` is the member whose name is most like it, if any is."""

    name: str
    closest_id: int | None


Resolved: TypeAlias = Found | Ambiguous | Unknown

_MENTION: Final = re.compile(r"<@!?([0-9]{1,19})>")
_RAW_ID: Final = re.compile(r"[0-9]{1,19}")
_AUTHOR: Final = frozenset(
    {"i", "me", "my", "mine", "myself", "я", "меня", "мне", "мной", "мною", "себя", "себе"}
    | {"обо мне", "про меня", "о себе", "про себя", "у меня"}
)
_MARKS: Final = " \t\r\n?!.,:;\"'«»“”()"


def resolve(name: str, *, members: Sequence[Member], author_id: int) -> Resolved:
    """Return which member `name` means when `author_id` says it.

    The first of these that fits decides: a mention, the author ("me", «обо мне»), an id, any name of now or
    another case of one, the first of several names, a unique close match; where it fits several, none does. Pass
    a `Roster` as `members` when the same guild is asked about repeatedly. A mention is taken at its word,
    also of one who left.
    """
    trimmed = name.strip()
    mention = _MENTION.fullmatch(trimmed)
    if mention and 0 < int(mention[1]) <= MAX_ID:
        return Found(int(mention[1]))
    roster = Roster.of(members)
    bare = trimmed.strip(_MARKS)
    if name_key(bare) in _AUTHOR and not trimmed.startswith("@"):
        return Found(author_id)
    if _RAW_ID.fullmatch(bare) and int(bare) in roster.user_ids:
        return Found(int(bare))
    for spelling in dict.fromkeys((trimmed, bare)):
        if user_ids := roster.meant(spelling):
            return settled(user_ids, name=bare)
    if user_ids := roster.first_named(bare):
        return settled(user_ids, name=bare)
    close_id = roster.close(bare)
    return Unknown(bare, roster.closest(bare)) if close_id is None else Found(close_id)


def settled(user_ids: tuple[int, ...], *, name: str) -> Found | Ambiguous:
    """Return who of one or more `user_ids` is meant by `name`."""
    return Found(user_ids[0]) if len(user_ids) == 1 else Ambiguous(user_ids, name)

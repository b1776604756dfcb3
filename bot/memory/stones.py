"""Tombstones: by which hashes what was forgotten is known again, whatever words it is told in.

A fact has one of all its words, under its key. What stands under a pattern's key has another: of the few words that
tell it from others of its kind. Who forgot "likes pizza" is not to read that they adore it.
"""

from collections.abc import Sequence
from typing import Final

from bot.memory.hashing import Hasher
from bot.memory.tokens import normalised
from bot.store.tombstones import Tombstone

_LIKES: Final = "likes"
_TOLD_BY_THING: Final = frozenset({_LIKES, "alias"})
_TOLD_BY_VALUE: Final = frozenset({"favorite", "name", "lives_in", "works_as"})
"""Beginnings of keys: what of a fact tells it from others, its thing or its value."""


def stone_of(hasher: Hasher, *, guild_id: int, subject_id: int, key: str, stems: Sequence[str]) -> Tombstone:
    """Return the tombstone of a fact: hashes of its subject, its key and each of its stems."""
    return Tombstone(
        subject_hash=hasher.subject(guild_id=guild_id, subject_id=subject_id),
        key_hash=hasher.key(guild_id=guild_id, subject_id=subject_id, key=key),
        stem_hashes=hasher.stems(stems, guild_id=guild_id),
    )


def matter_of(key: str, value: str) -> str:
    """Return the words that tell a fact from others of its kind; "" if it takes all of its words."""
    kind, _, thing = key.partition(":")
    if kind in _TOLD_BY_THING:
        return thing
    return value if kind in _TOLD_BY_VALUE else ""


def matter_stone(
    hasher: Hasher, *, guild_id: int, subject_id: int, key: str, value: str, stems: Sequence[str]
) -> Tombstone | None:
    """Return the tombstone of what a fact tells, in whatever words; `stems` are those of its matter.

    `None` if it has no matter of its own.
    """
    if not stems:
        return None
    kind, _, _ = key.partition(":")
    said = [kind, normalised(value)] if kind == _LIKES else [key]
    return Tombstone(
        subject_hash=hasher.matters(guild_id=guild_id, subject_id=subject_id),
        key_hash=hasher.key(
            guild_id=guild_id, subject_id=subject_id, key=" ".join([*said, *sorted(set(stems))])
        ),
        stem_hashes=hasher.stems(stems, guild_id=guild_id),
    )


def stones_of(
    hasher: Hasher,
    *,
    guild_id: int,
    subject_id: int,
    key: str,
    value: str,
    stems: Sequence[str],
    matter: Sequence[str],
) -> list[Tombstone]:
    """Return all tombstones of a fact: of its words, and of its matter if it has one, by the stems of both."""
    words = stone_of(hasher, guild_id=guild_id, subject_id=subject_id, key=key, stems=stems)
    told = matter_stone(hasher, guild_id=guild_id, subject_id=subject_id, key=key, value=value, stems=matter)
    return [words, told] if told is not None else [words]

"""Keyed hashes that recognise what was forgotten, in any words, without its text."""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Final

from bot.memory.policy.repository import Tombstone
from bot.text.tokens import normalised


class Hasher:
    """Hashes subjects, keys and stems of one installation."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def subject(self, *, guild_id: int, subject_id: int) -> bytes:
        """Return the hash of a subject in its guild."""
        return self._hash("subject", str(guild_id), str(subject_id))

    def matters(self, *, guild_id: int, subject_id: int) -> bytes:
        """Return the hash under which stands what was forgotten of a subject, in whatever words."""
        return self._hash("matters", str(guild_id), str(subject_id))

    def ordered(self, *, guild_id: int, subject_id: int, author_id: int | None) -> bytes:
        """Return the hash under which stands what was ordered to be forgotten of a subject, as far as it is older.

        With an author only what they tell is meant.
        """
        told_by = "" if author_id is None else str(author_id)
        return self._hash("ordered", str(guild_id), str(subject_id), told_by)

    def key(self, *, guild_id: int, subject_id: int, key: str) -> bytes:
        """Return the hash of a fact's key."""
        return self._hash("key", str(guild_id), str(subject_id), key)

    def buried_key(self, *, guild_id: int, subject_id: int, key: str) -> str:
        """Return what stands in place of the key in the row of a forgotten fact."""
        return "gone:" + self.key(guild_id=guild_id, subject_id=subject_id, key=key).hex()

    def stems(self, stems: Iterable[str], *, guild_id: int) -> tuple[bytes, ...]:
        """Return the hashes of content stems, sorted, so that their order tells nothing."""
        return tuple(sorted(self._hash("stem", str(guild_id), stem) for stem in stems))

    def _hash(self, *parts: str) -> bytes:
        return hmac.digest(self._secret, "\x1f".join(parts).encode(), hashlib.sha256)


_LIKES: Final = "likes"
_TOLD_BY_THING: Final = frozenset({_LIKES, "alias"})
_TOLD_BY_VALUE: Final = frozenset({"favorite", "name", "lives_in", "works_as"})
"""Beginnings of keys: what of a fact tells it from others, its thing or its value."""


def tombstone_of(
    hasher: Hasher, *, guild_id: int, subject_id: int, key: str, stems: Sequence[str]
) -> Tombstone:
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


def matter_tombstone(
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


def tombstones_of(
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
    words = tombstone_of(hasher, guild_id=guild_id, subject_id=subject_id, key=key, stems=stems)
    told = matter_tombstone(
        hasher, guild_id=guild_id, subject_id=subject_id, key=key, value=value, stems=matter
    )
    return [words, told] if told is not None else [words]

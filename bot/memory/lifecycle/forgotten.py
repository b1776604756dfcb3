"""Which facts say what was forgotten: hashes are all that is left to know that by."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.domain import FactOrigin
from bot.memory import wording
from bot.memory.hashing import Hasher
from bot.memory.stones import matter_of, matter_stone
from bot.store import tombstones
from bot.store.database import Connection
from bot.store.facts import NewFact
from bot.store.tombstones import Tombstone


async def may_be_asked_for(
    connection: Connection, hasher: Hasher, fact: NewFact, *, asked_at: datetime
) -> bool:
    """Tell whether nobody had `fact` forgotten after it was asked for, which may be read long after it was said."""
    asked = replace(fact, said_at=asked_at)
    return bool(
        await not_forgotten(connection, hasher, guild_id=fact.guild_id, given=[asked], since=asked_at)
    )


async def not_forgotten(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    given: Sequence[NewFact],
    since: datetime | None = None,
) -> list[NewFact]:
    """Return those of `given` that do not say what was forgotten; only `since` a moment, if one is given."""
    hashes = {
        under(guild_id=guild_id, subject_id=subject_id)
        for subject_id in {fact.subject_id for fact in given}
        for under in (hasher.subject, hasher.matters)
    }
    hashes |= {one for fact in given for one in _ordered(hasher, fact)}
    stones = await tombstones.of_subjects(
        connection, guild_id=guild_id, subject_hashes=sorted(hashes), since=since
    )
    if not stones:
        return list(given)
    said = await wording.said_in(connection, guild_id=guild_id, texts=[fact.content for fact in given])
    values = await wording.matters_of(connection, guild_id=guild_id, texts=[fact.value for fact in given])
    matters = await wording.matters_of(
        connection, guild_id=guild_id, texts=[matter_of(fact.key, fact.value) for fact in given]
    )
    return [
        fact
        for fact, words, value, matter in zip(given, said, values, matters, strict=True)
        if not _is_forgotten(hasher, fact, stones, words=words, value=value, matter=matter)
    ]


def _is_forgotten(
    hasher: Hasher,
    fact: NewFact,
    stones: Sequence[Tombstone],
    *,
    words: frozenset[str],
    value: frozenset[str],
    matter: frozenset[str],
) -> bool:
    """Tell whether a fact says what was forgotten about its subject; given are the words of what it says."""
    guild_id, subject_id = fact.guild_id, fact.subject_id
    key = hasher.key(guild_id=guild_id, subject_id=subject_id, key=fact.key)
    subject = hasher.subject(guild_id=guild_id, subject_id=subject_id)
    content_hashes = frozenset(hasher.stems(words, guild_id=guild_id))
    ordered = _ordered(hasher, fact)
    if any(
        content_hashes.issuperset(stone.stem_hashes)
        for stone in stones
        if stone.subject_hash in ordered and stone.buried_at is not None and stone.buried_at > fact.said_at
    ):
        return True
    value_hashes = frozenset(hasher.stems(value, guild_id=guild_id))
    if any(
        _says(stone, content_hashes) or (stone.key_hash == key and value_hashes.issubset(stone.stem_hashes))
        for stone in stones
        if stone.subject_hash == subject
    ):
        return True
    own = matter_stone(
        hasher, guild_id=guild_id, subject_id=subject_id, key=fact.key, value=fact.value, stems=sorted(matter)
    )
    about = [
        stone
        for stone in stones
        if stone.subject_hash == hasher.matters(guild_id=guild_id, subject_id=subject_id)
    ]
    if own is not None:
        return any(stone.key_hash == own.key_hash for stone in about)
    # A model has many ways to put it.
    return fact.origin is FactOrigin.LEARNING and any(_says(stone, content_hashes) for stone in about)


def _ordered(hasher: Hasher, fact: NewFact) -> frozenset[bytes]:
    """Return under which hashes stands what was ordered to be forgotten of what `fact` tells."""
    return frozenset(
        hasher.ordered(guild_id=fact.guild_id, subject_id=fact.subject_id, author_id=author_id)
        for author_id in (None, fact.author_id)
    )


def _says(stone: Tombstone, content_hashes: frozenset[bytes]) -> bool:
    """Tell whether a text holds all the words of what was forgotten."""
    return bool(stone.stem_hashes) and content_hashes.issuperset(stone.stem_hashes)

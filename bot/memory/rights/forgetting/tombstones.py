"""Setting up tombstones for what is forgotten, and taking them down for what is asked for anew."""

from collections.abc import Sequence
from datetime import datetime

from bot.db.pool import Connection
from bot.memory.facts.repository import BuriedFact, NewFact
from bot.memory.policy import redaction
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.redaction import ForbiddenWords
from bot.memory.policy.repository import Tombstone
from bot.memory.policy.tombstones import Hasher, matter_of, tombstones_of
from bot.memory.rights.forgetting.search import OrderedWords


async def bury_facts(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    buried: Sequence[BuriedFact],
    ordered: Sequence[Tombstone],
    at: datetime,
) -> list[ForbiddenWords]:
    """Set up the tombstones of these facts, and return what no sentence may say of their subjects any more.

    They are dated by when it was asked for, `at`, as are those of what was `ordered` to be forgotten.
    """
    words = await redaction.words_of_facts(
        connection,
        guild_id=guild_id,
        contents=[one.content for one in buried],
        subject_ids=[one.subject_id for one in buried],
        matters=[matter_of(one.key, one.value) for one in buried],
    )
    stones = [*ordered]
    stones += [
        stone
        for one, said in zip(buried, words, strict=True)
        if redaction.content_words(said.needed)
        for stone in tombstones_of(
            hasher,
            guild_id=guild_id,
            subject_id=one.subject_id,
            key=one.key,
            value=one.value,
            stems=sorted(said.needed),
            matter=sorted(said.matter),
        )
    ]
    await policy_repository.add_tombstones(connection, guild_id=guild_id, tombstones=stones, at=at)
    return [
        *(
            ForbiddenWords(subject_id=one.subject_id, words=said.needed)
            for one, said in zip(buried, words, strict=True)
        ),
        *(
            ForbiddenWords(subject_id=one.subject_id, words=said.matter, named=True)
            for one, said in zip(buried, words, strict=True)
        ),
    ]


async def tombstones_of_words(
    connection: Connection, hasher: Hasher, *, guild_id: int, words: Sequence[OrderedWords]
) -> list[Tombstone]:
    """Return the tombstones of what was asked to be forgotten: nothing older says it once they are set up."""
    said = await redaction.words_of(
        connection,
        guild_id=guild_id,
        texts=[one.text for one in words],
        subject_ids=[one.subject_id for one in words],
    )
    return [
        Tombstone(
            subject_hash=hasher.ordered(
                guild_id=guild_id, subject_id=one.subject_id, author_id=one.author_id
            ),
            key_hash=hasher.key(guild_id=guild_id, subject_id=one.subject_id, key=""),
            stem_hashes=hasher.stems(sorted(stems) if one.text else (), guild_id=guild_id),
        )
        for one, stems in zip(words, said, strict=True)
        if not one.text or redaction.content_words(stems)
    ]


async def lift_tombstones(connection: Connection, hasher: Hasher, fact: NewFact) -> None:
    """Take down the tombstones of what `fact` says: somebody asked outright to have it remembered."""
    guild_id, subject_id = fact.guild_id, fact.subject_id
    hashes = [under(guild_id=guild_id, subject_id=subject_id) for under in (hasher.subject, hasher.matters)]
    if not await policy_repository.has_tombstones(connection, guild_id=guild_id, subject_hashes=hashes):
        return
    (words,) = await redaction.words_of_facts(
        connection,
        guild_id=guild_id,
        contents=[fact.content],
        subject_ids=[subject_id],
        matters=[matter_of(fact.key, fact.value)],
    )
    stones = tombstones_of(
        hasher,
        guild_id=guild_id,
        subject_id=subject_id,
        key=fact.key,
        value=fact.value,
        stems=sorted(words.needed),
        matter=sorted(words.matter),
    )
    await policy_repository.remove_tombstones(
        connection, guild_id=guild_id, stones=stones, said=hasher.stems(words.said, guild_id=guild_id)
    )

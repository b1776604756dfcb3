"""Setting up tombstones for what is forgotten, and taking them down for what is asked for anew."""

from collections.abc import Sequence
from datetime import datetime

from bot.memory import wording
from bot.memory.hashing import Hasher
from bot.memory.stones import matter_of, stones_of
from bot.memory.unsaying import Said
from bot.store import tombstones
from bot.store.burials import Buried
from bot.store.database import Connection
from bot.store.facts import NewFact


async def bury(
    connection: Connection, hasher: Hasher, *, guild_id: int, buried: Sequence[Buried], now: datetime
) -> list[Said]:
    """Set up the tombstones of these facts, and return what no sentence may say of their subjects any more."""
    words = await wording.words_of(
        connection,
        guild_id=guild_id,
        texts=[one.content for one in buried],
        subject_ids=[one.subject_id for one in buried],
    )
    matters = await wording.matters_of(
        connection, guild_id=guild_id, texts=[matter_of(one.key, one.value) for one in buried]
    )
    stones = [
        stone
        for one, said, matter in zip(buried, words, matters, strict=True)
        if wording.content(said)
        for stone in stones_of(
            hasher,
            guild_id=guild_id,
            subject_id=one.subject_id,
            key=one.key,
            value=one.value,
            stems=sorted(said),
            matter=sorted(matter),
        )
    ]
    await tombstones.bury(connection, guild_id=guild_id, tombstones=stones, now=now)
    return [
        *(Said(subject_id=one.subject_id, words=said) for one, said in zip(buried, words, strict=True)),
        *(
            Said(subject_id=one.subject_id, words=matter, named=True)
            for one, matter in zip(buried, matters, strict=True)
        ),
    ]


async def lift(connection: Connection, hasher: Hasher, fact: NewFact) -> None:
    """Take down the tombstones of what `fact` says: somebody asked outright to have it remembered."""
    guild_id, subject_id = fact.guild_id, fact.subject_id
    (words,) = await wording.words_of(
        connection, guild_id=guild_id, texts=[fact.content], subject_ids=[subject_id]
    )
    (said,) = await wording.said_in(connection, guild_id=guild_id, texts=[fact.content])
    (matter,) = await wording.matters_of(
        connection, guild_id=guild_id, texts=[matter_of(fact.key, fact.value)]
    )
    hashes = hasher.stems(said, guild_id=guild_id)
    for stone in stones_of(
        hasher,
        guild_id=guild_id,
        subject_id=subject_id,
        key=fact.key,
        value=fact.value,
        stems=sorted(words),
        matter=sorted(matter),
    ):
        await tombstones.lift(connection, guild_id=guild_id, stone=stone, said=hashes)

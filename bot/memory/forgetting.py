"""Forgetting: rows lose their text, messages that said it are withheld, tombstones keep it from coming back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain import Fact, Withheld
from bot.memory import narrative, phrasing, tokens
from bot.memory.hashing import Hasher
from bot.memory.tokens import Likeness
from bot.store import answers, facts, messages, narratives, places, tombstones
from bot.store.database import Connection
from bot.store.facts import Buried
from bot.store.tombstones import Tombstone


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What a forgetting took."""

    facts: int = 0
    messages: int = 0

    def __add__(self, other: "Forgotten") -> "Forgotten":
        return Forgotten(facts=self.facts + other.facts, messages=self.messages + other.messages)


def facts_that_say(statement: str, known: Iterable[Fact], *, author_id: int) -> list[Fact]:
    """Return the facts of `known` that say `statement`, as `author_id` puts it.

    They match by whole tokens: `TKT-100` is not `TKT-1000`. Those that say just that come before those that
    say more, and those before the ones that say less of a longer statement: "I like pizza" leaves
    "likes pineapple pizza" alone where "likes pizza" is known.
    """
    told = phrasing.third_person(statement, author_id=author_id)
    ranked: dict[Likeness, list[Fact]] = {}
    for fact in known:
        likeness = max(tokens.likeness(told, fact.content), tokens.likeness(statement, fact.raw_content))
        ranked.setdefault(likeness, []).append(fact)
    ranked.pop(Likeness.NONE, None)
    return ranked[max(ranked)] if ranked else []


async def forget(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    message_ids: Sequence[int],
    now: datetime,
) -> Forgotten:
    """Forget these facts and what they superseded, and withhold `message_ids` and the messages that said them."""
    older = await facts.line_of(connection, guild_id=guild_id, fact_ids=fact_ids)
    buried = await facts.lock(connection, guild_id=guild_id, fact_ids=[*fact_ids, *older])
    await _empty(connection, hasher, guild_id=guild_id, buried=buried, now=now)
    await tombstones.bury(
        connection, guild_id=guild_id, tombstones=[_stone(hasher, guild_id, one) for one in buried], now=now
    )
    told = await answers.wipe_that_told(
        connection, guild_id=guild_id, fact_ids=[one.fact_id for one in buried], message_ids=message_ids
    )
    saying = [
        message_id
        for one in buried
        for message_id in await messages.saying(
            connection,
            guild_id=guild_id,
            subject_id=one.subject_id,
            stems=[stem for stem in one.said_stems if stem != str(one.subject_id)],
        )
    ]
    withheld = await messages.withhold(
        connection,
        guild_id=guild_id,
        message_ids=sorted({*message_ids, *told, *saying, *_sources(buried)}),
        reason=Withheld.FORGOTTEN,
    )
    wanted = {one.fact_id for one in buried} & set(fact_ids)
    return Forgotten(facts=len(wanted), messages=withheld)


async def take_back(
    connection: Connection, hasher: Hasher, *, guild_id: int, fact_ids: Sequence[int], now: datetime
) -> int:
    """Undo writes: the facts lose their text and what they superseded holds again. Returns how many.

    Nothing is buried and no message withheld, since nobody asked to have anything forgotten.
    """
    undone = await facts.with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
    buried = await facts.lock(connection, guild_id=guild_id, fact_ids=fact_ids)
    await _empty(connection, hasher, guild_id=guild_id, buried=buried, now=now)
    for fact in undone:
        if fact.supersedes is not None:
            await facts.revive(connection, guild_id=guild_id, fact_id=fact.supersedes, now=now)
    return len(buried)


async def _empty(
    connection: Connection, hasher: Hasher, *, guild_id: int, buried: Sequence[Buried], now: datetime
) -> None:
    await facts.empty(
        connection,
        guild_id=guild_id,
        fact_ids=[one.fact_id for one in buried],
        buried_keys=[
            hasher.buried_key(guild_id=guild_id, subject_id=one.subject_id, key=one.key) for one in buried
        ],
        now=now,
    )
    for subject_id, audience in sorted({(one.subject_id, one.audience) for one in buried}):
        await narratives.drop(connection, guild_id=guild_id, subject_id=subject_id, audience=audience)
        await narrative.ask(connection, guild_id=guild_id, subject_id=subject_id, audience=audience)
    await places.bump_epoch(connection, guild_id=guild_id)


def _stone(hasher: Hasher, guild_id: int, one: Buried) -> Tombstone:
    return Tombstone(
        subject_hash=hasher.subject(guild_id=guild_id, subject_id=one.subject_id),
        key_hash=hasher.key(guild_id=guild_id, subject_id=one.subject_id, key=one.key),
        stem_hashes=hasher.stems(one.stems, guild_id=guild_id),
    )


def _sources(buried: Sequence[Buried]) -> list[int]:
    """Return the messages that said the facts: where they stood, and the commands that had them stored."""
    commands = [int(one.cause[2:]) for one in buried if one.cause.startswith("m:")]
    return [*(one.source_message_id for one in buried), *commands]

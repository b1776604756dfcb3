"""Forgetting: rows lose their text, messages that said it are withheld, tombstones keep it from coming back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.domain import OPEN, Fact, Withheld
from bot.memory import narrative, phrasing, tokens, unsaying
from bot.memory.hashing import Hasher
from bot.memory.lifecycle import ending, learning
from bot.memory.lifecycle.lines import hold_facts, settled
from bot.memory.stones import matter_of, stones_of
from bot.memory.tokens import Likeness
from bot.memory.unsaying import Said
from bot.store import (
    answers,
    burials,
    distillations,
    guilds,
    messages,
    narratives,
    sources,
    summaries,
    told_conversations,
    tombstones,
)
from bot.store import unsaying as stored_unsaying
from bot.store.burials import Buried
from bot.store.database import Connection
from bot.store.sources import Source

_LEAST_STEMS: Final = 2
"""Words that a message must share with a fact to say it."""

_MOST_MESSAGES: Final = 1_000
"""Messages that one fact takes at most, beside those that it came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What a forgetting took."""

    facts: int = 0
    messages: int = 0

    def __add__(self, other: "Forgotten") -> "Forgotten":
        return Forgotten(facts=self.facts + other.facts, messages=self.messages + other.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a forgetting may take."""

    fact_ids: Sequence[int]
    message_ids: Sequence[int] = ()
    author_ids: Sequence[int] = ()
    """Members whose own messages that say the facts lose their text: whoever asks, or for whom a moderator does."""
    audiences: Sequence[int] = (OPEN,)
    """Where those further messages may stand."""


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
    connection: Connection, hasher: Hasher, *, guild_id: int, reach: Reach, now: datetime
) -> Forgotten:
    """Forget the facts in `reach` and what they replaced, and withhold the messages that said them."""
    buried, said = await _bury(connection, hasher, guild_id=guild_id, fact_ids=reach.fact_ids, now=now)
    saying = await _saying(connection, guild_id=guild_id, buried=buried, reach=reach)
    fact_ids = [one.fact_id for one in buried]
    # What else was learned from a message that is to go must not outlive it, though it does not hold now.
    await learning.withdraw(connection, guild_id=guild_id, message_ids=reach.message_ids, now=now)
    withheld = await withhold(
        connection,
        guild_id=guild_id,
        message_ids=sorted({*reach.message_ids, *saying, *_messages(said, author_ids=reach.author_ids)}),
        fact_ids=fact_ids,
    )
    return Forgotten(facts=len(set(fact_ids) & set(reach.fact_ids)), messages=withheld)


async def disown(
    connection: Connection, hasher: Hasher, *, guild_id: int, fact_ids: Sequence[int], now: datetime
) -> int:
    """Forget that these facts are about their subjects, who say so; returns how many.

    They are not learned of them again. Messages keep their text: they may well be about somebody else.
    """
    buried, _ = await _bury(connection, hasher, guild_id=guild_id, fact_ids=fact_ids, now=now)
    told = await answers.wipe(
        connection, guild_id=guild_id, fact_ids=[one.fact_id for one in buried], message_ids=()
    )
    await _take_text(connection, guild_id=guild_id, message_ids=told)
    return len(buried)


async def _bury(
    connection: Connection, hasher: Hasher, *, guild_id: int, fact_ids: Sequence[int], now: datetime
) -> tuple[list[Buried], list[Source]]:
    """Empty these facts and all that they superseded, set up their tombstones, and unsay them in what was told.

    Returns what was buried, and where it had been said.
    """
    held = await hold_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    older = await burials.line_of(connection, guild_id=guild_id, fact_ids=fact_ids)
    buried = await burials.lock(connection, guild_id=guild_id, fact_ids=[*fact_ids, *older])
    said = await sources.of_facts(connection, guild_id=guild_id, fact_ids=[one.fact_id for one in buried])
    await _empty(connection, hasher, guild_id=guild_id, buried=buried, now=now)
    await settled(connection, guild_id=guild_id, lines=held, now=now)
    matters = await stored_unsaying.stems_of(
        connection, guild_id=guild_id, sentences=[matter_of(one.key, one.value) for one in buried]
    )
    stones = [
        stone
        for one, matter in zip(buried, matters, strict=True)
        for stone in stones_of(
            hasher,
            guild_id=guild_id,
            subject_id=one.subject_id,
            key=one.key,
            value=one.value,
            stems=one.stems,
            matter=matter,
        )
    ]
    await tombstones.bury(connection, guild_id=guild_id, tombstones=stones, now=now)
    answered = await unsaying.unsay(
        connection,
        guild_id=guild_id,
        said=[
            *(Said(subject_id=one.subject_id, stems=one.stems) for one in buried),
            *(
                Said(subject_id=one.subject_id, stems=tuple(matter), named=True)
                for one, matter in zip(buried, matters, strict=True)
            ),
        ],
    )
    if answered:
        told = await answers.wipe(connection, guild_id=guild_id, fact_ids=(), message_ids=answered)
        await _take_text(connection, guild_id=guild_id, message_ids=told)
    return buried, said


async def withhold(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], fact_ids: Sequence[int] = ()
) -> int:
    """Take the text from these messages and from whatever the bot said that told them or these facts.

    Returns how many messages had a text until now.
    """
    # A deletion names no facts, and deletions come in bulk: then there is nothing to look up.
    commands = await answers.that_told(connection, guild_id=guild_id, fact_ids=fact_ids) if fact_ids else []
    taken = sorted({*message_ids, *commands})
    told = await answers.wipe(connection, guild_id=guild_id, fact_ids=fact_ids, message_ids=taken)
    return await _take_text(connection, guild_id=guild_id, message_ids=[*taken, *told])


async def _take_text(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> int:
    """Take the text from these messages and what was told from it; returns how many had one until now."""
    withheld = await messages.withhold(
        connection, guild_id=guild_id, message_ids=message_ids, reason=Withheld.FORGOTTEN
    )
    await distillations.drop_days_taken_back(connection, guild_id=guild_id)
    await told_conversations.take_back(connection, guild_id=guild_id, message_ids=message_ids)
    await summaries.drop_told(connection, guild_id=guild_id, message_ids=message_ids)
    return withheld


async def _saying(
    connection: Connection, *, guild_id: int, buried: Sequence[Buried], reach: Reach
) -> list[int]:
    """Return further messages that hold all the words of a buried fact, as far as the asker's right goes.

    A single word is too little: it would take along whatever was ever said with it.
    """
    found: list[int] = []
    for one in buried:
        stems = [stem for stem in one.said_stems if stem != str(one.subject_id)]
        if len(stems) >= _LEAST_STEMS and reach.author_ids:
            found += await messages.saying(
                connection,
                guild_id=guild_id,
                author_ids=reach.author_ids,
                audiences=reach.audiences,
                stems=stems,
                limit=_MOST_MESSAGES,
            )
    return found


async def take_back(
    connection: Connection, hasher: Hasher, *, guild_id: int, fact_ids: Sequence[int], now: datetime
) -> int:
    """Undo writes: the facts lose their text and what they superseded holds again. Returns how many.

    A fact that was said otherwise too is what it was before. Nothing is buried and no message withheld, since
    nobody asked to have anything forgotten.
    """
    held = await hold_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    kept = await ending.take_back(connection, hasher, guild_id=guild_id, fact_ids=fact_ids, now=now)
    buried = await burials.lock(connection, guild_id=guild_id, fact_ids=sorted({*fact_ids} - {*kept}))
    await _empty(connection, hasher, guild_id=guild_id, buried=buried, now=now)
    await settled(connection, guild_id=guild_id, lines=held, now=now)
    return len(buried) + len(kept)


async def _empty(
    connection: Connection, hasher: Hasher, *, guild_id: int, buried: Sequence[Buried], now: datetime
) -> None:
    await burials.empty(
        connection,
        guild_id=guild_id,
        fact_ids=[one.fact_id for one in buried],
        buried_keys=[
            hasher.buried_key(guild_id=guild_id, subject_id=one.subject_id, key=one.key) for one in buried
        ],
        now=now,
    )
    said = await sources.of_facts(connection, guild_id=guild_id, fact_ids=[one.fact_id for one in buried])
    await sources.empty(connection, guild_id=guild_id, source_ids=[source.source_id for source in said])
    for subject_id, audience in sorted({(one.subject_id, one.audience) for one in buried}):
        await narratives.drop(connection, guild_id=guild_id, subject_id=subject_id, audience=audience)
        await narrative.ask(connection, guild_id=guild_id, subject_id=subject_id, audience=audience)
    await guilds.bump_epoch(connection, guild_id=guild_id)
    await distillations.drop_merged(connection, guild_id=guild_id)


def _messages(said: Sequence[Source], *, author_ids: Sequence[int]) -> list[int]:
    """Return the messages that said facts: where they stood, and the commands that had them stored.

    What was only picked up from a message takes its text along where its author is one of `author_ids`: nobody
    takes the words of somebody else who never asked the bot for anything.
    """
    taken = [source for source in said if source.is_explicit or source.author_id in author_ids]
    causes = [source.cause.split(":") for source in taken]
    # "m:<message>", or "m:<message>:<edit>" of a command that was edited.
    commands = [int(cause[1]) for cause in causes if cause[0] == "m"]
    return [*(source.message_id for source in taken), *commands]

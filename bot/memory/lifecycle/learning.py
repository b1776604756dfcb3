"""Facts that nobody asked for: learned from messages, and given up with them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.domain import LEARNED, Fact, FactOrigin
from bot.memory import tokens, wording
from bot.memory.hashing import Hasher
from bot.memory.lifecycle.allowed import allowed
from bot.memory.lifecycle.forgotten import not_forgotten
from bot.memory.lifecycle.lines import hold, hold_facts, line_of, place, settled
from bot.memory.unsaying import Said, unsay
from bot.store import burials, distillations, facts, guilds, sources
from bot.store.database import Connection
from bot.store.facts import NewFact

_EVENT: Final = "event:"
_FREE_SENTENCE: Final = "note:"
"""What the keys of events and of free sentences begin with; behind it both have the hash of the sentence."""


async def learn(
    connection: Connection, hasher: Hasher, given: Sequence[NewFact], *, now: datetime
) -> list[int]:
    """Take in learned facts of one guild, and return the ids of the rows that say them, each once.

    Left out is what was forgotten (the same value under its key, or a sentence with all the words of it), what has
    expired, what stands in a message that is withheld, and what those whom it concerns do not want kept. Heard again
    from the same cause nothing changes. What holds is settled: nothing learned takes the place of what its subject
    asked to have remembered.
    """
    keyed = map(_as_free_sentence, given)
    wanted = {(line_of(fact), fact.cause): fact for fact in reversed([*keyed]) if _is_due(fact, now)}
    if not wanted:
        return []
    guild_id = given[0].guild_id
    known = await _said_openly(connection, guild_id=guild_id, given=list(reversed(wanted.values())))
    wished = await allowed(connection, known, guild_id=guild_id)
    learned = await not_forgotten(connection, hasher, guild_id=guild_id, given=wished)
    if not learned:
        return []
    held = await hold(connection, guild_id=guild_id, lines=map(line_of, learned))
    placed = await place(
        connection,
        learned,
        buried_keys=[
            hasher.buried_key(guild_id=guild_id, subject_id=fact.subject_id, key=fact.key) for fact in learned
        ],
        held=held,
        now=now,
    )
    if any(one.source_id is not None and not one.is_repeated for one in placed):
        await settled(connection, guild_id=guild_id, lines=held, now=now)
    return list(dict.fromkeys(one.fact_id for one in placed if one.fact_id is not None))


async def withdraw(
    connection: Connection,
    *,
    guild_id: int,
    message_ids: Sequence[int],
    now: datetime,
    origins: Collection[FactOrigin] = LEARNED,
) -> int:
    """Take away what these messages say for facts, by sources of `origins`; returns how many facts were removed.

    A fact that rests on nothing else goes, and what it had superseded holds again. What somebody asked to have
    remembered stays.
    """
    found = await sources.resting_on(
        connection, guild_id=guild_id, message_ids=message_ids, origins=sorted(origins)
    )
    if not found:
        return 0
    return await _given_up(connection, guild_id=guild_id, source_ids=found, now=now)


async def notice(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    wanted: Mapping[int, Sequence[NewFact]],
    now: datetime,
    nothing_new_of: Collection[int] = (),
) -> int:
    """Let the facts picked up from each message be those in `wanted`, by message; returns how many were new or went.

    What a message says no longer is withdrawn, what it says now is learned, and the rest stays as it is. Nothing
    is learned that the members `nothing_new_of` say.
    """
    wanted = {message_id: [*map(_as_free_sentence, told)] for message_id, told in wanted.items()}
    known = await sources.picked_up(
        connection, guild_id=guild_id, message_ids=list(wanted), origin=FactOrigin.PATTERN
    )
    saying = {
        (message_id, line_of(fact), tokens.normalised(fact.value))
        for message_id, given in wanted.items()
        for fact in given
    }
    stale = [
        one.source_id
        for one in known
        if (one.message_id, one.line, tokens.normalised(one.value)) not in saying
    ]
    had = {(one.message_id, one.line, tokens.normalised(one.value)) for one in known}
    new = [
        fact
        for message_id, given in wanted.items()
        for fact in given
        if (message_id, line_of(fact), tokens.normalised(fact.value)) not in had
        and fact.author_id not in nothing_new_of
    ]
    if stale:
        # All at once: held one after the other, two that do so could wait for each other.
        going = {one.line for one in known if one.source_id in stale}
        await hold(connection, guild_id=guild_id, lines=going.union(map(line_of, new)))
        await _given_up(connection, guild_id=guild_id, source_ids=stale, now=now)
    learned = await learn(connection, hasher, new, now=now)
    return len(stale) + len(learned)


async def learned_of(connection: Connection, *, guild_id: int, message_id: int) -> list[Fact]:
    """Return the facts, also superseded ones, that were picked up from a message by a pattern."""
    return await facts.learned_from(
        connection, guild_id=guild_id, message_id=message_id, origins=[FactOrigin.PATTERN]
    )


async def _given_up(
    connection: Connection, *, guild_id: int, source_ids: Sequence[int], now: datetime
) -> int:
    """Remove these sources, and what rests on nothing any more; returns how many facts went.

    What was told of their subjects loses the sentences that say it.
    """
    fact_ids = await sources.facts_of(connection, guild_id=guild_id, source_ids=source_ids)
    held = await hold_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    await sources.drop(connection, guild_id=guild_id, source_ids=source_ids)
    gone = await facts.without_sources(connection, guild_id=guild_id, fact_ids=fact_ids)
    untold = await burials.lock(connection, guild_id=guild_id, fact_ids=gone)
    words = await wording.words_of(
        connection,
        guild_id=guild_id,
        texts=[one.content for one in untold],
        subject_ids=[one.subject_id for one in untold],
    )
    await unsay(
        connection,
        guild_id=guild_id,
        said=[
            Said(subject_id=one.subject_id, words=said, named=True)
            for one, said in zip(untold, words, strict=True)
        ],
    )
    await facts.remove(connection, guild_id=guild_id, fact_ids=gone)
    await settled(connection, guild_id=guild_id, lines=held, now=now)
    if gone:
        # Texts that were merged from them cannot tell what came from where.
        await guilds.bump_epoch(connection, guild_id=guild_id)
        await distillations.drop_merged(connection, guild_id=guild_id)
    return len(gone)


def _as_free_sentence(fact: NewFact) -> NewFact:
    """Return what happened under the key that the same sentence has when somebody asks for it: both are one fact."""
    if not fact.key.startswith(_EVENT):
        return fact
    return replace(fact, key=f"{_FREE_SENTENCE}{fact.key.removeprefix(_EVENT)}")


def _is_due(fact: NewFact, now: datetime) -> bool:
    return fact.origin in LEARNED and (fact.expires_at is None or fact.expires_at > now)


async def _said_openly(connection: Connection, *, guild_id: int, given: Sequence[NewFact]) -> list[NewFact]:
    """Return what stands in messages that are not withheld, which nobody withholds before commit."""
    message_ids = sorted({fact.source_message_id for fact in given})
    withheld = await sources.withheld(connection, guild_id=guild_id, message_ids=message_ids)
    return [fact for fact in given if fact.source_message_id not in withheld]

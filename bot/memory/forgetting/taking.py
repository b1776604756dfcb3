"""Carrying out a forgetting, in one transaction: facts, messages, texts that were told, tombstones, the epoch."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.domain import MessageKind, Withheld
from bot.memory import burying, forwards, narrative, removals, unsaying
from bot.memory.forgetting import leaving
from bot.memory.forgetting.matching import Part
from bot.memory.forgetting.reach import Forgotten, Reach
from bot.memory.forgetting.saying import Found, Wording, drop_quarantined, messages_of, messages_that_say
from bot.memory.hashing import Hasher
from bot.memory.lifecycle import ending, learning
from bot.memory.lifecycle.lines import hold_facts, settled
from bot.memory.unsaying import Unsaid
from bot.store import (
    answers,
    asked_for,
    burials,
    distillations,
    facts,
    forgettings,
    guilds,
    messages,
    narratives,
    sayings,
    sources,
    summaries,
    told_conversations,
)
from bot.store.burials import Buried
from bot.store.database import Connection
from bot.store.sources import Source

_NAMES: Final = ("name", "alias:")
"""What the keys of facts begin with whose value is a name: whoever says it says them."""


async def forget(connection: Connection, hasher: Hasher, *, reach: Reach, now: datetime) -> Forgotten:
    """Forget the facts in `reach` and what they replaced, and withhold the messages that said them."""
    guild_id, asked_at = reach.guild_id, reach.asked_at or now
    if reach.asked_at is not None:
        since = await asked_for.asked_for_since(
            connection, guild_id=guild_id, fact_ids=reach.fact_ids, since=reach.asked_at
        )
        reach = replace(reach, fact_ids=[one for one in reach.fact_ids if one not in since])
    await burying.bury_words(connection, hasher, guild_id=guild_id, words=reach.words, at=asked_at)
    await removals.note(connection, reach.by, guild_id=guild_id, fact_ids=reach.fact_ids, at=now)
    before = await _leave_parts(connection, guild_id=guild_id, parts=reach.parts)
    # As long as the facts are there, so are the names that they give.
    found = await _found(connection, reach)
    await drop_quarantined(connection, reach, found)
    buried, said, unsaid = await _bury(
        connection,
        hasher,
        guild_id=guild_id,
        fact_ids=reach.fact_ids,
        parts=reach.parts,
        asked_at=asked_at,
        now=now,
    )
    taken_ids = sorted({*reach.message_ids, *found.taken, *messages_of(said, author_ids=reach.author_ids)})
    await removals.note(connection, reach.by, guild_id=guild_id, fact_ids=[], message_ids=taken_ids, at=now)
    # What else was learned from a message that is to go must not outlive it, though it does not hold now.
    await learning.withdraw(connection, guild_id=guild_id, message_ids=reach.message_ids, now=now)
    fact_ids = [one.fact_id for one in buried]
    taken = await withhold(connection, guild_id=guild_id, message_ids=taken_ids, fact_ids=fact_ids, now=now)
    await leaving.put(connection, hasher, before, now=now)
    forgotten = replace(
        taken,
        facts=len(set(fact_ids) & set(reach.fact_ids)),
        summaries=taken.summaries + unsaid.summaries,
        days=taken.days + unsaid.days,
        own_ids=tuple(
            dict.fromkeys(
                [
                    *taken.own_ids,
                    *(one for one, kind in found.taken.items() if kind is MessageKind.BOT),
                ]
            )
        ),
        left_ids=tuple(one for one in found.left_ids if one not in taken_ids),
    )
    if reach.by is not None:
        await forgettings.add(
            connection,
            guild_id=guild_id,
            cause=reach.by.cause,
            user_id=reach.by.user_id,
            taken=forgotten if reach.is_counted else replace(forgotten, facts=0),
            now=now,
        )
    return forgotten


async def preview(connection: Connection, reach: Reach) -> Forgotten:
    """Return what `forget` would take, without its texts; nothing is changed."""
    guild_id = reach.guild_id
    found = await _found(connection, reach)
    said = await sources.of_facts(connection, guild_id=guild_id, fact_ids=await _line(connection, reach))
    taken_ids = {*reach.message_ids, *found.taken, *messages_of(said, author_ids=reach.author_ids)}
    standing = await messages.standing(connection, guild_id=guild_id, message_ids=sorted(taken_ids))
    return Forgotten(facts=len(reach.fact_ids), messages=len(standing), left_ids=found.left_ids)


async def disown(
    connection: Connection, hasher: Hasher, *, guild_id: int, fact_ids: Sequence[int], now: datetime
) -> int:
    """Forget that these facts are about their subjects, who say so; returns how many.

    They are not learned of them again. Messages keep their text: they may well be about somebody else.
    """
    buried, *_ = await _bury(
        connection, hasher, guild_id=guild_id, fact_ids=fact_ids, parts={}, asked_at=now, now=now
    )
    told = await answers.wipe(
        connection, guild_id=guild_id, fact_ids=[one.fact_id for one in buried], message_ids=()
    )
    await _take_text(connection, guild_id=guild_id, message_ids=told, now=now)
    return len(buried)


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


async def withhold(
    connection: Connection,
    *,
    guild_id: int,
    message_ids: Sequence[int],
    fact_ids: Sequence[int] = (),
    now: datetime,
) -> Forgotten:
    """Take the text from these messages, from what repeats them and from whatever the bot said that told them or
    these facts.

    Returns how many messages had a text until now, what was told from them, and where the bot had said it.
    """
    # A deletion names no facts, and deletions come in bulk: then there is nothing to look up.
    commands = await answers.that_told(connection, guild_id=guild_id, fact_ids=fact_ids) if fact_ids else []
    taken = sorted({*message_ids, *commands})
    told = await answers.wipe(connection, guild_id=guild_id, fact_ids=fact_ids, message_ids=taken)
    withheld = await _take_text(connection, guild_id=guild_id, message_ids=[*taken, *told], now=now)
    if fact_ids:
        await _take_elsewhere(connection, guild_id=guild_id, fact_ids=fact_ids, now=now)
    return replace(withheld, own_ids=tuple(dict.fromkeys(told)))


async def _take_elsewhere(
    connection: Connection, *, guild_id: int, fact_ids: Sequence[int], now: datetime
) -> None:
    """Take these facts out of what the bot said in direct messages, which are guilds of their own."""
    for other_id in await sayings.guilds_told(connection, guild_id=guild_id, fact_ids=fact_ids):
        told = await answers.wipe(connection, guild_id=other_id, fact_ids=fact_ids, message_ids=())
        await _take_text(connection, guild_id=other_id, message_ids=told, now=now)
        await guilds.bump_epoch(connection, guild_id=other_id)
        await distillations.drop_merged(connection, guild_id=other_id)


async def _bury(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    parts: Mapping[int, Part],
    asked_at: datetime,
    now: datetime,
) -> tuple[list[Buried], list[Source], Unsaid]:
    """Empty these facts and all that they superseded, set up their tombstones, and unsay them in what was told.

    Returns what was buried, where it had been said, and what lost a sentence.
    """
    held = await hold_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    older = await burials.line_of(connection, guild_id=guild_id, fact_ids=fact_ids)
    buried = [
        _partly(one, parts)
        for one in await burials.lock(connection, guild_id=guild_id, fact_ids=[*fact_ids, *older])
    ]
    said = await sources.of_facts(connection, guild_id=guild_id, fact_ids=[one.fact_id for one in buried])
    await _empty(connection, hasher, guild_id=guild_id, buried=buried, now=now)
    await settled(connection, guild_id=guild_id, lines=held, now=now)
    gone = await burying.bury(connection, hasher, guild_id=guild_id, buried=buried, at=asked_at)
    unsaid = await unsaying.unsay(connection, guild_id=guild_id, said=gone)
    if unsaid.answered_ids:
        told = await answers.wipe(connection, guild_id=guild_id, fact_ids=(), message_ids=unsaid.answered_ids)
        await _take_text(connection, guild_id=guild_id, message_ids=told, now=now)
    return buried, said, unsaid


def _partly(one: Buried, parts: Mapping[int, Part]) -> Buried:
    """Return a fact as it is buried: of one that says more, what is to be forgotten alone."""
    part = parts.get(one.fact_id)
    return one if part is None else replace(one, value="", content=part.gone, raw_content=part.gone)


async def _leave_parts(
    connection: Connection, *, guild_id: int, parts: Mapping[int, Part]
) -> list[facts.NewFact]:
    """Return what stays of facts that say more than is to be forgotten, before they are emptied."""
    known = await facts.with_ids(connection, guild_id=guild_id, fact_ids=list(parts))
    return [leaving.left_of(fact, parts[fact.fact_id].left) for fact in known]


async def _line(connection: Connection, reach: Reach) -> list[int]:
    """Return what is to be forgotten with all that it superseded."""
    older = await burials.line_of(connection, guild_id=reach.guild_id, fact_ids=reach.fact_ids)
    return [*reach.fact_ids, *older]


async def _found(connection: Connection, reach: Reach) -> Found:
    """Return the further messages that say a fact, in whatever of the words in which it is known."""
    guild_id = reach.guild_id
    fact_ids = await _line(connection, reach)
    known = await facts.with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
    said = await sources.of_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    buried = [_partly(burials.buried_of(fact), reach.parts) for fact in known]
    subjects = {one.fact_id: one.subject_id for one in buried}
    partly = {one.fact_id for one in buried if one.fact_id in reach.parts}
    wordings = [
        Wording(subject_id=one.subject_id, text=text)
        for one in buried
        for text in (one.content, one.raw_content)
    ]
    wordings += [
        Wording(subject_id=subjects[source.fact_id], text=text)
        for source in said
        if source.fact_id not in partly
        for text in (source.content, source.raw_content)
    ]
    wordings += [
        Wording(subject_id=one.subject_id, text=one.value, is_name=True)
        for one in buried
        if one.key.startswith(_NAMES)
    ]
    if reach.statement:
        wordings += [Wording(subject_id=one.subject_id, text=reach.statement) for one in buried]
    return await messages_that_say(
        connection,
        guild_id=guild_id,
        wordings=wordings,
        author_ids=reach.author_ids,
        audiences=reach.audiences,
    )


async def _take_text(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], now: datetime
) -> Forgotten:
    """Take the text from these messages, what repeats and what was told from it; returns how many had one until now."""
    withheld = await messages.withhold(
        connection, guild_id=guild_id, message_ids=message_ids, reason=Withheld.FORGOTTEN
    )
    days = await distillations.drop_days_taken_back(connection, guild_id=guild_id)
    episodes = await told_conversations.take_back(connection, guild_id=guild_id, message_ids=message_ids)
    await summaries.drop_told(connection, guild_id=guild_id, message_ids=message_ids)
    withheld += await forwards.follow(connection, guild_id=guild_id, message_ids=message_ids, now=now)
    return Forgotten(messages=withheld, summaries=episodes, days=days)


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

"""Carries out a forgetting in one transaction: facts, messages and forwards lose their text, generated texts lose
sentences, and tombstones prevent relearning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self, TypeVar

from bot.core.domain import OPEN, Fact, FactStatus, MessageKind
from bot.db.pool import Connection
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.facts import lifecycle, repository_slots, statements
from bot.memory.facts import repository as facts_repository
from bot.memory.facts.about import says_a_name
from bot.memory.facts.repository import BuriedFact, NewFact
from bot.memory.facts.repository_slots import Slot, Source, WholeFact
from bot.memory.facts.slots import settle_slots
from bot.memory.messages import repository_writing
from bot.memory.outbox import removal_log
from bot.memory.outbox.answers import DeferredWrite
from bot.memory.outbox.removal_log import Remover
from bot.memory.policy import redaction
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.redaction import Redacted, StemmedTexts
from bot.memory.policy.repository import Tombstone
from bot.memory.policy.tombstones import Hasher
from bot.memory.rights.forgetting import repository, tombstones
from bot.memory.rights.forgetting.meant import FactPart
from bot.memory.rights.forgetting.repeated import answers_quoting, answers_repeating
from bot.memory.rights.forgetting.repository import Forgotten
from bot.memory.rights.forgetting.search import (
    FoundMessages,
    Reach,
    Sayings,
    Wording,
    commands_of,
    drop_quarantined,
    messages_of,
    messages_that_say,
)
from bot.memory.rights.forgetting.withholding import take_answers, withdraw, withhold


def left_of(fact: Fact, content: str) -> NewFact:
    """Return what is left of `fact`.

    No message says it any more: the one that did has lost its text.
    """
    key, value = statements.key_and_value(content)
    return NewFact(
        guild_id=fact.guild_id,
        subject_id=fact.subject_id,
        audience=fact.audience,
        category=fact.category,
        key=key,
        value=value,
        content=content,
        raw_content=content,
        importance=fact.importance,
        confidence=fact.confidence,
        origin=fact.origin,
        author_id=fact.author_id,
        source_channel_id=fact.source_channel_id,
        source_message_id=0,
        cause=fact.cause,
        said_at=fact.said_at,
        holds_on=fact.holds_on,
        expires_at=fact.expires_at,
    )


async def store_left(
    connection: Connection, hasher: Hasher, left: Sequence[NewFact], *, now: datetime
) -> None:
    """Store what is left of facts that were forgotten in part."""
    for fact in left:
        await statements.store_fact(
            connection,
            fact,
            rules=await lifecycle.rules_for(connection, hasher, [fact], guild_id=fact.guild_id),
            buried_key=hasher.buried_key(guild_id=fact.guild_id, subject_id=fact.subject_id, key=fact.key),
            now=now,
        )


async def forget(connection: Connection, hasher: Hasher, *, reach: Reach, now: datetime) -> Forgotten:
    """Forget the facts in `reach` and what they replaced, and withhold the messages that said them."""
    guild_id, asked_at = reach.guild_id, reach.asked_at or now
    before = await _leave_parts(connection, guild_id=guild_id, parts=reach.parts)
    held = await _held(
        connection,
        guild_id=guild_id,
        fact_ids=reach.fact_ids,
        parts=reach.parts,
        unless_asked_since=reach.asked_at,
    )
    # As long as the facts are there, so are the names that they give.
    words, found = await _found(connection, reach, held)
    await drop_quarantined(connection, reach, found)
    taken_ids = sorted(
        {*reach.message_ids, *found.taken, *messages_of(held.said, author_ids=reach.author_ids)}
    )
    await removal_log.note_removal(
        connection, reach.by, guild_id=guild_id, fact_ids=held.meant_ids, message_ids=taken_ids, at=now
    )
    ordered = tombstones.tombstones_of_orders(hasher, words, guild_id=guild_id, ordered=reach.words)
    unsaid = await _empty_and_bury(
        connection, hasher, words, guild_id=guild_id, held=held, ordered=ordered, asked_at=asked_at, now=now
    )
    # What else was learned from a message that is to go must not outlive it, though it does not hold now.
    await withdraw(connection, guild_id=guild_id, message_ids=reach.message_ids, now=now)
    fact_ids = [one.fact_id for one in held.facts]
    quoting = await answers_quoting(connection, guild_id=guild_id, message_ids=taken_ids)
    taken = await withhold(connection, guild_id=guild_id, message_ids=taken_ids, fact_ids=fact_ids, now=now)
    if quoting:
        taken += await take_answers(connection, guild_id=guild_id, message_ids=quoting, now=now)
    await store_left(connection, hasher, before, now=now)
    forgotten = replace(
        taken,
        facts=len(held.meant_ids),
        sayings=found.sayings,
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
    if reach.by is not None and (held.facts or taken_ids):
        await repository.add_forgotten(
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
    meant = await repository_slots.with_superseded(connection, guild_id=guild_id, fact_ids=reach.fact_ids)
    known = _Held.of(frozenset(), meant, reach.parts)
    _, found = await _found(connection, reach, known)
    taken_ids = {*reach.message_ids, *found.taken, *messages_of(known.said, author_ids=reach.author_ids)}
    standing = await repository_writing.with_text(
        connection, guild_id=guild_id, message_ids=sorted(taken_ids)
    )
    return Forgotten(
        facts=len(reach.fact_ids), messages=len(standing), sayings=found.sayings, left_ids=found.left_ids
    )


async def disown(
    connection: Connection, hasher: Hasher, *, guild_id: int, fact_ids: Sequence[int], now: datetime
) -> int:
    """Forget that these facts are about their subjects, who say so; returns how many.

    They are not learned of them again. Messages keep their text: they may well be about somebody else.
    """
    held = await _held(connection, guild_id=guild_id, fact_ids=fact_ids, parts={})
    words = await redaction.stemmed(connection, guild_id=guild_id, texts=tombstones.texts_of(held.facts))
    await _empty_and_bury(connection, hasher, words, guild_id=guild_id, held=held, asked_at=now, now=now)
    fact_ids = [one.fact_id for one in held.facts]
    await take_answers(connection, guild_id=guild_id, fact_ids=fact_ids, now=now)
    return len(held.facts)


async def take_back(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    teller_id: int | None,
    now: datetime,
) -> int:
    """Undo writes: the facts lose their text and what they superseded holds again. Returns how many.

    A fact that was said otherwise too is what it was before; of one about somebody else that `teller_id` told, that is
    also what others told. Nothing is buried and no message withheld, since nobody asked to have anything forgotten.
    """
    held = await repository_slots.hold_slots_of_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    kept = await lifecycle.take_back_facts(
        connection, hasher, guild_id=guild_id, fact_ids=fact_ids, teller_id=teller_id, now=now
    )
    buried = await facts_repository.lock_for_forgetting(
        connection, guild_id=guild_id, fact_ids=sorted({*fact_ids} - {*kept})
    )
    await _empty(connection, hasher, guild_id=guild_id, buried=buried, now=now)
    await settle_slots(connection, guild_id=guild_id, lines=held, now=now)
    return len(buried) + len(kept)


async def take_again(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    source_ids: Sequence[int],
    is_forgotten: bool,
    now: datetime,
) -> None:
    """Empty facts, and times that others were said, which were emptied once before, where they still have a text.

    Which they were was known then, so nothing is looked for, and tombstones are the caller's. What was forgotten, and
    not only taken back, is unsaid in what was told.
    """
    said = await repository_slots.facts_of(connection, guild_id=guild_id, source_ids=source_ids)
    held = await repository_slots.hold_slots_of_facts(
        connection, guild_id=guild_id, fact_ids=sorted({*fact_ids, *said})
    )
    buried = await facts_repository.lock_for_forgetting(connection, guild_id=guild_id, fact_ids=fact_ids)
    words = await redaction.stemmed(connection, guild_id=guild_id, texts=tombstones.texts_of(buried))
    await _empty(connection, hasher, guild_id=guild_id, buried=buried, now=now)
    await lifecycle.take_back_sources(connection, hasher, guild_id=guild_id, source_ids=source_ids, now=now)
    await settle_slots(connection, guild_id=guild_id, lines=held, now=now)
    if is_forgotten:
        await redaction.redact(connection, guild_id=guild_id, said=tombstones.forbidden_words(words, buried))


@dataclass(frozen=True, slots=True)
class _Held:
    """Facts that are about to be forgotten, which nobody changes until commit."""

    slots: frozenset[Slot]
    """Where they compete, with what may hold again once they are gone."""
    facts: tuple[BuriedFact, ...]
    said: tuple[Source, ...]
    """Every time that they were said."""
    meant_ids: tuple[int, ...]
    """Those that were named, and not only superseded by these."""

    @classmethod
    def of(cls, slots: frozenset[Slot], found: Sequence[WholeFact], parts: Mapping[int, FactPart]) -> Self:
        """Return these facts; of those in `parts` only what is to be forgotten."""
        return cls(
            slots=slots,
            facts=tuple(_partly(one.fact, parts) for one in found),
            said=tuple(source for one in found for source in one.said),
            meant_ids=tuple(one.fact.fact_id for one in found if one.is_meant),
        )


async def _held(
    connection: Connection,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    parts: Mapping[int, FactPart],
    unless_asked_since: datetime | None = None,
) -> _Held:
    """Hold these facts, and all that they superseded, until commit.

    Those that somebody asked to have remembered since a moment are left out.
    """
    slots = await repository_slots.hold_slots_of_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    found = await repository_slots.with_superseded(
        connection, guild_id=guild_id, fact_ids=fact_ids, unless_asked_since=unless_asked_since, held=True
    )
    return _Held.of(frozenset(slots), found, parts)


async def _empty_and_bury(
    connection: Connection,
    hasher: Hasher,
    words: StemmedTexts,
    *,
    guild_id: int,
    held: _Held,
    ordered: Sequence[Tombstone] = (),
    asked_at: datetime,
    now: datetime,
) -> Redacted:
    """Empty these facts, set up their tombstones, and unsay them in what was told; returns what lost a sentence.

    The tombstones `ordered` are set up with them; all are dated by when it was asked for.
    """
    await _empty(connection, hasher, guild_id=guild_id, buried=held.facts, now=now)
    await settle_slots(connection, guild_id=guild_id, lines=held.slots, now=now)
    stones = tombstones.tombstones_of_facts(hasher, words, guild_id=guild_id, buried=held.facts)
    await policy_repository.add_tombstones(
        connection, guild_id=guild_id, tombstones=[*ordered, *stones], at=asked_at
    )
    said = tombstones.forbidden_words(words, held.facts)
    unsaid = await redaction.redact(connection, guild_id=guild_id, said=said)
    repeated = await answers_repeating(
        connection,
        guild_id=guild_id,
        said=said,
        fact_ids=[one.fact_id for one in held.facts],
        message_ids=[source.message_id for source in held.said],
    )
    if answered := [*unsaid.answered_ids, *repeated]:
        await take_answers(connection, guild_id=guild_id, message_ids=answered, now=now)
    return unsaid


def _partly(one: BuriedFact, parts: Mapping[int, FactPart]) -> BuriedFact:
    """Return a fact as it is buried: of one that says more, what is to be forgotten alone."""
    part = parts.get(one.fact_id)
    return one if part is None else replace(one, value="", content=part.gone, raw_content=part.gone)


async def _leave_parts(
    connection: Connection, *, guild_id: int, parts: Mapping[int, FactPart]
) -> list[facts_repository.NewFact]:
    """Return what stays of facts that say more than is to be forgotten, before they are emptied."""
    known = await facts_repository.facts_with_ids(connection, guild_id=guild_id, fact_ids=list(parts))
    return [left_of(fact, parts[fact.fact_id].left) for fact in known]


async def _found(connection: Connection, reach: Reach, held: _Held) -> tuple[StemmedTexts, FoundMessages]:
    """Return the further messages that say one of these facts, in whatever of the words in which it is known.

    With the stems of all texts that the forgetting goes by.
    """
    buried = held.facts
    subjects = {one.fact_id: one.subject_id for one in buried}
    partly = {one.fact_id for one in buried if one.fact_id in reach.parts}
    wordings = [
        Wording(subject_id=one.subject_id, text=text)
        for one in buried
        for text in (one.content, one.raw_content)
    ]
    wordings += [
        Wording(subject_id=subjects[source.fact_id], text=text)
        for source in held.said
        if source.fact_id not in partly
        for text in (source.content, source.raw_content)
    ]
    wordings += [
        Wording(subject_id=one.subject_id, text=one.value, is_name=True)
        for one in buried
        if says_a_name(one.key)
    ]
    if reach.statement:
        wordings += [Wording(subject_id=one.subject_id, text=reach.statement) for one in buried]
    texts = [
        *(one.text for one in wordings),
        *(one.text for one in reach.words),
        *tombstones.texts_of(buried),
    ]
    words = await redaction.stemmed(connection, guild_id=reach.guild_id, texts=texts)
    if reach.sayings is not None and reach.by is not None and not buried:
        return words, await _sayings(connection, reach, reach.by, words)
    return words, await messages_that_say(
        connection,
        guild_id=reach.guild_id,
        wordings=wordings,
        words=words,
        author_ids=reach.author_ids,
        audiences=reach.audiences,
    )


async def _sayings(
    connection: Connection, reach: Reach, asker: Remover, words: StemmedTexts
) -> FoundMessages:
    """Return what the asker said in the words of the order, with the order itself; nothing if only that says it."""
    found = await messages_that_say(
        connection,
        guild_id=reach.guild_id,
        wordings=[Wording(subject_id=one.subject_id, text=one.text) for one in reach.words],
        words=words,
        author_ids=[asker.user_id],
        audiences=reach.audiences,
        one_is_enough=reach.sayings is Sayings.EVERY,
    )
    members = [one for one, kind in found.taken.items() if kind is MessageKind.MEMBER]
    orders = await repository.orders_among(connection, guild_id=reach.guild_id, message_ids=members)
    sayings = set(members) - orders - {*commands_of([asker.cause])}
    return FoundMessages(taken=found.taken if sayings else {}, stems=found.stems, sayings=len(sayings))


async def _empty(
    connection: Connection, hasher: Hasher, *, guild_id: int, buried: Sequence[BuriedFact], now: datetime
) -> None:
    await repository.empty_facts(
        connection,
        guild_id=guild_id,
        fact_ids=[one.fact_id for one in buried],
        buried_keys=[
            hasher.buried_key(guild_id=guild_id, subject_id=one.subject_id, key=one.key) for one in buried
        ],
        now=now,
    )


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What became of writes that were undone."""

    gone: tuple[Fact, ...] = ()
    """What they wrote, as it read until then; what was forgotten before is not among it."""
    again: tuple[Fact, ...] = ()
    """What holds again instead."""


class FactRemoval:
    """Everything that takes facts away on request."""

    def __init__(self, needs: MemoryDependencies) -> None:
        self._database = needs.database
        self._clock = needs.clock
        self._hasher = needs.hasher
        self._notify = needs.notify

    async def carry_out(self, deferred: DeferredWrite[T]) -> T:
        """Run a write that no answer is written down with, in a transaction of its own; returns what came of it."""
        result = await self._database.write(deferred.run)
        self._notify()
        return result

    async def forget(
        self,
        *,
        guild_id: int,
        fact_ids: Sequence[int],
        message_ids: Sequence[int] = (),
        author_ids: Sequence[int] | None = None,
        audiences: Sequence[int] = (OPEN,),
        statement: str = "",
        by: Remover | None = None,
    ) -> Forgotten:
        """Forget what a `Reach` of these may take, and return what it took."""
        reach = Reach(
            guild_id=guild_id,
            fact_ids=fact_ids,
            message_ids=message_ids,
            author_ids=author_ids,
            audiences=audiences,
            statement=statement,
            by=by,
        )
        return await self.carry_out(self.forgetting([reach]))

    def forgetting(self, reaches: Sequence[Reach]) -> DeferredWrite[Forgotten]:
        """Return the write that forgets all that `reaches` may take; it results in what they took together.

        Facts go with what told them, and the messages that they name are withheld. Further messages that say the
        facts are withheld as well. What is about others than who asked for it is noted for the guild's log channel,
        and what it took for them to look at.
        """

        async def take(connection: Connection) -> Forgotten:
            now = self._clock.now()
            gone = Forgotten()
            for reach in reaches:
                gone += await forget(connection, self._hasher, reach=reach, now=now)
            return gone

        return DeferredWrite(take)

    async def take_back(self, *, guild_id: int, fact_ids: Sequence[int], by: Remover | None = None) -> int:
        """Undo the writes of these facts; what they had superseded holds again. Returns how many.

        What is about others than who asked for it (`by`) is noted for the guild's log channel.
        """
        undone = await self.carry_out(self.taking_back(guild_id=guild_id, fact_ids=fact_ids, by=by))
        return len(undone.gone)

    def taking_back(
        self,
        *,
        guild_id: int,
        fact_ids: Sequence[int],
        by: Remover | None = None,
        teller_id: int | None = None,
    ) -> DeferredWrite[TakenBack]:
        """Return the write that undoes those of these facts; it results in what they said and what holds again.

        Of what `by` told, or `teller_id`, and others too, what others told stays.
        """
        teller_id = by.user_id if by is not None else teller_id

        async def change(connection: Connection) -> TakenBack:
            now = self._clock.now()
            # Whoever is forgetting one of them has done so when this returns: its words are told by nobody then.
            await repository_slots.hold_slots_of_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
            wrong = await facts_repository.facts_with_ids(connection, guild_id=guild_id, fact_ids=fact_ids)
            await removal_log.note_removal(connection, by, guild_id=guild_id, fact_ids=fact_ids, at=now)
            await take_back(
                connection, self._hasher, guild_id=guild_id, fact_ids=fact_ids, teller_id=teller_id, now=now
            )
            before = [fact.supersedes for fact in wrong if fact.supersedes is not None]
            known = await facts_repository.facts_with_ids(
                connection, guild_id=guild_id, fact_ids=before, to_be_told=True
            )
            return TakenBack(
                gone=tuple(fact for fact in wrong if fact.status is not FactStatus.FORGOTTEN),
                again=tuple(fact for fact in known if fact.status is FactStatus.ACTIVE),
            )

        return DeferredWrite(change)

    async def disown(self, *, guild_id: int, fact_ids: Sequence[int]) -> int:
        """Forget that these facts are about their subjects, who say that it was not them. Returns how many."""
        disowned = await self._database.write(
            disown, self._hasher, guild_id=guild_id, fact_ids=fact_ids, now=self._clock.now()
        )
        self._notify()
        return disowned

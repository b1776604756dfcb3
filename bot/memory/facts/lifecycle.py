"""The life cycle of facts: which may be stored, what is learned from messages and withdrawn with them, contradictions,
undo and expiry.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final, Self

from bot.core.domain import EXPLICIT, LEARNED, Fact, FactOrigin, FactStatus
from bot.core.errors import AbsentSubjectError, CategorySwitchedOffError
from bot.db.pool import Connection
from bot.llm.framing import mentioned_in
from bot.memory.facts import endings, repository, repository_slots
from bot.memory.facts.repository import NewFact
from bot.memory.facts.repository_slots import PickedUp, Slot, SlotRow, Source
from bot.memory.facts.slots import (
    Counting,
    counted_in,
    put_into_slots,
    rank,
    settle_loaded,
    settle_slots,
    slot_of,
)
from bot.memory.guilds import repository as guilds_repository
from bot.memory.policy import consent, redaction
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.consent import KeepingRules, RulesQuestion
from bot.memory.policy.redaction import ForbiddenWords, StemmedTexts, redact
from bot.memory.policy.repository import Tombstone
from bot.memory.policy.tombstones import Hasher, matter_of, matter_tombstone
from bot.text import tokens
from bot.text.extraction import ENDED


def is_past(fact: Fact, today: date) -> bool:
    """Tell whether `fact` is about a date before `today`, in the guild's days; then it is told as past."""
    return fact.holds_on is not None and fact.holds_on < today


@dataclass(frozen=True, slots=True)
class FactRules:
    """What forbids to keep some facts of one guild, read at once."""

    absent: frozenset[int]
    """Members of whom nothing is kept."""
    erased: frozenset[tuple[int, datetime]]
    """Members who were erased with all that was said until the time beside them."""
    switched_off: frozenset[str]
    """Categories of which a member wants nothing kept, as `<member>:<category>`."""
    has_tombstones: bool
    """Whether anything was forgotten that one of the facts may say."""

    @classmethod
    def found(cls, question: RulesQuestion, rules: KeepingRules) -> Self:
        """Return what was found for `question`."""
        concerned = zip(question.user_ids, question.said_at, rules.erased, strict=True)
        erased = frozenset((user_id, said_at) for user_id, said_at, is_erased in concerned if is_erased)
        return cls(rules.absent, erased, rules.switched_off, rules.has_tombstones)

    def forbidding(self, fact: NewFact) -> int | None:
        """Return the first member concerned by a fact who opted out, or who was erased with what was said then."""
        return next(
            (one for one in _concerned(fact) if one in self.absent or (one, fact.said_at) in self.erased),
            None,
        )

    def is_switched_off(self, fact: NewFact) -> bool:
        """Tell whether the subject of a fact wants nothing kept of its category."""
        return f"{fact.subject_id}:{fact.category}" in self.switched_off


async def rules_for(
    connection: Connection,
    hasher: Hasher,
    given: Sequence[NewFact],
    *,
    guild_id: int,
    since: datetime | None = None,
) -> FactRules:
    """Return what forbids to keep `given`, facts of one guild; of what was forgotten only that `since` a moment."""
    question = _question(hasher, given, guild_id=guild_id, since=since)
    return FactRules.found(question, await consent.keeping_rules(connection, question, guild_id=guild_id))


def _question(
    hasher: Hasher, given: Sequence[NewFact], *, guild_id: int, since: datetime | None = None
) -> RulesQuestion:
    """Return what is to be asked about facts of one guild that are to be kept."""
    concerned = list(dict.fromkeys((one, fact.said_at) for fact in given for one in _concerned(fact)))
    return RulesQuestion(
        user_ids=[user_id for user_id, _ in concerned],
        said_at=[said_at for _, said_at in concerned],
        subject_hashes=_tombstone_hashes(hasher, given, guild_id=guild_id),
        since=since,
    )


def check_allowed(rules: FactRules, fact: NewFact) -> None:
    """Return if all members concerned by `fact` let the guild keep it.

    Raises `AbsentSubjectError` with its subject, its teller or a member named in it, the first who opted out; and
    `CategorySwitchedOffError`.
    """
    user_id = rules.forbidding(fact)
    if user_id is not None:
        raise AbsentSubjectError(subject_id=user_id)
    if rules.is_switched_off(fact):
        raise CategorySwitchedOffError(subject_id=fact.subject_id, category=fact.category.value)


def _concerned(fact: NewFact) -> list[int]:
    """Return the subject of a fact, its teller, and everybody whom it names."""
    return list(dict.fromkeys([fact.subject_id, fact.author_id, *mentioned_in(fact.content)]))


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
    hashes = _tombstone_hashes(hasher, given, guild_id=guild_id)
    stones = await policy_repository.subject_tombstones(
        connection, guild_id=guild_id, subject_hashes=hashes, since=since
    )
    if not stones:
        return list(given)
    words = await redaction.stemmed(
        connection,
        guild_id=guild_id,
        texts=[text for fact in given for text in (fact.value, matter_of(fact.key, fact.value))],
        as_buried=[fact.content for fact in given],
    )
    return [fact for fact in given if not _is_forgotten(hasher, fact, stones, words)]


def _tombstone_hashes(hasher: Hasher, given: Sequence[NewFact], *, guild_id: int) -> list[bytes]:
    """Return under which hashes stands whatever was forgotten of the subjects of these facts."""
    hashes = {
        under(guild_id=guild_id, subject_id=subject_id)
        for subject_id in {fact.subject_id for fact in given}
        for under in (hasher.subject, hasher.matters)
    }
    return sorted(hashes.union(*(_ordered(hasher, fact) for fact in given)))


def _is_forgotten(
    hasher: Hasher,
    fact: NewFact,
    stones: Sequence[Tombstone],
    words: StemmedTexts,
) -> bool:
    """Tell whether a fact says what was forgotten about its subject; `words` has its content, value and matter."""
    guild_id, subject_id = fact.guild_id, fact.subject_id
    key = hasher.key(guild_id=guild_id, subject_id=subject_id, key=fact.key)
    subject = hasher.subject(guild_id=guild_id, subject_id=subject_id)
    content_hashes = frozenset(hasher.stems(words.said_as_buried(fact.content), guild_id=guild_id))
    ordered = _ordered(hasher, fact)
    if any(
        content_hashes.issuperset(stone.stem_hashes)
        for stone in stones
        if stone.subject_hash in ordered and stone.buried_at is not None and stone.buried_at > fact.said_at
    ):
        return True
    value_hashes = frozenset(hasher.stems(words.matter(fact.value), guild_id=guild_id))
    if any(
        _says(stone, content_hashes) or (stone.key_hash == key and value_hashes.issubset(stone.stem_hashes))
        for stone in stones
        if stone.subject_hash == subject
    ):
        return True
    matter = sorted(words.matter(matter_of(fact.key, fact.value)))
    own = matter_tombstone(
        hasher, guild_id=guild_id, subject_id=subject_id, key=fact.key, value=fact.value, stems=matter
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


_EVENT: Final = "event:"
FREE_SENTENCE: Final = "note:"
"""What the keys of events and of free sentences begin with; behind it both have the hash of the sentence."""


async def learn_facts(
    connection: Connection, hasher: Hasher, given: Sequence[NewFact], *, now: datetime
) -> list[int]:
    """Store learned facts of one guild, and return the ids of their rows, each once.

    Left out are facts that were forgotten (the same value under their key, or a sentence with all their words), that
    have expired, whose message is withheld, or that the members concerned do not want kept. Repeating a cause changes
    nothing. The slots are settled: a learned fact never replaces what its subject asked to have remembered.
    """
    keyed = map(_as_free_sentence, given)
    wanted = {(slot_of(fact), fact.cause): fact for fact in reversed([*keyed]) if _is_due(fact, now)}
    if not wanted:
        return []
    guild_id, facts = given[0].guild_id, list(reversed(wanted.values()))
    withheld, held = await repository_slots.hold_said(
        connection,
        guild_id=guild_id,
        message_ids=sorted({fact.source_message_id for fact in facts}),
        lines=map(slot_of, facts),
    )
    facts = [fact for fact in facts if fact.source_message_id not in withheld]
    # Read behind the locks: what was forgotten by whoever had them before is known here.
    question = _question(hasher, facts, guild_id=guild_id)
    buried_keys = {
        slot_of(fact): hasher.buried_key(guild_id=guild_id, subject_id=fact.subject_id, key=fact.key)
        for fact in facts
    }
    known = await repository_slots.load_slots(
        connection,
        guild_id=guild_id,
        lines=held,
        buried_keys=[buried_keys[slot_of(fact)] for fact in facts],
        ruled_by=question,
    )
    rules = FactRules.found(question, known.rules)
    learned = [fact for fact in facts if rules.forbidding(fact) is None and not rules.is_switched_off(fact)]
    if rules.has_tombstones:
        learned = await not_forgotten(connection, hasher, guild_id=guild_id, given=learned)
    placed, known = await put_into_slots(
        connection,
        learned,
        buried_keys=[buried_keys[slot_of(fact)] for fact in learned],
        known=known,
        now=now,
    )
    if known.said:
        await settle_loaded(connection, known, now=now)
    return list(dict.fromkeys(one.fact_id for one in placed if one.fact_id is not None))


async def withdraw_facts(
    connection: Connection,
    *,
    guild_id: int,
    message_ids: Sequence[int],
    now: datetime,
    origins: Collection[FactOrigin] = LEARNED,
) -> list[int]:
    """Withdraw what these messages state, by removing their sources of these `origins`; return the removed facts.

    A fact without any other source is removed, and the one that it had superseded applies again. What somebody asked to
    have remembered stays.
    """
    found = await repository_slots.resting_on(
        connection, guild_id=guild_id, message_ids=message_ids, origins=sorted(origins)
    )
    if not found:
        return []
    return await give_up_sources(connection, guild_id=guild_id, source_ids=found, now=now)


async def update_extracted(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    wanted: Mapping[int, Sequence[NewFact]],
    known: Sequence[PickedUp],
    now: datetime,
    nothing_new_of: Collection[int] = (),
) -> int:
    """Let the facts picked up from each message be those in `wanted`, by message; returns how many were new or went.

    `known` are those that were picked up from these messages until now.
    What a message says no longer is withdrawn, what it says now is learned, and the rest stays as it is. Nothing
    is learned that the members `nothing_new_of` say. What is said to be so no longer ends what was known before, or is
    learned with it; by itself it is nothing that is kept.
    """
    ending = await endings.placed(connection, wanted, guild_id=guild_id)
    said = {
        message_id: [
            *(_as_free_sentence(fact) for fact in told if not endings.is_open(fact)),
            *ending.get(message_id, ()),
        ]
        for message_id, told in wanted.items()
    }
    saying = {
        (message_id, slot_of(fact), tokens.normalised(fact.value))
        for message_id, given in said.items()
        for fact in given
    }
    stale = [
        one.source_id
        for one in known
        if (one.message_id, one.line, tokens.normalised(one.value)) not in saying
    ]
    had = {(one.message_id, one.line, tokens.normalised(one.value)) for one in known}
    new = _not_among(had, said, nothing_new_of)
    if stale:
        # All at once: held one after the other, two that do so could wait for each other.
        going = {one.line for one in known if one.source_id in stale}
        await repository_slots.hold_slots(connection, guild_id=guild_id, lines=going.union(map(slot_of, new)))
        await give_up_sources(connection, guild_id=guild_id, source_ids=stale, now=now)
    learned = await learn_facts(connection, hasher, new, now=now)
    if learned and ending:
        known_now = await endings.placed(connection, wanted, guild_id=guild_id)
        further = _not_among(saying, known_now, nothing_new_of)
        learned += await learn_facts(connection, hasher, further, now=now)
    return len(stale) + len(learned)


def _not_among(
    known: Collection[tuple[int, Slot, str]],
    said: Mapping[int, Sequence[NewFact]],
    nothing_new_of: Collection[int],
) -> list[NewFact]:
    """Return the facts of `said`, by message, that are not among `known` and not of members of whom none is learned."""
    return [
        fact
        for message_id, given in said.items()
        for fact in given
        if (message_id, slot_of(fact), tokens.normalised(fact.value)) not in known
        and fact.author_id not in nothing_new_of
    ]


async def give_up_sources(
    connection: Connection, *, guild_id: int, source_ids: Sequence[int], now: datetime
) -> list[int]:
    """Remove these sources, and what rests on nothing any more; returns the facts that went.

    What was told of their subjects loses the sentences that say it.
    """
    fact_ids = await repository_slots.facts_of(connection, guild_id=guild_id, source_ids=source_ids)
    held = await repository_slots.hold_slots_of_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    gone = await repository_slots.drop_sources(connection, guild_id=guild_id, source_ids=source_ids)
    untold = await repository.lock_for_forgetting(connection, guild_id=guild_id, fact_ids=gone)
    words = await redaction.stemmed(connection, guild_id=guild_id, texts=[one.content for one in untold])
    await redact(
        connection,
        guild_id=guild_id,
        said=[
            ForbiddenWords(
                subject_id=one.subject_id,
                words=words.needed(one.content, subject_id=one.subject_id),
                named=True,
            )
            for one in untold
        ],
    )
    await repository.remove_facts(connection, guild_id=guild_id, fact_ids=gone)
    await settle_slots(connection, guild_id=guild_id, lines=held, now=now)
    if gone:
        # Texts that were merged from them cannot tell what came from where.
        await guilds_repository.bump_epoch(connection, guild_id=guild_id)
    return gone


def _as_free_sentence(fact: NewFact) -> NewFact:
    """Return what happened under the key that the same sentence has when somebody asks for it: both are one fact."""
    if not fact.key.startswith(_EVENT):
        return fact
    return replace(fact, key=f"{FREE_SENTENCE}{fact.key.removeprefix(_EVENT)}")


def _is_due(fact: NewFact, now: datetime) -> bool:
    return fact.origin in LEARNED and (fact.expires_at is None or fact.expires_at > now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A value that a member asked to have remembered, and another that they mentioned since."""

    commanded: Fact
    said: Fact


async def retire_facts(
    connection: Connection,
    pairs: Sequence[tuple[Fact, Fact]],
    *,
    guild_id: int,
    held: Collection[Slot],
    now: datetime,
) -> None:
    """Make each older fact of `pairs` superseded by the newer one, whose slots are locked.

    Both must be active, of one subject and one audience; other pairs are left out. Forgetting the newer fact includes
    the older one, and taking the newer one back revives it.
    """
    if not pairs:
        return
    known = await repository_slots.load_slots(connection, guild_id=guild_id, lines=held)
    active = {row.fact_id: row for row in known.rows if row.status is FactStatus.ACTIVE}
    for older_fact, newer_fact in pairs:
        older, newer = active.get(older_fact.fact_id), active.get(newer_fact.fact_id)
        if older is None or newer is None or older is newer:
            continue
        if (older.line.subject_id, older.line.audience) != (newer.line.subject_id, newer.line.audience):
            continue
        naming = counted_in(known, newer.line, now=now)
        if naming:
            named = counted_in(known, older.line, now=now)
            await repository_slots.retire_sources(
                connection,
                guild_id=guild_id,
                source_ids=[source.source_id for source in named if source.fact_id == older.fact_id],
                by_id=naming[0].source_id,
            )
    await settle_slots(connection, guild_id=guild_id, lines=held, now=now)


async def replace_fact(
    connection: Connection, *, guild_id: int, fact_id: int, by_id: int, held: Collection[Slot], now: datetime
) -> None:
    """Let the source `by_id` take the place of an active fact and of all that this one had superseded in its line.

    Else what was worse than the wrong value, and better than the right one, would come to hold.
    """
    known = await repository_slots.load_slots(connection, guild_id=guild_id, lines=held)
    wrong = next(row for row in known.rows if row.fact_id == fact_id)
    named = counted_in(known, wrong.line, now=now)
    await repository_slots.retire_sources(
        connection, guild_id=guild_id, source_ids=[source.source_id for source in named], by_id=by_id
    )


async def contradicted(
    connection: Connection, *, guild_id: int, subject_id: int, audiences: Sequence[int], now: datetime
) -> Contradiction | None:
    """Return what a member said that contradicts what they had asked to have remembered, the latest of several.

    `None` if there is nothing, or if they were asked about it already.
    """
    found = await repository.open_contradiction(
        connection,
        guild_id=guild_id,
        subject_id=subject_id,
        audiences=audiences,
        explicit=sorted(EXPLICIT),
        ended=ENDED,
        now=now,
    )
    if found is None:
        return None
    known = await repository.facts_with_ids(connection, guild_id=guild_id, fact_ids=found)
    by_id = {fact.fact_id: fact for fact in known}
    commanded_id, said_id = found
    return Contradiction(commanded=by_id[commanded_id], said=by_id[said_id])


def undone(row: SlotRow, line: Iterable[SlotRow], counting: Counting) -> list[Source]:
    """Return the sources of `row` that were written by what is taken back; `line` are all rows of its line.

    That is what was asked for, else what was learned, as far as it made the row better than the one below it:
    what was said before that one had been superseded already.
    """
    mine = counting.counted(row) or list(row.sources)
    asked = [source for source in mine if source.is_explicit] or mine
    best = max(rank(source, row.line) for source in mine)
    others = [
        rank(source, row.line)
        for other in line
        if other.fact_id != row.fact_id
        for source in counting.counted(other)
    ]
    below = max((one for one in others if one < best), default=None)
    newer = [source for source in asked if below is None or rank(source, row.line) > below]
    return newer or asked


async def take_back_facts(
    connection: Connection,
    hasher: Hasher,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    teller_id: int | None,
    now: datetime,
) -> list[int]:
    """Undo the writes of these facts, and return those that were said otherwise too, and so keep their text.

    What `teller_id` and others had remembered about somebody else goes as far as it is theirs. The other facts have
    nothing left to rest on: whoever calls empties them, and settles the lines, which must be held.
    """
    found = await repository_slots.slots_of(connection, guild_id=guild_id, fact_ids=fact_ids)
    known = await repository_slots.load_slots(connection, guild_id=guild_id, lines=found)
    counting = Counting(known.sources, now)
    kept: list[int] = []
    for row in known.rows:
        if row.fact_id not in fact_ids:
            continue
        gone = undone(row, [one for one in known.rows if one.line == row.line], counting)
        own = [source for source in gone if source.author_id == teller_id]
        if own and teller_id != row.line.subject_id:
            gone = own
        if len(gone) == len(row.sources):
            continue
        kept.append(row.fact_id)
        await _set_aside(connection, hasher, row, gone, now=now)
    return kept


async def take_back_sources(
    connection: Connection, hasher: Hasher, *, guild_id: int, source_ids: Sequence[int], now: datetime
) -> None:
    """Undo these times that facts were said; the lines of the facts must be held, and are for the caller to settle."""
    fact_ids = await repository_slots.facts_of(connection, guild_id=guild_id, source_ids=source_ids)
    found = await repository_slots.slots_of(connection, guild_id=guild_id, fact_ids=fact_ids)
    known = await repository_slots.load_slots(connection, guild_id=guild_id, lines=found)
    for row in known.rows:
        gone = [source for source in row.sources if source.source_id in source_ids and not source.ended]
        await _set_aside(connection, hasher, row, gone, now=now)


async def _set_aside(
    connection: Connection, hasher: Hasher, row: SlotRow, gone: Sequence[Source], *, now: datetime
) -> None:
    """Take these of its sources out of a fact that has others.

    What is left of them makes it known when the command is heard again; it must not stand in this row.
    """
    guild_id = row.line.guild_id
    buried_key = hasher.buried_key(guild_id=guild_id, subject_id=row.line.subject_id, key=row.line.key)
    for source in gone:
        into = await repository.add_forgotten(
            connection, guild_id=guild_id, fact_id=row.fact_id, key=buried_key, cause=source.cause, now=now
        )
        await repository_slots.empty_sources(
            connection, guild_id=guild_id, source_ids=[source.source_id], into=into
        )


async def expire_facts(connection: Connection, *, guild_id: int, now: datetime, limit: int) -> int:
    """Make expired facts inactive, and what they had superseded current again; returns the number of sources.

    Reads never return expired facts, whether swept or not.
    """
    due = await repository_slots.expired_sources(connection, guild_id=guild_id, now=now, limit=limit)
    if not due:
        return 0
    held = await repository_slots.hold_slots_of_facts(
        connection, guild_id=guild_id, fact_ids=[source.fact_id for source in due]
    )
    await repository_slots.end_sources(
        connection, guild_id=guild_id, source_ids=[source.source_id for source in due]
    )
    await settle_slots(connection, guild_id=guild_id, lines=held, now=now)
    return len(due)

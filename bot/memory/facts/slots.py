"""Slots: facts of one subject, audience and key compete, and the current one is derived from everything that was said,
whatever the order of arrival.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from bot.core.domain import EXPLICIT, Fact, FactStatus
from bot.db.pool import Connection
from bot.memory.facts import repository, repository_slots
from bot.memory.facts.repository import NewFact
from bot.memory.facts.repository_slots import GoneCause, RowState, SaidFact, Slot, SlotRow, Slots, Source
from bot.text import tokens
from bot.text.extraction import is_ended_by, was

REPEATED_IMPORTANCE: Final = 5
"""What each further message that says a fact adds to its importance, 100 being the most."""

_MOST_IMPORTANT: Final = 100
_CERTAIN_DAYS: Final = 2
"""On so many days something must have been said before it is taken for certain."""

Rank: TypeAlias = tuple[bool, bool, datetime, int, int, str]


def rank(source: Source, line: Slot) -> Rank:
    """Return what decides between two sources of one line: the greater wins. No two are equal."""
    own = source.author_id == line.subject_id
    return (
        own,
        own and source.is_explicit,
        source.said_at,
        source.message_id,
        # Ids in causes count as numbers do: the longer is the greater.
        len(source.cause),
        source.cause,
    )


@dataclass(frozen=True, slots=True)
class Counting:
    """Which sources count at a moment; `sources` are all by their ids, also those of other lines."""

    sources: Mapping[int, Source]
    now: datetime

    def stands(self, source: Source) -> bool:
        """Tell whether a source has neither ended nor expired."""
        return not source.ended and (source.expires_at is None or source.expires_at > self.now)

    def retirer(self, source: Source) -> Source | None:
        """Return what stands and named `source` as wrong, directly or by naming what did."""
        passed = {source.source_id}
        next_id = source.retired_by
        while next_id is not None and next_id not in passed:
            passed.add(next_id)
            naming = self.sources.get(next_id)
            if naming is None or self.stands(naming):
                return naming
            next_id = naming.retired_by
        return None

    def counts(self, source: Source) -> bool:
        """Tell whether a source has its part in what holds."""
        return self.stands(source) and self.retirer(source) is None

    def steps(self, source: Source) -> int | None:
        """Return over how many sources, each naming the one before, one is reached that counts; `None` if over none."""
        passed = {source.source_id}
        naming = self.retirer(source)
        while naming is not None and naming.source_id not in passed:
            passed.add(naming.source_id)
            if self.counts(naming):
                return len(passed) - 1
            naming = self.retirer(naming)
        return None

    def counted(self, row: SlotRow) -> list[Source]:
        """Return the sources of `row` that count."""
        return [source for source in row.sources if self.counts(source)]


def with_endings(
    rows: Sequence[SlotRow], sources: Mapping[int, Source], *, now: datetime
) -> tuple[Sequence[SlotRow], Mapping[int, Source]]:
    """Return `rows` and `sources` in which what says that something is so no longer names as wrong what it ends.

    That is all that was said in its line before it, if what held until then is what it ends, and nobody's own words are
    ended by another. Else what held names it as wrong, as does what the same message says to be so now.
    """
    counting = Counting(sources, now)
    retired: dict[int, int] = {}
    for line in sorted({row.line for row in rows if was(row.value) is not None}):
        of_line = [(source, row.value) for row in rows if row.line == line for source in row.sources]
        counted = [one for one in of_line if counting.counts(one[0])]
        ending = sorted(
            (one for one in counted if was(one[1]) is not None), key=lambda one: rank(one[0], line)[2:]
        )
        for source, value in ending:
            holding = [one for one in counted if was(one[1]) is None and one[0].source_id not in retired]
            before = [one for one in holding if _when(one[0]) < _when(source)]
            best = max(before, key=lambda one: rank(one[0], line), default=None)
            if best is not None and not (
                is_ended_by(value, key=line.key, known=best[1])
                and (source.author_id == line.subject_id or best[0].author_id != line.subject_id)
            ):
                retired[source.source_id] = best[0].source_id
                continue
            retired |= {one[0].source_id: source.source_id for one in before}
            now_so = [one[0] for one in holding if one[0].message_id == source.message_id]
            if now_so:
                retired[source.source_id] = now_so[0].source_id
    if not retired:
        return rows, sources

    def named(source: Source) -> Source:
        return replace(source, retired_by=retired.get(source.source_id, source.retired_by))

    return (
        [replace(row, sources=tuple(map(named, row.sources))) for row in rows],
        {source_id: named(source) for source_id, source in sources.items()},
    )


def _when(source: Source) -> tuple[datetime, int]:
    return source.said_at, source.message_id


def settle_rows(
    rows: Sequence[SlotRow], *, sources: Mapping[int, Source], now: datetime, time_zone: str
) -> list[RowState]:
    """Return where each of `rows` stands at `now`, whatever the order in which they are given.

    `rows` are all that is not forgotten of some lines, each with one source at least. `sources` has, by their
    ids, theirs and those that named any of theirs as wrong. Of each line one row is active, if anything in it counts
    at all; the others that count follow below it, each superseded by the next better.
    """
    rows, sources = with_endings(rows, sources, now=now)
    counting = Counting(sources, now)
    lines: dict[Slot, _Competition] = {}
    for row in sorted(rows, key=lambda one: one.fact_id):
        lines.setdefault(row.line, _Competition(row.line, counting)).enter(row)
    above = {fact_id: newer_id for line in lines.values() for fact_id, newer_id in line.above().items()}
    below = _below(rows, above, counting)
    zone = ZoneInfo(time_zone)
    return [
        _standing(
            row, line, counting, zone, superseded_by=above.get(row.fact_id), supersedes=below.get(row.fact_id)
        )
        for line in lines.values()
        for row in (*line.ranked, *line.out)
    ]


@dataclass(slots=True)
class _Competition:
    """The rows of one line."""

    line: Slot
    counting: Counting
    entered: list[SlotRow] = field(default_factory=list)
    out: list[SlotRow] = field(default_factory=list)
    """What does not count."""

    def enter(self, row: SlotRow) -> None:
        (self.entered if self.counting.counted(row) else self.out).append(row)

    @property
    def ranked(self) -> list[SlotRow]:
        """What counts, the best first."""
        return sorted(
            self.entered,
            key=lambda row: max(rank(source, self.line) for source in self.counting.counted(row)),
            reverse=True,
        )

    def above(self) -> dict[int, int]:
        """Return by row which one took its place."""
        ranked = self.ranked
        found = {older.fact_id: newer.fact_id for newer, older in pairwise(ranked)}
        for row in self.out:
            # The nearest to what counts: so no two rows are each below the other, whatever corrected what.
            near = [
                (steps, rank(source, self.line), retirer.fact_id)
                for source in row.sources
                if self.counting.stands(source)
                and (steps := self.counting.steps(source)) is not None
                and (retirer := self.counting.retirer(source)) is not None
            ]
            if near:
                found[row.fact_id] = min(near)[2]
        return found


def _below(rows: Sequence[SlotRow], above: Mapping[int, int], counting: Counting) -> dict[int, int]:
    """Return by row the best of those whose place it took; of its own line before those of others."""
    by_id = {row.fact_id: row for row in rows}
    found: dict[int, int] = {}
    best: dict[int, tuple[bool, Rank]] = {}
    for older in sorted(rows, key=lambda one: one.fact_id):
        newer_id = above.get(older.fact_id)
        if newer_id is None:
            continue
        newer = by_id.get(newer_id)
        same_line = newer is not None and newer.line == older.line
        standing = [rank(source, older.line) for source in older.sources if counting.stands(source)]
        merit = (same_line, max(standing))
        if newer_id not in best or merit > best[newer_id]:
            best[newer_id] = merit
            found[newer_id] = older.fact_id
    return found


def _standing(
    row: SlotRow,
    line: _Competition,
    counting: Counting,
    zone: ZoneInfo,
    *,
    superseded_by: int | None,
    supersedes: int | None,
) -> RowState:
    counted = counting.counted(row)
    if not counted:
        status = FactStatus.INACTIVE if superseded_by is None else FactStatus.SUPERSEDED
    else:
        status = FactStatus.ACTIVE if superseded_by is None else FactStatus.SUPERSEDED
    told = counted or [source for source in row.sources if counting.stands(source)] or list(row.sources)
    shown = _shown(told, line.line)
    said_in = {source.message_id or source.cause for source in told}
    days = {source.said_at.astimezone(zone).date() for source in told}
    importance = max(source.importance for source in told) + REPEATED_IMPORTANCE * (len(said_in) - 1)
    expiries = [source.expires_at for source in told]
    return RowState(
        fact_id=row.fact_id,
        status=status,
        supersedes=supersedes,
        superseded_by=superseded_by,
        # That something is over is said once.
        tentative=not shown.is_explicit
        and row.confirmed_at is None
        and len(days) < _CERTAIN_DAYS
        and was(row.value) is None,
        importance=min(_MOST_IMPORTANT, importance),
        confidence=max(source.confidence for source in told),
        expires_at=max((one for one in expiries if one is not None), default=None)
        if None not in expiries
        else None,
        shown=shown,
    )


def _shown(sources: Sequence[Source], line: Slot) -> Source:
    """Return the source whose words a row shows: a requested one in the subject's own words, the first of these.

    The first and not the last, so that repeating something does not change how it is shown.
    """
    return min(
        sources,
        key=lambda source: (
            not source.is_explicit,
            source.author_id != line.subject_id,
            source.said_at,
            source.message_id,
            len(source.cause),
            source.cause,
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedFact:
    """Where a fact that was said has its place."""

    fact_id: int | None
    """`None` if this very cause was taken back or forgotten."""
    source_id: int | None = None
    """The source that says so."""
    is_repeated: bool = False
    """This cause had said it already, so nothing was written."""
    before: FactStatus | None = None
    """Where the row stood; `None` for a new one."""
    was_explicit: bool = False
    """Whether somebody had asked for it before."""


def slot_of(fact: NewFact | Fact) -> Slot:
    """Return the line in which a fact competes."""
    return Slot(guild_id=fact.guild_id, subject_id=fact.subject_id, audience=fact.audience, key=fact.key)


async def put_into_slots(
    connection: Connection,
    given: Sequence[NewFact],
    *,
    buried_keys: Sequence[str],
    known: Slots,
    now: datetime,
) -> tuple[list[PlacedFact], Slots]:
    """Place that `given`, facts of one guild, were said: as sources of the rows that say so, else as new rows.

    `known` are their lines, held, and loaded with their keys; they are returned as they are then. Nothing is written
    before they are settled. `buried_keys` are what stands for the keys of `given` in forgotten rows. The same cause
    heard again says nothing, but what was asked for takes the place of what was only picked up from the same message.
    """
    placing = _Placing(known.rows)
    placed: list[PlacedFact | None] = []
    is_removed = False
    for fact, buried_key in zip(given, buried_keys, strict=True):
        same = placing.of_cause(fact)
        cause = GoneCause(
            subject_id=fact.subject_id, audience=fact.audience, buried_key=buried_key, cause=fact.cause
        )
        if cause in known.gone:
            placed.append(PlacedFact(fact_id=None))
        elif same is not None and (same[1].is_explicit or fact.origin not in EXPLICIT):
            row, source = same
            placed.append(
                PlacedFact(
                    fact_id=row.fact_id, source_id=source.source_id, is_repeated=True, before=row.status
                )
            )
        else:
            if same is not None:
                await _remove(connection, placing, *same, now=now)
                is_removed = True
            placed.append(placing.alike(fact))
    if is_removed:
        left = await repository_slots.load_slots(connection, guild_id=known.guild_id, lines=known.lines)
        known = replace(left, spare_ids=known.spare_ids)
    return _said(known, given, placed)


async def settle_slots(
    connection: Connection, *, guild_id: int, lines: Iterable[Slot], now: datetime
) -> dict[int, RowState]:
    """Derive again which facts of these slots, which must be locked, are current, and write what changed.

    Narratives whose facts have changed are requested. Returns the state of every row, by its id.
    """
    settled = list(lines)
    if not settled:
        return {}
    found = await repository_slots.load_slots(connection, guild_id=guild_id, lines=settled)
    return await settle_loaded(connection, found, now=now)


async def settle_loaded(connection: Connection, found: Slots, *, now: datetime) -> dict[int, RowState]:
    """Settle lines as `settle_slots` does that were loaded since they are held, and write what was placed in them.

    Besides, they must still be as they were then.
    """
    decided = settle_rows(found.rows, sources=found.sources, now=now, time_zone=found.time_zone)
    rows = {row.fact_id: row for row in found.rows}
    new_ids = {one.fact_id for one in found.said if one.is_new}
    changed = [one for one in decided if one.fact_id in new_ids or _is_changed(rows[one.fact_id], one)]
    retold = {
        (rows[one.fact_id].line.subject_id, rows[one.fact_id].line.audience)
        for one in changed
        if one.shown.is_explicit or rows[one.fact_id].origin in EXPLICIT
    }
    await repository_slots.write_slots(
        connection, found.said, changed, guild_id=found.guild_id, retold=retold, now=now
    )
    return {one.fact_id: one for one in decided}


def counted_in(known: Slots, line: Slot, *, now: datetime) -> list[Source]:
    """Return the sources that count in one line of `known`, the best first."""
    counting = Counting(known.sources, now)
    found = [source for row in known.rows if row.line == line for source in counting.counted(row)]
    return sorted(found, key=lambda source: rank(source, line), reverse=True)


class _Placing:
    """The rows of some lines while facts are being placed in them."""

    def __init__(self, rows: Sequence[SlotRow]) -> None:
        self._rows: dict[Slot, list[SlotRow]] = {}
        for row in rows:
            self._rows.setdefault(row.line, []).append(row)

    def of_cause(self, fact: NewFact) -> tuple[SlotRow, Source] | None:
        """Return what the cause of `fact` has said in its line already."""
        for row in self._rows.get(slot_of(fact), ()):
            for source in row.sources:
                if source.cause == fact.cause:
                    return row, source
        return None

    def alike(self, fact: NewFact) -> PlacedFact | None:
        """Return the row that says what `fact` says, or `None` if there is none."""
        alike = [row for row in self._rows.get(slot_of(fact), ()) if _value(row.value) == _value(fact.value)]
        if not alike:
            return None
        row = max(alike, key=lambda one: (one.status is FactStatus.ACTIVE, one.fact_id))
        was_explicit = any(source.is_explicit for source in row.sources)
        return PlacedFact(fact_id=row.fact_id, before=row.status, was_explicit=was_explicit)

    def without(self, row: SlotRow, source: Source) -> SlotRow | None:
        """Take `source` out of `row`, and return what is left of it."""
        left = replace(row, sources=tuple(one for one in row.sources if one is not source))
        others = [one for one in self._rows[row.line] if one is not row]
        self._rows[row.line] = [*others, left] if left.sources else others
        return left if left.sources else None


async def _remove(
    connection: Connection, placing: _Placing, row: SlotRow, source: Source, *, now: datetime
) -> None:
    """Take what was picked up from a message out of its row, and the row away if it rests on nothing else."""
    guild_id = row.line.guild_id
    await repository_slots.drop_sources(connection, guild_id=guild_id, source_ids=[source.source_id])
    if placing.without(row, source) is None:
        await repository.remove_facts(connection, guild_id=guild_id, fact_ids=[row.fact_id])
    else:
        # The row must not keep the cause, under which another one may come to stand.
        await settle_slots(connection, guild_id=guild_id, lines=[row.line], now=now)


def _said(
    known: Slots, given: Sequence[NewFact], placed: Sequence[PlacedFact | None]
) -> tuple[list[PlacedFact], Slots]:
    """Return where everything is, and the lines with rows for what has no place, and sources for what is new."""
    rows, sources = {row.fact_id: row for row in known.rows}, dict(known.sources)
    new_ids: dict[tuple[Slot, str], int] = {}
    said: list[SaidFact] = []
    places: list[PlacedFact] = []
    for fact, one, spare in zip(given, placed, known.spare_ids, strict=False):
        if one is not None and (one.fact_id is None or one.is_repeated):
            places.append(one)
            continue
        fact_id, source_id = spare
        if one is None:
            fact_id = new_ids.setdefault((slot_of(fact), _value(fact.value)), fact_id)
        elif one.fact_id is not None:
            fact_id = one.fact_id
        said.append(SaidFact(fact=fact, fact_id=fact_id, source_id=source_id, is_new=fact_id == spare[0]))
        places.append(replace(one or PlacedFact(fact_id=fact_id), source_id=source_id))
        source = sources[source_id] = _source_of(fact, fact_id=fact_id, source_id=source_id)
        row = rows.get(fact_id) or _new_row(fact, fact_id=fact_id)
        rows[fact_id] = replace(row, sources=(*row.sources, source))
    return places, replace(known, rows=list(rows.values()), sources=sources, said=said)


def _new_row(fact: NewFact, *, fact_id: int) -> SlotRow:
    return SlotRow(
        line=slot_of(fact),
        fact_id=fact_id,
        value=fact.value,
        sources=(),
        origin=fact.origin,
        importance=fact.importance,
        confidence=fact.confidence,
        expires_at=fact.expires_at,
        cause=fact.cause,
    )


def _source_of(fact: NewFact, *, fact_id: int, source_id: int) -> Source:
    return Source(
        source_id=source_id,
        fact_id=fact_id,
        origin=fact.origin,
        author_id=fact.author_id,
        channel_id=fact.source_channel_id,
        message_id=fact.source_message_id,
        cause=fact.cause,
        said_at=fact.said_at,
        category=fact.category,
        content=fact.content,
        raw_content=fact.raw_content,
        importance=fact.importance,
        confidence=fact.confidence,
        holds_on=fact.holds_on,
        expires_at=fact.expires_at,
        ended=False,
        retired_by=None,
    )


def _value(value: str) -> str:
    """Return what two values have in common that say the same."""
    return tokens.normalised(value)


def _is_changed(row: SlotRow, one: RowState) -> bool:
    return (
        row.status, row.supersedes, row.superseded_by, row.tentative, row.importance, row.expires_at,
        row.cause, row.origin, round(row.confidence, 3),
    ) != (
        one.status, one.supersedes, one.superseded_by, one.tentative, one.importance, one.expires_at,
        one.shown.cause, one.shown.origin, round(one.confidence, 3),
    )  # fmt: skip

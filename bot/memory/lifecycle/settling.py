"""What holds: decided anew from everything that was said in a line, so that the order of arrival is no matter.

- What subjects say about themselves beats what anybody else says about them.
- Among their own words what they asked to have remembered beats what was picked up.
- Else the newer message wins.
- What a correction named as wrong counts only once the correction itself counts no more.
- What has expired, was taken back or is no longer so does not count.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from bot.domain import FactStatus
from bot.store.lifecycle import Row, Standing
from bot.store.sources import Line, Source

REPEATED_IMPORTANCE: Final = 5
"""What each further message that says a fact adds to its importance, 100 being the most."""

_MOST_IMPORTANT: Final = 100
_CERTAIN_DAYS: Final = 2
"""On so many days something must have been said before it is taken for certain."""

Rank: TypeAlias = tuple[bool, bool, datetime, int, int, str]


def rank(source: Source, line: Line) -> Rank:
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

    def counted(self, row: Row) -> list[Source]:
        """Return the sources of `row` that count."""
        return [source for source in row.sources if self.counts(source)]


def settle(
    rows: Sequence[Row], *, sources: Mapping[int, Source], now: datetime, time_zone: str
) -> list[Standing]:
    """Return where each of `rows` stands at `now`, whatever the order in which they are given.

    `rows` are all that is not forgotten of some lines, each with one source at least. `sources` has, by their
    ids, theirs and those that named any of theirs as wrong. Of each line one row is active, if anything in it counts
    at all; the others that count follow below it, each superseded by the next better.
    """
    counting = Counting(sources, now)
    lines: dict[Line, _Competition] = {}
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

    line: Line
    counting: Counting
    entered: list[Row] = field(default_factory=list)
    out: list[Row] = field(default_factory=list)
    """What does not count."""

    def enter(self, row: Row) -> None:
        (self.entered if self.counting.counted(row) else self.out).append(row)

    @property
    def ranked(self) -> list[Row]:
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


def _below(rows: Sequence[Row], above: Mapping[int, int], counting: Counting) -> dict[int, int]:
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
    row: Row,
    line: _Competition,
    counting: Counting,
    zone: ZoneInfo,
    *,
    superseded_by: int | None,
    supersedes: int | None,
) -> Standing:
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
    return Standing(
        fact_id=row.fact_id,
        status=status,
        supersedes=supersedes,
        superseded_by=superseded_by,
        tentative=not shown.is_explicit and row.confirmed_at is None and len(days) < _CERTAIN_DAYS,
        importance=min(_MOST_IMPORTANT, importance),
        confidence=max(source.confidence for source in told),
        expires_at=max((one for one in expiries if one is not None), default=None)
        if None not in expiries
        else None,
        shown=shown,
    )


def _shown(sources: Sequence[Source], line: Line) -> Source:
    """Return the source whose words a row tells: what was asked for, in the subject's own words, the first time.

    The first and not the last, so that saying something again does not change what is told of it.
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

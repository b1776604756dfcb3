"""Changing lines of facts: hold them, change what was said, settle what holds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.domain import EXPLICIT, Fact, FactStatus
from bot.memory import retelling, tokens
from bot.memory.lifecycle.settling import Counting, rank, settle
from bot.store import facts, lifecycle, sources
from bot.store.database import Connection
from bot.store.facts import NewFact
from bot.store.lifecycle import Lines, Row, Standing
from bot.store.sources import Line, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
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


def line_of(fact: NewFact | Fact) -> Line:
    """Return the line in which a fact competes."""
    return Line(guild_id=fact.guild_id, subject_id=fact.subject_id, audience=fact.audience, key=fact.key)


async def hold(connection: Connection, *, guild_id: int, lines: Iterable[Line]) -> set[Line]:
    """Hold these lines of one guild until commit, with all that a change of them may bring back; return them all."""
    held: set[Line] = set()
    wanted = set(lines)
    while wanted - held:
        # What was named as wrong while we waited for the locks comes on top.
        reached = await lifecycle.with_retired(connection, guild_id=guild_id, lines=wanted)
        if reached <= held:
            break
        await lifecycle.lock(connection, reached - held)
        held |= reached
        wanted = await lifecycle.with_retired(connection, guild_id=guild_id, lines=held)
    return held


async def hold_facts(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> set[Line]:
    """Hold the lines of these facts as `hold` does."""
    found = await lifecycle.lines_of(connection, guild_id=guild_id, fact_ids=fact_ids)
    return await hold(connection, guild_id=guild_id, lines=found)


async def place(
    connection: Connection,
    given: Sequence[NewFact],
    *,
    buried_keys: Sequence[str],
    held: Iterable[Line],
    now: datetime,
) -> list[Placed]:
    """Write that `given`, facts of one guild, were said: as sources of the rows that say so, else as new rows.

    Their lines must be held and be settled after. `buried_keys` are what stands for their keys in forgotten rows.
    The same cause heard again writes nothing, but what was asked for takes the place of what was only picked up
    from the same message.
    """
    if not given:
        return []
    guild_id = given[0].guild_id
    known = await lifecycle.load(connection, guild_id=guild_id, lines=held)
    gone = await facts.gone_causes(connection, guild_id=guild_id, buried_keys=sorted(set(buried_keys)))
    placing = _Placing(known.rows)
    placed: list[Placed | None] = []
    for fact, buried_key in zip(given, buried_keys, strict=True):
        same = placing.of_cause(fact)
        if (fact.subject_id, fact.audience, buried_key, fact.cause) in gone:
            placed.append(Placed(fact_id=None))
        elif same is not None and (same[1].is_explicit or fact.origin not in EXPLICIT):
            row, source = same
            placed.append(
                Placed(fact_id=row.fact_id, source_id=source.source_id, is_repeated=True, before=row.status)
            )
        else:
            if same is not None:
                await _remove(connection, placing, *same, now=now)
            placed.append(placing.alike(fact))
    return await _written(connection, given, placed, now=now)


async def settled(
    connection: Connection, *, guild_id: int, lines: Iterable[Line], now: datetime
) -> dict[int, Standing]:
    """Decide anew what holds in these lines, which must be held, and write where it has changed.

    Narratives whose facts have changed are asked for. Returns where every row stands, by its id.
    """
    found = await lifecycle.load(connection, guild_id=guild_id, lines=lines)
    decided = settle(found.rows, sources=found.sources, now=now, time_zone=found.time_zone)
    rows = {row.fact_id: row for row in found.rows}
    changed = [one for one in decided if _is_changed(rows[one.fact_id], one)]
    await lifecycle.write(connection, changed, guild_id=guild_id, now=now)
    retold = {
        (rows[one.fact_id].line.subject_id, rows[one.fact_id].line.audience)
        for one in changed
        if one.shown.is_explicit or rows[one.fact_id].origin in EXPLICIT
    }
    for subject_id, audience in sorted(retold):
        await retelling.ask(connection, guild_id=guild_id, subject_id=subject_id, audience=audience)
    return {one.fact_id: one for one in decided}


def counted_in(known: Lines, line: Line, *, now: datetime) -> list[Source]:
    """Return the sources that count in one line of `known`, the best first."""
    counting = Counting(known.sources, now)
    found = [source for row in known.rows if row.line == line for source in counting.counted(row)]
    return sorted(found, key=lambda source: rank(source, line), reverse=True)


class _Placing:
    """The rows of some lines while facts are being placed in them."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows: dict[Line, list[Row]] = {}
        for row in rows:
            self._rows.setdefault(row.line, []).append(row)

    def of_cause(self, fact: NewFact) -> tuple[Row, Source] | None:
        """Return what the cause of `fact` has said in its line already."""
        for row in self._rows.get(line_of(fact), ()):
            for source in row.sources:
                if source.cause == fact.cause:
                    return row, source
        return None

    def alike(self, fact: NewFact) -> Placed | None:
        """Return the row that says what `fact` says, or `None` if there is none."""
        alike = [row for row in self._rows.get(line_of(fact), ()) if _value(row.value) == _value(fact.value)]
        if not alike:
            return None
        row = max(alike, key=lambda one: (one.status is FactStatus.ACTIVE, one.fact_id))
        was_explicit = any(source.is_explicit for source in row.sources)
        return Placed(fact_id=row.fact_id, before=row.status, was_explicit=was_explicit)

    def without(self, row: Row, source: Source) -> Row | None:
        """Take `source` out of `row`, and return what is left of it."""
        left = replace(row, sources=tuple(one for one in row.sources if one is not source))
        others = [one for one in self._rows[row.line] if one is not row]
        self._rows[row.line] = [*others, left] if left.sources else others
        return left if left.sources else None


async def _remove(
    connection: Connection, placing: _Placing, row: Row, source: Source, *, now: datetime
) -> None:
    """Take what was picked up from a message out of its row, and the row away if it rests on nothing else."""
    guild_id = row.line.guild_id
    await sources.drop(connection, guild_id=guild_id, source_ids=[source.source_id])
    if placing.without(row, source) is None:
        await facts.remove(connection, guild_id=guild_id, fact_ids=[row.fact_id])
    else:
        # The row must not keep the cause, under which another one may come to stand.
        await settled(connection, guild_id=guild_id, lines=[row.line], now=now)


async def _written(
    connection: Connection, given: Sequence[NewFact], placed: Sequence[Placed | None], *, now: datetime
) -> list[Placed]:
    """Write new rows for what has no place, and sources for all that is new; return where everything is."""
    first: dict[tuple[Line, str], NewFact] = {}
    for fact, one in zip(given, placed, strict=True):
        if one is None:
            first.setdefault((line_of(fact), _value(fact.value)), fact)
    made = await facts.add(connection, list(first.values()), now=now) if first else []
    new_ids = dict(zip(first, made, strict=True))
    places = [
        one or Placed(fact_id=new_ids[line_of(fact), _value(fact.value)])
        for fact, one in zip(given, placed, strict=True)
    ]
    said = [
        (place, fact, one.fact_id)
        for place, (fact, one) in enumerate(zip(given, places, strict=True))
        if one.fact_id is not None and not one.is_repeated
    ]
    if said:
        source_ids = await sources.add(
            connection, [fact for _, fact, _ in said], fact_ids=[fact_id for *_, fact_id in said]
        )
        for (place, *_), source_id in zip(said, source_ids, strict=True):
            places[place] = replace(places[place], source_id=source_id)
    return places


def _value(value: str) -> str:
    """Return what two values have in common that say the same."""
    return tokens.normalised(value)


def _is_changed(row: Row, one: Standing) -> bool:
    return (
        row.status, row.supersedes, row.superseded_by, row.tentative, row.importance, row.expires_at,
        row.cause, row.origin, round(row.confidence, 3),
    ) != (
        one.status, one.supersedes, one.superseded_by, one.tentative, one.importance, one.expires_at,
        one.shown.cause, one.shown.origin, round(one.confidence, 3),
    )  # fmt: skip

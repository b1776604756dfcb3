"""What contradicts what: corrections that name a fact as wrong, and what was said against a commanded value."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain import EXPLICIT, Fact, FactStatus
from bot.memory.lifecycle.lines import counted_in, settled
from bot.store import contradictions, facts, lifecycle, sources
from bot.store.database import Connection
from bot.store.sources import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """A value that a member asked to have remembered, and another that they mentioned since."""

    commanded: Fact
    said: Fact


async def retire(
    connection: Connection,
    pairs: Sequence[tuple[Fact, Fact]],
    *,
    guild_id: int,
    held: Collection[Line],
    now: datetime,
) -> None:
    """Let each older fact of `pairs` be superseded by the newer one, whose lines are held.

    Both must be active, of one subject and one audience; other pairs are left out. Forgetting the newer one takes
    the older along, and taking it back revives it.
    """
    if not pairs:
        return
    known = await lifecycle.load(connection, guild_id=guild_id, lines=held)
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
            await sources.retire(
                connection,
                guild_id=guild_id,
                source_ids=[source.source_id for source in named if source.fact_id == older.fact_id],
                by_id=naming[0].source_id,
            )
    await settled(connection, guild_id=guild_id, lines=held, now=now)


async def replace(
    connection: Connection, *, guild_id: int, fact_id: int, by_id: int, held: Collection[Line], now: datetime
) -> None:
    """Let the source `by_id` take the place of an active fact and of all that this one had superseded in its line.

    Else what was worse than the wrong value, and better than the right one, would come to hold.
    """
    known = await lifecycle.load(connection, guild_id=guild_id, lines=held)
    wrong = next(row for row in known.rows if row.fact_id == fact_id)
    named = counted_in(known, wrong.line, now=now)
    await sources.retire(
        connection, guild_id=guild_id, source_ids=[source.source_id for source in named], by_id=by_id
    )


async def contradicted(
    connection: Connection, *, guild_id: int, subject_id: int, audiences: Sequence[int], now: datetime
) -> Contradiction | None:
    """Return what a member said of themselves against what they had asked to be remembered, if they were not asked yet.

    Of several the one that was said last.
    """
    found = await contradictions.open_of(
        connection,
        guild_id=guild_id,
        subject_id=subject_id,
        audiences=audiences,
        explicit=sorted(EXPLICIT),
        now=now,
    )
    if found is None:
        return None
    known = await facts.with_ids(connection, guild_id=guild_id, fact_ids=found)
    by_id = {fact.fact_id: fact for fact in known}
    commanded_id, said_id = found
    return Contradiction(commanded=by_id[commanded_id], said=by_id[said_id])

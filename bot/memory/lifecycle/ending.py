"""What no longer counts: writes that are taken back, and what has expired."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.memory.hashing import Hasher
from bot.memory.lifecycle.lines import hold_facts, settled
from bot.memory.lifecycle.settling import Counting, rank
from bot.store import facts, lifecycle, sources
from bot.store.database import Connection
from bot.store.lifecycle import Row
from bot.store.sources import Source


def undone(row: Row, line: Iterable[Row], counting: Counting) -> list[Source]:
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


async def take_back(
    connection: Connection, hasher: Hasher, *, guild_id: int, fact_ids: Sequence[int], now: datetime
) -> list[int]:
    """Undo the writes of these facts, and return those that were said otherwise too, and so keep their text.

    The others have nothing left to rest on: whoever calls empties them, and settles the lines, which must be held.
    """
    found = await lifecycle.lines_of(connection, guild_id=guild_id, fact_ids=fact_ids)
    known = await lifecycle.load(connection, guild_id=guild_id, lines=found)
    counting = Counting(known.sources, now)
    kept: list[int] = []
    for row in known.rows:
        if row.fact_id not in fact_ids:
            continue
        gone = undone(row, [one for one in known.rows if one.line == row.line], counting)
        if len(gone) == len(row.sources):
            continue
        kept.append(row.fact_id)
        # What is left of them makes it known when the command is heard again; it must not stand in this row.
        buried_key = hasher.buried_key(guild_id=guild_id, subject_id=row.line.subject_id, key=row.line.key)
        for source in gone:
            into = await facts.add_forgotten(
                connection,
                guild_id=guild_id,
                fact_id=row.fact_id,
                key=buried_key,
                cause=source.cause,
                now=now,
            )
            await sources.empty(connection, guild_id=guild_id, source_ids=[source.source_id], into=into)
    return kept


async def expire(connection: Connection, *, guild_id: int, now: datetime, limit: int) -> int:
    """Let what has expired be inactive, and what it had superseded hold again; returns how many sources it was.

    No read gives out what has expired, swept or not.
    """
    due = await sources.expired(connection, guild_id=guild_id, now=now, limit=limit)
    if not due:
        return 0
    held = await hold_facts(connection, guild_id=guild_id, fact_ids=[source.fact_id for source in due])
    await sources.end(connection, guild_id=guild_id, source_ids=[source.source_id for source in due])
    await settled(connection, guild_id=guild_id, lines=held, now=now)
    return len(due)

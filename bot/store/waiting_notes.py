"""Erased members about whom others keep notes where they cannot read: a manager decides what becomes of them."""

from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Connection, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingMember:
    """One member whose notes wait."""

    user_id: int
    erased_up_to: datetime
    """Only what was said until then waits."""


async def put(connection: Connection, *, guild_id: int, user_id: int, erased_up_to: datetime) -> None:
    """Note that notes about a member wait; managers are told of it once."""
    await connection.execute(
        """
        INSERT INTO waiting_notes AS known (guild_id, user_id, erased_up_to) VALUES ($1, $2, $3)
        ON CONFLICT (guild_id, user_id) DO UPDATE SET
            erased_up_to = greatest(known.erased_up_to, excluded.erased_up_to)
        """,
        guild_id, user_id, erased_up_to,
    )  # fmt: skip


async def of_guild(connection: Connection, *, guild_id: int) -> list[WaitingMember]:
    """Return whose notes wait in a guild, those who wait longest first."""
    rows = await connection.fetch(
        "SELECT user_id, erased_up_to FROM waiting_notes WHERE guild_id = $1 ORDER BY erased_up_to, user_id",
        guild_id,
    )
    return [_waiting(row) for row in rows]


async def tell(connection: Connection, *, guild_id: int, now: datetime) -> list[WaitingMember]:
    """Return whose notes wait without that anybody was told, and note that somebody is told now."""
    rows = await connection.fetch(
        """
        UPDATE waiting_notes SET told_at = $2 WHERE guild_id = $1 AND told_at IS NULL
        RETURNING user_id, erased_up_to
        """,
        guild_id, now,
    )  # fmt: skip
    return sorted(map(_waiting, rows), key=lambda one: (one.erased_up_to, one.user_id))


async def untold_guild_ids(connection: Connection) -> list[int]:
    """Return the guilds in which notes wait without that anybody was told."""
    rows = await connection.fetch(
        "SELECT DISTINCT guild_id FROM waiting_notes WHERE told_at IS NULL ORDER BY guild_id"
    )
    return [row["guild_id"] for row in rows]


async def waits(connection: Connection, *, guild_id: int, user_id: int) -> WaitingMember | None:
    """Return a member whose notes wait; `None` if none do."""
    row = await connection.fetchrow(
        "SELECT user_id, erased_up_to FROM waiting_notes WHERE guild_id = $1 AND user_id = $2",
        guild_id, user_id,
    )  # fmt: skip
    return _waiting(row) if row else None


async def drop(connection: Connection, *, guild_id: int, user_id: int) -> None:
    """Note that nothing about a member waits any more."""
    await connection.execute(
        "DELETE FROM waiting_notes WHERE guild_id = $1 AND user_id = $2", guild_id, user_id
    )


def _waiting(row: Row) -> WaitingMember:
    return WaitingMember(user_id=row["user_id"], erased_up_to=row["erased_up_to"])

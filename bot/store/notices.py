"""What was told already, so that nobody is told the same thing twice a day, or ever."""

from uuid import UUID

from bot.store.database import Connection


async def first_today(connection: Connection, *, guild_id: int, kind: str, told_by: UUID) -> bool:
    """Tell whether `told_by` is the first to tell this today, a day of real time in UTC.

    The same `told_by` is the first whenever it asks that day, so a transaction may be tried again.
    """
    first = await connection.fetchval(
        """
        INSERT INTO notices AS known (guild_id, kind, day, told_by)
        VALUES ($1, $2, (clock_timestamp() AT TIME ZONE 'UTC')::date, $3)
        ON CONFLICT (guild_id, kind) DO UPDATE SET day = excluded.day, told_by = excluded.told_by
        WHERE known.day < excluded.day OR (known.day = excluded.day AND known.told_by = excluded.told_by)
        RETURNING true
        """,
        guild_id, kind, told_by,
    )  # fmt: skip
    return bool(first)


async def first_to_member(
    connection: Connection, *, guild_id: int, user_id: int, kind: str, told_by: UUID
) -> bool:
    """Tell whether `told_by` is the first ever to tell this to a member, who stands there as a keyed hash."""
    first = await connection.fetchval(
        """
        INSERT INTO notices AS known (guild_id, kind, day, told_by)
        VALUES (
            $1, $3 || ':' || encode(user_hash($1, $2), 'hex'),
            (clock_timestamp() AT TIME ZONE 'UTC')::date, $4
        )
        ON CONFLICT (guild_id, kind) DO UPDATE SET day = known.day WHERE known.told_by = excluded.told_by
        RETURNING true
        """,
        guild_id, user_id, kind, told_by,
    )  # fmt: skip
    return bool(first)

"""How many requests each model got in the minute and the day that run, counted by all processes together."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Requests of one model."""

    minute: int
    day: int


@dataclass(frozen=True, slots=True)
class _Wanted:
    guild_id: int
    user_id: int
    span: str
    starts: datetime
    allowed: int


async def reserve(
    connection: Connection,
    *,
    model: str,
    guild_id: int,
    user_id: int,
    minute: datetime,
    day: datetime,
    per_minute: int | None,
    per_day: int | None,
    per_guild: int | None,
    per_member: int | None,
) -> tuple[bool, bool]:
    """Count one request to `model` in everywhere; return whether the model, and whether the shares allowed it.

    The limits are counts that may be reached; `None` is no limit. Guild 0 and user 0 have no share. If either
    is `False` some counts were raised all the same: the caller rolls the transaction back.
    """
    wanted = [
        _Wanted(0, 0, "day", day, per_day) if per_day is not None else None,
        _Wanted(0, 0, "minute", minute, per_minute) if per_minute is not None else None,
        _Wanted(guild_id, 0, "day", day, per_guild) if guild_id and per_guild is not None else None,
        _Wanted(guild_id, user_id, "day", day, per_member)
        if guild_id and user_id and per_member is not None
        else None,
    ]
    rows = [row for row in wanted if row is not None]
    # Everybody takes the rows in the order of their key, so that nobody waits in a circle.
    counted = await connection.fetch(
        """
        WITH wanted AS (
            SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[], $6::bigint[])
                AS row (guild_id, user_id, span, starts, allowed)
        )
        INSERT INTO quota AS known (guild_id, user_id, model, span, starts, used)
        SELECT guild_id, user_id, $1, span, starts, 1 FROM wanted WHERE allowed > 0
        ORDER BY guild_id, user_id, span
        ON CONFLICT (guild_id, user_id, model, span) DO UPDATE SET
            used = CASE WHEN known.starts < excluded.starts THEN 1 ELSE known.used + 1 END,
            starts = greatest(known.starts, excluded.starts)
        WHERE known.starts < excluded.starts
            OR known.used < (
                SELECT allowed FROM wanted
                WHERE (wanted.guild_id, wanted.user_id, wanted.span) = (known.guild_id, known.user_id, known.span)
            )
        RETURNING guild_id
        """,
        model,
        [row.guild_id for row in rows],
        [row.user_id for row in rows],
        [row.span for row in rows],
        [row.starts for row in rows],
        [row.allowed for row in rows],
    )
    of_the_model = sum(row["guild_id"] == 0 for row in counted)
    return (
        of_the_model == sum(row.guild_id == 0 for row in rows),
        len(counted) - of_the_model == sum(row.guild_id != 0 for row in rows),
    )


async def used(
    connection: Connection, models: Collection[str], *, minute: datetime, day: datetime
) -> Mapping[str, Counts]:
    """Return the requests of `models` in the minute and in the day that began then."""
    rows = await connection.fetch(
        """
        SELECT model,
            coalesce(sum(used) FILTER (WHERE span = 'minute' AND starts >= $2), 0)::bigint AS minute,
            coalesce(sum(used) FILTER (WHERE span = 'day' AND starts >= $3), 0)::bigint AS day
        FROM quota WHERE guild_id = 0 AND user_id = 0 AND model = ANY($1) GROUP BY model
        """,
        list(models), minute, day,
    )  # fmt: skip
    return {row["model"]: Counts(minute=row["minute"], day=row["day"]) for row in rows}


async def forget_shares(connection: Connection, *, before: datetime) -> None:
    """Drop the counts of guilds and members for days that began earlier than `before`."""
    await connection.execute("DELETE FROM quota WHERE guild_id <> 0 AND starts < $1", before)

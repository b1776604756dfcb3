"""The ledger of the budget in the database: requests counted by all processes together, and usage by day,
guild, operation and model.
"""

from collections.abc import Collection, Mapping
from dataclasses import astuple, dataclass
from datetime import date, datetime, timedelta
from typing import Final

from bot.db.pool import Connection, Database
from bot.db.rows import row_as, rows_as
from bot.llm.budget import Reservation, Spent, Tokens, Used
from bot.llm.chain import Held


async def count_request(connection: Connection, wanted: Reservation) -> tuple[bool, bool]:
    """Count one request in everywhere; return whether the model, and whether the shares allowed it.

    Guild 0 and user 0 have no share. If either is `False` some counts were raised all the same: the caller rolls the
    transaction back.
    """
    guild_id, user_id = wanted.guild_id, wanted.user_id
    limits = [
        (0, 0, "day", wanted.day, wanted.per_day),
        (0, 0, "minute", wanted.minute, wanted.per_minute),
        (guild_id, 0, "day", wanted.day, wanted.per_guild if guild_id else None),
        (guild_id, user_id, "day", wanted.day, wanted.per_member if guild_id and user_id else None),
    ]
    rows = [row for row in limits if row[-1] is not None]
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
        wanted.model,
        *([row[column] for row in rows] for column in range(5)),
    )
    of_the_model = sum(row["guild_id"] == 0 for row in counted)
    return (
        of_the_model == sum(row[0] == 0 for row in rows),
        len(counted) - of_the_model == sum(row[0] != 0 for row in rows),
    )


async def requests_of(
    connection: Connection, models: Collection[str], *, minute: datetime, day: datetime
) -> Mapping[str, Used]:
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
    return {row["model"]: row_as(Used, row) for row in rows}


async def forget_shares(connection: Connection, *, before: datetime) -> None:
    """Drop the counts of guilds and members for days that began earlier than `before`."""
    await connection.execute("DELETE FROM quota WHERE guild_id <> 0 AND starts < $1", before)


async def add_usage(connection: Connection, usage: Spent) -> None:
    """Add `usage` to what is known of its day."""
    await connection.execute(
        """
        INSERT INTO usage AS known
            (guild_id, day, operation, model, calls, failures, input_tokens, output_tokens, cached_tokens)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (guild_id, day, operation, model) DO UPDATE SET
            calls = known.calls + excluded.calls,
            failures = known.failures + excluded.failures,
            input_tokens = known.input_tokens + excluded.input_tokens,
            output_tokens = known.output_tokens + excluded.output_tokens,
            cached_tokens = known.cached_tokens + excluded.cached_tokens
        """,
        usage.guild_id, usage.day, usage.operation, usage.model,
        usage.calls, usage.failures, usage.input_tokens, usage.output_tokens, usage.cached_tokens,
    )  # fmt: skip


async def usage_since(connection: Connection, day: date) -> list[Spent]:
    """Return everything that was used since `day`, by day, guild, operation and model."""
    rows = await connection.fetch(
        "SELECT * FROM usage WHERE day >= $1 ORDER BY day, guild_id, operation, model", day
    )
    return rows_as(Spent, rows)


async def usage_of_guild(connection: Connection, day: date, *, guild_id: int) -> list[Spent]:
    """Return what was used for one guild since `day`, by day, operation and model."""
    rows = await connection.fetch(
        "SELECT * FROM usage WHERE guild_id = $1 AND day >= $2 ORDER BY day, operation, model", guild_id, day
    )
    return rows_as(Spent, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageKey:
    """What a row of the ledger is known by, in the order in which rows are listed."""

    day: date
    guild_id: int
    operation: str
    model: str


async def usage_after(
    connection: Connection, since: date, *, guild_id: int | None, after: UsageKey | None, limit: int
) -> list[Spent]:
    """Return what was used since a day behind a row, of one guild or of all: by day, guild, operation and model."""
    key = (None, None, None, None) if after is None else astuple(after)
    rows = await connection.fetch(
        """
        SELECT * FROM usage
        WHERE day >= $1 AND ($2::bigint IS NULL OR guild_id = $2)
          AND ($3::date IS NULL OR (day, guild_id, operation, model) > ($3, $4::bigint, $5::text, $6::text))
        ORDER BY day, guild_id, operation, model LIMIT $7
        """,
        since, guild_id, *key, limit,
    )  # fmt: skip
    return rows_as(Spent, rows)


async def tokens_since(connection: Connection, day: date) -> Mapping[str, Tokens]:
    """Return the tokens by model since `day`."""
    rows = await connection.fetch(
        """
        SELECT model, sum(input_tokens)::bigint AS input_tokens, sum(output_tokens)::bigint AS output_tokens,
            sum(cached_tokens)::bigint AS cached_tokens
        FROM usage WHERE day >= $1 GROUP BY model
        """,
        day,
    )
    return {row["model"]: row_as(Tokens, row) for row in rows}


async def tokens_by_operation(connection: Connection, day: date) -> Mapping[str, int]:
    """Return the tokens in and out by operation since `day`."""
    rows = await connection.fetch(
        """
        SELECT operation, sum(input_tokens + output_tokens)::bigint AS tokens
        FROM usage WHERE day >= $1 GROUP BY operation
        """,
        day,
    )
    return {row["operation"]: row["tokens"] for row in rows}


_SHARES_KEPT: Final = timedelta(days=2)
"""Nobody asks for the share of an earlier day, and ids are not kept longer than they are of use."""


class _HeldError(Exception):
    """Rolls a reservation back that was not granted in full."""

    def __init__(self, kind: Held) -> None:
        super().__init__(kind)
        self.kind: Final = kind


class DatabaseLedger:
    """The ledger that all processes on one database share."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._swept: datetime | None = None

    async def reserve(self, reservation: Reservation) -> Held | None:
        """Count one request in, unless that would exceed a limit: then nothing is counted."""

        async def count_in(connection: Connection) -> None:
            model_allows, shares_allow = await count_request(connection, reservation)
            if not model_allows:
                raise _HeldError("no_quota")
            if not shares_allow:
                raise _HeldError("no_share")

        await self._sweep(reservation.day)
        try:
            await self._database.write(count_in)
        except _HeldError as held:
            return held.kind
        return None

    async def record(self, spent: Spent) -> None:
        """Add `spent` to the usage of its day."""
        await self._database.write_one(add_usage, spent)

    async def used(self, models: Collection[str], *, minute: datetime, day: datetime) -> Mapping[str, Used]:
        """Return the requests of these models in the minute and the day that began then."""
        return await self._database.read(requests_of, models, minute=minute, day=day)

    async def tokens_since(self, day: date) -> Mapping[str, Tokens]:
        """Return the tokens by model since `day`."""
        return await self._database.read(tokens_since, day)

    async def _sweep(self, day: datetime) -> None:
        """Drop old shares, once a day and process."""
        if self._swept is not None and self._swept >= day:
            return
        self._swept = day
        await self._database.write(forget_shares, before=day - _SHARES_KEPT)

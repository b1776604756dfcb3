"""What the models were used for, by day, guild, operation and model."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one model did for one operation of one guild on one day."""

    guild_id: int
    day: date
    operation: str
    model: str
    calls: int
    failures: int
    input_tokens: int
    output_tokens: int


async def add(connection: Connection, usage: Usage) -> None:
    """Add `usage` to what is known of its day."""
    await connection.execute(
        """
        INSERT INTO usage AS known
            (guild_id, day, operation, model, calls, failures, input_tokens, output_tokens)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (guild_id, day, operation, model) DO UPDATE SET
            calls = known.calls + excluded.calls,
            failures = known.failures + excluded.failures,
            input_tokens = known.input_tokens + excluded.input_tokens,
            output_tokens = known.output_tokens + excluded.output_tokens
        """,
        usage.guild_id, usage.day, usage.operation, usage.model,
        usage.calls, usage.failures, usage.input_tokens, usage.output_tokens,
    )  # fmt: skip


async def since(connection: Connection, day: date) -> list[Usage]:
    """Return everything that was used since `day`, by day, guild, operation and model."""
    rows = await connection.fetch(
        "SELECT * FROM usage WHERE day >= $1 ORDER BY day, guild_id, operation, model", day
    )
    return [Usage(**dict(row)) for row in rows]


async def tokens_since(connection: Connection, day: date) -> Mapping[str, tuple[int, int]]:
    """Return the tokens in and out, by model, since `day`."""
    rows = await connection.fetch(
        """
        SELECT model, sum(input_tokens)::bigint AS tokens_in, sum(output_tokens)::bigint AS tokens_out
        FROM usage WHERE day >= $1 GROUP BY model
        """,
        day,
    )
    return {row["model"]: (row["tokens_in"], row["tokens_out"]) for row in rows}

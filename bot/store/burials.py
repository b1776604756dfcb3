"""Burying facts: what a forgotten row leaves behind, and how everything that it replaced is found."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain import Fact
from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Buried:
    """A fact that is about to be forgotten, as it was: its tombstone and the messages that said it go by that."""

    fact_id: int
    subject_id: int
    audience: int
    key: str
    value: str
    content: str
    raw_content: str


async def line_of(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> list[int]:
    """Return the ids of everything that these facts superseded, however long ago."""
    rows = await connection.fetch(
        """
        WITH RECURSIVE line AS (
            SELECT unnest($2::bigint[]) AS fact_id
            UNION
            SELECT older.fact_id
            FROM line JOIN facts older ON older.guild_id = $1 AND older.superseded_by = line.fact_id
        )
        SELECT fact_id FROM line WHERE fact_id <> ALL($2::bigint[])
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return [row["fact_id"] for row in rows]


async def retired(
    connection: Connection, *, guild_id: int, subject_id: int, audiences: Sequence[int], now: datetime
) -> list[int]:
    """Return the ids of what once held about a subject, and was superseded or has ended by `now`, swept or not."""
    rows = await connection.fetch(
        """
        SELECT fact_id FROM facts
        WHERE guild_id = $1 AND subject_id = $2 AND audience = ANY($3::bigint[])
          AND (status IN ('superseded', 'inactive') OR (status = 'active' AND expires_at <= $4))
        """,
        guild_id, subject_id, list(audiences), now,
    )  # fmt: skip
    return [row["fact_id"] for row in rows]


async def lock(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> list[Buried]:
    """Hold these facts until commit, unless forgotten already, and return what is needed to bury them."""
    rows = await connection.fetch(
        """
        SELECT fact_id, subject_id, audience, key, value, content, raw_content FROM facts
        WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) AND status <> 'forgotten'
        ORDER BY fact_id FOR UPDATE
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return [Buried(**row) for row in rows]


def buried_of(fact: Fact) -> Buried:
    """Return what would be buried of `fact`."""
    return Buried(
        fact_id=fact.fact_id,
        subject_id=fact.subject_id,
        audience=fact.audience,
        key=fact.key,
        value=fact.value,
        content=fact.content,
        raw_content=fact.raw_content,
    )


async def empty(
    connection: Connection,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    buried_keys: Sequence[str],
    now: datetime,
) -> None:
    """Make these rows forgotten: nothing of their text stays, and the key becomes its keyed hash."""
    await connection.execute(
        """
        UPDATE facts
        SET status = 'forgotten', key = gone.key, value = '', content = '', raw_content = '', lexemes = '',
            details = '{}', holds_on = NULL, updated_at = $4
        FROM unnest($2::bigint[], $3::text[]) AS gone (fact_id, key)
        WHERE facts.guild_id = $1 AND facts.fact_id = gone.fact_id
        """,
        guild_id, list(fact_ids), list(buried_keys), now,
    )  # fmt: skip

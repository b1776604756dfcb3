"""Facts: one active row per subject, audience and key; one row per cause. Constraints settle every race."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.domain import Fact, FactCategory, FactOrigin, FactStatus
from bot.store.database import Connection, Row

_COLUMNS = """guild_id, fact_id, subject_id, audience, category, key, value, content, raw_content, importance,
    confidence, status, supersedes, origin, author_id, source_channel_id, source_message_id, cause,
    said_at, holds_on, expires_at"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFact:
    """A fact that is about to be written."""

    guild_id: int
    subject_id: int
    audience: int
    category: FactCategory
    key: str
    value: str
    content: str
    raw_content: str
    importance: int
    confidence: float
    origin: FactOrigin
    author_id: int
    source_channel_id: int
    source_message_id: int
    cause: str
    said_at: datetime
    holds_on: date | None = None
    expires_at: datetime | None = None
    supersedes: int | None = None


def _fact(row: Row) -> Fact:
    return Fact(
        guild_id=row["guild_id"],
        fact_id=row["fact_id"],
        subject_id=row["subject_id"],
        audience=row["audience"],
        category=FactCategory(row["category"]),
        key=row["key"],
        value=row["value"],
        content=row["content"],
        raw_content=row["raw_content"],
        importance=row["importance"],
        confidence=row["confidence"],
        status=FactStatus(row["status"]),
        supersedes=row["supersedes"],
        origin=FactOrigin(row["origin"]),
        author_id=row["author_id"],
        source_channel_id=row["source_channel_id"],
        source_message_id=row["source_message_id"],
        cause=row["cause"],
        said_at=row["said_at"],
        holds_on=row["holds_on"],
        expires_at=row["expires_at"],
    )


async def add(connection: Connection, fact: NewFact, *, now: datetime) -> int | None:
    """Insert `fact` as active and return its id, or `None` if a constraint says that it is there already."""
    fact_id: int | None = await connection.fetchval(
        """
        INSERT INTO facts (
            guild_id, subject_id, audience, category, key, value, content, raw_content, importance, confidence,
            status, supersedes, origin, author_id, source_channel_id, source_message_id, cause,
            said_at, holds_on, expires_at, updated_at, lexemes
        )
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'active', $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
            to_tsvector(coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian'), $7))
        ON CONFLICT DO NOTHING
        RETURNING fact_id
        """,
        fact.guild_id, fact.subject_id, fact.audience, fact.category, fact.key, fact.value, fact.content,
        fact.raw_content, fact.importance, fact.confidence, fact.supersedes, fact.origin, fact.author_id,
        fact.source_channel_id, fact.source_message_id, fact.cause, fact.said_at, fact.holds_on,
        fact.expires_at, now,
    )  # fmt: skip
    return fact_id


async def of_cause(
    connection: Connection, *, guild_id: int, cause: str, keys: Sequence[str], subject_id: int, audience: int
) -> Fact | None:
    """Return the row, in any status, that this cause made under one of `keys`.

    The same command heard again, by a backfill or a repeated event, must change nothing: neither bring back
    what was forgotten since nor supersede what is newer.
    """
    row = await connection.fetchrow(
        f"""
        SELECT {_COLUMNS} FROM facts
        WHERE guild_id = $1 AND cause = $2 AND key = ANY($3::text[]) AND subject_id = $4 AND audience = $5
        LIMIT 1
        """,
        guild_id, cause, list(keys), subject_id, audience,
    )  # fmt: skip
    return _fact(row) if row else None


async def holder_of_key(
    connection: Connection, *, guild_id: int, subject_id: int, audience: int, key: str
) -> Fact | None:
    """Return the active fact under this key, if there is one, and keep it from changing until commit."""
    row = await connection.fetchrow(
        f"""
        SELECT {_COLUMNS} FROM facts
        WHERE guild_id = $1 AND subject_id = $2 AND audience = $3 AND key = $4 AND status = 'active'
        FOR UPDATE
        """,
        guild_id, subject_id, audience, key,
    )  # fmt: skip
    return _fact(row) if row else None


async def set_status(
    connection: Connection,
    *,
    guild_id: int,
    fact_id: int,
    was: FactStatus,
    becomes: FactStatus,
    now: datetime,
) -> bool:
    """Move a fact from one status to another; `False` if it was no longer in the first."""
    moved = await connection.fetchval(
        """
        UPDATE facts SET status = $4, updated_at = $5
        WHERE guild_id = $1 AND fact_id = $2 AND status = $3
        RETURNING true
        """,
        guild_id, fact_id, was, becomes, now,
    )  # fmt: skip
    return bool(moved)


async def revive(connection: Connection, *, guild_id: int, fact_id: int, now: datetime) -> bool:
    """Make a superseded fact active again, and what was superseded by the same fact as it.

    `False` if something else holds its key by now.
    """
    rows = await connection.fetch(
        """
        UPDATE facts SET status = 'active', superseded_by = NULL, updated_at = $3
        WHERE guild_id = $1 AND status = 'superseded' AND (fact_id = $2 OR superseded_by = (
            SELECT one.superseded_by FROM facts one WHERE one.guild_id = $1 AND one.fact_id = $2
        )) AND NOT EXISTS (
            SELECT 1 FROM facts holder
            WHERE holder.guild_id = facts.guild_id AND holder.subject_id = facts.subject_id
              AND holder.audience = facts.audience AND holder.key = facts.key AND holder.status = 'active'
        )
        RETURNING fact_id
        """,
        guild_id, fact_id, now,
    )  # fmt: skip
    return fact_id in {row["fact_id"] for row in rows}


async def active(
    connection: Connection,
    *,
    guild_ids: Sequence[int],
    audiences: Sequence[int],
    now: datetime,
    subject_ids: Sequence[int] | None = None,
) -> list[Fact]:
    """Return what holds at `now` in these audiences, about these subjects or all, important and new first."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM facts
        WHERE guild_id = ANY($1::bigint[]) AND audience = ANY($2::bigint[])
          AND ($3::bigint[] IS NULL OR subject_id = ANY($3::bigint[]))
          AND status = 'active' AND (expires_at IS NULL OR expires_at > $4)
        ORDER BY importance DESC, said_at DESC, fact_id DESC
        """,
        list(guild_ids), list(audiences), None if subject_ids is None else list(subject_ids), now,
    )  # fmt: skip
    return [_fact(row) for row in rows]


async def with_ids(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> list[Fact]:
    """Return these facts in any status, in the order in which they were written."""
    rows = await connection.fetch(
        f"SELECT {_COLUMNS} FROM facts WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) ORDER BY fact_id",
        guild_id, list(fact_ids),
    )  # fmt: skip
    return [_fact(row) for row in rows]


async def of_messages(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], causes: Sequence[str]
) -> list[Fact]:
    """Return the active facts that were said in one of these messages, caused by one of `causes`, or written in
    answer to one of the messages, as those of an edited command are."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM facts
        WHERE guild_id = $1 AND status = 'active'
          AND (source_message_id = ANY($2::bigint[]) OR cause = ANY($3::text[]) OR fact_id IN (
              SELECT unnest(fact_ids) FROM answers WHERE guild_id = $1 AND message_id = ANY($2::bigint[])
          ))
        ORDER BY fact_id
        """,
        guild_id, list(message_ids), list(causes),
    )  # fmt: skip
    return [_fact(row) for row in rows]


async def link(connection: Connection, *, guild_id: int, older_ids: Sequence[int], newer_id: int) -> None:
    """Note that `newer_id` took the place of these facts, so that forgetting it reaches them."""
    await connection.execute(
        "UPDATE facts SET superseded_by = $3 WHERE guild_id = $1 AND fact_id = ANY($2::bigint[])",
        guild_id, list(older_ids), newer_id,
    )  # fmt: skip

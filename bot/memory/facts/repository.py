"""SQL of facts: one active row per subject, audience and key, one row per cause; contradictions, and what
a forgotten row leaves behind.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from bot.core.domain import Fact, FactCategory, FactOrigin
from bot.db.pool import Connection
from bot.db.rows import columns_of, row_as, rows_as
from bot.memory.facts.about import is_of
from bot.memory.policy.repository import of_present, tells_of_present

FACT_COLUMNS: Final = columns_of(Fact)


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
    names: tuple[str, ...] = ()
    """Names in it that are nobody's, as they are written; of a fact about one of them that one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownValue:
    """What is stored under a key of a subject, whether or not it is current."""

    subject_id: int
    audience: int
    key: str
    value: str


async def known_values(
    connection: Connection, *, guild_id: int, subject_ids: Sequence[int], kinds: Sequence[str]
) -> list[KnownValue]:
    """Return what is known of these subjects under keys that begin with one of `kinds`, forgotten facts left out."""
    rows = await connection.fetch(
        f"""
        SELECT {columns_of(KnownValue)} FROM facts
        WHERE guild_id = $1 AND subject_id = ANY($2::bigint[]) AND split_part(key, ':', 1) = ANY($3::text[])
          AND status <> 'forgotten'
        ORDER BY fact_id
        """,
        guild_id, list(subject_ids), list(kinds),
    )  # fmt: skip
    return rows_as(KnownValue, rows)


async def fact_of_cause(
    connection: Connection, *, guild_id: int, cause: str, keys: Sequence[str], subject_id: int, audience: int
) -> Fact | None:
    """Return the row, in any status, that this cause made or said under one of `keys`."""
    row = await connection.fetchrow(
        f"""
        SELECT {FACT_COLUMNS} FROM facts f
        WHERE guild_id = $1 AND key = ANY($3::text[]) AND subject_id = $4 AND audience = $5
          AND (cause = $2 OR EXISTS (
              SELECT FROM fact_sources s WHERE s.guild_id = $1 AND s.fact_id = f.fact_id AND s.cause = $2
          ))
        LIMIT 1
        """,
        guild_id, cause, list(keys), subject_id, audience,
    )  # fmt: skip
    return row_as(Fact, row)


async def add_forgotten(
    connection: Connection, *, guild_id: int, fact_id: int, key: str, cause: str, now: datetime
) -> int:
    """Insert a row without text for a cause of the fact that was taken back, and return its id."""
    added: int = await connection.fetchval(
        """
        INSERT INTO facts (
            guild_id, subject_id, audience, category, key, value, content, raw_content, importance, confidence,
            status, origin, author_id, source_channel_id, source_message_id, cause, said_at, updated_at
        )
        SELECT guild_id, subject_id, audience, category, $3, '', '', '', importance, confidence,
               'forgotten', origin, author_id, source_channel_id, source_message_id, $4, said_at, $5
        FROM facts WHERE guild_id = $1 AND fact_id = $2
        RETURNING fact_id
        """,
        guild_id, fact_id, key, cause, now,
    )  # fmt: skip
    return added


async def remove_facts(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> None:
    """Remove these rows, since they rest on nothing, with what is left of their sources."""
    await connection.execute(
        """
        WITH gone AS (DELETE FROM facts WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]))
        DELETE FROM fact_sources WHERE guild_id = $1 AND fact_id = ANY($2::bigint[])
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip


async def active_facts(
    connection: Connection,
    *,
    guild_ids: Sequence[int],
    audiences: Sequence[int],
    now: datetime,
    subject_ids: Sequence[int] | None = None,
    naming: int | None = None,
) -> list[Fact]:
    """Return the current facts at `now` in these audiences, about these subjects or all, most important and newest
    first.

    With `naming`, a member, also facts that name them. Facts about a member about whom nothing is kept, or that name
    one, are left out.
    """
    whose = "($3::bigint[] IS NULL OR subject_id = ANY($3::bigint[]))"
    values: list[object] = [
        list(guild_ids), list(audiences), None if subject_ids is None else list(subject_ids), now,
    ]  # fmt: skip
    if naming is not None:
        whose = f"({whose} OR {is_of('$1', '$5', 'NULL')})"
        values.append([naming])
    rows = await connection.fetch(
        f"""
        SELECT {FACT_COLUMNS} FROM facts
        WHERE guild_id = ANY($1::bigint[]) AND audience = ANY($2::bigint[])
          AND {whose}
          AND status = 'active' AND (expires_at IS NULL OR expires_at > $4)
          AND {tells_of_present("subject_id", "content", guild="guild_id", guilds="$1")}
        ORDER BY importance DESC, said_at DESC, fact_id DESC
        """,
        *values,
    )
    return rows_as(Fact, rows)


async def facts_known_of(
    connection: Connection,
    *,
    guild_ids: Sequence[int],
    audiences: Sequence[int],
    now: datetime,
    user_ids: Sequence[int],
    names: Sequence[str] = (),
) -> list[Fact]:
    """Return the current facts at `now` in these audiences about these members or names, or that name them.

    Facts about them come first, then the most important and newest. Facts about a member about whom nothing is kept, or
    that name one, are left out.
    """
    rows = await connection.fetch(
        f"""
        SELECT {FACT_COLUMNS} FROM facts
        WHERE guild_id = ANY($1::bigint[]) AND audience = ANY($2::bigint[])
          AND status = 'active' AND (expires_at IS NULL OR expires_at > $3) AND {is_of("$1", "$4", "$5")}
          AND {tells_of_present("subject_id", "content", guild="guild_id", guilds="$1")}
        ORDER BY subject_id = ANY($4::bigint[]) DESC, importance DESC, said_at DESC, fact_id DESC
        """,
        list(guild_ids), list(audiences), now, list(user_ids), list(names),
    )  # fmt: skip
    return rows_as(Fact, rows)


async def facts_with_ids(
    connection: Connection, *, guild_id: int, fact_ids: Sequence[int], to_be_told: bool = False
) -> list[Fact]:
    """Return these facts in any status, in the order in which they were written.

    Where they are `to_be_told`, what is about a member of whom nothing is kept, or names one, is left out.
    """
    if not fact_ids:
        return []
    rows = await connection.fetch(
        f"""
        SELECT {FACT_COLUMNS} FROM facts
        WHERE guild_id = $1 AND fact_id = ANY($2::bigint[])
          AND (NOT $3 OR {tells_of_present("subject_id", "content")})
        ORDER BY fact_id
        """,
        guild_id, list(fact_ids), to_be_told,
    )  # fmt: skip
    return rows_as(Fact, rows)


async def facts_of_messages(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], causes: Sequence[str]
) -> list[Fact]:
    """Return the active facts that were said in one of these messages, caused by one of `causes`, or written in
    answer to one of the messages, as those of an edited command are."""
    rows = await connection.fetch(
        f"""
        SELECT {FACT_COLUMNS} FROM facts
        WHERE guild_id = $1 AND status = 'active'
          AND (source_message_id = ANY($2::bigint[]) OR cause = ANY($3::text[]) OR fact_id IN (
              SELECT fact_id FROM fact_sources
              WHERE guild_id = $1 AND message_id = ANY($2::bigint[]) AND NOT ended
          ) OR fact_id IN (
              SELECT unnest(fact_ids) FROM answers WHERE guild_id = $1 AND message_id = ANY($2::bigint[])
          ))
        ORDER BY fact_id
        """,
        guild_id, list(message_ids), list(causes),
    )  # fmt: skip
    return rows_as(Fact, rows)


async def open_contradiction(
    connection: Connection,
    *,
    guild_id: int,
    subject_id: int,
    audiences: Sequence[int],
    explicit: Sequence[str],
    ended: str,
    now: datetime,
) -> tuple[int, int] | None:
    """Return the active fact of `explicit` origin and the learned one under the same key that was said after it.

    Both in the subject's own words. What they were asked about since it was last said is left out, and what says that
    something is so no longer, whose value begins with `ended`.
    """
    row = await connection.fetchrow(
        f"""
        WITH said AS (
            SELECT f.fact_id, f.audience, f.key, f.status, f.asked_at, s.said_at, s.message_id,
                   s.origin = ANY($4::text[]) AS explicit
            FROM facts f
            JOIN fact_sources s ON s.guild_id = f.guild_id AND s.fact_id = f.fact_id
            WHERE f.guild_id = $1 AND f.subject_id = $2 AND f.audience = ANY($3::bigint[])
              AND f.status IN ('active', 'superseded') AND s.author_id = f.subject_id AND NOT s.ended
              AND s.retired_by IS NULL AND (s.expires_at IS NULL OR s.expires_at > $5)
              AND {of_present("$2")} AND NOT starts_with(f.value, $6)
        ), newest AS (
            SELECT fact_id, audience, key, status, asked_at, max(said_at) AS said_at, max(message_id) AS message_id,
                   bool_or(explicit) AS explicit
            FROM said GROUP BY fact_id, audience, key, status, asked_at
        )
        SELECT commanded.fact_id AS commanded_id, learned.fact_id AS said_id
        FROM newest commanded JOIN newest learned USING (audience, key)
        WHERE commanded.status = 'active' AND commanded.explicit AND learned.status = 'superseded'
          AND NOT learned.explicit AND learned.said_at > commanded.said_at
          AND (learned.asked_at IS NULL OR learned.asked_at < learned.said_at)
        ORDER BY learned.said_at DESC, learned.fact_id DESC LIMIT 1
        """,
        guild_id, subject_id, list(audiences), list(explicit), now, ended,
    )  # fmt: skip
    return None if row is None else (row["commanded_id"], row["said_id"])


@dataclass(frozen=True, slots=True, kw_only=True)
class BuriedFact:
    """A fact that is about to be forgotten, as it was: its tombstone and the messages that said it go by that."""

    fact_id: int
    subject_id: int
    audience: int
    key: str
    value: str
    content: str
    raw_content: str


async def retired_facts(
    connection: Connection,
    *,
    guild_id: int,
    subject_ids: Sequence[int],
    audiences: Sequence[int],
    now: datetime,
) -> list[Fact]:
    """Return what once held about these subjects, and was superseded or has ended by `now`, swept or not."""
    rows = await connection.fetch(
        f"""
        SELECT {FACT_COLUMNS} FROM facts
        WHERE guild_id = $1 AND subject_id = ANY($2::bigint[]) AND audience = ANY($3::bigint[])
          AND (status IN ('superseded', 'inactive') OR (status = 'active' AND expires_at <= $4))
        ORDER BY fact_id
        """,
        guild_id, list(subject_ids), list(audiences), now,
    )  # fmt: skip
    return rows_as(Fact, rows)


async def lock_for_forgetting(
    connection: Connection, *, guild_id: int, fact_ids: Sequence[int]
) -> list[BuriedFact]:
    """Hold these facts until commit, unless forgotten already, and return what is needed to bury them."""
    if not fact_ids:
        return []
    rows = await connection.fetch(
        """
        SELECT fact_id, subject_id, audience, key, value, content, raw_content FROM facts
        WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) AND status <> 'forgotten'
        ORDER BY fact_id FOR UPDATE
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return rows_as(BuriedFact, rows)

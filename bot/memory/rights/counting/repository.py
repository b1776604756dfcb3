"""How much is kept, counted: messages, and those of each day, facts by kind, and texts that were derived from them.

Nothing is read but ids, days and kinds. How many messages there are is kept beside them. All else is counted by an
index over the guild's rows, or over those of one member; that of a guild's messages holds all that is asked of them.
Facts and texts are counted up to a number that the caller sets. `audiences` are those that count; without them, as for
whoever runs the installation, all do. Without a guild all guilds count, and whichever rows come first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from bot.core.domain import OPEN, snowflake_at
from bot.db.pool import Connection
from bot.db.rows import row_as
from bot.memory.rights.rows import KEPT_GUILDS


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCount:
    """How many messages are kept."""

    messages: int
    closed: int
    """Those of them that belong to closed channels."""
    first_at: datetime | None
    """When the oldest of them was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactCount:
    """How many facts hold, of one kind."""

    facts: int
    closed: int
    """Those of them that belong to closed channels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCount:
    """How many texts were derived from messages."""

    days: int
    """Days of which there is a text."""
    episodes: int
    profiles: int
    """Members of whom something was learned."""


async def guild_ids(connection: Connection) -> list[int]:
    """Return the ids of all guilds that are known, by id, without direct messages."""
    rows = await connection.fetch("SELECT guild_id FROM guilds WHERE NOT direct ORDER BY guild_id")
    return [row["guild_id"] for row in rows]


_SEEN: Final = "($2::bigint[] IS NULL OR audience = ANY($2::bigint[]))"
"""Which rows belong to the audiences in $2; all do if it is NULL."""


def _in(guild_id: int | None) -> str:
    """Return which rows are of the guild in $1, which is NULL if all are."""
    return "$1::bigint IS NULL" if guild_id is None else "guild_id = $1"


def _said(user_id: int | None) -> str:
    """Return which rows are messages of members, of all or of $3 alone, that have a text."""
    by_member = "" if user_id is None else "user_id = $3 AND "
    return f"{by_member}kind = 'member' AND withheld IS NULL"


async def count_messages(
    connection: Connection, *, guild_id: int | None, audiences: Sequence[int] | None, user_id: int | None
) -> MessageCount:
    """Count the messages of members of these audiences, of one member or of all, by what is kept of their number."""
    first_at = f"""CASE WHEN count(*) > 0 THEN (
            SELECT timestamp FROM chat_history
            WHERE {_in(guild_id)} AND {_SEEN} AND {_said(user_id)} ORDER BY timestamp LIMIT 1
        ) END"""
    # No index knows the oldest of all guilds.
    row = await connection.fetchrow(
        f"""
        SELECT coalesce(sum(messages), 0)::bigint AS messages,
               coalesce(sum(messages) FILTER (WHERE audience <> {OPEN}), 0)::bigint AS closed,
               {"NULL::timestamptz" if guild_id is None else first_at} AS first_at
        FROM message_counts
        WHERE {_in(guild_id)} AND {_SEEN} AND kind = 'member'{"" if user_id is None else " AND user_id = $3"}
        """,
        guild_id, audiences, *(() if user_id is None else (user_id,)),
    )  # fmt: skip
    if row is None:
        raise AssertionError("an aggregate without GROUP BY gave no row")
    return row_as(MessageCount, row)


async def messages_by_day(
    connection: Connection,
    *,
    guild_id: int,
    audiences: Sequence[int] | None,
    user_id: int | None,
    since: datetime,
    time_zone: str,
) -> Mapping[date, int]:
    """Return how many messages of members of these audiences were written on each day, in the zone, since a moment."""
    begins, zone = ("$3", "$4") if user_id is None else ("$4", "$5")
    rows = await connection.fetch(
        f"""
        SELECT (timestamp AT TIME ZONE {zone})::date AS day, count(*) AS messages FROM chat_history
        WHERE guild_id = $1 AND {_SEEN} AND {_said(user_id)} AND timestamp >= {begins} GROUP BY day ORDER BY day
        """,
        guild_id, audiences, *(() if user_id is None else (user_id,)), since, time_zone,
    )  # fmt: skip
    return {row["day"]: row["messages"] for row in rows}


async def all_messages_by_day(
    connection: Connection, *, since: datetime, time_zone: str, most: int
) -> Mapping[date, int]:
    """Return how many messages of members were written on each day, in the zone, since a moment, in all guilds.

    Those of each guild are found by their ids, which begin with their time; of `most` at most.
    """
    rows = await connection.fetch(
        f"""
        WITH RECURSIVE {KEPT_GUILDS}, said AS (
            SELECT h.timestamp FROM kept CROSS JOIN LATERAL (
                SELECT timestamp FROM chat_history
                WHERE guild_id = kept.guild_id AND message_id >= $1 AND {_said(None)}
            ) h LIMIT $4
        )
        SELECT (timestamp AT TIME ZONE $3)::date AS day, count(*) AS messages FROM said
        WHERE timestamp >= $2 GROUP BY day
        """,
        snowflake_at(since), since, time_zone, most,
    )  # fmt: skip
    return {row["day"]: row["messages"] for row in rows}


async def facts_by_kind(
    connection: Connection,
    *,
    guild_id: int | None,
    audiences: Sequence[int] | None,
    subject_id: int | None,
    now: datetime,
    most: int,
) -> Mapping[str, FactCount]:
    """Return by category how many facts of these audiences hold, about one subject or about all."""
    rows = await connection.fetch(
        f"""
        SELECT category, count(*) AS facts, count(*) FILTER (WHERE audience <> {OPEN}) AS closed
        FROM (SELECT category, audience FROM facts
              WHERE {_in(guild_id)} AND {_SEEN} AND status = 'active'
                AND ($3::bigint IS NULL OR subject_id = $3) AND (expires_at IS NULL OR expires_at > $4)
              LIMIT $5) known
        GROUP BY category
        """,
        guild_id, audiences, subject_id, now, most,
    )  # fmt: skip
    return {row["category"]: row_as(FactCount, row) for row in rows}


async def count_texts(
    connection: Connection,
    *,
    guild_id: int | None,
    audiences: Sequence[int] | None,
    user_id: int | None,
    most: int,
) -> TextCount:
    """Count the texts of these audiences: days told of one member or at all, episodes, and profiles, which are open."""
    row = await connection.fetchrow(
        f"""
        SELECT (SELECT count(DISTINCT period) FROM (
                    SELECT period FROM distillations
                    WHERE {_in(guild_id)} AND kind = 'day' AND {_SEEN} AND content IS NOT NULL
                      AND ($3::bigint IS NULL OR subject_id = $3) LIMIT $4
                ) told) AS days,
               (SELECT count(*) FROM (
                    SELECT FROM episodes WHERE {_in(guild_id)} AND {_SEEN} LIMIT $4
                ) left_behind) AS episodes,
               (SELECT count(DISTINCT user_id) FROM (
                    SELECT user_id FROM profiles
                    WHERE {_in(guild_id)} AND ($2::bigint[] IS NULL OR {OPEN} = ANY($2::bigint[])) AND content <> ''
                      AND ($3::bigint IS NULL OR user_id = $3) LIMIT $4
                ) learned) AS profiles
        """,
        guild_id, audiences, user_id, most,
    )  # fmt: skip
    if row is None:
        raise AssertionError("a SELECT without FROM gave no row")
    return row_as(TextCount, row)

"""Removing what is older than it may be kept, a few rows at a time."""

from datetime import date, datetime

from bot.store.database import Connection


async def ask_for_all(connection: Connection, *, kind: str, work_key: str) -> None:
    """Ask for this work for every guild of which anything is kept; what is asked for already stays as it is.

    It is due guild by guild, ten a second, so that other work comes in between.
    """
    await connection.execute(
        """
        WITH RECURSIVE heard AS (
            (SELECT guild_id FROM chat_history ORDER BY guild_id LIMIT 1)
            UNION ALL
            SELECT (SELECT c.guild_id FROM chat_history c
                    WHERE c.guild_id > heard.guild_id ORDER BY c.guild_id LIMIT 1)
            FROM heard WHERE heard.guild_id IS NOT NULL
        )
        INSERT INTO work (guild_id, kind, work_key, due_at)
        SELECT guild_id, $1, $2, clock_timestamp() + (row_number() OVER (ORDER BY guild_id) - 1) * interval '0.1 s'
        FROM (SELECT guild_id FROM guilds UNION SELECT guild_id FROM heard WHERE guild_id IS NOT NULL) kept
        ORDER BY guild_id
        ON CONFLICT (guild_id, kind, work_key) DO NOTHING
        """,
        kind, work_key,
    )  # fmt: skip


async def messages(connection: Connection, *, guild_id: int, before: datetime, limit: int) -> int:
    """Remove the oldest `limit` messages of a guild from before this time, withheld ones too; return how many.

    Rows that somebody else is removing are left to them.
    """
    return await _count(
        connection,
        """
        WITH old AS (
            SELECT message_id FROM chat_history
            WHERE guild_id = $1 AND timestamp < $2
            ORDER BY timestamp LIMIT $3 FOR UPDATE SKIP LOCKED
        ), gone AS (
            DELETE FROM chat_history
            WHERE guild_id = $1 AND message_id IN (SELECT message_id FROM old) RETURNING 1
        )
        SELECT count(*) FROM gone
        """,
        guild_id, before, limit,
    )  # fmt: skip


async def has_messages(connection: Connection, *, guild_id: int, before: datetime) -> bool:
    """Tell whether a guild has messages from before this time: those that were left to somebody else."""
    has: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT FROM chat_history WHERE guild_id = $1 AND timestamp < $2)", guild_id, before
    )
    return has


async def answers(
    connection: Connection, *, guild_id: int, before: datetime, before_id: int, limit: int
) -> int:
    """Remove `limit` answers from before this time, whose messages have ids below `before_id`; return how many.

    One stays as long as its question or a part of it is in the log: by it they are found to be forgotten.
    """
    return await _count(
        connection,
        """
        WITH old AS (
            SELECT message_id FROM answers a
            WHERE guild_id = $1 AND message_id < $3 AND answered_at < $2
              AND NOT EXISTS (
                  SELECT FROM chat_history said
                  WHERE said.guild_id = $1 AND said.message_id = ANY(a.message_id || a.sent_ids)
              )
            ORDER BY message_id LIMIT $4 FOR UPDATE SKIP LOCKED
        ), gone AS (
            DELETE FROM answers
            WHERE guild_id = $1 AND message_id IN (SELECT message_id FROM old) RETURNING 1
        )
        SELECT count(*) FROM gone
        """,
        guild_id, before, before_id, limit,
    )  # fmt: skip


async def summaries(
    connection: Connection, *, guild_id: int, first_day: date, merged_before: datetime, limit: int
) -> int:
    """Remove `limit` texts that tell of days before `first_day`, and return how many.

    Weeks and contexts are those that were told before `merged_before`.
    """
    return await _count(
        connection,
        """
        WITH gone AS (
            DELETE FROM distillations WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM distillations
                WHERE guild_id = $1
                  AND ((kind = 'day' AND period < $2::date::text) OR (kind <> 'day' AND built_at < $3))
                LIMIT $4 FOR UPDATE SKIP LOCKED
            ))
            RETURNING 1
        )
        SELECT count(*) FROM gone
        """,
        guild_id, first_day, merged_before, limit,
    )  # fmt: skip


async def traces(connection: Connection, *, guild_id: int, first_day: date, before: datetime) -> None:
    """Remove the marks of days before `first_day`, what running conversations said before, ends and lost builds."""
    await connection.execute(
        "DELETE FROM day_marks WHERE guild_id = $1 AND day < $2", guild_id, first_day
    )  # fmt: skip
    await connection.execute(
        "DELETE FROM conversation_summaries WHERE guild_id = $1 AND updated_at < $2", guild_id, before
    )
    await connection.execute(
        "DELETE FROM ended_conversations WHERE guild_id = $1 AND ended_at < $2 AND episode_id IS NULL AND settled",
        guild_id, before,
    )  # fmt: skip
    await connection.execute(
        "DELETE FROM builds WHERE guild_id = $1 AND leased_until < clock_timestamp() - interval '1 day'",
        guild_id,
    )


async def old_facts(connection: Connection, *, guild_id: int, before: datetime, limit: int) -> list[int]:
    """Return `limit` facts that nobody told since this time.

    Forgotten ones are none: their rows hold no text, and keep it from coming back.
    """
    rows = await connection.fetch(
        """
        SELECT fact_id FROM facts f
        WHERE guild_id = $1 AND said_at < $2 AND status <> 'forgotten' AND NOT EXISTS (
            SELECT FROM fact_sources s
            WHERE s.guild_id = $1 AND s.fact_id = f.fact_id AND s.said_at >= $2 AND NOT s.ended
        )
        ORDER BY fact_id LIMIT $3
        """,
        guild_id, before, limit,
    )  # fmt: skip
    return [row["fact_id"] for row in rows]


async def unwanted_facts(
    connection: Connection, *, guild_id: int, now: datetime | None, limit: int
) -> list[int]:
    """Return `limit` facts of categories that their subjects do not want to be kept, or not for so long.

    How old one is counts from when it was told last; at no time (`None`) none is too old.
    """
    rows = await connection.fetch(
        """
        SELECT f.fact_id FROM kept_categories k
        JOIN facts f ON f.guild_id = k.guild_id AND f.subject_id = k.user_id AND f.category = k.category
        WHERE k.guild_id = $1 AND f.status <> 'forgotten' AND (NOT k.kept OR (
            f.said_at < $2::timestamptz - make_interval(days => k.days) AND NOT EXISTS (
                SELECT FROM fact_sources s
                WHERE s.guild_id = $1 AND s.fact_id = f.fact_id AND NOT s.ended
                  AND s.said_at >= $2::timestamptz - make_interval(days => k.days)
            )
        ))
        ORDER BY f.fact_id LIMIT $3
        """,
        guild_id, now, limit,
    )  # fmt: skip
    return [row["fact_id"] for row in rows]


async def unwanted_profiles(connection: Connection, *, guild_id: int, now: datetime | None) -> None:
    """Remove profiles that their members do not want to be kept, or not for so long; at no time none is too old."""
    await connection.execute(
        """
        DELETE FROM profiles p USING kept_categories k
        WHERE k.guild_id = $1 AND k.category = 'profile' AND p.guild_id = k.guild_id AND p.user_id = k.user_id
          AND (NOT k.kept OR p.learned_at < $2::timestamptz - make_interval(days => k.days))
        """,
        guild_id, now,
    )  # fmt: skip


async def profiles(connection: Connection, *, guild_id: int, before: datetime) -> None:
    """Remove what was learned of members before this time."""
    await connection.execute("DELETE FROM profiles WHERE guild_id = $1 AND learned_at < $2", guild_id, before)


async def episodes(connection: Connection, *, guild_id: int, before: datetime) -> None:
    """Remove what conversations before this time left behind."""
    await connection.execute("DELETE FROM episodes WHERE guild_id = $1 AND updated_at < $2", guild_id, before)


async def _count(connection: Connection, statement: str, *values: object) -> int:
    return int(await connection.fetchval(statement, *values))

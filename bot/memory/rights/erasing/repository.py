"""How far an erasing has come, the small rows that are a member's alone, erased members about whom others
keep notes, and the tables of a whole guild.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.db.pool import Connection
from bot.memory.messages import repository_quarantine
from bot.memory.policy.repository import TEXT_SEARCH
from bot.memory.recall.lexicon import quoted
from bot.memory.rights.rows import ERASING_JOB, KEPT_GUILDS


async def begin_erasing(
    connection: Connection,
    *,
    guild_id: int,
    user_id: int,
    opted_out: bool,
    now: datetime,
    left_before: datetime | None = None,
) -> datetime | None:
    """Note that a member is erased with all that was said until `now`, and return until when that is.

    That is later than `now` where something of theirs is kept that has a later time. From here on nothing of it is
    stored again. Who had opted out stays so. With `left_before` only who left before that and is not back is
    erased; for anybody else `None` is returned, and nothing done.
    """
    if left_before is not None:
        gone = await connection.fetchval(
            "SELECT true FROM members WHERE guild_id = $1 AND user_id = $2 AND left_at <= $3 FOR UPDATE",
            guild_id, user_id, left_before,
        )  # fmt: skip
        if not gone:
            return None
    erased_up_to: datetime = await connection.fetchval(
        """
        INSERT INTO erased AS known (guild_id, user_hash, erased_up_to, opted_out)
        VALUES (
            $1, user_hash($1, $2),
            greatest($4, (SELECT max(timestamp) FROM chat_history WHERE guild_id = $1 AND user_id = $2)),
            $3 OR EXISTS (
                SELECT FROM members WHERE guild_id = $1 AND user_id = $2 AND opted_out_at IS NOT NULL
            )
        )
        ON CONFLICT (guild_id, user_hash) DO UPDATE SET
            erased_up_to = greatest(known.erased_up_to, excluded.erased_up_to),
            opted_out    = known.opted_out OR excluded.opted_out
        RETURNING erased_up_to
        """,
        guild_id, user_id, opted_out, now,
    )  # fmt: skip
    # What was never stored is told by nobody, so it need not go in batches.
    await repository_quarantine.erase_member(connection, guild_id=guild_id, user_id=user_id)
    return erased_up_to


async def erased_until(connection: Connection, *, guild_id: int, user_id: int, now: datetime) -> datetime:
    """Return until when `begin_erasing` would erase a member at `now`."""
    up_to: datetime = await connection.fetchval(
        """
        SELECT greatest($3::timestamptz, max(timestamp)) FROM chat_history WHERE guild_id = $1 AND user_id = $2
        """,
        guild_id, user_id, now,
    )  # fmt: skip
    return up_to


@dataclass(frozen=True, slots=True)
class OpenTransaction:
    """A transaction that is open in this database."""

    backend_pid: int
    began_at: datetime
    """By the clock of the database."""


async def open_transactions(connection: Connection) -> tuple[datetime, frozenset[OpenTransaction]]:
    """Return the time of the database's clock, and the transactions of others that are open in this database then.

    One that copies the database writes nothing, and takes as long as it likes.
    """
    now: datetime = await connection.fetchval("SELECT clock_timestamp()")
    rows = await connection.fetch(
        """
        SELECT pid, xact_start FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
          AND xact_start IS NOT NULL AND application_name NOT LIKE 'pg_dump%'
        """
    )
    return now, frozenset(OpenTransaction(row["pid"], row["xact_start"]) for row in rows)


async def take_up_job(connection: Connection, *, guild_id: int, work_key: str, lease: timedelta) -> None:
    """Request the continuation of a running erasing: the next worker continues it after `lease` of real time."""
    await connection.execute(
        """
        INSERT INTO work (guild_id, kind, work_key, attempts, due_at, leased_until)
        VALUES ($1, $2, $3, 1, clock_timestamp(), clock_timestamp() + $4)
        ON CONFLICT (guild_id, kind, work_key) DO UPDATE SET leased_until = excluded.leased_until
        """,
        guild_id, ERASING_JOB, work_key, lease,
    )  # fmt: skip


async def renew_job(connection: Connection, *, guild_id: int, work_key: str, lease: timedelta) -> None:
    """Renew the lease of an erasing for the worker that runs it."""
    await connection.execute(
        """
        UPDATE work SET leased_until = clock_timestamp() + $4 WHERE guild_id = $1 AND kind = $2 AND work_key = $3
        """,
        guild_id, ERASING_JOB, work_key, lease,
    )  # fmt: skip


async def give_back_job(
    connection: Connection,
    *,
    guild_id: int,
    work_key: str,
    goes_on_as: str,
    pause: timedelta = timedelta(0),
) -> None:
    """Let any worker continue an erasing after `pause` of real time, with another key that says how far it came.

    If another worker has continued or finished it already, its state is kept.
    """
    held = await connection.fetchval(
        "SELECT true FROM work WHERE guild_id = $1 AND kind = $2 AND work_key = $3 FOR UPDATE",
        guild_id, ERASING_JOB, work_key,
    )  # fmt: skip
    if not held:
        return
    await finish_job(connection, guild_id=guild_id, work_key=goes_on_as)
    await connection.execute(
        """
        UPDATE work
        SET work_key = $4, wanted = wanted + 1, attempts = 0, due_at = clock_timestamp() + $5,
            leased_until = NULL
        WHERE guild_id = $1 AND kind = $2 AND work_key = $3
        """,
        guild_id, ERASING_JOB, work_key, goes_on_as, pause,
    )  # fmt: skip


async def finish_job(connection: Connection, *, guild_id: int, work_key: str) -> None:
    """Note that an erasing is finished: its key goes too, which names the member."""
    await connection.execute(
        "DELETE FROM work WHERE guild_id = $1 AND kind = $2 AND work_key = $3",
        guild_id,
        ERASING_JOB,
        work_key,
    )


async def drop_covered(connection: Connection, *, guild_id: int, user_id: int, up_to: datetime) -> None:
    """Remove other erasings of a member, begun or asked for, that would take nothing beyond `up_to`.

    For one that took everything until then everywhere: what was interrupted before it must not keep the id.
    """
    await connection.execute(
        """
        DELETE FROM work
        WHERE guild_id = $1 AND kind = $2 AND (work_key::jsonb ->> 'user_id')::bigint = $3
          AND coalesce((work_key::jsonb ->> 'up_to')::timestamptz, $4) <= $4
        """,
        guild_id, ERASING_JOB, user_id, up_to,
    )  # fmt: skip


async def all_guild_ids(connection: Connection) -> list[int]:
    """Return every guild that has any data, including direct messages."""
    rows = await connection.fetch(
        f"""
        WITH RECURSIVE {KEPT_GUILDS}
        SELECT guild_id FROM kept UNION SELECT DISTINCT guild_id FROM facts UNION SELECT DISTINCT guild_id FROM members
        ORDER BY guild_id
        """
    )
    return [row["guild_id"] for row in rows]


async def names_of(connection: Connection, *, guild_id: int, user_id: int) -> list[str]:
    """Return every name by which a member was ever known in a guild, told ones too."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT name FROM (
            SELECT unnest(old_names || ARRAY[user_name, display_name, nickname]) AS name
            FROM members WHERE guild_id = $1 AND user_id = $2
            UNION
            SELECT value FROM facts
            WHERE guild_id = $1 AND subject_id = $2 AND (key = 'name' OR key LIKE 'alias:%')
        ) known
        WHERE name <> '' ORDER BY name
        """,
        guild_id, user_id,
    )  # fmt: skip
    return [row["name"] for row in rows]


async def query_of_names(
    connection: Connection, *, guild_id: int, user_id: int, names: Sequence[str]
) -> str | None:
    """Return the query that finds a member by id, or by one of these names in whatever case.

    `None` where the guild is the member's direct messages: all that the bot ever said there goes.
    """
    query: str | None = await connection.fetchval(
        f"""
        SELECT string_agg('(' || query::text || ')', ' | ')
        FROM (
            SELECT phraseto_tsquery({TEXT_SEARCH}, searchable(name)) AS query FROM unnest($3::text[]) AS name
            UNION ALL SELECT $4::text::tsquery
        ) one
        WHERE numnode(query) > 0 AND NOT EXISTS (
            SELECT FROM guilds g JOIN members m USING (guild_id)
            WHERE g.guild_id = $1 AND g.direct AND m.user_id = $2
        )
        """,
        guild_id, user_id, list(names), quoted(str(user_id)),
    )  # fmt: skip
    return query


async def who_left(connection: Connection, *, guild_id: int, before: datetime, limit: int) -> Sequence[int]:
    """Return members who left a guild before this time and are not back, the first to leave first."""
    rows = await connection.fetch(
        """
        SELECT user_id FROM members WHERE guild_id = $1 AND left_at <= $2 ORDER BY left_at, user_id LIMIT $3
        """,
        guild_id, before, limit,
    )  # fmt: skip
    return [row["user_id"] for row in rows]


async def note_left_guilds(
    connection: Connection,
    *,
    bot_id: int,
    present_ids: Sequence[int],
    shard_ids: Sequence[int],
    shard_count: int,
    at: datetime,
) -> int:
    """Note that the bot was removed from the guilds of these shards in which it was a member and is not present.

    Direct messages, and guilds that it only has the history of, are none. Returns how many it was.
    """
    rows = await connection.fetch(
        """
        UPDATE guilds g SET left_at = $5
        WHERE left_at IS NULL AND NOT direct AND guild_id <> ALL($2::bigint[])
          AND (guild_id >> 22) % $4::bigint = ANY($3::bigint[])
          AND EXISTS (
              SELECT FROM members m WHERE m.guild_id = g.guild_id AND m.user_id = $1 AND m.left_at IS NULL
          )
        RETURNING 1
        """,
        bot_id, list(present_ids), list(shard_ids), shard_count, at,
    )  # fmt: skip
    return len(rows)


async def guild_has_left(connection: Connection, *, guild_id: int, before: datetime) -> bool:
    """Tell whether the bot was removed from a guild before this time, and is not back; it stays so until commit."""
    gone = await connection.fetchval(
        "SELECT true FROM guilds WHERE guild_id = $1 AND left_at <= $2 FOR UPDATE", guild_id, before
    )
    return bool(gone)


async def keep_choices(connection: Connection, *, guild_id: int) -> None:
    """Keep, by their keyed hashes alone, which members of a guild had opted out; and its cost as nobody's."""
    await connection.execute(
        """
        INSERT INTO erased (guild_id, user_hash, opted_out)
        SELECT $1, user_hash($1, user_id), true FROM members WHERE guild_id = $1 AND opted_out_at IS NOT NULL
        ON CONFLICT (guild_id, user_hash) DO UPDATE SET opted_out = true
        """,
        guild_id,
    )
    await connection.execute(
        """
        WITH spent AS (DELETE FROM usage WHERE guild_id = $1 RETURNING *)
        INSERT INTO usage AS known
            (guild_id, day, operation, model, calls, failures, input_tokens, output_tokens, cached_tokens)
        SELECT 0, day, operation, model, calls, failures, input_tokens, output_tokens, cached_tokens FROM spent
        ON CONFLICT (guild_id, day, operation, model) DO UPDATE SET
            calls = known.calls + excluded.calls, failures = known.failures + excluded.failures,
            input_tokens = known.input_tokens + excluded.input_tokens,
            output_tokens = known.output_tokens + excluded.output_tokens,
            cached_tokens = known.cached_tokens + excluded.cached_tokens
        """,
        guild_id,
    )


async def drop_guild(connection: Connection, *, guild_id: int) -> None:
    """Remove the guild itself, and all that was to be done for it but what erases it."""
    await connection.execute("DELETE FROM work WHERE guild_id = $1 AND kind <> $2", guild_id, ERASING_JOB)
    await connection.execute("DELETE FROM guilds WHERE guild_id = $1", guild_id)


async def put_waiting(connection: Connection, *, guild_id: int, user_id: int, erased_up_to: datetime) -> None:
    """Note that notes about a member wait; managers are told once."""
    await connection.execute(
        """
        INSERT INTO waiting_notes AS known (guild_id, user_id, erased_up_to) VALUES ($1, $2, $3)
        ON CONFLICT (guild_id, user_id) DO UPDATE SET
            erased_up_to = greatest(known.erased_up_to, excluded.erased_up_to)
        """,
        guild_id, user_id, erased_up_to,
    )  # fmt: skip


async def waiting_members(connection: Connection, *, guild_id: int) -> list[tuple[int, datetime]]:
    """Return whose notes wait in a guild, with the time until when they were erased; who waits longest first."""
    rows = await connection.fetch(
        "SELECT user_id, erased_up_to FROM waiting_notes WHERE guild_id = $1 ORDER BY erased_up_to, user_id",
        guild_id,
    )
    return [(row["user_id"], row["erased_up_to"]) for row in rows]


async def take_untold(connection: Connection, *, guild_id: int, now: datetime) -> frozenset[int]:
    """Return the members with waiting notes that nobody has been told about, and note that somebody is told now."""
    rows = await connection.fetch(
        "UPDATE waiting_notes SET told_at = $2 WHERE guild_id = $1 AND told_at IS NULL RETURNING user_id",
        guild_id, now,
    )  # fmt: skip
    return frozenset(row["user_id"] for row in rows)


async def untold_guild_ids(connection: Connection) -> list[int]:
    """Return the guilds in which notes wait without that anybody was told."""
    rows = await connection.fetch(
        "SELECT DISTINCT guild_id FROM waiting_notes WHERE told_at IS NULL ORDER BY guild_id"
    )
    return [row["guild_id"] for row in rows]


async def drop_waiting(connection: Connection, *, guild_id: int, user_id: int) -> None:
    """Note that nothing about a member waits any more."""
    await connection.execute(
        "DELETE FROM waiting_notes WHERE guild_id = $1 AND user_id = $2", guild_id, user_id
    )

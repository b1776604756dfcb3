"""SQL of members: the names that recognise them, and whether they are there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.domain import Member
from bot.db.pool import Connection
from bot.db.rows import columns_of, records_of, rows_as
from bot.memory.members.names import names_borne, spelling_of
from bot.memory.policy.repository import of_present

BIND_JOB: Final = "bind"
"""The kind of background work that gives members what was kept of their names while these were nobody's.

Its key is `BIND_MEMBER` or `BIND_FACT` with an id behind it.
"""

BIND_MEMBER: Final = "member:"
BIND_FACT: Final = "fact:"

ASK_TO_BIND: Final = """
    INSERT INTO work AS known (guild_id, kind, work_key, due_at)
    SELECT {guild}, {kind}, {key}, clock_timestamp() FROM {wanted} ORDER BY {guild}, {key}
    ON CONFLICT (guild_id, kind, work_key) DO UPDATE SET
        wanted = known.wanted + 1, attempts = 0, due_at = excluded.due_at
"""
"""Part of a statement that asks for this work."""


@dataclass(frozen=True, slots=True, order=True)
class NewBearer:
    """A member whose name something was kept of before it was theirs."""

    guild_id: int
    user_id: int


async def put_members(
    connection: Connection, members: Sequence[Member], *, are_here: bool = True
) -> list[NewBearer]:
    """Take up `members`, no two of one guild and id, or renew their names; who had left is there again.

    Returns those who have a name now of which something is kept as nobody's: its binding is asked for.

    Unless it is not known whether they `are_here`: then who had left stays so. A name given up is kept as an old
    one, to recognise. Of who was erased and wants nothing kept no name is.
    """
    spellings = [sorted({*map(spelling_of, names_borne(one))} - {""}) for one in members]
    asked = ASK_TO_BIND.format(guild="guild_id", kind="$3::text", key="$4::text || user_id", wanted="bearer")
    rows = await connection.fetch(
        f"""
        WITH put AS (
        INSERT INTO members AS known (guild_id, user_id, user_name, display_name, nickname, is_bot)
        SELECT guild_id, user_id, user_name, display_name, nickname, is_bot
        FROM jsonb_populate_recordset(NULL::members, $1::jsonb) AS i
        WHERE NOT EXISTS (SELECT FROM erased e WHERE e.guild_id = i.guild_id AND e.opted_out) OR NOT EXISTS (
            SELECT FROM erased e
            WHERE e.guild_id = i.guild_id AND e.user_hash = user_hash(i.guild_id, i.user_id) AND e.opted_out
        )
        ORDER BY guild_id, user_id
        ON CONFLICT (guild_id, user_id) DO UPDATE SET
            user_name = excluded.user_name, display_name = excluded.display_name,
            nickname = excluded.nickname, is_bot = excluded.is_bot, left_at = CASE WHEN NOT $2 THEN known.left_at END,
            old_names = ARRAY(
                SELECT DISTINCT name
                FROM unnest(known.old_names || ARRAY[known.user_name, known.display_name, known.nickname]) AS name
                WHERE name NOT IN ('', excluded.user_name, excluded.display_name, excluded.nickname)
                ORDER BY name
            )
        WHERE (known.user_name, known.display_name, known.nickname, known.is_bot, CASE WHEN $2 THEN known.left_at END)
            IS DISTINCT FROM
              (excluded.user_name, excluded.display_name, excluded.nickname, excluded.is_bot, NULL)
        RETURNING guild_id, user_id
        ), bearer AS (
            SELECT guild_id, user_id FROM put JOIN jsonb_to_recordset($1::jsonb) AS given (
                guild_id bigint, user_id bigint, spellings text[]
            ) USING (guild_id, user_id)
            WHERE EXISTS (
                SELECT FROM fact_about a
                WHERE a.guild_id = given.guild_id AND a.name = ANY(given.spellings) AND a.name <> ''
            )
        ), asked AS ({asked})
        SELECT guild_id, user_id FROM bearer
        """,
        records_of(members, spellings=spellings), are_here, BIND_JOB, BIND_MEMBER,
    )  # fmt: skip
    return rows_as(NewBearer, rows)


async def member_left(connection: Connection, *, guild_id: int, user_id: int, at: datetime) -> None:
    """Note that a member left a guild; what is known about them stays until their grace is over."""
    await connection.execute(
        "UPDATE members SET left_at = $3 WHERE guild_id = $1 AND user_id = $2 AND left_at IS NULL",
        guild_id, user_id, at,
    )  # fmt: skip


async def members_of(connection: Connection, *, guild_id: int, audiences: Sequence[int]) -> list[Member]:
    """Return everyone known in a guild, with names given up and those that facts of these audiences give.

    Without audiences, facts are not looked at.
    """
    if not audiences:
        rows = await connection.fetch(
            f"""
            SELECT {columns_of(Member, aliases="'{}'::text[]")} FROM members
            WHERE guild_id = $1 ORDER BY user_id
            """,
            guild_id,
        )
        return rows_as(Member, rows)
    rows = await connection.fetch(
        f"""
        SELECT {columns_of(Member, "m", aliases="coalesce(told.names, '{}')")}
        FROM members m LEFT JOIN (
            SELECT subject_id AS user_id, array_agg(DISTINCT value) AS names FROM facts
            WHERE guild_id = $1 AND audience = ANY($2::bigint[]) AND status = 'active'
              AND (key = 'name' OR key LIKE 'alias:%') AND {of_present("subject_id")}
            GROUP BY subject_id
        ) told USING (user_id)
        WHERE m.guild_id = $1 ORDER BY m.user_id
        """,
        guild_id, list(audiences),
    )  # fmt: skip
    return rows_as(Member, rows)


async def private_ids(connection: Connection, *, guild_id: int) -> list[int]:
    """Return the members of a guild about whom others are told nothing."""
    rows = await connection.fetch(
        "SELECT user_id FROM members WHERE guild_id = $1 AND private ORDER BY user_id", guild_id
    )
    return [row["user_id"] for row in rows]


async def private_ids_and_channel_names(
    connection: Connection, *, guild_id: int
) -> tuple[frozenset[int], dict[int, str]]:
    """Return the members of a guild about whom others are told nothing, and the names of its channels by id."""
    rows = await connection.fetch(
        """
        SELECT user_id AS private_id, NULL::bigint AS channel_id, NULL AS name FROM members
        WHERE guild_id = $1 AND private
        UNION ALL
        SELECT NULL, channel_id, name FROM channels WHERE guild_id = $1 AND deleted_at IS NULL
        """,
        guild_id,
    )
    return (
        frozenset(row["private_id"] for row in rows if row["private_id"] is not None),
        {row["channel_id"]: row["name"] for row in rows if row["channel_id"] is not None},
    )


async def shared_guild_ids(connection: Connection, *, user_id: int) -> list[int]:
    """Return the guilds in which a member and the bot meet, direct messages left out."""
    rows = await connection.fetch(
        """
        SELECT guild_id FROM members JOIN guilds USING (guild_id)
        WHERE user_id = $1 AND NOT direct AND members.left_at IS NULL AND guilds.left_at IS NULL
        ORDER BY guild_id
        """,
        user_id,
    )
    return [row["guild_id"] for row in rows]

"""SQL of members: the names that recognise them, and whether they are there."""

import json
from collections.abc import Sequence
from datetime import datetime

from bot.core.domain import Member
from bot.db.pool import Connection
from bot.memory.policy.repository import of_present


async def put_members(connection: Connection, members: Sequence[Member], *, are_here: bool = True) -> None:
    """Take up `members`, no two of one guild and id, or renew their names; who had left is there again.

    Unless it is not known whether they `are_here`: then who had left stays so. A name given up is kept as an old
    one, to recognise. Of who was erased and wants nothing kept no name is.
    """
    await connection.execute(
        """
        INSERT INTO members AS known (guild_id, user_id, user_name, display_name, nickname, is_bot)
        SELECT guild_id, user_id, user_name, display_name, nickname, is_bot
        FROM jsonb_to_recordset($1::jsonb) AS i (
            guild_id bigint, user_id bigint, user_name text, display_name text, nickname text, is_bot boolean
        )
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
        """,
        json.dumps([_as_json(member) for member in members]), are_here,
    )  # fmt: skip


async def member_left(connection: Connection, *, guild_id: int, user_id: int, at: datetime) -> None:
    """Note that a member left a guild; what is known about them stays until their grace is over."""
    await connection.execute(
        "UPDATE members SET left_at = $3 WHERE guild_id = $1 AND user_id = $2 AND left_at IS NULL",
        guild_id, user_id, at,
    )  # fmt: skip


async def members_of(connection: Connection, *, guild_id: int) -> list[Member]:
    """Return everyone known in a guild, with the names that they gave up."""
    rows = await connection.fetch(
        """
        SELECT guild_id, user_id, user_name, display_name, nickname, old_names, is_bot, pronouns
        FROM members WHERE guild_id = $1 ORDER BY user_id
        """,
        guild_id,
    )
    return [
        Member(
            guild_id=row["guild_id"],
            user_id=row["user_id"],
            user_name=row["user_name"],
            display_name=row["display_name"],
            nickname=row["nickname"],
            old_names=tuple(row["old_names"]),
            is_bot=row["is_bot"],
            pronouns=row["pronouns"],
        )
        for row in rows
    ]


async def told_names(
    connection: Connection, *, guild_id: int, audiences: Sequence[int]
) -> dict[int, tuple[str, ...]]:
    """Return the names that facts of these audiences give to members, by member."""
    rows = await connection.fetch(
        f"""
        SELECT subject_id, array_agg(DISTINCT value) AS names FROM facts
        WHERE guild_id = $1 AND audience = ANY($2::bigint[]) AND status = 'active'
          AND (key = 'name' OR key LIKE 'alias:%') AND {of_present("subject_id")}
        GROUP BY subject_id
        """,
        guild_id, list(audiences),
    )  # fmt: skip
    return {row["subject_id"]: tuple(row["names"]) for row in rows}


async def private_ids(connection: Connection, *, guild_id: int) -> list[int]:
    """Return the members of a guild about whom others are told nothing."""
    rows = await connection.fetch(
        "SELECT user_id FROM members WHERE guild_id = $1 AND private ORDER BY user_id", guild_id
    )
    return [row["user_id"] for row in rows]


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


def _as_json(member: Member) -> dict[str, object]:
    return {
        "guild_id": member.guild_id,
        "user_id": member.user_id,
        "user_name": member.user_name,
        "display_name": member.display_name,
        "nickname": member.nickname,
        "is_bot": member.is_bot,
    }

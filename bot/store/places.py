"""Guilds, channels and members: who and what messages speak of, and the settings of each guild."""

from collections.abc import Sequence

import asyncpg

from bot.domain import Channel, Guild, Member
from bot.errors import InvalidInputError
from bot.store.database import Connection, Row

_GUILD = "guild_id, name, direct, time_zone, text_search::text AS text_search, retention_days, persona, memory_epoch"


def _guild(row: Row) -> Guild:
    return Guild(
        guild_id=row["guild_id"],
        name=row["name"],
        time_zone=row["time_zone"],
        text_search=row["text_search"],
        retention_days=row["retention_days"],
        direct=row["direct"],
        persona=row["persona"],
        memory_epoch=row["memory_epoch"],
    )


async def add_guild(connection: Connection, guild: Guild) -> bool:
    """Take up `guild` with its settings; of a known one only the name is renewed. Tells whether it was new.

    Raises `InvalidInputError` for a time zone that the server does not know.
    """
    try:
        is_new: bool = await connection.fetchval(
            """
            INSERT INTO guilds AS known
                (guild_id, name, direct, time_zone, text_search, retention_days, joined_at)
            SELECT $1, $2, $3, $4::text, $5::text::regconfig, $6, now()
            WHERE now() AT TIME ZONE $4::text IS NOT NULL
            ON CONFLICT (guild_id) DO UPDATE SET name = excluded.name
            RETURNING xmax = 0
            """,
            guild.guild_id, guild.name, guild.direct, guild.time_zone, guild.text_search,
            guild.retention_days,
        )  # fmt: skip
    except asyncpg.InvalidParameterValueError as error:
        raise InvalidInputError(
            f"the database knows no time zone {guild.time_zone!r}: it must be one such as Europe/Berlin"
        ) from error
    return is_new


async def guild(connection: Connection, *, guild_id: int) -> Guild | None:
    """Return a guild, or `None` if it is not known."""
    row = await connection.fetchrow(f"SELECT {_GUILD} FROM guilds WHERE guild_id = $1", guild_id)
    return _guild(row) if row else None


async def guilds_named(connection: Connection, *, name: str) -> list[Guild]:
    """Return the guilds of this name, without regard to case; direct messages have no name."""
    rows = await connection.fetch(
        f"SELECT {_GUILD} FROM guilds WHERE lower(name) = lower($1) AND NOT direct ORDER BY guild_id", name
    )
    return [_guild(row) for row in rows]


async def guild_names(connection: Connection) -> list[str]:
    """Return the names of all guilds, for choosing one."""
    rows = await connection.fetch("SELECT name FROM guilds WHERE NOT direct AND name <> '' ORDER BY name")
    return [row["name"] for row in rows]


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


async def bump_epoch(connection: Connection, *, guild_id: int) -> None:
    """Begin a new epoch of a guild's memory: no text that was made before is served any more."""
    await connection.execute(
        """
        UPDATE guilds SET memory_epoch = memory_epoch + 1 WHERE guild_id = $1
        """,
        guild_id,
    )


async def put_channel(connection: Connection, channel: Channel) -> None:
    """Take up `channel`, or renew its name and audience."""
    await connection.execute(
        """
        INSERT INTO channels (guild_id, channel_id, name, audience) VALUES ($1, $2, $3, $4)
        ON CONFLICT (guild_id, channel_id) DO UPDATE SET name = excluded.name, audience = excluded.audience
        """,
        channel.guild_id, channel.channel_id, channel.name, channel.audience,
    )  # fmt: skip


async def channels(connection: Connection, *, guild_id: int) -> list[Channel]:
    """Return the channels of a guild by name."""
    rows = await connection.fetch(
        """
        SELECT guild_id, channel_id, name, audience FROM channels
        WHERE guild_id = $1 AND deleted_at IS NULL ORDER BY name, channel_id
        """,
        guild_id,
    )
    return [
        Channel(
            guild_id=row["guild_id"], channel_id=row["channel_id"], name=row["name"], audience=row["audience"]
        )
        for row in rows
    ]


async def put_members(connection: Connection, members: Sequence[Member]) -> None:
    """Take up `members`, or renew their names; a name given up is kept as an old one, to recognise."""
    await connection.executemany(
        """
        INSERT INTO members AS known (guild_id, user_id, user_name, display_name, nickname, is_bot)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (guild_id, user_id) DO UPDATE SET
            user_name = excluded.user_name, display_name = excluded.display_name,
            nickname = excluded.nickname, is_bot = excluded.is_bot,
            old_names = ARRAY(
                SELECT DISTINCT name
                FROM unnest(known.old_names || ARRAY[known.user_name, known.display_name, known.nickname]) AS name
                WHERE name NOT IN ('', excluded.user_name, excluded.display_name, excluded.nickname)
                ORDER BY name
            )
        WHERE (known.user_name, known.display_name, known.nickname, known.is_bot)
            IS DISTINCT FROM (excluded.user_name, excluded.display_name, excluded.nickname, excluded.is_bot)
        """,
        [
            (m.guild_id, m.user_id, m.user_name, m.display_name, m.nickname, m.is_bot)
            for m in sorted(members, key=lambda member: (member.guild_id, member.user_id))
        ],
    )


async def members(connection: Connection, *, guild_id: int) -> list[Member]:
    """Return everyone known in a guild; a name that was given up is an alias."""
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
            aliases=tuple(row["old_names"]),
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
        """
        SELECT subject_id, array_agg(DISTINCT value) AS names FROM facts
        WHERE guild_id = $1 AND audience = ANY($2::bigint[]) AND status = 'active'
          AND (key = 'name' OR key LIKE 'alias:%')
        GROUP BY subject_id
        """,
        guild_id, list(audiences),
    )  # fmt: skip
    return {row["subject_id"]: tuple(row["names"]) for row in rows}

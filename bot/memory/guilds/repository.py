"""SQL of guilds and channels: settings and switches, audiences, how far channels have been read, and the
guild and channel of a message in one read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import asyncpg

from bot.core.domain import (
    Channel,
    Guild,
)
from bot.core.errors import InvalidInputError
from bot.db.pool import Connection
from bot.db.rows import columns_of, json_of, records_of, row_as, rows_as
from bot.memory.guilds.settings import GUILD_SETTINGS, NEW_GUILD, GuildSetting

_WITH_PARENT: Final = {
    "hearing": "c.hearing AND coalesce(p.hearing, true)",
    "answering": "coalesce(c.answering, p.answering, 'addressed')",
    "quiet_until": "greatest(c.quiet_until, p.quiet_until)",
    "persona": "coalesce(nullif(c.persona, ''), p.persona, '')",
    "model": "coalesce(nullif(c.model, ''), p.model, '')",
}
"""The switches of a channel `c`, for which those of its parent `p` hold too."""

_CHANNEL_COLUMNS: Final = columns_of(Channel, "c", **_WITH_PARENT)

_CHANNELS: Final = """channels c
    LEFT JOIN channels p ON p.guild_id = c.guild_id AND p.channel_id = c.parent_id"""

WHOLE_GUILD: Final = 0
"""Stands for the channel where silence is that of a whole guild."""

NOW_AS_ID: Final = """((extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1420070400000) << 22"""
"""The smallest id that Discord gives to what is said from now on, which goes by real time."""


async def put_channels(connection: Connection, channels: Sequence[Channel]) -> None:
    """Take up `channels`, no two with one id; of known ones name, parent and audience are renewed.

    A thread never loses its parent: who does not know it gives none.
    A guild in which an audience changed begins a new epoch in the same statement.
    """
    await connection.execute(
        """
        WITH incoming AS (
            SELECT * FROM jsonb_populate_recordset(NULL::channels, $1::jsonb)
        ), before AS (
            SELECT c.guild_id, c.channel_id, c.audience FROM channels c
            WHERE (c.guild_id, c.channel_id) IN (SELECT i.guild_id, i.channel_id FROM incoming i)
            ORDER BY c.guild_id, c.channel_id FOR UPDATE
        ), compared AS (
            SELECT i.*, b.audience AS audience_before
            FROM incoming i LEFT JOIN before b USING (guild_id, channel_id)
        ), written AS (
            INSERT INTO channels AS known
                (guild_id, channel_id, name, audience, parent_id, hearing, answering, quiet_until, watermark)
            SELECT guild_id, channel_id, name, audience, parent_id, hearing, nullif(answering, 'addressed'),
                   quiet_until, watermark
            FROM compared ORDER BY guild_id, channel_id
            ON CONFLICT (guild_id, channel_id) DO UPDATE SET
                name = excluded.name, audience = excluded.audience,
                parent_id = coalesce(excluded.parent_id, known.parent_id), deleted_at = NULL
            WHERE (known.name, known.audience, known.parent_id, known.deleted_at) IS DISTINCT FROM
                (excluded.name, excluded.audience, coalesce(excluded.parent_id, known.parent_id), NULL)
        )
        UPDATE guilds SET memory_epoch = memory_epoch + 1
        WHERE guild_id IN (SELECT guild_id FROM compared WHERE audience <> audience_before)
        """,
        records_of(channels),
    )


async def channels_of(connection: Connection, *, guild_id: int) -> list[Channel]:
    """Return the channels and threads of a guild by name."""
    rows = await connection.fetch(
        f"""
        SELECT {_CHANNEL_COLUMNS} FROM {_CHANNELS}
        WHERE c.guild_id = $1 AND c.deleted_at IS NULL ORDER BY c.name, c.channel_id
        """,
        guild_id,
    )
    return rows_as(Channel, rows)


async def channel(connection: Connection, *, guild_id: int, channel_id: int) -> Channel | None:
    """Return a channel or thread, also a deleted one, or `None` if it is not known."""
    row = await connection.fetchrow(
        f"""
        SELECT {_CHANNEL_COLUMNS} FROM {_CHANNELS}
        WHERE c.guild_id = $1 AND c.channel_id = $2
        """,
        guild_id, channel_id,
    )  # fmt: skip
    return row_as(Channel, row)


async def direct_channels(connection: Connection, *, limit: int) -> list[Channel]:
    """Return the direct messages with the newest messages, newest first."""
    rows = await connection.fetch(
        f"""
        SELECT {_CHANNEL_COLUMNS} FROM {_CHANNELS} JOIN guilds g ON g.guild_id = c.guild_id
        WHERE g.direct AND c.channel_id = c.guild_id AND c.deleted_at IS NULL
        ORDER BY c.watermark DESC LIMIT $1
        """,
        limit,
    )  # fmt: skip
    return rows_as(Channel, rows)


async def change_channel(connection: Connection, *, was: Channel, becomes: Channel) -> bool:
    """Set those switches in which `becomes` differs from `was`; `False` if the channel is not known.

    From when it is not heard until it is heard again, the ids of what is said are noted as unheard.
    """
    changes: Mapping[str, object] = {
        name: getattr(becomes, name) for name in _WITH_PARENT if getattr(becomes, name) != getattr(was, name)
    }
    known = await connection.fetchval(
        """
        UPDATE channels SET
            hearing     = coalesce(($3::jsonb ->> 'hearing')::boolean, hearing),
            answering   = coalesce($3::jsonb ->> 'answering', answering),
            quiet_until = CASE WHEN $3::jsonb ? 'quiet_until'
                               THEN ($3::jsonb ->> 'quiet_until')::timestamptz ELSE quiet_until END,
            persona     = coalesce($3::jsonb ->> 'persona', persona),
            model       = coalesce($3::jsonb ->> 'model', model)
        WHERE guild_id = $1 AND channel_id = $2
        RETURNING true
        """,
        was.guild_id, was.channel_id, json_of(changes),
    )  # fmt: skip
    if known and "hearing" in changes:
        await note_silence(
            connection, guild_id=becomes.guild_id, channel_id=becomes.channel_id, hearing=becomes.hearing
        )
    return bool(known)


async def note_silence(connection: Connection, *, guild_id: int, channel_id: int, hearing: bool) -> None:
    """Note that a channel is heard again from now on, or not heard any more; channel 0 is the whole guild."""
    if hearing:
        await connection.execute(
            f"""
            UPDATE unheard SET to_id = {NOW_AS_ID}
            WHERE guild_id = $1 AND channel_id = $2 AND to_id IS NULL
            """,
            guild_id, channel_id,
        )  # fmt: skip
    else:
        await connection.execute(
            f"""
            INSERT INTO unheard (guild_id, channel_id, from_id)
            SELECT $1, $2, {NOW_AS_ID}
            WHERE NOT EXISTS (SELECT FROM unheard WHERE guild_id = $1 AND channel_id = $2 AND to_id IS NULL)
            ON CONFLICT DO NOTHING
            """,
            guild_id, channel_id,
        )  # fmt: skip


async def drop_channels(
    connection: Connection, *, guild_id: int, channel_ids: Sequence[int], at: datetime
) -> None:
    """Note that these channels and their threads were deleted; what was said in them stays."""
    await connection.execute(
        """
        UPDATE channels SET deleted_at = $3
        WHERE guild_id = $1 AND deleted_at IS NULL
          AND (channel_id = ANY($2::bigint[]) OR parent_id = ANY($2::bigint[]))
        """,
        guild_id, list(channel_ids), at,
    )  # fmt: skip


async def raise_watermarks(connection: Connection, watermarks: Mapping[int, Mapping[int, int]]) -> None:
    """Raise the watermark of each of these channels, by guild and channel, where it is lower.

    Unknown channels are left out. In one statement for all guilds, in one order for all who write: two of them never
    wait for each other.
    """
    rows = sorted(
        (guild_id, channel_id, message_id)
        for guild_id, marks in watermarks.items()
        for channel_id, message_id in marks.items()
    )
    await connection.execute(
        """
        WITH higher AS MATERIALIZED (
            SELECT c.guild_id, c.channel_id, higher.message_id
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS higher (guild_id, channel_id, message_id)
            JOIN channels c USING (guild_id, channel_id)
            WHERE c.watermark < higher.message_id
            ORDER BY c.guild_id, c.channel_id FOR NO KEY UPDATE OF c
        )
        UPDATE channels SET watermark = higher.message_id FROM higher
        WHERE channels.guild_id = higher.guild_id AND channels.channel_id = higher.channel_id
          AND channels.watermark < higher.message_id
        """,
        *(list(column) for column in zip(*rows, strict=True)),
    )


async def begin(connection: Connection, *, guild_id: int, last_ids: Mapping[int, int]) -> None:
    """Note of each of these channels, by its id, the last message before those that are to be heard."""
    await connection.execute(
        """
        UPDATE channels
        SET watermark = greatest(watermark, last.message_id), beginning = least(beginning, last.message_id + 1)
        FROM unnest($2::bigint[], $3::bigint[]) AS last (channel_id, message_id)
        WHERE channels.guild_id = $1 AND channels.channel_id = last.channel_id
        """,
        guild_id, list(last_ids.keys()), list(last_ids.values()),
    )  # fmt: skip


async def lower_beginning(connection: Connection, *, guild_id: int, channel_id: int, message_id: int) -> None:
    """Note that the past of a channel has been read down to this message; it is only ever lowered."""
    await connection.execute(
        """
        UPDATE channels SET beginning = least(beginning, $3)
        WHERE guild_id = $1 AND channel_id = $2
        """,
        guild_id, channel_id, message_id,
    )  # fmt: skip


async def beginnings(connection: Connection, *, guild_id: int) -> dict[int, int]:
    """Return, by channel, down to which message the past has been read, where any was."""
    rows = await connection.fetch(
        "SELECT channel_id, beginning FROM channels WHERE guild_id = $1 AND beginning IS NOT NULL", guild_id
    )
    return {row["channel_id"]: row["beginning"] for row in rows}


_RIGHTS: Final = {one.field: one.key for one in GUILD_SETTINGS.values() if one.key is not None}
"""The keys of `guilds.rights`, by the names that `Guild` has for them."""


def right_of(setting: GuildSetting) -> str:
    """Return the SQL for a setting of a guild `g` that stands in its `rights`, and what it is unless set."""
    default = getattr(NEW_GUILD, setting.field)
    value = f"(g.rights ->> '{setting.key}')::{setting.value.sql_type}"
    return value if default is None else f"coalesce({value}, '{default}')"


_SETTINGS: Final = {
    "text_search": "g.text_search::text",
    "pings": "coalesce((g.voice ->> 'pings')::boolean, false)",
    **{one.field: right_of(one) for one in GUILD_SETTINGS.values() if one.key is not None},
}
"""Where the settings of a guild `g` stand that have no column of their own, and what they are unless set."""

_CHANGED_COLUMNS: Final = ", ".join(
    f"{one.field} = CASE WHEN w ? '{one.field}' THEN (w ->> '{one.field}')::{one.value.sql_type} ELSE {one.field} END"
    for one in GUILD_SETTINGS.values()
    if one.key is None and one.field != "pings"
)
"""What sets those that have a column of their own, from the object `w` of those that change."""

_GUILD_COLUMNS: Final = columns_of(Guild, "g", **_SETTINGS)


async def add_guild(connection: Connection, guild: Guild) -> bool:
    """Take up `guild` with its settings; of a known one only the name is renewed, and it is no longer left.

    Tells whether it was new. Raises `InvalidInputError` for a time zone that the server does not know.
    """
    await _check_time_zone(connection, guild.time_zone)
    is_new: bool = await connection.fetchval(
        """
        INSERT INTO guilds AS known
            (guild_id, name, direct, time_zone, text_search, retention_days, base_role_id, persona,
             voice, rights, joined_at)
        VALUES ($1, $2, $3, $4, $5::text::regconfig, $6, $7, $8,
            jsonb_build_object('pings', $9::boolean), $10::jsonb, now())
        ON CONFLICT (guild_id) DO UPDATE SET name = excluded.name, left_at = NULL
        RETURNING xmax = 0
        """,
        guild.guild_id, guild.name, guild.direct, guild.time_zone, guild.text_search, guild.retention_days,
        guild.base_role_id, guild.persona, guild.pings,
        json_of({key: getattr(guild, name) for name, key in _RIGHTS.items()}),
    )  # fmt: skip
    return is_new


async def guild(connection: Connection, *, guild_id: int) -> Guild | None:
    """Return a guild, or `None` if it is not known."""
    row = await connection.fetchrow(f"SELECT {_GUILD_COLUMNS} FROM guilds g WHERE guild_id = $1", guild_id)
    return row_as(Guild, row)


async def base_roles(connection: Connection, *, guild_ids: Sequence[int]) -> dict[int, int]:
    """Return the base roles of those of these guilds in which it is not @everyone."""
    rows = await connection.fetch(
        """
        SELECT guild_id, base_role_id FROM guilds
        WHERE guild_id = ANY($1::bigint[]) AND base_role_id IS NOT NULL
        """,
        list(guild_ids),
    )
    return {row["guild_id"]: row["base_role_id"] for row in rows}


async def guilds_named(connection: Connection, *, name: str) -> list[Guild]:
    """Return the guilds of this name, without regard to case; direct messages have no name."""
    rows = await connection.fetch(
        f"SELECT {_GUILD_COLUMNS} FROM guilds g"
        " WHERE lower(name) = lower($1) AND NOT direct ORDER BY guild_id",
        name,
    )
    return rows_as(Guild, rows)


async def guild_names(connection: Connection) -> list[str]:
    """Return the names of all guilds, for choosing one."""
    rows = await connection.fetch("SELECT name FROM guilds WHERE NOT direct AND name <> '' ORDER BY name")
    return [row["name"] for row in rows]


async def change_guild(
    connection: Connection, *, guild_id: int, changes: Mapping[str, object]
) -> Guild | None:
    """Set the settings named in `changes`, as `Guild` names them, and return the guild; `None` if unknown.

    Another base role begins a new epoch, and so does it that consent is asked for, or no longer. Another time
    zone moves what was said to other days, so all days are marked as changed. From when the guild is not heard
    until it is heard again, the ids of what is said are noted as unheard. Raises `InvalidInputError` for a time
    zone that the server does not know.
    """
    if "time_zone" in changes:
        await _check_time_zone(connection, str(changes["time_zone"]))
        await _mark_all_days(connection, guild_id=guild_id)
    row = await connection.fetchrow(
        f"""
        WITH wanted AS (SELECT $2::jsonb AS w)
        UPDATE guilds g SET
            name = coalesce(w ->> 'name', name), {_CHANGED_COLUMNS},
            voice = voice || CASE WHEN w ? 'pings' THEN jsonb_build_object('pings', w -> 'pings') ELSE '{{}}' END,
            rights = rights || $3::jsonb,
            memory_epoch = memory_epoch + CASE
                WHEN w ? 'base_role_id' AND (w ->> 'base_role_id')::bigint IS DISTINCT FROM base_role_id
                  OR w ->> 'consent' <> coalesce(rights ->> 'consent', 'presumed')
                THEN 1 ELSE 0 END
        FROM wanted
        WHERE guild_id = $1
        RETURNING {_GUILD_COLUMNS}
        """,
        guild_id, json_of(changes),
        json_of({key: changes[name] for name, key in _RIGHTS.items() if name in changes}),
    )  # fmt: skip
    if row and "consent" in changes:
        await connection.execute("DELETE FROM conversation_summaries WHERE guild_id = $1", guild_id)
    if row and "hearing" in changes:
        await note_silence(
            connection,
            guild_id=guild_id,
            channel_id=WHOLE_GUILD,
            hearing=bool(changes["hearing"]),
        )
    return row_as(Guild, row)


async def text_searches(connection: Connection) -> list[str]:
    """Return the text-search configurations that the server has, such as `english`."""
    rows = await connection.fetch(
        "SELECT cfgname FROM pg_ts_config WHERE pg_ts_config_is_visible(oid) ORDER BY cfgname"
    )
    return [row["cfgname"] for row in rows]


async def guild_left(connection: Connection, *, guild_id: int, at: datetime) -> None:
    """Note that the bot was removed from a guild; what is kept of it stays until its grace is over."""
    await connection.execute(
        "UPDATE guilds SET left_at = $2 WHERE guild_id = $1 AND left_at IS NULL", guild_id, at
    )


NEW_EPOCH: Final = """
    begun AS (
        UPDATE guilds SET memory_epoch = memory_epoch + 1 WHERE guild_id = $1 RETURNING 1
    )
    DELETE FROM distillations
    -- The guild first, as everybody holds it before its texts.
    WHERE (SELECT count(*) FROM begun) >= 0 AND guild_id = $1 AND kind IN ('historical', 'context')
"""
"""The end of a statement about the guild $1 that does what `bump_epoch` does."""


async def bump_epoch(connection: Connection, *, guild_id: int, with_texts: bool = True) -> None:
    """Begin a new epoch of a guild's memory: texts made before are no longer served.

    Weeks and contexts are deleted at once, since their parts cannot be traced. Pass `with_texts=False` if they still
    have to be counted.
    """
    await connection.execute(f"WITH {NEW_EPOCH} AND $2::boolean", guild_id, with_texts)


async def first_joined_at(connection: Connection) -> datetime | None:
    """Return when the bot came to the first of its guilds; `None` if that is not known of any."""
    at: datetime | None = await connection.fetchval("SELECT min(joined_at) FROM guilds")
    return at


async def _check_time_zone(connection: Connection, time_zone: str) -> None:
    try:
        await connection.fetchval("SELECT now() AT TIME ZONE $1::text", time_zone)
    except asyncpg.InvalidParameterValueError as error:
        raise InvalidInputError(
            f"the database knows no time zone {time_zone!r}: it must be one such as Europe/Berlin"
        ) from error


async def _mark_all_days(connection: Connection, *, guild_id: int) -> None:
    """Mark every day as changed on which something was said, in whatever zone that day may be told.

    What moves to another day is taken back from its own.
    """
    # The dates of one moment differ by two days at most, from UTC-12 to UTC+14.
    await connection.execute(
        """
        INSERT INTO day_marks AS mark (guild_id, audience, day)
        SELECT DISTINCT guild_id, audience, day + shift FROM day_marks, generate_series(-2, 2) AS shift
        WHERE guild_id = $1 ORDER BY guild_id, audience, day + shift
        ON CONFLICT (guild_id, audience, day) DO UPDATE
            SET version = mark.version + 1, rewritten = mark.version + 1, taken_back = mark.version + 1
        """,
        guild_id,
    )


@dataclass(frozen=True, slots=True)
class Place:
    """A guild and a channel with all that holds there; `None` for what is not known."""

    guild: Guild | None
    channel: Channel | None


PLACE_COLUMNS: Final = f"""{columns_of(Guild, "g", into="guild", **_SETTINGS)},
    {columns_of(Channel, "c", into="channel", **_WITH_PARENT)}"""
PLACE_TABLES: Final = """(SELECT $1::bigint AS guild_id) AS asked
    LEFT JOIN guilds g USING (guild_id)
    LEFT JOIN channels c ON c.guild_id = $1 AND c.channel_id = $2
    LEFT JOIN channels p ON p.guild_id = c.guild_id AND p.channel_id = c.parent_id"""
"""One row with the place of the guild $1 and the channel $2, to be read as a `Place`."""


async def place(connection: Connection, *, guild_id: int, channel_id: int) -> Place:
    """Return the guild and the channel with these ids."""
    row = await connection.fetchrow(f"SELECT {PLACE_COLUMNS} FROM {PLACE_TABLES}", guild_id, channel_id)
    if row is None:
        raise AssertionError("a row of one value is always there")
    return row_as(Place, row)

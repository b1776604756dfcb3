"""Guilds, and the settings of each."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Final

import asyncpg

from bot.choices import Consent, ForgettingOthers, RememberingOthers, TellingOthers
from bot.domain import Guild
from bot.errors import InvalidInputError
from bot.store import channels, summaries
from bot.store.database import Connection, Row

SETTINGS: Final = """g.name AS guild_name, g.direct, g.time_zone, g.text_search::text AS text_search,
    g.retention_days, g.base_role_id, g.persona, g.memory_epoch,
    coalesce((g.voice ->> 'pings')::boolean, false) AS pings,
    coalesce(g.rights ->> 'remember_others', 'everyone') AS remembering_others,
    coalesce(g.rights ->> 'forget_others', 'tellers') AS forgetting_others,
    coalesce(g.rights ->> 'tell_others', 'said') AS telling_others,
    coalesce(g.rights ->> 'consent', 'presumed') AS consent,
    coalesce((g.rights ->> 'hearing')::boolean, true) AS guild_hearing,
    (g.rights ->> 'log_channel')::bigint AS log_channel_id"""
"""The columns of a guild `g`, as `guild_in` reads them beside the `guild_id`."""


_RIGHTS: Final = {
    "remembering_others": "remember_others",
    "forgetting_others": "forget_others",
    "telling_others": "tell_others",
    "consent": "consent",
    "hearing": "hearing",
    "log_channel_id": "log_channel",
}
"""The keys of `guilds.rights`, by the names that `Guild` has for them."""


def guild_in(row: Row) -> Guild:
    """Return the guild in a row of the columns `SETTINGS`."""
    return Guild(
        guild_id=row["guild_id"],
        name=row["guild_name"],
        time_zone=row["time_zone"],
        text_search=row["text_search"],
        retention_days=row["retention_days"],
        direct=row["direct"],
        persona=row["persona"],
        memory_epoch=row["memory_epoch"],
        base_role_id=row["base_role_id"],
        pings=row["pings"],
        remembering_others=RememberingOthers(row["remembering_others"]),
        forgetting_others=ForgettingOthers(row["forgetting_others"]),
        telling_others=TellingOthers(row["telling_others"]),
        consent=Consent(row["consent"]),
        hearing=row["guild_hearing"],
        log_channel_id=row["log_channel_id"],
    )


async def add(connection: Connection, guild: Guild) -> bool:
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
        json.dumps({key: getattr(guild, name) for name, key in _RIGHTS.items()}),
    )  # fmt: skip
    return is_new


async def guild(connection: Connection, *, guild_id: int) -> Guild | None:
    """Return a guild, or `None` if it is not known."""
    row = await connection.fetchrow(
        f"SELECT g.guild_id, {SETTINGS} FROM guilds g WHERE guild_id = $1", guild_id
    )
    return guild_in(row) if row else None


async def named(connection: Connection, *, name: str) -> list[Guild]:
    """Return the guilds of this name, without regard to case; direct messages have no name."""
    rows = await connection.fetch(
        f"SELECT g.guild_id, {SETTINGS} FROM guilds g WHERE lower(name) = lower($1) AND NOT direct ORDER BY guild_id",
        name,
    )
    return [guild_in(row) for row in rows]


async def names(connection: Connection) -> list[str]:
    """Return the names of all guilds, for choosing one."""
    rows = await connection.fetch("SELECT name FROM guilds WHERE NOT direct AND name <> '' ORDER BY name")
    return [row["name"] for row in rows]


async def change(connection: Connection, *, guild_id: int, changes: Mapping[str, object]) -> Guild | None:
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
            name           = coalesce(w ->> 'name', name),
            time_zone      = coalesce(w ->> 'time_zone', time_zone),
            text_search    = coalesce((w ->> 'text_search')::regconfig, text_search),
            retention_days = CASE WHEN w ? 'retention_days'
                                  THEN (w ->> 'retention_days')::integer ELSE retention_days END,
            persona        = coalesce(w ->> 'persona', persona),
            base_role_id   = CASE WHEN w ? 'base_role_id'
                                  THEN (w ->> 'base_role_id')::bigint ELSE base_role_id END,
            voice          = CASE WHEN w ? 'pings'
                                  THEN voice || jsonb_build_object('pings', w -> 'pings') ELSE voice END,
            rights         = rights || $3::jsonb,
            memory_epoch   = memory_epoch + CASE
                WHEN w ? 'base_role_id' AND (w ->> 'base_role_id')::bigint IS DISTINCT FROM base_role_id
                  OR w ->> 'consent' <> coalesce(rights ->> 'consent', 'presumed')
                THEN 1 ELSE 0 END
        FROM wanted
        WHERE guild_id = $1
        RETURNING g.guild_id, {SETTINGS}
        """,
        guild_id, json.dumps(changes),
        json.dumps({key: changes[name] for name, key in _RIGHTS.items() if name in changes}),
    )  # fmt: skip
    if row and "consent" in changes:
        await summaries.drop_all(connection, guild_id=guild_id)
    if row and "hearing" in changes:
        await channels.note_silence(
            connection,
            guild_id=guild_id,
            channel_id=channels.WHOLE_GUILD,
            hearing=bool(changes["hearing"]),
        )
    return guild_in(row) if row else None


async def text_searches(connection: Connection) -> list[str]:
    """Return the text-search configurations that the server has, such as `english`."""
    rows = await connection.fetch(
        "SELECT cfgname FROM pg_ts_config WHERE pg_ts_config_is_visible(oid) ORDER BY cfgname"
    )
    return [row["cfgname"] for row in rows]


async def left(connection: Connection, *, guild_id: int, at: datetime) -> None:
    """Note that the bot was removed from a guild; what is kept of it stays until its grace is over."""
    await connection.execute(
        "UPDATE guilds SET left_at = $2 WHERE guild_id = $1 AND left_at IS NULL", guild_id, at
    )


async def bump_epoch(connection: Connection, *, guild_id: int) -> None:
    """Begin a new epoch of a guild's memory: no text that was made before is served any more."""
    await connection.execute(
        """
        UPDATE guilds SET memory_epoch = memory_epoch + 1 WHERE guild_id = $1
        """,
        guild_id,
    )


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

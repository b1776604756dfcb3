"""Channels and threads: their audience, their switches, and how far they have been read.

What is read here is what holds: a thread is heard only where its parent is, is quiet as long as either of them
is, and answers as was chosen for it, else as its parent does.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from bot.choices import Answering
from bot.domain import Channel
from bot.store.database import Connection, Row

HOLDING: Final = """c.channel_id, c.name, c.audience, c.parent_id, c.watermark,
    c.hearing AND coalesce(p.hearing, true) AS hearing,
    coalesce(c.answering, p.answering, 'addressed') AS answering,
    greatest(c.quiet_until, p.quiet_until) AS quiet_until"""
"""The columns of a channel `c` with its parent `p`, as `channel_in` reads them beside the `guild_id`."""

_CHANNELS: Final = """channels c
    LEFT JOIN channels p ON p.guild_id = c.guild_id AND p.channel_id = c.parent_id"""

WHOLE_GUILD: Final = 0
"""Stands for the channel where silence is that of a whole guild."""

NOW_AS_ID: Final = """((extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1420070400000) << 22"""
"""The smallest id that Discord gives to what is said from now on, which goes by real time."""


def channel_in(row: Row) -> Channel:
    """Return the channel in a row of the columns `HOLDING`."""
    return Channel(
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        name=row["name"],
        audience=row["audience"],
        parent_id=row["parent_id"],
        hearing=row["hearing"],
        answering=Answering(row["answering"]),
        quiet_until=row["quiet_until"],
        watermark=row["watermark"],
    )


async def put(connection: Connection, channels: Sequence[Channel]) -> None:
    """Take up `channels`, no two with one id; of known ones name, parent and audience are renewed.

    A thread never loses its parent: who does not know it gives none.
    A guild in which an audience changed begins a new epoch in the same statement.
    """
    await connection.execute(
        """
        WITH incoming AS (
            SELECT * FROM jsonb_to_recordset($1::jsonb) AS i (
                guild_id bigint, channel_id bigint, name text, audience bigint, parent_id bigint,
                hearing boolean, answering text, quiet_until timestamptz, watermark bigint
            )
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
            SELECT guild_id, channel_id, name, audience, parent_id, hearing, answering, quiet_until, watermark
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
        json.dumps([_as_json(channel) for channel in channels]),
    )


async def of_guild(connection: Connection, *, guild_id: int) -> list[Channel]:
    """Return the channels and threads of a guild by name."""
    rows = await connection.fetch(
        f"""
        SELECT c.guild_id, {HOLDING} FROM {_CHANNELS}
        WHERE c.guild_id = $1 AND c.deleted_at IS NULL ORDER BY c.name, c.channel_id
        """,
        guild_id,
    )
    return [channel_in(row) for row in rows]


async def channel(connection: Connection, *, guild_id: int, channel_id: int) -> Channel | None:
    """Return a channel or thread, also a deleted one, or `None` if it is not known."""
    row = await connection.fetchrow(
        f"""
        SELECT c.guild_id, {HOLDING} FROM {_CHANNELS}
        WHERE c.guild_id = $1 AND c.channel_id = $2
        """,
        guild_id, channel_id,
    )  # fmt: skip
    return channel_in(row) if row else None


async def direct(connection: Connection, *, limit: int) -> list[Channel]:
    """Return the direct messages with the newest messages, newest first."""
    rows = await connection.fetch(
        f"""
        SELECT c.guild_id, {HOLDING} FROM {_CHANNELS} JOIN guilds g ON g.guild_id = c.guild_id
        WHERE g.direct AND c.channel_id = c.guild_id AND c.deleted_at IS NULL
        ORDER BY c.watermark DESC LIMIT $1
        """,
        limit,
    )  # fmt: skip
    return [channel_in(row) for row in rows]


async def change(connection: Connection, *, was: Channel, becomes: Channel) -> bool:
    """Set those switches in which `becomes` differs from `was`; `False` if the channel is not known.

    From when it is not heard until it is heard again, the ids of what is said are noted as unheard.
    """
    changes: Mapping[str, object] = {
        name: value for name, value in _switches(becomes).items() if value != _switches(was)[name]
    }
    known = await connection.fetchval(
        """
        UPDATE channels SET
            hearing     = coalesce(($3::jsonb ->> 'hearing')::boolean, hearing),
            answering   = coalesce($3::jsonb ->> 'answering', answering),
            quiet_until = CASE WHEN $3::jsonb ? 'quiet_until'
                               THEN ($3::jsonb ->> 'quiet_until')::timestamptz ELSE quiet_until END
        WHERE guild_id = $1 AND channel_id = $2
        RETURNING true
        """,
        was.guild_id, was.channel_id, json.dumps(changes),
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


async def drop(connection: Connection, *, guild_id: int, channel_ids: Sequence[int], at: datetime) -> None:
    """Note that these channels and their threads were deleted; what was said in them stays."""
    await connection.execute(
        """
        UPDATE channels SET deleted_at = $3
        WHERE guild_id = $1 AND deleted_at IS NULL
          AND (channel_id = ANY($2::bigint[]) OR parent_id = ANY($2::bigint[]))
        """,
        guild_id, list(channel_ids), at,
    )  # fmt: skip


async def raise_watermarks(connection: Connection, *, guild_id: int, watermarks: Mapping[int, int]) -> None:
    """Raise the watermark of each of these channels, by its id, where it is lower; unknown ones are left out."""
    await connection.execute(
        """
        UPDATE channels SET watermark = higher.message_id
        FROM unnest($2::bigint[], $3::bigint[]) AS higher (channel_id, message_id)
        WHERE channels.guild_id = $1 AND channels.channel_id = higher.channel_id
          AND channels.watermark < higher.message_id
        """,
        guild_id, list(watermarks.keys()), list(watermarks.values()),
    )  # fmt: skip


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


def _as_json(channel: Channel) -> dict[str, object]:
    switches = _switches(channel)
    if channel.answering is Answering.ADDRESSED:
        switches["answering"] = None
    return switches | {
        "guild_id": channel.guild_id,
        "channel_id": channel.channel_id,
        "name": channel.name,
        "audience": channel.audience,
        "parent_id": channel.parent_id,
        "watermark": channel.watermark,
    }


def _switches(channel: Channel) -> dict[str, object]:
    return {
        "hearing": channel.hearing,
        "answering": channel.answering,
        "quiet_until": channel.quiet_until.isoformat() if channel.quiet_until else None,
    }

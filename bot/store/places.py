"""The place of a message: its guild and its channel, read together."""

from dataclasses import dataclass

from bot.domain import Channel, Guild
from bot.store.channels import HOLDING, channel_in
from bot.store.database import Connection
from bot.store.guilds import SETTINGS, guild_in


@dataclass(frozen=True, slots=True)
class Place:
    """A guild and a channel with all that holds there; `None` for what is not known."""

    guild: Guild | None
    channel: Channel | None


async def place(connection: Connection, *, guild_id: int, channel_id: int) -> Place:
    """Return the guild and the channel with these ids."""
    row = await connection.fetchrow(
        f"""
        SELECT guild_id, guild.*, channel.* FROM (SELECT $1::bigint AS guild_id) AS asked
        LEFT JOIN (SELECT {SETTINGS} FROM guilds g WHERE g.guild_id = $1) AS guild ON true
        LEFT JOIN (
            SELECT {HOLDING} FROM channels c
            LEFT JOIN channels p ON p.guild_id = c.guild_id AND p.channel_id = c.parent_id
            WHERE c.guild_id = $1 AND c.channel_id = $2
        ) AS channel ON true
        """,
        guild_id, channel_id,
    )  # fmt: skip
    if row is None:
        raise AssertionError("a row of one value is always there")
    return Place(
        guild=guild_in(row) if row["guild_name"] is not None else None,
        channel=channel_in(row) if row["channel_id"] is not None else None,
    )

"""A guild as the REST API tells it, for work that needs no connection to the gateway."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

import aiohttp
import discord

from bot.errors import DiscordError, InvalidInputError
from bot.faces.discord import library_log
from bot.faces.discord.addresses import point_at
from bot.faces.discord.discord_time import DiscordTime
from bot.faces.discord.requests import Requests
from bot.faces.discord.start_errors import UNREACHABLE, explained, token_of
from bot.settings import Settings

if TYPE_CHECKING:
    from discord.types.guild import Guild as GuildData


@asynccontextmanager
async def logged_in(
    settings: Settings, *, http_trace: aiohttp.TraceConfig | None = None
) -> AsyncIterator[discord.Client]:
    """Give a client that is logged in and hears nothing. Raises `DiscordError` if Discord does not let it in."""
    token = token_of(settings)
    library_log.take_over()
    point_at(settings)
    async with discord.Client(
        intents=discord.Intents(guilds=True), http_trace=http_trace or DiscordTime().watch()
    ) as client:
        Requests().guard(client)
        try:
            await client.login(token)
        except UNREACHABLE as error:
            raise DiscordError("Discord cannot be reached: look at the network, and try again") from error
        except Exception as error:
            raise explained(error) from error
        yield client


async def guilds_to_read(
    client: discord.Client, settings: Settings, guild_id: int | None
) -> list[discord.Guild]:
    """Return the guild with this id, or all that the bot is in and may be in, with channels and active threads.

    Raises `InvalidInputError` if the bot is not in it.
    """
    allowed = settings.allowed_guilds
    ids = [guild.id async for guild in client.fetch_guilds(limit=None, with_counts=False)]
    ids = [one for one in ids if not allowed or one in allowed]
    if guild_id is not None and guild_id not in ids:
        known = ", ".join(map(str, sorted(ids))) or "none yet"
        raise InvalidInputError(f"the bot is in no guild {guild_id} that it may read; it is in: {known}")
    return [await _whole(client, one) for one in ids if guild_id in (None, one)]


async def _whole(client: discord.Client, guild_id: int) -> discord.Guild:
    """Return a guild as a gateway would tell it: with channels, threads, and the bot as its one member."""
    if client.user is None:
        raise AssertionError("only a client that is logged in knows its guilds")
    http = client.http
    active = await http.get_active_threads(guild_id)
    data = {
        **await http.get_guild(guild_id, with_counts=False),
        "channels": await http.get_all_guild_channels(guild_id),
        "threads": active["threads"],
        "members": [await http.get_member(guild_id, client.user.id)],
    }
    # What the library offers for this leaves out channels and the bot's roles, and so every permission.
    return discord.Guild(data=cast("GuildData", data), state=client._connection)

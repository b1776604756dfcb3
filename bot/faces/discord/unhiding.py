"""Channels that came into sight without a word: the client goes on knowing them as they were hidden from it.

Discord blanks a channel that the bot may not view, and says nothing of it when a role shows it. What is asked for
instead is given to the library as the update that did not come; there is no other way to renew what it knows.
"""

import logging

import discord

from bot.faces.discord.audiences import HIDDEN_NAME, is_hidden
from bot.faces.discord.reading_back import Pace

logger = logging.getLogger(__name__)


async def unhide(guild: discord.Guild, pace: Pace) -> None:
    """Ask for the channels of `guild` that the bot may view though they are known as hidden ones, if there are any.

    Raises what the library raises.
    """
    stale = {
        channel.id
        for channel in guild.channels
        if is_hidden(channel) and channel.permissions_for(guild.me).view_channel
    }
    if not stale:
        return
    await pace.turn()
    for told in await guild._state.http.get_all_guild_channels(guild.id):
        if int(told["id"]) in stale and told["name"] != HIDDEN_NAME:
            logger.info("channel %s of guild %d came into sight", told["id"], guild.id)
            guild._state.parsers["CHANNEL_UPDATE"]({**told, "guild_id": str(guild.id)})

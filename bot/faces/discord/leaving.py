"""Leaving a guild that the settings do not allow, with a word."""

import logging

import aiohttp
import discord

from bot.conversation.texts import say
from bot.domain import OPEN
from bot.faces.discord.audiences import audience_of, can_write
from bot.faces.discord.sentences import Sentence, language_of
from bot.log import trace

logger = logging.getLogger(__name__)


def place_to_speak(guild: discord.Guild) -> discord.TextChannel | None:
    """Return where the bot says something to all of `guild`: its system channel, else the first it can write in."""
    system = guild.system_channel
    if system is not None and can_write(system):
        return system
    return next((channel for channel in guild.text_channels if can_write(channel)), None)


def place_for_everyone(guild: discord.Guild, *, base_role_id: int | None) -> discord.TextChannel | None:
    """Return where the bot says something that every member may read; `None` while there is no such channel."""
    rooms = [*([guild.system_channel] if guild.system_channel is not None else []), *guild.text_channels]
    return next(
        (room for room in rooms if can_write(room) and is_for_everyone(room, base_role_id=base_role_id)), None
    )


def is_for_everyone(room: discord.TextChannel, *, base_role_id: int | None) -> bool:
    """Tell whether the guild's base role reads `room`."""
    return audience_of(room, base_role_id=base_role_id) == OPEN


async def leave(guild: discord.Guild) -> None:
    """Say in `guild` that the bot is not for it, and leave; nothing of it is stored."""
    channel = place_to_speak(guild)
    try:
        if channel is not None:
            await channel.send(say(Sentence.NOT_ALLOWED, language_of(guild.preferred_locale)))
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        logger.warning("guild %d was left without a word: %s", guild.id, trace(error))
    await guild.leave()

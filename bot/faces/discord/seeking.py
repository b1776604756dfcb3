"""Asking Discord for members whose names are not known here."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import discord

from bot.domain import Member
from bot.faces.discord.translate import member_of
from bot.log import trace

logger = logging.getLogger(__name__)

_SECONDS: Final = 3.0
"""Real seconds that a reply waits for Discord to look up a name."""

_MOST_FOUND: Final = 5

_LIKE_A_NAME: Final = re.compile(r"@?(?=\S*\w)\S{2,32}(?:\s\S{1,32}){0,2}")
"""One to three words; what Discord compares is how names begin, and none is longer than 32 characters."""


def sought(guild: discord.Guild) -> Callable[[str], Awaitable[Sequence[Member]]]:
    """Return what finds members of `guild` by a name: five at most, none if it takes Discord too long."""

    async def seek(name: str) -> Sequence[Member]:
        asked = name.strip()
        if len(asked) > 32 or not _LIKE_A_NAME.fullmatch(asked):
            return []
        try:
            async with asyncio.timeout(_SECONDS):
                found = await guild.query_members(asked.removeprefix("@"), limit=_MOST_FOUND)
        except (TimeoutError, discord.DiscordException, OSError) as error:
            logger.info("guild %d was asked for a name in vain: %s", guild.id, trace(error))
            return []
        return [member_of(member, guild_id=guild.id) for member in found]

    return seek

"""Telling managers, once, that notes of others about an erased member wait for them in closed channels."""

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Final

import aiohttp
import discord

from bot.conversation.desk.waiting import WaitingText
from bot.conversation.texts import say
from bot.domain import Guild
from bot.faces.discord.audiences import can_write
from bot.faces.discord.inside import Inside
from bot.faces.discord.owner import Owner
from bot.faces.discord.sentences import Sentence, language_of
from bot.log import trace

if TYPE_CHECKING:
    from bot.service import Service

logger = logging.getLogger(__name__)

_PAUSE_SECONDS: Final = 60.0
"""Real seconds between looks: of an erasing that nobody asked for in this process nobody waits to hear."""


class WaitingNotes:
    """Looks for such notes after each erasing, and now and then."""

    def __init__(self, client: discord.Client, inside: Inside, owner: Owner) -> None:
        self._client = client
        self._inside = inside
        self._owner = owner
        self._woken = asyncio.Event()
        self._service: Service | None = None

    def start(self) -> None:
        """Begin to look; done again, it changes nothing."""
        if self._service is None:
            self._service = self._inside.services.start("notes that wait", self._run)

    async def stop(self) -> None:
        """End."""
        if self._service is not None:
            await self._service.stop()

    def look_soon(self) -> None:
        """Look soon, since somebody may just have been erased; waits for nothing."""
        self._woken.set()

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            await self._look()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PAUSE_SECONDS):
                    await self._woken.wait()

    async def _look(self) -> None:
        """Tell managers of the guilds that this process hears what waits, if nobody was told yet."""
        for guild_id in await self._inside.memory.erasing.untold_guild_ids():
            guild = self._client.get_guild(guild_id)
            if guild is not None and not guild.unavailable:
                await self._told_of(guild)

    async def _told_of(self, guild: discord.Guild) -> None:
        if not await self._inside.memory.erasing.untold_waiting(guild_id=guild.id):
            return
        try:
            await self._tell(guild, await self._inside.directory.guild(guild.id))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            logger.warning("nobody in guild %d was told of what waits: %s", guild.id, trace(error))

    async def _tell(self, guild: discord.Guild, settings: Guild | None) -> None:
        log_id = None if settings is None else settings.log_channel_id
        channel = None if log_id is None else guild.get_channel(log_id)
        if isinstance(channel, discord.TextChannel) and can_write(channel):
            # Nobody is named: what the bot says is kept as anything else.
            await channel.send(say(WaitingText.TOLD, language_of(guild.preferred_locale)))
            return
        await self._owner.tell(Sentence.NOTES_WAIT, of_guild=guild.id, guild=guild.name)

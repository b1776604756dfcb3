"""Reading the last days of a guild because one of its managers wants that, while everything else goes on."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

import aiohttp
import discord

from bot.domain import Guild
from bot.errors import KeepsakeError
from bot.faces.discord.backfill import Backfill, Wanted
from bot.faces.discord.inside import Inside
from bot.log import trace

logger = logging.getLogger(__name__)

DAYS: Final = 7
"""How far back is read; more is for whoever runs the bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRead:
    """What came of it."""

    new: int = 0
    known: int = 0
    channels: int = 0
    """Channels in which something was read."""
    failed: int = 0
    """Channels that Discord failed to give; all of them if nothing else could be read."""


Tell: TypeAlias = Callable[[PastRead], Awaitable[None]]


class Past:
    """Reads the past of guilds, of each once at a time."""

    def __init__(self, client: discord.Client, inside: Inside) -> None:
        self._client = client
        self._inside = inside
        self._reading: dict[int, asyncio.Task[None]] = {}

    def begin(self, guild: Guild, tell: Tell) -> bool:
        """Begin to read the last seven days of `guild`, or as many as it keeps; `False` if that is under way.

        `tell` is called at the end. What is read is answered by nobody, and what is kept already is not doubled.
        """
        if guild.guild_id in self._reading:
            return False
        task = asyncio.create_task(self._read(guild, tell), name=f"past of guild {guild.guild_id}")
        self._reading[guild.guild_id] = task
        task.add_done_callback(lambda _: self._reading.pop(guild.guild_id, None))
        return True

    def is_reading(self, guild_id: int) -> bool:
        """Tell whether the past of a guild is being read."""
        return guild_id in self._reading

    async def settled(self) -> None:
        """Return when nothing is being read."""
        while self._reading:
            await asyncio.gather(*self._reading.values(), return_exceptions=True)

    async def stop(self) -> None:
        """End; what was not read is read when somebody wants it again."""
        tasks = list(self._reading.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, guild: Guild, tell: Tell) -> None:
        done = PastRead(failed=1)
        try:
            done = await self._done(guild)
            logger.info(
                "guild %d: %d messages of the last days were read", guild.guild_id, done.new + done.known
            )
        except (discord.DiscordException, aiohttp.ClientError, OSError, KeepsakeError) as error:
            logger.warning("the last days of guild %d were not read: %s", guild.guild_id, trace(error))
        except Exception as error:
            # Whatever it is, somebody waits for the end of it.
            logger.error("the last days of guild %d could not be read: %s", guild.guild_id, trace(error))
        try:
            await tell(done)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            # It took longer than Discord lets anybody be answered; what was read is there all the same.
            logger.info("nobody was told of the past of guild %d: %s", guild.guild_id, trace(error))

    async def _done(self, guild: Guild) -> PastRead:
        inside = self._inside
        backfill = Backfill(
            self._client,
            inside.memory,
            inside.directory,
            inside.library,
            inside.settings,
            now=inside.now(),
        )
        reports = [
            report
            async for report in backfill.read(Wanted(guild_id=guild.guild_id, since=self._first_day(guild)))
        ]
        return PastRead(
            new=sum(report.ingested.new for report in reports),
            known=sum(report.ingested.known for report in reports),
            channels=sum(bool(report.ingested.new + report.ingested.known) for report in reports),
            failed=sum(report.failed for report in reports),
        )

    def _first_day(self, guild: Guild) -> date:
        kept = self._inside.settings.retention_days if guild.retention_days is None else guild.retention_days
        days = min(DAYS, kept) if kept else DAYS
        return (self._inside.now() - timedelta(days=days)).astimezone(ZoneInfo(guild.time_zone)).date()

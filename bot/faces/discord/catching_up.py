"""Closes the gaps in what was heard: after a start, a connection that could not be resumed, an outage."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

import discord
from discord.ext import commands

from bot.domain import Guild
from bot.errors import DatabaseError, HistoryUnreadableError
from bot.faces.discord.breaks import Breaks
from bot.faces.discord.caught_up import CaughtUp, Healed
from bot.faces.discord.flushing import Flusher
from bot.faces.discord.healing import Healer, Hears
from bot.faces.discord.inside import Inside
from bot.faces.discord.open_gaps import OpenGaps
from bot.faces.discord.reading_back import Pace
from bot.faces.discord.schedule import PAUSES_SECONDS, Schedule
from bot.faces.discord.surveying import Surveyor
from bot.faces.discord.watermarks import Watermarks
from bot.log import trace

if TYPE_CHECKING:
    from bot.service import Service

__all__ = ["CatchUp", "CaughtUp"]

logger = logging.getLogger(__name__)

_READERS: Final = 2
"""Channels that are read at a time."""

_AGAIN_SECONDS: Final = 1.0
"""When to look again at what is not known yet, or was missed while it was read."""

_DATABASE_AWAY_SECONDS: Final = 5.0
_UNREACHABLE_SECONDS: Final = 60.0

_DIRECT: Final = 0
"""Stands among the guilds to be looked at for all direct messages."""

_UNKNOWN_CHANNEL: Final = 10003


class CatchUp:
    """Knows in which channels something may be missing, and reads it back beside what goes on.

    `heard` and `missed` are called in the order in which messages come, before anything is waited for.
    """

    def __init__(
        self,
        client: commands.AutoShardedBot,
        inside: Inside,
        ears: Hears,
        *,
        is_known: Callable[[int], bool],
        tell: Callable[[CaughtUp], None] | None = None,
    ) -> None:
        """`is_known` tells whether a guild was taken up, so that its messages can be heard.

        `tell` is told of each guild in which something was missing, once it was caught up.
        """
        self._is_known = is_known
        self._client = client
        self._inside = inside
        self._tell = tell
        pace = Pace()
        self._marks = Watermarks()
        self.open_gaps: Final = OpenGaps(self._marks, self.missed)
        self._surveyor = Surveyor(client, inside, self._marks, pace)
        self._healer = Healer(inside, ears, self._marks, pace, count=self._count)
        self._flusher = Flusher(inside, self._marks)
        self._breaks = Breaks(client, self._marks, self._look_again_at)
        self._guilds = Schedule()
        self._channels = Schedule()
        self._whole: set[int] = set()
        self._totals: dict[int, Healed] = {}
        self._told: dict[int, Healed] = {}
        self._untold: set[int] = set()
        self._reading: dict[int, set[int]] = {}
        self._is_awake = False
        self._services: list[Service] = []
        self._quiet = asyncio.Condition()

    async def prepare(self) -> None:
        """Take note of what is stored. To be called before Discord tells anything. Raises `DatabaseError`."""
        await self._surveyor.prepare()

    def start(self) -> None:
        """Begin to follow; nothing is read before the first `gap`."""
        self._breaks.start()
        start = self._inside.services.start
        self._services = [
            start("watermarks", self._flusher.run),
            start("looking for gaps", self._survey),
            *(start(f"reading back {number}", self._read) for number in range(1, _READERS + 1)),
        ]

    async def stop(self) -> None:
        """End, and keep the watermarks; what was not read is read after the next start."""
        self._breaks.stop()
        await asyncio.gather(*(service.stop() for service in self._services))
        self._services = []
        await self._flusher.finish()

    def gap(self) -> None:
        """Note that anything may have been missed anywhere, and read it back.

        To be called when all guilds have been taken up, and again whenever nobody knows what was missed.
        """
        self._is_awake = True
        self._marks.miss_where(lambda _guild_id, _channel_id: True)
        self._look_at(guild.id for guild in self._client.guilds)

    def heard(self, channel_id: int, message_id: int) -> None:
        """Note that a live message was taken, so that the watermark may follow once it is durable."""
        if self._marks.hear(channel_id, message_id) and self._is_awake:
            self._channels.add_if_new(channel_id)

    def missed(self, channel_id: int) -> None:
        """Note that a live message could not be taken, so that the channel is read back."""
        self._marks.miss(channel_id)
        if self._is_awake:
            self._channels.add_if_new(channel_id, seconds=_AGAIN_SECONDS)

    def unread(self, *, guild_id: int | None, channel_id: int | None) -> None:
        """Note that an event could not be read, of a message in a channel or (`None`) of the guild itself."""
        if channel_id is not None:
            self._marks.doubt(channel_id)
            if self._is_awake:
                self._channels.add_if_new(channel_id, seconds=_AGAIN_SECONDS)
        elif guild_id is not None:
            self._marks.doubt_where(lambda one_id, _channel_id: one_id == guild_id)
            self._look_again_at([guild_id])

    async def meet(self, guild: discord.Guild) -> None:
        """Keep where to begin in a guild before anything in it is heard. Raises `DatabaseError`."""
        await self._surveyor.meet(guild)

    async def taken_up(self, guild: discord.Guild, settings: Guild) -> None:
        """Look at a guild that was taken up or renewed: channels may have come into sight."""
        if self._is_awake:
            self._guilds.add(guild.id)

    def report(self) -> list[CaughtUp]:
        """Return what was caught up since the start, by guild, those left out where nothing was missing."""
        return [self._caught_up(guild_id) for guild_id in self._totals]

    async def settled(self) -> None:
        """Return when, after a `gap`, nothing is left to be read but for what failed and is tried again later."""
        async with self._quiet:
            await self._quiet.wait_for(
                lambda: self._is_awake and self._guilds.is_idle and self._channels.is_idle
            )

    def _look_again_at(self, guild_ids: Iterable[int]) -> None:
        if self._is_awake:
            self._look_at(guild_ids)

    def _look_at(self, guild_ids: Iterable[int]) -> None:
        """Have these guilds read back, and what is not known to belong to any."""
        for guild_id in (*guild_ids, _DIRECT):
            self._whole.add(guild_id)
            self._guilds.add(guild_id)
        for channel_id in self._marks.strangers():
            self._channels.add_if_new(channel_id, seconds=_AGAIN_SECONDS)

    async def _survey(self) -> None:
        while True:
            guild_id = await self._guilds.take()
            whole = guild_id in self._whole
            self._whole.discard(guild_id)
            try:
                failed = await self._look(guild_id, whole=whole)
            except Exception as error:
                # Whatever it is, all other guilds are looked at, and this one is again.
                if whole:
                    self._whole.add(guild_id)
                failed = error
            if failed is None:
                self._guilds.done(guild_id)
            else:
                pause = self._guilds.failed(guild_id, at_most=_longest_pause(failed))
                logger.warning("guild %d is looked at in %.0f seconds: %s", guild_id, pause, trace(failed))
            await self._rest()

    async def _look(self, guild_id: int, *, whole: bool) -> Exception | None:
        """Have read back what is open, and return why something could not be looked at."""
        if guild_id == _DIRECT:
            self._want(guild_id, await self._surveyor.direct() if self._has_direct else [])
            return None
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return None
        settings = await self._inside.directory.guild(guild_id) if self._is_known(guild_id) else None
        if settings is None:
            raise HistoryUnreadableError(f"guild {guild_id} is not taken up yet")
        survey = await self._surveyor.guild(guild, settings, whole=whole)
        self._want(guild_id, survey.open_ids)
        return survey.failed

    @property
    def _has_direct(self) -> bool:
        return self._client.shard_ids is None or 0 in self._client.shard_ids

    def _want(self, guild_id: int, channel_ids: Iterable[int]) -> None:
        for channel_id in channel_ids:
            self._reading.setdefault(guild_id, set()).add(channel_id)
            self._channels.add(channel_id)

    async def _read(self) -> None:
        while True:
            channel_id = await self._channels.take()
            try:
                await self._heal(channel_id)
            except Exception as error:
                # Whatever it is, all other channels are read, and this one is again.
                self._put_off(channel_id, error)
            else:
                self._channels.done(channel_id)
            self._tell_read(channel_id)
            await self._rest()

    async def _heal(self, channel_id: int) -> None:
        room = await self._surveyor.find(channel_id)
        if room is None:
            self._marks.drop(channel_id)
        elif not (isinstance(room, discord.DMChannel) or self._is_known(room.guild.id)):
            raise HistoryUnreadableError(f"guild {room.guild.id} is not taken up")
        elif self._marks.has_begun(channel_id):
            await self._healer.heal(
                room,
                guild_id=self._marks.guild_of(channel_id),
                beginning=self._surveyor.beginning(channel_id),
            )
            if self._marks.is_open(channel_id):
                self._channels.add(channel_id, seconds=_AGAIN_SECONDS)
            else:
                self._surveyor.leave(channel_id)
        elif not isinstance(room, discord.DMChannel):
            # Where it begins can only be told once its whole guild was looked at.
            self._guilds.add_if_new(room.guild.id)
            self._channels.add(channel_id, seconds=_AGAIN_SECONDS)

    def _put_off(self, channel_id: int, error: Exception) -> None:
        if isinstance(error, discord.NotFound) and error.code == _UNKNOWN_CHANNEL:
            self._marks.drop(channel_id)
            self._channels.done(channel_id)
            return
        pause = self._channels.failed(channel_id, at_most=_longest_pause(error))
        level = logging.INFO if isinstance(error, HistoryUnreadableError) else logging.WARNING
        logger.log(level, "channel %d is read back in %.0f seconds: %s", channel_id, pause, trace(error))

    def _count(self, guild_id: int, healed: Healed) -> None:
        guild_id = guild_id if self._client.get_guild(guild_id) is not None else _DIRECT
        if healed:
            self._totals[guild_id] = self._totals.get(guild_id, Healed()) + healed
            self._untold.add(guild_id)

    def _tell_read(self, channel_id: int) -> None:
        """Tell of the guilds where something was missing, and no channel is left to be read now."""
        for guild_id, channel_ids in [*self._reading.items()]:
            channel_ids.discard(channel_id)
            if not channel_ids:
                del self._reading[guild_id]
        for guild_id in self._untold - self._reading.keys():
            self._untold.discard(guild_id)
            caught_up = self._caught_up(guild_id, since=self._told.get(guild_id, Healed()))
            self._told[guild_id] = self._totals[guild_id]
            logger.info("guild %d: %s", guild_id, caught_up.healed)
            if self._tell is not None:
                self._tell(caught_up)

    def _caught_up(self, guild_id: int, *, since: Healed | None = None) -> CaughtUp:
        guild = self._client.get_guild(guild_id)
        return CaughtUp(
            guild_id=guild_id,
            name=guild.name if guild is not None else "direct messages",
            healed=self._totals.get(guild_id, Healed()) - (since or Healed()),
            waiting=sum(map(self._channels.has_failed, self._marks.channels_of(guild_id))),
        )

    async def _rest(self) -> None:
        async with self._quiet:
            self._quiet.notify_all()


def _longest_pause(error: Exception) -> float:
    """Return the longest pause after `error`: what Discord refused is asked ever more rarely, the rest soon."""
    if isinstance(error, DatabaseError):
        return _DATABASE_AWAY_SECONDS
    is_refused = isinstance(error, discord.HTTPException) and not isinstance(
        error, discord.DiscordServerError
    )
    return PAUSES_SECONDS[-1] if is_refused else _UNREACHABLE_SECONDS

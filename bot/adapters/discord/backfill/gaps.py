"""Gap backfill: closes the gaps in what was heard after a start, a connection that could not be resumed,
or an outage.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Final

import discord
from discord.ext import commands

from bot.adapters.discord.audiences import bot_can_read, readable_by
from bot.adapters.discord.backfill.healing import GapReport, HealedCounts, Healer, MessageSink
from bot.adapters.discord.backfill.history import RequestPace
from bot.adapters.discord.backfill.survey import Surveyor
from bot.adapters.discord.backfill.watermarks import OpenGaps, Watermarks
from bot.adapters.discord.schedule import PAUSES_SECONDS, Schedule
from bot.chat.keepsake import Keepsake
from bot.core.domain import Guild
from bot.core.errors import DatabaseError, HistoryUnreadableError
from bot.core.log import trace
from bot.db.service import Supervised

logger = logging.getLogger(__name__)


_APART_SECONDS: Final = 2.0
"""Between two writings: what is heard again after a kill is no more than was said meanwhile."""

_LAST_SECONDS: Final = 3.0
"""The longest that the last of them may take: it is better to read a little twice than to end late."""


_SIGHT: Final = discord.Permissions(
    view_channel=True, read_message_history=True, connect=True, administrator=True
)
"""What decides whether the bot can read a channel."""


class SessionBreaks:
    """Opens the gaps, in the order of events and before anything is waited for.

    What is heard afterwards must not hide what was not heard before. `look_at` is given the guilds of a shard that
    began a new session, and those that are back after an outage.
    """

    def __init__(
        self,
        client: commands.AutoShardedBot,
        marks: Watermarks,
        look_at: Callable[[Iterable[int]], None],
    ) -> None:
        self._client = client
        self._marks = marks
        self._look_at = look_at
        self._listeners: dict[str, Callable[..., Coroutine[object, object, None]]] = {
            "on_shard_connect": self._on_connect,
            "on_shard_ready": self._on_ready,
            "on_guild_channel_update": self._on_channel_update,
            "on_member_update": self._on_member_update,
            "on_guild_role_update": self._on_role_update,
            "on_guild_role_delete": self._on_role_delete,
            "on_guild_unavailable": self._on_unavailable,
            "on_guild_available": self._on_available,
            "on_guild_remove": self._on_removed,
        }

    def start(self) -> None:
        """Begin to listen."""
        for name, listener in self._listeners.items():
            self._client.add_listener(listener, name)

    def stop(self) -> None:
        """Listen no more."""
        for name, listener in self._listeners.items():
            self._client.remove_listener(listener, name)

    async def _on_connect(self, shard_id: int) -> None:
        # A new session, of which nothing that was said before is told; what comes now must not hide that.
        count = self._client.shard_count or 1
        self._marks.doubt_where(
            lambda guild_id, channel_id: (
                _shard_of(guild_id, count) == shard_id or (guild_id == channel_id and shard_id == 0)
            )
        )

    async def _on_ready(self, shard_id: int) -> None:
        self._look_at(guild.id for guild in self._client.guilds if guild.shard_id == shard_id)

    async def _on_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        if not (bot_can_read(before) and bot_can_read(after)):
            # What is said unseen is told to nobody: once it can be read again, it is read from where it was left.
            self._marks.drop(after.id)

    async def _on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        # Of what its roles show the bot and hide from it no other event tells.
        guild = after.guild
        if after.id != guild.me.id or before.roles == after.roles:
            return
        for channel_id in self._marks.channels_of(guild.id):
            room = guild.get_channel_or_thread(channel_id)
            if room is not None and not (readable_by(before, room) and readable_by(after, room)):
                self._marks.doubt(channel_id)

    async def _on_role_update(self, before: discord.Role, after: discord.Role) -> None:
        changed = before.permissions.value ^ after.permissions.value
        if changed & _SIGHT.value and after in after.guild.me.roles:
            self._doubt_guild(after.guild.id)

    async def _on_role_delete(self, role: discord.Role) -> None:
        # Whether the bot had it nobody knows any more.
        self._doubt_guild(role.guild.id)

    async def _on_unavailable(self, guild: discord.Guild) -> None:
        # An outage of Discord's: whatever is said meanwhile is not told.
        self._doubt_guild(guild.id)

    async def _on_available(self, guild: discord.Guild) -> None:
        self._look_at([guild.id])

    async def _on_removed(self, guild: discord.Guild) -> None:
        # What is said there from now on is not for the bot, also if it is invited again.
        for channel_id in self._marks.channels_of(guild.id):
            self._marks.drop(channel_id)

    def _doubt_guild(self, concerned_id: int) -> None:
        self._marks.doubt_where(lambda guild_id, _channel_id: guild_id == concerned_id)


def _shard_of(guild_id: int, shard_count: int) -> int:
    return (guild_id >> 22) % shard_count


_READERS: Final = 2
"""Channels that are read at a time."""

_AGAIN_SECONDS: Final = 1.0
"""When to look again at what is not known yet, or was missed while it was read."""

_DATABASE_AWAY_SECONDS: Final = 5.0
_UNREACHABLE_SECONDS: Final = 60.0

_DIRECT: Final = 0
"""Stands among the guilds to be looked at for all direct messages."""

_UNKNOWN_CHANNEL: Final = 10003


class GapBackfill(Supervised):
    """Knows in which channels something may be missing, and reads it back beside what goes on.

    `heard` and `missed` are called in the order in which messages come, before anything is waited for.
    """

    def __init__(
        self,
        client: commands.AutoShardedBot,
        dependencies: Keepsake,
        message_handler: MessageSink,
        *,
        is_known: Callable[[int], bool],
        tell: Callable[[GapReport], None],
    ) -> None:
        """`is_known` tells whether a guild was taken up, so that its messages can be heard.

        `tell` is told of each guild in which something was missing, once it was caught up.
        """
        readers = {f"reading back {number}": self._read for number in range(1, _READERS + 1)}
        loops = {"watermarks": self._keep_marks, "looking for gaps": self._survey, **readers}
        super().__init__(dependencies.services, loops)
        self._is_known = is_known
        self._client = client
        self._dependencies = dependencies
        self._tell = tell
        pace = RequestPace()
        self._marks = Watermarks()
        self.open_gaps: Final = OpenGaps(self._marks, self._read_first)
        self._surveyor = Surveyor(client, dependencies, self._marks, pace)
        self._healer = Healer(dependencies, message_handler, self._marks, pace, count=self._count)
        self._breaks = SessionBreaks(client, self._marks, self._look_at)
        self._guilds = Schedule()
        self._channels = Schedule()
        self._whole: set[int] = set()
        self._untold: dict[int, HealedCounts] = {}
        self._reading: dict[int, set[int]] = {}
        self._is_awake = False
        self._quiet = asyncio.Condition()

    async def prepare(self) -> None:
        """Take note of what is stored. To be called before Discord tells anything. Raises `DatabaseError`."""
        await self._surveyor.prepare()

    def start(self) -> None:
        """Begin to follow; nothing is read before the first `gap`."""
        self._breaks.start()
        super().start()

    async def stop(self) -> None:
        """End, and keep the watermarks if that is possible soon; what was not read is read after the next start."""
        self._breaks.stop()
        await super().stop()
        try:
            async with asyncio.timeout(_LAST_SECONDS):
                await self._flush()
        except TimeoutError:
            logger.info("the last watermarks were not written in time")
        except DatabaseError as error:
            logger.warning("the last watermarks were not written: %s", trace(error))

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

    def _read_first(self, channel_id: int) -> None:
        """Have a channel read back before all others: somebody waits for what is said there."""
        self.missed(channel_id)
        self._channels.hurry(channel_id)

    def unread(self, *, guild_id: int | None, channel_id: int | None) -> None:
        """Note that an event could not be read, of a message in a channel or (`None`) of the guild itself."""
        if channel_id is not None:
            self._marks.doubt(channel_id)
            if self._is_awake:
                self._channels.add_if_new(channel_id, seconds=_AGAIN_SECONDS)
        elif guild_id is not None:
            self._marks.doubt_where(lambda one_id, _channel_id: one_id == guild_id)
            self._look_at([guild_id])

    async def meet(self, guild: discord.Guild) -> None:
        """Keep where to begin in a guild before anything in it is heard. Raises `DatabaseError`."""
        await self._surveyor.meet(guild)

    async def taken_up(self, guild: discord.Guild, settings: Guild) -> None:
        """Look at a guild that was taken up or renewed: channels may have come into sight."""
        if self._is_awake:
            self._guilds.add(guild.id)

    async def settled(self) -> None:
        """Return when, after a `gap`, nothing is left to be read but for what failed and is tried again later."""
        async with self._quiet:
            await self._quiet.wait_for(
                lambda: self._is_awake and self._guilds.is_idle and self._channels.is_idle
            )

    async def _keep_marks(self) -> None:
        while True:
            await self._flush()
            await asyncio.sleep(_APART_SECONDS)

    async def _flush(self) -> None:
        """Write the marks that rose."""
        rising = self._marks.unsaved()
        if not rising:
            return
        # Whatever a mark of `rising` covers was taken before, so it is durable after this.
        await self._dependencies.memory.settled()
        await self._dependencies.directory.raise_watermarks(rising)
        for marks in rising.values():
            self._marks.saved(marks)

    def _look_at(self, guild_ids: Iterable[int]) -> None:
        """Have these guilds read back, and what is not known to belong to any; not before the first `gap`."""
        if not self._is_awake:
            return
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
        settings = await self._dependencies.directory.guild(guild_id) if self._is_known(guild_id) else None
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
                unanswered_after=self._surveyor.unanswered_after(room),
            )
            if self._marks.is_open(channel_id):
                self._channels.add(channel_id, seconds=_AGAIN_SECONDS)
            else:
                self._surveyor.leave(channel_id)
        elif not isinstance(room, discord.DMChannel):
            # Where it begins can only be told once its whole guild was looked at.
            self._guilds.add_if_new(room.guild.id)
            self._guilds.hurry(room.guild.id)
            self._channels.add(channel_id, seconds=_AGAIN_SECONDS)

    def _put_off(self, channel_id: int, error: Exception) -> None:
        if isinstance(error, discord.NotFound) and error.code == _UNKNOWN_CHANNEL:
            self._marks.drop(channel_id)
            self._channels.done(channel_id)
            return
        pause = self._channels.failed(channel_id, at_most=_longest_pause(error))
        level = logging.INFO if isinstance(error, HistoryUnreadableError) else logging.WARNING
        logger.log(level, "channel %d is read back in %.0f seconds: %s", channel_id, pause, trace(error))

    def _count(self, guild_id: int, healed: HealedCounts) -> None:
        guild_id = guild_id if self._client.get_guild(guild_id) is not None else _DIRECT
        if healed:
            self._untold[guild_id] = self._untold.get(guild_id, HealedCounts()) + healed

    def _tell_read(self, channel_id: int) -> None:
        """Tell of the guilds where something was missing, and no channel is left to be read now."""
        for guild_id, channel_ids in [*self._reading.items()]:
            channel_ids.discard(channel_id)
            if not channel_ids:
                del self._reading[guild_id]
        for guild_id in self._untold.keys() - self._reading.keys():
            healed = self._untold.pop(guild_id)
            logger.info("guild %d: %s", guild_id, healed)
            guild = self._client.get_guild(guild_id)
            name = guild.name if guild is not None else "direct messages"
            waiting = sum(map(self._channels.has_failed, self._marks.channels_of(guild_id)))
            self._tell(GapReport(guild_id, name, healed, waiting))

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

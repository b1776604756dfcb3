"""Finds the channels, threads and direct messages to read back, and where to begin in each, including archived threads
and channels that became visible without an event.
"""

import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import aiohttp
import discord

from bot.adapters.discord.audiences import HIDDEN_NAME, bot_can_read, is_hidden
from bot.adapters.discord.backfill.history import (
    LATE,
    Parent,
    RequestPace,
    Room,
    archived_threads,
    joined_id,
    page_before,
)
from bot.adapters.discord.backfill.watermarks import Watermarks
from bot.adapters.discord.guilds import channel_of
from bot.chat.keepsake import Keepsake
from bot.core.domain import Channel, Guild, moment_of, snowflake_at
from bot.core.log import trace

logger = logging.getLogger(__name__)


async def unhide(guild: discord.Guild, pace: RequestPace) -> None:
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


_MOST: Final = 200
"""Archived threads that are looked at in a channel, those archived last first."""

_MARGIN: Final = timedelta(days=1)
"""How much further back threads are looked for, since a guild is read back channel by channel."""


@dataclass(slots=True)
class _Unread:
    since: datetime
    parent_ids: set[int]


class Archives:
    """Knows of each guild which archives are still to be looked through, and since when."""

    def __init__(self, pace: RequestPace) -> None:
        self._pace = pace
        self._unread: dict[int, _Unread] = {}

    def want(self, guild: discord.Guild, *, since: datetime) -> None:
        """Have all archives of `guild` looked through for threads that were archived after `since` (aware)."""
        since -= _MARGIN
        before = self._unread.get(guild.id)
        if before is not None:
            since = min(since, before.since)
        self._unread[guild.id] = _Unread(since, {parent.id for parent in _parents_of(guild)})

    async def read(
        self, guild: discord.Guild, known: Iterable[Channel]
    ) -> tuple[list[discord.Thread], Exception | None]:
        """Return the threads in those archives, and why some could not be read: they are by the next call.

        `known` channels and threads tell where there may be private ones.
        """
        unread = self._unread.get(guild.id)
        if unread is None:
            return [], None
        found: list[discord.Thread] = []
        failed: Exception | None = None
        with_private = _with_private_threads(guild, known)
        for parent in _parents_of(guild):
            if parent.id not in unread.parent_ids or not bot_can_read(parent):
                continue
            try:
                found += await self._read(parent, unread.since, with_private)
            except Exception as error:
                # Whatever it is, the other archives are read, and this one is again.
                failed = error
                logger.warning("the archive of channel %d could not be read: %s", parent.id, trace(error))
            else:
                unread.parent_ids.discard(parent.id)
        if failed is None:
            del self._unread[guild.id]
        return found, failed

    async def _read(
        self, parent: Parent, since: datetime, with_private: Collection[int]
    ) -> list[discord.Thread]:
        found: list[discord.Thread] = []
        async for thread in archived_threads(parent, turn=self._pace.turn):
            if thread.archive_timestamp < since or len(found) >= _MOST:
                break
            found.append(thread)
        if parent.id in with_private:
            # These come by their age, whenever they were archived.
            seen = 0
            async for thread in archived_threads(parent, joined=True, turn=self._pace.turn):
                seen += 1
                if thread.archive_timestamp >= since:
                    found.append(thread)
                if seen >= _MOST:
                    break
        return found


def _parents_of(guild: discord.Guild) -> list[Parent]:
    return [*guild.text_channels, *guild.forums]


def _with_private_threads(guild: discord.Guild, known: Iterable[Channel]) -> frozenset[int]:
    """Return the channels that are known to have a private thread that is not active."""
    active = {thread.id for thread in guild.threads}
    return frozenset(
        channel.parent_id
        for channel in known
        if channel.parent_id is not None
        and channel.audience == channel.channel_id
        and channel.channel_id not in active
    )


_DIRECT: Final = 100
"""Direct messages that are looked at, those with the newest messages first: each costs a request."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What there is to read back in a guild."""

    open_ids: tuple[int, ...]
    """The channels, threads and posts in which a gap is open."""
    failed: Exception | None
    """Why not everything could be looked at; `None`: it was."""


class Surveyor:
    """Takes up the watermarks of what the bot can read, and knows the rooms that the client has forgotten."""

    def __init__(
        self, client: discord.Client, dependencies: Keepsake, marks: Watermarks, pace: RequestPace
    ) -> None:
        self._client = client
        self._dependencies = dependencies
        self._marks = marks
        self._pace = pace
        self._started_id = 0
        self._followed_to: dict[int, int] = {}
        self._met_at: dict[int, int] = {}
        self._stored_to: Mapping[int, int] = {}
        self._archives = Archives(pace)
        self._elsewhere: dict[int, Room] = {}
        self._beginnings: dict[int, int] = {}
        self._heard_before: dict[int, int] = {}

    async def prepare(self) -> None:
        """Take note of what is stored, before anything is heard. Raises `DatabaseError`."""
        # Only now: who has logged in knows how much the clock of this machine differs from Discord's.
        self._started_id = snowflake_at(self._dependencies.now())
        self._stored_to = await self._dependencies.library.newest_ids()

    async def meet(self, guild: discord.Guild) -> None:
        """Keep where the rooms of a guild begin that nobody has followed yet; to be called before anything is heard.

        A process that ends before it has looked at the guild leaves the next one to read what was said since.
        Raises `DatabaseError`.
        """
        if any(channel.watermark for channel in await self._dependencies.directory.channels(guild.id)):
            return
        heard_from = self._heard_from(guild)
        self._met_at[guild.id] = self._now_in(guild)
        await self._dependencies.directory.begin_channels(
            guild.id,
            {
                room.id: max(_last_before(room, heard_from), joined_id(room))
                for room in _rooms_of(guild)
                if bot_can_read(room)
            },
        )

    def room(self, channel_id: int) -> Room | None:
        """Return a room that was taken up, as it is now; `None` if it is gone."""
        channel = self._client.get_channel(channel_id)
        return channel if isinstance(channel, Room) else self._elsewhere.get(channel_id)

    def leave(self, channel_id: int) -> None:
        """Let go of a room that was read."""
        self._elsewhere.pop(channel_id, None)

    async def guild(self, guild: discord.Guild, settings: Guild, *, whole: bool) -> Survey:
        """Take up the rooms of `guild` that the bot can read, and return those in which a gap is open.

        Threads that were archived since are among them if `whole`. What Discord did not tell keeps nothing else
        from being taken up, and is asked for by the next call. Raises `DatabaseError`.
        """
        failed = await self._unhidden(guild)
        known = {
            channel.channel_id: channel for channel in await self._dependencies.directory.channels(guild.id)
        }
        latest = max((channel.watermark for channel in known.values()), default=0)
        rooms: list[Room] = [room for room in _rooms_of(guild) if bot_can_read(room)]
        heard_from = None if guild.id in self._followed_to else self._heard_from(guild)
        followed_to = self._followed_to.setdefault(
            guild.id, self._met_at.pop(guild.id, 0) or latest or self._now_in(guild)
        )
        self._let_go(guild.id, {room.id for room in rooms} | self._elsewhere.keys())
        if whole and latest:
            self._archives.want(guild, since=moment_of(latest))
        archived, error = await self._archives.read(guild, known.values())
        failed = failed or error
        self._elsewhere.update((thread.id, thread) for thread in archived)
        rooms += archived
        await self._dependencies.directory.put_channels(
            [
                channel_of(room, base_role_id=settings.base_role_id)
                for room in rooms
                if room.id not in known and not isinstance(room, discord.DMChannel)
            ]
        )
        if whole:
            self._beginnings.update(await self._dependencies.directory.beginnings(guild.id))
        for room in rooms:
            try:
                await self._begin(room, guild.id, known.get(room.id), followed_to, heard_from)
            except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
                # Whatever Discord refuses of one, the others are taken up.
                failed = failed or error
        return Survey(tuple(room.id for room in rooms if self._marks.is_open(room.id)), failed)

    async def direct(self) -> list[int]:
        """Take up the direct messages with the newest messages, and return them."""
        known = await self._dependencies.directory.direct_channels(limit=_DIRECT)
        for channel in known:
            if channel.watermark and not self._marks.has_begun(channel.channel_id):
                self._heard_before[channel.channel_id] = channel.watermark
            self._marks.begin(
                channel.channel_id,
                guild_id=channel.guild_id,
                watermark=channel.watermark,
                stored_to=self._stored_to.get(channel.guild_id, 0),
            )
        return [channel.channel_id for channel in known if self._marks.is_open(channel.channel_id)]

    async def find(self, channel_id: int) -> Room | None:
        """Return a room, asking Discord for one that is not at hand; `None` if it holds no messages.

        A direct message is taken up as well, all else with its guild. Raises `DatabaseError`, and what the
        library raises.
        """
        room = self.room(channel_id)
        if room is None:
            await self._pace.turn()
            found = await self._client.fetch_channel(channel_id)
            if not isinstance(found, Room):
                return None
            self._elsewhere[channel_id] = room = found
        if not self._marks.has_begun(channel_id):
            guild_id = channel_id if isinstance(room, discord.DMChannel) else room.guild.id
            if guild_id == channel_id or guild_id in self._followed_to:
                known = await self._dependencies.directory.channel(guild_id=guild_id, channel_id=channel_id)
                await self._begin(room, guild_id, known, self._followed_to.get(guild_id, 0))
        return room

    def unanswered_after(self, room: Room) -> int | None:
        """Return the id after which the process before this one may have left commands that it had only stored.

        It heard up to the newest mark of the guild at least. What waited when it ended had been said in the minutes
        before, however long ago that is by now. `None` if no process heard the room, or nobody knows since when.
        """
        heard_to = self._heard_before.get(room.id)
        # Whatever is said in direct messages is said to the bot.
        beginning = 0 if isinstance(room, discord.DMChannel) else self._beginnings.get(room.id)
        if heard_to is None or beginning is None:
            return None
        ended_at = min(moment_of(heard_to), self._dependencies.now())
        return max(snowflake_at(ended_at - LATE), beginning - 1)

    async def _unhidden(self, guild: discord.Guild) -> Exception | None:
        try:
            await unhide(guild, self._pace)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            logger.warning("the channels of guild %d were not told: %s", guild.id, trace(error))
            return error
        return None

    async def _begin(
        self,
        room: Room,
        guild_id: int,
        known: Channel | None,
        followed_to: int,
        heard_from: int | None = None,
    ) -> None:
        """Take up where a room was left, or where it begins if it was never read.

        What came into being after its guild was heard last is read from its first message, all else from now
        on only, or from `heard_from` if that is earlier: nobody has asked for its past, nor for what was said
        before the bot was in the guild. Raises `DatabaseError`, and what the library raises.
        """
        if self._marks.has_begun(room.id):
            return
        kept = max(known.watermark if known is not None else 0, self._marks.left_at(room.id))
        first_id = kept or await self._first(room, followed_to, heard_from)
        if self._marks.has_begun(room.id):
            return
        self._marks.begin(
            room.id, guild_id=guild_id, watermark=kept, stored_to=self._stored_to.get(guild_id, 0)
        )
        first_id = max(first_id, joined_id(room))
        self._marks.advance(self._marks.reading(room.id), first_id)
        if kept:
            self._heard_before[room.id] = max(kept, followed_to)
            return
        # Kept at once: a process that is killed before it saves its marks would begin at a later message again.
        await self._dependencies.directory.begin_channels(guild_id, {room.id: first_id})

    def _heard_from(self, guild: discord.Guild) -> int:
        """Return the id from which the bot was present to hear a guild that is examined for the first time.

        Later messages do not belong to the past, though they may already have been heard live.
        """
        joined_at = guild.me.joined_at or self._dependencies.now()
        return max(self._started_id, snowflake_at(joined_at))

    async def _first(self, room: Room, followed_to: int, heard_from: int | None) -> int:
        if isinstance(room, discord.DMChannel):
            recently = snowflake_at(self._dependencies.now() - LATE)
            return self._marks.newest(room.id) or recently
        if _born(room) > followed_to:
            # A forum's post begins with a message that has the thread's own id.
            return room.id - 1
        if isinstance(room, discord.Thread) and not room.is_private():
            # One that was archived as long as anybody heard: what was said since in it was said in a gap.
            return max(followed_to, room.id - 1)
        if heard_from is None:
            # What the client believes to be the newest message may be long out of date by now.
            return max((await page_before(room, None, self._pace)).newest_id, room.id - 1)
        return _last_before(room, heard_from)

    def _now_in(self, guild: discord.Guild) -> int:
        """Return the id after which whatever comes into being is new in a guild that was never heard."""
        there = [*guild.channels, *_rooms_of(guild)]
        return max(self._heard_from(guild) - 1, *map(_latest, _rooms_of(guild)), *(one.id for one in there))

    def _let_go(self, guild_id: int, there: Iterable[int]) -> None:
        """Drop what can no longer be read, so that it is read from where it was left once it can be again."""
        for channel_id in self._marks.channels_of(guild_id) - set(there):
            self._marks.drop(channel_id)


def _last_before(room: Room, heard_from: int) -> int:
    """Return the last message of `room` before `heard_from`, as the client believes.

    It may be long out of date, and it costs too much to ask: no more of the past than clocks may differ by.
    """
    last_id = None if isinstance(room, discord.DMChannel) else room.last_message_id
    recently = snowflake_at(moment_of(heard_from) - LATE)
    return min(max(last_id or 0, room.id - 1, recently), heard_from - 1)


def _rooms_of(guild: discord.Guild) -> list[Room]:
    return [*guild.text_channels, *guild.voice_channels, *guild.stage_channels, *guild.threads]


def _latest(room: Room) -> int:
    last_id = None if isinstance(room, discord.DMChannel) else room.last_message_id
    return max(_born(room), last_id or 0)


def _born(room: Room) -> int:
    """Return the id of the moment in which a room came into being; a thread may have the id of an old message."""
    if isinstance(room, discord.Thread) and room.created_at is not None:
        return max(room.id, snowflake_at(room.created_at))
    return room.id

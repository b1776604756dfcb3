"""Which channels, threads and direct messages there are to read back, and where in each to begin."""

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.domain import Channel, Guild, moment_of, snowflake_at
from bot.faces.discord.audiences import can_read
from bot.faces.discord.inside import Inside
from bot.faces.discord.places import channel_of
from bot.faces.discord.reading_back import LATE, Pace, Room
from bot.faces.discord.watermarks import Watermarks

logger = logging.getLogger(__name__)

_ARCHIVED: Final = 200
"""Archived threads that are looked at in a channel, those archived last first."""

_DIRECT: Final = 100
"""Direct messages that are looked at, those with the newest messages first: each costs a request."""

_MARGIN: Final = timedelta(days=1)
"""How much further back threads are looked for, since a guild is read back channel by channel."""

_LONGEST_LIFE: Final = timedelta(days=8)
"""A thread is archived a week after its last message at the latest; so long it may have been active."""


class Surveyor:
    """Takes up the watermarks of what the bot can read, and knows the rooms that the client has forgotten."""

    def __init__(self, client: discord.Client, inside: Inside, marks: Watermarks, pace: Pace) -> None:
        self._client = client
        self._inside = inside
        self._marks = marks
        self._pace = pace
        self._started_id = snowflake_at(inside.clock.now())
        self._followed_to: dict[int, int] = {}
        self._elsewhere: dict[int, Room] = {}
        self._beginnings: dict[int, int] = {}

    def room(self, channel_id: int) -> Room | None:
        """Return a room that was taken up, as it is now; `None` if it is gone."""
        channel = self._client.get_channel(channel_id)
        return channel if isinstance(channel, Room) else self._elsewhere.get(channel_id)

    def leave(self, channel_id: int) -> None:
        """Let go of a room that was read."""
        self._elsewhere.pop(channel_id, None)

    async def guild(self, guild: discord.Guild, settings: Guild, *, whole: bool) -> list[int]:
        """Take up the rooms of `guild` that the bot can read, and return those in which a gap is open.

        Threads that were archived since are among them if `whole`. Raises `DatabaseError`, and what the
        library raises.
        """
        known = {channel.channel_id: channel for channel in await self._inside.directory.channels(guild.id)}
        latest = max((channel.watermark for channel in known.values()), default=0)
        rooms: list[Room] = [room for room in _rooms_of(guild) if can_read(room)]
        heard_from = None if guild.id in self._followed_to else self._heard_from(guild)
        followed_to = self._followed_to.setdefault(guild.id, latest or max(map(_latest, rooms), default=0))
        self._let_go(guild.id, {room.id for room in rooms} | self._elsewhere.keys())
        if whole and latest:
            archived = await self._archived(guild, known, since_id=latest)
            self._elsewhere.update((thread.id, thread) for thread in archived)
            rooms += archived
        await self._inside.directory.put_channels(
            [
                channel_of(room, base_role_id=settings.base_role_id)
                for room in rooms
                if room.id not in known and not isinstance(room, discord.DMChannel)
            ]
        )
        if whole:
            self._beginnings.update(await self._inside.directory.beginnings(guild.id))
        for room in rooms:
            await self._begin(room, guild.id, known.get(room.id), followed_to, heard_from)
        return [room.id for room in rooms if self._marks.is_open(room.id)]

    async def direct(self) -> list[int]:
        """Take up the direct messages with the newest messages, and return them."""
        known = await self._inside.directory.direct_channels(limit=_DIRECT)
        for channel in known:
            self._marks.begin(channel.channel_id, guild_id=channel.guild_id, watermark=channel.watermark)
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
                known = await self._inside.directory.channel(guild_id=guild_id, channel_id=channel_id)
                await self._begin(room, guild_id, known, self._followed_to.get(guild_id, 0))
        return room

    def beginning(self, channel_id: int) -> int | None:
        """Return the first message that the bot was to hear in a room, `None` if nobody knows."""
        return self._beginnings.get(channel_id)

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
        on only, or from `heard_from` if that is earlier: nobody has asked for its past.
        """
        if self._marks.has_begun(room.id):
            return
        self._marks.begin(room.id, guild_id=guild_id, watermark=known.watermark if known is not None else 0)
        reading = self._marks.reading(room.id)
        if reading.after_id:
            return
        first_id = self._first(room, followed_to)
        if heard_from is not None:
            first_id = min(first_id, max(room.id, heard_from) - 1)
        self._marks.advance(reading, first_id)
        # Kept at once: a process that is killed before it saves its marks would begin at a later message again.
        await self._inside.directory.raise_watermarks(guild_id, {room.id: first_id})
        await self._inside.directory.lower_beginning(
            guild_id=guild_id, channel_id=room.id, message_id=first_id + 1
        )

    def _heard_from(self, guild: discord.Guild) -> int:
        """Return the id from which on the bot was there to hear a guild that is looked at for the first time.

        What was said since is in nobody's past, though it may have been heard live before this.
        """
        joined_at = guild.me.joined_at or self._inside.clock.now()
        return max(self._started_id, snowflake_at(joined_at))

    def _first(self, room: Room, followed_to: int) -> int:
        if isinstance(room, discord.DMChannel):
            recently = snowflake_at(self._inside.clock.now() - LATE)
            return self._marks.newest(room.id) or recently
        # A forum's post begins with a message that has the thread's own id.
        return room.id - 1 if _born(room) > followed_to else max(room.last_message_id or 0, room.id - 1)

    def _let_go(self, guild_id: int, there: Iterable[int]) -> None:
        """Drop what can no longer be read, so that it is read from where it was left once it can be again."""
        for channel_id in self._marks.channels_of(guild_id) - set(there):
            self._marks.drop(channel_id)

    async def _archived(
        self, guild: discord.Guild, known: Mapping[int, Channel], *, since_id: int
    ) -> list[discord.Thread]:
        """Return the threads that were archived since, of channels where there may be any."""
        since = moment_of(since_id) - _MARGIN
        active = {thread.id for thread in guild.threads}
        vanished = {
            channel.parent_id
            for channel in known.values()
            if channel.channel_id not in active and channel.watermark > snowflake_at(since - _LONGEST_LIFE)
        }
        found: list[discord.Thread] = []
        parents: list[discord.TextChannel | discord.ForumChannel] = [*guild.text_channels, *guild.forums]
        for parent in parents:
            # In a forum only threads can tell; elsewhere a new one is announced, or starts on a message.
            stirred = isinstance(parent, discord.ForumChannel) or (
                (parent.last_message_id or 0) > snowflake_at(since)
            )
            if (stirred or parent.id in vanished) and can_read(parent):
                found += await self._archived_in(parent, since)
        return found

    async def _archived_in(
        self, parent: discord.TextChannel | discord.ForumChannel, since: datetime
    ) -> list[discord.Thread]:
        await self._pace.turn()
        found: list[discord.Thread] = []
        async for thread in parent.archived_threads(limit=_ARCHIVED):
            if thread.archive_timestamp < since:
                break
            found.append(thread)
        return found


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

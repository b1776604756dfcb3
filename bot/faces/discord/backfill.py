"""Reads the past of channels, backwards, page by page; what was read is not read again."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import aiohttp
import discord

from bot.domain import Channel, Guild, moment_of, snowflake_at
from bot.errors import InvalidInputError
from bot.faces.discord.audiences import audience_of, can_read, is_hidden, wrote_as_visitor
from bot.faces.discord.backfill_report import Reached, ReadBack, Wanted, Watching
from bot.faces.discord.from_outside import guilds_to_read
from bot.faces.discord.pages import archived_threads
from bot.faces.discord.places import channel_of, take_up
from bot.faces.discord.reading_back import Pace, Room, page_before
from bot.faces.discord.translate import member_of, message_of
from bot.memory.directory import Directory
from bot.memory.ingest import Ingested
from bot.memory.library import Library
from bot.memory.manager import MemoryManager
from bot.settings import Settings

__all__ = ["Backfill", "Reached", "ReadBack", "Wanted", "Watching"]

_NAMED: Final = 20

_EVERYTHING: Final = 1
"""The id before all others."""

_UNREADABLE: Final = "cannot be read: View Channel and Read Message History are needed"
_NOT_HEARD: Final = "is switched off, so nothing of it is kept"
_NOTHING_LEFT: Final = "was read that far before"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Past:
    """A guild whose past is read, with what is known of it."""

    guild: discord.Guild
    settings: Guild
    bound: int
    """The first id that is wanted."""
    again: bool
    """Whether what was read once is read once more: somebody named a day, so holes are filled."""
    known: dict[int, Channel]
    beginnings: dict[int, int]
    met: set[int] = field(default_factory=set)


class Backfill:
    """Reads the past of channels into the log; nothing of it is answered or carried out."""

    def __init__(
        self,
        client: discord.Client,
        memory: MemoryManager,
        directory: Directory,
        library: Library,
        settings: Settings,
        *,
        now: datetime,
    ) -> None:
        self._client = client
        self._memory = memory
        self._directory = directory
        self._library = library
        self._settings = settings
        self._now = now
        self._pace = Pace()

    async def read(self, wanted: Wanted, *, watching: Watching | None = None) -> AsyncIterator[ReadBack]:
        """Read what is wanted, and give what became of each channel.

        What was killed in the middle goes on where it was. Raises `InvalidInputError` for a guild or a channel
        that is not there, `DatabaseError`, and what the library raises outside of channels.
        """
        guilds = await guilds_to_read(self._client, self._settings, wanted.guild_id)
        chosen = [(guild, _chosen(guild, wanted.channel)) for guild in guilds]
        if wanted.channel is not None and not any(rooms for _, rooms in chosen):
            _refuse(wanted.channel, guilds)
        for guild, parents in chosen:
            past = await self._past(guild, wanted.since)
            async for room in self._rooms(past, parents):
                yield room if isinstance(room, ReadBack) else await self._read(room, past, watching)

    async def _past(self, guild: discord.Guild, since: date | None) -> _Past:
        settings = await take_up(guild, self._directory, self._settings)
        if since is None:
            days = (
                self._settings.retention_days if settings.retention_days is None else settings.retention_days
            )
            bound = snowflake_at(self._now - timedelta(days=days)) if days else 0
        else:
            bound = snowflake_at(
                datetime.combine(since, time(), ZoneInfo(settings.time_zone)).astimezone(UTC)
            )
        return _Past(
            guild=guild,
            settings=settings,
            bound=bound,
            again=since is not None,
            known={channel.channel_id: channel for channel in await self._directory.channels(guild.id)},
            beginnings=await self._directory.beginnings(guild.id),
            met={member.user_id for member in await self._directory.members(guild.id)},
        )

    async def _rooms(
        self, past: _Past, parents: Sequence[discord.abc.GuildChannel]
    ) -> AsyncIterator[Room | ReadBack]:
        """Give the rooms among `parents`, each followed by its threads, archived ones too, or why there are none."""
        for parent in parents:
            if isinstance(parent, discord.TextChannel | discord.VoiceChannel | discord.StageChannel):
                yield parent
            for thread in past.guild.threads:
                if thread.parent_id == parent.id:
                    yield thread
            if isinstance(parent, discord.TextChannel | discord.ForumChannel) and can_read(parent):
                try:
                    async for thread in archived_threads(parent, turn=self._pace.turn):
                        if thread.archive_timestamp < moment_of(past.bound):
                            break
                        base_role_id = past.settings.base_role_id
                        await self._directory.put_channel(channel_of(thread, base_role_id=base_role_id))
                        yield thread
                except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                    name = f"{past.guild.name} {_named(parent, past.known.get(parent.id))}, its archive"
                    yield ReadBack(name=name, note=_failure(error), failed=True)

    async def _read(self, room: Room, past: _Past, watching: Watching | None) -> ReadBack:
        """Read the past of one room and tell what became of it."""
        known = past.known.get(room.id)
        name = f"{past.guild.name} {_named(room, known)}"
        if not can_read(room):
            return ReadBack(name=name, note=_UNREADABLE)
        if not past.settings.hearing or (known is not None and not known.hearing):
            return ReadBack(name=name, note=_NOT_HEARD)
        start = past.beginnings.get(room.id)
        if start is not None and start <= past.bound:
            if not past.again:
                return ReadBack(name=name, note=_NOTHING_LEFT)
            start = None
        total, reached, oldest, note = Ingested(), start, None, ""
        try:
            async for page, oldest_id in self._pages(room, start, past.bound):
                total += await self._store(page, room, past)
                if reached is None and page and not (known is not None and known.watermark):
                    await self._directory.raise_watermarks(past.guild.id, {room.id: page[0].id})
                await self._directory.lower_beginning(
                    guild_id=past.guild.id, channel_id=room.id, message_id=oldest_id
                )
                reached = oldest_id
                oldest = page[-1].created_at if page else oldest
                if watching is not None:
                    watching(_reached(room, name, start, page[-1].id if page else oldest_id, past.bound))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            note = _failure(error)
        return ReadBack(name=name, ingested=total, back_to=oldest, note=note, failed=bool(note))

    async def _pages(
        self, room: Room, start: int | None, bound: int
    ) -> AsyncIterator[tuple[Sequence[discord.Message], int]]:
        """Give pages before `start`, newest first, each with the id down to which nothing is missing then."""
        while True:
            page = await page_before(room, start, self._pace)
            wanted = page.since(bound)
            is_last = page.is_last or len(wanted.ids) < len(page.ids)
            oldest_id = bound if is_last else page.oldest_id
            yield wanted.messages, oldest_id
            if is_last:
                return
            start = oldest_id

    async def _store(self, page: Sequence[discord.Message], room: Room, past: _Past) -> Ingested:
        """Write a page and whom it makes known; returns when it is durable."""
        if not page:
            return Ingested()
        own = await self._own_kept(page, room, past)
        base_role_id = past.settings.base_role_id
        audience = audience_of(room, base_role_id=base_role_id)
        stored = await self._memory.ingest_messages(
            [
                message_of(
                    message,
                    audience=audience,
                    from_visitor=wrote_as_visitor(message, base_role_id=base_role_id),
                )
                for message in page
                if message.id not in own
            ]
        )
        people = {person.id: person for message in page for person in _people(message)}
        seen_at = dict.fromkeys(people.keys() - past.met, page[0].created_at)
        erased = await self._memory.erasing.erased_since(guild_id=past.guild.id, seen_at=seen_at)
        new = [member_of(people[one], guild_id=past.guild.id) for one in seen_at.keys() - erased]
        await self._directory.put_members(new, are_here=False)
        past.met.update(people)
        return stored + Ingested(known=len(own))

    async def _own_kept(self, page: Sequence[discord.Message], room: Room, past: _Past) -> Collection[int]:
        """Return the bot's own messages that are kept: what is kept has ids where Discord has names."""
        user = self._client.user
        own = {message.id for message in page if user is not None and message.author.id == user.id}
        if not own:
            return own
        kept = await self._library.kept_versions(
            guild_id=past.guild.id, channel_id=room.id, from_id=min(own), to_id=max(own)
        )
        return own & {version.message_id for version in kept}


def _failure(error: Exception) -> str:
    status = f" with status {error.status}" if isinstance(error, discord.HTTPException) else ""
    return f"Discord failed{status}: give the same command again to go on"


def _people(message: discord.Message) -> list[discord.User | discord.Member]:
    """Return whom a message makes known; their names of today are known better by who hears them."""
    people: list[discord.User | discord.Member] = list(message.mentions)
    return people if message.webhook_id is not None else [*people, message.author]


def _reached(room: Room, name: str, start: int | None, oldest_id: int, bound: int) -> Reached:
    newest = start or (None if isinstance(room, discord.DMChannel) else room.last_message_id) or oldest_id
    return Reached(
        channel_id=room.id,
        name=name,
        newest=moment_of(newest),
        reached=moment_of(oldest_id),
        oldest=moment_of(max(bound, room.id)),
    )


def _named(room: Room | discord.abc.GuildChannel, known: Channel | None) -> str:
    """Return what `room` is called; of what Discord hides, what it was called when it was last seen."""
    if isinstance(room, discord.Thread | discord.DMChannel) or not is_hidden(room):
        return f"#{room}"
    return f"#{known.name}" if known is not None and known.name else f"channel {room.id}"


def _has_past(channel: discord.abc.GuildChannel) -> bool:
    return not isinstance(channel, discord.CategoryChannel)


def _chosen(guild: discord.Guild, wanted: str | None) -> list[discord.abc.GuildChannel]:
    """Return the channels of `guild` that are meant, by name in any case or by id."""
    channels: list[discord.abc.GuildChannel] = [*guild.channels]
    every = sorted(filter(_has_past, channels), key=lambda channel: (channel.position, channel.id))
    if wanted is None:
        return every
    name = wanted.removeprefix("#").casefold()
    return [channel for channel in every if name in (channel.name.casefold(), str(channel.id))]


def _refuse(wanted: str, guilds: Sequence[discord.Guild]) -> None:
    every = [channel for guild in guilds for channel in _chosen(guild, None)]
    there = [f"#{channel.name}" for channel in every if not is_hidden(channel)]
    more = f" and {len(there) - _NAMED} more" if len(there) > _NAMED else ""
    raise InvalidInputError(
        f"there is no channel {wanted!r}; there are: {', '.join(there[:_NAMED]) or 'none'}{more}"
    )

"""Backfill of the past: channels are read backwards, page by page, on the command line or because a
manager asked for it; what was read is not read again.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final, TypeAlias
from zoneinfo import ZoneInfo

import aiohttp
import discord

from bot.adapters.discord.audiences import audience_of, bot_can_read, is_hidden, wrote_as_visitor
from bot.adapters.discord.backfill.history import RequestPace, Room, archived_threads, page_before
from bot.adapters.discord.guilds import channel_of, take_up_guild
from bot.adapters.discord.messages import member_of, message_of
from bot.adapters.discord.rest import guilds_to_read
from bot.chat.keepsake import Keepsake
from bot.core.domain import Channel, Guild, moment_of, snowflake_at
from bot.core.errors import InvalidInputError, KeepsakeError
from bot.core.log import trace
from bot.db.service import BackgroundWork
from bot.memory.messages.writer import Ingested

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackfillRequest:
    """Which past is to be read: of one guild or all, of one channel (by name or id, with its threads) or all."""

    guild_id: int | None = None
    channel: str | None = None
    since: date | None = None
    """The first day, in the guild's time zone; `None`: as far back as messages are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackfillProgress:
    """How far the reading of a channel is, backwards, by the moments of its messages."""

    channel_id: int
    name: str
    newest: datetime
    reached: datetime
    oldest: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelReport:
    """What became of one channel."""

    name: str
    ingested: Ingested = field(default_factory=Ingested)
    back_to: datetime | None = None
    note: str = ""
    failed: bool = False
    """Whether the same command, given again, goes on with it."""

    def __str__(self) -> str:
        count = self.ingested.new + self.ingested.known
        if not count and self.note:
            return f"{self.name}: {self.note}"
        line = f"{self.name}: {count} messages: {self.ingested.new} new, {self.ingested.known} known"
        if self.back_to is not None:
            line += f", back to {self.back_to:%Y-%m-%d}"
        return f"{line}; {self.note}" if self.note else line


Watching: TypeAlias = Callable[[BackfillProgress], None]
"""Is told, after each page, how far a channel has been read."""


_NAMED: Final = 20

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

    def __init__(self, client: discord.Client, parts: Keepsake) -> None:
        self._client = client
        self._parts = parts
        self._directory = parts.directory
        self._pace = RequestPace()

    async def read(
        self, wanted: BackfillRequest, *, watching: Watching | None = None
    ) -> AsyncIterator[ChannelReport]:
        """Read what is wanted, and give what became of each channel.

        What was killed in the middle goes on where it was. Raises `InvalidInputError` for a guild or a channel
        that is not there, `DatabaseError`, and what the library raises outside of channels.
        """
        guilds = await guilds_to_read(self._client, self._parts.settings, wanted.guild_id)
        chosen = [(guild, _chosen(guild, wanted.channel)) for guild in guilds]
        if wanted.channel is not None and not any(rooms for _, rooms in chosen):
            _refuse(wanted.channel, guilds)
        for guild, parents in chosen:
            past = await self._past(guild, wanted.since)
            async for room in self._rooms(past, parents):
                yield room if isinstance(room, ChannelReport) else await self._read(room, past, watching)

    async def _past(self, guild: discord.Guild, since: date | None) -> _Past:
        settings = await take_up_guild(guild, self._directory, self._parts.settings)
        if since is None:
            days = settings.kept_days(self._parts.settings.retention_days)
            bound = snowflake_at(self._parts.now() - timedelta(days=days)) if days else 0
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
        )

    async def _rooms(
        self, past: _Past, parents: Sequence[discord.abc.GuildChannel]
    ) -> AsyncIterator[Room | ChannelReport]:
        """Give the rooms among `parents`, each followed by its threads, archived ones too, or why there are none."""
        for parent in parents:
            if isinstance(parent, discord.TextChannel | discord.VoiceChannel | discord.StageChannel):
                yield parent
            for thread in past.guild.threads:
                if thread.parent_id == parent.id:
                    yield thread
            if isinstance(parent, discord.TextChannel | discord.ForumChannel) and bot_can_read(parent):
                try:
                    async for thread in archived_threads(parent, turn=self._pace.turn):
                        if thread.archive_timestamp < moment_of(past.bound):
                            break
                        base_role_id = past.settings.base_role_id
                        await self._directory.put_channel(channel_of(thread, base_role_id=base_role_id))
                        yield thread
                except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                    name = f"{past.guild.name} {_named(parent, past.known.get(parent.id))}, its archive"
                    yield ChannelReport(name=name, note=_failure(error), failed=True)

    async def _read(self, room: Room, past: _Past, watching: Watching | None) -> ChannelReport:
        """Read the past of one room and tell what became of it."""
        known = past.known.get(room.id)
        name = f"{past.guild.name} {_named(room, known)}"
        if not bot_can_read(room):
            return ChannelReport(name=name, note=_UNREADABLE)
        if not past.settings.hearing or (known is not None and not known.hearing):
            return ChannelReport(name=name, note=_NOT_HEARD)
        start = past.beginnings.get(room.id)
        if start is not None and start <= past.bound:
            if not past.again:
                return ChannelReport(name=name, note=_NOTHING_LEFT)
            start = None
        total, reached, oldest, note = Ingested(), start, None, ""
        try:
            async for page, oldest_id in self._pages(room, start, past.bound):
                total += await self._store(page, room, past)
                if reached is None and page and not (known is not None and known.watermark):
                    await self._directory.raise_watermarks({past.guild.id: {room.id: page[0].id}})
                await self._directory.lower_beginning(
                    guild_id=past.guild.id, channel_id=room.id, message_id=oldest_id
                )
                reached = oldest_id
                oldest = page[-1].created_at if page else oldest
                if watching is not None:
                    watching(_reached(room, name, start, page[-1].id if page else oldest_id, past.bound))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            note = _failure(error)
        return ChannelReport(name=name, ingested=total, back_to=oldest, note=note, failed=bool(note))

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
        """Write a page and the members whom it makes known; returns when it is durable."""
        if not page:
            return Ingested()
        own = await self._own_kept(page, room, past)
        base_role_id = past.settings.base_role_id
        audience = audience_of(room, base_role_id=base_role_id)
        stored = await self._parts.memory.ingest_messages(
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
        unmet = people.keys() - past.met
        unmet -= await self._directory.are_known(past.guild.id, unmet)
        seen_at = dict.fromkeys(unmet, page[0].created_at)
        erased = await self._parts.memory.erasing.erased_since(guild_id=past.guild.id, seen_at=seen_at)
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
        kept = await self._parts.library.kept_versions(
            guild_id=past.guild.id, channel_id=room.id, from_id=min(own), to_id=max(own)
        )
        return own & {version.message_id for version in kept}


def _failure(error: Exception) -> str:
    status = f" with status {error.status}" if isinstance(error, discord.HTTPException) else ""
    return f"Discord failed{status}: give the same command again to go on"


def _people(message: discord.Message) -> list[discord.User | discord.Member]:
    """Return the members whom a message makes known; their current names are known better to live messages."""
    people: list[discord.User | discord.Member] = list(message.mentions)
    return people if message.webhook_id is not None else [*people, message.author]


def _reached(room: Room, name: str, start: int | None, oldest_id: int, bound: int) -> BackfillProgress:
    newest = start or (None if isinstance(room, discord.DMChannel) else room.last_message_id) or oldest_id
    return BackfillProgress(
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


DAYS: Final = 7
"""How far back is read; more is for whoever runs the bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastReport:
    """What came of it."""

    new: int = 0
    known: int = 0
    channels: int = 0
    """Channels in which something was read."""
    failed: int = 0
    """Channels that Discord failed to give; all of them if nothing else could be read."""


Tell: TypeAlias = Callable[[PastReport], Awaitable[None]]


class PastReader:
    """Reads the past of guilds, of each once at a time."""

    def __init__(self, client: discord.Client, dependencies: Keepsake) -> None:
        self._client = client
        self._dependencies = dependencies
        self._work = BackgroundWork()
        self._reading: set[int] = set()

    def begin(self, guild: Guild, tell: Tell) -> bool:
        """Begin to read the last seven days of `guild`, or as many as it keeps; `False` if that is under way.

        `tell` is called at the end. What is read is answered by nobody, and what is kept already is not doubled.
        """
        if guild.guild_id in self._reading:
            return False
        self._reading.add(guild.guild_id)
        task = self._work.begin(self._read(guild, tell), name=f"past of guild {guild.guild_id}")
        task.add_done_callback(lambda _: self._reading.discard(guild.guild_id))
        return True

    def is_reading(self, guild_id: int) -> bool:
        """Tell whether the past of a guild is being read."""
        return guild_id in self._reading

    async def settled(self) -> None:
        """Return when nothing is being read."""
        await self._work.settled()

    async def stop(self) -> None:
        """End; what was not read is read when somebody wants it again."""
        await self._work.stop()

    async def _read(self, guild: Guild, tell: Tell) -> None:
        done = PastReport(failed=1)
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

    async def _done(self, guild: Guild) -> PastReport:
        wanted = BackfillRequest(guild_id=guild.guild_id, since=self._first_day(guild))
        reports = [report async for report in Backfill(self._client, self._dependencies).read(wanted)]
        return PastReport(
            new=sum(report.ingested.new for report in reports),
            known=sum(report.ingested.known for report in reports),
            channels=sum(bool(report.ingested.new + report.ingested.known) for report in reports),
            failed=sum(report.failed for report in reports),
        )

    def _first_day(self, guild: Guild) -> date:
        kept = guild.kept_days(self._dependencies.settings.retention_days)
        days = min(DAYS, kept) if kept else DAYS
        return (self._dependencies.now() - timedelta(days=days)).astimezone(ZoneInfo(guild.time_zone)).date()


async def run_backfill(client: discord.Client, parts: Keepsake, wanted: BackfillRequest) -> int:
    """Read what is wanted, by a client that is logged in: reports on standard output, the bar on standard error.

    Returns the exit status: 0, or 1 if Discord failed in some channel. Raises `InvalidInputError` for a guild
    or a channel that is not there, and `DatabaseError`.
    """
    # A bot that runs draws no bars.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    # What is printed meanwhile goes where it was meant to, not to the bar's standard error.
    with Progress(*columns, console=console, disable=not console.is_terminal, redirect_stdout=False) as bar:
        watcher = _Watcher(bar)
        failed = False
        async for report in Backfill(client, parts).read(wanted, watching=watcher.watch):
            watcher.clear()
            print(report, flush=True)
            failed |= report.failed
    return 1 if failed else 0


class _Watcher:
    """Draws the bar of the channel that is being read."""

    def __init__(self, bar: "Progress") -> None:
        self._bar = bar
        self._task: TaskID | None = None

    def watch(self, reached: BackfillProgress) -> None:
        """Draw how far a channel has been read."""
        if self._task is None:
            self._task = self._bar.add_task(reached.name)
        total = max(1.0, (reached.newest - reached.oldest).total_seconds())
        done = (reached.newest - reached.reached).total_seconds()
        self._bar.update(self._task, total=total, completed=min(done, total))

    def clear(self) -> None:
        """Take the bar of a channel away that was read."""
        if self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None

"""The guilds that the bot is in: loaded into the directory with their channels, refreshed after changes, and given up
when they remove the bot.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, TypeAlias

import aiohttp
import discord

from bot.adapters.describing import stored_text
from bot.adapters.discord.audiences import audience_of, bot_can_read, bot_can_write, is_hidden
from bot.adapters.discord.messages import member_of
from bot.adapters.discord.schedule import Schedule
from bot.adapters.discord.sentences import language_of
from bot.chat.keepsake import Keepsake
from bot.core.clock import Clock, SystemClock
from bot.core.domain import OPEN, Channel, Guild
from bot.core.errors import DatabaseError
from bot.core.log import trace
from bot.core.settings import Settings
from bot.db.service import BackgroundWork, Supervised
from bot.db.signs import rest
from bot.memory.members.directory import Directory
from bot.text.sentences import say

logger = logging.getLogger(__name__)


_MEMBERS_AT_ONCE: Final = 1_000
"""Members put into one transaction, so that a large guild leaves room for what is being said meanwhile."""

_WITH_MESSAGES: Final = (
    discord.TextChannel,
    discord.VoiceChannel,
    discord.StageChannel,
    discord.ForumChannel,
)


def guild_of(guild: discord.Guild, settings: Settings) -> Guild:
    """Return `guild` with the settings that a new one begins with."""
    return Guild(guild_id=guild.id, name=stored_text(guild.name), time_zone=settings.time_zone)


def channel_of(
    channel: discord.abc.GuildChannel | discord.Thread, *, base_role_id: int | None, known_name: str = ""
) -> Channel:
    """Return `channel` with the audience of what is said there now.

    One whose name Discord hides from the bot keeps `known_name`, the one that it had before.
    """
    hidden = isinstance(channel, discord.abc.GuildChannel) and is_hidden(channel)
    return Channel(
        guild_id=channel.guild.id,
        channel_id=channel.id,
        name=known_name if hidden and known_name else stored_text(channel.name),
        audience=audience_of(channel, base_role_id=base_role_id),
        parent_id=channel.parent_id if isinstance(channel, discord.Thread) else None,
    )


def channels_of(
    guild: discord.Guild, *, base_role_id: int | None, known_names: Mapping[int, str] | None = None
) -> list[Channel]:
    """Return the channels of `guild` that hold messages, then its active threads.

    `known_names`, by channel id, are kept by channels whose names Discord hides from the bot.
    """
    names = known_names or {}
    rooms: list[discord.abc.GuildChannel | discord.Thread] = [
        channel for channel in guild.channels if isinstance(channel, _WITH_MESSAGES)
    ]
    return [
        channel_of(room, base_role_id=base_role_id, known_name=names.get(room.id, ""))
        for room in [*rooms, *guild.threads]
    ]


async def take_up_guild(
    guild: discord.Guild, directory: Directory, settings: Settings, *, clock: Clock | None = None
) -> Guild:
    """Store the current state of `guild` in the directory, and return it with its settings.

    Channels that are gone are removed. Threads stay as long as their parent, since an archived one looks like a deleted
    one. Members are those known to the client, including the bot.
    """
    await directory.add_guild(guild_of(guild, settings))
    taken = await directory.guild(guild.id) or guild_of(guild, settings)
    known = await directory.channels(guild.id)
    now = channels_of(
        guild,
        base_role_id=taken.base_role_id,
        known_names={channel.channel_id: channel.name for channel in known},
    )
    await directory.put_channels(now)
    gone = _gone(known, now)
    if gone:
        await directory.drop_channels(guild_id=guild.id, channel_ids=gone, at=(clock or SystemClock()).now())
    members = [member_of(member, guild_id=guild.id) for member in _known_members(guild)]
    for start in range(0, len(members), _MEMBERS_AT_ONCE):
        await directory.put_members(members[start : start + _MEMBERS_AT_ONCE])
    return taken


def _gone(known: Iterable[Channel], now: Iterable[Channel]) -> list[int]:
    there = {channel.channel_id for channel in now}
    return [
        channel.channel_id
        for channel in known
        if channel.channel_id not in there and (channel.parent_id is None or channel.parent_id not in there)
    ]


def _known_members(guild: discord.Guild) -> list[discord.Member]:
    members = {member.id: member for member in (*guild.members, guild.me)}
    return list(members.values())


_OUTAGE_PAUSES_SECONDS: Final = (0.5, 2.0, 5.0, 10.0)
"""Pauses while the database is away; the last one repeats until it is back."""

_LONGEST_PAUSE_SECONDS: Final = 300.0
"""Before a guild is tried again that could not be taken up for another reason."""

_BASE_ROLES_SECONDS: Final = 1.0
"""Real seconds between two looks for base roles that another process changed."""

Room: TypeAlias = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel

Met: TypeAlias = Callable[[discord.Guild], Awaitable[None]]
"""Told of each guild that this process meets, before anything that is said there is heard."""

TakenUp: TypeAlias = Callable[[discord.Guild, Guild], Awaitable[None]]
"""Told of each guild that was taken up or renewed, with its settings."""

Lost: TypeAlias = Callable[[discord.Guild, Sequence[Room]], Awaitable[None]]
"""Told of channels in which the bot may no longer read or write."""


def rooms_of(guild: discord.Guild) -> list[Room]:
    """Return the channels of `guild` in which messages or posts are written, in the order that members see."""
    rooms: list[Room] = [
        *guild.text_channels,
        *guild.voice_channels,
        *guild.stage_channels,
        *guild.forums,
    ]
    return sorted(rooms, key=lambda room: (room.position, room.id))


def is_usable(room: Room) -> bool:
    """Tell whether the bot can read and answer in `room`; in a forum it answers in threads."""
    if isinstance(room, discord.ForumChannel):
        return bot_can_read(room) and room.permissions_for(room.guild.me).send_messages_in_threads
    return bot_can_read(room) and bot_can_write(room)


class GuildRegistry(Supervised):
    """The state of each guild, refreshed by one task; call `start` before use.

    A change only marks its guild. So a hundred changes at once are one refresh, and an outage of the database only
    delays it. The audience of a message must be known before anything is waited for, so base roles are cached here.
    Whoever sets one in this process reports it; changes by other processes are polled.
    """

    def __init__(self, client: discord.Client, dependencies: Keepsake) -> None:
        super().__init__(
            dependencies.services, {"guilds and channels": self._run, "base roles": self._follow_base_roles}
        )
        self._client = client
        self._dependencies = dependencies
        self._base_roles: dict[int, int | None] = {}
        self._usable: dict[int, frozenset[int]] = {}
        self._wanted: dict[int, bool] = {}
        self._guilds = Schedule()
        self._progress = asyncio.Condition()
        self._telling = BackgroundWork()
        self.met: Final[list[Met]] = []
        """If one of them fails, the guild is tried again."""
        self.taken_up: Final[list[TakenUp]] = []
        self.lost: Final[list[Lost]] = []

    def start(self) -> None:
        """Begin; done again, it changes nothing."""
        super().start()
        if self._settings_changed not in self._dependencies.directory.changed:
            self._dependencies.directory.changed.append(self._settings_changed)

    async def stop(self) -> None:
        """End; what was not renewed yet is at the next start."""
        if self._settings_changed in self._dependencies.directory.changed:
            self._dependencies.directory.changed.remove(self._settings_changed)
        await super().stop()
        await self._telling.stop()

    def is_welcome(self, guild_id: int | None) -> bool:
        """Tell whether the bot may be in a guild; direct messages (`None`) are always welcome."""
        allowed = self._dependencies.settings.allowed_guilds
        return guild_id is None or not allowed or guild_id in allowed

    def is_known(self, guild_id: int) -> bool:
        """Tell whether a guild was taken up, so that its audiences can be told."""
        return guild_id in self._base_roles

    def base_role_id(self, guild_id: int) -> int | None:
        """Return the base role of a guild that is known; `None` is @everyone."""
        return self._base_roles[guild_id]

    def renew(self, guild_id: int, *, whole: bool = False) -> None:
        """Have the channels of a guild renewed in the directory, and all else of it too if `whole`."""
        if self.is_welcome(guild_id):
            self._wanted[guild_id] = self._wanted.get(guild_id, False) or whole or not self.is_known(guild_id)
            if self._guilds.has_failed(guild_id):
                self._guilds.add_if_new(guild_id)
            else:
                self._guilds.add(guild_id)

    async def known(self, guild_id: int) -> None:
        """Return when a guild was taken up: before all others, since somebody waits for it."""
        if not self.is_known(guild_id):
            # What is said may be told before the guild's own event was dealt with.
            self.renew(guild_id)
            self._guilds.hurry(guild_id)
            async with self._progress:
                await self._progress.wait_for(lambda: self.is_known(guild_id))

    async def settled(self) -> None:
        """Return when everything that was to be renewed is, but for what failed and is tried again later."""
        async with self._progress:
            await self._progress.wait_for(lambda: self._guilds.is_idle)

    async def leave(self, guild_id: int) -> None:
        """Take note that the bot was removed from a guild. Raises `DatabaseError`."""
        self._wanted.pop(guild_id, None)
        self._base_roles.pop(guild_id, None)
        self._usable.pop(guild_id, None)
        await self._dependencies.directory.guild_left(guild_id, self._dependencies.clock.now())

    def _settings_changed(self, settings: Guild) -> None:
        """Go by another base role from the next message on, and have the channels told so."""
        guild_id = settings.guild_id
        if self.is_known(guild_id) and self._base_roles[guild_id] != settings.base_role_id:
            self._base_roles[guild_id] = settings.base_role_id
            self.renew(guild_id)

    async def _follow_base_roles(self) -> None:
        while True:
            await self._look_at_base_roles()
            await rest(_BASE_ROLES_SECONDS)

    async def _look_at_base_roles(self) -> None:
        """Have guilds renewed whose base role is another than the one known here. Raises `DatabaseError`."""
        known = dict(self._base_roles)
        chosen = await self._dependencies.directory.base_roles(known) if known else {}
        for guild_id, base_role_id in known.items():
            if chosen.get(guild_id) != base_role_id and self.is_known(guild_id):
                self.renew(guild_id)

    async def _run(self) -> None:
        outages = 0
        while True:
            guild_id = await self._guilds.take()
            try:
                is_away = await self._tried(guild_id, whole=self._wanted.pop(guild_id, None))
            except Exception:
                # The loop is started again, and takes whatever is wanted then.
                self._guilds.done(guild_id)
                raise
            async with self._progress:
                self._progress.notify_all()
            outages = outages + 1 if is_away else 0
            if is_away:
                await asyncio.sleep(_OUTAGE_PAUSES_SECONDS[min(outages, len(_OUTAGE_PAUSES_SECONDS)) - 1])

    async def _tried(self, guild_id: int, *, whole: bool | None) -> bool:
        """Renew a guild (`None`: nobody wants it any more) and tell whether the database is away.

        What fails is tried again: while the database is away at once, else after pauses that grow.
        """
        try:
            if whole is not None:
                await self._renew(guild_id, whole=whole)
        except DatabaseError as error:
            logger.warning("guild %d could not be taken up: %s", guild_id, trace(error))
            self.renew(guild_id, whole=bool(whole))
            self._guilds.done(guild_id)
            return True
        except Exception as error:
            # One guild that cannot be read must not keep the others from being taken up.
            self._wanted[guild_id] = self._wanted.get(guild_id, False) or bool(whole)
            pause = self._guilds.failed(guild_id, at_most=_LONGEST_PAUSE_SECONDS)
            logger.error(
                "guild %d could not be taken up, and is tried again in %.0f seconds: %s",
                guild_id,
                pause,
                trace(error),
            )
        else:
            self._guilds.done(guild_id)
        return False

    async def _renew(self, guild_id: int, *, whole: bool) -> None:
        guild = self._client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return
        directory = self._dependencies.directory
        settings = None if whole else await directory.guild(guild_id)
        if settings is None:
            settings = await take_up_guild(
                guild, directory, self._dependencies.settings, clock=self._dependencies.clock
            )
        else:
            known = {channel.channel_id: channel.name for channel in await directory.channels(guild_id)}
            await directory.put_channels(
                channels_of(guild, base_role_id=settings.base_role_id, known_names=known)
            )
        if not self.is_known(guild_id):
            for met in self.met:
                await met(guild)
        if not self.is_known(guild_id) or guild_id not in self._wanted:
            # What is wanted again may have changed since it was read here.
            self._base_roles[guild_id] = settings.base_role_id
        # Whoever is told may have to ask Discord, and messages wait for this guild meanwhile.
        self._telling.begin(self._tell(guild, settings), name=f"telling that guild {guild_id} was taken up")

    async def _tell(self, guild: discord.Guild, settings: Guild) -> None:
        rooms = rooms_of(guild)
        usable = frozenset(room.id for room in rooms if is_usable(room))
        were = self._usable.get(guild.id, frozenset())
        self._usable[guild.id] = usable
        lost = [room for room in rooms if room.id in were - usable]
        for taken_up in self.taken_up:
            await taken_up(guild, settings)
        if lost:
            for tell in self.lost:
                await tell(guild, lost)


def place_to_speak(
    guild: discord.Guild, *, fits: Callable[[discord.TextChannel], bool] = bot_can_write
) -> discord.TextChannel | None:
    """Return where the bot says something to all of `guild`: its system channel, else the first that `fits`."""
    rooms = [*([guild.system_channel] if guild.system_channel is not None else []), *guild.text_channels]
    return next(filter(fits, rooms), None)


def place_for_everyone(guild: discord.Guild, *, base_role_id: int | None) -> discord.TextChannel | None:
    """Return where the bot says something that every member may read; `None` while there is no such channel."""
    return place_to_speak(guild, fits=partial(can_tell_everyone, base_role_id=base_role_id))


def can_tell_everyone(room: discord.TextChannel, *, base_role_id: int | None) -> bool:
    """Tell whether the bot may write in `room`, and the guild's base role reads it."""
    return bot_can_write(room) and audience_of(room, base_role_id=base_role_id) == OPEN


async def leave_guild(guild: discord.Guild) -> None:
    """Say in `guild` that the bot is not for it, and leave; nothing of it is stored."""
    channel = place_to_speak(guild)
    try:
        if channel is not None:
            await channel.send(say("notice.not_allowed", language_of(guild.preferred_locale)))
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        logger.warning("guild %d was left without a word: %s", guild.id, trace(error))
    await guild.leave()


async def note_removals(client: discord.AutoShardedClient, dependencies: Keepsake) -> None:
    """Note that the bot is no longer in guilds of its shards that Discord has not named; an outage hides none."""
    if client.user is None or client.shard_count is None:
        return
    try:
        count = await dependencies.memory.erasing.note_left_guilds(
            bot_id=client.user.id,
            present_ids=[guild.id for guild in client.guilds],
            shard_ids=[*client.shards],
            shard_count=client.shard_count,
        )
    except DatabaseError as error:
        # The next start finds them.
        logger.warning("it is not known which guilds removed the bot: %s", trace(error))
        return
    if count:
        logger.info("%d guilds removed the bot while it was away", count)

"""Unsolicited notices to owners, managers and log channels: problems of the installation, notes that wait for a
decision, and removals.
"""

import asyncio
import hashlib
import logging
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Final

import aiohttp
import discord

from bot.adapters.discord.audiences import bot_can_write
from bot.adapters.discord.guilds import Room
from bot.adapters.discord.sentences import language_of, listed
from bot.chat.keepsake import Keepsake
from bot.chat.rights_texts import removal_line
from bot.core.domain import Guild, Language
from bot.core.errors import DatabaseError
from bot.core.log import trace
from bot.core.metering import Event, ModelCalled
from bot.db.clock_watch import ClockDoubt
from bot.db.service import ServiceFailure, Supervised
from bot.db.signs import rest, waited, woken
from bot.memory.outbox.removal_log import Removal
from bot.text.sentences import Key, say

logger = logging.getLogger(__name__)


_QUOTA: Final = frozenset({"rate_limited", "resting", "no_quota"})
_QUOTA_SECONDS: Final = 90.0
"""Real seconds after which it is no longer the quota of a minute that is used up."""

_MOST_TROUBLES: Final = 100

_DISK_SECONDS: Final = 3600.0
_LEAST_FREE_PERCENT: Final = 10


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that the owner should know: once a day of each sentence, or of each `about` of it."""

    sentence: Key
    values: Mapping[str, str | int]
    about: str = ""


class Troubles:
    """Keeps what the owner should be told of the calls of models and of all else."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._held_since: dict[str, float] = {}
        self._waiting: asyncio.Queue[Trouble] = asyncio.Queue(_MOST_TROUBLES)

    def note(self, event: Event) -> None:
        """Take note of how a call of a model ended; other events are none of the owner's business."""
        if not isinstance(event, ModelCalled):
            return
        model = event.model
        if event.ending == "unauthorised":
            self.report("notice.key_refused", model=model)
        elif event.ending == "over_budget":
            self.report("notice.quota_gone", model=model)
        elif event.ending in _QUOTA:
            since = self._held_since.setdefault(model, self._monotonic())
            if self._monotonic() - since >= _QUOTA_SECONDS:
                self.report("notice.quota_gone", model=model)
        elif event.ending == "answered":
            self._held_since.pop(model, None)

    @property
    def is_any(self) -> bool:
        """Whether there is something to tell."""
        return not self._waiting.empty()

    async def next(self) -> Trouble:
        """Return the next trouble, when there is one."""
        return await waited(self._waiting.get)

    def fails(self, service: ServiceFailure) -> None:
        """Take note of a failure of one of the loops of the process."""
        self.report(
            "notice.service_fails",
            about=service.name,
            service=service.name,
            error=service.error,
            failures=service.failures,
        )

    def report(self, sentence: Key, *, about: str = "", **values: str | int) -> None:
        """Have this told; waits for nothing."""
        # The owner hears of each kind once a day: what does not fit was said by those that do.
        if not self._waiting.full():
            self._waiting.put_nowait(Trouble(sentence, values, about=about))


class OwnerNotices(Supervised):
    """The owner of the application, or of the team that it belongs to."""

    def __init__(self, client: discord.Client, dependencies: Keepsake, troubles: Troubles) -> None:
        super().__init__(
            dependencies.services,
            {"notices to the owner": self._tell_troubles, "room on the disk": self._watch_disk},
        )
        self._client = client
        self._dependencies = dependencies
        self._troubles = troubles

    def start(self) -> None:
        """Begin to tell of troubles, and to watch the disk."""
        self._services.listen(self._troubles.fails)
        super().start()

    async def permission_lost(self, guild: discord.Guild, rooms: Sequence[Room | discord.Thread]) -> None:
        """Say that the bot may no longer read or write in some channels of a guild."""
        await self.tell(
            "notice.permission_lost", guild=guild.name, channels=listed(f"#{room.name}" for room in rooms)
        )

    async def clock_is_off(self, doubt: ClockDoubt) -> None:
        """Say that nothing is removed by age, since the clock is not believed."""
        if doubt.theirs is not None:
            ours, theirs = (f"{one.astimezone(UTC):%Y-%m-%d %H:%M}" for one in (doubt.ours, doubt.theirs))
            await self.tell("notice.clock_off", ours=ours, theirs=theirs)

    async def tell(self, sentence: Key, *, of_guild: int = 0, **values: str | int) -> bool:
        """Send a sentence to the owner, unless one of its kind was sent today; tells whether it arrived.

        With `of_guild`, a guild's id, that is one of its kind about this guild.
        """
        return await self._send_once(sentence, values, of_guild=of_guild)

    async def _send_once(
        self, sentence: Key, values: Mapping[str, str | int], *, of_guild: int = 0, about: str = ""
    ) -> bool:
        kind = sentence.partition(".")[2] + (f":{about}" if about else "")
        try:
            if not await self._dependencies.directory.notices.first_today(guild_id=of_guild, kind=kind):
                return False
            owner = await self._user()
            await owner.send(say(sentence, self._language(), **values))
        except discord.Forbidden:
            logger.warning("the owner takes no direct messages, and was to be told: %s", kind)
        except (discord.DiscordException, DatabaseError, OSError) as error:
            logger.warning("the owner could not be told of %s: %s", kind, trace(error))
        else:
            return True
        return False

    async def _user(self) -> discord.User:
        application = await self._client.application_info()
        if application.team is None or application.team.owner_id is None:
            return application.owner
        return await self._client.fetch_user(application.team.owner_id)

    def _language(self) -> Language:
        """Return the language of most guilds: Discord does not tell that of a user."""
        spoken = [language_of(guild.preferred_locale) for guild in self._client.guilds]
        return max(Language, key=spoken.count)

    async def _tell_troubles(self) -> None:
        while True:
            trouble = await self._troubles.next()
            await self._send_once(trouble.sentence, trouble.values, about=trouble.about)

    async def _watch_disk(self) -> None:
        while True:
            await self._look_at_disk()
            await rest(_DISK_SECONDS)

    async def _look_at_disk(self) -> None:
        folder = self._dependencies.settings.keepsake_home
        percent = await asyncio.to_thread(free_percent, folder)
        if percent < _LEAST_FREE_PERCENT:
            await self.tell("notice.disk_full", share=percent, folder=str(folder))


def free_percent(folder: Path) -> int:
    """Return how much of the disk that holds `folder`, or will hold it, is free; in whole percent."""
    existing = next((place for place in (folder, *folder.parents) if place.exists()), Path("/"))
    usage = shutil.disk_usage(existing)
    return 100 * usage.free // usage.total if usage.total else 100


_PAUSE_SECONDS: Final = 60.0
"""Real seconds between looks: of an erasing that nobody asked for in this process nobody waits to hear."""


class WaitingNotesNotifier(Supervised):
    """Looks for such notes after each erasing, and now and then."""

    def __init__(self, client: discord.Client, dependencies: Keepsake, owner: OwnerNotices) -> None:
        super().__init__(dependencies.services, {"notes that wait": self._run})
        self._client = client
        self._dependencies = dependencies
        self._owner = owner
        self._woken = asyncio.Event()

    def look_soon(self) -> None:
        """Look soon, since somebody may just have been erased; waits for nothing."""
        self._woken.set()

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            await self._look()
            await woken(self._woken, seconds=_PAUSE_SECONDS)

    async def _look(self) -> None:
        """Tell managers of the guilds that this process hears what waits, if nobody was told yet."""
        for guild_id in await self._dependencies.memory.erasing.untold_guild_ids():
            guild = self._client.get_guild(guild_id)
            if guild is not None and not guild.unavailable:
                await self._told_of(guild)

    async def _told_of(self, guild: discord.Guild) -> None:
        if not await self._dependencies.memory.erasing.untold_waiting(guild_id=guild.id):
            return
        try:
            await self._tell(guild, await self._dependencies.directory.guild(guild.id))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            logger.warning("nobody in guild %d was told of what waits: %s", guild.id, trace(error))

    async def _tell(self, guild: discord.Guild, settings: Guild | None) -> None:
        log_id = None if settings is None else settings.log_channel_id
        channel = None if log_id is None else guild.get_channel(log_id)
        if isinstance(channel, discord.TextChannel) and bot_can_write(channel):
            # Nobody is named: what the bot says is kept as anything else.
            await channel.send(say("waiting.told", language_of(guild.preferred_locale)))
            return
        await self._owner.tell("notice.notes_wait", of_guild=guild.id, guild=guild.name)


_NONCE_CHARACTERS: Final = 25


class LogChannels:
    """Posts in the log channels, whichever process has their guilds: that takes no connection to the gateway."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def post(self, removal: Removal, *, channel_id: int) -> bool:
        """Post one line, in the guild's language; its number makes a repetition the same message.

        What the bot may not post, or has nowhere to post, is left out. Raises what stands in the way for now.
        """
        channel = self._client.get_partial_messageable(channel_id, guild_id=removal.guild_id)
        guild = self._client.get_guild(removal.guild_id)
        language = Language.ENGLISH if guild is None else language_of(guild.preferred_locale)
        try:
            await channel.send(
                removal_line(removal, language),
                nonce=_nonce(removal),
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except (discord.Forbidden, discord.NotFound) as error:
            logger.warning(
                "guild %d: the log channel %d takes no line: %s", removal.guild_id, channel_id, trace(error)
            )
        return True


def _nonce(removal: Removal) -> str:
    """Return what only this line has: the same line, sent again, is the same message for some minutes."""
    return hashlib.sha256(repr(removal.shares).encode()).hexdigest()[:_NONCE_CHARACTERS]

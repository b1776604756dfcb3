"""Saying once in every guild what the bot keeps there, as soon as it is there and switched on."""

import asyncio
import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import aiohttp
import discord

from bot.conversation.practice import Practice
from bot.conversation.privacy import welcome
from bot.domain import DISCORD_EPOCH, Guild
from bot.errors import DatabaseError
from bot.faces.discord.audiences import can_write
from bot.faces.discord.commands.welcome_buttons import OWN_ID, welcome_view
from bot.faces.discord.inside import Inside
from bot.faces.discord.leaving import is_for_everyone, place_for_everyone
from bot.faces.discord.sentences import language_of
from bot.log import trace

if TYPE_CHECKING:
    from bot.service import Service

logger = logging.getLogger(__name__)

KIND: Final = "welcome"

_CLOCKS_APART: Final = timedelta(minutes=10)
"""How far the clock of the database and Discord's may be apart."""

AGAIN_SECONDS: Final = 300.0
"""Real seconds after which a guild that could not be told is tried again."""

_LOOKED_THROUGH: Final = 500
"""Messages in which the own one is looked for: more are not said between a crash and the next start in most places."""


class Welcoming:
    """Tells guilds, each of them once.

    Before it is sent it is noted that it is about to be, and after it that it was. Whoever is killed between the two
    leaves it to the next: that one looks for the message where it would be, and sends it with the same number as
    before, by which Discord itself knows a repetition for some minutes.
    """

    def __init__(self, inside: Inside) -> None:
        self._inside = inside
        self._practice = Practice.of(inside.settings)
        self._told: dict[int, datetime] = {}
        """When the bot joined, by guild that was told since."""
        self._under_way: set[int] = set()
        self._waiting: dict[int, discord.Guild] = {}
        """Guilds that could not be told yet."""
        self._service: Service | None = None

    def start(self) -> None:
        """Try again from time to time what failed."""
        self._service = self._inside.services.start("notices to members", self._try_again)

    async def stop(self) -> None:
        """Try no more."""
        if self._service is not None:
            await self._service.stop()
            self._service = None

    async def _try_again(self) -> None:
        while True:
            await asyncio.sleep(AGAIN_SECONDS)
            await self._welcome_waiting()

    async def _welcome_waiting(self) -> None:
        for guild in [*self._waiting.values()]:
            settings = await self._inside.directory.guild(guild.id)
            # A guild that the bot has left is told when it is invited again.
            if settings is None or guild.me is None:
                self._waiting.pop(guild.id, None)
                continue
            await self.welcome(guild, settings)

    async def welcome(self, guild: discord.Guild, settings: Guild) -> None:
        """Tell `guild` what is kept there, unless it was told since the bot joined, or nothing is kept there at all.

        Where there is no channel that everybody reads and the bot may write in, or Discord refuses, it is tried again
        after a while, and whenever that changes. Raises `DatabaseError`.
        """
        joined_at = guild.me.joined_at or DISCORD_EPOCH
        is_told = self._told.get(guild.id) == joined_at
        if is_told or not settings.hearing or guild.id in self._under_way:
            return
        self._under_way.add(guild.id)
        try:
            self._waiting[guild.id] = guild
            if await self._is_told(guild, settings, joined_at=joined_at):
                self._told[guild.id] = joined_at
                del self._waiting[guild.id]
        finally:
            self._under_way.discard(guild.id)

    async def _is_told(self, guild: discord.Guild, settings: Guild, *, joined_at: datetime) -> bool:
        """Tell a guild, and return whether it is told now."""
        base_role_id = settings.base_role_id
        channel = place_for_everyone(guild, base_role_id=base_role_id)
        if channel is None:
            return False
        telling = await self._inside.directory.tellings.begin(
            guild_id=guild.id, kind=KIND, channel_id=channel.id, joined_at=joined_at
        )
        if telling is None:
            return True
        begun_at = telling.begun_at if telling.is_repeated else None
        was_in = guild.get_channel(telling.channel_id)
        if (
            isinstance(was_in, discord.TextChannel)
            and can_write(was_in)
            and is_for_everyone(was_in, base_role_id=base_role_id)
        ):
            channel = was_in
        elif telling.channel_id != channel.id:
            await self._inside.directory.tellings.move(guild_id=guild.id, kind=KIND, channel_id=channel.id)
            begun_at = None
        try:
            sent = None
            if begun_at is not None:
                sent = await self._sent_before(channel, discord.Object(_before(begun_at)))
            sent = sent or await self._send(channel, settings)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            logger.warning("guild %d was not told what is kept of it: %s", guild.id, trace(error))
            return False
        await self._note(guild.id, sent)
        return True

    async def _send(self, channel: discord.TextChannel, settings: Guild) -> int:
        language = language_of(channel.guild.preferred_locale)
        name = channel.guild.me.display_name
        message = await channel.send(
            welcome(settings, self._practice, bot_name=name, language=language),
            view=welcome_view(language),
            nonce=f"w.{channel.guild.id}",
            allowed_mentions=discord.AllowedMentions.none(),
        )
        return message.id

    async def _sent_before(self, channel: discord.TextChannel, after: discord.Object) -> int | None:
        """Return the own message that tells it already; `None` if there is none, or nobody may look."""
        if not channel.permissions_for(channel.guild.me).read_message_history:
            return None
        async for message in channel.history(after=after, limit=_LOOKED_THROUGH, oldest_first=True):
            if message.author.id == channel.guild.me.id and _has_own_buttons(message):
                return message.id
        return None

    async def _note(self, guild_id: int, message_id: int) -> None:
        try:
            await self._inside.directory.tellings.done(guild_id=guild_id, kind=KIND, message_id=message_id)
        except DatabaseError as error:
            # The next start finds the message itself.
            logger.warning("it is not noted that guild %d was told: %s", guild_id, trace(error))


def _before(begun_at: datetime) -> int:
    """Return an id before all that was sent since."""
    return discord.utils.time_snowflake(begun_at - _CLOCKS_APART)


def _has_own_buttons(message: discord.Message) -> bool:
    return any(
        isinstance(part, discord.Button) and (part.custom_id or "").startswith(OWN_ID)
        for row in message.components
        if isinstance(row, discord.ActionRow)
        for part in row.children
    )

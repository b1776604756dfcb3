"""Every event of Discord that the bot listens to, and its handling."""

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from typing import Final

import discord
from discord.ext import commands

from bot.adapters.discord.audiences import bot_can_read
from bot.adapters.discord.backfill.gaps import GapBackfill
from bot.adapters.discord.departures import Departures
from bot.adapters.discord.guilds import GuildRegistry, leave_guild
from bot.adapters.discord.members import Introductions
from bot.adapters.discord.message_handler import MessageHandler
from bot.adapters.discord.messages import attachments_of, text_of
from bot.chat.keepsake import Keepsake
from bot.core.errors import DatabaseError, InvalidInputError

logger = logging.getLogger(__name__)


_MOST_WAITING: Final = 5_000
"""Messages that wait for their guilds to be taken up; further ones are read back."""

_WAITING_SECONDS: Final = 60.0
"""Real seconds that a message waits for its guild; then it is read back once the guild is taken up."""


class EventHandler(commands.Cog):
    """Listens for what is said and for what changes who can hear it."""

    def __init__(
        self,
        client: discord.Client,
        dependencies: Keepsake,
        rooms: GuildRegistry,
        introductions: Introductions,
        message_handler: MessageHandler,
        catch_up: GapBackfill,
        departures: Departures,
    ) -> None:
        self._client = client
        self._introductions = introductions
        self._dependencies = dependencies
        self._rooms = rooms
        self._message_handler = message_handler
        self._catch_up = catch_up
        self._departures = departures
        self._waiting = 0

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Take what was said, before anything is waited for; then answer it, if it is for the bot."""
        if not self._is_heard(message) or not await self._is_placed(message):
            return
        if self._message_handler.is_own(message):
            self._catch_up.heard(message.channel.id, message.id)
            await self._message_handler.hear_own_later(message)
            return
        try:
            taken = self._dependencies.memory.offer([self._message_handler.kept(message)])
        except InvalidInputError as error:
            logger.error("message %d can never be stored: %s", message.id, error)
            self._catch_up.heard(message.channel.id, message.id)
            return
        if not taken:
            # There is no room for it, so it is read back.
            self._catch_up.missed(message.channel.id)
            return
        kept = taken[0]
        self._catch_up.heard(kept.channel_id, kept.message_id)
        await self._message_handler.answer(message, kept, is_taken=True)

    @commands.Cog.listener()
    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Hear an edit; a message that only got its preview is heard again, all else of it changes no words."""
        message, before = payload.message, payload.cached_message
        if not self._is_heard(message) or not await self._is_placed(message):
            return
        if before is not None and before.edited_at == message.edited_at:
            if (text_of(before), attachments_of(before)) != (text_of(message), attachments_of(message)):
                await self._message_handler.hear_unfurled(message)
        elif message.edited_at is not None:
            await self._message_handler.hear_edit(message)
        elif message.embeds:
            await self._message_handler.hear_unfurled(message)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Take the text of a deleted message away, whether it is known or not."""
        if self._rooms.is_welcome(payload.guild_id):
            await self._message_handler.hear_deletion(
                payload.guild_id or payload.channel_id, payload.channel_id, [payload.message_id]
            )

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Take the texts of all these messages away."""
        if self._rooms.is_welcome(payload.guild_id):
            await self._message_handler.hear_deletion(
                payload.guild_id or payload.channel_id, payload.channel_id, sorted(payload.message_ids)
            )

    @commands.Cog.listener()
    async def on_thread_create(self, thread: discord.Thread) -> None:
        """Join a new thread, so that events arrive when it is archived and when it is private."""
        self._rooms.renew(thread.guild.id)
        if self._rooms.is_welcome(thread.guild.id) and thread.me is None and bot_can_read(thread):
            try:
                await thread.join()
            except discord.HTTPException as error:
                logger.info("thread %d could not be joined: code %d", thread.id, error.code)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Renew a thread's name."""
        self._rooms.renew(payload.guild_id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Drop a thread; what was said in it stays."""
        await self._drop(payload.guild_id, payload.thread_id)

    @commands.Cog.listener("on_thread_join")
    @commands.Cog.listener("on_guild_channel_create")
    @commands.Cog.listener("on_guild_role_delete")
    async def on_change(self, thing: discord.Thread | discord.abc.GuildChannel | discord.Role) -> None:
        """Take up a thread that came into sight, or a new channel; a role that is gone may have been the base role."""
        self._rooms.renew(thing.guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Renew a channel: who can read it may have changed."""
        self._rooms.renew(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Drop a channel; what was said in it stays."""
        await self._drop(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Renew the channels: what roles may do decides who can read them."""
        if before.permissions != after.permissions:
            self._rooms.renew(after.guild.id)

    @commands.Cog.listener()
    async def on_member_join(self, member: discord.Member) -> None:
        """Take up a member, also one who comes back."""
        if self._rooms.is_welcome(member.guild.id):
            with self._asked_again(member.guild.id):
                await self._introductions.meet([member], guild_id=member.guild.id)

    @commands.Cog.listener()
    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Take note that a member left."""
        if self._rooms.is_welcome(payload.guild_id):
            self._introductions.forget(guild_id=payload.guild_id, user_id=payload.user.id)
            with self._asked_again(payload.guild_id):
                await self._dependencies.directory.member_left(
                    guild_id=payload.guild_id, user_id=payload.user.id, at=self._dependencies.clock.now()
                )

    @commands.Cog.listener()
    async def on_any_member_update(self, guild_id: int, user_id: int) -> None:
        """Renew a member's names, also of one whom the library did not know before."""
        guild = self._client.get_guild(guild_id)
        member = guild.get_member(user_id) if guild is not None else None
        if member is not None and self._rooms.is_welcome(guild_id):
            await self._introductions.meet([member], guild_id=guild_id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Renew the channels if it is the bot itself: its roles decide what it can read."""
        if after.id == after.guild.me.id and before.roles != after.roles:
            self._rooms.renew(after.guild.id)

    @commands.Cog.listener()
    async def on_user_update(self, _before: discord.User, after: discord.User) -> None:
        """Renew a user's names in every guild in which they are known."""
        for guild in after.mutual_guilds:
            member = guild.get_member(after.id)
            if member is not None and self._rooms.is_welcome(guild.id):
                await self._introductions.meet([member], guild_id=guild.id)

    @commands.Cog.listener("on_guild_available")
    @commands.Cog.listener("on_guild_join")
    async def on_entering(self, guild: discord.Guild) -> None:
        """Take up a guild that is there at the start or again, or that the bot was added to."""
        if self._rooms.is_welcome(guild.id):
            self._rooms.renew(guild.id, whole=True)
            # It is told by every new session: who left or came back before that, no event tells.
            self._departures.look_at(guild.id)
        else:
            await leave_guild(guild)

    @commands.Cog.listener()
    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """Renew a guild's name."""
        if before.name != after.name:
            self._rooms.renew(after.id, whole=True)

    @commands.Cog.listener()
    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """Wait: an outage of Discord's is no removal."""
        logger.info("guild %d is unavailable", guild.id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Take note that the bot was removed."""
        if self._rooms.is_welcome(guild.id):
            await self._rooms.leave(guild.id)

    async def _drop(self, guild_id: int, channel_id: int) -> None:
        if self._rooms.is_welcome(guild_id):
            await self._dependencies.directory.drop_channels(
                guild_id=guild_id, channel_ids=[channel_id], at=self._dependencies.clock.now()
            )

    @contextlib.contextmanager
    def _asked_again(self, guild_id: int) -> Iterator[None]:
        """Have the members of a guild asked for if the database does not take what was told of one."""
        try:
            yield
        except DatabaseError:
            self._departures.look_at(guild_id)
            raise

    def _is_heard(self, message: discord.Message) -> bool:
        """Tell whether `message` is from a place that the bot may be in and knows, and not for one member alone."""
        if message.guild is None:
            return isinstance(message.channel, discord.DMChannel) and not message.flags.ephemeral
        return self._rooms.is_welcome(message.guild.id) and not message.flags.ephemeral

    async def _is_placed(self, message: discord.Message) -> bool:
        """Return when the guild of `message` is known; `False` if that takes too long, or too many wait for it."""
        if message.guild is None or self._rooms.is_known(message.guild.id):
            return True
        if self._waiting < _MOST_WAITING:
            self._waiting += 1
            try:
                async with asyncio.timeout(_WAITING_SECONDS):
                    await self._rooms.known(message.guild.id)
                return True
            except TimeoutError:
                logger.warning("message %d waits no longer for guild %d", message.id, message.guild.id)
            finally:
                self._waiting -= 1
        self._catch_up.missed(message.channel.id)
        return False

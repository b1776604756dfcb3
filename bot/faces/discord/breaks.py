"""What breaks hearing, as Discord tells it: new sessions, and channels that come into sight or go out of it."""

from collections.abc import Callable, Coroutine, Iterable
from typing import Final

import discord
from discord.ext import commands

from bot.faces.discord.audiences import can_read, readable_by
from bot.faces.discord.watermarks import Watermarks

_SIGHT: Final = discord.Permissions(
    view_channel=True, read_message_history=True, connect=True, administrator=True
)
"""What decides whether the bot can read a channel."""


class Breaks:
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
        if not (can_read(before) and can_read(after)):
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

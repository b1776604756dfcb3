"""An interaction becomes a visit at the desk: who comes, from where, and what they may do."""

import asyncio
from functools import partial
from typing import Final

import discord

from bot.conversation.desk import Visit
from bot.domain import OPEN
from bot.errors import DatabaseUnavailableError, InvalidInputError
from bot.faces.discord.audiences import audience_of, is_visitor
from bot.faces.discord.introducing import Introductions
from bot.faces.discord.jumping import address
from bot.faces.discord.own_hands import can_read_of, reads_of
from bot.faces.discord.rooms import Rooms
from bot.faces.discord.sentences import language_of

_TAKING_UP_SECONDS: Final = 5.0
"""Real seconds that somebody waits for a guild to be taken up, which a start or an outage may delay."""


class Visits:
    """Makes visits. Whoever comes is put into the directory, so that what is stored about them has a name."""

    def __init__(self, client: discord.Client, rooms: Rooms, introductions: Introductions) -> None:
        self._client = client
        self._rooms = rooms
        self._introductions = introductions

    async def visit(self, interaction: discord.Interaction, *, of_channel: bool = False) -> Visit:
        """Return `interaction` as a visit with the rights that its member has in the whole guild.

        With `of_channel` they are those in the channel alone, which is enough for what changes nothing else.
        Raises `DatabaseError`, also while the guild is not taken up yet, and `InvalidInputError` for a channel
        that is neither of a guild nor between the bot and one user.
        """
        guild, channel = interaction.guild, interaction.channel
        if channel is None:
            raise InvalidInputError(f"interaction {interaction.id} is from a channel that is not known")
        if guild is None:
            if not isinstance(channel, discord.DMChannel):
                raise InvalidInputError(f"channel {channel.id} is neither of a guild nor between two")
            await self._introductions.open_direct(channel.id, self._bot)
            await self._introductions.meet([interaction.user], guild_id=channel.id)
            return self._visit(interaction, guild_id=channel.id, audience=OPEN, is_visitor=False)
        await self._known(guild.id)
        await self._introductions.meet([interaction.user], guild_id=guild.id)
        base_role_id = self._rooms.base_role_id(guild.id)
        return self._visit(
            interaction,
            guild_id=guild.id,
            audience=_audience(guild, channel, base_role_id=base_role_id),
            is_visitor=is_visitor(interaction.user, base_role_id=base_role_id),
            of_channel=of_channel,
        )

    async def meet(self, visit: Visit, person: discord.Member | discord.User) -> None:
        """Put a chosen member into the directory; one who has left has no names here. Raises `DatabaseError`."""
        if visit.direct or isinstance(person, discord.Member):
            await self._introductions.meet([person], guild_id=visit.guild_id)

    async def renew(self, guild_id: int) -> None:
        """Have the audiences of a guild told anew, and wait for that as long as anybody would."""
        self._rooms.renew(guild_id, whole=True)
        try:
            async with asyncio.timeout(_TAKING_UP_SECONDS):
                await self._rooms.settled()
        except TimeoutError:
            # It is marked, and done as soon as the database lets it.
            return

    def _visit(
        self,
        interaction: discord.Interaction,
        *,
        guild_id: int,
        audience: int,
        is_visitor: bool,
        of_channel: bool = False,
    ) -> Visit:
        guild, here = interaction.guild, interaction.permissions
        return Visit(
            guild_id=guild_id,
            channel_id=interaction.channel_id or 0,
            audience=audience,
            user_id=interaction.user.id,
            language=language_of(interaction.locale),
            interaction_id=interaction.id,
            bot_id=self._bot.id,
            bot_name=self._bot.display_name if guild is None else guild.me.display_name,
            from_moderator=here.manage_messages if of_channel else is_moderator(interaction),
            # Who writes directly manages their own direct messages.
            from_manager=guild is None or here.manage_guild or (of_channel and here.manage_channels),
            visitor=is_visitor,
            direct=guild is None,
            reads=reads_of(self._client, self._rooms, interaction.user.id),
            can_read=can_read_of(self._client, interaction.guild_id, interaction.user.id),
            jump=partial(_address, None if guild is None else guild.id),
        )

    async def _known(self, guild_id: int) -> None:
        try:
            async with asyncio.timeout(_TAKING_UP_SECONDS):
                await self._rooms.known(guild_id)
        except TimeoutError as error:
            raise DatabaseUnavailableError(f"guild {guild_id} is not taken up yet") from error

    @property
    def _bot(self) -> discord.ClientUser:
        if self._client.user is None:
            raise AssertionError("interactions come only to a client that is logged in")
        return self._client.user


def _address(guild_id: int | None, channel_id: int, message_id: int) -> str:
    return address(guild_id=guild_id, channel_id=channel_id, message_id=message_id)


def is_moderator(interaction: discord.Interaction) -> bool:
    """Tell whether a member moderates the whole guild; a permission in one channel alone gives no such power."""
    user = interaction.user
    return isinstance(user, discord.Member) and user.guild_permissions.manage_messages


def _audience(guild: discord.Guild, channel: discord.abc.Snowflake, *, base_role_id: int | None) -> int:
    """Return the audience of a channel of `guild` from what the client itself knows of it.

    Of a channel that it does not know, an interaction tells no permissions: without them nothing is open.
    """
    if isinstance(channel, discord.Thread):
        return audience_of(channel, base_role_id=base_role_id)
    known = guild.get_channel(channel.id)
    return channel.id if known is None else audience_of(known, base_role_id=base_role_id)

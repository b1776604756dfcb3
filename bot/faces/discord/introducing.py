"""Who takes part in what is said, put into the directory before it is answered."""

import logging
from collections.abc import Iterable
from typing import Final

import discord
from cachetools import TTLCache

from bot.domain import Channel, Guild, Member
from bot.errors import DatabaseError
from bot.faces.discord.inside import Inside
from bot.faces.discord.translate import guild_id_of, member_of
from bot.log import trace

logger = logging.getLogger(__name__)

_KNOWN_MEMBERS: Final = 50_000
"""Members whose names are remembered as stored, so that a message costs no write for its author."""

_KNOWN_SECONDS: Final = 600.0
"""How long in real time: who was erased meanwhile, by another process too, and goes on talking needs a name again."""


class Introductions:
    """Makes authors and those whom they mention known, with the names that they have now."""

    def __init__(self, inside: Inside) -> None:
        self._inside = inside
        self._introduced: TTLCache[tuple[int, int], Member] = TTLCache(_KNOWN_MEMBERS, _KNOWN_SECONDS)

    @staticmethod
    def author_of(message: discord.Message) -> discord.Member | discord.User:
        """Return who wrote `message`, as a member where the client knows them as one.

        A message that was read back tells only of a user, without roles and nickname.
        """
        author, guild = message.author, message.guild
        if guild is None or isinstance(author, discord.Member):
            return author
        return guild.get_member(author.id) or author

    async def introduce(
        self, message: discord.Message, author: discord.Member | discord.User, bot: discord.ClientUser
    ) -> None:
        """Put into the directory whom `message` makes known; of a new direct message, also where it is.

        A user who is no member of the guild is left out: they left, and their nickname is not known.
        """
        guild_id = guild_id_of(message)
        people = [*message.mentions, author] if message.webhook_id is None else message.mentions
        try:
            if message.guild is None:
                await self.open_direct(guild_id, bot)
            known = [
                person for person in people if message.guild is None or isinstance(person, discord.Member)
            ]
            await self.meet(known, guild_id=guild_id)
        except DatabaseError as error:
            # Names can wait, the message cannot: the next one brings them again.
            logger.warning("those in message %d were not taken up: %s", message.id, trace(error))

    async def meet(self, people: Iterable[discord.Member | discord.User], *, guild_id: int) -> None:
        """Put `people` into the directory with the names that they have now. Raises `DatabaseError`."""
        await self._put(member_of(person, guild_id=guild_id) for person in people)

    async def open_direct(self, channel_id: int, bot: discord.ClientUser) -> None:
        """Put a channel of direct messages into the directory, if it is new. Raises `DatabaseError`."""
        if (channel_id, bot.id) in self._introduced:
            return
        directory, settings = self._inside.directory, self._inside.settings
        await directory.add_guild(
            Guild(guild_id=channel_id, name="", time_zone=settings.time_zone, direct=True)
        )
        await directory.put_channel(Channel(guild_id=channel_id, channel_id=channel_id, name=""))
        await self._put([Member(guild_id=channel_id, user_id=bot.id, user_name=bot.name, is_bot=True)])

    async def _put(self, members: Iterable[Member]) -> None:
        new = {
            member.user_id: member
            for member in members
            if self._introduced.get((member.guild_id, member.user_id)) != member
        }
        if new:
            await self._inside.directory.put_members(list(new.values()))
            self._introduced.update({(member.guild_id, member.user_id): member for member in new.values()})

    def forget_everywhere(self, user_id: int) -> None:
        """Take up a user anew wherever they are met: their names may have been erased."""
        for guild_id, known_id in list(self._introduced):
            if known_id == user_id:
                self.forget(guild_id=guild_id, user_id=user_id)

    def forget(self, *, guild_id: int, user_id: int) -> None:
        """Take up a member anew should they come back: they left."""
        self._introduced.pop((guild_id, user_id), None)

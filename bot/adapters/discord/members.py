"""Members: put into the directory before what they said is answered, looked up by names that are not known
here, and what only Discord knows and can do for them: what they can read of a guild, and files for
their eyes alone.
"""

import asyncio
import io
import logging
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from itertools import chain
from typing import Final, TypeAlias

import aiohttp
import discord
from cachetools import TTLCache

from bot.adapters.discord.audiences import member_reads, readable_audiences
from bot.adapters.discord.guilds import GuildRegistry
from bot.adapters.discord.messages import guild_id_of, member_of
from bot.chat.incoming import HandOver, PrivateFile, ReadableAudiences, ReadableChannels
from bot.chat.keepsake import Keepsake
from bot.core.domain import Channel, Guild, Member
from bot.core.errors import DatabaseError
from bot.core.log import trace
from bot.db.batched import Batched, Pace

logger = logging.getLogger(__name__)


_SECONDS: Final = 3.0
"""Real seconds that a reply waits for Discord to look up a name."""

_MOST_FOUND: Final = 5

_LIKE_A_NAME: Final = re.compile(r"@?(?=\S*\w)\S{2,32}(?:\s\S{1,32}){0,2}")
"""One to three words; what Discord compares is how names begin, and none is longer than 32 characters."""


def member_lookup(guild: discord.Guild) -> Callable[[str], Awaitable[Sequence[Member]]]:
    """Return what finds members of `guild` by a name: five at most, none if it takes Discord too long."""

    async def seek(name: str) -> Sequence[Member]:
        asked = name.strip()
        if len(asked) > 32 or not _LIKE_A_NAME.fullmatch(asked):
            return []
        try:
            async with asyncio.timeout(_SECONDS):
                found = await guild.query_members(asked.removeprefix("@"), limit=_MOST_FOUND)
        except (TimeoutError, discord.DiscordException, OSError) as error:
            logger.info("guild %d was asked for a name in vain: %s", guild.id, trace(error))
            return []
        return [member_of(member, guild_id=guild.id) for member in found]

    return seek


_KNOWN_MEMBERS: Final = 50_000
"""Members whose names are remembered as stored, so that a message costs no write for its author."""

_KNOWN_SECONDS: Final = 600.0
"""How long in real time: who was erased meanwhile, by another process too, and goes on talking needs a name again."""


_Names: TypeAlias = tuple[str, str | None, str | None]


def _names_of(person: discord.Member | discord.User | discord.ClientUser) -> _Names:
    """Return the names of `person` as Discord tells them: to compare them costs less than to bring them into form."""
    return person.name, person.global_name, person.nick if isinstance(person, discord.Member) else None


class Introductions:
    """Adds authors and mentioned members to the directory, with their current names."""

    def __init__(self, dependencies: Keepsake) -> None:
        self._dependencies = dependencies
        self._introduced: TTLCache[tuple[int, int], _Names] = TTLCache(_KNOWN_MEMBERS, _KNOWN_SECONDS)
        self._taken_up: Batched[Sequence[Member], None] = Batched(
            self._take_up, name="taking up those who speak", pace=Pace()
        )

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
        """Add the members whom `message` makes known to the directory; for a new direct message, also its channel.

        A user who is not a member of the guild is left out: they left, and their nickname is unknown.
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
        new = {
            person.id: person
            for person in people
            if self._introduced.get((guild_id, person.id)) != _names_of(person)
        }
        if new:
            await self._taken_up.of([member_of(person, guild_id=guild_id) for person in new.values()])
            self._introduced.update({(guild_id, person.id): _names_of(person) for person in new.values()})

    async def open_direct(self, channel_id: int, bot: discord.ClientUser) -> None:
        """Put a channel of direct messages into the directory, if it is new. Raises `DatabaseError`."""
        if (channel_id, bot.id) in self._introduced:
            return
        directory, settings = self._dependencies.directory, self._dependencies.settings
        await directory.add_guild(
            Guild(guild_id=channel_id, name="", time_zone=settings.time_zone, direct=True)
        )
        await directory.put_channel(Channel(guild_id=channel_id, channel_id=channel_id, name=""))
        await self._taken_up.of(
            [Member(guild_id=channel_id, user_id=bot.id, user_name=bot.name, is_bot=True)]
        )
        self._introduced[channel_id, bot.id] = _names_of(bot)

    async def _take_up(self, together: Sequence[Sequence[Member]]) -> list[None]:
        """Add the members whom several messages make known to the directory."""
        await self._dependencies.directory.put_members(list(chain.from_iterable(together)))
        return [None] * len(together)

    def forget_everywhere(self, user_id: int) -> None:
        """Forget that a user is known, so that they are added again wherever they appear: their names may have been
        erased.
        """
        for guild_id, known_id in list(self._introduced):
            if known_id == user_id:
                self.forget(guild_id=guild_id, user_id=user_id)

    def forget(self, *, guild_id: int, user_id: int) -> None:
        """Forget that a member is known, so that they are added again if they come back."""
        self._introduced.pop((guild_id, user_id), None)


def reads_of(client: discord.Client, rooms: GuildRegistry, user_id: int) -> ReadableAudiences:
    """Return what tells the audiences that a user can read in a guild; none where they are no member.

    What Discord does not tell counts as closed to them.
    """

    async def reads(guild_id: int) -> tuple[int, ...]:
        member = await _member(client, guild_id, user_id) if rooms.is_known(guild_id) else None
        return () if member is None else readable_audiences(member, base_role_id=rooms.base_role_id(guild_id))

    return reads


async def _member(client: discord.Client, guild_id: int, user_id: int) -> discord.Member | None:
    guild = client.get_guild(guild_id)
    if guild is None:
        return None
    try:
        return guild.get_member(user_id) or await guild.fetch_member(user_id)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        logger.info("what member %d of guild %d reads is not known: %s", user_id, guild_id, trace(error))
        return None


def can_read_of(client: discord.Client, guild_id: int | None, user_id: int) -> ReadableChannels | None:
    """Return what tells which channels of a guild a user can read now; `None` in a direct message.

    What Discord does not tell counts as closed to them.
    """
    if guild_id is None:
        return None

    async def can_read(channel_ids: Collection[int]) -> frozenset[int]:
        member = await _member(client, guild_id, user_id)
        if member is None:
            return frozenset()
        found = {channel_id: member.guild.get_channel_or_thread(channel_id) for channel_id in channel_ids}
        return frozenset(
            one for one, room in found.items() if room is not None and member_reads(member, room)
        )

    return can_read


def hand_over_to(author: discord.Member | discord.User) -> HandOver:
    """Return what sends `author` a file as a direct message, and tells whether they take such."""

    async def hand_over(file: PrivateFile) -> bool:
        try:
            await author.send(file=as_file(file))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            logger.info("member %d got no file: %s", author.id, trace(error))
            return False
        return True

    return hand_over


def as_file(file: PrivateFile) -> discord.File:
    """Return a file as Discord takes it."""
    return discord.File(io.BytesIO(file.content), filename=file.name)

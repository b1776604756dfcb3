"""The door to who and what messages speak of: guilds, channels, members, their names and settings."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from bot.domain import OPEN, Channel, Guild, Member
from bot.memory.audience import View, view_of
from bot.store import places
from bot.store.database import Database


class Directory:
    """Guilds, channels and members, as they were told; names are read anew each time, never kept stale."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_guild(self, guild: Guild) -> bool:
        """Take up `guild`; of a known one only the name is renewed. Tells whether it was new."""
        return await self._database.write(lambda connection: places.add_guild(connection, guild))

    async def guild(self, guild_id: int) -> Guild | None:
        """Return a guild with its settings, or `None` if it is not known."""
        return await self._database.read(lambda connection: places.guild(connection, guild_id=guild_id))

    async def guilds_named(self, name: str) -> list[Guild]:
        """Return the guilds of this name, without regard to case."""
        return await self._database.read(lambda connection: places.guilds_named(connection, name=name))

    async def guild_names(self) -> list[str]:
        """Return the names of all guilds but direct messages."""
        return await self._database.read(places.guild_names)

    async def put_channel(self, channel: Channel) -> None:
        """Take up `channel`, or renew its name and audience."""
        await self._database.write(lambda connection: places.put_channel(connection, channel))

    async def channels(self, guild_id: int) -> list[Channel]:
        """Return the channels of a guild by name."""
        return await self._database.read(lambda connection: places.channels(connection, guild_id=guild_id))

    async def put_members(self, members: Sequence[Member]) -> None:
        """Take up `members`, or renew their names; a name given up still helps to recognise."""
        await self._database.write(lambda connection: places.put_members(connection, members))

    async def members(
        self, guild_id: int, *, audiences: Sequence[int] = (OPEN,), seconds: float | None = None
    ) -> list[Member]:
        """Return everyone known in a guild, with the aliases that facts of these audiences give them.

        With `seconds`, real ones, the aliases are left out if they are not there by then.
        """
        known = await self._database.read(lambda connection: places.members(connection, guild_id=guild_id))
        try:
            async with asyncio.timeout(seconds):
                told = await self._database.read(
                    lambda connection: places.told_names(connection, guild_id=guild_id, audiences=audiences)
                )
        except TimeoutError:
            return known
        return [
            replace(member, aliases=member.aliases + told[member.user_id])
            if member.user_id in told
            else member
            for member in known
        ]

    async def view(self, *, guild_id: int, channel_audience: int, user_id: int) -> View:
        """Return what a reply to `user_id` may draw on in a channel of this audience."""
        guild = await self.guild(guild_id)
        if guild is None or not guild.direct:
            return view_of(guild_id=guild_id, channel_audience=channel_audience)
        shared = await self._database.read(
            lambda connection: places.shared_guild_ids(connection, user_id=user_id)
        )
        return view_of(guild_id=guild_id, channel_audience=OPEN, shared_guild_ids=tuple(shared))

"""Episodes as they are kept: read, and removed by those who may."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from bot.domain import Episode
from bot.memory.sayable import of_present
from bot.store import ended, episodes
from bot.store.database import Connection, Database

logger = logging.getLogger(__name__)


async def tellable(connection: Connection, found: Sequence[Episode]) -> list[Episode]:
    """Return `found`, episodes of one guild, without the sentences that name members of whom nothing is kept."""
    if not found:
        return []
    left = await of_present(connection, guild_id=found[0].guild_id, texts=[one.content for one in found])
    return [replace(one, content=text) for one, text in zip(found, left, strict=True) if text]


class KeptEpisodes:
    """Reads and removes episodes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_channel(self, *, guild_id: int, channel_id: int, audiences: Sequence[int]) -> list[Episode]:
        """Return the episodes of a channel that these audiences may see, newest first."""

        async def read(connection: Connection) -> list[Episode]:
            found = await episodes.of_channel(
                connection, guild_id=guild_id, channel_id=channel_id, audiences=audiences
            )
            return await tellable(connection, found)

        found = await self._database.read(read)
        logger.info("channel %d of guild %d: %d episodes read", channel_id, guild_id, len(found))
        return found

    async def with_ids(
        self, *, guild_id: int, episode_ids: Sequence[int], audiences: Sequence[int]
    ) -> list[Episode]:
        """Return those of these episodes that these audiences may see, newest first."""

        async def read(connection: Connection) -> list[Episode]:
            found = await episodes.with_ids(
                connection, guild_id=guild_id, episode_ids=episode_ids, audiences=audiences
            )
            return await tellable(connection, found)

        return await self._database.read(read)

    async def resting_on(self, *, guild_id: int, user_ids: Sequence[int]) -> frozenset[int]:
        """Return the ids of all episodes of a guild that rest on words of one of these members."""
        return await self._database.read(
            lambda connection: ended.episodes_resting_on(connection, guild_id=guild_id, user_ids=user_ids)
        )

    async def everywhere(
        self, *, guild_id: int | None = None, channel_id: int | None = None, episode_id: int | None = None
    ) -> list[Episode]:
        """Return all episodes, those of a guild, of a channel, or one; for operators, whom no audience binds."""
        return await self._database.read(
            lambda connection: episodes.everywhere(
                connection, guild_id=guild_id, channel_id=channel_id, episode_id=episode_id
            )
        )

    async def remove(
        self, *, guild_id: int, channel_id: int, episode_id: int, audiences: Sequence[int]
    ) -> bool:
        """Remove an episode of a channel that these audiences may see; `False` if there is none such.

        Its conversation leaves no other one.
        """
        return await self._removed(guild_id, channel_id, [episode_id], audiences) > 0

    async def purge(self, *, guild_id: int, channel_id: int, episode_id: int | None = None) -> int:
        """Remove one episode of a channel, or all, whoever may see them, and return how many went."""
        return await self._removed(guild_id, channel_id, None if episode_id is None else [episode_id], None)

    async def _removed(
        self,
        guild_id: int,
        channel_id: int,
        episode_ids: Sequence[int] | None,
        audiences: Sequence[int] | None,
    ) -> int:
        count = await self._database.write(
            lambda connection: episodes.remove(
                connection,
                guild_id=guild_id,
                channel_id=channel_id,
                episode_ids=episode_ids,
                audiences=audiences,
            )
        )
        logger.info("channel %d of guild %d: %d episodes removed on request", channel_id, guild_id, count)
        return count

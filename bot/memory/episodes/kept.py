"""Episodes as they are kept: read, and removed by those who may."""

import logging
from collections.abc import Sequence

from bot.domain import Episode
from bot.store import episodes
from bot.store.database import Database

logger = logging.getLogger(__name__)


class KeptEpisodes:
    """Reads and removes episodes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_channel(self, *, guild_id: int, channel_id: int, audiences: Sequence[int]) -> list[Episode]:
        """Return the episodes of a channel that these audiences may see, newest first."""
        found = await self._database.read(
            lambda connection: episodes.of_channel(
                connection, guild_id=guild_id, channel_id=channel_id, audiences=audiences
            )
        )
        logger.info("channel %d of guild %d: %d episodes read", channel_id, guild_id, len(found))
        return found

    async def with_ids(
        self, *, guild_id: int, episode_ids: Sequence[int], audiences: Sequence[int]
    ) -> list[Episode]:
        """Return those of these episodes that these audiences may see, newest first."""
        return await self._database.read(
            lambda connection: episodes.with_ids(
                connection, guild_id=guild_id, episode_ids=episode_ids, audiences=audiences
            )
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

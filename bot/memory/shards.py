"""Leases of shards: two processes never listen to the same part of the guilds."""

from collections.abc import Collection
from datetime import timedelta
from typing import Final
from uuid import UUID

from bot.errors import InvalidInputError
from bot.store import leases
from bot.store.database import Database

LEASE: Final = timedelta(seconds=30)
"""Real time after which the shards of a process that died may be taken over; renew well within it."""


class ShardLeases:
    """Which process has which shards. A process names itself by a UUID of its own making, the holder."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, shard_ids: Collection[int], shard_count: int, holder: UUID) -> bool:
        """Lease these shards, of `shard_count` in all, to `holder` in place of those that it had.

        `False`, and nothing changed, if another process has one of them, or counts the shards differently.
        Raises `InvalidInputError` for shards that cannot be, `DatabaseUnavailableError` if nobody can tell.
        """
        wanted = sorted(set(shard_ids))
        if not wanted or not 0 <= wanted[0] <= wanted[-1] < shard_count:
            raise InvalidInputError(
                f"shards {wanted} of {shard_count} cannot be: they must be one or more, from 0 to {shard_count - 1}"
            )
        return await self._database.write(
            lambda connection: leases.take(
                connection, shard_ids=wanted, shard_count=shard_count, holder=holder, lease=LEASE
            )
        )

    async def renew(self, holder: UUID) -> bool:
        """Keep the shards of `holder` for another 30 s; `False` if they are no longer its own: stop listening.

        A process that was late keeps them if nobody wanted them meanwhile.
        Raises `DatabaseUnavailableError`, after which the lease runs on as it was.
        """
        return await self._database.write(
            lambda connection: leases.renew(connection, holder=holder, lease=LEASE)
        )

    async def give_back(self, holder: UUID) -> None:
        """Free the shards of `holder` at once; nothing happens if it has none."""
        await self._database.write(lambda connection: leases.give_back(connection, holder=holder))

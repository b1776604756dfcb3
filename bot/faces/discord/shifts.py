"""The lease that keeps two processes from answering for the same shards."""

import asyncio
import logging
from typing import Final
from uuid import uuid4

from bot.errors import DatabaseError, ShardsTakenError
from bot.log import trace
from bot.memory.directory import Directory
from bot.settings import Shards

logger = logging.getLogger(__name__)

RENEWAL_SECONDS: Final = 10.0
"""Real seconds between renewals: a lease holds for 30, so two in a row may fail."""

PATIENCE_SECONDS: Final = 40.0
"""How long to wait for the lease of another process: one that was killed loses it within 30 seconds."""

_LOOK_AGAIN_SECONDS: Final = 2.0


class Shift:
    """The shards that this process answers for, from `begin` to `end`."""

    def __init__(self, directory: Directory, *, renewal_seconds: float | None = None) -> None:
        self._leases = directory.shards
        self._renewal_seconds = RENEWAL_SECONDS if renewal_seconds is None else renewal_seconds
        self._holder = uuid4()
        self._task: asyncio.Task[None] | None = None
        self.lost = asyncio.Event()
        """Set when another process has the shards: then this one must fall silent."""

    async def begin(self, shards: Shards, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        """Take the lease and keep it.

        Raises `ShardsTakenError` if another process still has it after `patience_seconds` real seconds.
        """
        taken = await self._take(shards)
        if not taken:
            logger.warning(
                "another process answers for shards %s; waiting up to %.0f seconds, should it have been killed",
                _told(shards),
                patience_seconds,
            )
        try:
            async with asyncio.timeout(patience_seconds):
                while not taken:
                    await asyncio.sleep(min(_LOOK_AGAIN_SECONDS, patience_seconds / 4))
                    taken = await self._take(shards)
        except TimeoutError:
            raise ShardsTakenError(
                f"another process answers for shards {_told(shards)} already: stop it, or give each process"
                " shards of its own with DISCORD_SHARDS"
            ) from None
        self._task = asyncio.create_task(self._keep(), name="lease of shards")

    async def end(self) -> None:
        """Give the lease back, so that the next process need not wait for it."""
        if self._task is None:
            return
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._task = None
        if self.lost.is_set():
            return
        try:
            await self._leases.give_back(self._holder)
        except DatabaseError as error:
            logger.warning("the lease of the shards could not be given back: %s", trace(error))

    async def _take(self, shards: Shards) -> bool:
        return await self._leases.take(list(shards.shard_ids), shards.shard_count, self._holder)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(self._renewal_seconds)
            try:
                is_ours = await self._leases.renew(self._holder)
            except DatabaseError as error:
                # While the database is away nobody else can take the lease either.
                logger.warning("the lease of the shards could not be renewed: %s", trace(error))
                continue
            if not is_ours:
                self.lost.set()
                return


def _told(shards: Shards) -> str:
    first, last = shards.shard_ids[0], shards.shard_ids[-1]
    return f"{first}/{shards.shard_count}" if first == last else f"{first}-{last}/{shards.shard_count}"

"""The lease that keeps two processes from answering for the same shards."""

import asyncio
import logging
from typing import Final
from uuid import uuid4

from bot.errors import DatabaseError, DatabaseUnavailableError, ShardsTakenError
from bot.log import trace
from bot.memory.directory import Directory
from bot.memory.shards import LEASE
from bot.service import Service, Services
from bot.settings import Shards

logger = logging.getLogger(__name__)

RENEWAL_SECONDS: Final = 10.0
"""Real seconds between renewals: a lease holds for 30, so two in a row may fail."""

LEASE_SECONDS: Final = LEASE.total_seconds()

PATIENCE_SECONDS: Final = 40.0
"""How long to wait for the lease of another process: one that was killed loses it within 30 seconds."""

_LOOK_AGAIN_SECONDS: Final = 2.0


class Shift:
    """The shards that this process answers for, from `begin` to `end`."""

    def __init__(
        self,
        directory: Directory,
        *,
        services: Services | None = None,
        renewal_seconds: float | None = None,
        lease_seconds: float | None = None,
    ) -> None:
        self._leases = directory.shards
        self._services = services or Services()
        self._renewal_seconds = RENEWAL_SECONDS if renewal_seconds is None else renewal_seconds
        self._lease_seconds = LEASE_SECONDS if lease_seconds is None else lease_seconds
        self._holder = uuid4()
        self._service: Service | None = None
        self._expiry: asyncio.TimerHandle | None = None
        self._is_expired = False
        self._is_renewing = False
        self._is_away = False
        self.lost = asyncio.Event()
        """Set when another process has the shards, or may have them by now: then this one must fall silent."""

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
        self._service = self._services.start("lease of shards", self._keep)

    async def end(self) -> None:
        """Give the lease back, so that the next process need not wait for it."""
        if self._service is None:
            return
        await self._service.stop()
        self._service = None
        if self._expiry is not None:
            self._expiry.cancel()
        if self.lost.is_set():
            return
        try:
            await self._leases.give_back(self._holder)
        except DatabaseError as error:
            logger.warning("the lease of the shards could not be given back: %s", trace(error))

    async def _take(self, shards: Shards) -> bool:
        asked_at = asyncio.get_running_loop().time()
        taken = await self._leases.take(list(shards.shard_ids), shards.shard_count, self._holder)
        if taken:
            self._holds_from(asked_at)
        return taken

    async def _keep(self) -> None:
        while not self.lost.is_set():
            await self._renew()
            await asyncio.sleep(self._renewal_seconds)
        # The process ends, and nothing is left to be kept.
        await asyncio.get_running_loop().create_future()

    async def _renew(self) -> None:
        asked_at = asyncio.get_running_loop().time()
        self._is_renewing = True
        try:
            is_ours = await self._leases.renew(self._holder)
        except DatabaseUnavailableError:
            # While the database is away nothing is answered, and nobody else can take the lease either.
            self._is_away = True
            raise
        except Exception:
            self._is_away = False
            raise
        finally:
            self._is_renewing = False
            self._silence_if_expired()
        if is_ours:
            self._holds_from(asked_at)
        else:
            self.lost.set()

    def _holds_from(self, asked_at: float) -> None:
        """Count by the own clock how long the lease holds that was asked for at this time."""
        self._is_expired = self._is_away = False
        if self._expiry is not None:
            self._expiry.cancel()
        self._expiry = asyncio.get_running_loop().call_at(asked_at + self._lease_seconds, self._expire)

    def _expire(self) -> None:
        self._is_expired = True
        self._silence_if_expired()

    def _silence_if_expired(self) -> None:
        """Fall silent if the lease ran out, whatever became of the loop that should have renewed it."""
        if self._is_expired and not self._is_renewing and not self._is_away and not self.lost.is_set():
            logger.error("the lease of the shards ran out and cannot be renewed")
            self.lost.set()


def _told(shards: Shards) -> str:
    first, last = shards.shard_ids[0], shards.shard_ids[-1]
    return f"{first}/{shards.shard_count}" if first == last else f"{first}-{last}/{shards.shard_count}"

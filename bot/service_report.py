"""Which loops of this process fail, kept where `keepsake doctor` sees it from another process."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import Final
from uuid import uuid4

from bot.errors import DatabaseError
from bot.log import trace
from bot.service import Service, Services
from bot.store import services as kept
from bot.store.database import Database

logger = logging.getLogger(__name__)

_APART_SECONDS: Final = 60.0
"""Real seconds between two reports of what goes on failing: whoever died reports no more."""


class ServiceReport:
    """Writes down which of `services` fail, as long as they do."""

    def __init__(self, database: Database, services: Services) -> None:
        self._database = database
        self._services = services
        self._process_id = uuid4()
        self._is_written = False
        self._service: Service | None = None

    def start(self) -> None:
        """Begin to report."""
        self._service = self._services.start("report of services", self._run)

    async def stop(self) -> None:
        """End, and take back what was reported: nothing of this process fails any more."""
        if self._service is None:
            return
        await self._service.stop()
        self._service = None
        if self._is_written:
            try:
                await self._put([])
            except DatabaseError as error:
                logger.warning("the report of services could not be taken back: %s", trace(error))

    async def _run(self) -> None:
        while True:
            self._services.changed.clear()
            failing = [
                kept.FailingService(
                    name=one.name, failures=one.failures, seconds=one.seconds, error=one.error
                )
                for one in self._services.failing()
            ]
            if failing or self._is_written:
                await self._put(failing)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_APART_SECONDS):
                    await self._services.changed.wait()

    async def _put(self, failing: Sequence[kept.FailingService]) -> None:
        await self._database.write(
            lambda connection: kept.put(connection, process_id=self._process_id, failing=failing)
        )
        self._is_written = bool(failing)

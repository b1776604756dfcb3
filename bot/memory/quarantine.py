"""Messages that cannot be written: set aside durably, and tried again until whatever is wrong was mended."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.domain import MAX_ID, Message, MessageKind
from bot.log import trace
from bot.memory.hearing import hear
from bot.service import Service, Services
from bot.store import quarantine
from bot.store.database import Connection, Database
from bot.store.messages import UNKNOWN_AUTHOR
from bot.store.outages import outage_of
from bot.store.quarantine import Quarantined

logger = logging.getLogger(__name__)

_FIRST_PAUSE: Final = timedelta(minutes=1)
_LONGEST_PAUSE: Final = timedelta(hours=1)

_LOOK_SECONDS: Final = 60.0
"""Real seconds between two looks for what is due."""

_AT_ONCE: Final = 100


class _RolledBackError(Exception):
    """Ends a transaction of which nothing is to stay."""


class Quarantine:
    """What is set aside. `heard` is given what could be written after all; it must not raise."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        heard: Callable[[Sequence[Message]], None],
        services: Services,
    ) -> None:
        self._database = database
        self._clock = clock
        self._heard = heard
        self._services = services
        self._service: Service | None = None
        self._is_first = True

    def start(self) -> None:
        """Try all of it now, since the code may be another, and each again after growing pauses."""
        self._service = self._services.start("messages set aside", self._run)

    async def stop(self) -> None:
        """End."""
        if self._service is not None:
            await self._service.stop()
            self._service = None

    async def put(self, failed: Sequence[tuple[Message, Exception]]) -> None:
        """Set messages aside durably, each with the error that kept it from being written."""

        async def put(connection: Connection) -> None:
            for message, error in failed:
                await quarantine.put(connection, message, error=type(error).__name__, pause=_FIRST_PAUSE)

        await self._database.write(put)

    async def could_write_another(self, like: Message) -> bool:
        """Tell whether a harmless message could be written in the place of one that cannot; none is."""
        other = Message(
            guild_id=like.guild_id,
            channel_id=like.channel_id,
            message_id=MAX_ID,
            user_id=UNKNOWN_AUTHOR,
            kind=MessageKind.SYSTEM,
            text=".",
            timestamp=like.timestamp,
            audience=like.audience,
        )

        async def tried(connection: Connection) -> None:
            await hear(connection, [other], now=self._clock.now())
            raise _RolledBackError

        try:
            await self._database.write(tried)
        except _RolledBackError:
            return True
        except Exception as error:
            logger.warning("no message can be written: %s", trace(error))
        return False

    async def _run(self) -> None:
        if self._is_first:
            await self._database.write(quarantine.hurry)
            self._is_first = False
        while True:
            await self._look()
            await asyncio.sleep(_LOOK_SECONDS)

    async def _look(self) -> None:
        while batch := await self._database.write(
            lambda connection: quarantine.due(connection, limit=_AT_ONCE)
        ):
            for one in batch:
                await self._try(one)

    async def _try(self, one: Quarantined) -> None:
        try:
            message = await self._database.write(lambda connection: self._written(connection, one))
        except Exception as error:
            if outage_of(error) is not None:
                raise
            pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * (1 << min(one.failures, 20)))
            logger.warning(
                "message %d of guild %d cannot be written yet, try %d, next in %s: %s",
                one.message_id,
                one.guild_id,
                one.failures + 1,
                pause,
                trace(error),
            )
            name = type(error).__name__
            await self._database.write(
                lambda connection: quarantine.postpone(connection, one, error=name, pause=pause)
            )
            return
        if message is not None:
            logger.info("message %d of guild %d was written after all", one.message_id, one.guild_id)
            self._heard([message])

    async def _written(self, connection: Connection, one: Quarantined) -> Message | None:
        message = await quarantine.take(connection, one)
        if message is not None:
            await hear(connection, [message], now=self._clock.now())
        return message

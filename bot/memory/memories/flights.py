"""One build of a text at a time, in this process and across all: whoever else wants it waits for that one."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final
from uuid import uuid4

from bot.log import trace
from bot.store import builds
from bot.store.database import Database

logger = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=200)
"""Real time after which the build of a process that died may be taken over; longer than any question takes."""

_FIRST_LOOK_SECONDS: Final = 0.05
_LONGEST_LOOK_SECONDS: Final = 1.0


class Flights:
    """The builds that are under way; `stop` ends them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._tasks: dict[tuple[int, str], asyncio.Task[None]] = {}

    async def once(
        self,
        *,
        guild_id: int,
        key: str,
        is_done: Callable[[], Awaitable[bool]],
        build: Callable[[], Awaitable[None]],
    ) -> None:
        """Return when what `key` names is built, by whomever; it goes on if the caller is cancelled.

        `is_done` looks whether it is there by now. A build that fails is logged: nobody waits any longer.
        """
        task = self._tasks.get((guild_id, key))
        if task is None:
            task = asyncio.create_task(self._fly(guild_id, key, is_done, build), name=f"build {key}")
            self._tasks[guild_id, key] = task
            task.add_done_callback(lambda _: self._tasks.pop((guild_id, key), None))
        await asyncio.shield(task)

    async def stop(self) -> None:
        """End what is under way; whoever comes next builds it."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def settled(self) -> None:
        """Return when nothing is under way."""
        while self._tasks:
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _fly(
        self,
        guild_id: int,
        key: str,
        is_done: Callable[[], Awaitable[bool]],
        build: Callable[[], Awaitable[None]],
    ) -> None:
        holder = uuid4()
        look = _FIRST_LOOK_SECONDS
        try:
            while not await self._database.write(
                lambda connection: builds.take(
                    connection, guild_id=guild_id, build_key=key, holder=holder, lease=LEASE
                )
            ):
                await asyncio.sleep(look)
                look = min(_LONGEST_LOOK_SECONDS, look * 1.5)
                if await is_done():
                    return
            try:
                if not await is_done():
                    await build()
            finally:
                await asyncio.shield(
                    self._database.write(
                        lambda connection: builds.release(
                            connection, guild_id=guild_id, build_key=key, holder=holder
                        )
                    )
                )
        except Exception as error:
            logger.error("the build %s of guild %d failed: %s", key, guild_id, trace(error))

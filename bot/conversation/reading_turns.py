"""Replies that are read for at the same time: a few, in the order in which they came, so that each has the machine."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

CONNECTIONS: Final = 3
"""Connections that one reply has at once: its parts are read by these, what matters most first."""

_AT_ONCE: Final = 3
"""Replies that are read for at once: together they leave one connection of a usual pool of ten to what is written."""

LONGEST_SECONDS = 8.0
"""Real seconds after which a reply is read for although others are before it: a database that hangs holds up nobody."""


class ReadingTurns:
    """Gives replies their turn. Were all read for side by side, all would be late; so the first ones are done first."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(_AT_ONCE)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until it is one's turn to read, and have it until the end."""
        try:
            async with asyncio.timeout(LONGEST_SECONDS):
                await self._free.acquire()
        except TimeoutError:
            yield
            return
        try:
            yield
        finally:
            self._free.release()

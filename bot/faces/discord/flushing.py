"""Keeps the watermarks: now and then, and never above what is durable."""

import asyncio
import logging
from typing import Final

from bot.errors import DatabaseError
from bot.faces.discord.inside import Inside
from bot.faces.discord.watermarks import Watermarks
from bot.log import trace

logger = logging.getLogger(__name__)

_APART_SECONDS: Final = 2.0
"""Between two writings: what is heard again after a kill is no more than was said meanwhile."""

_LAST_SECONDS: Final = 3.0
"""The longest that the last of them may take: it is better to read a little twice than to end late."""


class Flusher:
    """Writes the marks that rose."""

    def __init__(self, inside: Inside, marks: Watermarks) -> None:
        self._inside = inside
        self._marks = marks

    async def run(self) -> None:
        """Write them every few seconds until cancelled."""
        while True:
            await self._flush()
            await asyncio.sleep(_APART_SECONDS)

    async def finish(self) -> None:
        """Write them a last time, if that is possible soon; else what came last is read back after the next start."""
        try:
            async with asyncio.timeout(_LAST_SECONDS):
                await self._flush()
        except TimeoutError:
            logger.info("the last watermarks were not written in time")
        except DatabaseError as error:
            logger.warning("the last watermarks were not written: %s", trace(error))

    async def _flush(self) -> None:
        rising = self._marks.unsaved()
        if not rising:
            return
        # Whatever a mark of `rising` covers was taken before, so it is durable after this.
        await self._inside.memory.settled()
        for guild_id, marks in rising.items():
            await self._inside.directory.raise_watermarks(guild_id, marks)
            self._marks.saved(marks)

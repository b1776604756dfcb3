"""The bot behind a console: started, stopped and started again on the same database."""

import os
from contextlib import AsyncExitStack
from datetime import datetime
from typing import Final

from bot.app import Keepsake, open_keepsake
from bot.clock import Clock
from bot.domain import snowflake_at
from bot.faces.console.log_lines import LogLines
from bot.faces.console.timeline import STEP
from bot.settings import Settings

_LOW_BITS: Final = 22
_PROCESS_BITS: Final = 10


class RunningBot:
    """One bot in this process; `keepsake` is there between `start` and `stop`."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._stack = AsyncExitStack()
        self._log: LogLines | None = None
        self.keepsake: Keepsake

    async def start(self) -> Keepsake:
        """Start it; raises `KeepsakeError` if that is impossible."""
        self.keepsake = await self._stack.enter_async_context(open_keepsake(self._settings, self._clock))
        if self._log is not None:
            await self.keepsake.memory.removals.attach(self._log)
        return self.keepsake

    async def speak_in(self, log: LogLines) -> None:
        """Give the lines of the log channel to `log`, also after every start to come."""
        self._log = log
        await self.keepsake.memory.removals.attach(log)

    async def stop(self) -> None:
        """Stop it; what it has heard is written before it ends, all else that is only in the process is gone."""
        await self._stack.aclose()

    async def after_newest(self, guild_id: int) -> datetime:
        """Return when the next message of a guild may be said after those that it has; now if it has none."""
        newest = await self.keepsake.library.newest_time(guild_id)
        return newest + STEP if newest else self._clock.now()

    async def free_id(self, *, guild_id: int, moment: datetime) -> int:
        """Return an id of `moment` that is larger than any the guild has of it, and no other process's.

        As on Discord some of the low bits say which process made it: two consoles may play one moment at once.
        """
        first = snowflake_at(moment)
        process = os.getpid() % (1 << _PROCESS_BITS)
        while True:
            last = first + (1 << _LOW_BITS) - 1
            newest = await self.keepsake.library.newest_id(guild_id=guild_id, from_id=first, to_id=last)
            if newest is None:
                return first + process
            free = ((newest >> _PROCESS_BITS) + 1 << _PROCESS_BITS) + process
            if free <= last:
                return free
            first = last + 1

"""`keepsake run` as somebody keeps it running: killed, told to end, and started again whenever it is not there."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import asyncpg

from tests.adapters.discord.bots import BotProcess, bot_process
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

_AGAIN_SECONDS: Final = 0.5
_ENDING_SECONDS: Final = 40.0
_TERMINATED: Final = (128 + 15, -15)
"""How the bot ends when it is told to: as it does once it runs, or as any process that is not that far yet."""

_ENVIRONMENT: Final = {"CATCH_UP_MESSAGES": "1000000"}

_DATABASE_AWAY: Final = "keepsake: the database cannot be reached"

AWAY: Final = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)
"""What is raised while the database is away."""


@dataclass
class Upkeep:
    """Keeps one process of the bot running."""

    server: DiscordServer
    dsn: str
    deaths: list[str] = field(default_factory=list)
    """How the bot ended though nobody made it end, or not as it was told to."""
    lines: list[str] = field(default_factory=list)
    """What all processes wrote to standard error."""
    starts: int = 0
    _running: BotProcess | None = None
    _is_struck: bool = False
    _wanted: asyncio.Event = field(default_factory=asyncio.Event)
    _keeper: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start the bot, and start it again whenever it has ended."""
        self._wanted.set()
        self._keeper = asyncio.create_task(self._keep())

    async def end(self) -> None:
        """Tell the bot to end, for good."""
        self._wanted.clear()
        if self._running is not None:
            self._running.process.terminate()
            await self._gone()
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)

    @contextlib.asynccontextmanager
    async def away(self, *, kill: bool) -> AsyncIterator[None]:
        """End the bot, by SIGKILL or SIGTERM, and let it come back at the end."""
        self._wanted.clear()
        try:
            if self._running is not None:
                self._is_struck = kill
                self._running.process.kill() if kill else self._running.process.terminate()
                await self._gone()
            yield
            await self._let_go()
        finally:
            self._wanted.set()

    async def _gone(self) -> None:
        await until(lambda: self._running is None, _ENDING_SECONDS, what="the bot has ended")

    async def _keep(self) -> None:
        while True:
            await self._wanted.wait()
            try:
                async with bot_process(self.server, self.dsn, **_ENVIRONMENT) as running:
                    self.starts += 1
                    self._running = running
                    status = await running.process.wait()
                self.lines += running.errors
                self._note(status, running.errors)
            except AWAY:
                # The database is away: whoever keeps it running tries again.
                pass
            finally:
                self._running = None
            await asyncio.sleep(_AGAIN_SECONDS)

    def _note(self, status: int, errors: Sequence[str]) -> None:
        is_asked, self._is_struck = self._is_struck, False
        # A start that meets an outage of the database says so and ends; whoever keeps it running tries again.
        is_away = any(line.startswith(_DATABASE_AWAY) for line in errors)
        if not (is_asked or is_away or (status in _TERMINATED and not self._wanted.is_set())):
            self.deaths.append(f"start {self.starts} ended with status {status}")

    async def _let_go(self) -> None:
        """End the lease of a process that was killed: half a minute later it would end by itself."""
        while True:
            try:
                connection = await asyncpg.connect(self.dsn)
                try:
                    await connection.execute("DELETE FROM shard_leases")
                finally:
                    await connection.close()
            except AWAY:
                await asyncio.sleep(_AGAIN_SECONDS)
            else:
                return

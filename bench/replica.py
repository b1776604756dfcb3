"""How late a standby is while messages are heard: `python -m bench.replica`.

Prints a table in Markdown for docs/scaling.md.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from statistics import quantiles
from typing import Final

import asyncpg

from bench.homes import own_home
from bot.core.domain import Message, snowflake_at
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Database
from bot.memory.messages.writer import MessageWriter
from tests.servers.standby import standby_of

_SECONDS: Final = 30.0
_POLL_SECONDS: Final = 0.0005
_SAMPLE_SECONDS: Final = 0.05
_GUILD_ID: Final = 1
_AT_ONCE: Final = 500


class Heard:
    """Hears messages on the primary and looks when each is to be seen on the standby."""

    def __init__(self, writer: MessageWriter, standby: "asyncpg.Connection[asyncpg.Record]") -> None:
        self._writer = writer
        self._standby = standby
        self._number = 0
        self._last_id = 0
        self.seen: list[float] = []
        """Seconds from durable on the primary to visible on the standby."""
        self.heard = 0

    async def one(self) -> None:
        """Hear one message, wait until it is durable, then until it is seen."""
        await self._hear(1)
        await self._until_seen()

    async def pause_and_one(self) -> None:
        """The same, twenty times a second at most: as many large guilds talk."""
        await asyncio.sleep(0.05)
        await self.one()

    async def many(self) -> None:
        """Hear five hundred messages at once, wait until they are durable, then until the last is seen."""
        await self._hear(_AT_ONCE)
        await self._until_seen()

    async def _hear(self, count: int) -> None:
        now = datetime.now(UTC)
        first = self._number + 1
        self._number += count
        self.heard += count
        await self._writer.put(
            [
                Message(
                    guild_id=_GUILD_ID, channel_id=2, message_id=snowflake_at(now) + number, user_id=3 + number % 20,
                    text=f"message number {number} about the harbour cafe and its ramen", timestamp=now,
                )
                for number in range(first, self._number + 1)
            ]
        )  # fmt: skip
        self._last_id = snowflake_at(now) + self._number

    async def _until_seen(self) -> None:
        began = time.perf_counter()
        seen = "SELECT EXISTS (SELECT FROM chat_history WHERE guild_id = $1 AND message_id = $2)"
        while True:
            if await self._standby.fetchval(seen, _GUILD_ID, self._last_id):
                break
            await asyncio.sleep(_POLL_SECONDS)
        self.seen.append(time.perf_counter() - began)


async def _replay_lags(primary: "asyncpg.Connection[asyncpg.Record]", lags: list[float]) -> None:
    """Note again and again how late the server itself thinks that its standby is."""
    while True:
        lag = await primary.fetchval("SELECT extract(epoch FROM replay_lag)::float8 FROM pg_stat_replication")
        if lag is not None:
            lags.append(lag)
        await asyncio.sleep(_SAMPLE_SECONDS)


async def _for_a_while(act: Callable[[], Awaitable[None]]) -> float:
    began = time.perf_counter()
    while time.perf_counter() - began < _SECONDS:
        await act()
    return time.perf_counter() - began


async def measure() -> None:
    """Print how late a standby on the same machine is while messages are heard."""
    with own_home() as home:
        server = EmbeddedServer(home)
        await server.start()
        await migrations.migrate(server.dsn)
        database = await Database.open(server.dsn)
        writer = MessageWriter(database)
        writer.start()
        async with standby_of(server.dsn) as address:
            primary, standby = await asyncpg.connect(server.dsn), await asyncpg.connect(address)
            print("| heard | messages a second | seen on the standby after | replay_lag |")
            print("|---|---|---|---|")
            for name in ("pause_and_one", "one", "many"):
                heard, lags = Heard(writer, standby), list[float]()
                watching = asyncio.create_task(_replay_lags(primary, lags))
                seconds = await _for_a_while(getattr(heard, name))
                watching.cancel()
                with suppress(asyncio.CancelledError):
                    await watching
                print(
                    f"| {_NAMES[name]} | {heard.heard / seconds:,.0f} | {_told(heard.seen)} | {_told(lags)} |"
                )
            await primary.close()
            await standby.close()
        await writer.stop()
        await database.close()
        await server.stop()
    print(f"\nload of the machine {os.getloadavg()[0]:.1f}")


_NAMES: Final = {
    "pause_and_one": "one, and a twentieth of a second later the next",
    "one": "one after another",
    "many": "five hundred at once, again and again",
}


def _told(seconds: list[float]) -> str:
    cuts = quantiles(seconds, n=100, method="inclusive")
    return f"{1_000 * cuts[49]:.1f} ms ({1_000 * cuts[94]:.1f}, {1_000 * max(seconds):.0f} at most)"


if __name__ == "__main__":
    asyncio.run(measure())

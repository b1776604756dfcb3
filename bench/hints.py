"""What a hint by NOTIFY costs who writes: `python -m bench.hints`.

Commits a second of several writers, with a hint in each transaction and without, by turns, on the embedded Postgres.
"""

import asyncio
import time
from statistics import median
from typing import TYPE_CHECKING, Final, TypeAlias

import asyncpg

from bench.homes import own_home
from bot.db.embedded.server import EmbeddedServer

if TYPE_CHECKING:
    from collections.abc import Sequence

    Writer: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

WRITERS: Final = 8
ROUNDS: Final = 5
SECONDS: Final = 5.0
"""Real seconds of each round."""

_HINT: Final = "SELECT pg_notify('hints', '')"
_NO_HINT: Final = "SELECT 1"
"""As many statements, so that only what the hint itself costs differs."""


async def _commits(writer: "Writer", last: str, *, until: float) -> int:
    commits = 0
    while time.monotonic() < until:
        async with writer.transaction():
            await writer.execute("INSERT INTO hinted DEFAULT VALUES")
            await writer.execute(last)
        commits += 1
    return commits


async def _a_second(writers: "Sequence[Writer]", last: str) -> float:
    until = time.monotonic() + SECONDS
    return sum(await asyncio.gather(*(_commits(one, last, until=until) for one in writers))) / SECONDS


async def measure() -> None:
    """Print the commits a second of both, at the median of the rounds."""
    with own_home() as home:
        server = EmbeddedServer(home)
        await server.start()
        writers = [await asyncpg.connect(server.dsn) for _ in range(WRITERS)]
        listener = await asyncpg.connect(server.dsn)
        await listener.execute("CREATE TABLE hinted (number bigserial PRIMARY KEY)")
        await listener.add_listener("hints", lambda *_: None)
        rounds = [
            (await _a_second(writers, _NO_HINT), await _a_second(writers, _HINT)) for _ in range(ROUNDS)
        ]
        plain, hinted = (median(one) for one in zip(*rounds, strict=True))
        print(
            f"{WRITERS} writers: {plain:,.0f} commits a second, {hinted:,.0f} with a hint ({hinted / plain:.0%})"
        )
        for one in (*writers, listener):
            await one.close()
        await server.stop()


if __name__ == "__main__":
    asyncio.run(measure())

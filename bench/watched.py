"""What it costs to be watched: the work of a start of `keepsake run` and what it then holds in memory, with the web
part, with a collector, with neither, and where their packages cannot even be imported.
"""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.homes import own_home
from bench.processes import processor_seconds, resident_megabytes
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from tests.adapters.discord.bots import bot_process
from tests.servers.collector import collecting
from tests.servers.discord.server import DiscordServer

ROUNDS: Final = 7

SETTLED_SECONDS: Final = 1.0
"""Real seconds after the start until memory is read."""

_PACKAGES: Final = (
    "fastapi", "opentelemetry.exporter", "opentelemetry.sdk", "prometheus_client", "starlette", "uvicorn",
)  # fmt: skip

ABSENT: Final = "no packages of theirs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """One process that was started."""

    seconds: float
    """Of a processor, until it is connected to Discord and says so: what else the machine does changes little of it."""
    megabytes: float
    """Resident."""


async def _started(server: DiscordServer, dsn: str, environment: Mapping[str, str]) -> Start:
    async with bot_process(server, dsn, **environment) as bot:
        await bot.told("server Home")
        seconds = processor_seconds(bot)
        await asyncio.sleep(SETTLED_SECONDS)
        start = Start(seconds=seconds, megabytes=resident_megabytes(bot))
        await bot.stop()
    return start


async def starts(folder: Path, *, rounds: int = ROUNDS) -> dict[str, list[Start]]:
    """Start a process for each way to be watched, in turns, so that what disturbs one disturbs all."""
    barred = folder / "barred"
    barred.mkdir()
    names = ", ".join(map(repr, _PACKAGES))
    (barred / "sitecustomize.py").write_text(
        f"import sys\nfor name in ({names}):\n    sys.modules[name] = None\n", encoding="utf-8"
    )
    own = EmbeddedServer(folder)
    await own.start()
    try:
        await migrations.migrate(own.dsn)
        with collecting() as collector:
            ways = {
                ABSENT: {"PYTHONPATH": str(barred)},
                "neither": {},
                "a collector": {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.address},
                "the web part": {"WEB_ENABLED": "true", "WEB_PORT": "0"},
            }
            found: dict[str, list[Start]] = {way: [] for way in ways}
            async with DiscordServer() as server:
                server.add_guild("Home")
                for turn in range(rounds + 1):
                    for way, environment in ways.items():
                        start = await _started(server, own.dsn, environment)
                        # The first of each reads its code from the disk.
                        found[way] += [start] if turn else []
        return found
    finally:
        await own.stop()


async def measure() -> None:
    """Print the least of all rounds, and how many times that of a process without the packages it is."""
    with own_home() as folder:
        found = await starts(folder, rounds=int(os.environ.get("BENCH_ROUNDS", ROUNDS)))
    base = _least(found[ABSENT])
    for way, starts_so in found.items():
        one = _least(starts_so)
        print(
            f"{way:<24}{one.seconds:5.2f} s ({one.seconds / base.seconds:.2f})"
            f"{one.megabytes:7.1f} MB ({one.megabytes / base.megabytes:.2f})"
        )


def _least(found: list[Start]) -> Start:
    return Start(
        seconds=min(one.seconds for one in found),
        megabytes=min(one.megabytes for one in found),
    )


if __name__ == "__main__":
    asyncio.run(measure())

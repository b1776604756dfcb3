"""How long it takes to read what conversations in a channel left behind, in a guild where many did."""

import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from bot.memory.episodes import KeptEpisodes
from bot.store import migrations
from bot.store.database import Database
from bot.store.embedded import EmbeddedServer
from tests.memory.episodes.kept import keep

CHANNELS: Final = 50
EACH: Final = 10
READS: Final = 500
GUILD_ID: Final = 1_000


async def measure() -> None:
    """Store the episodes, read those of each channel again and again, and print how long that took."""
    with tempfile.TemporaryDirectory() as folder:
        server = EmbeddedServer(Path(folder))
        await server.start()
        try:
            await migrations.migrate(server.dsn)
            database = await Database.open(server.dsn)
            try:
                await _read(database)
            finally:
                await database.close()
        finally:
            await server.stop()


async def _read(database: Database) -> None:
    for channel_id in range(1, CHANNELS + 1):
        for number in range(EACH):
            content = f"<@{number}> and others decided what to do about plan {number}. " * 3
            await keep(database, content, guild_id=GUILD_ID, channel_id=channel_id, number=number)
    kept = KeptEpisodes(database)
    took: list[float] = []
    for number in range(READS):
        began = time.perf_counter()
        found = await kept.of_channel(
            guild_id=GUILD_ID, channel_id=1 + number % CHANNELS, audiences=[0, 1 + number % CHANNELS]
        )
        took.append(1_000 * (time.perf_counter() - began))
        assert len(found) == EACH
    p95 = statistics.quantiles(took, n=20)[-1]
    print(
        f"episodes: {CHANNELS * EACH:,} in {CHANNELS} channels; those of one are read in"
        f" {statistics.median(took):.2f} ms (p95 {p95:.2f} ms)"
    )

"""What the one writer gains: messages heard at once, against each waited for."""

import tempfile
import time
from collections.abc import Awaitable
from datetime import UTC, datetime
from pathlib import Path

from bot.core.domain import Message
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Database
from bot.memory.messages.writer import MessageWriter

MESSAGES = 5_000


def _messages(first_id: int) -> list[Message]:
    return [
        Message(
            guild_id=1,
            channel_id=2,
            message_id=first_id + number,
            user_id=3 + number % 20,
            text=f"message number {number} about the harbour cafe and its ramen",
            timestamp=datetime(2026, 3, 1, tzinfo=UTC),
        )
        for number in range(MESSAGES)
    ]


async def _seconds(work: Awaitable[object]) -> float:
    started = time.perf_counter()
    await work
    return time.perf_counter() - started


async def _one_by_one(writer: MessageWriter, messages: list[Message]) -> None:
    for message in messages:
        await writer.put([message])


async def measure() -> None:
    """Print the ratios."""
    with tempfile.TemporaryDirectory() as home:
        server = EmbeddedServer(Path(home))
        await server.start()
        await migrations.migrate(server.dsn)
        database = await Database.open(server.dsn)
        writer = MessageWriter(database)
        writer.start()
        alone = await _seconds(_one_by_one(writer, _messages(1)))
        together = await _seconds(writer.put(_messages(1_000_000)))
        await writer.stop()
        await database.close()
        await server.stop()
    print(f"hearing {MESSAGES} messages, each waited for: {MESSAGES / alone:,.0f} a second")
    print(f"hearing them at once: {MESSAGES / together:,.0f} a second, {alone / together:.1f} times as fast")
    print()

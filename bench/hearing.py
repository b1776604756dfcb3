"""What the one writer gains: messages heard at once, against each waited for; and how near that comes to COPY."""

import time
from collections.abc import Awaitable, Sequence
from datetime import UTC, datetime

from bench.homes import own_home
from bot.core.domain import Message
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Connection, Database
from bot.memory.messages.writer import MessageWriter

MESSAGES = 5_000
ROUNDS = 8


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


async def _copy(connection: Connection, messages: Sequence[Message]) -> None:
    """Write such rows with their words, in all indexes and into the queue of the extractor; nothing is judged."""
    await connection.execute(
        """
        CREATE TEMPORARY TABLE said (
            guild_id bigint, channel_id bigint, message_id bigint, user_id bigint, audience bigint, kind text,
            message_text text, attachments text[], timestamp timestamptz
        ) ON COMMIT DROP
        """
    )
    await connection.copy_records_to_table(
        "said",
        records=[
            (one.guild_id, one.channel_id, one.message_id, one.user_id, one.audience, one.kind, one.text,
             one.attachments, one.timestamp)
            for one in messages
        ],
    )  # fmt: skip
    await connection.execute(
        """
        INSERT INTO chat_history (guild_id, channel_id, message_id, user_id, audience, kind, message_text, attachments,
            timestamp, lexemes)
        SELECT *, lexemes_of('russian', message_text, attachments) FROM said
        """
    )
    await connection.execute(
        "INSERT INTO unextracted (guild_id, message_id) SELECT guild_id, message_id FROM said"
    )


async def measure() -> None:
    """Print the ratios."""
    with own_home() as home:
        server = EmbeddedServer(home)
        await server.start()
        await migrations.migrate(server.dsn)
        database = await Database.open(server.dsn)
        writer = MessageWriter(database)
        writer.start()
        alone = await _seconds(_one_by_one(writer, _messages(1)))
        heard, copied = [], []
        for first_id in range(1_000_000, 1_000_000 * (2 * ROUNDS + 1), 2_000_000):
            heard.append(await _seconds(writer.put(_messages(first_id))))
            copied.append(await _seconds(database.write(_copy, _messages(first_id + 1_000_000))))
        together, bare = min(heard), min(copied)
        await writer.stop()
        await database.close()
        await server.stop()
    print(f"hearing {MESSAGES} messages, each waited for: {MESSAGES / alone:,.0f} a second")
    print(f"hearing them at once: {MESSAGES / together:,.0f} a second, {alone / together:.1f} times as fast")
    print(
        f"COPY of such rows with their words: {MESSAGES / bare:,.0f} a second; hearing is {bare / together:.0%} of it"
    )
    print()

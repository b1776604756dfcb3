"""What tests of noticing need: messages as they come, and looks at what was read out of them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import Message, snowflake_at
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.memory.messages.writer import deletion

GUILD_ID, CHANNEL_ID = 1_000, 2_000
ALICE, BOB = 11, 12
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def said(text: str, minutes: float = 0, *, user_id: int = ALICE, guild_id: int = GUILD_ID) -> Message:
    moment = NOON + timedelta(minutes=minutes)
    return Message(
        guild_id=guild_id,
        channel_id=CHANNEL_ID,
        message_id=snowflake_at(moment) + user_id,
        user_id=user_id,
        text=text,
        timestamp=moment,
    )


def edited(message: Message, text: str, *, minutes: float = 1) -> Message:
    return replace(message, text=text, edited_at=message.timestamp + timedelta(minutes=minutes))


def deleted(message: Message) -> Message:
    return deletion(guild_id=message.guild_id, channel_id=message.channel_id, message_id=message.message_id)


async def hear(keepsake: Keepsake, *messages: Message) -> None:
    """Hear messages, and wait until they have been read out."""
    await keepsake.memory.ingest_messages(messages)
    await noticed(keepsake, guild_id=messages[0].guild_id)


async def noticed(keepsake: Keepsake, *, guild_id: int = GUILD_ID) -> None:
    assert await keepsake.memory.extractor.noticed(guild_id=guild_id, up_to_id=2**62, seconds=20)


async def values(keepsake: Keepsake, database: Database, *, guild_id: int = GUILD_ID) -> list[str]:
    """Return what holds, as keys and values."""

    async def read(connection: Connection) -> list[str]:
        rows = await connection.fetch(
            "SELECT key || ' = ' || value AS said FROM facts "
            "WHERE guild_id = $1 AND status = 'active' AND (expires_at IS NULL OR expires_at > $2) ORDER BY 1",
            guild_id, keepsake.clock.now(),
        )  # fmt: skip
        return [row["said"] for row in rows]

    return await database.read(read)


async def queue(database: Database) -> int:
    count: int = await database.read(
        lambda connection: connection.fetchval("SELECT count(*) FROM unextracted")
    )
    return count


@asynccontextmanager
async def another_process(dsn: str, clock: SetClock) -> AsyncIterator[Keepsake]:
    database = await Database.open(dsn)
    try:
        async with assembled(Settings(_env_file=None), clock, database) as keepsake:
            yield keepsake
    finally:
        await database.close()

"""Offering messages: whoever may not wait is told at once whether they were taken."""

import asyncio
from datetime import UTC, datetime

import pytest

from bot.app import Keepsake
from bot.core.domain import Message
from bot.core.errors import DatabaseUnavailableError, InvalidInputError
from bot.db.pool import Database
from bot.memory.messages import writer as messages_writer
from bot.memory.messages.writer import MessageWriter

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def message(number: int) -> Message:
    return Message(guild_id=1, channel_id=2, message_id=number, user_id=3, text="hello", timestamp=NOON)


async def rows(database: Database) -> list[int]:
    found = await database.read(
        lambda connection: connection.fetch("SELECT message_id FROM chat_history ORDER BY message_id")
    )
    return [row["message_id"] for row in found]


async def test_what_was_taken_is_durable_once_it_has_settled(keepsake: Keepsake, database: Database) -> None:
    await keepsake.memory.settled()
    assert keepsake.memory.offer([message(number) for number in range(1, 1_201)])
    await keepsake.memory.settled()
    assert len(await rows(database)) == 1_200


async def test_all_or_nothing_is_taken_and_nobody_waits(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages_writer, "QUEUE_ROWS", 10)
    writer = MessageWriter(database)
    assert writer.offer([message(number) for number in range(1, 9)])
    assert not writer.offer([message(number) for number in range(9, 12)])
    assert writer.offer([message(20), message(21)])
    assert not writer.offer([message(30)])
    settled = asyncio.create_task(writer.settled())
    writer.start()
    await settled
    assert await rows(database) == [*range(1, 9), 20, 21]
    assert writer.offer([message(30)])
    await writer.stop()
    assert not writer.offer([message(40)])
    assert (await rows(database))[-1] == 30


async def test_what_can_never_be_stored_is_refused_at_once_and_holds_nobody_up(
    keepsake: Keepsake, database: Database
) -> None:
    with pytest.raises(InvalidInputError, match="message_id 0 is no id"):
        keepsake.memory.offer([message(1), message(0)])
    await database.write(
        lambda connection: connection.execute("ALTER TABLE chat_history ADD CHECK (message_id <> 2)")
    )
    assert keepsake.memory.offer([message(2), message(3)])
    await keepsake.memory.settled()
    assert await rows(database) == [3]


async def test_nothing_has_settled_that_was_lost_at_the_end(database: Database) -> None:
    writer = MessageWriter(database)
    writer.start()
    await database.write(
        lambda connection: connection.execute("ALTER TABLE chat_history RENAME TO elsewhere")
    )
    assert writer.offer([message(1)])
    settled = asyncio.create_task(writer.settled())
    with pytest.raises(DatabaseUnavailableError, match="1 messages could not be written"):
        await writer.stop()
    with pytest.raises(DatabaseUnavailableError, match="no longer written"):
        await settled

"""Hearing: durable when it returns, in order, bounded, and drained at the end."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.app import Keepsake
from bot.core.domain import MAX_ID, Message
from bot.core.errors import DatabaseUnavailableError, InvalidInputError
from bot.db.pool import Database
from bot.memory.messages import writer as messages_writer
from bot.memory.messages.writer import Ingested, MessageWriter

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def message(number: int, text: str = "hello") -> Message:
    return Message(guild_id=1, channel_id=2, message_id=number, user_id=3, text=text, timestamp=NOON)


async def rows(database: Database) -> int:
    count: int = await database.read(
        lambda connection: connection.fetchval("SELECT count(*) FROM chat_history")
    )
    return count


async def test_the_row_is_durable_when_the_call_returns(database: Database, keepsake: Keepsake) -> None:
    await keepsake.memory.ingest_message(message(1))
    assert await rows(database) == 1


async def test_what_was_not_waited_for_is_written_before_the_end(database: Database) -> None:
    writer = MessageWriter(database)
    writer.start()
    for number in range(1, 2_001):
        await writer.put([message(number)], wait=False)
    await writer.stop()
    assert await rows(database) == 2_000


async def test_the_same_messages_twice_are_known_the_second_time(
    database: Database, keepsake: Keepsake
) -> None:
    batch = [message(number) for number in range(1, 1_201)]
    assert await keepsake.memory.ingest_messages(batch) == Ingested(new=1_200, known=0)
    assert await keepsake.memory.ingest_messages(batch) == Ingested(new=0, known=1_200)
    assert await rows(database) == 1_200


async def test_a_text_that_postgres_cannot_hold_is_cleaned_and_spoils_no_batch(keepsake: Keepsake) -> None:
    await keepsake.memory.ingest_messages([message(1, "a\0b"), message(2, "\ud800x"), message(3, "fine")])
    texts = [await keepsake.library.message(guild_id=1, message_id=number) for number in (1, 2, 3)]
    assert [text.text for text in texts if text] == ["ab", "x", "fine"]


@pytest.mark.parametrize("message_id", [0, -1, MAX_ID + 1, 10**20])
async def test_an_impossible_id_is_refused_with_its_value(keepsake: Keepsake, message_id: int) -> None:
    with pytest.raises(InvalidInputError, match=f"message_id {message_id} is no id"):
        await keepsake.memory.ingest_message(message(message_id))
    await keepsake.memory.ingest_message(message(1))


async def test_a_message_that_spoils_its_batch_fails_alone(database: Database) -> None:
    await database.write(
        lambda connection: connection.execute(
            "ALTER TABLE chat_history ADD CHECK (message_text <> 'impossible')"
        )
    )
    writer = MessageWriter(database)
    good, bad = (
        asyncio.create_task(writer.put([message(1)])),
        asyncio.create_task(writer.put([message(2, "impossible")])),
    )
    await asyncio.sleep(0)
    writer.start()
    assert await good == Ingested(new=1)
    assert await bad == Ingested(set_aside=1)
    await writer.stop()


async def test_callers_are_slowed_when_the_writer_falls_behind(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages_writer, "QUEUE_ROWS", 100)
    writer = MessageWriter(database)
    flood = asyncio.create_task(writer.put([message(number) for number in range(1, 301)], wait=False))
    _, waiting = await asyncio.wait({flood}, timeout=0.2)
    assert waiting == {flood}
    writer.start()
    await flood
    await writer.stop()
    assert await rows(database) == 300


async def test_a_caller_that_gives_up_does_not_stop_the_writer(database: Database) -> None:
    writer = MessageWriter(database)
    impatient = asyncio.create_task(writer.put([message(1)]))
    await asyncio.sleep(0)
    impatient.cancel()
    writer.start()
    await writer.put([replace(message(2), text="still heard")])
    await writer.stop()
    assert await rows(database) == 2


async def away(database: Database) -> None:
    """Take the table away, as a server that is being restored would."""
    await database.write(
        lambda connection: connection.execute("ALTER TABLE chat_history RENAME TO elsewhere")
    )


async def back(database: Database) -> None:
    await database.write(
        lambda connection: connection.execute("ALTER TABLE elsewhere RENAME TO chat_history")
    )


async def test_whatever_ails_the_database_the_messages_wait_for_it(database: Database) -> None:
    writer = MessageWriter(database)
    writer.start()
    await away(database)
    await writer.put([message(number) for number in range(1, 11)], wait=False)
    waited_for = asyncio.create_task(writer.put([message(11)]))
    await asyncio.sleep(0.1)
    await back(database)
    assert await waited_for == Ingested(new=1)
    await writer.stop()
    assert await rows(database) == 11


async def test_what_could_not_be_written_before_the_end_is_counted_and_said(database: Database) -> None:
    writer = MessageWriter(database)
    writer.start()
    await away(database)
    await writer.put([message(number) for number in range(1, 701)], wait=False)
    with pytest.raises(DatabaseUnavailableError, match="700 messages could not be written"):
        await writer.stop()
    with pytest.raises(DatabaseUnavailableError, match="no longer written"):
        await writer.put([message(1)])


async def test_a_time_without_zone_is_refused(keepsake: Keepsake) -> None:
    naive = replace(message(1), timestamp=NOON.replace(tzinfo=None))
    with pytest.raises(InvalidInputError, match="has no zone"):
        await keepsake.memory.ingest_message(naive)

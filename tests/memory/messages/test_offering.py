"""Offering messages: whoever may not wait is told at once whether they were taken."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app import Keepsake
from bot.core.domain import Message
from bot.core.errors import DatabaseUnavailableError, InvalidInputError
from bot.db.batched import Pace
from bot.db.pool import Connection, Database
from bot.memory.messages import writer as messages_writer
from bot.memory.messages.quarantine import write_heard
from bot.memory.messages.writer import MessageQueue, MessageWriter

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


async def test_where_much_is_said_more_is_waited_for(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []

    async def counted(connection: Connection, heard: Sequence[Message], *, now: datetime) -> list[bool]:
        written.append(len(heard))
        return await write_heard(connection, heard, now=now)

    monkeypatch.setattr(messages_writer, "write_heard", counted)
    writer = MessageWriter(database)
    writer.start()
    for number in range(1, 61):
        assert writer.offer([message(number)])
        # As long as it takes to write one alone.
        await asyncio.sleep(0.005)
    await writer.stop()
    assert await rows(database) == [*range(1, 61)]
    assert len(written) < 45


def patient(database: Database, monkeypatch: pytest.MonkeyPatch) -> MessageWriter:
    """Return a writer at work that lets more come for minutes where much is said."""
    monkeypatch.setattr(messages_writer, "Pace", partial(Pace, apart_seconds=600.0))
    writer = MessageWriter(database)
    writer.start()
    return writer


async def test_whoever_waits_for_a_message_is_not_kept_waiting_for_more(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = patient(database, monkeypatch)
    await writer.put([message(number) for number in range(1, 31)])
    assert (await asyncio.wait_for(writer.put([message(40)]), 20)).new == 1
    await writer.stop()


async def test_whoever_asks_has_what_was_taken_written_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = patient(database, monkeypatch)
    assert writer.offer([message(number) for number in range(1, 31)])
    await writer.settled()
    for number in (40, 50):
        # Each hurries for itself: the next batch waits again.
        assert writer.offer([message(number)])
        talk = asyncio.create_task(writer.settled())
        await asyncio.wait_for(writer.settled(hurry=True), 20)
        await talk
        assert (await rows(database))[-1] == number
    await writer.stop()


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


Act: TypeAlias = tuple[str, frozenset[int]]

ACTS: st.SearchStrategy[Act] = st.tuples(
    st.sampled_from(["take", "take", "wait", "wait", "leave", "fill", "finish", "finish", "lose"]),
    st.frozensets(st.integers(0, 5), min_size=1),
)
"""What happens to a queue, and to which places of it: some of a batch may be finished before others."""


@given(st.lists(ACTS, max_size=40))
async def test_whoever_waits_returns_as_soon_as_all_that_was_taken_until_then_is_finished(
    acts: Sequence[Act],
) -> None:
    queue = MessageQueue(1_000)
    taken = 0
    unfinished: set[int] = set()
    waiting: dict[asyncio.Task[None], int] = {}
    for act, places in acts:
        if act == "take":
            for _ in places:
                taken += 1
                queue.take(message(taken))
                unfinished.add(taken)
        elif act == "wait":
            waiting[asyncio.create_task(queue.settled())] = taken
        elif act == "leave" and waiting:
            (left := next(iter(waiting))).cancel()
            del waiting[left]
        elif act == "fill" and queue.waiting:
            await queue.fill(max(places) + 1)
        elif act == "finish":
            items = [item for place, item in enumerate(queue.batch) if place in places]
            queue.finish(items, [True] * len(items))
            unfinished -= {item.message.message_id for item in items}
        elif act == "lose":
            unfinished -= {item.message.message_id for item in queue.batch}
            queue.give_up(RuntimeError("lost"))
        for _ in range(3):
            await asyncio.sleep(0)
        for waiter, last in waiting.items():
            assert waiter.done() == all(number > last for number in unfinished)
    for waiter in waiting:
        waiter.cancel()


async def test_who_waits_for_room_or_for_the_end_returns_when_it_is_there() -> None:
    queue = MessageQueue(1)
    queue.take(message(1))
    room, drained = asyncio.create_task(queue.room()), asyncio.create_task(queue.drained())
    await asyncio.sleep(0)
    await queue.fill(1)
    await room
    queue.take(message(2))
    queue.finish(queue.batch, [True])
    await asyncio.sleep(0)
    assert not drained.done()
    await queue.fill(1)
    queue.finish(queue.batch, [True])
    await drained

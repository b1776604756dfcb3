"""One message that cannot be written stops nobody else's: it is set aside, and written once that is mended."""

import asyncio
import logging

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.errors import DatabaseUnavailableError
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.db.service import Services
from bot.memory.messages.writer import Ingested, MessageWriter
from tests.adapters.discord.bots import eventually
from tests.memory.messages.test_ingest import away, back, message, rows
from tests.memory.poisoned import POISON, aside, batch, ids, in_order, mend, poison, writing


async def test_whatever_part_of_a_batch_is_poisoned_just_that_is_set_aside_and_all_else_is_stored_in_order(
    database: Database,
) -> None:
    await poison(database)
    sizes = st.integers(1, 40).flatmap(
        lambda count: st.tuples(st.just(count), st.sets(st.integers(1, count), max_size=max(1, count // 2)))
    )

    async def play(count: int, poisoned: set[int]) -> None:
        # Deleted rows would leave room between others, and the order of rows could not be told any more.
        await database.write(
            lambda connection: connection.execute("TRUNCATE chat_history, quarantined_messages")
        )
        async with writing(database) as writer:
            assert await writer.put(batch(count, poisoned)) == Ingested(
                new=count - len(poisoned), set_aside=len(poisoned)
            )
        assert await aside(database) == sorted(poisoned)
        assert await in_order(database) == [one for one in range(1, count + 1) if one not in poisoned]

    loop = asyncio.get_running_loop()

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(sizes)
    def played(case: tuple[int, set[int]]) -> None:
        asyncio.run_coroutine_threadsafe(play(*case), loop).result()

    await asyncio.to_thread(played)


async def test_if_most_of_a_batch_fails_nothing_is_set_aside_hearing_stops_with_an_alarm_and_nothing_is_lost(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    services = Services()
    writer = MessageWriter(database, services=services)
    writer.start()
    await poison(database)
    poisoned = set(range(1, 31))
    waiting = asyncio.create_task(writer.put(batch(40, poisoned)))
    async with asyncio.timeout(60):
        while not services.failing():
            await asyncio.sleep(0.01)
    assert await aside(database) == []
    assert [one.name for one in services.failing()] == ["writer of messages"]
    alarms = [one.getMessage() for one in caplog.records if one.levelno == logging.ERROR]
    assert any("hearing has stopped" in line and POISON not in line for line in alarms)
    assert not waiting.done()
    await mend(database)
    async with asyncio.timeout(60):
        assert await waiting == Ingested(new=40)
    assert services.failing() == []
    assert await ids(database) == list(range(1, 41))
    await writer.stop()


async def test_a_fault_of_all_messages_sets_not_even_a_single_one_aside(database: Database) -> None:
    async with writing(database) as writer:
        await away(database)
        waiting = asyncio.create_task(writer.put([message(1)]))
        await asyncio.sleep(0.5)
        assert await aside(database) == []
        await back(database)
        async with asyncio.timeout(60):
            assert await waiting == Ingested(new=1)


async def test_a_message_over_which_the_database_always_takes_too_long_is_set_aside(dsn: str) -> None:
    database = await Database.open(dsn, timeout_seconds=1.0)
    await poison(database, does="PERFORM pg_sleep(60)")
    async with writing(database) as writer:
        assert await writer.put(batch(12, {5})) == Ingested(new=11, set_aside=1)
    assert await aside(database) == [5]
    await database.close()


async def test_a_batch_that_takes_too_long_as_a_whole_is_written_in_parts(dsn: str) -> None:
    database = await Database.open(dsn, timeout_seconds=2.0)
    await poison(database, does="PERFORM pg_sleep(0.3)")
    async with writing(database) as writer:
        assert await writer.put(batch(12, set(range(1, 13)))) == Ingested(new=12)
    assert await aside(database) == []
    await database.close()


async def test_what_is_set_aside_is_written_at_the_next_start_once_it_is_mended(
    database: Database, clock: SetClock
) -> None:
    await poison(database)
    async with assembled(Settings(_env_file=None), clock, database) as first:
        await first.memory.ingest_messages(batch(4, {2}))
        await first.memory.settled()
    async with assembled(Settings(_env_file=None), clock, database):
        await eventually(lambda: _failures(database, 2))
    await mend(database)
    async with assembled(Settings(_env_file=None), clock, database) as keepsake:
        await eventually(lambda: _stored(keepsake, 2))
        assert await aside(database) == []
        found = await keepsake.library.message(guild_id=1, message_id=2)
        assert found is not None
        assert found.text == f"{POISON} 2"


async def _failures(database: Database, count: int) -> bool:
    return bool(
        await database.read(
            lambda connection: connection.fetchval(
                "SELECT bool_and(failures >= $1) FROM quarantined_messages", count
            )
        )
    )


async def _stored(keepsake: Keepsake, message_id: int) -> bool:
    return await keepsake.library.message(guild_id=1, message_id=message_id) is not None


async def test_what_waits_for_mending_at_the_end_is_counted_and_said(database: Database) -> None:
    await poison(database)
    writer = MessageWriter(database)
    writer.start()
    await writer.put(batch(4, {1, 2, 3}), wait=False)
    with pytest.raises(DatabaseUnavailableError, match="3 messages could not be written"):
        async with asyncio.timeout(60):
            await writer.stop()
    assert await rows(database) == 1

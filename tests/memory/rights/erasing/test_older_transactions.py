"""An erasing waits for whoever began to write before it, says so, and goes on by itself when they are done."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import timedelta

import asyncpg
import pytest
from pydantic import SecretStr

from bot import cli
from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.memory.messages import repository_writing
from bot.memory.rights.erasing import batches
from tests.memory.rights.erasing.lived import CAROL, GUILD_ID, columns_with, live, said, settle_in


@pytest.fixture(autouse=True)
def without_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "MOST_SECONDS", 0.1)
    monkeypatch.setattr(batches, "LOOK_AGAIN", timedelta(milliseconds=200))
    monkeypatch.setattr("bot.db.jobs._POLL_SECONDS", 0.05)


@pytest.fixture
async def another(dsn: str) -> AsyncIterator[Connection]:
    """A connection of somebody else."""
    async with asyncpg.create_pool(dsn, min_size=1, max_size=1) as pool, pool.acquire() as connection:
        yield connection


async def until_gone(database: Database, *sought: str) -> None:
    async with asyncio.timeout(60):
        while await columns_with(database, *sought):
            await asyncio.sleep(0.05)


async def until_told(caplog: pytest.LogCaptureFixture, times: int) -> list[str]:
    """Return what was said of waiting, as soon as it was said that often."""
    async with asyncio.timeout(60):
        while len(told := [one for one in caplog.messages if "older transaction" in one]) < times:
            await asyncio.sleep(0.05)
    return told


@pytest.mark.parametrize("ends_by", ["COMMIT", "ROLLBACK"])
async def test_nothing_that_an_older_transaction_writes_outlives_an_erasing(
    keepsake: Keepsake,
    database: Database,
    another: Connection,
    clock: SetClock,
    caplog: pytest.LogCaptureFixture,
    ends_by: str,
) -> None:
    await live(keepsake, database)
    clock.advance(timedelta(hours=2))
    await another.execute("BEGIN")
    await repository_writing.write_messages(another, [said("my other island is vermilionata", 60)])
    with caplog.at_level(logging.WARNING):
        erased = await keepsake.memory.erasing.erase_member(
            guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
        )
        assert erased.unfinished == 1
        assert erased.messages == 0
        told = await until_told(caplog, 3)
    assert all(f"guild {GUILD_ID}: " in one and "for 1 older transactions" in one for one in told)
    assert all(str(another.get_server_pid()) in one and str(CAROL) not in one for one in told)
    await another.execute(ends_by)
    await until_gone(database, "vermilionata", "zanzibarus", str(CAROL))
    async with asyncio.timeout(60):
        while await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM work")):
            await asyncio.sleep(0.05)


async def test_whoever_only_looked_before_may_write_after_and_is_waited_for_too(
    keepsake: Keepsake, database: Database, another: Connection, clock: SetClock
) -> None:
    """Its snapshot is from before the erasing, so no check of its own tells it that there is one."""
    await settle_in(keepsake)
    await keepsake.memory.ingest_message(said("my island is zanzibarus", 1))
    clock.advance(timedelta(hours=2))
    await another.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    await another.fetchval("SELECT count(*) FROM erased")
    erased = await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    assert erased.unfinished == 1
    await repository_writing.write_messages(another, [said("my other island is vermilionata", 60)])
    await another.execute("COMMIT")
    await until_gone(database, "vermilionata", "zanzibarus", str(CAROL))


async def test_later_transactions_do_not_keep_an_erasing_waiting(
    keepsake: Keepsake, database: Database, another: Connection, dsn: str
) -> None:
    await live(keepsake, database)
    await another.execute("BEGIN")
    erased = await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=None, opted_out=False
    )
    assert erased.unfinished == 1
    later = await asyncpg.connect(dsn)
    try:
        await later.execute("BEGIN")
        await another.execute("COMMIT")
        await until_gone(database, "zanzibarus", str(CAROL))
    finally:
        await later.close()


async def test_the_command_line_says_that_it_waits_and_the_bot_goes_on(
    keepsake: Keepsake,
    database: Database,
    another: Connection,
    dsn: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    await live(keepsake, database)
    # Signals are for the main thread, where the test itself runs.
    monkeypatch.setattr(cli, "_until_stopped", asyncio.run)
    settings = Settings(_env_file=None, database_url=SecretStr(dsn))
    monkeypatch.setattr(Settings, "load", lambda: settings)
    await another.execute("BEGIN")
    status = await asyncio.to_thread(
        cli.main, ["erase", "--guild", str(GUILD_ID), "--user", str(CAROL), "--all", "--yes"]
    )
    assert status == 3
    told = capsys.readouterr().out
    assert told.startswith("Still waiting in 1 server: transactions of others that began before are open")
    assert "Erased" not in told
    assert await columns_with(database, "zanzibarus")
    await another.execute("COMMIT")
    await until_gone(database, "zanzibarus", str(CAROL))


async def test_a_member_who_left_is_erased_while_memory_work_hangs(
    keepsake: Keepsake, database: Database, clock: SetClock
) -> None:
    await live(keepsake, database)
    hanging, may_end = asyncio.Semaphore(0), asyncio.Event()

    async def hang(_: object) -> None:
        hanging.release()
        await may_end.wait()

    keepsake.work.take_up({"hang": hang})
    await database.write(
        lambda connection: connection.execute(
            "INSERT INTO work (guild_id, kind, work_key, due_at)"
            " SELECT $1, 'hang', n::text, now() - interval '1 day' FROM generate_series(1, 4) AS n",
            GUILD_ID,
        )
    )
    keepsake.work.wake()
    async with asyncio.timeout(60):
        for _ in range(2):
            await hanging.acquire()
    await keepsake.directory.member_left(guild_id=GUILD_ID, user_id=CAROL, at=clock.now())
    await keepsake.memory.erasing.ask_for_who_left(GUILD_ID, clock.now() + timedelta(days=30))
    await until_gone(database, "zanzibarus")
    assert not may_end.is_set()
    may_end.set()
    await keepsake.work.idle()

"""The pool: no transaction is left behind, and what was lost is tried again."""

import asyncio
from datetime import datetime
from functools import partial
from itertools import count

import asyncpg
import pytest

from bot.core.errors import DatabaseUnavailableError
from bot.db import pool
from bot.db.pool import Connection, Database


async def one(connection: Connection) -> int:
    value: int = await connection.fetchval("SELECT 1")
    return value


@pytest.mark.smoke
async def test_a_failed_statement_leaves_no_connection_in_an_aborted_transaction(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=1)

    async def fail(connection: Connection) -> None:
        await connection.fetchval("SELECT 1 / 0")

    for attempt in (database.read, database.write):
        with pytest.raises(asyncpg.DivisionByZeroError):
            await attempt(fail)
        assert await database.read(one) == 1
    await database.close()


async def test_a_connection_given_back_in_the_middle_of_a_transaction_leaves_nothing_behind(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=1)
    # What is wrong in the code is said to the loop, too; here it is wrong on purpose.
    asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
    held = await asyncpg.connect(dsn)

    async def break_off(connection: Connection) -> int:
        await connection.execute("BEGIN")
        await connection.execute("SET LOCAL statement_timeout = '1h'")
        await connection.execute("SELECT pg_advisory_xact_lock(7)")
        await connection.execute("INSERT INTO guilds (guild_id) VALUES (1)")
        return connection.get_server_pid()

    async def look(connection: Connection) -> tuple[int, str, int]:
        timeout = await connection.fetchval("SELECT current_setting('statement_timeout')")
        return connection.get_server_pid(), timeout, await connection.fetchval("SELECT count(*) FROM guilds")

    server_process = await database.read(break_off)
    assert await held.fetchval("SELECT pg_try_advisory_lock(7)")
    assert await database.read(look) == (server_process, "0", 0)
    await held.close()
    await database.close()


async def test_giving_a_connection_back_costs_no_round_trip(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=1)
    watcher = await asyncpg.connect(dsn)
    assert await database.read(one) == 1
    last = "SELECT query FROM pg_stat_activity WHERE pid = $1"
    server_process = await database.read(process)
    assert await watcher.fetchval(last, server_process) == "SELECT 1"
    await watcher.close()
    await database.close()


async def process(connection: Connection) -> int:
    return connection.get_server_pid()


async def test_an_id_beyond_bigint_is_an_error_and_not_the_end_of_the_connection(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=1)
    with pytest.raises(asyncpg.DataError):
        await database.read(lambda connection: connection.fetchval("SELECT $1::bigint", 10**20))
    assert await database.read(one) == 1
    await database.close()


async def test_a_read_is_in_no_transaction_so_that_its_time_goes_on(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=1)

    async def twice(connection: Connection) -> list[datetime]:
        return [await connection.fetchval("SELECT CURRENT_TIMESTAMP") for _ in range(2)]

    first, second = await database.read(twice)
    assert first < second
    await database.close()


async def test_a_statement_of_a_read_is_planned_once_and_those_of_a_write_for_their_values(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=1)

    async def plans(connection: Connection, *, name: str) -> tuple[int, int]:
        for number in range(3):
            await connection.fetchval(f"SELECT $1::int AS {name}", number)
        counted = "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE $1"
        generic, custom = await connection.fetchrow(counted, f"%AS {name}") or (0, 0)
        return generic, custom

    assert await database.read(plans, name="kept") == (3, 0)
    assert await database.write(plans, name="each") == (0, 3)
    assert await database.survey(plans, name="looked_through") == (0, 3)
    assert await database.read(plans, name="again") == (3, 0)
    await database.close()


async def test_a_write_that_fails_writes_nothing(database: Database) -> None:
    async def half(connection: Connection) -> None:
        await connection.execute("INSERT INTO guilds (guild_id) VALUES (1)")
        raise ValueError("half-way")

    with pytest.raises(ValueError, match="half-way"):
        await database.write(half)
    assert await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM guilds")) == 0


async def until_sleeping(dsn: str, server_process: int) -> None:
    """Return when a server process has begun to sleep: a cancellation that comes before is lost."""
    looking = await asyncpg.connect(dsn)
    try:
        sleeps = "SELECT wait_event = 'PgSleep' FROM pg_stat_activity WHERE pid = $1"
        while not await looking.fetchval(sleeps, server_process):
            await asyncio.sleep(0.01)
    finally:
        await looking.close()


async def test_what_goes_wrong_inside_is_told_though_its_connection_cannot_roll_back(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=1)
    other = await asyncpg.connect(dsn)

    async def half(connection: Connection) -> None:
        await connection.execute("INSERT INTO guilds (guild_id) VALUES (1)")
        await other.execute("SELECT pg_terminate_backend($1, 60000)", connection.get_server_pid())
        raise ValueError("half-way")

    with pytest.raises(ValueError, match="half-way"):
        await database.write(half)
    assert await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM guilds")) == 0
    await other.close()
    await database.close()


async def test_a_write_that_is_cancelled_writes_nothing_and_gives_its_connection_back(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=1)
    wrong: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: wrong.append(context))
    began = asyncio.Event()

    async def half(connection: Connection) -> None:
        await connection.execute("INSERT INTO guilds (guild_id) VALUES (1)")
        began.set()
        await connection.execute("SELECT pg_sleep(60)")

    server_process = await database.read(process)
    writing = asyncio.create_task(database.write(half))
    await began.wait()
    await until_sleeping(dsn, server_process)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM guilds")) == 0
    assert await database.read(process) == server_process
    assert not wrong
    await database.close()


async def test_a_change_of_one_statement_is_written_and_run_again_when_its_connection_was_lost(
    dsn: str,
) -> None:
    database = await Database.open(dsn, pool_size=1)
    tries = 0

    async def add(connection: Connection) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            await connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        await connection.execute("INSERT INTO guilds (guild_id) VALUES (1)")

    await database.write_one(add)
    assert tries == 2
    assert await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM guilds")) == 1
    await database.close()


async def test_every_statement_is_bounded_in_time(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=1, timeout_seconds=1)
    for attempt in (database.read, database.write):
        with pytest.raises(DatabaseUnavailableError, match="within 1 seconds"):
            await attempt(lambda connection: connection.execute("SELECT pg_sleep(30)"))
    assert await database.read(one) == 1
    await database.close()


async def test_a_connection_that_was_lost_is_replaced_before_the_next_statement(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=2)
    admin = await asyncpg.connect(dsn)
    await database.read(one)
    await admin.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await admin.close()
    assert await asyncio.gather(*(database.read(one) for _ in range(4))) == [1, 1, 1, 1]
    await database.close()


async def test_who_waits_for_a_connection_is_served_in_order(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=1)
    places = count()
    served: list[int] = []

    async def take(place: int, connection: Connection) -> None:
        served.append(place)
        await connection.execute("SELECT")

    async def ask_again_and_again(pauses: int) -> None:
        for _ in range(10):
            await database.read(partial(take, next(places)))
            # So some come back in the very moment in which the connection is free, and nobody has it yet.
            for _ in range(pauses):
                await asyncio.sleep(0)

    await asyncio.gather(*(ask_again_and_again(pauses) for pauses in range(20)))
    assert served == list(range(200))
    await database.close()


async def test_a_lost_race_is_run_again(database: Database) -> None:
    await database.write(
        lambda connection: connection.execute("INSERT INTO guilds (guild_id) VALUES (1), (2)")
    )
    both_hold_one = asyncio.Barrier(2)
    tries = 0

    async def crosswise(connection: Connection, first: int, second: int) -> None:
        nonlocal tries
        tries += 1
        change = "UPDATE guilds SET memory_epoch = memory_epoch + 1 WHERE guild_id = $1"
        await connection.execute(change, first)
        if tries <= 2:
            await both_hold_one.wait()
        await connection.execute(change, second)

    await asyncio.gather(
        database.write(crosswise, 1, 2),
        database.write(crosswise, 2, 1),
    )
    epochs = await database.read(lambda connection: connection.fetch("SELECT memory_epoch FROM guilds"))
    assert [row["memory_epoch"] for row in epochs] == [2, 2]
    assert tries == 3


async def test_a_server_that_is_not_there_is_one_clear_sentence() -> None:
    with pytest.raises(DatabaseUnavailableError, match="the database cannot be reached"):
        await Database.open("postgresql://keepsake@127.0.0.1:9/keepsake", timeout_seconds=1)


async def test_a_server_that_takes_no_writes_is_called_that(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_PAUSES_SECONDS", ())

    async def change(connection: Connection) -> None:
        await connection.execute("SET TRANSACTION READ ONLY")
        await connection.execute("UPDATE guilds SET memory_epoch = 0")

    with pytest.raises(DatabaseUnavailableError, match="takes no writes: it is a standby"):
        await database.write(change)

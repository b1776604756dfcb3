"""Only what is surely an outage is one: what a server says is told by its code, whoever was asking."""

import asyncio
import socket

import asyncpg
import pytest

from bot.core.errors import DatabaseError, DatabaseTimeoutError, DatabaseUnavailableError
from bot.db.outages import Outage, outage_of
from bot.db.pool import Connection, Database


@pytest.mark.parametrize(
    ("code", "outage"),
    [
        ("08006", Outage.UNREACHABLE),
        ("57P01", Outage.RESTARTING),
        ("57P03", Outage.RESTARTING),
        ("53300", Outage.CONNECTIONS),
        ("53100", Outage.DISK),
        ("58030", Outage.DISK),
        ("53200", Outage.MEMORY),
        ("25006", Outage.READ_ONLY),
        ("28P01", Outage.REFUSED),
        ("28000", Outage.REFUSED),
        ("3D000", Outage.REFUSED),
        # Of these none is: the statement or what it holds is at fault, or nobody knows.
        ("57014", None),
        ("P0001", None),
        ("22P02", None),
        ("23505", None),
        ("40P01", None),
        ("42P01", None),
        ("54000", None),
        ("XX000", None),
        ("XX002", None),
    ],
)
async def test_what_the_server_raises_is_judged_by_its_code(
    code: str, outage: Outage | None, dsn: str
) -> None:
    connection = await asyncpg.connect(dsn)
    with pytest.raises(asyncpg.PostgresError) as raised:
        await connection.execute(f"DO $$ BEGIN RAISE EXCEPTION 'as it says' USING ERRCODE = '{code}'; END $$")
    await connection.close()
    assert outage_of(raised.value) is outage


async def test_a_server_that_is_not_there_is_an_outage_and_a_defect_is_none() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(DatabaseUnavailableError) as raised:
        await Database.open(f"postgresql://nobody@127.0.0.1:{port}/nothing", timeout_seconds=5)
    assert outage_of(raised.value) is Outage.UNREACHABLE
    assert outage_of(RuntimeError("the database is away")) is None
    assert outage_of(DatabaseError("of another kind")) is None


async def test_a_slow_statement_is_no_outage_and_a_pool_without_a_free_connection_is_one(dsn: str) -> None:
    database = await Database.open(dsn, pool_size=1, timeout_seconds=0.5)
    held, free = asyncio.Event(), asyncio.Event()

    async def hold(connection: Connection) -> None:
        held.set()
        await free.wait()

    with pytest.raises(DatabaseTimeoutError) as slow:
        await database.write(lambda connection: connection.execute("SELECT pg_sleep(30)"))
    assert outage_of(slow.value) is None
    holding = asyncio.create_task(database.read(hold))
    await held.wait()
    with pytest.raises(DatabaseUnavailableError) as busy:
        await database.read(lambda connection: connection.fetchval("SELECT 1"))
    assert outage_of(busy.value) is not None
    free.set()
    await holding
    await database.close()

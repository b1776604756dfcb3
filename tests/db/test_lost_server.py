"""A server that is lost is back before the next statement, and nothing that was heard is missing."""

import asyncio
from pathlib import Path

import pytest

from bot.db import migrations
from bot.db.pool import Database
from bot.memory.messages.writer import MessageWriter
from tests.db.embedded_servers import NewServer, kill_postmaster
from tests.db.embedded_servers import new_server as new_server
from tests.memory.messages.test_ingest import message, rows

pytestmark = pytest.mark.processes


async def test_when_the_postmaster_is_killed_the_next_statement_works(
    new_server: NewServer, tmp_path: Path
) -> None:
    server = new_server(tmp_path)
    await server.start()
    await migrations.migrate(server.dsn)
    database = await Database.open(server.dsn, revive=server.ensure_running)
    await kill_postmaster(server)
    assert await rows(database) == 0
    await database.close()


async def test_what_is_heard_while_the_postmaster_dies_is_all_there(
    new_server: NewServer, tmp_path: Path
) -> None:
    server = new_server(tmp_path)
    await server.start()
    await migrations.migrate(server.dsn)
    database = await Database.open(server.dsn, revive=server.ensure_running)
    writer = MessageWriter(database)
    writer.start()
    hearing = [asyncio.create_task(writer.put([message(number)])) for number in range(1, 1_501)]
    await asyncio.sleep(0.05)
    await kill_postmaster(server)
    await asyncio.gather(*hearing)
    await writer.stop()
    assert await rows(database) == 1_500
    await database.close()

"""A Postgres of one's own, which may be hurt: it falls over, its connections end, its tables are locked and slow."""

import asyncio
import contextlib
import itertools
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import asyncpg

from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer

_QUICK: Final = {"fsync": "off", "full_page_writes": "off"}
"""A server that falls over keeps what it said was committed, as long as the machine stays; with asynchronous commits it
would lose the last of it, which no bot can be told to survive."""

_numbers = itertools.count(1)

_SLOW: Final = """
CREATE OR REPLACE FUNCTION chaos_slow() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN PERFORM pg_sleep(0.2); RETURN NULL; END $$;
CREATE OR REPLACE TRIGGER chaos_slow BEFORE INSERT OR UPDATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION chaos_slow()
"""


class Cluster:
    """A server with a migrated template."""

    def __init__(self, folder: Path) -> None:
        self._server: Final = EmbeddedServer(folder, options=_QUICK)

    async def __aenter__(self) -> "Cluster":
        await self._server.start()
        await migrations.migrate(self._server.dsn)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.stop()

    @contextlib.asynccontextmanager
    async def database(self) -> AsyncIterator[str]:
        """Give the address of a fresh database."""
        name = f"chaos_{next(_numbers)}"
        await self._admin(f"CREATE DATABASE {name} TEMPLATE keepsake")
        try:
            yield self._dsn(name)
        finally:
            await self._admin(f"DROP DATABASE {name} WITH (FORCE)")

    async def restart(self, *, away_seconds: float) -> None:
        """Let the server fall over, as if it were killed, and come back."""
        data = next(self._server.folder.glob("data-*"))
        process_id = int((data / "postmaster.pid").read_text().split()[0])
        os.kill(process_id, signal.SIGQUIT)
        await asyncio.sleep(away_seconds)
        await self._server.ensure_running()

    async def terminate(self, dsn: str) -> None:
        """End all connections to a database."""
        async with _connected(dsn) as connection:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    async def lock(self, dsn: str, table: str, seconds: float) -> None:
        """Let everybody wait who would write a table."""
        async with _connected(dsn) as connection, connection.transaction():
            await connection.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
            await asyncio.sleep(seconds)

    async def slow(self, dsn: str, table: str, seconds: float) -> None:
        """Let every statement take long that writes a table."""
        async with _connected(dsn) as connection:
            await connection.execute(_SLOW.format(table=table))
        await asyncio.sleep(seconds)
        await self.hurry(dsn)

    async def hurry(self, dsn: str) -> None:
        """Let no statement take longer than it needs any more."""
        async with _connected(dsn) as connection:
            await connection.execute("DROP FUNCTION IF EXISTS chaos_slow() CASCADE")

    async def _admin(self, statement: str) -> None:
        async with _connected(self._dsn("postgres")) as connection:
            await connection.execute(statement)

    def _dsn(self, name: str) -> str:
        return self._server.dsn.replace("/keepsake?", f"/{name}?")


@contextlib.asynccontextmanager
async def _connected(dsn: str) -> "AsyncIterator[asyncpg.Connection[asyncpg.Record]]":
    connection = await asyncpg.connect(dsn)
    try:
        yield connection
    finally:
        await connection.close(timeout=10)

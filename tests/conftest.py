"""A real Postgres for every test: one server per run, one migrated template, one clone per test."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import asyncpg
import hypothesis
import pytest

from bot.app import Keepsake, assembled
from bot.clock import SetClock
from bot.settings import Settings
from bot.store import migrations
from bot.store.database import Database
from bot.store.embedded import EmbeddedServer

# No test asserts a time: a machine with other work to do is no defect.
hypothesis.settings.register_profile("keepsake", deadline=None)
hypothesis.settings.load_profile("keepsake")

_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
_numbers = itertools.count(1)


class Servers:
    """The servers of a test run by major version, each with a migrated template database."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._servers: dict[int, EmbeddedServer] = {}

    def dsn(self, version: int, name: str) -> str:
        """Return the address of the database `name` on the server of this version, started if need be."""
        if version not in self._servers:
            server = EmbeddedServer(self._folder / f"postgres-{version}", version=version, options=_FAST)
            asyncio.run(_prepare(server))
            self._servers[version] = server
        return self._servers[version].dsn.replace("/keepsake?", f"/{name}?")

    def stop(self) -> None:
        """Stop every server that was started."""
        for server in self._servers.values():
            asyncio.run(server.stop())


async def _prepare(server: EmbeddedServer) -> None:
    await server.start()
    await migrations.migrate(server.dsn)


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    servers = Servers(tmp_path_factory.mktemp("servers"))
    yield servers
    servers.stop()


@pytest.fixture
def postgres_version() -> int:
    """The version that a test runs on; a folder of tests may ask for several."""
    return 18


@pytest.fixture
async def dsn(servers: Servers, postgres_version: int) -> AsyncIterator[str]:
    """The address of a fresh, migrated database."""
    name = f"test_{next(_numbers)}"
    admin = await asyncpg.connect(await asyncio.to_thread(servers.dsn, postgres_version, "postgres"))
    try:
        await admin.execute(f"CREATE DATABASE {name} TEMPLATE keepsake")
        yield servers.dsn(postgres_version, name)
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await admin.close()


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Database]:
    database = await Database.open(dsn)
    yield database
    await database.close()


@pytest.fixture
def clock() -> SetClock:
    return SetClock(datetime(2026, 3, 1, 9, tzinfo=UTC))


@pytest.fixture
async def keepsake(database: Database, clock: SetClock) -> AsyncIterator[Keepsake]:
    """The bot on a fresh database, joined as in real life."""
    async with assembled(Settings(_env_file=None), clock, database) as keepsake:
        yield keepsake

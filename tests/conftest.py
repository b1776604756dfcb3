"""A real Postgres for every test: one server per process, one migrated template, databases used again."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime

import hypothesis
import pytest

from bot.app import Keepsake, assembled
from bot.clock import SetClock
from bot.settings import Settings
from bot.store.database import Database
from tests.databases import Servers

# No test asserts a time: a machine with other work to do is no defect.
hypothesis.settings.register_profile("keepsake", deadline=None)
hypothesis.settings.load_profile("keepsake")


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
    """The address of a migrated database without rows."""
    name = await servers.take(postgres_version)
    yield servers.dsn(postgres_version, name)
    await servers.give_back(postgres_version, name)


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

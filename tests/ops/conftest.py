"""A second home: an empty database, on a server of the same or another version, and settings for both homes."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import asyncpg
import pytest

from bot.core.settings import Settings
from tests.databases import Servers

NewDatabase: TypeAlias = Callable[..., Awaitable[str]]
_NUMBERS: Final = itertools.count(1)


@pytest.fixture
def second_version() -> int:
    """The version of the second home's server."""
    return 18


@pytest.fixture
async def new_database(servers: Servers, second_version: int) -> AsyncIterator[NewDatabase]:
    """Makes databases without tables, or copies of one that nobody uses, and gives their addresses."""
    admin = await asyncpg.connect(await asyncio.to_thread(servers.dsn, second_version, "postgres"))
    names: list[str] = []

    async def make(copied: str = "") -> str:
        names.append(f"second_{next(_NUMBERS)}")
        template = urlsplit(copied).path.strip("/") or "template0"
        await admin.execute(f"CREATE DATABASE {names[-1]} TEMPLATE {template}")
        return servers.dsn(second_version, names[-1])

    yield make
    for name in names:
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await admin.close()


@pytest.fixture
async def second(new_database: NewDatabase) -> str:
    """The address of a database without tables, and without anybody else."""
    return await new_database()


@pytest.fixture
def here(dsn: str, tmp_path: Path) -> Settings:
    """The settings of the first home."""
    return home(dsn, tmp_path / "here")


@pytest.fixture
def there(second: str, tmp_path: Path) -> Settings:
    """The settings of the second home."""
    return home(second, tmp_path / "there")


def home(dsn: str, folder: Path) -> Settings:
    """Return the settings of an installation that has set nothing else."""
    return Settings(_env_file=None, database_url=dsn, keepsake_home=folder)

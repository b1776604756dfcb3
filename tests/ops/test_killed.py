"""Whoever kills a backup or a restore finds what was there before, and can repeat it."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from bot.app import Keepsake, assembled, open_database
from bot.core.clock import SetClock, SystemClock
from bot.core.errors import DatabaseVersionError
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.ops import owner
from bot.ops.backups import write_backup
from tests.memory.rights.erasing.lived import GUILD_ID, live
from tests.ops.reading import everything, text_of
from tests.ops.test_backups import restored

pytestmark = pytest.mark.processes


async def begun(dsn: str, home: Path, *arguments: str | Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *arguments,
        env={**os.environ, "DATABASE_URL": dsn, "KEEPSAKE_HOME": str(home)},
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip


async def killed_when(process: asyncio.subprocess.Process, is_so: Callable[[], Awaitable[bool]]) -> None:
    """Kill a process as soon as something is so."""
    async with asyncio.timeout(120):
        while not await is_so():
            assert process.returncode is None
            await asyncio.sleep(0.001)
    process.kill()
    await process.wait()


@pytest.fixture
async def lived(defaults: Settings, clock: SetClock, database: Database) -> None:
    async with assembled(defaults, clock, database) as keepsake:
        await live(keepsake, database)
        await keepsake.work.idle()


@pytest.mark.usefixtures("lived")
async def test_a_backup_that_is_killed_leaves_no_file_that_looks_like_one(
    dsn: str, here: Settings, tmp_path: Path
) -> None:
    folder, path = tmp_path / "backups", tmp_path / "backups" / "keepsake.backup"
    folder.mkdir()
    holder = await asyncpg.connect(dsn)
    async with holder.transaction():
        # It comes to this table in the middle, and waits there.
        await holder.execute("LOCK TABLE facts")
        process = await begun(dsn, tmp_path, "backup", path)

        async def is_waiting() -> bool:
            return bool(await holder.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"))

        await killed_when(process, is_waiting)
    await holder.close()
    left = [found.name for found in folder.iterdir()]
    assert path.name not in left
    await write_backup(here, SystemClock(), path)
    assert [found.name for found in folder.iterdir()] == [path.name]


class Restoring:
    """A restore in a process of its own, into a database that somebody else may look at."""

    def __init__(self, watcher: asyncpg.Connection, dsn: str) -> None:
        self._watcher = watcher
        self._name = urlsplit(dsn).path.strip("/")

    async def is_writing(self) -> bool:
        """Whatever was there is dropped; what comes in its place takes long enough to be seen."""
        return await self._is_there("query ~ '^\\s*(CREATE|ALTER|DELETE|COPY)'")

    async def is_waiting(self) -> bool:
        return await self._is_there("wait_event_type = 'Lock'")

    async def until_over(self) -> None:
        """Wait until nobody is connected."""
        async with asyncio.timeout(60):
            while await self._is_there("true"):
                await asyncio.sleep(0.01)

    async def _is_there(self, condition: str) -> bool:
        query = f"SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = $1 AND {condition})"
        return bool(await self._watcher.fetchval(query, self._name))


@pytest.fixture
async def restoring(dsn: str, second: str) -> AsyncIterator[Restoring]:
    watcher = await asyncpg.connect(dsn)
    yield Restoring(watcher, second)
    await watcher.close()


@pytest.mark.usefixtures("lived")
async def test_a_restore_that_is_killed_in_the_middle_leaves_what_was_there(
    here: Settings, there: Settings, second: str, tmp_path: Path, restoring: Restoring
) -> None:
    path = tmp_path / "keepsake.backup"
    await write_backup(here, SystemClock(), path)
    await restored(there, path)
    before = await everything(second)
    await killed_when(await begun(second, tmp_path, "restore", path, "--replace"), restoring.is_writing)
    await restoring.until_over()
    assert await everything(second) == before
    await restored(there, path, replace=True)
    assert (await everything(second))["facts"] == before["facts"]


async def test_a_restore_that_is_killed_over_the_decisions_lets_nobody_in_and_can_be_repeated(
    keepsake: Keepsake,
    database: Database,
    here: Settings,
    there: Settings,
    second: str,
    tmp_path: Path,
    restoring: Restoring,
) -> None:
    path, since = tmp_path / "keepsake.backup", tmp_path / "keepsake.decisions"
    await live(keepsake, database)
    await keepsake.work.idle()
    await write_backup(here, SystemClock(), path)
    await keepsake.memory.forget(guild_id=GUILD_ID, fact_ids=range(1, 100))
    assert await owner.export_decisions(here, since, after=None) == 0
    await restored(there, path)

    arguments = ("restore", path, "--decisions", since, "--replace")
    process = await begun(second, tmp_path, *arguments)
    async with asyncio.timeout(60):
        while not await restoring.is_writing():
            await asyncio.sleep(0.001)
    holder = await asyncpg.connect(second)
    async with holder.transaction():
        # Has it as soon as the rows are there, and before the first decision is carried out.
        await holder.execute("LOCK TABLE tombstones")
        await killed_when(process, restoring.is_waiting)
    await holder.close()
    await restoring.until_over()
    assert "quokkarium" in await text_of(second)
    with pytest.raises(DatabaseVersionError, match="repeat 'keepsake restore'"):
        async with open_database(there):
            pass
    await restored(there, path, decisions=since)
    assert "quokkarium" not in await text_of(second)
    async with open_database(there):
        pass

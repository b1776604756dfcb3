"""Whoever kills a backup or a restore finds what was there before, and can repeat it."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from bot.app import assembled
from bot.core.clock import SetClock, SystemClock
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.ops.backups import write_backup
from tests.memory.rights.erasing.lived import live
from tests.ops.reading import everything
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


@pytest.mark.usefixtures("lived")
async def test_a_restore_that_is_killed_in_the_middle_leaves_what_was_there(
    here: Settings, there: Settings, dsn: str, second: str, tmp_path: Path
) -> None:
    path = tmp_path / "keepsake.backup"
    await write_backup(here, SystemClock(), path)
    await restored(there, path)
    before = await everything(second)
    watcher = await asyncpg.connect(dsn)
    name = urlsplit(second).path.strip("/")

    async def is_writing() -> bool:
        return bool(
            await watcher.fetchval(
                "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = $1 AND query LIKE 'COPY%facts%')",
                name,
            )
        )

    await killed_when(await begun(second, tmp_path, "restore", path, "--replace"), is_writing)

    async def is_alone() -> bool:
        return not await watcher.fetchval(
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = $1)", name
        )

    async with asyncio.timeout(60):
        while not await is_alone():
            await asyncio.sleep(0.01)
    await watcher.close()
    assert await everything(second) == before
    await restored(there, path, replace=True)
    assert (await everything(second))["facts"] == before["facts"]

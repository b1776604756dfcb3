"""A real standby of a server of the tests: made by `pg_basebackup`, and kept up by streaming replication.

async with standby_of(dsn) as address: ...
"""

import asyncio
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

import asyncpg

from bot.db.embedded.cluster import PORT
from bot.db.embedded.files import find_install, runnable_install, server_account

_PATIENCE_SECONDS = 60.0


@asynccontextmanager
async def standby_of(dsn: str, **options: str) -> AsyncIterator[str]:
    """Run a standby of the server of a database, with these settings, and give its address of that database."""
    account = server_account()
    programs = runnable_install(find_install(18), account) / "bin"
    folder = Path(tempfile.mkdtemp(prefix="standby-"))

    async def begun(program: str, *arguments: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            programs / program, *arguments, cwd=folder, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            user=None if account is None else account.user_id,
            group=None if account is None else account.group_id,
            extra_groups=None if account is None else [],
        )  # fmt: skip

    try:
        if account is not None:
            shutil.chown(folder, account.user_id, account.group_id)
        copying = await begun("pg_basebackup", "-d", dsn, "-D", "data", "-c", "fast", "-R", "--no-sync")
        if await copying.wait() != 0:
            raise RuntimeError("pg_basebackup failed")
        places = {"unix_socket_directories": str(folder), "listen_addresses": "", "port": str(PORT)}
        chosen = [f"-c{name}={value}" for name, value in (places | options).items()]
        process = await begun("postgres", "-D", "data", *chosen)
        try:
            address = urlsplit(dsn)._replace(query=f"host={quote(str(folder))}&port={PORT}").geturl()
            await _until_open(address)
            yield address
        finally:
            # SIGTERM would wait for its clients.
            process.send_signal(signal.SIGINT)
            await process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def caught_up(dsn: str, address: str) -> None:
    """Return when the standby at `address` knows all that was committed at `dsn` until now."""
    primary, standby = await asyncpg.connect(dsn), await asyncpg.connect(address)
    try:
        # Servers of tests do not wait for their log to be written; this is a message in it that they wait for.
        until = await primary.fetchval("SELECT pg_logical_emit_message(false, 'tests', '', true)")
        async with asyncio.timeout(_PATIENCE_SECONDS):
            while not await standby.fetchval("SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn", until):
                await asyncio.sleep(0.01)
    finally:
        await primary.close()
        await standby.close()


async def _until_open(address: str) -> None:
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while True:
            try:
                await (await asyncpg.connect(address)).close()
                return
            except (OSError, asyncpg.PostgresError):
                await asyncio.sleep(0.05)

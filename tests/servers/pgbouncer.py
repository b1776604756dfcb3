"""A real PgBouncer in transaction mode before a database of the tests.

async with pooled(dsn) as address: ...
"""

import asyncio
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg

from bot.db.embedded.files import server_account
from tests.programs import program

CONNECTIONS = 8
"""To the server, for whatever number of clients."""


@asynccontextmanager
async def pooled(dsn: str) -> AsyncIterator[str]:
    """Run a PgBouncer before the database at `dsn`, and give the address that its clients connect to."""
    executable = program("pgbouncer")
    account = server_account()
    folder = Path(tempfile.mkdtemp(prefix="pgbouncer-"))
    try:
        port = _free_port()
        (folder / "pgbouncer.ini").write_text(_settings(dsn, port=port), encoding="utf-8")
        if account is not None:
            # Neither PgBouncer nor Postgres runs as root, and the socket of the server is its account's alone.
            shutil.chown(folder, account.user_id, account.group_id)
        process = await asyncio.create_subprocess_exec(
            executable,
            "-q",
            str(folder / "pgbouncer.ini"),
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            user=None if account is None else account.user_id,
            group=None if account is None else account.group_id,
            extra_groups=None if account is None else [],
        )
        try:
            address = f"postgresql://keepsake@127.0.0.1:{port}/pooled"
            await _until_open(address)
            yield address
        finally:
            process.terminate()
            await process.wait()
    finally:
        shutil.rmtree(folder)


def _settings(dsn: str, *, port: int) -> str:
    parts = urlsplit(dsn)
    host = parse_qs(parts.query).get("host", [unquote(parts.hostname or "")])[0]
    return f"""
[databases]
pooled = host={host} port={parts.port or 5432} dbname={parts.path.lstrip("/")} user={parts.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {CONNECTIONS}
max_client_conn = 500
"""


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


async def _until_open(address: str) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                connection = await asyncpg.connect(address, statement_cache_size=0)
            except (OSError, asyncpg.PostgresError):
                await asyncio.sleep(0.05)
                continue
            await connection.close()
            return

"""Real embedded servers and processes that use them, for tests; nothing of them outlives a test."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from bot.core.errors import EmbeddedServerError
from bot.db.embedded.server import EmbeddedServer

REPOSITORY = Path(__file__).parents[2]
FAST = {"fsync": "off"}
ROOT = os.geteuid() == 0

# Joins, waits for a line, then leaves, or ends as its second argument says.
MEMBER = """
import asyncio, sys
from pathlib import Path
from bot.db.embedded.server import EmbeddedServer

async def main():
    server = EmbeddedServer(Path(sys.argv[1]), options={"fsync": "off"})
    await server.start()
    print("joined", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    if sys.argv[2:] == ["fail"]:
        raise RuntimeError("the program ends here")
    await server.stop()

asyncio.run(main())
"""


class Member:
    """Another process that uses the server of `home`."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", MEMBER, str(home), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=REPOSITORY,
            env={**os.environ, "LC_ALL": "C", "PYTHONPATH": str(REPOSITORY)},
        )

    def joined(self) -> None:
        assert self.process.stdout is not None
        if self.process.stdout.readline() != "joined\n":
            _, errors = self.process.communicate(timeout=30)
            pytest.fail(f"the process could not join: {errors}")

    def leave(self) -> int:
        self.process.communicate("leave\n", timeout=60)
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        with suppress(ValueError):
            # Its pipes are closed already if it left before.
            self.process.communicate()


NewServer: TypeAlias = Callable[..., EmbeddedServer]
NewMember: TypeAlias = Callable[..., Member]


@pytest.fixture
async def new_server() -> AsyncIterator[NewServer]:
    """Build servers, without fsync, whose processes and folders are gone after the test."""
    made: list[EmbeddedServer] = []

    def build(home: Path, **arguments: object) -> EmbeddedServer:
        server = EmbeddedServer(home, **{"options": FAST, **arguments})  # type: ignore[arg-type]
        made.append(server)
        return server

    yield build
    for server in made:
        with suppress(EmbeddedServerError):
            await server.stop()
    for server in made:
        for record in server.folder.glob("data-*/postmaster.pid"):
            with suppress(ProcessLookupError):
                os.kill(int(record.read_text().split()[0]), signal.SIGKILL)
        shutil.rmtree(socket_folder(server), ignore_errors=True)
        shutil.rmtree(server.folder.parent, ignore_errors=True)


@pytest.fixture
def new_member() -> Iterator[NewMember]:
    """Start processes that do not outlive the test."""
    with ExitStack() as started:

        def start(home: Path, *arguments: str) -> Member:
            process = Member(home, *arguments)
            started.callback(process.kill)
            return process

        yield start


def socket_folder(server: EmbeddedServer) -> Path:
    return Path(parse_qs(urlsplit(server.dsn).query)["host"][0])


async def ask(server: EmbeddedServer, sql: str, *arguments: object) -> object:
    connection = await asyncpg.connect(dsn=server.dsn, timeout=20)
    try:
        return await connection.fetchval(sql, *arguments)
    finally:
        await connection.close()


async def runs(server: EmbeddedServer) -> bool:
    try:
        return await ask(server, "SELECT true") is True
    except (OSError, asyncpg.PostgresConnectionError, asyncpg.CannotConnectNowError):
        return False


async def wait_until_gone(server: EmbeddedServer) -> None:
    async with asyncio.timeout(30):
        while await runs(server):
            await asyncio.sleep(0.05)


async def remember(server: EmbeddedServer, *words: str) -> None:
    connection = await asyncpg.connect(dsn=server.dsn)
    try:
        await connection.execute("CREATE TABLE IF NOT EXISTS kept (word text UNIQUE)")
        await connection.executemany("INSERT INTO kept VALUES ($1)", [(word,) for word in words])
    finally:
        await connection.close()


async def kept(server: EmbeddedServer) -> object:
    return await ask(server, "SELECT array_agg(word ORDER BY word) FROM kept")


async def kill_postmaster(server: EmbeddedServer) -> int:
    record = str(await ask(server, "SELECT pg_read_file('postmaster.pid')"))
    postmaster_id = int(record.split()[0])
    os.kill(postmaster_id, signal.SIGKILL)
    return postmaster_id

"""Real outages of a Postgres of a test's own: no server, another password, no writes, a full disk."""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import asyncpg

from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer

_ROLE = "keeper"
_PASSWORD = "the-right-one"


@dataclass(frozen=True)
class OwnServer:
    """A server of a test's own, with a role that has a password; `dsn` is the bot's address."""

    server: EmbeddedServer
    dsn: str

    async def run(self, *statements: str) -> None:
        """Run statements as whoever may do everything."""
        connection = await asyncpg.connect(self.server.dsn)
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    async def disconnect(self) -> None:
        """End all connections of the bot, so that it makes new ones."""
        await self.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{_ROLE}'")


Outage: TypeAlias = Callable[[OwnServer], AbstractAsyncContextManager[None]]


async def prepared(server: EmbeddedServer) -> OwnServer:
    """Start `server`, and let the bot's role in by its password alone."""
    await server.start()
    own = OwnServer(
        server, server.dsn.replace("postgresql://keepsake@", f"postgresql://{_ROLE}:{_PASSWORD}@")
    )
    await migrations.migrate(server.dsn)
    await own.run(f"CREATE ROLE {_ROLE} LOGIN SUPERUSER PASSWORD '{_PASSWORD}'")
    connection = await asyncpg.connect(server.dsn)
    await asyncio.to_thread(_ask_for_password, Path(await connection.fetchval("SHOW hba_file")))
    await connection.execute("SELECT pg_reload_conf()")
    await connection.close()
    return own


def _ask_for_password(hba: Path) -> None:
    before = hba.read_text()
    hba.write_text(f"local all {_ROLE} scram-sha-256\n{before}")


@asynccontextmanager
async def no_server(own: OwnServer) -> AsyncIterator[None]:
    await own.server.stop()
    try:
        yield
    finally:
        await own.server.start()


@asynccontextmanager
async def another_password(own: OwnServer) -> AsyncIterator[None]:
    await own.run(f"ALTER ROLE {_ROLE} PASSWORD 'another'")
    await own.disconnect()
    try:
        yield
    finally:
        await own.run(f"ALTER ROLE {_ROLE} PASSWORD '{_PASSWORD}'")


@asynccontextmanager
async def no_writes(own: OwnServer) -> AsyncIterator[None]:
    await own.run("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
    try:
        yield
    finally:
        await own.run(
            "SET default_transaction_read_only = off",
            "ALTER SYSTEM RESET default_transaction_read_only",
            "SELECT pg_reload_conf()",
        )


@asynccontextmanager
async def full_disk(own: OwnServer) -> AsyncIterator[None]:
    """Let messages have no room: on a disk of their own that is full, or, where none may be made, by a trigger."""
    disk = own.server.folder.parent / "small-disk"
    disk.mkdir()
    mounting = ("mount", "-t", "tmpfs", "-o", "size=4m,mode=777", "tmpfs", str(disk))
    if (await asyncio.to_thread(subprocess.run, mounting, capture_output=True, check=False)).returncode:
        await own.run(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$",
            "CREATE TRIGGER full_disk BEFORE INSERT ON chat_history EXECUTE FUNCTION full_disk()",
        )
        try:
            yield
        finally:
            await own.run("DROP TRIGGER full_disk ON chat_history")
        return
    filler = disk / "filler"
    try:
        await own.run(
            f"CREATE TABLESPACE small LOCATION '{_folder_in(disk, own.server)}'",
            # One row a page, so that each message needs a new one.
            "ALTER TABLE chat_history SET (fillfactor = 10)",
            "ALTER TABLE chat_history SET TABLESPACE small",
        )
        with filler.open("wb") as file, contextlib.suppress(OSError):
            while True:
                os.write(file.fileno(), bytes(4096))
        yield
    finally:
        filler.unlink(missing_ok=True)
        await own.run("ALTER TABLE chat_history SET TABLESPACE pg_default", "DROP TABLESPACE IF EXISTS small")
        await asyncio.to_thread(subprocess.run, ("umount", str(disk)), check=True)


def _folder_in(disk: Path, server: EmbeddedServer) -> Path:
    """Return a folder on `disk` that belongs to whom `server` runs as."""
    folder, owner = disk / "store", server.folder.stat()
    folder.mkdir(mode=0o700)
    os.chown(folder, owner.st_uid, owner.st_gid)
    return folder

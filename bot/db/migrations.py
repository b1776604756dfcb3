"""Brings the tables to the revision that this code expects; several processes may try at once."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Final, cast

import asyncpg

from bot.core import settings
from bot.core.errors import DatabaseUnavailableError, DatabaseVersionError
from bot.db.pool import Connection

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory
    from sqlalchemy import Connection as SyncConnection
    from sqlalchemy.ext.asyncio import AsyncConnection


MINIMUM_SERVER_VERSION: Final = 160_000
"""Postgres 16, as `server_version_num` counts."""

UNFINISHED: Final = "restoring"
"""Stands for the revision while a backup is being restored: whoever starts, of whatever version, refuses it."""

_LOCK: Final = 0x6B656570
"""The advisory lock that lets one process migrate at a time; "keep" in ASCII."""

_TIMEOUT_SECONDS: Final = 600
"""A migration may rewrite a large table, so it gets longer than any other statement."""


async def migrate(dsn: str, *, revision: str = "head") -> None:
    """Bring the database at `dsn` (directly, not through a pooler) to the newest revision, or to an earlier one.

    Raises `DatabaseVersionError` if the server is older than 16, the database is newer than the code, or a migration
    refuses what it finds, and `DatabaseUnavailableError` if it cannot be reached.
    """
    if revision == "head" and await _is_newest(dsn):
        return
    try:
        async with _transaction(dsn, timeout_seconds=_TIMEOUT_SECONDS) as connection:
            await connection.run_sync(_upgrade, await asyncio.to_thread(_script), revision)
    except asyncpg.RaiseError as error:
        raise DatabaseVersionError(f"the tables cannot be brought to the newest form: {error}") from error


async def _is_newest(dsn: str) -> bool:
    """Tell whether there is nothing to migrate; nearly every start finds that, and loads nothing of Alembic then."""
    connection = await _connected(dsn, timeout_seconds=_TIMEOUT_SECONDS)
    try:
        if await connection.fetchval("SELECT to_regclass('alembic_version') IS NULL"):
            return False
        found = await connection.fetch("SELECT version_num FROM alembic_version")
        server: int = await connection.fetchval("SELECT current_setting('server_version_num')::int")
        return server >= MINIMUM_SERVER_VERSION and [row["version_num"] for row in found] == [revisions()[0]]
    finally:
        await connection.close()


async def rebuild(
    dsn: str,
    revision: str,
    *,
    clear: Callable[[Connection], Awaitable[None]],
    fill: Callable[[Connection], Awaitable[None]],
    settle: Callable[[Connection], Awaitable[None]],
) -> None:
    """Make the tables of the database at `dsn` anew, in one transaction, with rows of an older `revision`.

    `clear` leaves no tables, or raises; `fill` writes the rows when there are those of `revision`, and `settle` comes
    when they are of the newest one. Then the database is marked: until `finish_rebuilding` no process works on it.
    Raises `DatabaseVersionError` and `DatabaseUnavailableError` as `migrate` does.
    """
    script = await asyncio.to_thread(_script)
    async with _transaction(dsn, timeout_seconds=None) as connection:
        await connection.run_sync(_hold)
        driver = cast("Connection", (await connection.get_raw_connection()).driver_connection)
        await clear(driver)
        await connection.run_sync(_upgrade, script, revision)
        await fill(driver)
        await connection.run_sync(_upgrade, script)
        await settle(driver)
        await driver.execute("UPDATE alembic_version SET version_num = $1", UNFINISHED)


async def finish_rebuilding(connection: Connection) -> None:
    """Let processes work on a rebuilt database again."""
    await connection.execute("UPDATE alembic_version SET version_num = $1", revisions()[0])


@asynccontextmanager
async def _transaction(dsn: str, *, timeout_seconds: float | None) -> AsyncIterator["AsyncConnection"]:
    """Begin a transaction in which migrations can run; no statement of it may take longer."""
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    connect = partial(_connected, dsn, timeout_seconds=timeout_seconds)
    engine = create_async_engine("postgresql+asyncpg://", async_creator=connect, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            yield connection
    finally:
        await engine.dispose()


async def _connected(dsn: str, *, timeout_seconds: float | None) -> "asyncpg.Connection[asyncpg.Record]":
    try:
        return await asyncpg.connect(dsn, command_timeout=timeout_seconds)
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise DatabaseUnavailableError(f"the database cannot be reached: {error}") from error


@cache
def revisions() -> tuple[str, ...]:
    """Return the revisions that this code knows, the newest first: the numbers with which the files are named."""
    scripts = (settings.resource_folder("migrations") / "versions").glob("[0-9]*.py")
    return tuple(sorted((script.name.partition("_")[0] for script in scripts), reverse=True))


@cache
def made(kind: str) -> frozenset[str]:
    """Return the names of all that migrations ever made of a kind, "TABLE" or "FUNCTION": others share the schema."""
    found = re.compile(rf"CREATE (?:OR REPLACE )?{kind} (\w+)")
    scripts = (settings.resource_folder("migrations") / "versions").glob("*.py")
    return frozenset(name for script in scripts for name in found.findall(script.read_text(encoding="utf-8")))


def run_script(statements: str) -> None:
    """Run SQL `statements`, parted by semicolons, in the transaction of the migration that calls this."""
    from alembic import op

    connection = op.get_bind().connection.dbapi_connection
    if connection is None:
        raise RuntimeError("a migration runs on an open connection only")
    connection.run_async(lambda driver: driver.execute(statements))


def _script() -> "ScriptDirectory":
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(settings.resource_folder("migrations")))


def _hold(connection: "SyncConnection") -> None:
    """Keep other processes from migrating until the transaction has ended."""
    import sqlalchemy as sa

    connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def _upgrade(connection: "SyncConnection", script: "ScriptDirectory", revision: str = "head") -> None:
    import sqlalchemy as sa
    from alembic import command
    from alembic.config import Config
    from alembic.runtime.migration import MigrationContext

    server = int(connection.scalar(sa.text("SELECT current_setting('server_version_num')")) or 0)
    if server < MINIMUM_SERVER_VERSION:
        raise DatabaseVersionError(
            f"DATABASE_URL: the server is Postgres {server // 10_000}, but Keepsake needs Postgres 16 or newer"
        )
    if connection.scalar(sa.text("SELECT pg_is_in_recovery()")):
        raise DatabaseVersionError(
            "the database is a standby, whose tables are not up to date: run 'keepsake migrate' on the server that it"
            " follows"
        )
    _hold(connection)
    for found in MigrationContext.configure(connection).get_current_heads():
        if found == UNFINISHED:
            raise DatabaseVersionError(
                "a backup was being restored into this database and that was not finished: repeat 'keepsake restore'"
            )
        if found not in revisions():
            raise DatabaseVersionError(
                f"the database is at revision {found}, which this version of Keepsake does not know: "
                "it was written by a newer one; install that version or restore a backup from before it"
            )
    config = Config()
    config.set_main_option("script_location", str(script.dir))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)

"""Brings the tables to the revision that this code expects; several processes may try at once."""

import asyncio
from typing import TYPE_CHECKING, Final

from bot.core import settings
from bot.core.errors import DatabaseUnavailableError, DatabaseVersionError

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory
    from sqlalchemy import Connection


MINIMUM_SERVER_VERSION: Final = 160_000
"""Postgres 16, as `server_version_num` counts."""

_LOCK: Final = 0x6B656570
"""The advisory lock that lets one process migrate at a time; "keep" in ASCII."""

_TIMEOUT_SECONDS: Final = 600
"""A migration may rewrite a large table, so it gets longer than any other statement."""


async def migrate(dsn: str) -> None:
    """Bring the database at `dsn` (directly, not through a pooler) to the newest revision.

    Raises `DatabaseVersionError` if the server is older than 16 or the database is newer than the code, and
    `DatabaseUnavailableError` if it cannot be reached.
    """
    import asyncpg
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    async def connect() -> object:
        try:
            return await asyncpg.connect(dsn, command_timeout=_TIMEOUT_SECONDS)
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise DatabaseUnavailableError(f"the database cannot be reached: {error}") from error

    engine = create_async_engine("postgresql+asyncpg://", async_creator=connect, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade, await asyncio.to_thread(_script))
    finally:
        await engine.dispose()


def revisions() -> tuple[str, ...]:
    """Return the revisions that this code knows, the newest first."""
    return tuple(revision.revision for revision in _script().walk_revisions())


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


def _upgrade(connection: "Connection", script: "ScriptDirectory") -> None:
    import sqlalchemy as sa
    from alembic import command
    from alembic.config import Config
    from alembic.runtime.migration import MigrationContext

    server = int(connection.scalar(sa.text("SELECT current_setting('server_version_num')")) or 0)
    if server < MINIMUM_SERVER_VERSION:
        raise DatabaseVersionError(
            f"DATABASE_URL: the server is Postgres {server // 10_000}, but Keepsake needs Postgres 16 or newer"
        )
    connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    known = {revision.revision for revision in script.walk_revisions()}
    for revision in MigrationContext.configure(connection).get_current_heads():
        if revision not in known:
            raise DatabaseVersionError(
                f"the database is at revision {revision}, which this version of Keepsake does not know: "
                "it was written by a newer one; install that version or restore a backup from before it"
            )
    config = Config()
    config.set_main_option("script_location", str(script.dir))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

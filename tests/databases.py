"""Databases of a test run: migrated once, emptied after a test that kept their schema, else dropped."""

import asyncio
import itertools
from pathlib import Path
from typing import Final

import asyncpg

from bot.store import migrations
from bot.store.embedded import EmbeddedServer

_FAST: Final = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
_TEMPLATE: Final = "keepsake"

_KEPT: Final = frozenset({"installation", "alembic_version"})
"""Tables that the migrations fill; a test that changes them changes the schema's fingerprint."""

_END_OTHERS: Final = """
    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""

_FINGERPRINT: Final = """
    SELECT jsonb_build_array(
        -- Every change of a schema writes rows of these catalogs anew. Statistics are written in place.
        (SELECT max(xmin::text::bigint) FROM pg_attribute), (SELECT count(*) FROM pg_attribute),
        (SELECT max(xmin::text::bigint) FROM pg_proc), (SELECT count(*) FROM pg_proc),
        (SELECT md5(string_agg(relname, ' ' ORDER BY oid)) FROM pg_class WHERE relkind = 'r'),
        (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_trigger), (SELECT count(*) FROM pg_constraint),
        (SELECT max(xmin::text::bigint) FROM pg_trigger), (SELECT count(*) FROM pg_namespace),
        (SELECT count(*) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
         WHERE d.datname = current_database()),
        (SELECT jsonb_agg(to_jsonb(i)) FROM installation i),
        (SELECT jsonb_agg(to_jsonb(v)) FROM alembic_version v)
    )::text
"""


class Servers:
    """The servers of one test process by major version, each with a migrated template and databases for tests."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._servers: dict[int, EmbeddedServer] = {}
        self._empty: dict[int, list[str]] = {}
        self._fingerprints: dict[str, str] = {}
        self._numbers = itertools.count(1)

    def dsn(self, version: int, name: str) -> str:
        """Return the address of the database `name` on the server of this version, started if need be."""
        if version not in self._servers:
            server = EmbeddedServer(self._folder / f"postgres-{version}", version=version, options=_FAST)
            asyncio.run(_prepare(server))
            self._servers[version] = server
        return self._servers[version].dsn.replace(f"/{_TEMPLATE}?", f"/{name}?")

    async def take(self, version: int) -> str:
        """Return the name of a migrated database without rows, for one test alone."""
        empty = self._empty.setdefault(version, [])
        if empty:
            return empty.pop()
        name = f"test_{next(self._numbers)}"
        await self._as_admin(version, f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
        connection = await asyncpg.connect(self.dsn(version, name))
        try:
            self._fingerprints[name] = await connection.fetchval(_FINGERPRINT)
        finally:
            await connection.close()
        return name

    async def give_back(self, version: int, name: str) -> None:
        """End all connections to a database and empty it for the next test; drop it if its schema was changed."""
        if await self._emptied(version, name):
            self._empty[version].append(name)
        else:
            await self._as_admin(version, f"DROP DATABASE {name} WITH (FORCE)")

    async def _emptied(self, version: int, name: str) -> bool:
        try:
            connection = await asyncpg.connect(self.dsn(version, name))
        except (OSError, asyncpg.PostgresError):
            return False
        try:
            await connection.execute(_END_OTHERS)
            if await connection.fetchval(_FINGERPRINT) != self._fingerprints[name]:
                return False
            await connection.execute(await _emptying(connection))
        finally:
            await connection.close()
        return True

    async def _as_admin(self, version: int, statement: str) -> None:
        admin = await asyncpg.connect(await asyncio.to_thread(self.dsn, version, "postgres"))
        try:
            await admin.execute(statement)
        finally:
            await admin.close()

    def stop(self) -> None:
        """Stop every server that was started."""
        for server in self._servers.values():
            asyncio.run(server.stop())


async def _emptying(connection: "asyncpg.Connection[asyncpg.Record]") -> str:
    """Return the statements that delete every row and begin every sequence anew: quicker than TRUNCATE."""
    rows = await connection.fetch(
        "SELECT relname, relkind FROM pg_class WHERE relkind IN ('r', 'S') AND relnamespace = 'public'::regnamespace"
    )
    deletes = [
        f'DELETE FROM "{row["relname"]}";'
        for row in rows
        if row["relkind"] == b"r" and row["relname"] not in _KEPT
    ]
    restarts = [f"SELECT setval('\"{row['relname']}\"', 1, false);" for row in rows if row["relkind"] == b"S"]
    return "".join([*deletes, *restarts])


async def _prepare(server: EmbeddedServer) -> None:
    await server.start()
    await migrations.migrate(server.dsn)

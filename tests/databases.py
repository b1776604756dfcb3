"""Databases of a test run: one per version for all tests, emptied after each, and clones for who needs one."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import asyncpg

from bot.db import migrations
from bot.db import pool as db_pool
from bot.db.embedded.server import EmbeddedServer

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy


_FAST: Final = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    # Else the larger statements are planned at every call, which takes longer than a few rows do.
    "plan_cache_mode": "force_generic_plan",
}
_TEMPLATE: Final = "keepsake"

_OURS: Final = "shared by tests"
"""What connections of the shared pool call themselves; everybody else's are ended after a test."""

_FILLED: Final = frozenset({"installation", "alembic_version"})
"""Tables that the migrations fill; their rows are put back."""

_END_OTHERS: Final = """
    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND (application_name <> $1 OR state <> 'idle')
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
         WHERE d.datname = current_database())
    )::text
"""

_MISCOUNTED: Final = """
    SELECT guild_id, user_id, channel_id, audience, kind, sum(messages) FROM (
        SELECT guild_id, user_id, channel_id, audience, kind, messages FROM message_counts
        UNION ALL
        SELECT guild_id, user_id, channel_id, audience, kind, -count(*) FROM chat_history
        WHERE withheld IS NULL GROUP BY 1, 2, 3, 4, 5
    ) AS each_count
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(messages) <> 0
"""


@dataclass(frozen=True, slots=True)
class Shared:
    """A migrated database that one test after the other has for itself, and a pool that stays open, warm."""

    name: str
    dsn: str
    pool: "asyncpg.Pool[db_pool.Row]"
    fingerprint: str
    emptying: str
    """What deletes every row, begins every sequence anew, and puts back what the migrations had filled in."""


class Servers:
    """The servers of one test process by major version, each with a migrated template and a database for tests."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._servers: dict[int, EmbeddedServer] = {}
        self._shared: dict[int, Shared] = {}
        self._numbers = itertools.count(1)

    def dsn(self, version: int, name: str) -> str:
        """Return the address of the database `name` on the server of this version, started if need be."""
        if version not in self._servers:
            server = EmbeddedServer(self._folder / f"postgres-{version}", version=version, options=_FAST)
            asyncio.run(_prepare(server))
            self._servers[version] = server
        return self._servers[version].dsn.replace(f"/{_TEMPLATE}?", f"/{name}?")

    @asynccontextmanager
    async def shared(self, version: int) -> AsyncIterator[Shared]:
        """Give a migrated database without rows to one test alone; what it left is gone before the next."""
        if version not in self._shared:
            self._shared[version] = await self._opened(version)
        shared = self._shared[version]
        yield shared
        can_be_reused = False
        try:
            can_be_reused = await _is_as_before(shared)
        finally:
            if not can_be_reused:
                del self._shared[version]
                shared.pool.terminate()
                await self._as_admin(version, f"DROP DATABASE {shared.name} WITH (FORCE)")

    async def _opened(self, version: int) -> Shared:
        name = f"test_{next(self._numbers)}"
        await self._as_admin(version, f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
        dsn = self.dsn(version, name)
        pool = await db_pool.open_pool(f"{dsn}&application_name={_OURS.replace(' ', '%20')}")
        async with pool.acquire() as connection:
            return Shared(
                name=name,
                dsn=dsn,
                pool=pool,
                fingerprint=await connection.fetchval(_FINGERPRINT),
                emptying=await _emptying(connection),
            )

    async def _as_admin(self, version: int, statement: str) -> None:
        admin = await asyncpg.connect(await asyncio.to_thread(self.dsn, version, "postgres"))
        try:
            await admin.execute(statement)
        finally:
            await admin.close()

    async def stop(self) -> None:
        """Stop every server that was started."""
        for shared in self._shared.values():
            shared.pool.terminate()
        for server in self._servers.values():
            await server.stop()


async def until_awaited(
    holder: "asyncpg.Connection[db_pool.Row] | db_pool.Connection", over: Callable[[], bool] = lambda: False
) -> None:
    """Return when somebody waits for a lock of `holder`, or all is `over` without that."""
    awaited = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND $1 = ANY(pg_blocking_pids(pid)))"
    async with asyncio.timeout(60):
        while not (await holder.fetchval(awaited, holder.get_server_pid()) or over()):
            await asyncio.sleep(0.01)


async def _is_as_before(shared: Shared) -> bool:
    """Empty a database that a test has used; return whether it is as it was, pool and schema.

    By whichever route the test has changed messages, the counts of them that triggers keep have to be true.
    """
    pool = shared.pool
    # A test that lost every connection leaves a pool of none.
    if pool.is_closing() or not pool.get_size() or pool.get_idle_size() < pool.get_size():
        return False
    try:
        async with AsyncExitStack() as stack:
            held = [await stack.enter_async_context(pool.acquire()) for _ in range(pool.get_size())]
            await held[0].execute(_END_OTHERS, _OURS)
            # The bot's own pool leaves sessions as they are, and trusts itself; a test may have set something.
            await asyncio.gather(*(connection.reset() for connection in held))
            if await held[0].fetchval(_FINGERPRINT) != shared.fingerprint:
                return False
            assert await held[0].fetch(_MISCOUNTED) == [], "messages are not counted as they are kept"
            await held[0].execute(shared.emptying)
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError):
        # The last is what asyncpg raises of a connection that the server ended in this very moment.
        return False
    return True


async def _emptying(connection: "PoolConnectionProxy[db_pool.Row]") -> str:
    """Return the statements that empty every table: deleting is quicker than TRUNCATE."""
    rows = await connection.fetch(
        "SELECT relname, relkind FROM pg_class WHERE relkind IN ('r', 'S') AND relnamespace = 'public'::regnamespace"
    )
    deletes = [f'DELETE FROM "{row["relname"]}";' for row in rows if row["relkind"] == b"r"]
    restarts = [f"SELECT setval('\"{row['relname']}\"', 1, false);" for row in rows if row["relkind"] == b"S"]
    refills = [
        await connection.fetchval(
            f"SELECT format('INSERT INTO {table} SELECT * FROM jsonb_populate_recordset(NULL::{table}, %L);',"
            f" jsonb_agg(to_jsonb(t))) FROM {table} t"
        )
        for table in _FILLED
    ]
    # Nothing that is emptied is decided: triggers would note that, and count what is no row any more.
    off, on = "SET session_replication_role = replica;", "RESET session_replication_role;"
    return "".join([off, *deletes, *restarts, *refills, on])


async def _prepare(server: EmbeddedServer) -> None:
    await server.start()
    await migrations.migrate(server.dsn)

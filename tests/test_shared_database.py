"""What one test does to the database, the pool and the loop that it shares, the next one does not see."""

import asyncio

import asyncpg
import pytest

from bot.db.pool import Database
from tests.databases import Servers, Shared

VERSION = 18


async def rows_of(shared: Shared) -> int:
    found: int = await shared.pool.fetchval("SELECT count(*) FROM guilds")
    return found


async def settings_of(shared: Shared) -> set[str]:
    """Return a setting of all connections of the pool."""
    async with asyncio.TaskGroup() as group:
        asked = [
            group.create_task(shared.pool.fetchval("SELECT current_setting('work_mem') FROM pg_sleep(0.05)"))
            for _ in range(shared.pool.get_size())
        ]
    return {task.result() for task in asked}


async def test_rows_sessions_and_locks_are_gone(servers: Servers) -> None:
    async with servers.shared(VERSION) as shared:
        before = await settings_of(shared)
        name = shared.name
        await shared.pool.execute("INSERT INTO guilds (guild_id) VALUES (1)")
        await shared.pool.execute("SET work_mem = '77MB'")
        await shared.pool.fetchval("SELECT pg_advisory_lock(1)")
    async with servers.shared(VERSION) as shared:
        assert shared.name == name
        assert await rows_of(shared) == 0
        assert await settings_of(shared) == before
        other = await asyncpg.connect(shared.dsn)
        assert await other.fetchval("SELECT pg_try_advisory_lock(1)")
        await other.close()


async def test_connections_of_others_are_ended(servers: Servers) -> None:
    async with servers.shared(VERSION) as shared:
        other = await asyncpg.connect(shared.dsn)
        await other.execute("BEGIN; LOCK TABLE guilds")
    with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, OSError)):
        await other.fetchval("SELECT 1")


@pytest.mark.parametrize("harm", ["CREATE TABLE mine ()", "ALTER TABLE guilds ADD mine int"])
async def test_a_changed_schema_is_not_used_again(servers: Servers, harm: str) -> None:
    async with servers.shared(VERSION) as shared:
        await shared.pool.execute(harm)
        changed = shared.name
    async with servers.shared(VERSION) as shared:
        assert shared.name != changed


@pytest.mark.parametrize(
    "change",
    ["DELETE FROM installation", "UPDATE installation SET hash_secret = '', discord_told_at = now()"],
)
async def test_what_the_migrations_filled_in_is_put_back(servers: Servers, change: str) -> None:
    async with servers.shared(VERSION) as shared:
        before = await shared.pool.fetch("SELECT * FROM installation")
        changed = shared.name
        await shared.pool.execute(change)
    async with servers.shared(VERSION) as shared:
        assert shared.name == changed
        assert await shared.pool.fetch("SELECT * FROM installation") == before


async def test_a_connection_that_is_not_given_back_costs_a_new_pool(servers: Servers) -> None:
    async with servers.shared(VERSION) as shared:
        await shared.pool.acquire()
        held = shared.name
    async with servers.shared(VERSION) as shared:
        assert shared.name != held


_left: list[asyncio.Task[None]] = []


async def test_a_task_that_is_left_behind(database: Database) -> None:
    _left.append(asyncio.create_task(asyncio.sleep(3_600)))


async def test_has_ended_when_the_next_test_begins() -> None:
    assert [task.cancelled() for task in _left] == [True] * len(_left)

"""Migrations: several processes at once, and no database from the future."""

import asyncio

import asyncpg
import pytest

from bot.errors import DatabaseVersionError
from bot.store import migrations
from tests.conftest import Servers


@pytest.fixture
async def empty(servers: Servers, postgres_version: int, dsn: str) -> str:
    """The address of a database without tables."""
    connection = await asyncpg.connect(dsn)
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    await connection.close()
    return dsn


async def fetch(dsn: str, query: str) -> list[tuple[object, ...]]:
    connection = await asyncpg.connect(dsn)
    rows = await connection.fetch(query)
    await connection.close()
    return [tuple(row.values()) for row in rows]


async def test_two_that_migrate_at_once_end_with_the_same_tables(empty: str) -> None:
    await asyncio.gather(migrations.migrate(empty), migrations.migrate(empty))
    assert await fetch(empty, "SELECT version_num FROM alembic_version") == [(migrations.revisions()[0],)]


async def test_migrating_again_changes_nothing(dsn: str) -> None:
    before = await fetch(dsn, "SELECT hash_secret FROM installation")
    await migrations.migrate(dsn)
    assert await fetch(dsn, "SELECT hash_secret FROM installation") == before


async def test_a_database_newer_than_the_code_is_refused_and_left_alone(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    await connection.execute("UPDATE alembic_version SET version_num = '9999'")
    await connection.close()
    with pytest.raises(DatabaseVersionError, match="9999"):
        await migrations.migrate(dsn)
    assert await fetch(dsn, "SELECT version_num FROM alembic_version") == [("9999",)]


async def test_a_server_older_than_16_is_refused(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrations, "MINIMUM_SERVER_VERSION", 990_000)
    with pytest.raises(DatabaseVersionError, match="Postgres 16 or newer"):
        await migrations.migrate(dsn)


async def test_every_primary_key_starts_with_the_guild(dsn: str) -> None:
    first_columns = await fetch(
        dsn,
        """
        SELECT DISTINCT a.attname FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'p' AND c.connamespace = 'public'::regnamespace
          AND c.conrelid <> 'alembic_version'::regclass
        """,
    )
    assert first_columns == [("guild_id",)]


async def test_every_time_is_stored_with_its_zone_and_no_cascade_can_erase_anything(dsn: str) -> None:
    assert await fetch(
        dsn,
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND data_type = 'timestamp without time zone'",
    ) == []  # fmt: skip
    assert await fetch(dsn, "SELECT conname FROM pg_constraint WHERE contype = 'f'") == []

"""Migrations: several processes at once, no database from the future, and the same tables whatever the code says."""

import ast
import asyncio
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import asyncpg
import pytest
from alembic.script import ScriptDirectory

from bot.core import settings
from bot.core.errors import DatabaseVersionError
from bot.db import migrations
from bot.text import topics
from bot.text.topics import Topic
from tests.databases import Servers


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


def test_revisions_are_the_numbers_of_the_files_in_the_order_of_their_making() -> None:
    script = ScriptDirectory(str(settings.resource_folder("migrations")))
    assert migrations.revisions() == tuple(one.revision for one in script.walk_revisions())


@pytest.mark.processes
async def test_who_finds_nothing_to_migrate_loads_nothing_for_it(dsn: str) -> None:
    start = "import asyncio, sys; from bot.db import migrations; asyncio.run(migrations.migrate(sys.argv[1]))"
    loaded = "print(*{name.partition('.')[0] for name in sys.modules} & {'alembic', 'sqlalchemy', 'mako'})"
    command = [sys.executable, "-c", f"{start}; {loaded}", dsn]
    assert (await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True)).stdout == b"\n"


@pytest.mark.smoke
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


async def schema(dsn: str) -> list[tuple[object, ...]]:
    """Return every function, column, index and constraint, as the server tells them."""
    queries = (
        """
        SELECT pg_get_functiondef(f.oid) FROM pg_proc f
        WHERE f.pronamespace = 'public'::regnamespace ORDER BY f.oid::regprocedure::text
        """,
        """
        SELECT table_name, column_name, data_type, is_nullable, column_default, generation_expression
        FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2
        """,
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
        """
        SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = 'public'::regnamespace ORDER BY 1
        """,
    )
    return [row for query in queries for row in await fetch(dsn, query)]


async def test_new_words_of_the_code_do_not_change_what_a_released_migration_makes(
    dsn: str, empty: str, servers: Servers, postgres_version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(topics._WORDS, Topic.FOOD, f"quinoa {topics._WORDS[Topic.FOOD]}")
    await migrations.migrate(empty)
    assert await schema(empty) == await schema(servers.dsn(postgres_version, "keepsake"))


INDEXES_BEFORE = Path(__file__).parents[2] / "deploy" / "indexes-before-0036.sql"
MADE_BEFORE = """
    SELECT relfilenode FROM pg_class WHERE relkind = 'i' AND relname ~ '_guild_words$|_(by|of_a)_time$'
"""


async def older(dsn: str, *, made_before: Sequence[str]) -> None:
    """Make a database as an older version left it, in which something was said, and run these statements."""
    await migrations.migrate(dsn, revision="0035")
    connection = await asyncpg.connect(dsn)
    await connection.execute(
        """
        INSERT INTO chat_history (
            guild_id, channel_id, message_id, user_id, audience, kind, message_text, timestamp, lexemes
        )
        SELECT 1, 2, number, 3, 0, 'member', 'tea', now(), 'tea' FROM generate_series(1, 9) AS number
        """
    )
    for statement in made_before:
        await connection.execute(statement)
    await connection.close()


def statements_before() -> list[str]:
    """Return the statements of the file one by one, as psql sends them."""
    statements, begun = [], ""
    for line in INDEXES_BEFORE.read_text(encoding="utf-8").splitlines(keepends=True):
        begun += "" if line.startswith("--") else line
        if line.endswith(";\n") and begun.count("$body$") % 2 == 0:
            statements.append(begun)
            begun = ""
    assert not begun.strip()
    return statements


async def test_indexes_made_before_while_keepsake_ran_are_taken_over(
    dsn: str, empty: str, servers: Servers, postgres_version: int
) -> None:
    await older(empty, made_before=statements_before())
    before = {file for (file,) in await fetch(empty, MADE_BEFORE)}
    await migrations.migrate(empty)
    assert await schema(empty) == await schema(servers.dsn(postgres_version, "keepsake"))
    assert {file for (file,) in await fetch(empty, MADE_BEFORE)} < before, "none was made anew"


@pytest.mark.parametrize("index", ["chat_history_guild_words", "chat_history_by_time"])
async def test_an_index_whose_making_was_broken_off_is_refused_with_what_to_do(
    empty: str, index: str
) -> None:
    broken = f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{index}'::regclass"
    await older(empty, made_before=[*statements_before(), broken])
    with pytest.raises(DatabaseVersionError, match=f'run "DROP INDEX {index}" by psql'):
        await migrations.migrate(empty)
    assert await fetch(empty, "SELECT version_num FROM alembic_version") == [("0035",)]
    connection = await asyncpg.connect(empty)
    await connection.execute(f"DROP INDEX {index}")
    await connection.close()
    await migrations.migrate(empty)


async def test_what_facts_are_about_is_the_same_in_the_database_and_in_the_code(dsn: str) -> None:
    ((function,),) = await fetch(dsn, "SELECT pg_get_functiondef('topics_of'::regproc)")
    stored = {
        int(found["bit"]): sorted(re.findall(r"'(\w+)'", found["stems"]))
        for found in re.finditer(
            r"WHEN \(lexemes @@ '(?P<stems>[^:]+)'::tsquery\) THEN (?P<bit>\d+)", str(function)
        )
    }
    assert stored == topics.stems_by_bit()


def test_no_migration_imports_code_that_will_change() -> None:
    files = sorted(settings.resource_folder("migrations").rglob("*.py"))
    assert len(files) > 20
    imported = {
        (file.name, f"{module}.{alias.name}" if module else alias.name)
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for module in [node.module if isinstance(node, ast.ImportFrom) else None]
        for alias in node.names
    }
    ours = {(file, name) for file, name in imported if re.match(r"(bot|migrations|tests|bench)\b", name)}
    assert {name for _, name in ours} <= {"bot.db.migrations.run_script"}, ours

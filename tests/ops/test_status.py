"""`keepsake status` says in one look whether all is well, for people and for scripts."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from bot.core.settings import Settings
from bot.db import migrations, service
from bot.db.pool import Connection, Database
from bot.db.service import ServiceFailure
from bot.ops import status


def ago(**parts: float) -> datetime:
    return datetime.now(UTC) - timedelta(**parts)


async def test_a_fresh_installation_is_well(here: Settings) -> None:
    found, findings = await status.examined(here)
    assert found.is_well and not found.problems
    assert found.database.schema == found.database.schema_expected == migrations.revisions()[0]
    assert [one.about for one in findings] == ["database", "backups", "services", "work", "answers", "disk"]


async def told(database: Database, here: Settings, change: str, *values: object) -> list[str]:
    async def make(connection: Connection) -> None:
        await connection.execute(change, *values)

    await database.write(make)
    found, _ = await status.examined(here)
    assert found.is_well == (not found.problems)
    return [one.partition(":")[0] for one in found.problems]


async def test_an_old_backup_is_a_problem_and_none_where_nobody_wants_one(
    database: Database, here: Settings
) -> None:
    change = "UPDATE installation SET backed_up_at = $1"
    assert await told(database, here, change, ago(days=6)) == []
    assert await told(database, here, change, ago(days=8)) == ["backups"]
    other = here.model_copy(update={"backup_alert_days": 0})
    assert await told(database, other, change, ago(days=8)) == []


async def test_no_backup_is_a_problem_once_somebody_has_lived_there_for_long(
    database: Database, here: Settings
) -> None:
    change = "INSERT INTO guilds (guild_id, joined_at) VALUES ($1::bigint, $2::timestamptz)"
    assert await told(database, here, change, 1, ago(days=1)) == []
    assert await told(database, here, change, 2, ago(days=30)) == ["backups"]


async def test_work_that_nobody_does_is_a_problem(database: Database, here: Settings) -> None:
    change = (
        "INSERT INTO work (guild_id, kind, work_key, due_at) VALUES (1, 'sweep', $1::text, $2::timestamptz)"
    )
    assert await told(database, here, change, "a", ago(minutes=10)) == []
    assert await told(database, here, change, "b", ago(hours=2)) == ["work"]


async def test_answers_that_nobody_sends_are_a_problem(database: Database, here: Settings) -> None:
    change = """
        INSERT INTO answers (guild_id, message_id, channel_id, user_id, route, state, holder, leased_until, parts,
                             answered_at)
        VALUES (1, $1::bigint, 1, 1, 'chat', 'written', gen_random_uuid(), $2::timestamptz, '{Hi}', now())
    """
    assert await told(database, here, change, 1, ago(minutes=1)) == []
    assert await told(database, here, change, 2, ago(days=3)) == []
    assert await told(database, here, change, 3, ago(minutes=30)) == ["answers"]


async def test_services_that_fail_are_a_problem(database: Database, here: Settings) -> None:
    failing = ServiceFailure(name="the writer", failures=3, seconds=70.0, error="ValueError")
    await database.write(service.put_failing, process_id=uuid4(), failing=[failing])
    found, _ = await status.examined(here)
    assert [one.partition(":")[0] for one in found.problems] == ["services"]


async def test_it_tells_scripts_the_same_with_its_exit_status(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEEPSAKE_HOME", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", dsn)
    assert await status.run(as_json=True) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["is_well"] and found["database"]["reachable"]
    monkeypatch.setenv("DATABASE_URL", "postgresql://keeper:secret@127.0.0.1:1/none")
    assert await status.run(as_json=True) == 1
    said = capsys.readouterr().out
    assert not json.loads(said)["database"]["reachable"]
    assert "secret" not in said
    monkeypatch.setenv("RETENTION_DAYS", "never")
    assert await status.run(as_json=False) == 1
    assert "RETENTION_DAYS" in capsys.readouterr().out

"""`keepsake work`: an operator sees what failed, and has it tried anew."""

import asyncio

import pytest
from pydantic import SecretStr

from bot import cli, doctor
from bot.core.settings import Settings
from bot.db import jobs
from bot.db.pool import Database


@pytest.fixture(autouse=True)
def without_signals(monkeypatch: pytest.MonkeyPatch, dsn: str) -> None:
    # Signals are for the main thread, where the test itself runs.
    monkeypatch.setattr(cli, "_until_stopped", asyncio.run)
    settings = Settings(_env_file=None, database_url=SecretStr(dsn))
    monkeypatch.setattr(Settings, "load", lambda: settings)


async def _work(action: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert await asyncio.to_thread(cli.main, ["work", action]) == 0
    return capsys.readouterr().out


async def test_an_operator_sees_what_was_given_up_and_has_it_tried_anew(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await _work("list", capsys) == "No work has failed.\n"
    await database.write(jobs.enqueue, guild_id=1_000, kind="episode", work_key="1:2")
    task = await database.write(jobs.claim, lease=jobs.LEASE)
    assert task is not None
    await database.write(jobs.give_back, task, error="ValueError in told (episodes.py:12)", pause=None)
    finding = doctor.of_waiting_work(await database.read(jobs.waiting))
    assert not finding.is_well
    assert "1 failed at every try" in finding.told
    shown = await _work("list", capsys)
    assert shown.endswith(
        "guild 1000  episode  given up after 1 tries: ValueError in told (episodes.py:12)\n"
    )
    assert await _work("retry", capsys) == "1 piece is tried anew by whichever process runs the bot.\n"
    assert doctor.of_waiting_work(await database.read(jobs.waiting)).is_well
    assert await database.write(jobs.claim, lease=jobs.LEASE) is not None

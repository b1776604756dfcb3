"""What is judged to fail, and that asking for it costs next to nothing."""

import asyncio
from pathlib import Path

import pytest

from bot.adapters.monitoring.health import (
    CACHED_SECONDS,
    DATABASE,
    FAILURES,
    SENDING,
    UNSENT_SECONDS,
    Health,
    Vitals,
    what_fails,
)
from bot.app import assembled
from bot.core.clock import SystemClock
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.db.service import ServiceFailure
from tests.db.embedded_servers import NewServer, new_server
from tests.db.outages_of_a_database import no_server, prepared

__all__ = ["new_server"]

SETTINGS = Settings(_env_file=None)


def failure(failures: int) -> ServiceFailure:
    return ServiceFailure(name="reader of facts", failures=failures, seconds=1.0, error="RuntimeError")


@pytest.mark.parametrize(
    ("vitals", "failing"),
    [
        (Vitals(database_answers=True), []),
        (Vitals(database_answers=False), [DATABASE]),
        (Vitals(database_answers=True, standing_still=["gateway"]), ["gateway"]),
        (Vitals(database_answers=True, failing=[failure(FAILURES)]), ["reader of facts"]),
        (Vitals(database_answers=True, failing=[failure(FAILURES - 1)]), []),
        (Vitals(database_answers=True, unsent_seconds=UNSENT_SECONDS), []),
        (Vitals(database_answers=True, unsent_seconds=UNSENT_SECONDS + 1), [SENDING]),
        (
            Vitals(
                database_answers=False, standing_still=["reader of facts"], failing=[failure(FAILURES + 1)]
            ),
            [DATABASE, "reader of facts"],
        ),
    ],
)
def test_what_stands_still_or_fails_is_named_once(vitals: Vitals, failing: list[str]) -> None:
    assert what_fails(vitals) == failing


async def take_all_connections(connection: Connection) -> None:
    await connection.execute("SELECT pg_sleep(600)")


async def test_a_database_that_answers_nothing_is_named(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.adapters.monitoring.health.DATABASE_SECONDS", 0.5)
    own = await Database.open(dsn, pool_size=1)
    try:
        async with assembled(SETTINGS, SystemClock(), own) as keepsake:
            holding = asyncio.create_task(own.read(take_all_connections))
            await asyncio.sleep(0)
            assert await Health(keepsake).failing() == [DATABASE]
            holding.cancel()
            await asyncio.gather(holding, return_exceptions=True)
            assert await Health(keepsake).failing() == []
    finally:
        await own.close()


@pytest.mark.processes
async def test_a_database_that_is_stopped_is_named_until_it_is_back(
    new_server: NewServer, tmp_path: Path
) -> None:
    own = await prepared(new_server(tmp_path / "own"))
    database = await Database.open(own.dsn, timeout_seconds=2)
    try:
        async with assembled(SETTINGS, SystemClock(), database) as keepsake:
            assert await Health(keepsake).failing() == []
            async with no_server(own):
                assert DATABASE in await Health(keepsake).failing()
            assert DATABASE not in await Health(keepsake).failing()
    finally:
        await database.close()


async def test_however_many_ask_the_database_is_asked_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000.0
    async with assembled(SETTINGS, SystemClock(), database) as keepsake:
        asked = 0
        answered = keepsake.memory.answers.all_unsent

        async def counted(**given: object) -> object:
            nonlocal asked
            asked += 1
            return await answered(**given)  # type: ignore[arg-type]

        monkeypatch.setattr(keepsake.memory.answers, "all_unsent", counted)
        health = Health(keepsake, monotonic=lambda: now)
        await asyncio.gather(*(health.failing() for _ in range(50)))
        assert asked == 1
        now += CACHED_SECONDS
        await health.failing()
        assert asked == 2

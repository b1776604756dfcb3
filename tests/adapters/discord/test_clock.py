"""A clock that leaps ahead costs no message, whoever shares it; a bot that was long away removes what is too old."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg
import pytest

from bot.adapters.discord.rest import DiscordTime, time_in
from bot.core.domain import snowflake_at
from tests.adapters.discord.bots import bot_process, eventually
from tests.adapters.discord.talking import told_to_owner
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

ROOT = Path(__file__).parents[3]

LEAP = """
from datetime import datetime, timedelta
import bot.core.clock
class Ahead(datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.now(tz) + timedelta(days=40)
bot.core.clock.datetime = Ahead
"""
"""Puts the clock of the machine forward, for a process that finds this at its start."""

SHADOW = """
CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS $$ SELECT pg_catalog.clock_timestamp() + interval '40 days' $$
"""
"""Puts the clock of the database server forward, as it is where both are one machine."""


async def messages_kept(dsn: str) -> list[str]:
    connection = await asyncpg.connect(dsn)
    rows = await connection.fetch("SELECT message_text FROM chat_history WHERE kind = 'member' ORDER BY 1")
    await connection.close()
    return [row["message_text"] for row in rows]


@pytest.mark.processes
async def test_a_clock_that_leaps_ahead_removes_nothing_loses_nothing_and_is_told(
    discord_server: DiscordServer, dsn: str, tmp_path: Path
) -> None:
    guild = discord_server.add_guild("Home")
    async with bot_process(discord_server, dsn, KEEPSAKE_HOME=str(tmp_path)) as process:
        await process.told("server Home")
        await guild.say("alice", "general", "the pump is loud")
        await eventually(lambda: messages_kept(dsn))
        assert await process.stop() == 128 + 15
    await guild.say("alice", "general", "the valve leaks")
    (tmp_path / "sitecustomize.py").write_text(LEAP)
    connection = await asyncpg.connect(dsn)
    await connection.execute(SHADOW)
    name = await connection.fetchval("SELECT current_database()")
    await connection.execute(f"ALTER DATABASE {name} SET search_path = public, pg_catalog")
    await connection.close()
    async with bot_process(
        discord_server, dsn, KEEPSAKE_HOME=str(tmp_path), PYTHONPATH=f"{tmp_path}:{ROOT}"
    ) as process:
        await until(
            lambda: told_to_owner(discord_server) or process.process.returncode is not None, 90,
            what="the owner is told",
        )  # fmt: skip
        (told,) = told_to_owner(discord_server)
        assert "I remove nothing for its age" in told
        assert f"{datetime.now(UTC) + timedelta(days=40):%Y-%m-%d}" in told

        async def all_kept() -> bool:
            return await messages_kept(dsn) == ["the pump is loud", "the valve leaks"]

        await eventually(all_kept)
        assert await process.stop() == 128 + 15
    (line,) = [line for line in process.errors if "nothing is removed by age" in line]
    assert "the clock of this machine is 40 days ahead of what Discord says" in line


@pytest.mark.processes
async def test_a_bot_that_was_away_for_long_removes_what_is_too_old(
    discord_server: DiscordServer, dsn: str, tmp_path: Path
) -> None:
    guild = discord_server.add_guild("Home")
    async with bot_process(discord_server, dsn, KEEPSAKE_HOME=str(tmp_path)) as process:
        await process.told("server Home")
        await guild.say("alice", "general", "the pump is loud")
        await eventually(lambda: messages_kept(dsn))
        assert await process.stop() == 128 + 15
    connection = await asyncpg.connect(dsn)
    # All that happened was 40 days ago, also the last word of Discord's.
    await connection.execute("UPDATE installation SET discord_told_at = now() - interval '40 days'")
    await connection.execute("UPDATE chat_history SET timestamp = timestamp - interval '40 days'")
    await connection.execute("DELETE FROM work")
    await connection.close()

    async def gone() -> bool:
        return await messages_kept(dsn) == []

    async with bot_process(discord_server, dsn, KEEPSAKE_HOME=str(tmp_path)) as process:
        await eventually(gone)
        assert await process.stop() == 128 + 15
    assert [line for line in process.errors if "removed by age" in line] == []


NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DATE = "Sun, 01 Mar 2026 09:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "told"),
    [
        ({"X-RateLimit-Reset": f"{NOON.timestamp() + 2.5}", "X-RateLimit-Reset-After": "2.5", "Date": DATE}, NOON),
        ({"X-RateLimit-Reset": "soon", "X-RateLimit-Reset-After": "2.5", "Date": DATE}, NOON.replace(hour=9)),
        ({"X-RateLimit-Reset": "1e300", "X-RateLimit-Reset-After": "2.5"}, None),
        ({"X-RateLimit-Reset": "nan", "X-RateLimit-Reset-After": "2.5"}, None),
        ({"Date": "yesterday"}, None),
        ({"Date": "Sun, 01 Mar 2026 09:00:00 -0000"}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_an_answer_tells_the_time_if_it_can(headers: dict[str, str], told: datetime | None) -> None:
    assert time_in(headers) == told


def test_the_newest_id_tells_the_time_and_an_older_one_does_not_take_it_back() -> None:
    discord_time = DiscordTime()
    assert discord_time.told() == []
    discord_time.heard(snowflake_at(NOON))
    discord_time.heard(snowflake_at(NOON - timedelta(hours=3)))
    (told,) = discord_time.told()
    assert told >= NOON

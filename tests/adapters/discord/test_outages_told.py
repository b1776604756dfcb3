"""An outage is one line when it begins, which says what it is, and one when it is over; whoever waits is answered."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.adapters.discord.bots import bot_process
from tests.db.embedded_servers import NewServer, new_server
from tests.db.outages_of_a_database import (
    Outage,
    OwnServer,
    another_password,
    full_disk,
    no_server,
    no_writes,
    prepared,
)
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

pytestmark = pytest.mark.processes

__all__ = ["new_server"]

_HEAD = r"[\d-]{10} [\d:,]{12} "


@pytest.fixture
async def own(new_server: NewServer, tmp_path: Path) -> AsyncIterator[OwnServer]:
    yield await prepared(new_server(tmp_path / "own"))


@pytest.mark.parametrize(
    ("outage", "told"),
    [
        (no_server, "it cannot be reached, and what needs it waits until it can"),
        pytest.param(
            another_password,
            "it refuses the user, the password or the database that DATABASE_URL names",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            no_writes,
            "it takes no writes, since it is a standby or was set read-only",
            marks=pytest.mark.soak,
        ),
        (full_disk, "its disk is full, or does not work: make room there"),
    ],
)
async def test_each_outage_of_the_database_says_what_it_is_once_and_commands_wait_for_its_end(
    outage: Outage, told: str, discord_server: DiscordServer, own: OwnServer, tmp_path: Path
) -> None:
    guild = discord_server.add_guild("Home")
    settings = {"DATABASE_URL": own.dsn, "KEEPSAKE_HOME": str(tmp_path)}
    async with bot_process(discord_server, own.server.dsn, **settings) as process:
        await process.told("server Home")
        first = await guild.say("alice", "general", "Bot, remember that I like pizza")
        assert (await discord_server.answer_to(first)).text == "Remembered: alice likes pizza."

        def lines(told: str) -> list[str]:
            return [line for line in process.errors if told in line]

        async with outage(own):
            for number in range(5):
                await guild.say("bob", "general", f"{number} " + "the pump is loud again and again " * 50)
            waiting = await guild.say("alice", "general", "Bot, remember that I like tea")
            await until(lambda: lines(told), 90, what=f"{told}; told: {process.errors}")
            # Many fail meanwhile: every loop of the process, and whoever writes.
            await asyncio.sleep(12)
        assert (await discord_server.answer_to(waiting)).text == "Remembered: alice likes tea."
        await until(lambda: lines("is well again"), 120, what=f"the end; told: {process.errors}")
        assert await process.stop() == 128 + 15
    begin, *others = [line for line in process.errors if "the database" in line]
    assert re.match(_HEAD + r"ERROR bot\.db\.pool: the database: ", begin), process.errors
    assert len(lines(told)) == 1, process.errors
    # Connections that were ended may be seen to go before it is seen why none is made anew.
    assert len(process.errors) <= 3, process.errors
    assert re.match(_HEAD + r"WARNING bot\.db\.pool: the database is well again, after \d+ s$", others[-1])
    assert process.errors == [begin, *others]


async def test_an_outage_of_discord_is_told_once_and_its_end(
    discord_server: DiscordServer, dsn: str, tmp_path: Path
) -> None:
    guild = discord_server.add_guild("Home")
    async with bot_process(discord_server, dsn, KEEPSAKE_HOME=str(tmp_path)) as process:
        await process.told("server Home")
        discord_server.gateway.refusing = True
        discord_server.faults.drop_socket()
        await until(lambda: process.errors, 90, what="the outage is told")
        await asyncio.sleep(5)
        discord_server.gateway.refusing = False
        await until(lambda: any("is well again" in line for line in process.errors), 120, what="its end")
        said = await guild.say("alice", "general", "Bot, remember that I like tea")
        assert (await discord_server.answer_to(said)).text == "Remembered: alice likes tea."
        assert await process.stop() == 128 + 15
    begin, end = process.errors
    assert re.search(r": Discord: it cannot be reached, which is tried again until it can$", begin)
    assert re.search(r": Discord is well again, after \d+ s$", end)

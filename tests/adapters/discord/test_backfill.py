"""The past of channels is read on demand, once, in the same words as what is heard, and answered by nobody."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.adapters.discord.backfill.past import Backfill, BackfillProgress, BackfillRequest
from bot.adapters.discord.rest import logged_in
from bot.app import Keepsake, assembled
from bot.core.clock import SystemClock
from bot.core.errors import DiscordError, InvalidInputError
from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot, settings_for
from tests.adapters.discord.gaps import ago, asked, column, texts, watermark
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.permissions import Permission
from tests.servers.discord.server import DiscordServer

ROOT = Path(__file__).parents[3]
LONG = 450
"""Messages in five pages, so that a reading can end in the middle."""


@pytest.fixture
async def keepsake(discord_server: DiscordServer, database: Database) -> AsyncIterator[Keepsake]:
    async with assembled(settings_for(discord_server), SystemClock(), database) as keepsake:
        yield keepsake


async def read(
    keepsake: Keepsake,
    wanted: BackfillRequest | None = None,
    *,
    seen: list[BackfillProgress] | None = None,
    pages: int = 1_000,
) -> list[str]:
    """Read the past, up to so many pages, and return the reports."""

    def watch(reached: BackfillProgress) -> None:
        if seen is not None:
            seen.append(reached)
        if seen is not None and len(seen) >= pages:
            raise KeyboardInterrupt

    async with logged_in(keepsake.settings) as client:
        backfill = Backfill(client, keepsake)
        return [str(report) async for report in backfill.read(wanted or BackfillRequest(), watching=watch)]


async def a_past(server: DiscordServer) -> FakeGuild:
    guild = server.add_guild("Reef", channels=("general",))
    await guild.say("alice", "general", "Bot, remember that the reef is closed", said_at=ago(days=3))
    for number in range(LONG - 1):
        await guild.say("bob", "general", f"word {number}", said_at=ago(days=2, seconds=-number))
    return guild


async def test_the_past_is_read_once_and_nothing_of_it_is_carried_out(
    discord_server: DiscordServer, database: Database, keepsake: Keepsake
) -> None:
    guild = await a_past(discord_server)
    seen: list[BackfillProgress] = []
    (line,) = await read(keepsake, seen=seen)
    assert line.startswith(f"Reef #general: {LONG} messages: {LONG} new, 0 known, back to ")
    assert len(seen) == 5
    assert [one.reached for one in seen] == sorted((one.reached for one in seen), reverse=True)
    words = ["Bot, remember that the reef is closed", *(f"word {number}" for number in range(LONG - 1))]
    assert await texts(database) == words
    assert discord_server.sent == []
    assert await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM facts")) == 0
    assert {member.user_name for member in await keepsake.directory.members(guild.guild_id)} >= {
        "alice",
        "bob",
    }
    before = len(asked(discord_server, "/messages"))
    (line,) = await read(keepsake)
    assert line == "Reef #general: was read that far before"
    assert len(asked(discord_server, "/messages")) == before


async def test_a_reading_that_was_killed_goes_on_and_leaves_the_same_rows(
    discord_server: DiscordServer, database: Database, keepsake: Keepsake
) -> None:
    await a_past(discord_server)
    with pytest.raises(KeyboardInterrupt):
        await read(keepsake, seen=[], pages=2)
    assert len(await texts(database)) == 200
    (line,) = await read(keepsake)
    assert f"{LONG - 200} messages: {LONG - 200} new, 0 known" in line
    assert len(set(await column(database, "message_id"))) == LONG


async def test_a_bot_that_starts_after_it_misses_nothing(
    discord_server: DiscordServer, database: Database, keepsake: Keepsake
) -> None:
    guild = await a_past(discord_server)
    await read(keepsake)
    newest = (await column(database, "message_id"))[-1]
    assert await watermark(database, guild.channel("general").channel_id) == newest
    await guild.say("alice", "general", "in between")
    async with running_bot(discord_server, database):
        assert (await texts(database))[-1] == "in between"


async def test_what_came_before_the_bot_is_read_while_it_runs(
    discord_server: DiscordServer, database: Database, keepsake: Keepsake
) -> None:
    guild = await a_past(discord_server)
    async with running_bot(discord_server, database) as bot:
        live = await guild.say("alice", "general", "Bot, what do you know about me?")
        await bot.stored(await discord_server.answer_to(live))
        answers = await column(database, "message_text")
        (line,) = await read(keepsake, BackfillRequest(channel="#General"))
        assert f"{LONG} new, 0 known" in line
        (line,) = await read(keepsake, BackfillRequest(since=ago(days=20).date()))
        assert f"0 new, {LONG + 2} known" in line
        assert (await column(database, "message_text"))[LONG:] == answers


async def test_it_reaches_as_far_as_messages_are_kept_or_as_was_asked_for(
    discord_server: DiscordServer, database: Database, keepsake: Keepsake
) -> None:
    guild = discord_server.add_guild("Reef")
    for days in (400, 100, 20, 5):
        await guild.say("alice", "general", f"{days} days ago", said_at=ago(days=days))
    await read(keepsake)
    assert await texts(database) == ["20 days ago", "5 days ago"]
    await read(keepsake, BackfillRequest(since=ago(days=200).date()))
    assert await texts(database) == ["100 days ago", "20 days ago", "5 days ago"]


async def test_threads_and_what_cannot_be_read_are_told_of(
    discord_server: DiscordServer, database: Database, keepsake: Keepsake
) -> None:
    guild = discord_server.add_guild("Reef", channels=("general", "den", "off"))
    guild.add_channel("posts", kind="forum")
    guild.add_thread("posts", "a post", author="bob", text="in a post")
    asleep = guild.add_thread("posts", "asleep", author="bob", text="in a post that sleeps")
    guild.archive(asleep)
    await guild.say("alice", "off", "not heard")
    guild.forbid("den", guild.bot_role.name, Permission.READ_MESSAGE_HISTORY)
    await read(keepsake, BackfillRequest(channel="general"))
    off = await keepsake.directory.channel(
        guild_id=guild.guild_id, channel_id=guild.channel("off").channel_id
    )
    assert off is not None
    await keepsake.directory.change_channel(off, replace(off, hearing=False))
    lines = await read(keepsake, BackfillRequest(guild_id=guild.guild_id))
    assert "Reef #den: cannot be read: View Channel and Read Message History are needed" in lines
    assert "Reef #off: is switched off, so nothing of it is kept" in lines
    assert await texts(database) == ["in a post", "in a post that sleeps"]
    discord_server.faults.fail("GET", f"/channels/{asleep.channel_id}/messages", 403)
    again = await read(keepsake, BackfillRequest(channel="posts", since=date(2020, 1, 1)))
    assert "Reef #asleep: Discord failed with status 403: give the same command again to go on" in again


async def test_a_wrong_wish_gets_one_sentence(discord_server: DiscordServer, keepsake: Keepsake) -> None:
    guild = discord_server.add_guild("Reef", channels=("general", "den"))
    with pytest.raises(InvalidInputError, match="no guild 5 .* it is in: " + str(guild.guild_id)):
        await read(keepsake, BackfillRequest(guild_id=5))
    with pytest.raises(InvalidInputError, match="no channel 'nowhere'; there are: #general, #den"):
        await read(keepsake, BackfillRequest(channel="nowhere"))
    for token, told in ((None, "DISCORD_TOKEN is not set"), (SecretStr("wrong"), "refuses DISCORD_TOKEN")):
        settings = settings_for(discord_server, discord_token=token)
        with pytest.raises(DiscordError, match=told):
            async with logged_in(settings):
                pass


@pytest.mark.processes
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--since", "yesterday"], "'yesterday' is no day that has come: write it as in 2026-01-31"),
        (["--since", "2999-01-01"], "'2999-01-01' is no day that has come"),
        (["--guild", "Reef"], "'Reef' is no id: ids are whole numbers"),
        ([], "DISCORD_TOKEN is not set"),
    ],
)
async def test_the_command_says_what_is_wrong(arguments: list[str], told: str, tmp_path: Path) -> None:
    status, _, errors = await command(arguments, {"KEEPSAKE_HOME": str(tmp_path)})
    assert status == 2
    assert told in errors.splitlines()[-1]


@pytest.mark.processes
async def test_the_command_reads_and_reports(discord_server: DiscordServer, dsn: str) -> None:
    guild = discord_server.add_guild("Reef")
    await guild.say("alice", "general", "hello")
    environment = {
        "DATABASE_URL": dsn,
        "DISCORD_TOKEN": discord_server.token,
        "DISCORD_API_URL": discord_server.api_url,
    }
    status, output, errors = await command(["--channel", "general"], environment)
    assert (status, errors) == (0, "")
    assert output.startswith("Reef #general: 1 messages: 1 new, 0 known, back to ")


async def command(arguments: list[str], environment: dict[str, str]) -> tuple[int | None, str, str]:
    """Run `keepsake backfill` as a process."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in {"PATH", "HOME", "LANG", "STATE_DIRECTORY"}
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "backfill", *arguments,
        cwd=ROOT, env={**kept, **environment}, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    output, errors = await process.communicate()
    return process.returncode, output.decode(), errors.decode()

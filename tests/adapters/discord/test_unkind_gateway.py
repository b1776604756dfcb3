"""Frames that nobody can read, guilds that come late, a clock that differs: the bot hears all that was said."""

from datetime import timedelta

import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import bot_process, eventually, running_bot
from tests.adapters.discord.gaps import texts
from tests.servers.discord.frames import Broken
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until


@pytest.mark.parametrize("compresses", [True, False])
async def test_a_broken_frame_is_told_again(
    discord_server: DiscordServer, database: Database, compresses: bool
) -> None:
    guild = discord_server.add_guild("Harbour")
    discord_server.gateway.compresses = compresses
    said = []
    async with running_bot(discord_server, database) as bot:
        for number, how in enumerate((*Broken, *Broken)):
            discord_server.faults.break_frame(how)
            said += [f"said while frames break: {number}", f"and when they are whole: {number}"]
            await guild.say("alice", "general", said[-2])
            await until(lambda number=number: discord_server.gateway.resumed == number + 1)  # type: ignore[misc]
            # What is told after all that is repeated.
            await bot.stored(await guild.say("alice", "general", said[-1]))
        question = await guild.say("alice", "general", "Bot, remember that I like pizza")
        assert (await discord_server.answer_to(question)).text == "Remembered: alice likes pizza."
        await bot.stored(question)
        assert await texts(database) == [*said, question.text]
    assert len(discord_server.gateway.identified) == 1


@pytest.mark.processes
async def test_an_event_that_nobody_can_ever_read_is_passed_over_and_its_channel_read_back(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Harbour")
        before = await guild.say("alice", "general", "before")
        await eventually(lambda: texts(database))
        discord_server.faults.spoil_event()
        lost = await guild.say("alice", "general", "Bot, remember that I like plums")
        assert (await discord_server.answer_to(lost)).text == "Remembered: alice likes plums."
        after = await guild.say("alice", "general", "Bot, remember that I like pizza")
        assert (await discord_server.answer_to(after)).text == "Remembered: alice likes pizza."
        assert await texts(database) == [before.text, lost.text, after.text]
        assert process.process.returncode is None
    assert len(discord_server.gateway.identified) == 2


@pytest.mark.processes
async def test_what_is_said_in_guilds_that_come_late_is_heard_and_answered(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guilds = [discord_server.add_guild(f"Harbour {number}") for number in range(4)]
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Harbour 3")
        for guild in guilds:
            await guild.say("alice", "general", "hello")
        await eventually(lambda: _has(database, len(guilds)))
        # Now each of them comes later than the client waits for the next one.
        discord_server.gateway.greeting.guild_pause_seconds = 2.5
        for _ in range(2):
            discord_server.faults.invalidate(resumable=False)
            identified = len(discord_server.gateway.identified)
            await until(lambda one=identified: len(discord_server.gateway.identified) > one)  # type: ignore[misc]
            asked = [await guild.say("bob", "general", "Bot, remember that I like tea") for guild in guilds]
            for question in asked:
                assert "bob likes tea" in (await discord_server.answer_to(question)).text
    assert len(discord_server.sent) == 2 * len(guilds)


@pytest.mark.processes
@pytest.mark.parametrize("minutes", [8, -8])
async def test_whoever_is_answered_does_not_depend_on_the_clock_of_the_machine(
    discord_server: DiscordServer, dsn: str, database: Database, minutes: int
) -> None:
    discord_server.world.snowflakes.ahead = timedelta(minutes=minutes)
    guild = discord_server.add_guild("Harbour")
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Harbour")
        first = await guild.say("alice", "general", "Bot, remember that I like pizza")
        told = await discord_server.answer_to(first)
        fixed = await guild.say("alice", "general", "no, plums", reply_to=told)
        assert "plums" in (await discord_server.answer_to(fixed)).text
        await guild.edit(fixed, "no, coffee")
        answer = await discord_server.answer_to(fixed)
        await until(lambda: "coffee" in answer.text)
        assert await process.stop() == 128 + 15
    asked = [
        await guild.say("alice", "general", "Bot, remember that my locker is number 12"),
        await guild.say("alice", "general", "Bot, forget that I like coffee"),
    ]
    async with bot_process(discord_server, dsn):
        assert "locker is number 12" in (await discord_server.answer_to(asked[0])).text
        assert "removed" in (await discord_server.answer_to(asked[1])).text
        known = await guild.say("alice", "general", "Bot, what do you know about me?")
        text = (await discord_server.answer_to(known)).text
        assert "locker is number 12" in text
        assert "coffee" not in text.partition("Lately")[0]


async def _has(database: Database, count: int) -> bool:
    return len(await texts(database)) == count

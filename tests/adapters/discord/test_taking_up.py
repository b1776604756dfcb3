"""A guild that cannot be taken up is tried again, whatever the reason, and nothing that is said there is lost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import asyncpg
import discord

from bot.core.clock import SetClock
from bot.db.pool import Database
from tests.adapters.discord.bots import eventually, running_bot
from tests.adapters.discord.gaps import contains, texts
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer


@asynccontextmanager
async def poisoned(dsn: str, name: str) -> AsyncIterator[None]:
    """Let whatever takes up the guild of this name fail, by an error that nobody foresaw; it may join later."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(
        f"""
        CREATE FUNCTION poisoned() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'nobody foresaw this'; END $$;
        CREATE TRIGGER poisoned BEFORE INSERT OR UPDATE ON guilds
        FOR EACH ROW WHEN (new.name = '{name}') EXECUTE FUNCTION poisoned();
        """
    )
    try:
        yield
    finally:
        await connection.execute("DROP TRIGGER poisoned ON guilds; DROP FUNCTION poisoned();")
        await connection.close()


async def test_a_guild_that_could_not_be_taken_up_is_tried_again_and_hears_all_that_was_said(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    well = discord_server.add_guild("Well")
    async with running_bot(discord_server, database) as bot:
        async with poisoned(dsn, "Poison"):
            poison = discord_server.add_guild("Poison")
            asked = await poison.say("alice", "general", "Bot, remember that I breed newts")
            await poison.say("bob", "general", "меня кто-нибудь слышит?")
            # The others are heard and answered meanwhile.
            fine = await well.say("alice", "general", "Bot, remember that I sing")
            await discord_server.answer_to(fine)
            assert await bot.kept(asked) is None
        answer = await discord_server.answer_to(asked)
        assert "newts" in answer.text
        await eventually(lambda: contains(database, {asked.text, "меня кто-нибудь слышит?"}))


async def test_a_start_is_complete_though_a_guild_cannot_be_taken_up(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    poison, well = (discord_server.add_guild(name) for name in ("Poison", "Well"))
    async with running_bot(discord_server, database) as bot:
        for guild in (poison, well):
            await bot.stored(await guild.say("alice", "general", f"hello {guild.name}"))
    for guild in (poison, well):
        await guild.say("alice", "general", f"meanwhile at {guild.name}")
        guild.add_channel("new")
    async with poisoned(dsn, poison.name), running_bot(discord_server, database) as bot:
        await eventually(lambda: contains(database, {"meanwhile at Well"}))
        assert not await contains(database, {"meanwhile at Poison"})
        await poison.say("alice", "general", "live at Poison")
    async with running_bot(discord_server, database):
        expected = {"meanwhile at Poison", "live at Poison"}
        await eventually(lambda: contains(database, expected))


async def test_of_many_guilds_the_one_where_something_is_said_is_taken_up_next(
    discord_server: DiscordServer, database: Database
) -> None:
    guilds = [discord_server.add_guild(f"Home {number}") for number in range(6)]
    met: list[int] = []
    heard = asyncio.Event()

    async def meet(guild: discord.Guild) -> None:
        met.append(guild.id)
        await heard.wait()

    async with running_bot(discord_server, database, is_ready=False) as bot:
        bot.client.rooms.met.append(meet)
        await discord_server.connected()
        waiting = asyncio.create_task(bot.client.wait_for("message"))
        asked = await guilds[-1].say("alice", "general", "Bot, what do you know about me?")
        await waiting
        heard.set()
        await discord_server.answer_to(asked)
        await bot.ready()
    assert guilds[-1].guild_id in met[:2]


@asynccontextmanager
async def stuck(dsn: str, guild: FakeGuild) -> AsyncIterator[None]:
    """Let whatever takes up this guild wait."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(
        f"""
        CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN new; END $$;
        CREATE TRIGGER stuck BEFORE INSERT OR UPDATE ON channels
        FOR EACH ROW WHEN (new.guild_id = {guild.guild_id}) EXECUTE FUNCTION stuck();
        SELECT pg_advisory_lock(1);
        """
    )
    try:
        yield
    finally:
        await connection.execute(
            "SELECT pg_advisory_unlock(1); DROP TRIGGER stuck ON channels; DROP FUNCTION stuck();"
        )
        await connection.close()


async def test_a_guild_is_heard_from_its_first_moment_on_though_the_bot_ended_before_it_had_looked_around(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Friends", channels=("general", "games"))
    slow = discord_server.add_guild("Slow")
    await guild.say("alice", "games", "long before")
    # It looks around once all guilds are taken up.
    async with stuck(dsn, slow), running_bot(discord_server, database, is_ready=False) as bot:
        await discord_server.connected()
        await bot.stored(await guild.say("alice", "general", "live"))
    guild.add_thread("general", "lunch", author="alice")
    for place in ("general", "games", "lunch"):
        await guild.say("bob", place, f"meanwhile in {place}")
    later = timedelta(minutes=10)
    discord_server.world.snowflakes.ahead = later
    async with running_bot(discord_server, database, clock=SetClock(datetime.now(UTC) + later)):
        pass
    said = ["live", "meanwhile in general", "meanwhile in games", "meanwhile in lunch"]
    assert [text for text in await texts(database) if text != "long before"] == said

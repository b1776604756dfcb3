"""Who removes the bot while it is away has removed it; an outage of Discord has not."""

import asyncio

from bot.core.domain import Guild
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from tests.adapters.discord.bots import eventually, running_bot
from tests.servers.discord.server import DiscordServer


async def left(database: Database) -> set[str]:
    rows = await database.read(
        lambda connection: connection.fetch("SELECT name FROM guilds WHERE left_at IS NOT NULL")
    )
    return {row["name"] for row in rows}


async def test_guilds_that_are_gone_at_the_start_are_left_and_hidden_ones_are_not(
    discord_server: DiscordServer, database: Database
) -> None:
    home, hidden, gone = (discord_server.add_guild(name) for name in ("Home", "Hidden", "Gone"))
    await Directory(database).add_guild(Guild(guild_id=5, name="Archive"))
    async with running_bot(discord_server, database) as bot:
        for guild in (home, hidden, gone):
            await bot.stored(await guild.say("alice", "general", "hello"))
        assert await left(database) == set()
    hidden.outage()
    gone.remove_bot()
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await home.say("alice", "general", "hello again"))
        async with asyncio.timeout(60):
            while not await left(database):
                await asyncio.sleep(0.02)
        assert await left(database) == {"Gone"}
        gone.invite_bot()
        async with asyncio.timeout(60):
            while await left(database):
                await asyncio.sleep(0.02)


async def test_who_removes_the_bot_while_a_connection_is_lost_has_removed_it(
    discord_server: DiscordServer, database: Database
) -> None:
    home, hidden, gone = (discord_server.add_guild(name) for name in ("Home", "Hidden", "Gone"))
    async with running_bot(discord_server, database) as bot:
        for guild in (home, hidden, gone):
            await bot.stored(await guild.say("alice", "general", "hello"))
        discord_server.faults.refuse_connections()
        discord_server.faults.forget_sessions()
        discord_server.faults.drop_socket()
        hidden.outage()
        gone.remove_bot()
        discord_server.faults.refuse_connections(False)
        await eventually(lambda: left(database))
        await bot.stored(await home.say("alice", "general", "hello again"))
        assert await left(database) == {"Gone"}
        gone.invite_bot()
        await bot.stored(await gone.say("alice", "general", "it is back"))
        assert await left(database) == set()

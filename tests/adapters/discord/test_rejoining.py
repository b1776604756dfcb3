"""What is said while the bot is removed from a server is not for it, and nothing else is lost by that."""

import asyncio

from bot.db.pool import Database
from tests.adapters.discord.bots import eventually, running_bot
from tests.adapters.discord.gaps import are_kept, contains, texts
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer

_MOMENT_SECONDS = 0.01
"""Discord tells when the bot joined to the millisecond."""


async def left(database: Database) -> int:
    found: int = await database.read(
        lambda connection: connection.fetchval("SELECT count(*) FROM guilds WHERE left_at IS NOT NULL")
    )
    return found


async def is_left(database: Database) -> bool:
    return await left(database) == 1


async def is_back(database: Database) -> bool:
    return await left(database) == 0


async def gossip(guild: FakeGuild) -> None:
    """Let members talk in each other's absence, in what there was and in what is new."""
    await asyncio.sleep(_MOMENT_SECONDS)
    for room in ("general", "games"):
        await guild.say("bob", room, "now that the bot is gone")
    guild.add_channel("behind")
    await guild.say("alice", "behind", "она нас больше не слышит")
    thread = guild.add_thread("general", "aside", members=("alice",))
    await guild.say("alice", thread, "nor here")
    guild.archive(thread)
    await asyncio.sleep(_MOMENT_SECONDS)


async def test_what_was_said_while_the_bot_was_removed_is_never_read(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour", channels=("general", "games"))
    async with running_bot(discord_server, database) as bot:
        for room in ("general", "games"):
            await bot.stored(await guild.say("alice", room, f"hello {room}"))
        guild.remove_bot()
        await eventually(lambda: is_left(database))
        await gossip(guild)
        guild.invite_bot()
        await eventually(lambda: is_back(database))
        await bot.stored(await guild.say("alice", "general", "it is back"))
        await bot.client.rooms.settled()
        await bot.client.catch_up.settled()
        assert await are_kept(database, "hello general", "hello games", "it is back")
    await guild.say("bob", "games", "between two starts")
    async with running_bot(discord_server, database):
        expected = ("hello general", "hello games", "it is back", "between two starts")
        assert await texts(database) == [*expected]


async def test_nor_is_it_where_the_bot_was_removed_and_invited_while_it_was_away(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour", channels=("general", "games"))
    async with running_bot(discord_server, database) as bot:
        for room in ("general", "games"):
            await bot.stored(await guild.say("alice", room, f"hello {room}"))
    guild.remove_bot()
    await gossip(guild)
    guild.invite_bot()
    for room in ("general", "games", "behind"):
        await guild.say("alice", room, f"it is back in {room}")
    async with running_bot(discord_server, database) as bot:
        back = {"it is back in general", "it is back in games", "it is back in behind"}
        await eventually(lambda: contains(database, back))
        assert set(await texts(database)) == back | {"hello general", "hello games"}


async def test_what_was_deleted_while_the_bot_was_removed_is_deleted(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    async with running_bot(discord_server, database) as bot:
        said = await guild.say("alice", "general", "the bot need not know this")
        await bot.stored(said)
        await bot.stored(await guild.say("bob", "general", "hm"))
        guild.remove_bot()
        await eventually(lambda: is_left(database))
        await guild.delete(said)
        guild.invite_bot()
        await eventually(lambda: are_kept(database, "", "hm"))

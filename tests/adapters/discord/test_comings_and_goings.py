"""Channels, members and guilds come and go, and what the bot knows of them follows."""

import asyncio

from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, eventually, running_bot
from tests.servers.discord.server import DiscordServer


async def test_channels_come_go_and_are_renamed(discord_server: DiscordServer, database: Database) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        plans = guild.add_channel("plans")
        await eventually(lambda: bot.channel(plans))
        guild.rename_channel(plans, "schemes")
        await eventually(lambda: is_called(bot, guild.guild_id, "schemes"))
        said = await guild.say("alice", plans, "we meet at noon")
        await bot.stored(said)
        guild.remove_channel(plans)
        await eventually(lambda: is_gone(bot, guild.guild_id, plans.channel_id))
        # What was said there is not deleted with it.
        assert (await bot.stored(said)).text == "we meet at noon"


async def is_called(bot: RunningBot, guild_id: int, name: str) -> bool:
    return name in {channel.name for channel in await bot.keepsake.directory.channels(guild_id)}


async def is_gone(bot: RunningBot, guild_id: int, channel_id: int) -> bool:
    return channel_id not in {one.channel_id for one in await bot.keepsake.directory.channels(guild_id)}


async def test_members_are_known_by_the_names_that_they_have_now(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "hello"))
        await eventually(lambda: has_name(bot, guild.guild_id, "alice", "alice"))
        # Of bob Discord has told nothing yet.
        guild.rename("bob", "Bobby")
        await eventually(lambda: has_name(bot, guild.guild_id, "bob", "Bobby"))
        guild.add_member("carol", nickname="Caz")
        await eventually(lambda: has_name(bot, guild.guild_id, "carol", "Caz"))
        guild.rename("carol", "Cee")
        await eventually(lambda: has_name(bot, guild.guild_id, "carol", "Cee"))
        guild.rename_user("alice", "alice", display_name="Alice Liddell")
        await eventually(lambda: has_name(bot, guild.guild_id, "alice", "Alice Liddell"))
        asked = await guild.say("bob", "general", "Bot, what do you know about Cee?")
        assert "Cee" in (await discord_server.answer_to(asked)).text
        guild.leave("carol")
        await eventually(lambda: has_left(database, guild.guild_id))
        guild.add_member("carol")
        await eventually(lambda: has_come_back(database, guild.guild_id))
        guild.rename_guild("Abroad")
        await eventually(lambda: guild_is_called(bot, guild.guild_id, "Abroad"))


async def has_name(bot: RunningBot, guild_id: int, user_name: str, name: str) -> bool:
    member = (await bot.members(guild_id)).get(user_name)
    return member is not None and member.name == name


async def has_left(database: Database, guild_id: int) -> bool:
    return bool(
        await database.read(
            lambda connection: connection.fetchval(
                "SELECT left_at IS NOT NULL FROM members WHERE guild_id = $1 AND user_name = 'carol'",
                guild_id,
            )
        )
    )


async def has_come_back(database: Database, guild_id: int) -> bool:
    return not await has_left(database, guild_id)


async def guild_is_called(bot: RunningBot, guild_id: int, name: str) -> bool:
    return (await bot.guild(guild_id)).name == name


async def test_a_name_that_is_not_known_here_is_asked_of_discord(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.add_member("zaphod", nickname="Beeblebrox")
    async with running_bot(discord_server, database) as bot:
        await database.write(
            lambda connection: connection.execute("DELETE FROM members WHERE user_name = 'zaphod'")
        )
        said = await guild.say("alice", "general", "Bot, remember that Beeblebrox likes towels")
        confirmed = (await discord_server.answer_to(said)).text
        assert confirmed == "Remembered: Beeblebrox likes towels. I will say that it comes from you."
        assert "zaphod" in await bot.members(guild.guild_id)


async def test_an_outage_is_no_removal(discord_server: DiscordServer, database: Database) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        guild.outage()
        await eventually(lambda: asyncio.sleep(0, not bot.client.guilds or bot.client.guilds[0].unavailable))
        assert await left_at(database, guild.guild_id) is None
        guild.back()
        said = await guild.say("alice", "general", "we are back")
        assert (await bot.stored(said)).text == "we are back"
        guild.remove_bot()
        await eventually(lambda: left_at(database, guild.guild_id))
        # Nothing is purged: whoever invites the bot again finds what it knew.
        assert (await bot.stored(said)).text == "we are back"
        guild.invite_bot()
        await eventually(lambda: is_back(database, guild.guild_id))


async def left_at(database: Database, guild_id: int) -> object:
    return await database.read(
        lambda connection: connection.fetchval("SELECT left_at FROM guilds WHERE guild_id = $1", guild_id)
    )


async def is_back(database: Database, guild_id: int) -> bool:
    return await left_at(database, guild_id) is None


async def test_a_guild_that_is_not_allowed_is_left_with_a_word_and_not_stored(
    discord_server: DiscordServer, database: Database
) -> None:
    home = discord_server.add_guild("Home")
    abroad = discord_server.add_guild("Abroad", locale="ru")
    async with running_bot(discord_server, database, allowed_guilds=(home.guild_id,)) as bot:
        said = await abroad.say("alice", "general", "Bot, remember that I like pizza")
        [word] = await discord_server.sent_to(abroad.channel("general"))
        assert "ALLOWED_GUILDS" in word.text
        assert word.text.startswith("Я работаю")
        await eventually(lambda: asyncio.sleep(0, not abroad.has_bot))
        later = discord_server.add_guild("Elsewhere")
        await eventually(lambda: asyncio.sleep(0, not later.has_bot))
        await bot.stored(await home.say("alice", "general", "hello"))
        assert await bot.kept(said) is None
        for guild in (abroad, later):
            assert await bot.keepsake.directory.guild(guild.guild_id) is None
            assert await bot.members(guild.guild_id) == {}

"""Channels, members and guilds come and go, and what the bot knows of them follows."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import discord
import pytest

from bot.core.domain import Member, Message
from bot.core.errors import DatabaseUnavailableError
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from tests.adapters.discord.bots import RunningBot, eventually, running_bot
from tests.servers.discord.guild import FakeGuild
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


async def who_left(database: Database, guild_id: int) -> set[str]:
    rows = await database.read(
        lambda connection: connection.fetch(
            "SELECT user_name FROM members WHERE guild_id = $1 AND left_at IS NOT NULL", guild_id
        )
    )
    return {row["user_name"] for row in rows}


async def carol_is_heard(bot: RunningBot, guild: FakeGuild) -> None:
    guild.add_member("carol")
    for who in ("alice", "carol"):
        await bot.stored(await guild.say(who, "general", "hello"))
        await eventually(lambda who=who: has_name(bot, guild.guild_id, who, who))  # type: ignore[misc]


async def test_who_left_while_the_bot_was_down_is_noted_after_the_start(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await carol_is_heard(bot, guild)
    guild.leave("carol")
    async with running_bot(discord_server, database):
        await eventually(lambda: has_left(database, guild.guild_id))
        assert await who_left(database, guild.guild_id) == {"carol"}


async def test_who_wrote_before_the_bot_came_and_is_no_member_has_not_left_it(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.bot.joined_at = discord_server.world.snowflakes.now()
    async with running_bot(discord_server, database) as bot:
        await carol_is_heard(bot, guild)
        dora = Member(guild_id=guild.guild_id, user_id=7, user_name="dora")
        await bot.keepsake.directory.put_members([dora])
        await bot.keepsake.memory.ingest_message(
            Message(
                guild_id=guild.guild_id,
                channel_id=guild.channel("general").channel_id,
                message_id=8,
                user_id=dora.user_id,
                text="it was a good year",
                timestamp=guild.bot.joined_at - timedelta(hours=1),
            )
        )
    guild.leave("carol")
    async with running_bot(discord_server, database):
        await eventually(lambda: has_left(database, guild.guild_id))
        assert await who_left(database, guild.guild_id) == {"carol"}


async def test_who_left_before_a_session_that_could_not_be_resumed_is_noted(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await carol_is_heard(bot, guild)
        discord_server.faults.refuse_connections()
        discord_server.faults.forget_sessions()
        discord_server.faults.drop_socket()
        guild.leave("carol")
        discord_server.faults.refuse_connections(False)
        await eventually(lambda: has_left(database, guild.guild_id))
        assert await who_left(database, guild.guild_id) == {"carol"}
        # Whoever is there again is taken up anew, also if nothing about them changed.
        guild.add_member("carol")
        await eventually(lambda: has_come_back(database, guild.guild_id))


async def test_who_left_during_an_outage_of_the_guild_is_noted_and_met_again(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await carol_is_heard(bot, guild)
        guild.outage()
        await eventually(lambda: asyncio.sleep(0, bot.client.guilds[0].unavailable))
        guild.leave("carol")
        guild.back()
        await eventually(lambda: has_left(database, guild.guild_id))
        guild.add_member("carol")
        await eventually(lambda: has_come_back(database, guild.guild_id))


async def test_who_came_back_while_the_bot_was_down_is_not_taken_for_gone(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        # She says nothing, so no reading back meets her.
        guild.add_member("carol")
        await eventually(lambda: has_name(bot, guild.guild_id, "carol", "carol"))
        guild.leave("carol")
        await eventually(lambda: has_left(database, guild.guild_id))
    guild.add_member("carol")
    async with running_bot(discord_server, database):
        await eventually(lambda: has_come_back(database, guild.guild_id))


@pytest.mark.parametrize("is_late", [True, False])
async def test_no_member_is_taken_for_gone_by_an_answer_that_was_late_or_lost(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch, *, is_late: bool
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await carol_is_heard(bot, guild)
    guild.leave("carol")
    query, noted = discord.Guild.query_members, list[set[str]]()

    async def lost_at_first(asked: discord.Guild, **question: object) -> list[discord.Member]:
        if question["cache"]:
            # That is the reading back, which asks for authors.
            return await query(asked, **question)  # type: ignore[arg-type]
        noted.append(await who_left(database, guild.guild_id))
        if len(noted) > 1:
            return await query(asked, **question)  # type: ignore[arg-type]
        if is_late:
            raise TimeoutError
        # So the library answers what was asked before a session that ended.
        return []

    monkeypatch.setattr(discord.Guild, "query_members", lost_at_first)
    async with running_bot(discord_server, database):
        await eventually(lambda: has_left(database, guild.guild_id))
    assert noted == [set(), set()]
    assert await who_left(database, guild.guild_id) == {"carol"}


async def test_who_joins_while_it_is_written_that_they_left_is_a_member(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await carol_is_heard(bot, guild)
    gone = guild.member("carol").user_id
    guild.leave("carol")
    note, noted, client = Directory.members_left, asyncio.Event(), list[discord.Client]()

    async def slowly(directory: Directory, *, guild_id: int, user_ids: Sequence[int], at: datetime) -> None:
        guild.add_member("carol")
        await eventually(lambda: asyncio.sleep(0, client and client[0].guilds[0].get_member(gone)))
        await note(directory, guild_id=guild_id, user_ids=user_ids, at=at)
        noted.set()

    monkeypatch.setattr(Directory, "members_left", slowly)
    async with running_bot(discord_server, database, is_ready=False) as bot:
        client.append(bot.client)
        await noted.wait()
        await eventually(lambda: has_come_back(database, guild.guild_id))


async def test_who_leaves_while_the_database_is_away_is_noted_once_it_is_back(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await carol_is_heard(bot, guild)

        async def refused(_directory: Directory, **_left: object) -> None:
            raise DatabaseUnavailableError("it is away")

        monkeypatch.setattr(Directory, "member_left", refused)
        guild.leave("carol")
        await eventually(lambda: has_left(database, guild.guild_id))


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

"""What a less kind Discord does, as the real client sees it."""

from datetime import UTC, datetime, timedelta

import discord
import pytest

from tests.servers.discord.fixtures import PlainBot, discord_server, running
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.permissions import TALKING
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

__all__ = ["discord_server"]


@pytest.fixture
def guild(discord_server: DiscordServer) -> FakeGuild:
    return discord_server.add_guild("Friends")


def channel(bot: PlainBot, guild: FakeGuild, name: str) -> discord.TextChannel:
    found = bot.get_channel(guild.channel(name).channel_id)
    assert isinstance(found, discord.TextChannel)
    return found


async def test_the_last_message_id_lags_behind(discord_server: DiscordServer, guild: FakeGuild) -> None:
    said = await guild.say_many("alice", "general", ["one", "two", "three"])
    discord_server.faults.lag_last_message_ids(2)
    async with running(discord_server) as bot:
        assert channel(bot, guild, "general").last_message_id == said[0].message_id
    discord_server.faults.heal()
    async with running(discord_server) as bot:
        assert channel(bot, guild, "general").last_message_id == said[2].message_id


async def test_history_lags_behind_while_each_message_can_be_fetched(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    said = await guild.say_many("alice", "general", ["one", "two"])
    discord_server.faults.lag_history()
    async with running(discord_server) as bot:
        room = channel(bot, guild, "general")
        assert [one.content async for one in room.history()] == ["one"]
        assert (await room.fetch_message(said[1].message_id)).content == "two"


async def test_a_role_shows_a_channel_without_a_word_about_it(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    guild.add_role("Keepers")
    den = guild.add_channel("den", visible_to=("Keepers",), bot_sees=False)
    guild.give_role("Keepsake", "Keepers")
    async with running(discord_server) as bot:
        seen = await guild.say("alice", den, "seen")
        await until(lambda: bot.heard("message"))
        guild.take_role("Keepsake", "Keepers")
        await guild.say("alice", den, "hidden")
        thread = guild.add_thread(den, "plans", members=("alice",))
        guild.give_role("Keepsake", "Keepers")
        await until(lambda: len(bot.heard("member_update")) == 2)
        await until(lambda: bot.get_channel(thread.channel_id), what="its threads are told")
        assert bot.heard("guild_channel_update") == []
        assert channel(bot, guild, "den").last_message_id == seen.message_id
        guild.change_role("@everyone", permissions=TALKING)
        await until(lambda: bot.heard("guild_role_update"))


async def test_a_message_that_cannot_be_read_spoils_its_page_of_history(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    said = await guild.say_many("alice", "general", ["one", "two", "three"])
    said[1].garbled = True
    async with running(discord_server) as bot:
        with pytest.raises(TypeError):
            [one async for one in channel(bot, guild, "general").history()]


async def test_an_event_that_cannot_be_read_has_only_ids(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    discord_server.faults.garble_events("MESSAGE_DELETE")
    async with running(discord_server) as bot:
        said = await guild.say("alice", "general", "hello")
        await until(lambda: bot.heard("message"))
        await guild.delete(said)
        await until(lambda: bot.heard("raw_message_delete"))
        assert bot.heard("raw_message_delete")[0].channel_id == said.channel.channel_id


async def test_a_thread_that_was_opened_and_archived_again_stands_first_in_the_archive(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    old = guild.add_thread("general", "old", members=("alice",))
    new = guild.add_thread("general", "new", members=("alice",))
    for thread in (old, new):
        guild.archive(thread)
    async with running(discord_server) as bot:
        room = channel(bot, guild, "general")
        assert [one.name async for one in room.archived_threads()] == ["new", "old"]
        before = datetime.now(UTC)
        await guild.say("bob", old, "one more thing")
        guild.archive(old)
        found = [one async for one in room.archived_threads()]
        assert [one.name for one in found] == ["old", "new"]
        assert found[0].archive_timestamp >= before
        old.garbled = True
        with pytest.raises(KeyError):
            [one async for one in room.archived_threads()]


async def test_who_invites_the_bot_again_has_it_join_anew(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    guild.add_role("Keepers")
    guild.give_role("Keepsake", "Keepers")
    async with running(discord_server) as bot:
        joined_at = bot.guilds[0].me.joined_at
        assert joined_at is not None
        assert joined_at < datetime.now(UTC) - timedelta(days=1)
        guild.remove_bot()
        await until(lambda: bot.heard("guild_remove"))
        guild.invite_bot()
        await until(lambda: bot.heard("guild_join"))
        me = bot.guilds[0].me
        assert me.joined_at is not None
        assert me.joined_at > joined_at
        assert [role.name for role in me.roles] == ["@everyone", "Keepsake"]

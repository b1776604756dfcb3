"""How the real client loses and finds the loopback gateway."""

import discord
import pytest

from tests.servers.discord.fixtures import PlainBot, discord_server, running
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

__all__ = ["discord_server"]


@pytest.fixture
def guild(discord_server: DiscordServer) -> FakeGuild:
    return discord_server.add_guild("Friends")


def texts(bot: PlainBot) -> list[str]:
    return [message.content for message in bot.heard("message")]


async def test_a_dropped_socket_is_resumed_and_nothing_is_missed(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    async with running(discord_server) as bot:
        await guild.say("alice", "general", "before")
        await until(lambda: texts(bot) == ["before"])
        for number in range(3):
            discord_server.faults.drop_socket()
            await guild.say("alice", "general", f"meanwhile {number}")
            await until(lambda number=number: len(bot.heard("resumed")) == number + 1)  # type: ignore[misc]
        await until(lambda: texts(bot) == ["before", "meanwhile 0", "meanwhile 1", "meanwhile 2"])
        assert len(bot.heard("ready")) == 1
        assert (len(discord_server.gateway.identified), discord_server.gateway.resumed) == (1, 3)


async def test_a_request_to_come_again_is_followed_by_a_resume(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    async with running(discord_server) as bot:
        discord_server.faults.ask_reconnect()
        await until(lambda: bot.heard("resumed"))
        discord_server.faults.invalidate(resumable=True)
        await until(lambda: len(bot.heard("resumed")) == 2)
        discord_server.faults.close(4000)
        await until(lambda: len(bot.heard("resumed")) == 3)
        await guild.say("alice", "general", "still here")
        await until(lambda: texts(bot) == ["still here"])


async def test_a_lost_session_begins_anew_and_replays_nothing(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    async with running(discord_server) as bot:
        discord_server.faults.refuse_connections()
        discord_server.faults.forget_sessions()
        discord_server.faults.drop_socket()
        await until(lambda: bot.heard("disconnect"))
        lost = await guild.say("alice", "general", "said in the gap")
        discord_server.faults.heal()
        await until(lambda: len(bot.heard("ready")) == 2)
        await guild.say("alice", "general", "after")
        await until(lambda: texts(bot) == ["after"])
        history = [one.id async for one in bot.heard("message")[0].channel.history()]
        assert history[1] == lost.message_id
        assert len(discord_server.gateway.identified) == 2


async def test_a_session_that_is_invalid_is_not_resumed(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    async with running(discord_server) as bot:
        discord_server.faults.invalidate(resumable=False)
        await until(lambda: len(bot.heard("ready")) == 2)
        assert discord_server.gateway.resumed == 0


async def test_silence_is_noticed_by_the_client_and_healed_by_a_resume(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    discord_server.gateway.heartbeat_seconds = 0.1
    async with running(discord_server, PlainBot(heartbeat_timeout=0.4)) as bot:
        discord_server.faults.go_silent()
        await guild.say("alice", "general", "into the void")
        await until(lambda: bot.heard("resumed"))
        await until(lambda: texts(bot) == ["into the void"])
        assert discord_server.gateway.heartbeats > 0


@pytest.mark.parametrize("switch", ["members_intent", "message_content_intent"])
async def test_an_intent_that_the_portal_does_not_grant_ends_the_client(
    discord_server: DiscordServer, switch: str
) -> None:
    setattr(discord_server.portal, switch, False)
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with running(discord_server):
            pass


async def test_a_wrong_token_is_refused(discord_server: DiscordServer) -> None:
    bot = PlainBot()
    with pytest.raises(discord.LoginFailure):
        async with running(discord_server, bot, token="wrong"):
            pass


async def test_guilds_and_direct_messages_are_split_by_shard(discord_server: DiscordServer) -> None:
    guilds = [discord_server.add_guild(f"Guild {number}", guild_id=number << 22) for number in range(1, 5)]
    discord_server.portal.shards = 2
    async with running(discord_server) as bot:
        assert {one.name: one.shard_id for one in bot.guilds} == {
            "Guild 1": 1,
            "Guild 2": 0,
            "Guild 3": 1,
            "Guild 4": 0,
        }
        discord_server.faults.drop_socket(shard_id=1)
        for guild in guilds:
            await guild.say("alice", "general", guild.name)
        await discord_server.say_directly("alice", "direct")
        await until(lambda: len(texts(bot)) == 5)
        assert sorted(texts(bot)) == ["Guild 1", "Guild 2", "Guild 3", "Guild 4", "direct"]
        assert [one.shard_id for one in discord_server.gateway.identified] == [0, 1]


async def test_a_process_may_run_a_part_of_the_shards(discord_server: DiscordServer) -> None:
    for number in range(1, 5):
        discord_server.add_guild(f"Guild {number}", guild_id=number << 22)
    async with running(discord_server, PlainBot(shard_count=4, shard_ids=[2])) as bot:
        assert [one.name for one in bot.guilds] == ["Guild 2"]


async def test_an_outage_is_no_removal(discord_server: DiscordServer, guild: FakeGuild) -> None:
    other = discord_server.add_guild("Others")
    other.outage()
    async with running(discord_server) as bot:
        guild.outage()
        await guild.say("alice", "general", "unheard")
        guild.back()
        other.back()
        await until(lambda: len(bot.heard("guild_available")) == 3)
        assert [one.name for one in bot.heard("guild_unavailable")] == ["Friends"]
        assert bot.heard("guild_remove") == []
        other.remove_bot()
        await until(lambda: bot.heard("guild_remove"))
        other.invite_bot()
        new = discord_server.add_guild("New")
        await until(lambda: len(bot.heard("guild_join")) == 2)
        assert [one.name for one in bot.heard("guild_join")] == ["Others", "New"]
        joined = bot.get_guild(new.guild_id)
        assert joined is not None
        await joined.leave()
        await until(lambda: not new.has_bot)
        assert texts(bot) == []


async def test_a_goodbye_ends_the_session(discord_server: DiscordServer, guild: FakeGuild) -> None:
    async with running(discord_server):
        (session,) = discord_server.gateway.sessions.values()
        assert session.alive
    await until(lambda: not session.alive)

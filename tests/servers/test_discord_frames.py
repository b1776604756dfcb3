"""How the real client fares with compressed and broken frames, a clock that differs, and guilds that come late."""

import zlib
from datetime import UTC, datetime, timedelta

import aiohttp
import pytest
from discord.gateway import DiscordWebSocket

from bot.adapters.discord import library
from bot.adapters.discord.rest import DiscordTime
from tests.servers.discord.fixtures import PlainBot, discord_server, running
from tests.servers.discord.frames import Broken
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

__all__ = ["discord_server"]


@pytest.fixture(autouse=True)
def library_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo what a bot that ran in this process before has made every client survive."""
    monkeypatch.setattr(DiscordWebSocket, "received_message", library._receive)


@pytest.fixture
def guild(discord_server: DiscordServer) -> FakeGuild:
    return discord_server.add_guild("Friends")


def texts(bot: PlainBot) -> list[str]:
    return [message.content for message in bot.heard("message")]


async def test_compressed_frames_are_read_in_pieces_too_and_after_a_resume(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    discord_server.gateway.compresses = True
    # What is compressed well would be one piece.
    long = "".join(chr(0x4E00 + number * 7919 % 20_000) for number in range(2_000))
    async with running(discord_server) as bot:
        for number in range(20):
            await guild.say("alice", "general", f"{number} {long}")
        discord_server.faults.drop_socket()
        await guild.say("alice", "general", "meanwhile")
        await until(lambda: bot.heard("resumed"))
        await until(lambda: len(texts(bot)) == 21)
        assert texts(bot) == [*(f"{number} {long}" for number in range(20)), "meanwhile"]


async def test_frames_are_text_for_who_asks_for_no_compression(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    async with running(discord_server) as bot:
        await guild.say("alice", "general", "hello")
        await until(lambda: texts(bot) == ["hello"])


@pytest.mark.parametrize("compresses", [True, False])
@pytest.mark.parametrize(
    ("how", "error"),
    [(Broken.CUT, ValueError), (Broken.GARBLED, zlib.error), (Broken.NO_OBJECT, AttributeError)],
)
async def test_a_broken_frame_ends_a_client_that_takes_no_care(
    discord_server: DiscordServer, guild: FakeGuild, compresses: bool, how: Broken, error: type[Exception]
) -> None:
    discord_server.gateway.compresses = compresses
    with pytest.raises(error):
        async with running(discord_server) as bot:
            discord_server.faults.break_frame(how)
            await guild.say("alice", "general", "nobody can read this")
            await until(bot.is_closed)


async def test_a_spoiled_event_cannot_be_read_however_often_it_is_told(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    with pytest.raises(ValueError, match=r"Unterminated|Expecting|unexpected"):
        async with running(discord_server) as bot:
            discord_server.faults.drop_socket()
            discord_server.faults.spoil_event()
            await guild.say("alice", "general", "nobody can read this")
            await until(bot.is_closed)


@pytest.mark.parametrize("minutes", [7, -7])
async def test_discords_clock_may_differ(discord_server: DiscordServer, minutes: int) -> None:
    ahead = timedelta(minutes=minutes)
    discord_server.world.snowflakes.ahead = ahead
    guild = discord_server.add_guild("Friends")
    async with running(discord_server) as bot:
        message = await guild.say("alice", "general", "what time is it?")
        await guild.edit(message, "what time is it now?")
        await until(lambda: bot.heard("raw_message_edit"))
        heard, edited = bot.heard("message")[0], bot.heard("raw_message_edit")[0].message
        for moment in (heard.created_at, edited.edited_at):
            assert abs(moment - datetime.now(UTC) - ahead) < timedelta(minutes=1)
        assert abs(message.sent_at - datetime.now(UTC) - ahead) < timedelta(minutes=1)


async def test_every_answer_tells_discords_own_time(discord_server: DiscordServer) -> None:
    discord_server.world.snowflakes.ahead = timedelta(minutes=-7)
    discord_server.limits.switch_on()
    channel = discord_server.add_guild("Friends").channel("general")
    token, told = {"Authorization": f"Bot {discord_server.token}"}, list[datetime]()
    heeding = DiscordTime(told.append).watch()
    async with aiohttp.ClientSession(headers=token, trace_configs=[heeding]) as session:
        messages = f"{discord_server.api_url}/channels/{channel.channel_id}/messages"
        async with session.ws_connect(discord_server.gateway_url):
            await session.get(f"{discord_server.api_url}/gateway")
            await session.post(messages, json={"content": "one of few"})
    assert len(told) == 3
    now = discord_server.world.snowflakes.now()
    assert all(abs(moment - now) < timedelta(minutes=1) for moment in told)


async def test_guilds_come_late_and_one_by_one_and_nothing_is_told_of_them_before(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    late = [discord_server.add_guild(f"Late {number}") for number in range(2)]
    discord_server.gateway.greeting.guild_pause_seconds = 0.5
    async with running(discord_server) as bot:
        # The client waits for no guild longer than its patience, and is ready before.
        for one in late:
            await one.say("alice", "general", "said before the guild was told")
        assert [one.id for one in bot.guilds if one.unavailable] != []
        await until(lambda: not any(one.unavailable for one in bot.guilds))
        assert [one.name for one in bot.heard("guild_available")] == ["Friends", "Late 0", "Late 1"]
        await late[1].say("alice", "general", "said afterwards")
        await until(lambda: texts(bot))
        assert texts(bot) == ["said afterwards"]

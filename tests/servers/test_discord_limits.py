"""The limits of the loopback Discord, as the real client meets them and as who does not keep to them does."""

import asyncio

import aiohttp
import discord
import pytest

from tests.servers.discord.fixtures import PlainBot, discord_server, running
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

__all__ = ["discord_server"]


@pytest.fixture
def guild(discord_server: DiscordServer) -> FakeGuild:
    return discord_server.add_guild("Friends", channels=("general", "games"))


def room(bot: PlainBot, guild: FakeGuild, name: str = "general") -> discord.TextChannel:
    found = bot.get_channel(guild.channel(name).channel_id)
    assert isinstance(found, discord.TextChannel)
    return found


async def post(
    server: DiscordServer, guild: FakeGuild, name: str, text: str
) -> tuple[int, dict[str, object]]:
    url = f"{server.api_url}/channels/{guild.channel(name).channel_id}/messages"
    async with (
        aiohttp.ClientSession(headers={"Authorization": f"Bot {server.token}"}) as session,
        session.post(url, json={"content": text}) as response,
    ):
        return response.status, await response.json()


async def test_the_client_keeps_to_five_messages_in_five_seconds_of_each_channel(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    discord_server.limits.switch_on(scale=0.1)
    async with running(discord_server) as bot:
        general, games = room(bot, guild), room(bot, guild, "games")
        await asyncio.gather(
            *(general.send(f"a{number}") for number in range(12)),
            *(games.send(f"b{number}") for number in range(7)),
        )
    texts = [message.text for message in discord_server.sent]
    assert sorted(texts) == sorted([f"a{n}" for n in range(12)] + [f"b{n}" for n in range(7)])


async def test_who_sends_a_sixth_message_is_told_when_to_come_again(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    discord_server.limits.switch_on(scale=100)
    for number in range(5):
        assert (await post(discord_server, guild, "general", f"m{number}"))[0] == 200
    status, body = await post(discord_server, guild, "general", "one too many")
    assert (status, body["global"]) == (429, False)
    assert isinstance(body["retry_after"], float) and 0 < body["retry_after"] <= 500
    assert (await post(discord_server, guild, "games", "elsewhere"))[0] == 200
    assert discord_server.limits.refused == {"sends": 1}
    discord_server.limits.switch_off()
    assert (await post(discord_server, guild, "general", "one more"))[0] == 200


async def test_too_many_requests_in_a_second_stop_all_of_them_for_the_rest_of_it(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    said = await guild.say("alice", "general", "hello")
    async with running(discord_server) as bot:
        discord_server.limits.switch_on(requests=4)
        found = await asyncio.gather(*(room(bot, guild).fetch_message(said.message_id) for _ in range(6)))
        assert {one.id for one in found} == {said.message_id}
        assert discord_server.limits.refused["requests"] > 0
        discord_server.limits.switch_off()
        discord_server.limits.storm(0.3)
        assert (await room(bot, guild).fetch_message(said.message_id)).content == "hello"
        assert discord_server.limits.refused["storm"] > 0


async def test_who_sends_more_than_120_frames_in_a_minute_is_cut_off(discord_server: DiscordServer) -> None:
    discord_server.limits.switch_on()
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{discord_server.gateway_url}/?v=10&encoding=json") as socket,
    ):
        for _ in range(121):
            await socket.send_json({"op": 1, "d": None})
        async with asyncio.timeout(60):
            while not socket.closed:
                await socket.receive()
        assert socket.close_code == 4008


@pytest.mark.parametrize("max_concurrency", [1, 2])
async def test_more_identifies_than_five_seconds_allow_are_refused_and_tried_again(
    max_concurrency: int, discord_server: DiscordServer, guild: FakeGuild
) -> None:
    discord_server.portal.shards, discord_server.portal.max_concurrency = 2, max_concurrency
    discord_server.limits.switch_on(scale=0.6)
    async with running(discord_server, PlainBot(shard_count=2)) as bot:
        await until(lambda: discord_server.gateway.ready(2), 20, what="both shards are there")
        assert bot.get_guild(guild.guild_id) is not None
    assert (discord_server.limits.refused["identifies"] > 0) is (max_concurrency == 1)


async def test_all_members_of_a_guild_are_told_once_in_half_a_minute_and_some_at_any_time(
    discord_server: DiscordServer, guild: FakeGuild
) -> None:
    discord_server.limits.switch_on(scale=100)
    heard: list[str] = []

    async def note(data: str) -> None:
        heard.append(data)

    async with running(discord_server, PlainBot(enable_debug_events=True)) as bot:
        bot.add_listener(note, "on_socket_raw_receive")
        here = bot.guilds[0]
        alice = discord_server.user("alice").user_id
        for _ in range(3):
            assert [one.name for one in await here.query_members(user_ids=[alice])] == ["alice"]
        shard = bot._connection._get_websocket(here.id)
        for nonce in ("first", "second"):
            await shard.request_chunks(here.id, query="", limit=0, nonce=nonce)
        await until(lambda: any("RATE_LIMITED" in one and "second" in one for one in heard), what="a refusal")
        assert discord_server.limits.refused == {"members": 1}
        discord_server.limits.switch_on(scale=100)
        await shard.request_chunks(here.id, query="", limit=0, nonce="third")
        await until(lambda: any("MEMBERS_CHUNK" in one and "third" in one for one in heard), what="members")

"""What the loopback gateway says to clients that do not keep to the protocol."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.servers.discord.fixtures import discord_server
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import Json
from tests.servers.discord.waiting import until

__all__ = ["discord_server"]

GUILDS, MEMBERS, GUILD_MESSAGES = 1, 1 << 1, 1 << 9


@contextlib.asynccontextmanager
async def socket(server: DiscordServer) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """A connection that has heard the hello."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{server.gateway_url}/?v=10&encoding=json") as connection,
    ):
        hello = await connection.receive_json()
        assert (hello["op"], hello["d"]["heartbeat_interval"]) == (
            10,
            server.gateway.heartbeat_seconds * 1000,
        )
        yield connection


def identify(server: DiscordServer, **changes: object) -> Json:
    return {"op": 2, "d": {"token": server.token, "intents": GUILDS, "properties": {}, **changes}}


async def closing_code(connection: aiohttp.ClientWebSocketResponse) -> int | None:
    async with asyncio.timeout(60):
        while (await connection.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
    return connection.close_code


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"op": 2, "d": {"token": "wrong", "intents": 1}}, 4004),
        ({"op": 2, "d": {"token": "TOKEN", "intents": 1, "shard": [2, 2]}}, 4010),
        ({"op": 2, "d": {"token": "TOKEN", "intents": 1 << 8}}, 4014),
        ({"op": 6, "d": {"token": "wrong", "session_id": "x", "seq": 1}}, 4004),
        ({"op": 8, "d": {"guild_id": "1", "query": "", "limit": 0}}, 4003),
    ],
)
async def test_a_wrong_frame_ends_the_connection_with_its_code(
    discord_server: DiscordServer, frame: Json, code: int
) -> None:
    data = frame["d"]
    assert isinstance(data, dict)
    if data.get("token") == "TOKEN":
        data = {**data, "token": discord_server.token}
    async with socket(discord_server) as connection:
        await connection.send_json({**frame, "d": data})
        assert await closing_code(connection) == code


async def test_frames_that_no_gateway_knows_are_written_down(discord_server: DiscordServer) -> None:
    async with socket(discord_server) as connection:
        await connection.send_json({"op": 77, "d": {}})
        assert await closing_code(connection) == 4001
    async with socket(discord_server) as connection:
        await connection.send_str("{")
        assert await closing_code(connection) == 4002
    assert len(discord_server.unexpected) == 2
    discord_server.unexpected.clear()


async def test_who_gives_no_sign_of_life_is_cut_off(discord_server: DiscordServer) -> None:
    discord_server.gateway.heartbeat_seconds = 0.05
    async with socket(discord_server) as connection:
        await connection.send_json(identify(discord_server))
        assert await closing_code(connection) == 4009
    (session,) = discord_server.gateway.sessions.values()
    await until(lambda: not session.alive)


async def test_only_events_that_were_asked_for_are_told(discord_server: DiscordServer) -> None:
    guild = discord_server.add_guild("Friends")
    async with socket(discord_server) as connection:
        await connection.send_json(identify(discord_server, intents=GUILDS | GUILD_MESSAGES))
        ready, created = await connection.receive_json(), await connection.receive_json()
        assert (ready["t"], ready["s"], created["t"], created["s"]) == ("READY", 1, "GUILD_CREATE", 2)
        assert ready["d"]["guilds"] == [{"id": str(guild.guild_id), "unavailable": True}]
        guild.rename("alice", "Al")
        await guild.say_directly("alice", "private")
        await guild.say("alice", "general", "unreadable")
        told = await connection.receive_json()
        assert (told["t"], told["s"], told["d"]["content"]) == ("MESSAGE_CREATE", 3, "")
        assert "thread" not in told["d"]
        assert told["d"]["member"]["roles"] == []


async def test_a_resume_tells_again_what_came_after_and_no_more(discord_server: DiscordServer) -> None:
    guild = discord_server.add_guild("Friends")
    async with socket(discord_server) as connection:
        await connection.send_json(identify(discord_server, intents=GUILDS | GUILD_MESSAGES))
        session_id = (await connection.receive_json())["d"]["session_id"]
        await connection.receive_json()
        await guild.say("alice", "general", "one")
        assert (await connection.receive_json())["s"] == 3
        discord_server.faults.drop_socket()
    said = await guild.say("alice", "general", "two")
    resume = {"op": 6, "d": {"token": discord_server.token, "session_id": session_id, "seq": 3}}
    async with socket(discord_server) as connection:
        await connection.send_json(resume)
        replayed, resumed = await connection.receive_json(), await connection.receive_json()
        assert (replayed["d"]["id"], replayed["s"]) == (str(said.message_id), 4)
        assert (resumed["t"], resumed["s"]) == ("RESUMED", 5)
        discord_server.faults.forget_sessions()
        discord_server.faults.drop_socket()
    async with socket(discord_server) as connection:
        await connection.send_json(resume)
        assert await connection.receive_json() == {"op": 9, "d": False, "s": None, "t": None}

"""The loopback Discord as a process of its own, and beside a client that is killed."""

import asyncio
import contextlib
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.servers.discord.fixtures import PlainBot, discord_server
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

pytestmark = pytest.mark.processes

__all__ = ["discord_server"]

ROOT = Path(__file__).parents[2]

CLIENT = """
import sys, yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from tests.servers.discord.fixtures import PlainBot
token, Route.BASE, gateway = sys.argv[1:]
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
PlainBot().run(token, log_handler=None)
"""


@contextlib.asynccontextmanager
async def process(*arguments: str) -> AsyncIterator[Process]:
    started = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, cwd=ROOT, stdin=PIPE, stdout=PIPE
    )
    try:
        yield started
    finally:
        with contextlib.suppress(ProcessLookupError):
            started.kill()
        await started.wait()


async def test_lines_typed_are_said_and_answers_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with process("-m", "tests.servers.discord") as alone:
        assert alone.stdin is not None
        assert alone.stdout is not None
        printed = [(await alone.stdout.readline()).decode().strip().partition("=") for _ in range(3)]
        names = {name: value for name, _, value in printed}
        monkeypatch.setattr(Route, "BASE", names["DISCORD_API_URL"])
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(names["DISCORD_GATEWAY_URL"]))
        bot = PlainBot()
        running = asyncio.create_task(bot.start(names["DISCORD_TOKEN"]))
        await until(lambda: bot.was_ready)

        alone.stdin.write(b"alice #general: @Keepsake hello\nbob @: psst\nnonsense\n")
        await until(lambda: len(bot.heard("message")) == 2)
        spoken, private = bot.heard("message")
        assert spoken.author.name == "alice"
        assert spoken.mentions == [bot.user]
        assert (private.content, private.guild) == ("psst", None)
        await spoken.reply("hi")
        lines = [(await alone.stdout.readline()).decode().strip() for _ in range(2)]
        assert lines[0].startswith("? 'nonsense': write it as")
        assert lines[1] == "Keepsake #general: hi"
        await bot.close()
        await running


async def test_a_client_that_is_killed_leaves_the_server_standing(discord_server: DiscordServer) -> None:
    guild = discord_server.add_guild("Friends")
    arguments = ("-c", CLIENT, discord_server.token, discord_server.api_url, discord_server.gateway_url)
    async with process(*arguments) as client:
        await discord_server.connected()
        saying = asyncio.create_task(
            guild.say_many("alice", "general", (f"m{number}" for number in range(300)), per_second=1000)
        )
        await until(lambda: len(guild.channel("general").messages) > 100)
        client.send_signal(signal.SIGKILL)
        await saying
    (session,) = discord_server.gateway.sessions.values()
    await until(lambda: session.connection is None)
    assert session.alive
    async with process(*arguments):
        await until(lambda: len(discord_server.gateway.identified) == 2)
        await discord_server.connected()
    assert len(guild.channel("general").messages) == 300

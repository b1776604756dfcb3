"""The bot on the loopback Discord: in this process, or as the process that people start.

from tests.servers.discord.fixtures import discord_server  # noqa: F401
async with running_bot(discord_server, database) as bot: ...
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg

from bot.adapters.discord.client import KeepsakeClient
from bot.adapters.discord.notices import Troubles
from bot.adapters.discord.running import Serving, connected_bot
from bot.adapters.discord.welcome import WELCOME_KIND
from bot.app import Keepsake, assembled
from bot.core.clock import Clock, SystemClock
from bot.core.domain import Channel, Guild, Member, Message
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeChannel, FakeMessage
from tests.servers.discord.waiting import PATIENCE_SECONDS, until

_ROOT = Path(__file__).parents[3]
_READY_SECONDS = 0.1
_PAUSE_SECONDS = 0.01


@dataclass
class RunningBot:
    """A bot that is connected and has taken up its guilds."""

    keepsake: Keepsake
    serving: Serving
    troubles: Troubles
    lines: list[str] = field(default_factory=list)
    """What it printed at its start."""

    @property
    def client(self) -> KeepsakeClient:
        """The real client."""
        return self.serving.client

    async def ready(self) -> None:
        """Return when its guilds are taken up and what was missed is caught up."""
        await self.client.wait_until_ready()
        await until(lambda: self.client.is_reported, what="the start has been told")
        await self.client.rooms.settled()
        await self.client.catch_up.settled()

    async def stored(self, message: FakeMessage) -> Message:
        """Return a message as it is kept, once it is."""
        found: list[Message] = []
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not found:
                kept = await self.kept(message)
                found += [kept] if kept is not None else []
                await asyncio.sleep(_PAUSE_SECONDS)
        return found[0]

    async def kept(self, message: FakeMessage) -> Message | None:
        """Return a message as it is kept now."""
        return await self.keepsake.library.message(
            guild_id=guild_id_of(message.channel), message_id=message.message_id
        )

    async def guild(self, guild_id: int) -> Guild:
        """Return a guild of the directory."""
        guild = await self.keepsake.directory.guild(guild_id)
        assert guild is not None
        return guild

    async def channel(self, channel: FakeChannel) -> Channel | None:
        """Return a channel of the directory."""
        await self.client.rooms.settled()
        return await self.keepsake.directory.channel(
            guild_id=guild_id_of(channel), channel_id=channel.channel_id
        )

    async def members(self, guild_id: int) -> dict[str, Member]:
        """Return the members of the directory by their user names."""
        return {member.user_name: member for member in await self.keepsake.directory.members(guild_id)}


async def eventually(condition: Callable[[], Awaitable[object]]) -> None:
    """Wait until what `condition` reads is so; raises `TimeoutError` if it never is."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await condition():
            await asyncio.sleep(_PAUSE_SECONDS)


def guild_id_of(channel: FakeChannel) -> int:
    """Return the guild of a channel; that of direct messages has the channel's id."""
    return channel.channel_id if channel.guild_id is None else channel.guild_id


def settings_for(server: DiscordServer, **changes: object) -> Settings:
    """Return settings for a bot on `server`, without any model unless `changes` name one."""
    values: dict[str, object] = {
        "discord_token": server.token,
        "discord_api_url": server.api_url,
        "discord_gateway_url": server.gateway_url,
        "discord_identify_pause_seconds": 0.0,
    }
    return Settings(_env_file=None, **{**values, **changes})  # type: ignore[arg-type]


@asynccontextmanager
async def running_bot(
    server: DiscordServer,
    database: Database,
    *,
    clock: Clock | None = None,
    machine: Clock | None = None,
    is_ready: bool = True,
    is_new: bool = False,
    **changes: object,
) -> AsyncIterator[RunningBot]:
    """Run the bot in this process, until the end; `changes` are settings; `machine` is what the machine's clock shows.

    Unless it `is_new` to them, the guilds that there are have been told before what it keeps.
    """
    troubles = Troubles()
    settings = settings_for(server, **changes)
    lines: list[str] = []
    if not is_new:
        await database.write(_told_already, server)
    async with (
        assembled(settings, clock or machine or SystemClock(), database, machine=machine) as keepsake,
        connected_bot(
            keepsake, troubles=troubles, tell=lines.append, ready_seconds=_READY_SECONDS, patience_seconds=1
        ) as serving,
    ):
        bot = RunningBot(keepsake, serving, troubles, lines)
        if is_ready:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await bot.ready()
        yield bot


@dataclass
class BotProcess:
    """`keepsake run` as a process of its own."""

    process: asyncio.subprocess.Process
    lines: list[str] = field(default_factory=list)
    """What it printed."""
    errors: list[str] = field(default_factory=list)
    """What it wrote to standard error."""

    async def told(self, beginning: str) -> str:
        """Return the line that begins so, once it is printed; raises if the process ends before."""
        await until(
            lambda: self._line(beginning) is not None or self.process.returncode is not None,
            what=f"a line {beginning!r}; printed: {self.lines} {self.errors}",
        )
        line = self._line(beginning)
        assert line is not None, (beginning, self.lines, self.errors)
        return line

    def _line(self, beginning: str) -> str | None:
        return next((line for line in self.lines if line.startswith(beginning)), None)

    async def ended(self) -> int:
        """Return the exit status, once it has ended by itself and all that it wrote is read."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self.process.wait()

    async def stop(self) -> int:
        """Ask it to end, as a container's runtime does, and return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return await self.ended()

    async def kill(self) -> None:
        """End it without a word."""
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def bot_process(
    server: DiscordServer, dsn: str, *arguments: str, **environment: str
) -> AsyncIterator[BotProcess]:
    """Start `keepsake run` on `server` and the database at `dsn`; it is killed in the end if it still runs.

    `arguments` come behind it, and `environment` is put over its settings.
    """
    connection = await asyncpg.connect(dsn)
    await _told_already(connection, server)
    await connection.close()
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in {"PATH", "HOME", "LANG", "STATE_DIRECTORY"}
    }
    settings = {
        "DATABASE_URL": dsn,
        "DISCORD_TOKEN": server.token,
        "DISCORD_API_URL": server.api_url,
        "DISCORD_GATEWAY_URL": server.gateway_url,
        "DISCORD_IDENTIFY_PAUSE_SECONDS": "0",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        "run",
        *arguments,
        cwd=_ROOT,
        env={**kept, **settings, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    running = BotProcess(process)
    readers = [
        asyncio.create_task(_read(process.stdout, running.lines)),
        asyncio.create_task(_read(process.stderr, running.errors)),
    ]
    try:
        yield running
    finally:
        if process.returncode is None:
            process.kill()
        await asyncio.gather(process.wait(), *readers)


async def _told_already(
    connection: "Connection | asyncpg.Connection[asyncpg.Record]", server: DiscordServer
) -> None:
    """Note that the guilds of `server` were told what the bot keeps, so that it says nothing of its own accord."""
    await connection.execute(
        "INSERT INTO told (guild_id, kind, channel_id, joined_at, begun_at, message_id)"
        " SELECT one, $2, 0, 'infinity', now(), 1 FROM unnest($1::bigint[]) AS one ON CONFLICT DO NOTHING",
        list(server.world.guilds),
        WELCOME_KIND,
    )


async def _read(stream: asyncio.StreamReader | None, lines: list[str]) -> None:
    assert stream is not None
    while line := await stream.readline():
        lines.append(line.decode().rstrip("\n"))

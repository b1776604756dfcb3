"""What tests take: a loopback Discord, and a real discord.py client that talks to it.

from tests.servers.discord.fixtures import discord_server  # noqa: F401
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import discord
import pytest
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.servers.discord.openapi import DESCRIPTION
from tests.servers.discord.openapi_checks import check_exchange
from tests.servers.discord.recording import recorded
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import PATIENCE_SECONDS, until

_OWN_TESTS = Path(__file__).parents[1]


@pytest.fixture
async def discord_server(request: pytest.FixtureRequest) -> AsyncIterator[DiscordServer]:
    """A Discord without guilds; the test fails if it was asked something that no Discord would know.

    In the server's own tests it fails too if anything was asked or answered otherwise than Discord describes it.
    """
    async with DiscordServer() as server:
        exchanges = recorded(server) if request.path.parent == _OWN_TESTS and DESCRIPTION.is_file() else []
        yield server
    assert not server.unexpected, server.unexpected
    problems = [problem for one in exchanges if one.status < 400 for problem in check_exchange(one)]
    assert not problems, "\n".join(problems)


@contextlib.contextmanager
def pointed_at(server: DiscordServer) -> Iterator[None]:
    """Let discord.py talk to `server` meanwhile."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = server.api_url, yarl.URL(server.gateway_url)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


def needed_intents() -> discord.Intents:
    """Return the intents that a bot with a memory asks for."""
    return discord.Intents(
        guilds=True, members=True, guild_messages=True, dm_messages=True, message_content=True
    )


class PlainBot(commands.AutoShardedBot):
    """discord.py without a pause before it identifies, and with a short wait for guilds."""

    def __init__(self, **options: object) -> None:
        defaults: dict[str, object] = {
            "command_prefix": "\0",
            "intents": needed_intents(),
            "chunk_guilds_at_startup": False,
            "guild_ready_timeout": 0.05,
            "allowed_mentions": discord.AllowedMentions.none(),
            "max_messages": None,
        }
        super().__init__(**{**defaults, **options})  # type: ignore[arg-type]
        self.errors: list[BaseException] = []
        """What went wrong in its listeners."""
        self.events: list[tuple[str, object]] = []
        """Every event that was dispatched, by name, with its first argument."""

    def dispatch(self, event: str, /, *args: object, **kwargs: object) -> None:
        """Keep what is dispatched, for tests to look at."""
        if not event.startswith("socket"):
            self.events.append((event, args[0] if args else None))
        super().dispatch(event, *args, **kwargs)

    def heard(self, event: str) -> list[Any]:
        """Return what was dispatched as `event`, in order."""
        return [what for name, what in self.events if name == event]

    @property
    def was_ready(self) -> bool:
        """Whether the client was ready, on all of its shards."""
        return any(name == "ready" for name, _ in self.events)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait for nothing."""

    async def on_error(self, event_method: str, /, *args: object, **kwargs: object) -> None:
        """Let an error in a listener be seen."""
        error = sys.exc_info()[1]
        if error is not None:
            self.errors.append(error)


@contextlib.asynccontextmanager
async def running(
    server: DiscordServer, bot: PlainBot | None = None, *, token: str | None = None
) -> AsyncIterator[PlainBot]:
    """Run a real client against `server`, from when it is ready until the end of the block.

    Raises what ends the client, or went wrong in one of its listeners.
    """
    bot = bot or PlainBot()
    with pointed_at(server):
        task = asyncio.create_task(bot.start(token or server.token))
        ready = asyncio.create_task(_ready(bot))
        try:
            await asyncio.wait([task, ready], timeout=PATIENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                await task
            if not ready.done():
                raise TimeoutError(f"the client was not ready within {PATIENCE_SECONDS} s")
            yield bot
        finally:
            ready.cancel()
            await bot.close()
            with contextlib.suppress(asyncio.CancelledError):
                await task
    if bot.errors:
        raise bot.errors[0]


async def _ready(bot: PlainBot) -> None:
    await until(lambda: bot.was_ready)

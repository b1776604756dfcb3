"""`keepsake run`: everything opened, connected to Discord, and closed again in good order."""

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from bot.app import Keepsake, open_keepsake
from bot.clock import AlignedClock
from bot.errors import DatabaseUnavailableError, ShardsTakenError
from bot.faces.discord import library_log
from bot.faces.discord.addresses import point_at
from bot.faces.discord.client import READY_SECONDS, KeepsakeClient, Tell
from bot.faces.discord.discord_time import Told, unheeded
from bot.faces.discord.inside import Inside
from bot.faces.discord.library_log import UNREACHABLE_SAYS, discord_outages
from bot.faces.discord.owner import Troubles
from bot.faces.discord.shifts import PATIENCE_SECONDS, Shift
from bot.faces.discord.start_errors import UNREACHABLE, explained, token_of
from bot.log import trace
from bot.settings import Settings, Shards, shards_in

logger = logging.getLogger(__name__)

_PAUSES_SECONDS: Final = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Real seconds between tries to log in; the last pause repeats until Discord can be reached."""

_GIVING_UP_SECONDS: Final = 1.0

CLOSING_SECONDS: Final = 8.0
"""Real seconds for the whole end, of the ten after which a container's runtime kills."""


class Serving:
    """A client that is logged in and connected, or connecting."""

    def __init__(self, client: KeepsakeClient, shift: Shift) -> None:
        self.client: Final = client
        self._shift = shift
        self._connection = asyncio.create_task(client.connect(), name="connection to Discord")

    async def until_ended(self) -> None:
        """Return when the client was closed.

        Raises `DiscordError` if Discord ended it for good, `ShardsTakenError` if another process answers now.
        """
        lost = asyncio.create_task(self._shift.lost.wait())
        try:
            await asyncio.wait({self._connection, lost}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            lost.cancel()
        if self._shift.lost.is_set():
            raise ShardsTakenError("another process has taken over the shards of this one, which stops")
        try:
            await self._connection
        except Exception as error:
            raise explained(error) from error

    async def finish(self) -> None:
        """Close the client; what it has heard is in memory's hands."""
        await self.client.finish()
        self._connection.cancel()
        await asyncio.gather(self._connection, return_exceptions=True)


async def run(settings: Settings) -> int:
    """Answer on Discord until cancelled. Raises `KeepsakeError` if that is impossible."""
    token_of(settings)
    library_log.take_over()
    asyncio.get_running_loop().set_exception_handler(_log_unhandled)
    troubles = Troubles()
    stack = AsyncExitStack()
    try:
        clock = AlignedClock()
        keepsake = await stack.enter_async_context(open_keepsake(settings, clock, counter=troubles))
        serving = await stack.enter_async_context(
            answering(keepsake, troubles=troubles, told_time=clock.align)
        )
        await serving.until_ended()
    finally:
        await _close(stack)
    return 0


@asynccontextmanager
async def answering(
    keepsake: Keepsake,
    *,
    troubles: Troubles | None = None,
    tell: Tell | None = None,
    told_time: Told | None = None,
    ready_seconds: float = READY_SECONDS,
    patience_seconds: float = PATIENCE_SECONDS,
) -> AsyncIterator[Serving]:
    """Log in, take the shards and connect; everything that was begun ends with this.

    `tell` gets the lines of the start, which are printed otherwise. Raises `DiscordError` if Discord does not
    let the bot in, `ShardsTakenError` if another process has its shards for longer than `patience_seconds`.
    """
    point_at(keepsake.settings)
    inside = Inside(
        memory=keepsake.memory,
        directory=keepsake.directory,
        library=keepsake.library,
        conversation=keepsake.conversation,
        desk=keepsake.desk,
        settings=keepsake.settings,
        clock=keepsake.clock,
        services=keepsake.services,
        clock_watch=keepsake.clock_watch,
    )

    def client() -> KeepsakeClient:
        return KeepsakeClient(
            inside,
            troubles=troubles,
            tell=tell or _print,
            told_time=told_time or unheeded,
            ready_seconds=ready_seconds,
        )

    async with AsyncExitStack() as stack:
        bot, shards = await _logged_in(client, keepsake.settings)
        stack.push_async_callback(bot.finish)
        shift = Shift(keepsake.directory, services=keepsake.services)
        stack.push_async_callback(shift.end)
        await shift.begin(shards, patience_seconds=patience_seconds)
        # Whoever had the shards before stores nothing any more, and nothing is heard yet.
        await bot.catch_up.prepare()
        serving = Serving(bot, shift)
        stack.push_async_callback(serving.finish)
        yield serving


async def _logged_in(make: Callable[[], KeepsakeClient], settings: Settings) -> tuple[KeepsakeClient, Shards]:
    """Return a client that is logged in, and its shards, tried until Discord can be reached."""
    token = token_of(settings)
    tries = 0
    while True:
        client = make()
        try:
            await client.login(token)
            shards = await _shards_of(client, settings)
            client.shard_ids, client.shard_count = list(shards.shard_ids), shards.shard_count
        except UNREACHABLE:
            discord_outages.failed(UNREACHABLE_SAYS)
            await client.finish()
        except Exception as error:
            await client.finish()
            raise explained(error) from error
        except BaseException:
            await client.finish()
            raise
        else:
            discord_outages.succeeded()
            return client, shards
        await asyncio.sleep(_PAUSES_SECONDS[min(tries, len(_PAUSES_SECONDS) - 1)])
        tries += 1


async def _shards_of(client: KeepsakeClient, settings: Settings) -> Shards:
    """Return the shards of the settings, else all that Discord advises."""
    chosen = shards_in(settings.discord_shards) if settings.discord_shards else None
    if chosen is not None:
        return chosen
    count, _address, _limits = await client.http.get_bot_gateway()
    return Shards(range(count), count)


async def _close(stack: AsyncExitStack) -> None:
    """Close everything, in the time that whoever stops the process gives it.

    Raises `DatabaseUnavailableError` if messages could not be written. If the time is up, the process ends with
    its exit status soon after, whatever still hangs.
    """
    closing = asyncio.create_task(stack.aclose(), name="closing")
    await asyncio.wait({closing}, timeout=CLOSING_SECONDS)
    if closing.done():
        closing.result()
        return
    logger.error("the database hangs; what it did not take is read back from Discord after the next start")
    # A statement that hangs ignores being cancelled, and the event loop would wait for it.
    threading.Timer(_GIVING_UP_SECONDS, os._exit, [DatabaseUnavailableError.exit_status]).start()
    closing.cancel()


def _print(line: str) -> None:
    print(line, flush=True)


def _log_unhandled(_loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Log where an error came from that nobody waited for; its text may quote what people said."""
    error = context.get("exception")
    if isinstance(error, BaseException):
        logger.error("an error was waited for by nobody: %s", trace(error))
    else:
        logger.error("the event loop says: %s", context.get("message"))

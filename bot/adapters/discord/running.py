"""`keepsake run`: opens everything, takes the lease of the shards, connects to Discord, and closes in order."""

import asyncio
import gc
import logging
import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final
from uuid import uuid4

from bot.adapters.discord import library
from bot.adapters.discord.client import READY_SECONDS, KeepsakeClient, Tell
from bot.adapters.discord.library import (
    UNREACHABLE,
    UNREACHABLE_SAYS,
    discord_outages,
    explain_start_error,
    is_silent,
    token_of,
)
from bot.adapters.discord.notices import Troubles
from bot.adapters.discord.rest import TimeListener, ignore_time, use_addresses
from bot.adapters.serving import exporting_figures, serving_web
from bot.app import open_keepsake
from bot.chat.keepsake import Keepsake
from bot.core.clock import AlignedClock
from bot.core.errors import DatabaseError, DatabaseUnavailableError, ShardsTakenError
from bot.core.log import trace
from bot.core.settings import Settings, Shards, shards_in
from bot.db.leases import SHARD_LEASE
from bot.db.service import Services
from bot.db.signs import silent_for
from bot.memory.members.directory import Directory

logger = logging.getLogger(__name__)


RENEWAL_SECONDS: Final = 10.0
"""Real seconds between renewals: a lease holds for 30, so two in a row may fail."""

LEASE_SECONDS: Final = SHARD_LEASE.total_seconds()

PATIENCE_SECONDS: Final = 40.0
"""How long to wait for the lease of another process: one that was killed loses it within 30 seconds."""

_LOOK_AGAIN_SECONDS: Final = 2.0


class ShardLeaseHolder:
    """The shards that this process answers for, from `begin` to `end`."""

    def __init__(
        self,
        directory: Directory,
        *,
        services: Services | None = None,
        renewal_seconds: float | None = None,
        lease_seconds: float | None = None,
    ) -> None:
        self._leases = directory.shards
        self._services = services or Services()
        self._renewal_seconds = RENEWAL_SECONDS if renewal_seconds is None else renewal_seconds
        self._lease_seconds = LEASE_SECONDS if lease_seconds is None else lease_seconds
        self._holder = uuid4()
        self._expiry: asyncio.TimerHandle | None = None
        self._is_expired = False
        self._is_renewing = False
        self._is_away = False
        self.lost = asyncio.Event()
        """Set when another process has the shards, or may have them by now: then this one must fall silent."""

    async def begin(self, shards: Shards, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        """Take the lease and keep it.

        Raises `ShardsTakenError` if another process still has it after `patience_seconds` real seconds.
        """
        taken = await self._take(shards)
        if not taken:
            logger.warning(
                "another process answers for shards %s; waiting up to %.0f seconds, should it have been killed",
                _told(shards),
                patience_seconds,
            )
        try:
            async with asyncio.timeout(patience_seconds):
                while not taken:
                    await asyncio.sleep(min(_LOOK_AGAIN_SECONDS, patience_seconds / 4))
                    taken = await self._take(shards)
        except TimeoutError:
            raise ShardsTakenError(
                f"another process answers for shards {_told(shards)} already: stop it, or give each process"
                " shards of its own with DISCORD_SHARDS"
            ) from None
        self._services.start("lease of shards", self._keep)

    async def end(self) -> None:
        """Give the lease back, so that the next process need not wait for it."""
        await self._services.stop(self._keep)
        if self._expiry is None:
            return
        self._expiry.cancel()
        self._expiry = None
        if self.lost.is_set():
            return
        try:
            await self._leases.give_back(self._holder)
        except DatabaseError as error:
            logger.warning("the lease of the shards could not be given back: %s", trace(error))

    async def _take(self, shards: Shards) -> bool:
        asked_at = asyncio.get_running_loop().time()
        taken = await self._leases.take(list(shards.shard_ids), shards.shard_count, self._holder)
        if taken:
            self._holds_from(asked_at)
        return taken

    async def _keep(self) -> None:
        while not self.lost.is_set():
            await self._renew()
            await asyncio.sleep(self._renewal_seconds)
        # The process ends, and nothing is left to be kept.
        with silent_for():
            await asyncio.get_running_loop().create_future()

    async def _renew(self) -> None:
        asked_at = asyncio.get_running_loop().time()
        self._is_renewing = True
        try:
            is_ours = await self._leases.renew(self._holder)
        except DatabaseUnavailableError:
            # While the database is away nothing is answered, and nobody else can take the lease either.
            self._is_away = True
            raise
        except Exception:
            self._is_away = False
            raise
        finally:
            self._is_renewing = False
            self._silence_if_expired()
        if is_ours:
            self._holds_from(asked_at)
        else:
            self.lost.set()

    def _holds_from(self, asked_at: float) -> None:
        """Count by the own clock how long the lease holds that was asked for at this time."""
        self._is_expired = self._is_away = False
        if self._expiry is not None:
            self._expiry.cancel()
        self._expiry = asyncio.get_running_loop().call_at(asked_at + self._lease_seconds, self._expire)

    def _expire(self) -> None:
        self._is_expired = True
        self._silence_if_expired()

    def _silence_if_expired(self) -> None:
        """Fall silent if the lease ran out, whatever became of the loop that should have renewed it."""
        if self._is_expired and not self._is_renewing and not self._is_away and not self.lost.is_set():
            logger.error("the lease of the shards ran out and cannot be renewed")
            self.lost.set()


def _told(shards: Shards) -> str:
    first, last = shards.shard_ids[0], shards.shard_ids[-1]
    return f"{first}/{shards.shard_count}" if first == last else f"{first}-{last}/{shards.shard_count}"


_PAUSES_SECONDS: Final = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Real seconds between tries to log in; the last pause repeats until Discord can be reached."""

_GIVING_UP_SECONDS: Final = 1.0

CLOSING_SECONDS: Final = 8.0
"""Real seconds for the whole end, of the ten after which a container's runtime kills."""


class Serving:
    """A client that is logged in and connected, or connecting."""

    def __init__(self, client: KeepsakeClient, shift: ShardLeaseHolder) -> None:
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
            raise explain_start_error(error) from error

    async def finish(self) -> None:
        """Close the client; what it has heard is in memory's hands."""
        await self.client.finish()
        self._connection.cancel()
        await asyncio.gather(self._connection, return_exceptions=True)


async def run(settings: Settings) -> int:
    """Answer on Discord until cancelled. Raises `KeepsakeError` if that is impossible."""
    token_of(settings)
    library.take_over_library_log()
    asyncio.get_running_loop().set_exception_handler(_log_unhandled)
    stack = AsyncExitStack()
    try:
        clock = AlignedClock()
        keepsake = await stack.enter_async_context(open_keepsake(settings, clock))
        if settings.web_enabled:
            await stack.enter_async_context(serving_web(keepsake))
        elif settings.otel_exporter_otlp_endpoint is not None:
            await stack.enter_async_context(exporting_figures(keepsake))
        serving = await stack.enter_async_context(connected_bot(keepsake, told_time=clock.align))
        _spare_what_stays()
        await serving.until_ended()
    finally:
        await _close(stack)
    return 0


def _spare_what_stays() -> None:
    """Keep Python's collector of cyclic garbage from looking through what stays until the end: modules and patterns.

    It would do so again and again, for as long as that takes, and nobody is heard meanwhile.
    """
    gc.collect()
    gc.freeze()


@asynccontextmanager
async def connected_bot(
    keepsake: Keepsake,
    *,
    troubles: Troubles | None = None,
    tell: Tell | None = None,
    told_time: TimeListener | None = None,
    ready_seconds: float = READY_SECONDS,
    patience_seconds: float = PATIENCE_SECONDS,
) -> AsyncIterator[Serving]:
    """Log in, take the shards and connect; everything that was begun ends with this.

    `tell` gets the lines of the start, which are printed otherwise. Raises `DiscordError` if Discord does not
    let the bot in, `ShardsTakenError` if another process has its shards for longer than `patience_seconds`.
    """
    use_addresses(keepsake.settings)
    troubles = troubles or Troubles()
    connection: list[KeepsakeClient] = []
    keepsake.services.watch("gateway", lambda: not connection or is_silent(connection[0]))

    def client() -> KeepsakeClient:
        return KeepsakeClient(
            keepsake,
            troubles=troubles,
            tell=tell or _print,
            told_time=told_time or ignore_time,
            ready_seconds=ready_seconds,
        )

    async with AsyncExitStack() as stack:
        keepsake.meter.attach(troubles.note)
        stack.callback(keepsake.meter.detach, troubles.note)
        bot, shards = await _logged_in(client, keepsake.settings)
        stack.push_async_callback(bot.finish)
        shift = ShardLeaseHolder(keepsake.directory, services=keepsake.services)
        stack.push_async_callback(shift.end)
        await shift.begin(shards, patience_seconds=patience_seconds)
        # Whoever had the shards before stores nothing any more, and nothing is heard yet.
        await bot.catch_up.prepare()
        connection.append(bot)
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
            raise explain_start_error(error) from error
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

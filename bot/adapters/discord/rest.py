"""Discord's REST API: its address, requests that are never cancelled, the time in its answers, and a login without the
gateway.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar, cast

import aiohttp
import discord
import yarl
from discord.asset import Asset
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.adapters.discord import library
from bot.adapters.discord.library import INTENTS, UNREACHABLE, explain_start_error, how_to_switch_on, token_of
from bot.core.domain import moment_of
from bot.core.errors import DiscordError, InvalidInputError
from bot.core.log import trace
from bot.core.settings import Settings

if TYPE_CHECKING:
    from discord.types.guild import Guild as GuildData

logger = logging.getLogger(__name__)


_API: Final = Route.BASE
_GATEWAY: Final = DiscordWebSocket.DEFAULT_GATEWAY
_PICTURES: Final = Asset.BASE


def use_addresses(settings: Settings) -> None:
    """Make all future clients of this process use the addresses of `settings`, by default Discord's own."""
    api = settings.discord_api_url
    Route.BASE = api.rstrip("/") if api else _API
    gateway = settings.discord_gateway_url
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway) if gateway else _GATEWAY
    # A proxy of the REST API serves no pictures; a Discord on this machine is one altogether.
    Asset.BASE = str(yarl.URL(api).origin()) if api and is_this_machine(yarl.URL(api)) else _PICTURES


def keep_to_gateway(client: discord.Client, settings: Settings) -> None:
    """Make `client` open every connection at the gateway of `settings`, if they name one.

    Otherwise Discord's answers say where to connect and resume, and the token would be sent there.
    """
    if settings.discord_gateway_url is None:
        return
    gateway = yarl.URL(settings.discord_gateway_url)
    http: HTTPClient = client.http
    connect = http.ws_connect

    async def ws_connect(url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        return await connect(str(gateway.with_query(yarl.URL(url).query)), compress=compress)

    # The client makes its own, and looks the method up at each connection.
    http.ws_connect = ws_connect  # type: ignore[method-assign]


def is_this_machine(url: yarl.URL) -> bool:
    """Tell whether an address is one of the machine on which this runs."""
    if url.host == "localhost":
        return True
    try:
        return ip_address(url.host or "").is_loopback
    except ValueError:
        return False


P = ParamSpec("P")
T = TypeVar("T")


class Requests:
    """All requests of one client, its own and those that the library makes by itself.

    While a global limit passes, the library keeps a lock of all requests shut, in the middle of the request that
    met the limit. Cancelled there it never opens the lock again, and nothing is sent until the process ends. So a
    request is a task of its own: a deadline, a shutdown or a cancelled caller ends the waiting and nothing else.
    """

    def __init__(self) -> None:
        self._begun: dict[asyncio.Task[object], float] = {}

    def guard(self, client: discord.Client) -> None:
        """Protect all future requests of `client`, to the REST API or for members, from cancellation."""
        # The client makes both objects itself, and looks these methods up at each call.
        client.http.request = self._whole(client.http.request)  # type: ignore[method-assign]
        state = client._connection
        state.query_members = self._whole(state.query_members)  # type: ignore[method-assign]

    def guard_interactions(self) -> None:
        """Protect future answers to interactions by this task, and by tasks that it starts, from cancellation."""
        adapter = AsyncWebhookAdapter()  # type: ignore[no-untyped-call]
        adapter.request = self._whole(adapter.request)  # type: ignore[method-assign]
        async_context.set(adapter)

    @property
    def count(self) -> int:
        """How many are under way."""
        return len(self._begun)

    @property
    def oldest_seconds(self) -> float:
        """For how many real seconds the oldest one has been under way; 0 if none is."""
        begun = min(self._begun.values(), default=None)
        return 0.0 if begun is None else asyncio.get_running_loop().time() - begun

    async def settled(self, seconds: float) -> None:
        """Return when none is under way that is now, or after `seconds` real seconds."""
        if self._begun:
            await asyncio.wait([*self._begun], timeout=seconds)

    async def abandon(self) -> None:
        """Give up all that are under way. Only for a client that is closed, and will never send anything again."""
        left = [*self._begun]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _whole(
        self, request: Callable[P, Coroutine[object, object, T]]
    ) -> Callable[P, Coroutine[object, object, T]]:
        async def whole(*args: P.args, **kwargs: P.kwargs) -> T:
            task = asyncio.ensure_future(request(*args, **kwargs))
            self._begun[task] = asyncio.get_running_loop().time()
            task.add_done_callback(self._ended)
            return await asyncio.shield(task)

        return whole

    def _ended(self, task: asyncio.Task[object]) -> None:
        del self._begun[task]
        if not task.cancelled():
            # Nobody may wait any more for how it ended.
            task.exception()


TimeListener = Callable[[datetime], None]
"""Told what time it is for Discord."""

_RESETS: Final = "X-RateLimit-Reset"
_RESETS_AFTER: Final = "X-RateLimit-Reset-After"


def ignore_time(_moment: datetime) -> None:
    """Make nothing of Discord's time."""


class DiscordTime:
    """Keeps the latest time that Discord reported, continued by a clock that cannot be set. `heeded` is called with the
    time of every answer.
    """

    def __init__(self, heeded: TimeListener = ignore_time) -> None:
        self._heeded = heeded
        self._by_answers: tuple[datetime, float] | None = None
        self._by_ids: tuple[datetime, float] | None = None
        self._client: discord.Client | None = None

    def watch(self) -> aiohttp.TraceConfig:
        """Return what reads the time from every answer of a client's REST API, for the library's `http_trace`."""

        async def read(
            _session: object, _context: SimpleNamespace, ended: aiohttp.TraceRequestEndParams
        ) -> None:
            moment = time_in(ended.response.headers)
            if moment is not None:
                self._by_answers = moment, _elapsed()
                self._heeded(moment)

        config = aiohttp.TraceConfig()
        config.on_request_end.append(read)
        return config

    def ask_by(self, client: discord.Client) -> None:
        """Ask by this client, which is logged in, from now on."""
        self._client = client

    def heard(self, snowflake: int) -> None:
        """Take note of the id of something that happened right now."""
        moment = moment_of(snowflake)
        if self._by_ids is None or moment > _now(self._by_ids):
            self._by_ids = moment, _elapsed()

    def told(self) -> Sequence[datetime]:
        """Return what Discord's time is now, by its answers and by its ids, as far as there were any."""
        return [_now(one) for one in (self._by_answers, self._by_ids) if one is not None]

    async def ask(self) -> None:
        """Have Discord answer something, if it can be reached: the time stands in every answer."""
        if self._client is None:
            return
        try:
            await self._client.http.get_bot_gateway()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            logger.info("Discord does not tell the time: %s", trace(error))


def time_in(headers: Mapping[str, str]) -> datetime | None:
    """Return what time an answer of Discord's says it is; `None` if it says nothing.

    When a limit is reset stands there as a moment and as a span; their difference is Discord's own time, also behind
    a proxy, which may put its own date on the answer.
    """
    try:
        seconds = float(headers[_RESETS]) - float(headers[_RESETS_AFTER])
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    except (KeyError, ValueError, OverflowError):
        pass
    try:
        told = parsedate_to_datetime(headers["Date"])
    except (KeyError, ValueError):
        return None
    return told if told.tzinfo is not None else None


def _now(told: tuple[datetime, float]) -> datetime:
    moment, at = told
    return moment + timedelta(seconds=_elapsed() - at)


def _elapsed() -> float:
    """Return the seconds that have gone by since some moment, those in which the machine slept too."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


@asynccontextmanager
async def logged_in(
    settings: Settings, *, http_trace: aiohttp.TraceConfig | None = None
) -> AsyncIterator[discord.Client]:
    """Give a client that is logged in and hears nothing. Raises `DiscordError` if Discord does not let it in."""
    token = token_of(settings)
    library.take_over_library_log()
    use_addresses(settings)
    async with discord.Client(
        intents=discord.Intents(guilds=True), http_trace=http_trace or DiscordTime().watch()
    ) as client:
        Requests().guard(client)
        try:
            await client.login(token)
        except UNREACHABLE as error:
            raise DiscordError("Discord cannot be reached: look at the network, and try again") from error
        except Exception as error:
            raise explain_start_error(error) from error
        yield client


async def guilds_to_read(
    client: discord.Client, settings: Settings, guild_id: int | None
) -> list[discord.Guild]:
    """Return the guild with this id, or all that the bot is in and may be in, with channels and active threads.

    Raises `InvalidInputError` if the bot is not in it.
    """
    allowed = settings.allowed_guilds
    ids = [guild.id async for guild in client.fetch_guilds(limit=None, with_counts=False)]
    ids = [one for one in ids if not allowed or one in allowed]
    if guild_id is not None and guild_id not in ids:
        known = ", ".join(map(str, sorted(ids))) or "none yet"
        raise InvalidInputError(f"the bot is in no guild {guild_id} that it may read; it is in: {known}")
    return [await _whole(client, one) for one in ids if guild_id in (None, one)]


async def _whole(client: discord.Client, guild_id: int) -> discord.Guild:
    """Return a guild as a gateway would tell it: with channels, threads, and the bot as its one member."""
    if client.user is None:
        raise AssertionError("only a client that is logged in knows its guilds")
    http = client.http
    active = await http.get_active_threads(guild_id)
    data = {
        **await http.get_guild(guild_id, with_counts=False),
        "channels": await http.get_all_guild_channels(guild_id),
        "threads": active["threads"],
        "members": [await http.get_member(guild_id, client.user.id)],
    }
    # What the library offers for this leaves out channels and the bot's roles, and so every permission.
    return discord.Guild(data=cast("GuildData", data), state=client._connection)


_SECONDS: Final = 40.0
"""Real seconds for all of it; the library tries again what fails, for some fifteen of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedDiscord:
    """What Discord said."""

    told: str
    """One sentence without its full stop: what is well, or what is wrong and what to do."""
    is_well: bool
    told_at: datetime | None = None
    """What time it is now on Discord; `None` if it did not answer."""


async def examine(settings: Settings) -> ExaminedDiscord:
    """Log in by the token of the settings, look what the application may read, and connect to nothing."""
    discord_time = DiscordTime()
    try:
        # The client is closed when the time is up, so a request that is cut off hinders no other.
        async with asyncio.timeout(_SECONDS), logged_in(settings, http_trace=discord_time.watch()) as client:
            flags = client.application_flags
            granted = (
                flags.gateway_guild_members or flags.gateway_guild_members_limited,
                flags.gateway_message_content or flags.gateway_message_content_limited,
            )
            name = str(client.user)
    except TimeoutError:
        told, is_well = f"it does not answer within {_SECONDS:.0f} seconds: look at the network", False
    except DiscordError as error:
        told, is_well = str(error), False
    else:
        missing = [switch for switch, is_on in zip(INTENTS, granted, strict=True) if not is_on]
        is_well = not missing
        told = f"the token is that of {name}, which may read members and messages"
        if missing:
            told = f"the token is that of {name}, which may not read: {how_to_switch_on(*missing)}"
    return ExaminedDiscord(told=told, is_well=is_well, told_at=max(discord_time.told(), default=None))

"""What all requests share: the token, faults, limits in the headers, the record, and how ids are looked up."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiohttp import web

from tests.servers.discord import errors
from tests.servers.discord.bodies import with_body
from tests.servers.discord.errors import DiscordError, response_to
from tests.servers.discord.faults import Faults
from tests.servers.discord.limits import Limits
from tests.servers.discord.permissions import Permission, may
from tests.servers.discord.state import FakeChannel, FakeMessage, Json
from tests.servers.discord.world import World

if TYPE_CHECKING:
    from tests.servers.discord.guild import FakeGuild


API = "/api/v10"
"""Where the REST API begins."""

PAYLOAD = web.RequestKey("payload", dict)
"""Where a request keeps the JSON that its handler read from an upload."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_WITHOUT_TOKEN = ("/interactions/", "/webhooks/")
"""These carry their own token in the path."""

_LIMIT = 1000


@dataclass(slots=True, kw_only=True)
class Requested:
    """One request, and how it ended."""

    method: str
    path: str
    """Below the API's address."""
    query: dict[str, str]
    at: float
    """Real seconds, monotonic."""
    status: int | None = None
    """`None`: it is still open, or its connection was dropped."""


class Rest:
    """The frame around every handler."""

    def __init__(self, world: World, faults: Faults, limits: Limits, unexpected: list[str]) -> None:
        self.world = world
        self.requests: list[Requested] = []
        """Every request to the API, in order of arrival."""
        self.mistakes: list[Exception] = []
        """Errors of the loopback server itself."""
        self.on_answered: list[Callable[[web.Request, web.StreamResponse], Awaitable[None]]] = []
        """Called with every request and its answer, before that is sent."""
        self._faults = faults
        self._limits = limits
        self._unexpected = unexpected

    @web.middleware
    async def frame(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Check, record and answer one request."""
        if not request.path.startswith(API):
            return await handler(request)
        path = request.path.removeprefix(API)
        asked = Requested(method=request.method, path=path, query=dict(request.query), at=time.monotonic())
        self.requests.append(asked)
        response = await self._answered(request, path, handler)
        asked.status = None if request.transport is None else response.status
        if isinstance(response, web.Response) and response.status != 429:
            self._add_limits(request, response)
        for told in self.on_answered:
            await told(request, response)
        return response

    async def _answered(self, request: web.Request, path: str, handler: Handler) -> web.StreamResponse:
        over = self._limits.meet(request.method, path)
        over = over or await self._faults.meet(request, path, afterwards=False)
        if over is not None:
            return over
        try:
            if not path.startswith(_WITHOUT_TOKEN) and not self._has_token(request):
                raise DiscordError(401, 0, "401: Unauthorized")
            response = await handler(request)
        except DiscordError as error:
            response = response_to(error)
        except Exception as error:
            # A 500 would be tried again for half a minute and look like a hang.
            self.mistakes.append(error)
            return response_to(DiscordError(400, 0, f"the loopback server failed: {error!r}"))
        return await self._faults.meet(request, path, afterwards=True) or response

    async def unknown(self, request: web.Request) -> web.StreamResponse:
        """Answer what no route is for."""
        self._unexpected.append(f"{request.method} {request.path}")
        raise DiscordError(404, 0, "404: Not Found")

    def _has_token(self, request: web.Request) -> bool:
        return request.headers.get("Authorization") == f"Bot {self.world.token}"

    def _add_limits(self, request: web.Request, response: web.Response) -> None:
        route = request.match_info.route.resource
        bucket = "unknown" if route is None else str(abs(hash((request.method, route.canonical))))
        response.headers.update(
            {
                "X-RateLimit-Limit": str(_LIMIT),
                "X-RateLimit-Remaining": str(_LIMIT - 1),
                "X-RateLimit-Reset": f"{self.world.snowflakes.now().timestamp() + 1:.3f}",
                "X-RateLimit-Reset-After": "1.000",
                "X-RateLimit-Bucket": bucket,
                "Via": "1.1 google",
            }
            | self._limits.headers(request.method, request.path.removeprefix(API))
        )


def guild_of(world: World, request: web.Request) -> "FakeGuild":
    """Return the guild that the path names, if the bot is in it; raises `DiscordError` else."""
    guild = world.guilds.get(_id_in(request, "guild_id"))
    if guild is None:
        raise DiscordError(*errors.UNKNOWN_GUILD)
    if not guild.has_bot or guild.unavailable:
        raise DiscordError(*errors.MISSING_ACCESS)
    return guild


def channel_of(world: World, request: web.Request) -> FakeChannel:
    """Return the channel that the path names, if the bot can see it; raises `DiscordError` else."""
    channel = world.channels.get(_id_in(request, "channel_id"))
    if channel is None:
        raise DiscordError(*errors.UNKNOWN_CHANNEL)
    guild = channel.guild
    if guild is not None and (guild.unavailable or not guild.bot_sees(channel)):
        raise DiscordError(*errors.MISSING_ACCESS)
    return channel


def message_of(world: World, request: web.Request) -> FakeMessage:
    """Return the message that the path names; raises `DiscordError` if it is gone or may not be read."""
    channel = channel_of(world, request)
    message = channel.messages.get(_id_in(request, "message_id"))
    if message is None or message.ephemeral:
        raise DiscordError(*errors.UNKNOWN_MESSAGE)
    if message.author is not world.bot and not bot_may(channel, Permission.READ_MESSAGE_HISTORY):
        raise DiscordError(*errors.MISSING_ACCESS)
    return message


def bot_may(channel: FakeChannel, permission: Permission) -> bool:
    """Return whether the bot has a permission in `channel`; in direct messages it has all."""
    return channel.guild is None or may(channel.guild.bot, channel, permission)


def number_in(request: web.Request, name: str, *, default: int, most: int) -> int:
    """Return a number of the query, between 1 and `most`; raises `DiscordError` for another."""
    text = request.query.get(name)
    if text is None:
        return default
    if not text.isdigit() or not 1 <= int(text) <= most:
        raise errors.invalid(name, "NUMBER_TYPE_MAX", f"int value should be between 1 and {most}.")
    return int(text)


def snowflake_in(request: web.Request, name: str) -> int | None:
    """Return an id of the query, `None` if it is left out; raises `DiscordError` for what is none."""
    text = request.query.get(name)
    if text is None:
        return None
    if not text.isdigit():
        raise errors.invalid(name, "NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')
    return int(text)


def answer(body: Json | Sequence[Json], status: int = 200) -> web.Response:
    """Return a response with a body."""
    return with_body(body, status)


def done() -> web.Response:
    """Return a response without one."""
    return web.Response(status=204)


def _id_in(request: web.Request, name: str) -> int:
    text = request.match_info[name]
    if not text.isdigit():
        raise errors.invalid(name, "NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')
    return int(text)

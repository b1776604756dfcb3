"""What the model servers share: life on the loopback, scripted answers, faults, and a record of requests."""

import asyncio
import contextlib
import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self, TypeAlias

from aiohttp import web
from pydantic import BaseModel

from tests.servers import samples
from tests.servers.asked import Asked, operation_names, shared_beginning, tokens_of
from tests.servers.faults import HARMLESS, Fault, Faults
from tests.servers.streaming import Pen


@dataclass(frozen=True, slots=True)
class ToolCall:
    """An answer that calls a function instead of saying something."""

    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)


Reply: TypeAlias = (
    str | Mapping[str, object] | BaseModel | ToolCall | Fault | Callable[[Asked], "Reply | Awaitable[Reply]"]
)
"""What is said to a request. Models and mappings are sent as JSON; a `Fault` spoils the default answer."""

Key: TypeAlias = str | Callable[[Asked], bool]
"""Which requests a script is for: an operation's name, else a part of the prompt, else a rule."""

Answer: TypeAlias = str | ToolCall
"""A reply as it is about to be sent."""


LEAST_CACHED = 1024
"""Tokens with which two prompts must begin alike for a service to keep them, as Gemini and OpenAI tell it."""

_KIND_LETTERS = 60


class _Script:
    def __init__(self, key: Key, replies: Sequence[Reply]) -> None:
        self._key = key
        self._replies = list(replies)

    def fits(self, asked: Asked) -> bool:
        if callable(self._key):
            return self._key(asked)
        if self._key in operation_names():
            return asked.operation == self._key
        return self._key in asked.prompt

    def take_fault(self) -> Fault | None:
        front = self._replies[0]
        if not isinstance(front, Fault):
            return None
        self._next()
        return front

    def reply(self, *, spoiled: bool) -> Reply | None:
        """Return what is next; it is kept for the request after this one if it is `spoiled`."""
        front = self._replies[0]
        if isinstance(front, Fault):
            return None
        return front if spoiled else self._next()

    def _next(self) -> Reply:
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


class ModelServer(ABC):
    """A model service on a free port of 127.0.0.1, from `async with` on until its end."""

    faults: frozenset[Fault] = frozenset(Fault)
    """What can go wrong with this service."""

    _base_path = ""

    def __init__(self, *, port: int = 0) -> None:
        self.calls: list[Asked] = []
        """Every request, in the order of arrival, those that were rejected too."""
        self.slow_seconds = 0.3
        """Real seconds that `Fault.SLOW` adds."""
        self.retry_seconds = 25.443
        """After how many seconds a request that met `Fault.MINUTE_QUOTA` is told to come again."""
        self.limit_headers: dict[str, str] = {}
        """What whole answers tell of limits, where the protocol has that."""
        self.pen = Pen()
        """At what pace answers are written."""
        self.default: Reply = sensible
        """What answers a request that nothing was scripted for."""
        self._port = port
        self._faults = Faults()
        self._scripts: list[_Script] = []
        self._runner: web.AppRunner | None = None
        self._mistakes: list[Exception] = []
        self._known: dict[tuple[str, str, str], str] = {}

    @property
    def url(self) -> str:
        """The address for the client's base URL setting."""
        return f"http://127.0.0.1:{self._port}{self._base_path}"

    def answer(self, key: Key, reply: Reply | list[Reply]) -> None:
        """Answer requests of an operation, or with this text in their prompt, with `reply`.

        A list is given one after another, its last element for ever. A `Fault` among them spoils the reply that
        comes next (the default if there is none); what was spoiled is said again, whole, to the next request.
        What was scripted later goes first.
        """
        replies = reply if isinstance(reply, list) else [reply]
        if not replies:
            raise ValueError(f"no reply given for {key!r}: give at least one")
        self._scripts.insert(0, _Script(key, replies))

    def fail(
        self,
        fault: Fault,
        *,
        model: str | None = None,
        operation: str | None = None,
        times: int | None = None,
    ) -> None:
        """Switch a fault on for the next `times` requests (`None`: for ever) to a model, of an operation.

        Raises `ValueError` for a fault that this service does not know.
        """
        if fault not in self.faults:
            raise ValueError(
                f"{type(self).__name__} knows no {fault.name}: choose one of {sorted(self.faults)}"
            )
        self._faults.switch_on(fault, model=model, operation=operation, times=times)

    def heal(self) -> None:
        """Switch all faults off; what was scripted stays."""
        self._faults.clear()

    def requests_of(self, operation: str) -> list[Asked]:
        """Return the requests of an operation, or those with this text in their prompt."""
        script = _Script(operation, [""])
        return [asked for asked in self.calls if script.fits(asked)]

    async def __aenter__(self) -> Self:
        application = web.Application(client_max_size=64 * 1024 * 1024)
        self.add_routes(application.router)
        # A client that leaves cancels its request here too, so that tests can see that it left.
        self._runner = web.AppRunner(application, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
        # A script that fails is a mistake of the test; to the client it looked like one more bad day.
        if self._mistakes and error is None:
            raise self._mistakes[0]

    @abstractmethod
    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Say which paths this service answers."""

    @abstractmethod
    async def read(self, request: web.Request) -> Asked:
        """Return what a request asks, read from its path, headers and body."""

    @abstractmethod
    async def answered(self, request: web.Request, asked: Asked) -> web.StreamResponse:
        """Return the response to `asked`, spoiled by the fault that it meets."""

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Record a request to a model, answer it, and record how that ended."""
        asked = await self.read(request)
        asked.cached = self._still_known(asked)
        self.calls.append(asked)
        try:
            response = await self.answered(request, asked)
        except asyncio.CancelledError:
            asked.abandoned = True
            raise
        except Exception as error:
            self._mistakes.append(error)
            raise
        if asked.fault is not Fault.DROPPED_BEFORE:
            asked.status = response.status
        return response

    def _still_known(self, asked: Asked) -> int:
        """Return with how many tokens `asked` begins like the last prompt of its kind; few are not worth keeping."""
        key = (asked.model, asked.declared, asked.prompt[:_KIND_LETTERS])
        earlier = self._known.get(key, "")
        self._known[key] = asked.prompt
        same = tokens_of(asked.declared) + tokens_of(shared_beginning([earlier, asked.prompt]))
        return same if earlier and same >= LEAST_CACHED else 0

    async def meet_fault(self, request: web.Request, asked: Asked) -> web.Response | None:
        """Choose the fault that `asked` meets and let those of the connection happen.

        A response means that nothing more is to be said.
        """
        script = self._script_for(asked)
        asked.fault = self._faults.take(model=asked.model, operation=asked.operation)
        if asked.fault is None and script is not None:
            asked.fault = script.take_fault()
        match asked.fault:
            case Fault.SLOW:
                await asyncio.sleep(self.slow_seconds)
            case Fault.HANG:
                await asyncio.Event().wait()
            case Fault.DROPPED_BEFORE:
                return dropped(request)
            case Fault.HTML_ERROR:
                return _page(502, "Error: Server Error")
            case Fault.HTML_PAGE:
                return _page(200, "Sign in to the network")
            case _:
                pass
        return None

    async def reply_to(self, asked: Asked) -> Answer:
        """Return what is said to `asked`, before any fault spoils it."""
        script = self._script_for(asked)
        spoiled = asked.fault is not None and asked.fault not in HARMLESS
        reply = script.reply(spoiled=spoiled) if script is not None else None
        said = await self._settled(self.default if reply is None else reply, asked)
        if isinstance(said, ToolCall):
            return said
        if isinstance(said, Mapping) and asked.must_call:
            return ToolCall(asked.must_call[0], said)
        return said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)

    def _script_for(self, asked: Asked) -> _Script | None:
        return next((script for script in self._scripts if script.fits(asked)), None)

    async def _settled(self, reply: Reply, asked: Asked) -> str | Mapping[str, object] | ToolCall:
        while callable(reply):
            given = reply(asked)
            reply = await given if inspect.isawaitable(given) else given
        if isinstance(reply, Fault):
            raise TypeError(f"{reply!r} came out of a function: put faults into lists, or switch them on")
        return reply.model_dump(mode="json") if isinstance(reply, BaseModel) else reply


def sensible(asked: Asked) -> Reply:
    """Return the smallest answer that fits the schema of `asked`, or its operation, else "OK"."""
    if asked.schema is None:
        return "OK" if asked.operation is None else samples.lines_for(asked.operation)
    made = samples.sample(asked.schema)
    return made if isinstance(made, str | dict) else json.dumps(made)


def dropped(request: web.Request) -> web.Response:
    """Close the connection of `request` without a word; the response goes nowhere."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def sent_by_half(request: web.Request, body: bytes) -> web.StreamResponse:
    """Announce the whole of `body`, send half of it and drop the connection."""
    response = web.StreamResponse(
        headers={"Content-Type": "application/json", "Content-Length": str(len(body))}
    )
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        await response.write(body[: len(body) // 2])
    if request.transport is not None:
        request.transport.close()
    return response


def _page(status: int, title: str) -> web.Response:
    text = f"<!DOCTYPE html><html><head><title>{title}</title></head><body><p>{title}</p></body></html>"
    return web.Response(status=status, text=text, content_type="text/html")

"""Serving the application: in `keepsake run` beside Discord, or alone in `keepsake web`."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.adapters.monitoring.exporting import figures_of
from bot.adapters.monitoring.health import Health
from bot.adapters.web.app import guarded, make_app
from bot.adapters.web.guard import HEADERS, MOST_REQUESTS
from bot.adapters.web.parts import EntryLink, KeptFigures, WebParts, address_of, is_loopback
from bot.adapters.web.problems import ProblemResponse
from bot.adapters.web.tries import FailedTries
from bot.chat.keepsake import Keepsake
from bot.core.errors import SettingsError
from bot.core.settings import Settings
from bot.db.signs import silent_for

SERVICE: Final = "web server"

_ENDING_SECONDS: Final = 2
"""Real seconds that answers under way get in the end, of the eight that the whole end may take."""

_MOST_CONNECTIONS: Final = 4 * MOST_REQUESTS
"""Connections at once, most of which wait for their next request. What is beyond is refused before it is read."""

Tell: TypeAlias = Callable[[str], None]
"""Gets one line of the start."""


class _Server(uvicorn.Server):
    """A server that leaves the signals to the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Change nothing: `bot.cli` ends the process in good order."""
        yield


class _Protocol(H11Protocol):
    """HTTP as uvicorn speaks it, which refuses what is no HTTP as everything else is refused."""

    def send_400_response(self, msg: str) -> None:
        """Answer that what came cannot be read, and end the connection."""
        problem = ProblemResponse(400, "what was sent is no HTTP request")
        guarding = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        headers = [*problem.raw_headers, *guarding, (b"connection", b"close")]
        for event in (
            h11.Response(status_code=problem.status_code, headers=headers),
            h11.Data(data=bytes(problem.body)),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class WebServer:
    """Serves the application on one socket, as long as its loop runs."""

    def __init__(self, parts: WebParts) -> None:
        self._settings = parts.keepsake.settings
        self.app: Final = make_app(parts)
        self._guarded = guarded(self.app, parts)
        self._socket: socket.socket | None = _bound(self._settings)
        self.port: Final[int] = self._socket.getsockname()[1]
        """Where it listens, also if any free port was asked for."""

    async def serve(self) -> None:
        """Answer requests until cancelled; called again after an error, it listens again."""
        listening, self._socket = self._socket or _bound(self._settings, self.port), None
        server = _Server(
            uvicorn.Config(
                self._guarded,
                http=_Protocol,
                ws="none",
                lifespan="off",
                log_config=None,
                # A path or a query may hold what was searched for.
                access_log=False,
                server_header=False,
                # Only a proxy on this machine is believed when it says whom it speaks for.
                proxy_headers=self._settings.web_url is not None,
                forwarded_allow_ips="127.0.0.1,::1",
                limit_concurrency=_MOST_CONNECTIONS,
                timeout_graceful_shutdown=_ENDING_SECONDS,
            )
        )
        try:
            with silent_for():
                await server.serve(sockets=[listening])
        except asyncio.CancelledError:
            if server.started:
                await server.shutdown(sockets=[listening])
            raise
        finally:
            listening.close()

    def close(self) -> None:
        """Give the port back, if the loop never ran."""
        if self._socket is not None:
            self._socket.close()


@asynccontextmanager
async def serving(keepsake: Keepsake, *, tell: Tell | None = None) -> AsyncIterator[WebServer]:
    """Serve the application as a service of `keepsake` until this ends.

    `tell` gets the lines of the start, which are printed otherwise. Without a token only this machine may come in, by
    a link that is among them. Raises `SettingsError` if others could reach it then, or if it cannot listen where it
    should.
    """
    settings, tell = keepsake.settings, tell or _print
    link = None if await keepsake.memory.access.has_tokens() else EntryLink()
    if link is not None and not is_loopback(settings.web_host):
        raise SettingsError(
            f"WEB_HOST: {settings.web_host!r} can be reached from elsewhere, and there is no token: make one with"
            " 'keepsake token create NAME --scope write', or leave WEB_HOST at 127.0.0.1"
        )
    async with figures_of(keepsake) as figures:
        parts = WebParts(
            keepsake=keepsake,
            link=link,
            tries=FailedTries(),
            health=Health(keepsake),
            figures=figures,
            kept=KeptFigures(keepsake),
        )
        async with _listening(parts, tell) as server:
            yield server


@asynccontextmanager
async def _listening(parts: WebParts, tell: Tell) -> AsyncIterator[WebServer]:
    keepsake, link = parts.keepsake, parts.link
    server = WebServer(parts)
    keepsake.services.start(SERVICE, server.serve)
    try:
        address = address_of(keepsake.settings.model_copy(update={"web_port": server.port}))
        tell(f"The pages are at {address}/, the admin API is at {address}/api/v1.")
        if link is not None and link.code is not None:
            tell(
                f"There is no token. Within 15 minutes this link lets you in, once: {address}/enter?code={link.code}"
            )
        yield server
    finally:
        await keepsake.services.stop(server.serve)
        server.close()


def _print(line: str) -> None:
    print(line, flush=True)


def _bound(settings: Settings, port: int | None = None) -> socket.socket:
    """Return a socket that is bound where the settings say; raises `SettingsError`."""
    host = settings.web_host
    wanted = settings.web_port if port is None else port
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, wanted, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        raise SettingsError(
            f"the web part cannot listen on {host}:{wanted}: {error.strerror or error};"
            " WEB_HOST and WEB_PORT say where it should"
        ) from error
    return listening

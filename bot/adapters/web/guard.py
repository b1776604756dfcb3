"""Checks before every request: the number of concurrent requests, the host name, and the size of the body; adds
headers, and answers when something fails.
"""

import logging
import re
from collections.abc import Collection
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.adapters.web.problems import ProblemResponse
from bot.core.log import trace

logger = logging.getLogger(__name__)


MOST_BYTES: Final = 64 * 1024
"""Of a body; the largest that is of any use is a reason, or a persona."""

MOST_REQUESTS: Final = 64
"""At once; the database gives ten connections, which the bot needs too."""

_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""One style sheet and no script at all, from here or from elsewhere: what members wrote can run nowhere."""

HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Of every answer: what is shown here is nobody else's, and is kept by no cache."""

_STRICT_TRANSPORT: Final = "max-age=31536000"

_HOST: Final = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]:@/\s]+))(?::\d{1,5})?")


class Guard:
    """Serves `app` to requests whose `Host` is one of `hosts`, or (`None`) whatever it is."""

    def __init__(self, app: ASGIApp, *, hosts: Collection[str] | None, is_secure: bool = False) -> None:
        """`is_secure` says that browsers come by https, be it to a proxy."""
        self._app = app
        self._hosts = hosts
        self._is_secure = is_secure
        self._running = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                self._put_headers(message)
            await send(message)

        self._running += 1
        try:
            if refusal := self._refusal(Headers(scope=scope)):
                await refusal(scope, receive, send_guarded)
            else:
                await self._app(scope, _bounded(receive), send_guarded)
        except Exception as error:
            # What it says of itself may quote what members wrote.
            logger.error("a request failed: %s %s: %s", scope["method"], _route(scope), trace(error))
            if not begun:
                await ProblemResponse(500)(scope, receive, send_guarded)
        finally:
            self._running -= 1

    def _put_headers(self, message: Message) -> None:
        headers = MutableHeaders(scope=message)
        for name, value in HEADERS.items():
            headers.setdefault(name, value)
        if self._is_secure:
            headers.setdefault("Strict-Transport-Security", _STRICT_TRANSPORT)

    def _refusal(self, headers: Headers) -> ProblemResponse | None:
        if self._running > MOST_REQUESTS:
            return ProblemResponse(503, "too many requests are being answered at once", {"Retry-After": "1"})
        if self._hosts is not None and _host_of(headers.get("host", "")) not in self._hosts:
            return ProblemResponse(400, "this server is not called so: see WEB_URL")
        return None


def _bounded(receive: Receive) -> Receive:
    """Return `receive` so that it ends a body that goes on for too long, whatever its headers said."""
    received = 0

    async def receive_bounded() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MOST_BYTES:
            raise HTTPException(413, f"the body has more than {MOST_BYTES} bytes")
        return message

    return receive_bounded


def _host_of(written: str) -> str | None:
    """Return the name or address in a `Host` header, without its port; `None` if it is none."""
    found = _HOST.fullmatch(written)
    return (found["six"] or found["name"]).casefold() if found else None


def _route(scope: Scope) -> str:
    """Return the pattern of the route: a path may hold what was searched for."""
    return str(getattr(scope.get("route"), "path", "?"))

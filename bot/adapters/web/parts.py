"""The dependencies of the web server, and how a request finds them."""

import asyncio
import hmac
import ipaddress
import secrets
import time
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias
from urllib.parse import urlsplit

from fastapi import Depends, Request

from bot.adapters.monitoring.exporting import Figures
from bot.adapters.monitoring.health import Health
from bot.adapters.web.tries import FailedTries
from bot.chat.keepsake import Keepsake
from bot.core.settings import Settings
from bot.memory.rights.access.access import OperatorAccess
from bot.memory.rights.counting.counting import KeptCounts

LINK_SECONDS: Final = 900
"""Real seconds for which the link of the start waits: it stands in a terminal, or in a log."""

COUNTED_SECONDS: Final = 300.0
"""Real seconds for which counts over all servers are told again."""


class EntryLink:
    """The link that is printed at the start while there is no token: it works once."""

    def __init__(self) -> None:
        self._code: str | None = secrets.token_urlsafe(32)
        self._until = time.monotonic() + LINK_SECONDS

    @property
    def code(self) -> str | None:
        """What lets in who comes with it; `None` if it was used, or it is too late."""
        return self._code if time.monotonic() < self._until else None

    def used(self, code: str) -> bool:
        """Tell whether `code` lets in, which it does but once."""
        known = self.code
        if known is None or not hmac.compare_digest(known.encode(), code.encode()):
            return False
        self._code = None
        return True


class KeptFigures:
    """How much is kept of all servers together, counted once in a while: that reads many rows."""

    def __init__(self, keepsake: Keepsake) -> None:
        self._keepsake = keepsake
        self._counting = asyncio.Lock()
        self._counted: tuple[float, KeptCounts] | None = None

    async def counts(self) -> KeptCounts:
        """Return the counts, with days of UTC, as they were `COUNTED_SECONDS` ago at the earliest."""
        async with self._counting:
            if self._counted is None or time.monotonic() - self._counted[0] >= COUNTED_SECONDS:
                kept = await self._keepsake.memory.counting.of_all(now=self._keepsake.now(), time_zone="UTC")
                self._counted = time.monotonic(), kept
            return self._counted[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebParts:
    """What routes work with."""

    keepsake: Keepsake
    link: EntryLink | None
    tries: FailedTries
    health: Health
    figures: Figures
    kept: KeptFigures

    @property
    def access(self) -> OperatorAccess:
        """Who is let in."""
        return self.keepsake.memory.access


def parts_of(request: Request) -> WebParts:
    """Return the parts that serve a request."""
    parts: WebParts = request.app.state.parts
    return parts


Web: TypeAlias = Annotated[WebParts, Depends(parts_of)]
"""The parts, as an argument of a route."""


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches what listens on `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def address_of(settings: Settings) -> str:
    """Return the address under which browsers find the pages, without a slash at the end."""
    if settings.web_url is not None:
        return settings.web_url.rstrip("/")
    host = f"[{settings.web_host}]" if ":" in settings.web_host else settings.web_host
    return f"http://{host}:{settings.web_port}"


def known_hosts(settings: Settings) -> frozenset[str] | None:
    """Return the names of this server that a request may have for its host, without port; `None` for any.

    A page of somebody else's can have its own name resolved to the loopback address ("DNS rebinding"): the browser
    then sends what it says to this server, under that name.
    """
    named = {urlsplit(settings.web_url).hostname or ""} if settings.web_url is not None else set()
    if is_loopback(settings.web_host):
        return frozenset({"localhost", "127.0.0.1", "::1", settings.web_host, *named})
    return frozenset({settings.web_host, *named}) if named else None

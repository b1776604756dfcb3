"""The limits of the real Discord: sends, edits, requests, frames, identifies, members. All are off at first."""

import json
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from weakref import WeakKeyDictionary

from aiohttp import web

from tests.servers.discord.bodies import with_body
from tests.servers.discord.sessions import Connection, Session
from tests.servers.discord.state import Json

_SENDS, _SEND_SECONDS = 5, 5.0
_SEND_OR_EDIT = re.compile(r"(?:POST|PATCH(?=.*/\d+$)) /channels/(?P<channel_id>\d+)/messages(?:/\d+)?")
_REQUESTS, _REQUEST_SECONDS = 50, 1.0
_FRAMES, _FRAME_SECONDS = 120, 60.0
_IDENTIFY_SECONDS = 5.0
_MEMBERS_SECONDS = 30.0

_UNLIMITED = ("/interactions/", "/webhooks/")
"""What belongs to an interaction does not count among the requests of a bot."""


@dataclass(slots=True, kw_only=True)
class Window:
    """So many in so many seconds, counted from the first one on."""

    most: int
    seconds: float
    used: int = 0
    began: float = 0.0

    def take(self) -> float:
        """Count one, and return 0; if it is one too many, return the seconds after which there is room."""
        now = time.monotonic()
        if now - self.began >= self.seconds:
            self.began, self.used = now, 0
        if self.used >= self.most:
            return self.began + self.seconds - now
        self.used += 1
        return 0.0

    @property
    def left(self) -> int:
        """How many more there may be now."""
        return self.most - self.used

    @property
    def seconds_left(self) -> float:
        """After how many seconds it begins anew."""
        return max(0.0, self.began + self.seconds - time.monotonic())


@dataclass(slots=True)
class Limits:
    """Which limits hold, and what they refused."""

    clock: Callable[[], datetime]
    """Tells what time it is for Discord."""
    is_on: bool = False
    refused: Counter[str] = field(default_factory=Counter)
    """How much was refused: of `sends` and edits, `requests`, `frames`, `identifies`, `members`, in a `storm`."""
    _scale: float = 1.0
    _limits_every_request_for_members: bool = False
    _requests: Window = field(default_factory=lambda: Window(most=_REQUESTS, seconds=_REQUEST_SECONDS))
    _sends: dict[str, Window] = field(default_factory=dict)
    _frames: WeakKeyDictionary[Connection, Window] = field(default_factory=WeakKeyDictionary)
    _identifies: dict[int, Window] = field(default_factory=dict)
    _members: dict[str, Window] = field(default_factory=dict)
    _storm_until: float = 0.0

    def switch_on(
        self, *, scale: float = 1.0, requests: int = _REQUESTS, every_request_for_members: bool = False
    ) -> None:
        """Keep to the limits from now on.

        `scale` makes their seconds more or fewer than the real ones; `requests` is how many there may be in a second.
        Requests for some members of a guild are limited as those for all only with `every_request_for_members`.
        """
        self.is_on, self._scale = True, scale
        self._limits_every_request_for_members = every_request_for_members
        self._requests = Window(most=requests, seconds=_REQUEST_SECONDS * scale)
        for windows in (self._sends, self._frames, self._identifies, self._members):
            windows.clear()

    def switch_off(self) -> None:
        """Let everything through again."""
        self.is_on, self._storm_until = False, 0.0

    def storm(self, seconds: float) -> None:
        """Answer every request of these real seconds with a global 429, whether the other limits are on or off."""
        self._storm_until = max(self._storm_until, time.monotonic() + seconds)

    def meet(self, method: str, path: str) -> web.Response | None:
        """Count a request; a response means that it is one too many."""
        if path.startswith(_UNLIMITED):
            return None
        left = self._storm_until - time.monotonic()
        if left > 0:
            self.refused["storm"] += 1
            return limited(left, is_global=True)
        if not self.is_on:
            return None
        wait = self._requests.take()
        if wait:
            self.refused["requests"] += 1
            return limited(wait, is_global=True)
        sends = self._sends_of(method, path)
        wait = sends.take() if sends is not None else 0.0
        if wait:
            self.refused["sends"] += 1
            return limited(wait, is_global=False)
        return None

    def headers(self, method: str, path: str) -> dict[str, str]:
        """Return what a response tells of the limit that its request counts to; nothing if none is on."""
        sends = self._sends_of(method, path) if self.is_on else None
        if sends is None:
            return {}
        return {
            "X-RateLimit-Limit": str(sends.most),
            "X-RateLimit-Remaining": str(sends.left),
            "X-RateLimit-Reset": f"{self.clock().timestamp() + sends.seconds_left:.3f}",
            "X-RateLimit-Reset-After": f"{sends.seconds_left:.3f}",
        }

    def is_frame_too_many(self, connection: Connection) -> bool:
        """Count a frame of a connection."""
        window = Window(most=_FRAMES, seconds=_FRAME_SECONDS * self._scale)
        return self.is_on and self._counts("frames", self._frames.setdefault(connection, window))

    def is_identify_too_many(self, shard_id: int, *, max_concurrency: int) -> bool:
        """Count an identify: one in five seconds for all shards whose ids leave the same remainder."""
        window = Window(most=1, seconds=_IDENTIFY_SECONDS * self._scale)
        key = shard_id % max_concurrency
        return self.is_on and self._counts("identifies", self._identifies.setdefault(key, window))

    def refuse_members(self, session: Session, data: Json) -> bool:
        """Count a request for members; one too many is answered with an event that says when to ask again."""
        is_for_all = data.get("query") == "" and not data.get("limit")
        if not self.is_on or not (is_for_all or self._limits_every_request_for_members):
            return False
        guild_id = str(data.get("guild_id"))
        window = self._members.setdefault(guild_id, Window(most=1, seconds=_MEMBERS_SECONDS * self._scale))
        if not self._counts("members", window):
            return False
        meta: Json = {"guild_id": guild_id}
        if data.get("nonce") is not None:
            meta["nonce"] = data["nonce"]
        told: Json = {"opcode": 8, "retry_after": round(window.seconds_left, 3), "meta": meta}
        session.dispatch("RATE_LIMITED", json.dumps(told))
        return True

    def _counts(self, what: str, window: Window) -> bool:
        if not window.take():
            return False
        self.refused[what] += 1
        return True

    def _sends_of(self, method: str, path: str) -> Window | None:
        """Return the window of sends to the channel that `path` names, or of edits there, if it is one of them."""
        wanted = _SEND_OR_EDIT.fullmatch(f"{method} {path}")
        if wanted is None:
            return None
        key = f"{method} {wanted['channel_id']}"
        return self._sends.setdefault(key, Window(most=_SENDS, seconds=_SEND_SECONDS * self._scale))


def limited(retry_after: float, *, is_global: bool) -> web.Response:
    """Return the answer to a request that is one too many: to come again in so many seconds."""
    headers = {
        "Retry-After": str(max(1, round(retry_after))),
        "X-RateLimit-Scope": "global" if is_global else "user",
        # Without this the client takes a 429 for a ban by the network in front of Discord.
        "Via": "1.1 google",
    }
    if is_global:
        headers["X-RateLimit-Global"] = "true"
    else:
        headers |= {
            "X-RateLimit-Limit": "5",
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset-After": f"{retry_after:.3f}",
        }
    body = {
        "message": "You are being rate limited.",
        "retry_after": retry_after,
        "global": is_global,
        "code": 0,
    }
    return with_body(body, status=429, headers=headers)

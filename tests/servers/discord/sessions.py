"""A bot's session at the gateway: it outlives the connection, and remembers what may have to be told again."""

import asyncio
import contextlib
import json
import secrets
import time
from collections import deque
from dataclasses import dataclass, field
from enum import IntEnum

from aiohttp import web

from tests.servers.discord.frames import Broken, Framer
from tests.servers.discord.state import Json
from tests.servers.discord.world import Event, Intent

_KEPT_EVENTS = 20_000
"""What a session remembers for a resume; past it the resume fails."""


class Op(IntEnum):
    """The kinds of frames."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


@dataclass(frozen=True, slots=True)
class _Close:
    code: int


class Connection:
    """One web socket; what is sent waits in line, so that whoever acts never waits for the bot."""

    def __init__(
        self, request: web.Request, socket: web.WebSocketResponse, *, compresses: bool = False
    ) -> None:
        self._request = request
        self._socket = socket
        self._framer = Framer(compresses=compresses)
        self._outbox: asyncio.Queue[str | _Close] = asyncio.Queue()
        self.last_heartbeat = time.monotonic()
        self.muted = False
        """Whether nothing is said any more, though the connection stands."""
        self.ended = False
        self.breaking: Broken | None = None
        """How the next frame is broken on its way."""
        self.closing_code: int | None = None
        """The code with which the server closed it."""

    async def write(self) -> None:
        """Send what is in line until the connection ends."""
        with contextlib.suppress(ConnectionError, RuntimeError):
            while True:
                frame = await self._outbox.get()
                if isinstance(frame, _Close):
                    await self._socket.close(code=frame.code)
                    return
                broken, self.breaking = self.breaking, None
                for piece in self._framer.pieces(frame, broken):
                    if isinstance(piece, str):
                        await self._socket.send_str(piece)
                    else:
                        await self._socket.send_bytes(piece)

    def send(self, op: Op, data: object = None) -> None:
        """Send a frame that is no event."""
        self.send_text(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def send_text(self, frame: str) -> None:
        """Send a frame as it is."""
        if not self.muted and not self.ended:
            self._outbox.put_nowait(frame)

    def close(self, code: int) -> None:
        """Close with a code, once everything before is sent."""
        if self.closing_code is None:
            self.closing_code = code
            self._outbox.put_nowait(_Close(code))

    def abort(self) -> None:
        """Drop the connection without a word."""
        self.ended = True
        if self._request.transport is not None:
            self._request.transport.abort()


@dataclass(slots=True, eq=False, kw_only=True)
class Session:
    """What one identify began."""

    shard_id: int
    shard_count: int
    intents: Intent
    session_id: str = field(default_factory=lambda: secrets.token_hex(16))
    sequence: int = 0
    connection: Connection | None = None
    alive: bool = True
    """Whether it can be resumed."""
    disconnected_at: float | None = None
    untold: set[int] = field(default_factory=set)
    """The guilds that it will only be told later; until then it hears nothing of what happens there."""
    spoils: bool = False
    """Whether the next event is kept in such a form that nobody can ever read it."""
    _kept: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_KEPT_EVENTS))

    def hears(self, event: Event) -> bool:
        """Return whether `event` is told to this session, as far as shard and intents go."""
        if event.session_id is not None:
            return event.session_id == self.session_id
        if event.guild_id in self.untold:
            return False
        shard_id = 0 if event.guild_id is None else (event.guild_id >> 22) % self.shard_count
        return shard_id == self.shard_id and event.intent & self.intents == event.intent

    def dispatch(self, name: str, data: str) -> None:
        """Tell an event, its data written as JSON, and remember it for a resume."""
        self.sequence += 1
        frame = f'{{"t":"{name}","s":{self.sequence},"op":0,"d":{data}}}'
        if self.spoils:
            frame, self.spoils = frame[: len(frame) // 2], False
        self._kept.append((self.sequence, frame))
        if self.connection is not None:
            self.connection.send_text(frame)

    def can_resume_after(self, sequence: int) -> bool:
        """Return whether everything after `sequence` is still remembered."""
        oldest = self._kept[0][0] if self._kept else self.sequence + 1
        return self.alive and oldest <= sequence + 1 <= self.sequence + 1

    def resume(self, connection: Connection, after: int) -> None:
        """Go on over a new connection: tell again what came after, then say so."""
        self.connection = connection
        self.disconnected_at = None
        for sequence, frame in list(self._kept):
            if sequence > after:
                connection.send_text(frame)
        self.dispatch("RESUMED", json.dumps({"_trace": ["loopback"]}))

    def expired(self, after_seconds: float) -> bool:
        """Return whether it was without a connection for longer than Discord waits."""
        gone = self.disconnected_at
        return gone is not None and time.monotonic() - gone > after_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Identified:
    """An identify as it came."""

    shard_id: int
    shard_count: int
    intents: Intent
    at: float
    """Real seconds, monotonic."""
    body: Json

"""The gateway: hello, identify, resume, heartbeats, requests for members, and the events of each session."""

import asyncio
import contextlib
import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from aiohttp import WSMsgType, web

from tests.servers.discord import member_requests
from tests.servers.discord.greeting import Greeting
from tests.servers.discord.limits import Limits
from tests.servers.discord.sessions import Connection, Identified, Op, Session
from tests.servers.discord.state import Json
from tests.servers.discord.world import Event, Intent, World

if TYPE_CHECKING:
    from collections.abc import Callable


_UNKNOWN_OPCODE, _DECODE_ERROR, _NOT_AUTHENTICATED, _WRONG_TOKEN, _ALREADY = 4001, 4002, 4003, 4004, 4005
_INVALID_SEQUENCE, _LIMITED, _TIMED_OUT, _INVALID_SHARD, _DISALLOWED_INTENTS = 4007, 4008, 4009, 4010, 4014

ENDING_CODES = frozenset(
    {1000, 1001, _WRONG_TOKEN, _INVALID_SEQUENCE, _TIMED_OUT, 4010, 4011, 4012, 4013, 4014}
)
"""After a close with one of these the session cannot be resumed."""


class Gateway:
    """All sessions and connections."""

    def __init__(self, world: World, limits: Limits, unexpected: list[str]) -> None:
        self.world = world
        self._unexpected = unexpected
        self._limits = limits
        self.sessions: dict[str, Session] = {}
        self.connections: list[Connection] = []
        self.identified: list[Identified] = []
        """Every identify that was accepted, in order."""
        self.resumed = 0
        """How often a session was resumed."""
        self.heartbeats = 0
        self.heartbeat_seconds = 41.25
        """How often clients are told to give a sign of life; after twice as long without one they are cut off."""
        self.resume_seconds = 180.0
        """For how long a session without a connection can be resumed."""
        self.refusing = False
        """Whether new connections are refused."""
        self.acknowledges = True
        """Whether heartbeats are answered."""
        self.compresses = False
        """Whether clients get compressed frames that ask for them."""
        self.greeting = Greeting(world)
        """What a new session is told first."""
        world.listeners.append(self.tell)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection from hello to its end."""
        if self.refusing:
            return web.Response(status=503, text="no healthy upstream")
        socket = web.WebSocketResponse(max_msg_size=0, timeout=0.5)
        await socket.prepare(request)
        connection = Connection(request, socket, compresses=self._compresses_for(request))
        self.connections.append(connection)
        writer = asyncio.create_task(connection.write())
        watch = asyncio.create_task(self._watch(connection))
        connection.send(Op.HELLO, {"heartbeat_interval": int(self.heartbeat_seconds * 1000), "_trace": []})
        try:
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    self._receive(connection, frame.data)
        finally:
            connection.ended = True
            self.connections.remove(connection)
            self._left(connection, socket.close_code)
            for task in (writer, watch):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        return socket

    def tell(self, event: Event) -> None:
        """Tell `event` to the sessions that may know of it."""
        heard_by = [one for one in self._living() if one.hears(event)]
        if not heard_by or not self._may_be_told(event):
            return
        garbled = self.world.unkind.garbled(event.name, event.data)
        if garbled is not None:
            event = replace(event, data=garbled, blanked=garbled)
        whole: str | None = None
        for session in heard_by:
            if event.blanked is not None and not session.intents & Intent.MESSAGE_CONTENT:
                session.dispatch(event.name, json.dumps(event.blanked, ensure_ascii=False))
                continue
            whole = whole or json.dumps(event.data, ensure_ascii=False)
            session.dispatch(event.name, whole)

    def ready(self, shard_count: int | None = None) -> bool:
        """Return whether every shard is connected and identified or resumed."""
        there = {
            one.shard_id
            for one in self.sessions.values()
            if one.connection is not None and one.alive and (shard_count in (None, one.shard_count))
        }
        wanted = shard_count or max((one.shard_count for one in self.sessions.values()), default=1)
        return len(there) >= wanted

    def forget_sessions(self) -> None:
        """Let no session of now be resumed any more."""
        for session in self.sessions.values():
            session.alive = False

    def end(self) -> None:
        """Drop every connection, and tell nobody of anything any more."""
        self.refusing = True
        self.greeting.end()
        for connection in list(self.connections):
            connection.abort()

    def _compresses_for(self, request: web.Request) -> bool:
        return self.compresses and request.query.get("compress") == "zlib-stream"

    def _living(self) -> list[Session]:
        for session in list(self.sessions.values()):
            if not session.alive or session.expired(self.resume_seconds):
                session.alive = False
                if session.connection is None:
                    del self.sessions[session.session_id]
        return [one for one in self.sessions.values() if one.alive or one.connection is not None]

    def _may_be_told(self, event: Event) -> bool:
        guild = None if event.guild_id is None else self.world.guilds.get(event.guild_id)
        if event.guild_id is not None and (guild is None or guild.unavailable or not guild.has_bot):
            return False
        return guild is None or event.channel is None or guild.bot_sees(event.channel)

    def _session_of(self, connection: Connection) -> Session | None:
        return next((one for one in self.sessions.values() if one.connection is connection), None)

    def _left(self, connection: Connection, code: int | None) -> None:
        session = self._session_of(connection)
        if session is None:
            return
        session.connection = None
        session.disconnected_at = time.monotonic()
        if (connection.closing_code or code) in ENDING_CODES:
            session.alive = False

    async def _watch(self, connection: Connection) -> None:
        while True:
            await asyncio.sleep(self.heartbeat_seconds / 4)
            if time.monotonic() - connection.last_heartbeat > self.heartbeat_seconds * 2:
                connection.close(_TIMED_OUT)
                return

    def _receive(self, connection: Connection, text: str) -> None:
        if self._limits.is_frame_too_many(connection):
            connection.close(_LIMITED)
            return
        try:
            frame = json.loads(text)
            op, data = frame["op"], frame["d"]
        except (ValueError, KeyError, TypeError):
            self._unexpected.append(f"gateway: no frame: {text[:80]}")
            connection.close(_DECODE_ERROR)
            return
        answers: dict[int, Callable[[Connection, Json], None]] = {
            Op.IDENTIFY: self._identify,
            Op.RESUME: self._resume,
            Op.REQUEST_MEMBERS: self._request_members,
        }
        if op == Op.HEARTBEAT:
            self._beat(connection)
        elif op in answers:
            answers[op](connection, data)
        elif op != Op.PRESENCE:
            self._unexpected.append(f"gateway: opcode {op}")
            connection.close(_UNKNOWN_OPCODE)

    def _beat(self, connection: Connection) -> None:
        self.heartbeats += 1
        connection.last_heartbeat = time.monotonic()
        if self.acknowledges:
            connection.send(Op.HEARTBEAT_ACK)

    def _identify(self, connection: Connection, data: Json) -> None:
        shard = data.get("shard", [0, 1])
        intents = Intent(int(str(data.get("intents", 0))))
        code = self._refused(connection, data, intents)
        if code is not None or not isinstance(shard, list) or not 0 <= shard[0] < shard[1]:
            connection.close(code or _INVALID_SHARD)
            return
        shard_id, shard_count = int(shard[0]), int(shard[1])
        if self._limits.is_identify_too_many(shard_id, max_concurrency=self.world.portal.max_concurrency):
            connection.send(Op.INVALID_SESSION, data=False)
            return
        session = Session(shard_id=shard_id, shard_count=shard_count, intents=intents, connection=connection)
        self.sessions[session.session_id] = session
        self.world.portal.identifies_left -= 1
        self.identified.append(
            Identified(
                shard_id=shard_id, shard_count=shard_count, intents=intents, at=time.monotonic(), body=data
            )
        )
        self.greeting.greet(session)

    def _refused(self, connection: Connection, data: Json, intents: Intent) -> int | None:
        portal = self.world.portal
        if data.get("token") != self.world.token:
            return _WRONG_TOKEN
        if self._session_of(connection) is not None:
            return _ALREADY
        switched_off = (
            (Intent.MEMBERS, portal.members_intent),
            (Intent.MESSAGE_CONTENT, portal.message_content_intent),
            (Intent.PRESENCES, portal.presences_intent),
        )
        wrong = any(intents & intent and not on for intent, on in switched_off)
        return _DISALLOWED_INTENTS if wrong else None

    def _resume(self, connection: Connection, data: Json) -> None:
        if data.get("token") != self.world.token:
            connection.close(_WRONG_TOKEN)
            return
        session = self.sessions.get(str(data.get("session_id")))
        sequence = int(str(data.get("seq") or 0))
        if session is None or session.expired(self.resume_seconds) or not session.alive:
            connection.send(Op.INVALID_SESSION, data=False)
        elif sequence > session.sequence:
            connection.close(_INVALID_SEQUENCE)
        elif not session.can_resume_after(sequence):
            connection.send(Op.INVALID_SESSION, data=False)
        else:
            if session.connection is not None:
                session.connection.abort()
            self.resumed += 1
            session.resume(connection, sequence)

    def _request_members(self, connection: Connection, data: Json) -> None:
        session = self._session_of(connection)
        if session is None:
            connection.close(_NOT_AUTHENTICATED)
            return
        if self._limits.refuse_members(session, data):
            return
        problem = member_requests.answer(self.world, session, data)
        if problem is not None:
            self._unexpected.append(f"gateway: request for members: {problem}")

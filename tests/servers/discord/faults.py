"""Bad days: errors, limits and slowness of single requests, and all that can happen to a connection."""

import asyncio
import re
from dataclasses import dataclass

from aiohttp import web

from tests.servers.discord.bodies import with_body
from tests.servers.discord.errors import DiscordError, response_to
from tests.servers.discord.frames import Broken
from tests.servers.discord.gateway import Gateway
from tests.servers.discord.limits import limited
from tests.servers.discord.sessions import Op
from tests.servers.discord.state import Json


@dataclass(slots=True, kw_only=True)
class _Rule:
    method: str
    path: re.Pattern[str]
    left: int | None
    status: int | None = None
    body: Json | None = None
    retry_after: float | None = None
    is_global: bool = False
    wait_seconds: float = 0.0
    gate: asyncio.Event | None = None
    drops: bool = False
    afterwards: bool = False


class Faults:
    """The switches of everything that can go wrong.

    `path_pattern` is a path below the API's address in which `*` stands for one step and `**` for any number
    of them: `/channels/*/messages`. `method` may be `*` too. `times=None` is for ever.
    """

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._unkind = gateway.world.unkind
        self._rules: list[_Rule] = []

    def fail(
        self,
        method: str,
        path_pattern: str,
        status: int,
        body: Json | None = None,
        times: int | None = 1,
        *,
        afterwards: bool = False,
    ) -> None:
        """Answer the next requests with an error; `afterwards`: though the request has done its work."""
        rule = _Rule(method=method, path=_pattern(path_pattern), left=times, status=status, body=body)
        rule.afterwards = afterwards
        self._rules.append(rule)

    def rate_limit(
        self,
        method: str,
        path_pattern: str,
        retry_after: float,
        is_global: bool = False,
        times: int | None = 1,
        *,
        gate: asyncio.Event | None = None,
    ) -> None:
        """Answer the next requests with 429 and these seconds to wait, as soon as `gate`, if given, is open."""
        rule = _Rule(method=method, path=_pattern(path_pattern), left=times, status=429)
        rule.retry_after, rule.is_global, rule.gate = retry_after, is_global, gate
        self._rules.append(rule)

    def hold(
        self,
        method: str,
        path_pattern: str,
        gate: asyncio.Event,
        times: int | None = 1,
        *,
        afterwards: bool = False,
    ) -> None:
        """Answer the next requests only when `gate` is open; `afterwards`: though they have done their work."""
        rule = _Rule(method=method, path=_pattern(path_pattern), left=times, gate=gate)
        rule.afterwards = afterwards
        self._rules.append(rule)

    def slow(self, method: str, path_pattern: str, seconds: float, times: int | None = 1) -> None:
        """Answer the next requests only after these real seconds."""
        rule = _Rule(method=method, path=_pattern(path_pattern), left=times, wait_seconds=seconds)
        self._rules.append(rule)

    def drop(
        self, method: str, path_pattern: str, times: int | None = 1, *, afterwards: bool = False
    ) -> None:
        """Drop the connection of the next requests; `afterwards`: once the request has done its work."""
        rule = _Rule(method=method, path=_pattern(path_pattern), left=times, drops=True)
        rule.afterwards = afterwards
        self._rules.append(rule)

    def lag_last_message_ids(self, messages: int = 1) -> None:
        """Let every `last_message_id` that is told name a message that is so many older than the newest."""
        self._unkind.last_id_lag = messages

    def lag_history(self, messages: int = 1) -> None:
        """Let history not show the newest messages of any channel; each of them can be fetched by its id."""
        self._unkind.history_lag = messages

    def garble_events(self, name: str, times: int = 1) -> None:
        """Tell of the next events of this name in a form that no client can read: all but their ids is null."""
        self._unkind.garbled_events[name] += times

    def heal(self) -> None:
        """Switch everything off again."""
        self._rules.clear()
        self._unkind.last_id_lag = self._unkind.history_lag = 0
        self._unkind.garbled_events.clear()
        self.refuse_connections(False)
        self.ignore_heartbeats(False)

    def drop_socket(self, shard_id: int | None = None) -> None:
        """Drop the gateway's connections without a word; the sessions can be resumed."""
        ours = [one for one in self._gateway.sessions.values() if shard_id in (None, one.shard_id)]
        for session in ours:
            if session.connection is not None:
                session.connection.abort()

    def invalidate(self, resumable: bool) -> None:
        """Tell every connection that its session is invalid (opcode 9)."""
        if not resumable:
            self._gateway.forget_sessions()
        for connection in self._gateway.connections:
            connection.send(Op.INVALID_SESSION, resumable)

    def ask_reconnect(self) -> None:
        """Ask every connection to come again (opcode 7)."""
        for connection in self._gateway.connections:
            connection.send(Op.RECONNECT)

    def break_frame(self, how: Broken) -> None:
        """Break the next frame of every connection on its way; who resumes is told it again, whole."""
        for connection in self._gateway.connections:
            connection.breaking = how

    def spoil_event(self) -> None:
        """Make the next event of every session such that nobody can read it, however often it is told."""
        for session in self._gateway.sessions.values():
            session.spoils = True

    def close(self, code: int) -> None:
        """Close every connection with a code of the gateway, such as 4000 or 4014."""
        for connection in self._gateway.connections:
            connection.close(code)

    def go_silent(self) -> None:
        """Say nothing more over the connections of now, though they stand; what happens is kept for a resume."""
        for connection in self._gateway.connections:
            connection.muted = True

    def ignore_heartbeats(self, ignored: bool = True) -> None:
        """Leave heartbeats unanswered."""
        self._gateway.acknowledges = not ignored

    def forget_sessions(self) -> None:
        """Let the next resume fail: nothing of now can be told again."""
        self._gateway.forget_sessions()

    def refuse_connections(self, refused: bool = True) -> None:
        """Refuse new connections to the gateway (503); those that stand stay."""
        self._gateway.refusing = refused

    async def meet(self, request: web.Request, path: str, *, afterwards: bool) -> web.Response | None:
        """Let the fault happen that waits for this request; a response means that nothing else is said."""
        rule = self._take(request.method, path, afterwards=afterwards)
        if rule is None:
            return None
        if rule.gate is not None:
            await rule.gate.wait()
        if rule.wait_seconds:
            await asyncio.sleep(rule.wait_seconds)
        if rule.drops and request.transport is not None:
            request.transport.abort()
            return web.Response()
        if rule.retry_after is not None:
            return limited(rule.retry_after, is_global=rule.is_global)
        if rule.status is None:
            return None
        if rule.body is not None:
            return with_body(rule.body, status=rule.status)
        if rule.status >= 500:
            return web.Response(status=rule.status, text="upstream connect error", content_type="text/plain")
        return response_to(DiscordError(rule.status, _CODES.get(rule.status, 0), "An error by request"))

    def _take(self, method: str, path: str, *, afterwards: bool) -> _Rule | None:
        for rule in self._rules:
            fits = rule.method in ("*", method) and rule.path.fullmatch(path) is not None
            if fits and rule.left != 0 and rule.afterwards is afterwards:
                rule.left = None if rule.left is None else rule.left - 1
                return rule
        return None


_CODES = {400: 50035, 401: 0, 403: 50013, 404: 10008}
"""Discord's own code where a test names a status alone."""


def _pattern(path_pattern: str) -> re.Pattern[str]:
    steps = {"**": ".*", "*": "[^/]+"}
    return re.compile(
        "".join(steps.get(part) or re.escape(part) for part in re.split(r"(\*\*|\*)", path_pattern))
    )

"""Faults drawn from a seed: what hurts process, gateway, REST API and database, when, and for how long."""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from random import Random
from typing import Final

from tests.chaos.cluster import Cluster
from tests.chaos.stage import Stage
from tests.chaos.upkeep import AWAY, Upkeep
from tests.servers.discord.frames import Broken
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until


class Fault(StrEnum):
    """What may happen."""

    KILL = "SIGKILL"
    TERMINATE = "SIGTERM"
    DROP = "socket dropped"
    RECONNECT = "opcode 7"
    INVALID = "opcode 9, resumable"
    FORGOTTEN = "opcode 9, session lost"
    BROKEN = "broken frame"
    SPOILED = "event that nobody can read"
    LATE_GUILDS = "session lost, guilds come late"
    STALE = "session lost, last_message_id lags"
    RESTART = "database falls over"
    CUT_OFF = "database connections ended"
    LOCK = "database table locked"
    SLOW = "database statements slow"
    GLOBAL_LIMIT = "global 429"
    FAILING = "5xx"
    DONE_AND_FAILING = "5xx, though done"
    UNHEARD = "request dropped, though done"
    LONG_OUTAGE = "away for six minutes"


_LIKELY: Final[Mapping[Fault, int]] = {
    Fault.KILL: 4,
    Fault.TERMINATE: 2,
    Fault.LONG_OUTAGE: 0,
}
"""How often each comes, beside the others; 1 where nothing else is said."""

_ACTS_A_SECOND: Final = 100
"""How many acts a long outage takes for each of its seconds, whatever their pace."""

_AWAY_SECONDS: Final = 180.0
"""Real seconds after which a bot that does not end, or does not answer, is a mistake."""

_TABLES: Final = ("chat_history", "facts", "answers", "channels")

LATE: Final = timedelta(minutes=6)
"""By so much Discord's clock moves on in a long outage: whatever was said before is not answered any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coming:
    """A fault that begins with an act."""

    act: int
    fault: Fault
    seconds: float
    which: int
    """Chooses among what may be hit."""


def forecast(seed: int, acts: int, *, faults: int) -> list[Coming]:
    """Return so many faults among so many acts; if there are more than a few, a long outage is one of them."""
    chance = Random(seed * 7_919 + 1)
    kinds = [fault for fault in Fault if _LIKELY.get(fault, 1)]
    weights = [_LIKELY.get(fault, 1) for fault in kinds]
    # Everything once, as far as there is room, and then whatever comes.
    first = chance.sample(kinds, min(len(kinds), faults))
    drawn = first + chance.choices(kinds, weights, k=faults - len(first))
    if faults > len(Fault):
        drawn[chance.randrange(len(drawn))] = Fault.LONG_OUTAGE
    at = sorted(chance.randrange(acts // 20, max(acts // 20 + 1, acts * 19 // 20)) for _ in drawn)
    return [
        Coming(act=act, fault=fault, seconds=chance.uniform(0.3, 3.0), which=chance.randrange(1_000))
        for act, fault in zip(at, drawn, strict=True)
    ]


def leap(coming: list[Coming], acts: int) -> int | None:
    """Return the act before which Discord's clock moves on by `LATE`; `None` if no long outage is coming."""
    for one in coming:
        if one.fault is Fault.LONG_OUTAGE:
            return min(one.act + round(one.seconds * _ACTS_A_SECOND), acts - 1)
    return None


@dataclass
class Weather:
    """Lets faults happen on a stage; what hits the process, or the database, waits for what did so before.

    Discord's clock moves on before the act `leaps_at`, with or without faults: what is too old by then for a rule is so
    on a calm day too.
    """

    stage: Stage
    upkeep: Upkeep
    cluster: Cluster
    dsn: str
    coming: list[Coming]
    commands: Collection[int]
    leaps_at: int | None
    happened: Counter[Fault] = field(default_factory=Counter)
    late: set[int] = field(default_factory=set)
    """The commands that were not answered when a long outage made them too old."""
    _is_away: asyncio.Event = field(default_factory=asyncio.Event)
    _has_leapt: asyncio.Event = field(default_factory=asyncio.Event)
    _under_way: list[asyncio.Task[None]] = field(default_factory=list)
    _process: asyncio.Lock = field(default_factory=asyncio.Lock)
    _database: asyncio.Lock = field(default_factory=asyncio.Lock)

    @staticmethod
    def put_clock_back(server: DiscordServer) -> None:
        """Put the clock of an empty Discord back, to move it on again later."""
        server.world.snowflakes.ahead = -LATE

    async def on_act(self, number: int) -> None:
        """Let happen what comes with an act."""
        if number == self.leaps_at:
            await self._leap()
        for one in self.coming:
            if one.act == number:
                self._under_way.append(asyncio.create_task(self._happen(one)))

    async def over(self) -> None:
        """Return when everything has happened, and heal what is left of it."""
        await asyncio.gather(*self._under_way)
        await self.cluster.hurry(self.dsn)
        self.stage.server.faults.heal()
        self.stage.server.gateway.greeting.guild_pause_seconds = 0

    async def _happen(self, one: Coming) -> None:
        match one.fault:
            case Fault.KILL | Fault.TERMINATE:
                async with self._process, self.upkeep.away(kill=one.fault is Fault.KILL):
                    await asyncio.sleep(one.seconds)
            case Fault.LONG_OUTAGE:
                async with self._process, self.upkeep.away(kill=True):
                    self._is_away.set()
                    await self._has_leapt.wait()
            case Fault.RESTART | Fault.CUT_OFF | Fault.LOCK | Fault.SLOW:
                async with self._database:
                    await self._hurt_database(one)
            case Fault.GLOBAL_LIMIT | Fault.FAILING | Fault.DONE_AND_FAILING | Fault.UNHEARD:
                self._hurt_requests(one)
            case _:
                await self._hurt_gateway(one)
        self.happened[one.fault] += 1

    async def _leap(self) -> None:
        """Move Discord's clock on: while the bot is away, or on a calm day once it has answered everything."""
        if any(one.fault is Fault.LONG_OUTAGE for one in self.coming):
            await until(self._is_away.is_set, _AWAY_SECONDS, what="the bot is away")
        else:
            await until(
                lambda: not self.stage.unanswered(self.commands), _AWAY_SECONDS, what="all is answered"
            )
        self.late = self.stage.unanswered(self.commands)
        self.stage.server.world.snowflakes.ahead = timedelta()
        self._has_leapt.set()

    async def _hurt_database(self, one: Coming) -> None:
        table = _TABLES[one.which % len(_TABLES)]
        try:
            match one.fault:
                case Fault.RESTART:
                    await self.cluster.restart(away_seconds=one.seconds)
                case Fault.CUT_OFF:
                    await self.cluster.terminate(self.dsn)
                case Fault.LOCK:
                    await self.cluster.lock(self.dsn, table, one.seconds)
                case _:
                    await self.cluster.slow(self.dsn, table, one.seconds)
        except AWAY:
            # A bot that starts anew may be in the way, or another fault has ended this connection.
            self.happened[one.fault] -= 1

    def _hurt_requests(self, one: Coming) -> None:
        faults, times = self.stage.server.faults, 1 + one.which % 3
        paths = ("/channels/*/messages", "/channels/*/typing", "**")
        path = paths[one.which % len(paths)]
        match one.fault:
            case Fault.GLOBAL_LIMIT:
                faults.rate_limit("*", path, one.seconds, is_global=True, times=times)
            case Fault.FAILING:
                faults.fail("*", path, (500, 502, 503)[one.which % 3], times=times)
            case Fault.DONE_AND_FAILING:
                faults.fail("POST", paths[0], 502, times=times, afterwards=True)
            case _:
                faults.drop("POST", paths[0], times=times, afterwards=True)

    async def _hurt_gateway(self, one: Coming) -> None:
        server = self.stage.server
        # What hits nobody is no fault.
        await self.stage.connected()
        faults, greeting = server.faults, server.gateway.greeting
        match one.fault:
            case Fault.DROP:
                faults.drop_socket()
            case Fault.RECONNECT:
                faults.ask_reconnect()
            case Fault.INVALID:
                faults.invalidate(resumable=True)
            case Fault.FORGOTTEN:
                faults.invalidate(resumable=False)
            case Fault.BROKEN:
                faults.break_frame(tuple(Broken)[one.which % len(Broken)])
            case Fault.SPOILED:
                faults.spoil_event()
            case Fault.LATE_GUILDS:
                greeting.guild_pause_seconds = one.seconds
                faults.invalidate(resumable=False)
                await asyncio.sleep(4 * one.seconds)
                greeting.guild_pause_seconds = 0
            case _:
                faults.lag_last_message_ids(20)
                faults.invalidate(resumable=False)
                await asyncio.sleep(2 * one.seconds)
                faults.lag_last_message_ids(0)

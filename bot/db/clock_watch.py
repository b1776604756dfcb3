"""Compares the machine's clock with the database server's and Discord's; retention stops while they disagree."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, Protocol

from bot.core.clock import MOST_PUT_RIGHT, Clock, SystemClock
from bot.db.pool import Connection, Database
from bot.db.rows import row_as

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Moments to compare the clock of a machine with."""

    database: datetime
    discord: datetime | None
    """The newest moment that Discord told any process of this installation; `None` if it told none."""


async def read_clocks(connection: Connection) -> Clocks:
    """Return what the database server's clock shows, and the newest moment that Discord told."""
    row = await connection.fetchrow(
        "SELECT clock_timestamp() AS database, discord_told_at AS discord FROM installation WHERE guild_id = 0"
    )
    if row is None:
        raise AssertionError("every database has its installation")
    return row_as(Clocks, row)


async def keep_discord_time(connection: Connection, moment: datetime) -> None:
    """Keep `moment` as the newest that Discord told, unless a newer one is kept."""
    await connection.execute(
        """
        UPDATE installation SET discord_told_at = $1
        WHERE guild_id = 0 AND (discord_told_at IS NULL OR discord_told_at < $1)
        """,
        moment,
    )


TOLERANCE: Final = MOST_PUT_RIGHT
"""How far clocks may differ: less than the shortest retention, a day, and more than machines differ that are well."""


class ClockSource(StrEnum):
    """Who says what time it is."""

    DATABASE = "the database server"
    DISCORD = "Discord"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockDoubt:
    """Why the machine's clock is not believed."""

    source: ClockSource
    ours: datetime
    theirs: datetime | None = None
    """What the source says; `None` if it could not be asked yet."""

    def __str__(self) -> str:
        if self.theirs is None:
            return f"the clock of this machine could not be compared with {self.source} yet"
        side = "ahead of" if self.ours > self.theirs else "behind"
        return f"the clock of this machine is {spoken_span(self.ours - self.theirs)} {side} what {self.source} says"


class ClockWitness(Protocol):
    """Something that receives the time from Discord."""

    def told(self) -> Sequence[datetime]:
        """Return what Discord's time is now, by each way in which it was told; nothing if it never was."""

    async def ask(self) -> None:
        """Request the time from Discord again, if it can be reached."""


class ClockWatch:
    """Compares the clock of the `machine` with the database server's and with Discord's.

    If Discord cannot be asked, the newest time that it reported to any process is used instead: the clock may not
    differ much from that. With `awaits_discord` no clock is trusted before Discord has reported one. Clocks that are
    set by hand, as in transcripts, are not checked.
    """

    def __init__(self, database: Database, *, awaits_discord: bool, machine: Clock | None = None) -> None:
        self.machine: Final = machine or SystemClock()
        self.joined: Final = asyncio.Event()
        """Set when somebody else came who knows the time: what was in doubt may no longer be."""
        self._database = database
        self._awaits_discord = awaits_discord
        self._witness: ClockWitness | None = None
        self._alarm: Callable[[ClockDoubt], Awaitable[None]] | None = None
        self._logged: ClockDoubt | None = None

    def attach(self, witness: ClockWitness, *, alarm: Callable[[ClockDoubt], Awaitable[None]]) -> None:
        """Ask `witness` too from now on, and have `alarm` called when something was not removed."""
        self._witness = witness
        self._alarm = alarm
        self.joined.set()

    async def doubt(self) -> ClockDoubt | None:
        """Return why the machine's clock is not believed now; `None` if it is. Raises `DatabaseError`."""
        told = await self._database.read(read_clocks)
        if self._is_off(told.database):
            return self._doubt(ClockSource.DATABASE, told.database)
        by_discord = await self._by_discord()
        if not by_discord:
            return self._by_what_was_told(told.discord)
        furthest = max(by_discord, key=lambda moment: abs(self.machine.now() - moment))
        if self._is_off(furthest):
            return self._doubt(ClockSource.DISCORD, furthest)
        newest = max(by_discord)
        if told.discord is None or newest - told.discord > TOLERANCE / 2:
            await self._database.write(keep_discord_time, newest)
        return None

    async def is_believed(self) -> bool:
        """Tell whether the machine's clock is believed now, and otherwise log why and sound the alarm.

        Raises `DatabaseError`.
        """
        doubt = await self.doubt()
        await self._tell(doubt)
        return doubt is None

    def is_followed_by(self, clock: Clock) -> bool:
        """Tell whether `clock` shows what the machine's does, and so is as good or bad; a transcript's does not."""
        return not self._is_off(clock.now())

    def now_by(self, clock: Clock) -> datetime:
        """Return what `clock` shows, but nothing that Discord's time is far behind of.

        For what is looked for since a moment: reckoned by a clock that is ahead, that moment has not come yet, and
        all that was said would be left out as too old.
        """
        now = clock.now()
        told = self._witness.told() if self._witness is not None and self.is_followed_by(clock) else ()
        return min([now, *(moment for moment in told if self._is_off(moment))])

    def _by_what_was_told(self, before: datetime | None) -> ClockDoubt | None:
        """Judge the clock by the newest moment that Discord told anybody before."""
        if before is None:
            return self._doubt(ClockSource.DISCORD) if self._awaits_discord else None
        if not self._is_off(before):
            return None
        # A bot may well have been off for so long; a clock that is behind what was told is surely wrong.
        return self._doubt(ClockSource.DISCORD, None if self.machine.now() > before else before)

    def _doubt(self, source: ClockSource, theirs: datetime | None = None) -> ClockDoubt:
        return ClockDoubt(source=source, ours=self.machine.now(), theirs=theirs)

    async def _by_discord(self) -> Sequence[datetime]:
        if self._witness is None:
            return ()
        told = self._witness.told()
        if not told or any(self._is_off(moment) for moment in told):
            await self._witness.ask()
            told = self._witness.told()
        return told

    def _is_off(self, moment: datetime) -> bool:
        return abs(self.machine.now() - moment) > TOLERANCE

    async def _tell(self, doubt: ClockDoubt | None) -> None:
        before, self._logged = self._logged, doubt
        if doubt is None:
            if before is not None and before.theirs is not None:
                logger.warning("the clock of this machine is right again: what is too old is removed again")
            return
        if doubt.theirs is None:
            logger.info("nothing is removed by age: %s", doubt)
            return
        if before is None or before.theirs is None:
            logger.error("nothing is removed by age: %s; set it by the network (NTP)", doubt)
        if self._alarm is not None:
            await self._alarm(doubt)


def spoken_span(span: timedelta) -> str:
    """Return how long a span is, in days, hours or minutes, without its sign."""
    minutes = round(abs(span).total_seconds() / 60)
    if minutes < 120:
        return f"{minutes} minutes"
    return f"{round(minutes / 60)} hours" if minutes < 48 * 60 else f"{round(minutes / 1440)} days"

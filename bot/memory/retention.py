"""How long things are kept: what is older is removed behind, in small batches, by the clock that rules days."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.clock import Clock
from bot.domain import Guild, snowflake_at
from bot.errors import DatabaseError
from bot.log import trace
from bot.memory import lifecycle, retelling
from bot.memory.answering import QUESTION_LIFE
from bot.memory.clock_watch import TOLERANCE, ClockWatch
from bot.memory.lifecycle import lines
from bot.memory.memories.state import PAST_DAYS
from bot.service import Service, Services
from bot.settings import Settings
from bot.store import distillations, facts, guilds, quarantine, retention, sending, work
from bot.store.database import Connection, Database
from bot.store.work import Task

logger = logging.getLogger(__name__)

KIND: Final = "retention"
"""The kind of background work that sweeps one guild; its key is the moment by which things are too old."""

_SET: Final = "set "
"""Stands before a moment that somebody set, as transcripts do; every other one is a machine's."""

BATCH_ROWS: Final = 1_000
"""Rows of each table that one transaction removes."""

_TURN_BATCHES: Final = 20
"""Batches before other work has its turn."""

_PAUSE_SECONDS: Final = 0.05
"""Real seconds between batches, in which replies find connections and disks free."""

_LOOK_SECONDS: Final = 3_600.0
"""Real seconds between two sweeps of all guilds."""

_LOOK_AGAIN_SECONDS: Final = 60.0
"""The same if the database was away, or the clock is not believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What of a guild's messages is still kept at some moment, and what of the texts that tell of them."""

    begins: datetime
    """Messages from before this time are too old."""
    first_day: date
    """The first day, in the guild's zone, of which a message may be left: earlier days are told no more."""
    merged_from: datetime
    """Weeks and contexts told before this time tell of days that are too old."""


def window_of(guild: Guild | None, *, settings: Settings, now: datetime) -> Window | None:
    """Return the window of a guild at `now`; `None` if its messages are kept for ever.

    An unknown guild is kept as the installation's settings say.
    """
    chosen = guild.retention_days if guild is not None else None
    days = settings.retention_days if chosen is None else chosen
    if not days:
        return None
    zone = ZoneInfo(guild.time_zone if guild is not None else settings.time_zone)
    begins = now - timedelta(days=days)
    first_day = begins.astimezone(zone).date()
    # What was merged on some day tells of the days that were kept then, six at most.
    merged_day = first_day + timedelta(days=min(days, PAST_DAYS))
    return Window(
        begins=begins,
        first_day=first_day,
        merged_from=datetime.combine(merged_day, datetime.min.time(), zone),
    )


class Sweeper:
    """Removes what is too old, as background work.

    `who_left` is called with each guild and the time of its sweep, to have erased whoever left it long enough ago.
    Nothing is removed by a clock of a machine that the `watch` does not believe.
    """

    def __init__(
        self,
        database: Database,
        settings: Settings,
        watch: ClockWatch,
        *,
        who_left: Callable[[int, datetime], Awaitable[None]] | None = None,
    ) -> None:
        self._database = database
        self._settings = settings
        self._watch = watch
        self._who_left = who_left

    async def sweep(self, task: Task) -> None:
        """Remove what was too old in a guild at the moment that `task` names, as its retention is now.

        What is more than a turn's batches is asked for once more. Whoever comes after a crash goes on.
        """
        now = datetime.fromisoformat(task.work_key.removeprefix(_SET))
        if not task.work_key.startswith(_SET) and not await self._is_past(now):
            return
        if self._who_left is not None:
            await self._who_left(task.guild_id, now)
        for _ in range(_TURN_BATCHES):
            if not await self._database.write(lambda connection: self._batch(connection, task.guild_id, now)):
                return
            await asyncio.sleep(_PAUSE_SECONDS)
        await self._database.write(
            lambda connection: work.ask(connection, guild_id=task.guild_id, kind=KIND, work_key=task.work_key)
        )

    async def _is_past(self, now: datetime) -> bool:
        """Tell whether it is surely `now` or later: whoever asked for the sweep may have had a wrong clock."""
        return await self._watch.is_believed() and now <= self._watch.machine.now() + TOLERANCE

    async def _batch(self, connection: Connection, guild_id: int, now: datetime) -> bool:
        """Remove a batch, and tell whether there may be more."""
        guild = await guilds.guild(connection, guild_id=guild_id)
        window = window_of(guild, settings=self._settings, now=now)
        of_messages = window is not None and await _remove_messages(connection, guild_id, window)
        return await self._remove_memories(connection, guild_id, now) or of_messages

    async def _remove_memories(self, connection: Connection, guild_id: int, now: datetime) -> bool:
        """Remove facts, profiles and episodes where those have a retention of their own, and let facts expire."""
        expired = await lifecycle.expire(connection, guild_id=guild_id, now=now, limit=BATCH_ROWS)
        unwanted = await remove_unwanted(connection, guild_id=guild_id, now=now)
        await sending.empty_to_nobody(connection, guild_id=guild_id, before=now - QUESTION_LIFE)
        if days := self._settings.profile_retention_days:
            await retention.profiles(connection, guild_id=guild_id, before=now - timedelta(days=days))
        if days := self._settings.episode_retention_days:
            await retention.episodes(connection, guild_id=guild_id, before=now - timedelta(days=days))
        removed = unwanted or expired == BATCH_ROWS
        if not (days := self._settings.fact_retention_days):
            return removed
        return (
            await _remove_facts(connection, guild_id, before=now - timedelta(days=days), now=now) or removed
        )


async def _remove_facts(connection: Connection, guild_id: int, *, before: datetime, now: datetime) -> bool:
    """Remove facts that nobody told since `before`; tell whether there may be more."""
    old = await retention.old_facts(connection, guild_id=guild_id, before=before, limit=BATCH_ROWS)
    await _remove(connection, guild_id, old, now=now)
    return len(old) == BATCH_ROWS


async def remove_unwanted(
    connection: Connection, *, guild_id: int, now: datetime, by_age: bool = True
) -> bool:
    """Remove what members of a guild do not want to be kept, or not for so long; tell whether there may be more.

    Without `by_age` how long is no matter.
    """
    at = now if by_age else None
    await retention.unwanted_profiles(connection, guild_id=guild_id, now=at)
    unwanted = await retention.unwanted_facts(connection, guild_id=guild_id, now=at, limit=BATCH_ROWS)
    await _remove(connection, guild_id, unwanted, now=now)
    return len(unwanted) == BATCH_ROWS


async def _remove(connection: Connection, guild_id: int, old: Sequence[int], *, now: datetime) -> None:
    if not old:
        return
    of_subjects = await facts.with_ids(connection, guild_id=guild_id, fact_ids=old)
    held = await lines.hold_facts(connection, guild_id=guild_id, fact_ids=old)
    await facts.remove(connection, guild_id=guild_id, fact_ids=old)
    await lines.settled(connection, guild_id=guild_id, lines=held, now=now)
    await guilds.bump_epoch(connection, guild_id=guild_id)
    await distillations.drop_merged(connection, guild_id=guild_id)
    for subject_id, audience in sorted({(one.subject_id, one.audience) for one in of_subjects}):
        await retelling.ask(connection, guild_id=guild_id, subject_id=subject_id, audience=audience)


async def _remove_messages(connection: Connection, guild_id: int, window: Window) -> bool:
    """Remove messages, then the answers to them, then what was told of them; tell whether there may be more."""
    await quarantine.drop_before(connection, guild_id=guild_id, before=window.begins)
    removed = await retention.messages(connection, guild_id=guild_id, before=window.begins, limit=BATCH_ROWS)
    if removed < BATCH_ROWS:
        removed = await retention.answers(
            connection,
            guild_id=guild_id,
            before=window.begins,
            before_id=snowflake_at(window.begins),
            limit=BATCH_ROWS,
        )
    if removed < BATCH_ROWS:
        removed = await retention.summaries(
            connection,
            guild_id=guild_id,
            first_day=window.first_day,
            merged_before=window.merged_from,
            limit=BATCH_ROWS,
        )
    if removed < BATCH_ROWS:
        await retention.traces(
            connection, guild_id=guild_id, first_day=window.first_day, before=window.begins
        )
    # What somebody was just reading was left out: it goes with the next batch, and not only in an hour.
    return removed == BATCH_ROWS or await retention.has_messages(
        connection, guild_id=guild_id, before=window.begins
    )


class Retention:
    """Asks for the sweeps: of all guilds at the start and every hour, of one when its clock was put forward.

    Of all guilds never by a clock that is ahead of the machine's: a transcript that plays next year must not empty
    the logs of others; and by the machine's only as long as the `watch` believes it. `notify` is called after a
    commit that asked for work.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        watch: ClockWatch,
        *,
        notify: Callable[[], None],
        services: Services | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._watch = watch
        self._notify = notify
        self._services = services or Services()
        self._service: Service | None = None
        self._pause_seconds = 0.0
        self._asked: dict[int, date] = {}

    async def start(self) -> None:
        """Ask for the sweep of all guilds, and go on to do so."""
        self._pause_seconds = await self._ask_for_all()
        self._service = self._services.start("retention", self._look)

    async def stop(self) -> None:
        """End; what was asked for is done by whoever comes next."""
        if self._service is not None:
            await self._service.stop()
            self._service = None

    async def on_a_new_day(self, guild_id: int) -> bool:
        """Ask for the sweep of a guild if the clock shows another day than when it was last asked for here.

        Tells whether it was asked for.
        """
        now = self._clock.now()
        if self._asked.get(guild_id) == now.date():
            return False
        key = now.isoformat() if self._watch.is_followed_by(self._clock) else f"{_SET}{now.isoformat()}"
        await self._database.write(
            lambda connection: work.ask(connection, guild_id=guild_id, kind=KIND, work_key=key)
        )
        self._asked[guild_id] = now.date()
        self._notify()
        return True

    async def _look(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pause_seconds):
                    await self._watch.joined.wait()
            self._watch.joined.clear()
            # Whoever is started again after a failure has waited already.
            self._pause_seconds = 0.0
            self._pause_seconds = await self._ask_for_all()

    async def _ask_for_all(self) -> float:
        """Ask for the sweep of all guilds, and return the real seconds until it is time to ask again."""
        # To the hour, so that processes that look at about the same time ask for the same work.
        now = min(self._clock.now(), self._watch.machine.now()).replace(minute=0, second=0, microsecond=0)
        try:
            if not await self._watch.is_believed():
                return _LOOK_AGAIN_SECONDS
            await self._database.write(
                lambda connection: retention.ask_for_all(connection, kind=KIND, work_key=now.isoformat())
            )
        except DatabaseError as error:
            logger.warning("nothing is swept for the moment: %s", trace(error))
            return _LOOK_AGAIN_SECONDS
        self._notify()
        return _LOOK_SECONDS

"""How long things are kept: what is older than a guild or a member wants is removed in the background, in
small batches.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.clock import Clock
from bot.core.domain import Guild, snowflake_at
from bot.core.errors import DatabaseError
from bot.core.log import trace
from bot.core.settings import Settings
from bot.db import jobs
from bot.db.clock_watch import TOLERANCE, ClockWatch
from bot.db.jobs import Job
from bot.db.pool import Connection, Database
from bot.db.service import Services
from bot.db.signs import woken
from bot.memory.facts import lifecycle, repository_narratives, repository_slots, slots
from bot.memory.facts import repository as facts_repository
from bot.memory.guilds import repository as guilds_repository
from bot.memory.outbox.answers import QUESTION_LIFE
from bot.memory.policy import decisions
from bot.memory.rights.forgetting import withholding
from bot.memory.rights.personal_data import Window, ages_by
from bot.memory.rights.rows import KEPT_GUILDS, remove_rows
from bot.memory.summaries.memories import PAST_DAYS

logger = logging.getLogger(__name__)


async def ask_for_all_sweeps(connection: Connection, *, kind: str, work_key: str) -> None:
    """Ask for this work for every guild of which anything is kept; what is asked for already stays as it is.

    So is it for guild 0, the installation, which operators enter. It is due guild by guild, ten a second, so that other
    work comes in between.
    """
    await connection.execute(
        f"""
        WITH RECURSIVE {KEPT_GUILDS}
        INSERT INTO work (guild_id, kind, work_key, due_at)
        SELECT guild_id, $1, $2, clock_timestamp() + (row_number() OVER (ORDER BY guild_id) - 1) * interval '0.1 s'
        FROM (SELECT guild_id FROM kept UNION SELECT 0) swept ORDER BY guild_id
        ON CONFLICT (guild_id, kind, work_key) DO NOTHING
        """,
        kind, work_key,
    )  # fmt: skip


RETENTION_JOB: Final = "retention"
"""The kind of background work that sweeps one guild; its key is the moment by which things are too old."""

_SET: Final = "set "
"""Stands before a moment that somebody set, as transcripts do; every other one is a machine's."""

BATCH_ROWS: Final = 1_000
"""Rows of each table that one transaction removes."""

_SHORTEST_REST_SECONDS, _LONGEST_REST_SECONDS = 0.05, 20.0
_RESTS: Final = 3.0
"""How many times as long as a batch took nothing is removed after it: replies find processors and disks free."""

_TURN_SECONDS: Final = 5.0
"""Real seconds after which the next guild has its turn."""

_LOOK_SECONDS: Final = 3_600.0
"""Real seconds between two sweeps of all guilds."""

_LOOK_AGAIN_SECONDS: Final = 60.0
"""The same if the database was away, or the clock is not believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionWindow:
    """What of a guild's messages is still kept at some moment, and what of the texts that tell of them."""

    begins: datetime
    """Messages from before this time are too old."""
    first_day: date
    """The first day, in the guild's zone, of which a message may be left: earlier days are told no more."""
    merged_from: datetime
    """Weeks and contexts told before this time tell of days that are too old."""


def window_of(guild: Guild | None, *, settings: Settings, now: datetime) -> RetentionWindow | None:
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
    return RetentionWindow(
        begins=begins,
        first_day=first_day,
        merged_from=datetime.combine(merged_day, datetime.min.time(), zone),
    )


def rest_after(seconds: float) -> float:
    """Return how many seconds nothing is removed after a batch that took so many.

    A slow disk is left as free as a fast one: three parts of four of the time.
    """
    return min(max(_SHORTEST_REST_SECONDS, _RESTS * seconds), _LONGEST_REST_SECONDS)


class Sweeper:
    """Removes what is too old, as background work, and `rest`s for some seconds after each batch.

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
        rest: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._settings = settings
        self._watch = watch
        self._who_left = who_left
        self._rest = rest

    async def sweep(self, task: Job) -> None:
        """Remove what was too old in a guild at the moment that `task` names, as its retention is now.

        What is more than a turn has time for is asked for once more. Whoever comes after a crash goes on.
        """
        now = datetime.fromisoformat(task.work_key.removeprefix(_SET))
        if not task.work_key.startswith(_SET) and not await self._is_past(now):
            return
        if self._who_left is not None:
            await self._who_left(task.guild_id, now)
        turn_ends = time.monotonic() + _TURN_SECONDS
        while (began := time.monotonic()) < turn_ends:
            if not await self._database.write(self._batch, task.guild_id, now):
                return
            await self._rest(rest_after(time.monotonic() - began))
        await self._database.write_one(
            jobs.enqueue, guild_id=task.guild_id, kind=RETENTION_JOB, work_key=task.work_key
        )

    async def _is_past(self, now: datetime) -> bool:
        """Tell whether it is surely `now` or later: whoever asked for the sweep may have had a wrong clock."""
        return await self._watch.is_believed() and now <= self._watch.machine.now() + TOLERANCE

    async def _batch(self, connection: Connection, guild_id: int, now: datetime) -> bool:
        """Remove a batch by each window, let facts expire, and tell whether there may be more."""
        guild = await guilds_repository.guild(connection, guild_id=guild_id)
        kept = window_of(guild, settings=self._settings, now=now)
        windows: dict[Window, Mapping[str, object]] = {}
        if kept is not None:
            windows[Window.MESSAGES] = asdict(kept) | {"first_id": snowflake_at(kept.begins)}
        windows[Window.CHOSEN] = {"now": now}
        windows[Window.ANSWERED] = {"begins": now - QUESTION_LIFE}
        for window, days in (
            (Window.PROFILES, self._settings.profile_retention_days),
            (Window.EPISODES, self._settings.episode_retention_days),
            (Window.FACTS, self._settings.fact_retention_days),
        ):
            if days:
                windows[window] = {"begins": now - timedelta(days=days)}
        if self._settings.audit_retention_days:
            windows[Window.AUDIT] = {"days": self._settings.audit_retention_days}
        more = [
            await remove_old(connection, guild_id, window, values, now=now)
            for window, values in windows.items()
        ]
        expired = await lifecycle.expire_facts(connection, guild_id=guild_id, now=now, limit=BATCH_ROWS)
        return any(more) or expired == BATCH_ROWS


async def remove_old(
    connection: Connection, guild_id: int, window: Window, values: Mapping[str, object], *, now: datetime
) -> bool:
    """Remove a batch of what is too old by a window with these values; tell whether there may be more."""
    more = False
    for table, age in ages_by(window):
        old = await remove_rows(
            connection, table, guild_id=guild_id, limit=BATCH_ROWS, age=age, window=values
        )
        if age.key and old:
            await _remove_facts(connection, guild_id, old, now=now)
        more = more or len(old) == BATCH_ROWS
        if more and window is Window.MESSAGES:
            return True
    # What somebody was just reading was left out: it goes with the next batch, and not only in an hour.
    return more or (
        window is Window.MESSAGES
        and await connection.fetchval(
            "SELECT EXISTS (SELECT FROM chat_history WHERE guild_id = $1 AND timestamp < $2)",
            guild_id, values["begins"],
        )
    )  # fmt: skip


async def _remove_facts(
    connection: Connection, guild_id: int, fact_ids: Sequence[int], *, now: datetime
) -> None:
    held = await repository_slots.hold_slots_of_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    await repository_narratives.tell_anew(connection, guild_id=guild_id, fact_ids=fact_ids)
    await facts_repository.remove_facts(connection, guild_id=guild_id, fact_ids=fact_ids)
    await slots.settle_slots(connection, guild_id=guild_id, lines=held, now=now)
    await withholding.take_answers(connection, guild_id=guild_id, fact_ids=fact_ids, now=now)
    await guilds_repository.bump_epoch(connection, guild_id=guild_id)


class Retention:
    """Asks for the sweeps: of all guilds at the start and every hour, of one when its clock was put forward.

    What was decided too long ago to be of use for any backup goes from the log of decisions at the same time.

    Of all guilds never by a clock that is ahead of the machine's: a transcript that plays next year must not empty
    the logs of others; and by the machine's only as long as the `watch` believes it. `notify` is called after a
    commit that asked for work.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        settings: Settings,
        watch: ClockWatch,
        *,
        notify: Callable[[], None],
        services: Services | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._settings = settings
        self._watch = watch
        self._notify = notify
        self._services = services or Services()
        self._pause_seconds = 0.0
        self._asked: dict[int, date] = {}

    async def start(self) -> None:
        """Ask for the sweep of all guilds, and go on to do so."""
        self._pause_seconds = await self._ask_for_all()
        self._services.start("retention", self._look)

    async def stop(self) -> None:
        """End; what was asked for is done by whoever comes next."""
        await self._services.stop(self._look)

    async def on_a_new_day(self, guild_id: int) -> bool:
        """Ask for the sweep of a guild if the clock shows another day than when it was last asked for here.

        Tells whether it was asked for.
        """
        now = self._clock.now()
        if self._asked.get(guild_id) == now.date():
            return False
        key = now.isoformat() if self._watch.is_followed_by(self._clock) else f"{_SET}{now.isoformat()}"
        await self._database.write_one(jobs.enqueue, guild_id=guild_id, kind=RETENTION_JOB, work_key=key)
        self._asked[guild_id] = now.date()
        self._notify()
        return True

    async def _look(self) -> None:
        while True:
            await woken(self._watch.joined, seconds=self._pause_seconds)
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
            await self._database.write(ask_for_all_sweeps, kind=RETENTION_JOB, work_key=now.isoformat())
            if days := self._settings.decision_retention_days:
                await self._database.write(decisions.drop_old, before=now - timedelta(days=days))
        except DatabaseError as error:
            logger.warning("nothing is swept for the moment: %s", trace(error))
            return _LOOK_AGAIN_SECONDS
        self._notify()
        return _LOOK_SECONDS

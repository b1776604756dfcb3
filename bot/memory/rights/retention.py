"""How long things are kept: what is older than a guild or a member wants is removed in the background, in
small batches.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
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
from bot.db.service import Services, woken
from bot.memory.facts import lifecycle, repository_narratives, slots
from bot.memory.facts import repository as facts_repository
from bot.memory.guilds import repository as guilds_repository
from bot.memory.outbox import repository as outbox_repository
from bot.memory.outbox.answers import QUESTION_LIFE
from bot.memory.rights.personal_data import Window, tables_where
from bot.memory.rights.rows import KEPT_GUILDS, remove_rows
from bot.memory.summaries.memories import PAST_DAYS

logger = logging.getLogger(__name__)


async def ask_for_all_sweeps(connection: Connection, *, kind: str, work_key: str) -> None:
    """Ask for this work for every guild of which anything is kept; what is asked for already stays as it is.

    It is due guild by guild, ten a second, so that other work comes in between.
    """
    await connection.execute(
        f"""
        WITH RECURSIVE {KEPT_GUILDS}
        INSERT INTO work (guild_id, kind, work_key, due_at)
        SELECT guild_id, $1, $2, clock_timestamp() + (row_number() OVER (ORDER BY guild_id) - 1) * interval '0.1 s'
        FROM kept ORDER BY guild_id
        ON CONFLICT (guild_id, kind, work_key) DO NOTHING
        """,
        kind, work_key,
    )  # fmt: skip


async def has_messages(connection: Connection, *, guild_id: int, before: datetime) -> bool:
    """Tell whether a guild has messages from before this time: those that were left to somebody else."""
    has: bool = await connection.fetchval(
        "SELECT EXISTS (SELECT FROM chat_history WHERE guild_id = $1 AND timestamp < $2)", guild_id, before
    )
    return has


async def old_facts(connection: Connection, *, guild_id: int, before: datetime, limit: int) -> list[int]:
    """Return `limit` facts that nobody told since this time.

    Forgotten ones are none: their rows hold no text, and keep it from coming back.
    """
    rows = await connection.fetch(
        """
        SELECT fact_id FROM facts f
        WHERE guild_id = $1 AND said_at < $2 AND status <> 'forgotten' AND NOT EXISTS (
            SELECT FROM fact_sources s
            WHERE s.guild_id = $1 AND s.fact_id = f.fact_id AND s.said_at >= $2 AND NOT s.ended
        )
        ORDER BY fact_id LIMIT $3
        """,
        guild_id, before, limit,
    )  # fmt: skip
    return [row["fact_id"] for row in rows]


async def unwanted_facts(
    connection: Connection, *, guild_id: int, now: datetime | None, limit: int
) -> list[int]:
    """Return `limit` facts of categories that their subjects do not want to be kept, or not for so long.

    How old one is counts from when it was told last; at no time (`None`) none is too old.
    """
    rows = await connection.fetch(
        """
        SELECT f.fact_id FROM kept_categories k
        JOIN facts f ON f.guild_id = k.guild_id AND f.subject_id = k.user_id AND f.category = k.category
        WHERE k.guild_id = $1 AND f.status <> 'forgotten' AND (NOT k.kept OR (
            f.said_at < $2::timestamptz - make_interval(days => k.days) AND NOT EXISTS (
                SELECT FROM fact_sources s
                WHERE s.guild_id = $1 AND s.fact_id = f.fact_id AND NOT s.ended
                  AND s.said_at >= $2::timestamptz - make_interval(days => k.days)
            )
        ))
        ORDER BY f.fact_id LIMIT $3
        """,
        guild_id, now, limit,
    )  # fmt: skip
    return [row["fact_id"] for row in rows]


async def remove_unwanted_profiles(connection: Connection, *, guild_id: int, now: datetime | None) -> None:
    """Remove profiles that their members do not want to be kept, or not for so long; at no time none is too old."""
    await connection.execute(
        """
        DELETE FROM profiles p USING kept_categories k
        WHERE k.guild_id = $1 AND k.category = 'profile' AND p.guild_id = k.guild_id AND p.user_id = k.user_id
          AND (NOT k.kept OR p.learned_at < $2::timestamptz - make_interval(days => k.days))
        """,
        guild_id, now,
    )  # fmt: skip


RETENTION_JOB: Final = "retention"
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

    async def sweep(self, task: Job) -> None:
        """Remove what was too old in a guild at the moment that `task` names, as its retention is now.

        What is more than a turn's batches is asked for once more. Whoever comes after a crash goes on.
        """
        now = datetime.fromisoformat(task.work_key.removeprefix(_SET))
        if not task.work_key.startswith(_SET) and not await self._is_past(now):
            return
        if self._who_left is not None:
            await self._who_left(task.guild_id, now)
        for _ in range(_TURN_BATCHES):
            if not await self._database.write(self._batch, task.guild_id, now):
                return
            await asyncio.sleep(_PAUSE_SECONDS)
        await self._database.write(
            jobs.enqueue, guild_id=task.guild_id, kind=RETENTION_JOB, work_key=task.work_key
        )

    async def _is_past(self, now: datetime) -> bool:
        """Tell whether it is surely `now` or later: whoever asked for the sweep may have had a wrong clock."""
        return await self._watch.is_believed() and now <= self._watch.machine.now() + TOLERANCE

    async def _batch(self, connection: Connection, guild_id: int, now: datetime) -> bool:
        """Remove a batch, and tell whether there may be more."""
        guild = await guilds_repository.guild(connection, guild_id=guild_id)
        window = window_of(guild, settings=self._settings, now=now)
        of_messages = window is not None and await _remove_messages(connection, guild_id, window)
        return await self._remove_memories(connection, guild_id, now) or of_messages

    async def _remove_memories(self, connection: Connection, guild_id: int, now: datetime) -> bool:
        """Remove facts, profiles and episodes where those have a retention of their own, and let facts expire."""
        expired = await lifecycle.expire_facts(connection, guild_id=guild_id, now=now, limit=BATCH_ROWS)
        unwanted = await remove_unwanted(connection, guild_id=guild_id, now=now)
        await outbox_repository.empty_answers_to_nobody(
            connection, guild_id=guild_id, before=now - QUESTION_LIFE
        )
        removed = unwanted or expired == BATCH_ROWS
        for window, days in (
            (Window.PROFILES, self._settings.profile_retention_days),
            (Window.EPISODES, self._settings.episode_retention_days),
        ):
            if days:
                too_old = {"begins": now - timedelta(days=days)}
                removed = await _remove_rows(connection, guild_id, window, too_old) or removed
        if not (days := self._settings.fact_retention_days):
            return removed
        return (
            await _remove_facts(connection, guild_id, before=now - timedelta(days=days), now=now) or removed
        )


async def _remove_facts(connection: Connection, guild_id: int, *, before: datetime, now: datetime) -> bool:
    """Remove facts that nobody told since `before`; tell whether there may be more."""
    old = await old_facts(connection, guild_id=guild_id, before=before, limit=BATCH_ROWS)
    await _remove(connection, guild_id, old, now=now)
    return len(old) == BATCH_ROWS


async def remove_unwanted(
    connection: Connection, *, guild_id: int, now: datetime, by_age: bool = True
) -> bool:
    """Remove what members of a guild do not want to be kept, or not for so long; tell whether there may be more.

    Without `by_age` how long is no matter.
    """
    at = now if by_age else None
    await remove_unwanted_profiles(connection, guild_id=guild_id, now=at)
    unwanted = await unwanted_facts(connection, guild_id=guild_id, now=at, limit=BATCH_ROWS)
    await _remove(connection, guild_id, unwanted, now=now)
    return len(unwanted) == BATCH_ROWS


async def _remove(connection: Connection, guild_id: int, old: Sequence[int], *, now: datetime) -> None:
    if not old:
        return
    of_subjects = await facts_repository.facts_with_ids(connection, guild_id=guild_id, fact_ids=old)
    held = await slots.hold_slots_of_facts(connection, guild_id=guild_id, fact_ids=old)
    await facts_repository.remove_facts(connection, guild_id=guild_id, fact_ids=old)
    await slots.settle_slots(connection, guild_id=guild_id, lines=held, now=now)
    await guilds_repository.bump_epoch(connection, guild_id=guild_id)
    for subject_id, audience in sorted({(one.subject_id, one.audience) for one in of_subjects}):
        await repository_narratives.ask_for_narrative(
            connection, guild_id=guild_id, subject_id=subject_id, audience=audience
        )


async def _remove_messages(connection: Connection, guild_id: int, window: RetentionWindow) -> bool:
    """Remove messages, then the answers to them, then what was told of them; tell whether there may be more."""
    too_old = {
        "begins": window.begins,
        "first_day": window.first_day,
        "merged_from": window.merged_from,
        "first_id": snowflake_at(window.begins),
    }
    # What somebody was just reading was left out: it goes with the next batch, and not only in an hour.
    return await _remove_rows(connection, guild_id, Window.MESSAGES, too_old) or await has_messages(
        connection, guild_id=guild_id, before=window.begins
    )


async def _remove_rows(
    connection: Connection, guild_id: int, window: Window, too_old: Mapping[str, object]
) -> bool:
    """Remove a batch of what is too old by a window, table by table; tell whether there may be more."""
    for table in tables_where(window=window):
        removed = await remove_rows(connection, table, guild_id=guild_id, limit=BATCH_ROWS, too_old=too_old)
        if removed == BATCH_ROWS:
            return True
    return False


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
        await self._database.write(jobs.enqueue, guild_id=guild_id, kind=RETENTION_JOB, work_key=key)
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
        except DatabaseError as error:
            logger.warning("nothing is swept for the moment: %s", trace(error))
            return _LOOK_AGAIN_SECONDS
        self._notify()
        return _LOOK_SECONDS

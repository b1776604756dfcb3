"""The job queue: enqueued in the transaction that makes a job necessary, claimed by lease across
processes, bounded in time, and tried again after growing pauses.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Final

from bot.core.clock import backoff
from bot.core.log import trace
from bot.db.leases import is_free
from bot.db.pool import Connection, Database
from bot.db.rows import row_as
from bot.db.service import Services, Supervised, woken
from bot.db.signs import silent_for

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKinds:
    """Kinds of work: only these, or with `others` all but these."""

    named: Collection[str] = ()
    others: bool = True


ALL_KINDS: Final = JobKinds()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A piece of work that was claimed; `wanted` tells later whether it was asked for again."""

    guild_id: int
    kind: str
    work_key: str
    wanted: int
    attempts: int


async def enqueue(
    connection: Connection, *, guild_id: int, kind: str, work_key: str, pause: timedelta = timedelta(0)
) -> None:
    """Ask for a piece of work, after `pause` of real time; asking again while it is under way has it done once more."""
    await connection.execute(
        """
        INSERT INTO work AS known (guild_id, kind, work_key, due_at) VALUES ($1, $2, $3, clock_timestamp() + $4)
        ON CONFLICT (guild_id, kind, work_key) DO UPDATE SET
            wanted = known.wanted + 1, attempts = 0, due_at = excluded.due_at
        """,
        guild_id, kind, work_key, pause,
    )  # fmt: skip


async def claim(connection: Connection, *, lease: timedelta, kinds: JobKinds = ALL_KINDS) -> Job | None:
    """Claim the piece of work of these kinds that has been due longest, for the real time of `lease`."""
    row = await connection.fetchrow(
        f"""
        UPDATE work SET leased_until = clock_timestamp() + $1, attempts = attempts + 1
        WHERE (guild_id, kind, work_key) = (
            SELECT guild_id, kind, work_key FROM work
            WHERE due_at <= clock_timestamp() AND {is_free("work")}
              AND (kind = ANY($2)) <> $3
            ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING guild_id, kind, work_key, wanted, attempts
        """,
        lease, list(kinds.named), kinds.others,
    )  # fmt: skip
    return row_as(Job, row)


async def finish(connection: Connection, task: Job) -> None:
    """Take `task` off the list, unless it was asked for again meanwhile: then it is free to be claimed."""
    done = await connection.execute(
        "DELETE FROM work WHERE guild_id = $1 AND kind = $2 AND work_key = $3 AND wanted = $4",
        task.guild_id, task.kind, task.work_key, task.wanted,
    )  # fmt: skip
    if done == "DELETE 0":
        # A statement of its own: the DELETE may have waited for who asked again, whose row only a new snapshot shows.
        await connection.execute(
            "UPDATE work SET leased_until = NULL WHERE guild_id = $1 AND kind = $2 AND work_key = $3",
            task.guild_id, task.kind, task.work_key,
        )  # fmt: skip


async def postpone(connection: Connection, task: Job, *, pause: timedelta) -> None:
    """Give `task` back, to be tried again after `pause` of real time; at once if it was asked for meanwhile."""
    await connection.execute(
        """
        UPDATE work
        SET leased_until = NULL,
            due_at = CASE WHEN wanted = $4 THEN clock_timestamp() + $5 ELSE due_at END
        WHERE guild_id = $1 AND kind = $2 AND work_key = $3
        """,
        task.guild_id, task.kind, task.work_key, task.wanted, pause,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingWork:
    """Work that is due, and that nobody does."""

    count: int
    oldest_seconds: float
    """How long the oldest has been due, in real time; 0 if there is none."""


async def waiting(connection: Connection) -> WaitingWork:
    """Return how much work is due, and since when."""
    row = await connection.fetchrow(
        f"""
        SELECT count(*) AS count,
               coalesce(extract(epoch FROM clock_timestamp() - min(greatest(due_at, leased_until))), 0)::float8
                   AS oldest_seconds
        FROM work WHERE due_at <= clock_timestamp() AND {is_free("work")}
        """
    )
    return row_as(WaitingWork, row) or WaitingWork(count=0, oldest_seconds=0.0)


async def is_claimable(connection: Connection) -> bool:
    """Tell whether anything is due that nobody has claimed."""
    due: bool = await connection.fetchval(
        f"SELECT EXISTS (SELECT 1 FROM work WHERE due_at <= clock_timestamp() AND {is_free('work')})"
    )
    return due


Handler = Callable[[Job], Awaitable[None]]

WORKERS: Final = 2
"""Pieces of work without a lane of their own under way at once in one process: replies must find connections free."""

LEASE: Final = timedelta(seconds=120)
"""Real time after which the work of a process that died may be taken over."""

_LONGEST_SECONDS: Final = 100.0
"""Real seconds that a piece of work may take: it must end before its lease does."""

_POLL_SECONDS: Final = 5.0
"""How often to look for work that other processes asked for or left behind."""

_FIRST_PAUSE: Final = timedelta(seconds=5)
_LONGEST_PAUSE: Final = timedelta(hours=1)


def pause_after(attempts: int) -> timedelta:
    """Return how long to wait after this many failures in a row: 5 s, doubled each time, an hour at most."""
    return backoff(attempts, first=_FIRST_PAUSE, longest=_LONGEST_PAUSE)


@dataclass(frozen=True, slots=True)
class _Lane:
    """Kinds of work whose workers do nothing else, woken apart from others so that those cannot sleep it through."""

    kinds: JobKinds
    wake: asyncio.Event = field(default_factory=asyncio.Event)


class JobWorkers(Supervised):
    """The workers of one process; `handlers` says, by kind, what is to be done with a task.

    Each kind in `own_lanes` has a worker of its own, so that it never waits for work of other kinds.
    """

    def __init__(
        self,
        database: Database,
        handlers: Mapping[str, Handler] | None = None,
        *,
        own_lanes: Collection[str] = (),
        services: Services | None = None,
    ) -> None:
        self._database = database
        self._handlers = dict(handlers or {})
        self._shared = _Lane(JobKinds(named=own_lanes))
        self._own = {kind: _Lane(JobKinds(named=(kind,), others=False)) for kind in own_lanes}
        lanes = {f"background work {number}": self._shared for number in range(1, WORKERS + 1)}
        lanes |= {f"background work: {kind}": lane for kind, lane in self._own.items()}
        super().__init__(
            services or Services(), {name: partial(self._run, lane) for name, lane in lanes.items()}
        )
        self._busy = 0
        self._changed = asyncio.Condition()

    def take_up(self, handlers: Mapping[str, Handler]) -> None:
        """Do these kinds of work too; what does them may itself want to wake the workers, so it comes after them."""
        self._handlers |= handlers

    def wake(self) -> None:
        """Look for work now: a transaction that asked for some has been committed."""
        for lane in (self._shared, *self._own.values()):
            lane.wake.set()

    async def idle(self) -> None:
        """Return when nothing that is due is left, neither here nor free for anyone to claim."""
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: self._busy == 0)
            if await self._database.read(is_claimable):
                self.wake()
                await asyncio.sleep(0.005)
            elif self._busy == 0:
                return

    async def _run(self, lane: _Lane) -> None:
        while True:
            if await self._claim(lane) is not None:
                continue
            await woken(lane.wake, seconds=_POLL_SECONDS)
            lane.wake.clear()

    async def _claim(self, lane: _Lane) -> Job | None:
        self._busy += 1
        try:
            task = await self._database.write(claim, lease=LEASE, kinds=lane.kinds)
            if task is not None:
                await self._do(task)
            return task
        finally:
            self._busy -= 1
            async with self._changed:
                self._changed.notify_all()

    async def _do(self, task: Job) -> None:
        try:
            # It may ask models all the while, and is ended in time.
            with silent_for(_LONGEST_SECONDS):
                async with asyncio.timeout(_LONGEST_SECONDS):
                    await self._handlers[task.kind](task)
        except asyncio.CancelledError:
            await asyncio.shield(self._give_back(task, timedelta(0)))
            raise
        except Exception as error:
            pause = pause_after(task.attempts)
            logger.error(
                "work %s of guild %d failed, try %d, next in %s: %s",
                task.kind,
                task.guild_id,
                task.attempts,
                pause,
                trace(error),
            )
            await self._give_back(task, pause)
        else:
            await self._database.write(finish, task)

    async def _give_back(self, task: Job, pause: timedelta) -> None:
        await self._database.write(postpone, task, pause=pause)

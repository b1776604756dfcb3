"""The job queue. A job is enqueued in the transaction that makes it necessary, claimed by lease across processes with
guilds taking turns, limited in time, retried after growing pauses, and finally given up.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.core.clock import backoff
from bot.core.domain import Waiting
from bot.core.errors import ModelError
from bot.core.log import error_kind, trace, where
from bot.db.leases import is_free
from bot.db.pool import Connection, Database
from bot.db.rows import row_as, rows_as
from bot.db.service import Services, Supervised
from bot.db.signs import rest, silent_for, waited, woken

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKinds:
    """Kinds of work: only these, or with `others` all but these."""

    named: Collection[str] = ()
    others: bool = True
    upkeep: Collection[str] = ()
    """Those that wait until nothing else is due in their guild."""


ALL_KINDS: Final = JobKinds()

_BEFORE_ALL: Final = -1
"""Behind it comes every guild."""


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


_IS_CLAIMABLE: Final = f"due_at <= clock_timestamp() AND {is_free('work')}"
"""SQL: whether a row of `work` is due and nobody has claimed it."""


async def is_waiting(connection: Connection, *, guild_id: int, kind: str, work_key: str) -> bool:
    """Tell whether a piece of work is due and nobody does it yet: to ask for it again would change nothing."""
    found: bool = await connection.fetchval(
        f"""
        SELECT EXISTS (
            SELECT FROM work WHERE guild_id = $1 AND kind = $2 AND work_key = $3
              AND {_IS_CLAIMABLE}
        )
        """,
        guild_id, kind, work_key,
    )  # fmt: skip
    return found


async def claim(
    connection: Connection,
    *,
    lease: timedelta,
    kinds: JobKinds = ALL_KINDS,
    after_guild_id: int = _BEFORE_ALL,
) -> Job | None:
    """Claim a piece of work of these kinds for the real time of `lease`.

    It is of the first guild behind `after_guild_id` in which any is due; `None` if there is none behind it. In a
    guild upkeep comes last, else what has been due longest first.
    """
    row = await connection.fetchrow(
        _claiming("kind <> ALL($2)") if kinds.others else _claiming("kind = ANY($2)"),
        lease, list(kinds.named), after_guild_id, list(kinds.upkeep),
    )  # fmt: skip
    return row_as(Job, row)


def _claiming(is_of_these: str) -> str:
    """Return SQL that claims work of some kinds; of those that are named, few among all that waits, an index has it."""
    return f"""
        UPDATE work SET leased_until = clock_timestamp() + $1, attempts = attempts + 1
        WHERE (guild_id, kind, work_key) = (
            SELECT guild_id, kind, work_key FROM work
            WHERE guild_id > $3 AND {_IS_CLAIMABLE} AND {is_of_these}
            ORDER BY guild_id, kind = ANY($4), due_at LIMIT 1 FOR UPDATE SKIP LOCKED
        )
        RETURNING guild_id, kind, work_key, wanted, attempts
    """


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


async def give_back(
    connection: Connection, task: Job, *, pause: timedelta | None, error: str | None = None
) -> None:
    """Retry `task` after `pause` of real time, or at once if it was requested again meanwhile.

    Without a `pause` the task is given up: it is not claimed until it is requested again. `error` says why it failed,
    and must not quote anything that people said.
    """
    await connection.execute(
        """
        UPDATE work
        SET leased_until = NULL, error = coalesce($6, error),
            failed_at = CASE WHEN $6 IS NULL THEN failed_at ELSE clock_timestamp() END,
            due_at = CASE WHEN wanted = $4 THEN coalesce(clock_timestamp() + $5, 'infinity') ELSE due_at END
        WHERE guild_id = $1 AND kind = $2 AND work_key = $3
        """,
        task.guild_id, task.kind, task.work_key, task.wanted, pause, error,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingWork(Waiting):
    """Work that is due, in real time, and that nobody does."""

    given_up: int = 0
    """Pieces beside these that failed at every try."""


async def waiting(connection: Connection) -> WaitingWork:
    """Return how much work is due, and since when, and how much was given up."""
    row = await connection.fetchrow(
        f"""
        SELECT count(*) FILTER (WHERE {_IS_CLAIMABLE}) AS count,
               coalesce(extract(epoch FROM clock_timestamp() - min(greatest(due_at, leased_until)) FILTER (
                   WHERE {_IS_CLAIMABLE}
               )), 0)::float8 AS oldest_seconds,
               count(*) FILTER (WHERE due_at = 'infinity') AS given_up
        FROM work WHERE due_at <= clock_timestamp() OR due_at = 'infinity'
        """
    )
    return row_as(WaitingWork, row) or WaitingWork()


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedWork:
    """A piece of work that failed at its last try, or was given up."""

    guild_id: int
    kind: str
    attempts: int
    failed_at: datetime
    error: str
    """What went wrong and where, without a text of anybody."""
    is_given_up: bool


async def failed(connection: Connection, *, limit: int) -> list[FailedWork]:
    """Return what failed, those that were given up first, and of these the newest first."""
    rows = await connection.fetch(
        """
        SELECT guild_id, kind, attempts, failed_at, error, due_at = 'infinity' AS is_given_up
        FROM work WHERE attempts > 0 AND failed_at IS NOT NULL
        ORDER BY is_given_up DESC, failed_at DESC, guild_id, kind LIMIT $1
        """,
        limit,
    )
    return rows_as(FailedWork, rows)


async def retry(connection: Connection) -> int:
    """Request everything again that was given up; return how many jobs that is."""
    done = await connection.execute(
        "UPDATE work SET attempts = 0, due_at = clock_timestamp() WHERE due_at = 'infinity'"
    )
    return int(done.rpartition(" ")[2])


async def is_claimable(connection: Connection) -> bool:
    """Tell whether anything is due that nobody has claimed."""
    due: bool = await connection.fetchval(f"SELECT EXISTS (SELECT 1 FROM work WHERE {_IS_CLAIMABLE})")
    return due


Handler = Callable[[Job], Awaitable[None]]

WORKERS: Final = 2
"""Pieces of work without a lane of their own under way at once in one process, unless the settings say more."""

LEASE: Final = timedelta(seconds=120)
"""Real time after which the work of a process that died may be taken over."""

_LONGEST_SECONDS: Final = 100.0
"""Real seconds that a piece of work may take: it must end before its lease does."""

_POLL_SECONDS: Final = 5.0
"""How often to look for work that other processes asked for or left behind."""

_FIRST_PAUSE: Final = timedelta(seconds=5)
_LONGEST_PAUSE: Final = timedelta(hours=1)


MOST_ATTEMPTS: Final = 20
"""Tries after which work is given up, some ten hours after the first, unless it only waits for a model."""


def pause_after(attempts: int) -> timedelta:
    """Return how long to wait after this many failures in a row: 5 s, doubled each time, an hour at most."""
    return backoff(attempts, first=_FIRST_PAUSE, longest=_LONGEST_PAUSE)


@dataclass(slots=True)
class _Lane:
    """Kinds of work whose workers do nothing else, woken apart from others so that those cannot sleep it through."""

    kinds: JobKinds
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by the worker that looks for work."""
    guild_id: int = _BEFORE_ALL
    """Where work was found last."""


_TURNS: Final = 5
_CALM_SECONDS: Final = 0.05
"""So long may that many turns of the event loop take: where they take longer, whoever asks something feels it. It is
longer than other programs keep the processor, now and then, on a machine with much to do.
"""

_LOOK_AGAIN_SECONDS: Final = 0.05
_PATIENCE_SECONDS: Final = 20.0
"""How long a piece of work gives way to those who wait for an answer: in a busy hour it is done all the same."""


async def until_calm() -> None:
    """Return when the event loop has little to do, or after `_PATIENCE_SECONDS` of real time."""
    loop = asyncio.get_running_loop()
    until = loop.time() + _PATIENCE_SECONDS
    while (began := loop.time()) < until:
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        if loop.time() - began < _CALM_SECONDS:
            return
        await rest(_LOOK_AGAIN_SECONDS)


class JobWorkers(Supervised):
    """The workers of one process; `handlers` says, by kind, what is to be done with a task.

    So many `workers` do what has no lane of its own. Each kind in `own_lanes` has a worker of its own, so that neither
    it nor work of other kinds waits for the other; it is what somebody was promised, and is never given up, unless it
    is `upkeep`. Without a lane of its own, upkeep waits for other work of its guild.
    """

    def __init__(
        self,
        database: Database,
        handlers: Mapping[str, Handler] | None = None,
        *,
        workers: int = WORKERS,
        own_lanes: Collection[str] = (),
        upkeep: Collection[str] = (),
        services: Services | None = None,
    ) -> None:
        self._database = database
        self._handlers = dict(handlers or {})
        self._shared = _Lane(JobKinds(named=own_lanes, upkeep=upkeep))
        self._own = {kind: _Lane(JobKinds(named=(kind,), others=False)) for kind in own_lanes}
        self._promised = frozenset(own_lanes) - frozenset(upkeep)
        lanes = {f"background work {number}": self._shared for number in range(1, workers + 1)}
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
            task = await self._next(lane)
            try:
                await self._do(task)
            finally:
                await self._rest()

    async def _next(self, lane: _Lane) -> Job:
        """Return a piece of work that was claimed, once there is one; who has it is busy.

        One worker of a lane looks for work at a time: were each of them woken, each would ask the database.
        """
        await waited(lane.looking.acquire)
        try:
            if lane is self._shared:
                await until_calm()
            while (task := await self._claim(lane)) is None:
                await woken(lane.wake, seconds=_POLL_SECONDS)
                lane.wake.clear()
            return task
        finally:
            lane.looking.release()

    async def _claim(self, lane: _Lane) -> Job | None:
        self._busy += 1
        task = None
        try:
            # One guild after the other: one that has much to be done keeps no other waiting.
            for after_guild_id in dict.fromkeys((lane.guild_id, _BEFORE_ALL)):
                task = await self._database.write_one(
                    claim, lease=LEASE, kinds=lane.kinds, after_guild_id=after_guild_id
                )
                if task is not None:
                    break
            lane.guild_id = _BEFORE_ALL if task is None else task.guild_id
            return task
        finally:
            if task is None:
                await self._rest()

    async def _rest(self) -> None:
        self._busy -= 1
        async with self._changed:
            self._changed.notify_all()

    async def _do(self, task: Job) -> None:
        try:
            # It may ask models all the while, and is ended in time.
            with (
                self._database.meter.span(f"work {task.kind}", place="anew"),
                silent_for(_LONGEST_SECONDS),
            ):
                async with asyncio.timeout(_LONGEST_SECONDS):
                    await self._handlers[task.kind](task)
        except asyncio.CancelledError:
            await asyncio.shield(self._database.write_one(give_back, task, pause=timedelta(0)))
            raise
        except Exception as error:
            await self._failed(task, error)
        else:
            await self._database.write(finish, task)

    async def _failed(self, task: Job, error: Exception) -> None:
        # That no model answers is nothing that went wrong here, may last for days where a quota is used up, and is told
        # by who looks after the models.
        awaits_model = isinstance(error, ModelError)
        is_last = task.attempts >= MOST_ATTEMPTS and not (awaits_model or task.kind in self._promised)
        pause = None if is_last else pause_after(task.attempts)
        logger.log(
            logging.INFO if awaits_model else logging.ERROR,
            "work %s of guild %d failed, try %d, %s: %s",
            task.kind,
            task.guild_id,
            task.attempts,
            "given up" if pause is None else f"next in {pause}",
            error_kind(error) if awaits_model else trace(error),
        )
        await self._database.write_one(give_back, task, pause=pause, error=where(error))

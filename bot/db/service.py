"""Supervised loops: a loop that ends unexpectedly is restarted, and failures are recorded where `keepsake doctor` sees
them from another process.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias
from uuid import UUID, uuid4

from bot.core.errors import DatabaseError, ServiceEndedError
from bot.core.log import trace
from bot.db.outages import outage_of
from bot.db.pool import Connection, Database
from bot.db.rows import rows_as
from bot.db.signs import LifeSigns, woken

logger = logging.getLogger(__name__)


Loop: TypeAlias = Callable[[], Coroutine[object, object, None]]
"""Runs until it is cancelled. It may be called anew after any await of it that failed, and goes on from there."""

FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 60.0
_OUTAGE_PAUSE_SECONDS: Final = 5.0
"""The longest pause while the database is away: whoever waits for it should not wait for a minute more."""

WELL_SECONDS: Final = 60.0
"""Real seconds that a loop must have run without an error, to count as well again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceFailure:
    """A loop that failed lately, and is started again and again."""

    name: str
    failures: int
    """How often it failed without having been well in between."""
    seconds: float
    """Real seconds since the first of those failures."""
    error: str
    """The type of the last error; its text may quote what people said."""


class Service:
    """One loop; made and started by `Services.start`."""

    def __init__(
        self,
        name: str,
        loop: Loop,
        *,
        first_pause_seconds: float,
        told: Callable[[], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name: Final = name
        self.loop: Final = loop
        self._first_pause_seconds = first_pause_seconds
        self._told = told
        self._failures = 0
        self._outages = 0
        self._failing_since = 0.0
        self._error = ""
        self._hurry = asyncio.Event()
        self._recovery: asyncio.TimerHandle | None = None
        self._signs = LifeSigns(monotonic)
        self._task = asyncio.create_task(self._run(), name=name)

    @property
    def failing(self) -> ServiceFailure | None:
        """What is wrong with it, if anything is."""
        if not self._failures:
            return None
        return ServiceFailure(
            name=self.name,
            failures=self._failures,
            seconds=time.monotonic() - self._failing_since,
            error=self._error,
        )

    @property
    def is_running(self) -> bool:
        """Whether it was not stopped."""
        return not self._task.done()

    @property
    def is_standing_still(self) -> bool:
        """Whether it runs, and has given no sign of life for too long."""
        return self.is_running and self._signs.overdue_seconds > 0

    def failed(self, error: BaseException) -> None:
        """Note an error: one that ended the loop, or one that the loop itself cannot get over though it runs on."""
        self._stop_recovery()
        if not self._failures:
            self._failing_since = time.monotonic()
        self._failures += 1
        self._error = type(error).__name__
        self._told()

    def is_well(self) -> None:
        """Note that it does its work again."""
        self._stop_recovery()
        self._outages = 0
        if self._failures:
            self._failures = 0
            self._told()

    def hurry(self) -> None:
        """Start the loop now if it waits to be started again."""
        self._hurry.set()

    async def stop(self) -> None:
        """Cancel the loop, and return when it has ended."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._stop_recovery()

    async def _run(self) -> None:
        self._signs.begin()
        while True:
            error = await self._ended()
            if outage_of(error) is not None:
                self._stop_recovery()
                self._outages += 1
                pause = min(self._pause_after(self._outages), _OUTAGE_PAUSE_SECONDS)
                logger.warning("%s waits for the database: %s", self.name, trace(error))
            else:
                self.failed(error)
                pause = self._pause_after(self._failures)
                logger.error(
                    "%s failed, time %d in a row, and starts again in %.0f s: %s",
                    self.name,
                    self._failures,
                    pause,
                    trace(error),
                )
            self._hurry.clear()
            await woken(self._hurry, seconds=pause)
            self._recovery = asyncio.get_running_loop().call_later(WELL_SECONDS, self.is_well)

    async def _ended(self) -> BaseException:
        """Run the loop, and return what ended it; being cancelled by `stop` ends all of this."""
        try:
            await self.loop()
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # What it waited for was cancelled by somebody else.
            return error
        except Exception as error:
            return error
        return ServiceEndedError(f"{self.name} ended by itself")

    def _pause_after(self, failures: int) -> float:
        return min(LONGEST_PAUSE_SECONDS, self._first_pause_seconds * 2.0 ** min(failures - 1, 20))

    def _stop_recovery(self) -> None:
        if self._recovery is not None:
            self._recovery.cancel()
            self._recovery = None


class Services:
    """All loops of one process, and which of them fail."""

    def __init__(
        self,
        *,
        first_pause_seconds: float = FIRST_PAUSE_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._first_pause_seconds = first_pause_seconds
        self._monotonic = monotonic
        self._watched: dict[str, Callable[[], bool]] = {}
        self._running: dict[str, Service] = {}
        self._listeners: list[Callable[[ServiceFailure], None]] = []
        self.changed: Final = asyncio.Event()
        """Set whenever a loop fails or is well again; whoever waits for it clears it."""

    def start(self, name: str, loop: Loop) -> Service:
        """Run `loop` until it is stopped: if it fails or ends, that is logged and reported, and it is restarted.

        The pauses before a restart begin with a second and double, up to a minute. `name` describes the loop for
        people. For a loop that is already running, its service is returned.
        """
        known = self._running.get(name)
        if known is not None and known.loop == loop and known.is_running:
            return known
        service = Service(
            name,
            loop,
            first_pause_seconds=self._first_pause_seconds,
            told=lambda: self._tell(name),
            monotonic=self._monotonic,
        )
        self._running[name] = service
        return service

    async def stop(self, *loops: Loop) -> None:
        """Cancel these loops, as far as they were started, and return when they have ended."""
        running = [one for one in self._running.values() if one.loop in loops]
        await asyncio.gather(*(one.stop() for one in running))

    @property
    def names(self) -> frozenset[str]:
        """What the loops are called that were started."""
        return frozenset(self._running)

    def failing(self) -> list[ServiceFailure]:
        """Return what is wrong now, with the names in order."""
        found = (self._running[name].failing for name in sorted(self._running))
        return [one for one in found if one is not None]

    def watch(self, name: str, is_standing_still: Callable[[], bool]) -> None:
        """Count something that is no loop of ours among those that may stand still; one of the same name goes."""
        self._watched[name] = is_standing_still

    def standing_still(self) -> list[str]:
        """Return what hangs, by its name: it has not failed, and gives no sign of life."""
        loops = [name for name, one in self._running.items() if one.is_standing_still]
        return sorted([*loops, *(name for name, stands in self._watched.items() if stands())])

    def listen(self, told: Callable[[ServiceFailure], None]) -> None:
        """Call `told` at each failure of a loop, and now for those that fail already; it must not raise."""
        if told in self._listeners:
            return
        self._listeners.append(told)
        for one in self.failing():
            told(one)

    def _tell(self, name: str) -> None:
        self.changed.set()
        failing = self._running[name].failing
        if failing is not None:
            for told in self._listeners:
                told(failing)


class Supervised:
    """Loops that run from `start` to `stop`, by what each is called for people."""

    def __init__(self, services: Services, loops: Mapping[str, Loop]) -> None:
        self._services = services
        self._loops = loops

    def start(self) -> None:
        """Begin; done again, it changes nothing."""
        for name, loop in self._loops.items():
            self._services.start(name, loop)

    async def stop(self) -> None:
        """End at once; remaining work is left to the next process."""
        await self._services.stop(*self._loops.values())


class BackgroundWork:
    """Short background tasks. One that fails is logged: whoever needs it next starts it again."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[object, object, None], *, name: str) -> asyncio.Task[None]:
        """Begin a piece of work and return its task; `name` says what it is, with ids alone. Waiters must shield it."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way."""
        return all(task.done() for task in self._tasks)

    async def settled(self) -> None:
        """Return when nothing is under way."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def stop(self) -> None:
        """Cancel what is under way, and return when it has ended."""
        for task in self._tasks:
            task.cancel()
        await self.settled()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            level = logging.WARNING if isinstance(error, DatabaseError) else logging.ERROR
            logger.log(level, "%s failed: %s", task.get_name(), trace(error))


async def put_failing(connection: Connection, *, process_id: UUID, failing: Sequence[ServiceFailure]) -> None:
    """Store what fails in a process, for `read_failing`, and remove what dead processes reported."""
    await connection.execute(
        """
        DELETE FROM services
        WHERE guild_id = 0 AND (process_id = $1 OR reported_at < clock_timestamp() - interval '1 hour')
        """,
        process_id,
    )
    await connection.execute(
        """
        INSERT INTO services (process_id, name, failures, since, error, reported_at)
        SELECT $1, name, failures, clock_timestamp() - make_interval(secs => seconds), error, clock_timestamp()
        FROM unnest($2::text[], $3::integer[], $4::double precision[], $5::text[])
            AS failing (name, failures, seconds, error)
        """,
        process_id,
        [one.name for one in failing],
        [one.failures for one in failing],
        [one.seconds for one in failing],
        [one.error for one in failing],
    )  # fmt: skip


async def read_failing(connection: Connection) -> list[ServiceFailure]:
    """Return what fails in any process that reported within three minutes, the longest first."""
    rows = await connection.fetch(
        """
        SELECT name, failures, error, extract(epoch FROM clock_timestamp() - since)::double precision AS seconds
        FROM services
        WHERE guild_id = 0 AND reported_at > clock_timestamp() - interval '3 minutes'
        ORDER BY since, name
        """
    )
    return rows_as(ServiceFailure, rows)


_APART_SECONDS: Final = 60.0
"""Real seconds between two reports of what goes on failing: whoever died reports no more."""


class ServiceReport(Supervised):
    """Writes down which of `services` fail, as long as they do."""

    def __init__(self, database: Database, services: Services) -> None:
        super().__init__(services, {"report of services": self._run})
        self._database = database
        self._process_id = uuid4()
        self._is_written = False

    async def stop(self) -> None:
        """End, and take back what was reported: nothing of this process fails any more."""
        await super().stop()
        if self._is_written:
            try:
                await self._put([])
            except DatabaseError as error:
                logger.warning("the report of services could not be taken back: %s", trace(error))

    async def _run(self) -> None:
        while True:
            self._services.changed.clear()
            failing = self._services.failing()
            if failing or self._is_written:
                await self._put(failing)
            await woken(self._services.changed, seconds=_APART_SECONDS)

    async def _put(self, failing: Sequence[ServiceFailure]) -> None:
        await self._database.write(put_failing, process_id=self._process_id, failing=failing)
        self._is_written = bool(failing)

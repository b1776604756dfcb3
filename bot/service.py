"""The loops that run as long as the process does: watched, and started again if they end though they should not."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.errors import ServiceEndedError
from bot.log import trace
from bot.store.outages import outage_of

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
class Failing:
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
        self, name: str, loop: Loop, *, first_pause_seconds: float, told: Callable[[], None]
    ) -> None:
        self.name: Final = name
        self._loop = loop
        self._first_pause_seconds = first_pause_seconds
        self._told = told
        self._failures = 0
        self._outages = 0
        self._failing_since = 0.0
        self._error = ""
        self._hurry = asyncio.Event()
        self._recovery: asyncio.TimerHandle | None = None
        self._task = asyncio.create_task(self._run(), name=name)

    @property
    def failing(self) -> Failing | None:
        """What is wrong with it, if anything is."""
        if not self._failures:
            return None
        return Failing(
            name=self.name,
            failures=self._failures,
            seconds=time.monotonic() - self._failing_since,
            error=self._error,
        )

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
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._hurry.wait()
            self._recovery = asyncio.get_running_loop().call_later(WELL_SECONDS, self.is_well)

    async def _ended(self) -> BaseException:
        """Run the loop, and return what ended it; being cancelled by `stop` ends all of this."""
        try:
            await self._loop()
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

    def __init__(self, *, first_pause_seconds: float = FIRST_PAUSE_SECONDS) -> None:
        self._first_pause_seconds = first_pause_seconds
        self._running: dict[str, Service] = {}
        self._listeners: list[Callable[[Failing], None]] = []
        self.changed: Final = asyncio.Event()
        """Set whenever a loop fails or is well again; whoever waits for it clears it."""

    def start(self, name: str, loop: Loop) -> Service:
        """Run `loop` until it is stopped: any error, and its end, are logged and told, and it is started again.

        The pauses before that begin with a second and double, up to a minute. `name` says what it does, for people.
        """
        service = Service(
            name, loop, first_pause_seconds=self._first_pause_seconds, told=lambda: self._tell(name)
        )
        self._running[name] = service
        return service

    @property
    def names(self) -> frozenset[str]:
        """What the loops are called that were started."""
        return frozenset(self._running)

    def failing(self) -> list[Failing]:
        """Return what is wrong now, with the names in order."""
        found = (self._running[name].failing for name in sorted(self._running))
        return [one for one in found if one is not None]

    def listen(self, told: Callable[[Failing], None]) -> None:
        """Call `told` at each failure of a loop, and now for those that fail already; it must not raise."""
        self._listeners.append(told)
        for one in self.failing():
            told(one)

    def _tell(self, name: str) -> None:
        self.changed.set()
        failing = self._running[name].failing
        if failing is not None:
            for told in self._listeners:
                told(failing)

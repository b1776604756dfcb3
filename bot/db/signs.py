"""Signs of life of loops, which distinguish a loop that hangs from one that waits for work."""

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

STANDSTILL_SECONDS: Final = 60.0
"""Real seconds without a sign of life after which a loop stands still: longer than any statement of it may take."""

LOOK_UP_SECONDS: Final = 15.0
"""Real seconds after which whoever waits, for however long, gives a sign and waits on: a wait that hangs gives none."""

T = TypeVar("T")


class LifeSigns:
    """Of one loop. A sign is every statement that the database answers to its task, and every wait that it declares.

    Whoever waits for what may come late or never does so by `rest`, `woken` or `waited`, which give signs meanwhile;
    all else must give a sign within `STANDSTILL_SECONDS`, or say by `silent_for` how much longer it may take.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._due = monotonic() + STANDSTILL_SECONDS

    @property
    def overdue_seconds(self) -> float:
        """How long ago the next sign was due at the latest; 0 if it is not yet."""
        return max(0.0, self._monotonic() - self._due)

    def begin(self) -> None:
        """Take the current task for the loop's."""
        if (task := asyncio.current_task()) is not None:
            _OF_TASKS[task] = self

    def give(self) -> None:
        """Give one now."""
        self._due = max(self._due, self._monotonic() + STANDSTILL_SECONDS)

    @contextlib.contextmanager
    def silent_for(self, seconds: float) -> Iterator[None]:
        """Expect no sign inside for so many seconds; one inside another makes the other no shorter."""
        before = self._due
        self._due = max(before, self._monotonic() + seconds + STANDSTILL_SECONDS)
        try:
            yield
        finally:
            self._due = before
            self.give()


_OF_TASKS: Final[WeakKeyDictionary["asyncio.Task[object]", LifeSigns]] = WeakKeyDictionary()
"""By the task of the loop: what it has begun beside itself says nothing of it."""


def sign_of_life() -> None:
    """Note that the loop of the current task, if it is one, goes on."""
    if signs := _current():
        signs.give()


@contextlib.contextmanager
def silent_for(seconds: float = math.inf) -> Iterator[None]:
    """Let the loop of the current task, if it is one, give no sign of life inside for so many real seconds."""
    signs = _current()
    with contextlib.nullcontext() if signs is None else signs.silent_for(seconds):
        yield


async def rest(seconds: float) -> None:
    """Sleep for so many real seconds, as a loop may that has nothing to do."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while (left := until - loop.time()) > 0:
        part = min(left, LOOK_UP_SECONDS)
        with silent_for(part):
            await asyncio.sleep(part)


async def woken(event: asyncio.Event, *, seconds: float = math.inf) -> None:
    """Return when `event` is set, or after so many real seconds."""
    with contextlib.suppress(TimeoutError):
        await waited(event.wait, seconds=seconds)


async def waited(wait: Callable[[], Awaitable[T]], *, seconds: float = math.inf) -> T:
    """Return what `wait` gives; it is called anew now and then, and must bear to be cancelled.

    Raises `TimeoutError` after so many real seconds.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while True:
        part = max(0.0, min(until - loop.time(), LOOK_UP_SECONDS))
        try:
            # Not wait_for: in Python 3.11 it loses a cancellation that meets the event.
            with silent_for(part):
                async with asyncio.timeout(part):
                    return await wait()
        except TimeoutError:
            if loop.time() >= until:
                raise


def _current() -> LifeSigns | None:
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return None
    return None if task is None else _OF_TASKS.get(task)

"""Signs of life of loops: how a loop that hangs is told from one that waits for work."""

import asyncio
import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Final
from weakref import WeakKeyDictionary

STANDSTILL_SECONDS: Final = 60.0
"""Real seconds without a sign of life after which a loop stands still: longer than any statement of it may take."""


class LifeSigns:
    """Of one loop. A sign is every statement that the database answers to its task, and every wait that it declares.

    Whoever waits for what may come late or never says so by `silent_for`; all else must give a sign within
    `STANDSTILL_SECONDS`.
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
    with silent_for(seconds):
        await asyncio.sleep(seconds)


def _current() -> LifeSigns | None:
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return None
    return None if task is None else _OF_TASKS.get(task)

"""Answers and commands in progress, which are allowed to finish when the process ends."""

import asyncio
import contextlib
from collections.abc import Iterator


class UnderWay:
    """The tasks that do something for somebody."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        """Register the current task with `finish`."""
        task = asyncio.current_task()
        if task is None or task in self._tasks:
            yield
            return
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)

    async def finish(self, seconds: float) -> None:
        """Wait up to `seconds` real seconds for tasks in progress, then give them up.

        Answers were stored before they were sent, and are sent after the next start. Requests that a task waits for are
        not cancelled; they complete by themselves.
        """
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

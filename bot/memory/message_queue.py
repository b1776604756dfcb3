"""Messages on their way into the log: numbered as they come, taken in batches, finished in any order."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain import Message


@dataclass(slots=True, eq=False)
class Queued:
    """A message that waits to be durable."""

    message: Message
    number: int
    """How many were taken up to it."""
    written: "asyncio.Future[bool | None]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    """Whether it was new; `None`: it was set aside."""


class MessageQueue:
    """Holds at most `rows` messages that nobody has begun to write, and the batch that is being written."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._queue: asyncio.Queue[Queued] = asyncio.Queue(rows)
        self._taken = 0
        self._fetched = 0
        self._progress = asyncio.Condition()
        self.arrived = asyncio.Event()
        """Set when a message comes."""
        self.batch: list[Queued] = []
        """What is being written, in order, also what an error has kept from it."""

    @property
    def waiting(self) -> int:
        """How many messages are not finished."""
        return len(self.batch) + self._queue.qsize()

    def has_room(self, count: int) -> bool:
        """Tell whether so many messages more can be taken."""
        return self._queue.qsize() + count <= self._rows

    async def room(self) -> None:
        """Return when one message more can be taken."""
        if not self.has_room(1):
            async with self._progress:
                await self._progress.wait_for(lambda: self.has_room(1))

    def take(self, message: Message) -> Queued:
        """Take a message, for which there must be room."""
        self._taken += 1
        item = Queued(message, self._taken)
        item.written.add_done_callback(_seen)
        self._queue.put_nowait(item)
        self.arrived.set()
        return item

    async def fill(self, at_most: int) -> None:
        """Wait for a message if the batch is empty, and add what has come, `at_most` so many and not to a full one."""
        self.arrived.clear()
        if not self.batch:
            self._fetch(await self._queue.get())
        room = at_most if len(self.batch) < at_most else 0
        while room and not self._queue.empty():
            self._fetch(self._queue.get_nowait())
            room -= 1
        await self._tell()

    async def finish(self, items: Sequence[Queued], results: Sequence[bool | None]) -> None:
        """Note that `items` of the batch are durable: each was new, known, or set aside."""
        for item, result in zip(items, results, strict=True):
            if not item.written.done():
                item.written.set_result(result)
        await self._remove(items)

    async def give_up(self, error: Exception) -> int:
        """Let `error` be what became of the whole batch, and return of how many messages."""
        items = list(self.batch)
        for item in items:
            if not item.written.done():
                item.written.set_exception(error)
        await self._remove(items)
        return len(items)

    async def settled(self) -> None:
        """Return when all that was taken until now is finished."""
        taken = self._taken
        async with self._progress:
            await self._progress.wait_for(lambda: self._first_unfinished() > taken)

    async def drained(self) -> None:
        """Return when nothing is left."""
        await self._queue.join()

    def _first_unfinished(self) -> int:
        return min((item.number for item in self.batch), default=self._fetched + 1)

    def _fetch(self, item: Queued) -> None:
        self.batch.append(item)
        self._fetched += 1

    async def _remove(self, items: Sequence[Queued]) -> None:
        finished = {item.number for item in items}
        self.batch = [item for item in self.batch if item.number not in finished]
        for _ in items:
            self._queue.task_done()
        await self._tell()

    async def _tell(self) -> None:
        async with self._progress:
            self._progress.notify_all()


def _seen(written: "asyncio.Future[bool | None]") -> None:
    """Mark an error as seen, for callers that did not wait: it has been logged where it happened."""
    if not written.cancelled():
        written.exception()

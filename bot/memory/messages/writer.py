"""The single writer of the message log: a queue of messages, written in batches and in order as soon as the writer is
free.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.core.clock import Clock, SystemClock
from bot.core.domain import Message, MessageKind, RedactionReason, moment_of
from bot.core.errors import DatabaseUnavailableError
from bot.core.log import trace
from bot.core.metering import MessagesHeard
from bot.db.batched import Pace
from bot.db.pool import Database
from bot.db.service import Service, Services
from bot.db.signs import LOOK_UP_SECONDS, woken
from bot.memory.messages.quarantine import (
    Blame,
    FailedItem,
    Quarantine,
    StoppedError,
    halved,
    is_outage,
    write_heard,
)
from bot.memory.messages.repository_writing import UNKNOWN_AUTHOR
from bot.memory.policy.admission import check, masked_message, storable

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of messages that were handed in together."""

    new: int = 0
    known: int = 0
    set_aside: int = 0
    """Kept, but not in the log: they are written once whatever is wrong with them, or with the code, was mended."""
    messages: tuple[Message, ...] = field(default=(), compare=False)
    """They themselves, as they are stored; of a sum none."""

    def __add__(self, other: "Ingested") -> "Ingested":
        return Ingested(self.new + other.new, self.known + other.known, self.set_aside + other.set_aside)


class _Awaited:
    """Counts what became of messages that somebody waits for together."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._results: list[bool | None] = []
        self.messages: list[Message] = []
        """They, as they are stored, as far as they were taken."""
        self.done: asyncio.Future[Ingested] = asyncio.get_running_loop().create_future()
        # Who waited may have been cancelled; an error has been logged where it happened.
        self.done.add_done_callback(lambda done: done.cancelled() or done.exception())

    def finish(self, result: bool | None) -> None:
        """Note that one of them is durable: it was new, known, or (`None`) set aside."""
        self._results.append(result)
        if len(self._results) == self._count and not self.done.done():
            new, known, set_aside = (self._results.count(one) for one in (True, False, None))
            self.done.set_result(Ingested(new, known, set_aside, tuple(self.messages)))

    def fail(self, error: Exception) -> None:
        """Note that one of them is lost."""
        if not self.done.done():
            self.done.set_exception(error)


@dataclass(slots=True, eq=False)
class QueuedMessage:
    """A message that waits to be durable."""

    message: Message
    number: int
    """How many were taken up to it."""
    awaited: _Awaited | None
    """Whom to tell; `None`: nobody waits for it."""


@dataclass(frozen=True, slots=True)
class _Milestone:
    """Up to which message some wait for all to be finished."""

    number: int
    reached: asyncio.Event


class MessageQueue:
    """Holds at most `rows` messages that are not being written yet, and the batch that is being written."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._queued: deque[QueuedMessage] = deque()
        self._taken = 0
        self._changed = asyncio.Event()
        self._milestones: deque[_Milestone] = deque()
        """In the order of their numbers: a change wakes those alone who wait for nothing else."""
        self.arrived = asyncio.Event()
        """Set when a message comes."""
        self.batch: list[QueuedMessage] = []
        """What is being written, in order, also what an error has kept from it."""

    @property
    def waiting(self) -> int:
        """How many messages are not finished."""
        return len(self.batch) + len(self._queued)

    def has_room(self, count: int) -> bool:
        """Tell whether so many messages more can be taken."""
        return len(self._queued) + count <= self._rows

    async def room(self) -> None:
        """Return when one message more can be taken."""
        while not self.has_room(1):
            await self._changed.wait()

    def take(self, message: Message, awaited: _Awaited | None = None) -> None:
        """Take a message, for which there must be room."""
        self._taken += 1
        self._queued.append(QueuedMessage(message, self._taken, awaited))
        self.arrived.set()

    async def fill(self, at_most: int) -> None:
        """Wait for a message if the batch is empty, and add what has come, `at_most` so many and not to a full one."""
        self.arrived.clear()
        while not self.batch and not self._queued:
            await woken(self.arrived, seconds=LOOK_UP_SECONDS)
            self.arrived.clear()
        while self._queued and len(self.batch) < at_most:
            self.batch.append(self._queued.popleft())
        self._tell()

    def finish(self, items: Sequence[QueuedMessage], results: Sequence[bool | None]) -> None:
        """Note that `items` of the batch are durable: each was new, known, or set aside."""
        for item, result in zip(items, results, strict=True):
            if item.awaited is not None:
                item.awaited.finish(result)
        self._remove(items)

    def give_up(self, error: Exception) -> int:
        """Make `error` the outcome of the whole batch, and return its number of messages."""
        items = self.batch
        for item in items:
            if item.awaited is not None:
                item.awaited.fail(error)
        self._remove(items)
        return len(items)

    async def settled(self) -> None:
        """Return when all that was taken until now is finished."""
        if self._first_unfinished() > self._taken:
            return
        if not self._milestones or self._milestones[-1].number < self._taken:
            self._milestones.append(_Milestone(self._taken, asyncio.Event()))
        await self._milestones[-1].reached.wait()

    async def drained(self) -> None:
        """Return when nothing is left."""
        while self.waiting:
            await self._changed.wait()

    def _first_unfinished(self) -> int:
        return self.batch[0].number if self.batch else self._taken - len(self._queued) + 1

    def _remove(self, items: Sequence[QueuedMessage]) -> None:
        finished = {item.number for item in items}
        self.batch = [item for item in self.batch if item.number not in finished]
        self._tell()

    def _tell(self) -> None:
        first_unfinished = self._first_unfinished()
        while self._milestones and self._milestones[0].number < first_unfinished:
            self._milestones.popleft().reached.set()
        # Whoever waits looks for themselves, and waits anew for the next change.
        self._changed.set()
        self._changed.clear()


BATCH_ROWS: Final = 500
"""Rows that one transaction takes at most: large enough that the round trip no longer counts."""

QUEUE_ROWS: Final = 5_000
"""Rows that wait at most; beyond that callers are slowed, so that memory stays bounded."""

_OUTAGE_PAUSES_SECONDS: Final = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Pauses while the database is away; the last one repeats until it is back or the bot stops."""

_FAULT_PAUSES_SECONDS: Final = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Pauses while most messages cannot be written; what comes meanwhile is tried after the first of them."""

_ENDED: Final = "messages are no longer written: the bot is stopping"


class MessageWriter:
    """Queues messages and writes them in batches; `start` before use, `stop` writes what is left.

    `clock` tells what has expired when a message is deleted. `heard` is given what has become durable; it must
    neither wait nor raise.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock | None = None,
        *,
        heard: Callable[[Sequence[Message]], None] = lambda _: None,
        services: Services | None = None,
    ) -> None:
        self._database = database
        self._clock = clock or SystemClock()
        self._heard = heard
        self._queue = MessageQueue(QUEUE_ROWS)
        self._services = services or Services()
        self._service: Service | None = None
        self._stopping = asyncio.Event()
        self._hurried = asyncio.Event()
        """Set when somebody waits for an answer to what is not written yet."""
        self._lost = 0
        self._faults = 0
        self._blame = Blame()
        self._pace = Pace()
        self._quarantine = Quarantine(database, self._clock, heard=self._tell, services=self._services)

    def start(self) -> None:
        """Begin to write."""
        self._stopping.clear()
        self._quarantine.start()
        self._service = self._services.start("writer of messages", self._run)

    async def stop(self) -> None:
        """Write everything that is queued, then end; raises `DatabaseUnavailableError` if that is impossible."""
        if self._service is None:
            return
        await self._quarantine.stop()
        self._stopping.set()
        self._hurried.set()
        self._queue.arrived.set()
        self._service.hurry()
        await self._queue.drained()
        await self._service.stop()
        self._service = None
        if self._lost:
            logger.error("%d messages could not be written before the end", self._lost)
            raise DatabaseUnavailableError(f"{self._lost} messages could not be written before the end")

    async def put(self, batch: Sequence[Message], *, wait: bool = True) -> Ingested:
        """Queue `batch` and, if `wait`, return when all of it is durable.

        Returns how many were new, how many known or older than what is kept, and how many could not be written and
        are set aside; if not `wait` none of these. Raises `InvalidInputError` for impossible ids and times.
        """
        for message in batch:
            check(message)
        if self._has_ended():
            raise DatabaseUnavailableError(_ENDED)
        awaited = _Awaited(len(batch))
        for number, message in enumerate(batch, 1):
            stored = masked_message(message)
            while not self._queue.has_room(1):
                await self._queue.room()
            awaited.messages.append(stored)
            self._queue.take(stored, awaited)
            if number % BATCH_ROWS == 0:
                # What is queued is written while the rest of a large batch is masked.
                await asyncio.sleep(0)
        if not wait or not batch:
            return Ingested(messages=tuple(awaited.messages))
        return await awaited.done

    def offer(self, batch: Sequence[Message]) -> list[Message] | None:
        """Queue all of `batch` if there is room for it now, and return it at once as it is stored.

        `None`: nothing of it was taken. Raises `InvalidInputError` as `put` does.
        """
        stored = [storable(message) for message in batch]
        if self._has_ended() or not self._queue.has_room(len(stored)):
            return None
        for message in stored:
            self._queue.take(message)
        return stored

    async def settled(self, *, hurry: bool = False) -> None:
        """Return when all that was taken until now is durable, in the log or set aside.

        With `hurry` it is written as soon as may be, however much comes. Raises `DatabaseUnavailableError` if the
        writer ended before that.
        """
        if hurry:
            self._hurried.set()
        await self._queue.settled()
        if self._lost:
            raise DatabaseUnavailableError(_ENDED)

    def _has_ended(self) -> bool:
        return self._stopping.is_set()

    async def _run(self) -> None:
        while True:
            await self._queue.fill(BATCH_ROWS)
            await self._gather()
            try:
                failed = await halved(list(self._queue.batch), self._write)
                if not failed:
                    self._is_well()
                elif not await self._set_aside(failed):
                    await self._wait_for_mending(failed)
            except Exception as error:
                if not self._stopping.is_set():
                    raise
                self._lost += self._queue.give_up(error)
            if not self._queue.batch:
                self._blame.begin()

    async def _gather(self) -> None:
        """Wait for more messages under load, unless somebody waits for one of these to be written."""
        pause = self._pace.pause_seconds
        if pause and not any(item.awaited is not None for item in self._queue.batch):
            await woken(self._hurried, seconds=pause)
            await self._queue.fill(BATCH_ROWS)
        if not self._stopping.is_set():
            self._hurried.clear()
        self._pace.begin(len(self._queue.batch))

    async def _write(self, items: Sequence[QueuedMessage]) -> None:
        """Write `items` in one transaction, once the database is there; raises what is no outage."""
        outages = 0
        heard = [item.message for item in items]
        while True:
            try:
                about = {"keepsake.messages": len(heard)}
                with self._database.meter.span("write messages", about, place="anew"):
                    new = await self._database.write(write_heard, heard, now=self._clock.now())
            except Exception as error:
                if not await is_outage(self._database, error):
                    raise
                if self._stopping.is_set():
                    raise StoppedError from error
                pause = _OUTAGE_PAUSES_SECONDS[min(outages, len(_OUTAGE_PAUSES_SECONDS) - 1)]
                outages += 1
                logger.warning(
                    "the database is away; %d messages wait: %s", self._queue.waiting, trace(error)
                )
                await self._pause(pause)
            else:
                self._database.meter.note(MessagesHeard(count=sum(new)))
                self._tell(heard)
                self._blame.passed(len(items))
                self._queue.finish(items, new)
                return

    def _is_well(self) -> None:
        self._faults = 0
        if self._service is not None:
            self._service.is_well()

    async def _set_aside(self, failed: Sequence[FailedItem[QueuedMessage]]) -> bool:
        """Set aside those that fail alone, durably; `False`, and nothing done, if they are not to blame."""
        like = failed[0].item.message
        if await self._blame.is_general(
            len(failed), another=lambda: self._quarantine.could_write_another(like)
        ):
            return False
        # What was wrong may have passed while the others were tried.
        failed = await halved([one.item for one in failed], self._write)
        if not failed:
            return True
        await self._quarantine.put([(one.item.message, one.error) for one in failed])
        self._blame.blamed(len(failed))
        for one in failed:
            logger.error(
                "message %d of guild %d cannot be written and is set aside: %s",
                one.item.message.message_id,
                one.item.message.guild_id,
                trace(one.error),
            )
        if self._service is not None:
            self._service.failed(failed[0].error)
        self._queue.finish([one.item for one in failed], [None] * len(failed))
        self._faults = 0
        return True

    async def _wait_for_mending(self, failed: Sequence[FailedItem[QueuedMessage]]) -> None:
        """Say that hearing has stopped, and wait before the next try; what comes meanwhile shortens that."""
        if self._stopping.is_set():
            raise failed[0].error
        pause = _FAULT_PAUSES_SECONDS[min(self._faults, len(_FAULT_PAUSES_SECONDS) - 1)]
        self._faults += 1
        logger.error(
            "hearing has stopped: most messages cannot be written; %d wait, next try in %.0f s: %s",
            self._queue.waiting,
            pause,
            trace(failed[0].error),
        )
        if self._service is not None:
            self._service.failed(failed[0].error)
        await self._pause(_FAULT_PAUSES_SECONDS[0])
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause - _FAULT_PAUSES_SECONDS[0]):
                await self._queue.arrived.wait()

    def _tell(self, heard: Sequence[Message]) -> None:
        try:
            self._heard(heard)
        except Exception as error:
            # It is written, whatever becomes of those who want to know.
            logger.error("what watches messages failed: %s", trace(error))

    async def _pause(self, seconds: float) -> None:
        """Wait, but no longer than until the writer is to stop."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()


def deletion(*, guild_id: int, channel_id: int, message_id: int) -> Message:
    """Return what stands in the log for the deletion of a message, known or not."""
    return Message(
        guild_id=guild_id,
        channel_id=channel_id,
        message_id=message_id,
        user_id=UNKNOWN_AUTHOR,
        kind=MessageKind.SYSTEM,
        text="",
        timestamp=moment_of(message_id),
        withheld=RedactionReason.DELETED,
    )

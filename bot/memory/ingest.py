"""The one writer of the message log: takes whatever is queued as soon as it is free, in order."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

import asyncpg

from bot.clock import Clock, SystemClock
from bot.domain import Message, MessageKind, Withheld, moment_of
from bot.errors import DatabaseUnavailableError, InvalidInputError
from bot.log import trace
from bot.memory import forgetting, lifecycle
from bot.memory.storable import storable
from bot.service import Service, Services
from bot.store import messages, summaries
from bot.store.database import Connection, Database

logger = logging.getLogger(__name__)

BATCH_ROWS: Final = 500
"""Rows that one transaction takes at most: large enough that the round trip no longer counts."""

QUEUE_ROWS: Final = 5_000
"""Rows that wait at most; beyond that callers are slowed, so that memory stays bounded."""

_OUTAGE_PAUSES_SECONDS: Final = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Pauses while the database is away; the last one repeats until it is back or the bot stops."""

_ENDED: Final = "messages are no longer written: the bot is stopping"

_WRONG_DATA: Final = (asyncpg.DataError, asyncpg.PostgresSyntaxError, asyncpg.IntegrityConstraintViolationError,
                      asyncpg.ProgramLimitExceededError, ValueError)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of messages that were handed in together."""

    new: int = 0
    known: int = 0

    def __add__(self, other: "Ingested") -> "Ingested":
        return Ingested(self.new + other.new, self.known + other.known)


@dataclass(slots=True)
class _Queued:
    message: Message
    written: "asyncio.Future[bool]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Writer:
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
        self._queue: asyncio.Queue[_Queued] = asyncio.Queue(QUEUE_ROWS)
        self._batch: list[_Queued] = []
        self._services = services or Services()
        self._service: Service | None = None
        self._stopping = asyncio.Event()
        self._lost = 0
        self._taken = 0
        self._done = 0
        self._progress = asyncio.Condition()

    def start(self) -> None:
        """Begin to write."""
        self._stopping.clear()
        self._service = self._services.start("writer of messages", self._run)

    async def stop(self) -> None:
        """Write everything that is queued, then end; raises `DatabaseUnavailableError` if that is impossible."""
        if self._service is None:
            return
        self._stopping.set()
        self._service.hurry()
        await self._queue.join()
        await self._service.stop()
        self._service = None
        if left := self._lost + self._queue.qsize():
            logger.error("%d messages could not be written before the end", left)
            raise DatabaseUnavailableError(f"{left} messages could not be written before the end")

    async def put(self, batch: Sequence[Message], *, wait: bool = True) -> Ingested:
        """Queue `batch` and, if `wait`, return when all of it is durable.

        Returns how many were new and how many known or older than what is kept; nothing if not `wait`.
        Raises `InvalidInputError` for a message that can never be stored: at once and for the whole batch if
        its ids are impossible, else for that message alone.
        """
        queued = [_Queued(storable(message)) for message in batch]
        if self._has_ended():
            raise DatabaseUnavailableError(_ENDED)
        for item in queued:
            item.written.add_done_callback(_seen)
            await self._queue.put(item)
            self._taken += 1
        if not wait:
            return Ingested()
        results = await asyncio.gather(*(item.written for item in queued))
        return Ingested(new=sum(results), known=len(results) - sum(results))

    def offer(self, batch: Sequence[Message]) -> bool:
        """Queue all of `batch` if there is room for it now, and return at once; else nothing of it, and `False`.

        Raises `InvalidInputError` as `put` does.
        """
        queued = [_Queued(storable(message)) for message in batch]
        if self._has_ended() or self._queue.qsize() + len(queued) > self._queue.maxsize:
            return False
        for item in queued:
            item.written.add_done_callback(_seen)
            self._queue.put_nowait(item)
            self._taken += 1
        return True

    async def settled(self) -> None:
        """Return when all that was taken until now is durable, but for what can never be stored.

        Raises `DatabaseUnavailableError` if the writer ended before that.
        """
        taken = self._taken
        async with self._progress:
            await self._progress.wait_for(lambda: self._done >= taken)
        if self._lost:
            raise DatabaseUnavailableError(_ENDED)

    def _has_ended(self) -> bool:
        return self._stopping.is_set()

    async def _run(self) -> None:
        while True:
            # What an error kept from being written is the first to be written now.
            if not self._batch:
                self._batch = [await self._queue.get()]
            while len(self._batch) < BATCH_ROWS and not self._queue.empty():
                self._batch.append(self._queue.get_nowait())
            try:
                await self._write(self._batch)
            except Exception as error:
                if not self._stopping.is_set():
                    raise
                self._lost += len(self._batch)
                _fail(self._batch, error)
            written, self._batch = len(self._batch), []
            for _ in range(written):
                self._queue.task_done()
            self._done += written
            async with self._progress:
                self._progress.notify_all()

    async def _write(self, batch: Sequence[_Queued]) -> None:
        outages = 0
        while True:
            try:
                new = await self._database.write(
                    lambda connection: _hear(connection, batch, now=self._clock.now())
                )
            except _WRONG_DATA as error:
                await self._write_one_by_one(batch, error)
                return
            except Exception as error:
                # Whatever else goes wrong is the database's fault, not the messages': they wait.
                if self._stopping.is_set():
                    self._lost += len(batch)
                    _fail(batch, error)
                    return
                pause = _OUTAGE_PAUSES_SECONDS[min(outages, len(_OUTAGE_PAUSES_SECONDS) - 1)]
                outages += 1
                waiting = len(batch) + self._queue.qsize()
                logger.warning("the database is away; %d messages wait: %s", waiting, trace(error))
                await self._pause(pause)
            else:
                self._heard([item.message for item in batch])
                for item, is_new in zip(batch, new, strict=True):
                    if not item.written.done():
                        item.written.set_result(is_new)
                return

    async def _pause(self, seconds: float) -> None:
        """Wait, but no longer than until the writer is to stop."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()

    async def _write_one_by_one(self, batch: Sequence[_Queued], error: Exception) -> None:
        """Find the message that spoils a batch, so that only its own caller hears of it."""
        if len(batch) == 1:
            logger.error("message %d cannot be stored: %s", batch[0].message.message_id, type(error).__name__)
            _fail(batch, InvalidInputError(f"message {batch[0].message.message_id} cannot be stored"))
            return
        for item in batch:
            await self._write([item])


async def _hear(connection: Connection, batch: Sequence[_Queued], *, now: datetime) -> list[bool]:
    """Write `batch` in rounds, since one statement cannot touch one row twice; tell which were new."""
    rounds: list[dict[tuple[int, int], int]] = []
    for position, item in enumerate(batch):
        key = (item.message.guild_id, item.message.message_id)
        free = next((one for one in rounds if key not in one), None)
        if free is None:
            free = {}
            rounds.append(free)
        free[key] = position
    new = [False] * len(batch)
    for one in rounds:
        heard = [batch[position].message for position in one.values()]
        changed = await messages.hear(connection, heard)
        gone = {(row.guild_id, row.message_id) for row in changed if row.is_absent and not row.is_new}
        await _follow_deletions(
            connection,
            [
                replace(message, withheld=Withheld.OPTED_OUT)
                if (message.guild_id, message.message_id) in gone
                else message
                for message in heard
            ],
            now=now,
        )
        await summaries.follow_edits(connection, heard)
        for row in changed:
            new[one[row.guild_id, row.message_id]] = row.is_new
    return new


async def _follow_deletions(connection: Connection, heard: Sequence[Message], *, now: datetime) -> None:
    """Take what was deleted out of the bot's answers as well, which may have quoted it, and out of what was learned."""
    gone: dict[int, list[int]] = {}
    for message in heard:
        if message.withheld is not None:
            gone.setdefault(message.guild_id, []).append(message.message_id)
    for guild_id, message_ids in gone.items():
        await forgetting.withhold(connection, guild_id=guild_id, message_ids=message_ids)
        await lifecycle.withdraw(connection, guild_id=guild_id, message_ids=message_ids, now=now)


def deletion(*, guild_id: int, channel_id: int, message_id: int) -> Message:
    """Return what stands in the log for the deletion of a message, known or not."""
    return Message(
        guild_id=guild_id,
        channel_id=channel_id,
        message_id=message_id,
        user_id=messages.UNKNOWN_AUTHOR,
        kind=MessageKind.SYSTEM,
        text="",
        timestamp=moment_of(message_id),
        withheld=Withheld.DELETED,
    )


def _fail(batch: Sequence[_Queued], error: Exception) -> None:
    for item in batch:
        if not item.written.done():
            item.written.set_exception(error)


def _seen(written: "asyncio.Future[bool]") -> None:
    """Mark an error as seen, for callers that did not wait: it has been logged where it happened."""
    if not written.cancelled():
        written.exception()

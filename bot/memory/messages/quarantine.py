"""Writes messages in one transaction with all consequences of edits and deletions. A batch that fails is bisected down
to the messages that cause it; these are quarantined and tried again.
"""

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

from bot.core.clock import Clock, backoff
from bot.core.domain import MAX_ID, Message, MessageKind, RedactionReason
from bot.core.errors import DatabaseTimeoutError
from bot.core.log import trace
from bot.db import pool
from bot.db.outages import outage_of
from bot.db.pool import Connection, Database
from bot.db.service import Services, Supervised
from bot.db.signs import rest
from bot.memory.messages import repository_quarantine, repository_writing
from bot.memory.messages.repository_quarantine import QuarantinedMessage
from bot.memory.messages.repository_writing import UNKNOWN_AUTHOR, ChangedMessage
from bot.memory.rights.forgetting import withholding
from bot.memory.summaries import repository as summaries_repository

logger = logging.getLogger(__name__)


T = TypeVar("T")

_REMEMBERED: Final = 20
"""Items, the newest, by whose fate is judged whether one that fails is to blame itself."""


@dataclass(frozen=True, slots=True)
class FailedItem(Generic[T]):
    """An item that fails alone, and its error."""

    item: T
    error: Exception


class StoppedError(Exception):
    """Nothing more is to be tried."""


async def halved(items: Sequence[T], write: Callable[[Sequence[T]], Awaitable[None]]) -> list[FailedItem[T]]:
    """Give `items` to `write` in order, in halves of what it raises an error for, and return those that fail alone.

    Raises `StoppedError` if `write` does.
    """
    try:
        await write(items)
    except StoppedError:
        raise
    except Exception as error:
        if len(items) == 1:
            return [FailedItem(items[0], error)]
        half = len(items) // 2
        return [*await halved(items[:half], write), *await halved(items[half:], write)]
    return []


async def is_outage(database: Database, error: Exception) -> bool:
    """Tell whether `error` is surely an outage: a statement may take too long though the database is well."""
    if not isinstance(error, DatabaseTimeoutError):
        return outage_of(error) is not None
    try:
        await database.read(pool.ping)
    except Exception:
        return True
    return False


class Blame:
    """Judges by what became of others whether items that fail are to blame themselves."""

    def __init__(self) -> None:
        self._recent: deque[bool] = deque(maxlen=_REMEMBERED)
        self._passed = 0

    def begin(self) -> None:
        """Note that nothing fails: what passes from now on speaks for the next batch."""
        self._passed = 0

    def passed(self, count: int) -> None:
        """Note that so many items were written."""
        self._passed += count
        self._recent.extend([True] * min(count, _REMEMBERED))

    def blamed(self, count: int) -> None:
        """Note that so many items were set aside."""
        self._recent.extend([False] * min(count, _REMEMBERED))

    async def is_general(self, failing: int, *, another: Callable[[], Awaitable[bool]]) -> bool:
        """Tell whether the fault is in what all items go through.

        It is if most of the batch fail, or most of the newest items; where nothing else was tried, if `another`,
        a harmless one that is made up, fails too.
        """
        if failing > max(1, self._passed):
            return True
        bad = failing + self._recent.count(False)
        if bad > max(1, self._recent.count(True)):
            return True
        return self._passed == 0 and not await another()


async def write_heard(connection: Connection, batch: Sequence[Message], *, now: datetime) -> list[bool]:
    """Write `batch` in rounds, since one statement cannot touch one row twice; tell which were new."""
    rounds: list[dict[tuple[int, int], int]] = []
    for position, message in enumerate(batch):
        key = (message.guild_id, message.message_id)
        free = next((one for one in rounds if key not in one), None)
        if free is None:
            free = {}
            rounds.append(free)
        free[key] = position
    new = [False] * len(batch)
    for one in rounds:
        heard = [batch[position] for position in one.values()]
        # For the values given it would be planned at every call, which takes longer than it runs.
        await connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        changed = await repository_writing.write_messages(connection, heard)
        if any(row.is_withheld for row in changed) or any(one.withheld or one.edited_at for one in heard):
            # What follows may touch few rows of large tables, or many: that is planned for them.
            await connection.execute("SET LOCAL plan_cache_mode = auto")
        gone = {(row.guild_id, row.message_id) for row in changed if row.is_withheld and not row.is_new}
        await _follow_deletions(
            connection,
            [
                replace(message, withheld=RedactionReason.OPTED_OUT)
                if (message.guild_id, message.message_id) in gone
                else message
                for message in heard
            ],
            now=now,
        )
        await _follow_late_origins(connection, changed, now=now)
        await summaries_repository.drop_summaries_of_edited(connection, heard)
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
        await withholding.withhold(connection, guild_id=guild_id, message_ids=message_ids, now=now)
        await withholding.withdraw(connection, guild_id=guild_id, message_ids=message_ids, now=now)


async def _follow_late_origins(
    connection: Connection, changed: Sequence[ChangedMessage], *, now: datetime
) -> None:
    """Withhold what repeats messages that come without a text only now: what is read back comes in any order."""
    bare: dict[int, list[int]] = {}
    for row in changed:
        if row.is_new and row.is_withheld:
            bare.setdefault(row.guild_id, []).append(row.message_id)
    for guild_id, message_ids in bare.items():
        await withholding.withhold_forwards(connection, guild_id=guild_id, message_ids=message_ids, now=now)


_FIRST_PAUSE: Final = timedelta(minutes=1)
_LONGEST_PAUSE: Final = timedelta(hours=1)

_LOOK_SECONDS: Final = 60.0
"""Real seconds between two looks for what is due."""

_AT_ONCE: Final = 100


class _RolledBackError(Exception):
    """Ends a transaction that must be rolled back completely."""


class Quarantine(Supervised):
    """What is set aside: all of it is tried at the start, since the code may be another, and after growing pauses.

    `heard` is given what could be written after all; it must not raise.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        heard: Callable[[Sequence[Message]], None],
        services: Services,
    ) -> None:
        super().__init__(services, {"messages set aside": self._run})
        self._database = database
        self._clock = clock
        self._heard = heard
        self._is_first = True

    async def put(self, failed: Sequence[tuple[Message, Exception]]) -> None:
        """Set messages aside durably, each with the error that kept it from being written."""

        async def put(connection: Connection) -> None:
            for message, error in failed:
                await repository_quarantine.put(
                    connection, message, error=type(error).__name__, pause=_FIRST_PAUSE
                )

        await self._database.write(put)

    async def could_write_another(self, like: Message) -> bool:
        """Tell whether a harmless message could be written in the place of one that cannot; none is."""
        other = Message(
            guild_id=like.guild_id,
            channel_id=like.channel_id,
            message_id=MAX_ID,
            user_id=UNKNOWN_AUTHOR,
            kind=MessageKind.SYSTEM,
            text=".",
            timestamp=like.timestamp,
            audience=like.audience,
        )

        async def tried(connection: Connection) -> None:
            await write_heard(connection, [other], now=self._clock.now())
            raise _RolledBackError

        try:
            await self._database.write(tried)
        except _RolledBackError:
            return True
        except Exception as error:
            logger.warning("no message can be written: %s", trace(error))
        return False

    async def _run(self) -> None:
        if self._is_first:
            await self._database.write(repository_quarantine.hurry)
            self._is_first = False
        while True:
            await self._look()
            await rest(_LOOK_SECONDS)

    async def _look(self) -> None:
        while batch := await self._database.write(repository_quarantine.due, limit=_AT_ONCE):
            for one in batch:
                await self._try(one)

    async def _try(self, one: QuarantinedMessage) -> None:
        try:
            message = await self._database.write(self._written, one)
        except Exception as error:
            if outage_of(error) is not None:
                raise
            pause = backoff(one.failures + 1, first=_FIRST_PAUSE, longest=_LONGEST_PAUSE)
            logger.warning(
                "message %d of guild %d cannot be written yet, try %d, next in %s: %s",
                one.message_id,
                one.guild_id,
                one.failures + 1,
                pause,
                trace(error),
            )
            name = type(error).__name__
            await self._database.write(repository_quarantine.postpone, one, error=name, pause=pause)
            return
        if message is not None:
            logger.info("message %d of guild %d was written after all", one.message_id, one.guild_id)
            self._heard([message])

    async def _written(self, connection: Connection, one: QuarantinedMessage) -> Message | None:
        message = await repository_quarantine.take(connection, one)
        if message is not None:
            await write_heard(connection, [message], now=self._clock.now())
        return message

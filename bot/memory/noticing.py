"""Noticing: facts are read out of what members say, behind the writer, whichever way a message came."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.domain import FactOrigin, Message, MessageKind
from bot.log import trace
from bot.memory import lifecycle
from bot.memory.extraction import Extracted, Said, extract
from bot.memory.halving import is_away
from bot.memory.hashing import Hasher
from bot.memory.secrets import masked
from bot.service import Service, Services
from bot.store import standing, unextracted
from bot.store.database import Connection, Database
from bot.store.facts import NewFact
from bot.store.unextracted import Line, Queued

logger = logging.getLogger(__name__)

BATCH: Final = 100
"""Messages that one transaction reads out at most."""

AFTERTHOUGHT: Final = timedelta(minutes=5)
"""How much later an author may still take back or correct what they said just before."""

WAITING_SECONDS: Final = 1.0
"""Real seconds that a question waits at most for what was said before it to be read out."""

_POLL_SECONDS: Final = 5.0
"""How often to look for messages that other processes wrote and did not read out."""

_LOOK_AGAIN_SECONDS: Final = 0.02
"""How often one who waits looks whether another process is done with what it has claimed."""


_LONGEST_PAUSE: Final = timedelta(hours=1)
"""The longest after which a message that cannot be read for facts is tried again."""

_MOST_POSTPONED: Final = 5
"""Messages in a row that cannot be read until it is no longer taken for their fault."""


class Noticer:
    """Reads out what the writer queued; `notify` is called after a commit that asked for background work."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        hasher: Hasher,
        *,
        notify: Callable[[], None],
        services: Services | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._hasher = hasher
        self._notify = notify
        self._services = services or Services()
        self._service: Service | None = None
        self._wake = asyncio.Event()
        self._limit = BATCH
        self._is_first = True
        self._postponed = 0
        """Messages in a row that could not be read."""
        self._reading: list[Queued] = []

    def start(self) -> None:
        """Begin to read, also what could not be read until now."""
        self._is_first = True
        self._service = self._services.start("reader of facts", self._run)

    async def stop(self) -> None:
        """End at once; what is queued is read by whoever comes next."""
        if self._service is not None:
            await self._service.stop()
            self._service = None

    def wake(self) -> None:
        """Look now: messages have been written."""
        self._wake.set()

    async def noticed(self, *, guild_id: int, up_to_id: int, seconds: float = WAITING_SECONDS) -> bool:
        """Return when what was said in a guild up to a message has been read out, or after `seconds` of real time.

        Tells whether all of it has been.
        """
        try:
            async with asyncio.timeout(seconds):
                while await self._database.read(
                    lambda connection: unextracted.is_waiting(
                        connection, guild_id=guild_id, up_to_id=up_to_id
                    )
                ):
                    self.wake()
                    await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        except TimeoutError:
            return False
        return True

    async def _run(self) -> None:
        if self._is_first:
            # The code may be another than that which failed.
            await self._database.write(unextracted.hurry)
            self._is_first = False
        while True:
            if await self._read_some():
                self._notify()
                continue
            self._limit = BATCH
            with contextlib.suppress(TimeoutError):
                # Not wait_for: in Python 3.11 it loses a cancellation that meets the event.
                async with asyncio.timeout(_POLL_SECONDS):
                    await self._wake.wait()
            self._wake.clear()

    async def _read_some(self) -> bool:
        """Read the newest messages of the queue, and tell whether there were any.

        After a failure it goes on message by message, up to the one that cannot be read, which is left for later.
        If one after the other cannot, the fault is not theirs, and the last error is raised.
        """
        self._reading = []
        try:
            is_any = await self._database.write(self._read_batch) > 0
        except Exception as error:
            if not self._reading or await is_away(self._database, error):
                raise
            if self._limit > 1:
                logger.warning("messages are read one by one for facts: %s", trace(error))
                self._limit = 1
                return True
            await self._postpone(error)
            if self._postponed >= _MOST_POSTPONED:
                raise
            return True
        self._postponed = 0
        return is_any

    async def _postpone(self, error: Exception) -> None:
        left = list(self._reading)
        logger.error(
            "no facts are read for now out of message %s: %s",
            ", ".join(str(one.message_id) for one in left),
            trace(error),
        )
        await self._database.write(
            lambda connection: unextracted.postpone(connection, left, longest=_LONGEST_PAUSE)
        )
        self._postponed += 1
        self._limit = BATCH

    async def _read_batch(self, connection: Connection) -> int:
        self._reading = await unextracted.newest(connection, limit=self._limit)
        if not self._reading:
            return 0
        await unextracted.hold_guilds(connection, {one.guild_id for one in self._reading})
        queued = await unextracted.claim(connection, self._reading)
        for guild_id in sorted({one.guild_id for one in queued}):
            message_ids = [one.message_id for one in queued if one.guild_id == guild_id]
            await self._read_guild(connection, guild_id, message_ids)
        return len(self._reading)

    async def _read_guild(self, connection: Connection, guild_id: int, message_ids: Sequence[int]) -> None:
        """Bring the learned facts of these messages, and of those just before and after, to what they say now.

        A message is an afterthought of the one before it: whichever of two comes, changes or goes, both are read
        anew.
        """
        read = {line.message.message_id: line for line in await _lines(connection, guild_id, message_ids)}
        near = {
            one.message_id for line in read.values() for one in (line.before, line.after) if one is not None
        }
        for line in await _lines(connection, guild_id, sorted(near - read.keys())):
            read[line.message.message_id] = line
        authors = sorted({line.message.user_id for line in read.values()})
        silent = await unextracted.not_learned_from(connection, guild_id=guild_id, user_ids=authors)
        absent = await standing.absent(connection, guild_id=guild_id, user_ids=authors)
        wanted: dict[int, tuple[NewFact, ...]] = {}
        for message_id, line in read.items():
            if line.message.user_id in absent and line.message.withheld is None:
                continue
            wanted[message_id] = _facts_in(line)
            # Reading many must not keep whoever is answered meanwhile waiting.
            await asyncio.sleep(0)
        await lifecycle.notice(
            connection,
            self._hasher,
            guild_id=guild_id,
            wanted=wanted,
            nothing_new_of=silent,
            now=self._clock.now(),
        )


def facts_in(line: Line) -> tuple[NewFact, ...]:
    """Return the facts that a member's message says of its author; none of a visitor's and of what no member said."""
    message = line.message
    if message.kind is not MessageKind.MEMBER or message.from_visitor or message.withheld is not None:
        return ()
    said = Said(
        text=masked(message.text),
        author_id=message.user_id,
        before=masked(line.before.text) if line.before is not None else "",
        after=masked(line.after.text) if line.after is not None else "",
    )
    return tuple(_new_fact(message, one) for one in extract(said))


def _facts_in(line: Line) -> tuple[NewFact, ...]:
    """Return the facts of a message; none of one that cannot be read, which must keep its neighbours from nothing."""
    try:
        return facts_in(line)
    except Exception as error:
        logger.error("no facts are read out of message %d: %s", line.message.message_id, trace(error))
        return ()


async def _lines(connection: Connection, guild_id: int, message_ids: Sequence[int]) -> list[Line]:
    if not message_ids:
        return []
    return await unextracted.lines(
        connection, guild_id=guild_id, message_ids=message_ids, within=AFTERTHOUGHT
    )


def _new_fact(message: Message, found: Extracted) -> NewFact:
    return NewFact(
        guild_id=message.guild_id,
        subject_id=message.user_id,
        audience=message.audience,
        category=found.category,
        key=found.key,
        value=found.value,
        content=found.content,
        raw_content=found.content,
        importance=found.importance,
        confidence=found.confidence,
        origin=FactOrigin.PATTERN,
        author_id=message.user_id,
        source_channel_id=message.channel_id,
        source_message_id=message.message_id,
        cause=_cause(message),
        said_at=message.timestamp,
        expires_at=None if found.lasts is None else message.timestamp + found.lasts,
    )


def _cause(message: Message) -> str:
    """Return the cause of what a message says; each version of it says it anew."""
    if message.edited_at is None:
        return f"m:{message.message_id}"
    return f"m:{message.message_id}:{int(message.edited_at.timestamp() * 1_000_000)}"

"""The extractor: facts are read out of what members say, from a queue that the statement fills that writes
the message.
"""

import asyncio
import hashlib
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.core.domain import FactOrigin, Message, MessageKind
from bot.core.log import trace
from bot.db.pool import Connection, Row
from bot.db.rows import row_as
from bot.db.service import Supervised, woken
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.facts import lifecycle
from bot.memory.facts.repository import NewFact
from bot.memory.messages.quarantine import is_outage
from bot.memory.messages.repository import MESSAGE_COLUMNS
from bot.memory.policy.repository import of_present
from bot.text.extraction import extract
from bot.text.extraction_rules import Extracted, ExtractionInput

logger = logging.getLogger(__name__)


_SEARCHED: Final = 30
"""Messages of a channel that are looked through, on either side, for the nearest of the same author."""


@dataclass(frozen=True, slots=True, order=True)
class QueuedExtraction:
    """A message in the queue."""

    guild_id: int
    message_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageWithNeighbours:
    """A message between its author's nearest two around it."""

    message: Message
    before: Message | None
    after: Message | None


async def newest_queued(connection: Connection, *, limit: int) -> list[QueuedExtraction]:
    """Return the newest messages of the queue: whoever talks now goes before what is read back."""
    rows = await connection.fetch(
        """
        SELECT guild_id, message_id FROM unextracted WHERE due_at <= clock_timestamp()
        ORDER BY message_id DESC LIMIT $1
        """,
        limit,
    )
    return [_queued(row) for row in rows]


async def hold_guilds(connection: Connection, guild_ids: Iterable[int]) -> None:
    """Let nobody else read messages of these guilds out until commit.

    Two that read a message and its afterthought at once would each know only one of them.
    """
    await connection.execute(
        "SELECT pg_advisory_xact_lock(guild) FROM unnest($1::bigint[]) AS guild",
        sorted({_number(guild_id) for guild_id in guild_ids}),
    )


async def claim_queued(connection: Connection, queued: Sequence[QueuedExtraction]) -> list[QueuedExtraction]:
    """Take these out of the queue, and return those that were still in it.

    They are back in it if the transaction fails, and again if a later version of one is written meanwhile: until
    commit nobody writes one.
    """
    guild_ids, message_ids = [one.guild_id for one in queued], [one.message_id for one in queued]
    # In the order in which the writer takes them; who waited for it must find its version in the queue.
    await connection.fetch(
        """
        SELECT FROM chat_history JOIN unnest($1::bigint[], $2::bigint[]) AS wanted (guild_id, message_id)
            USING (guild_id, message_id)
        ORDER BY guild_id, message_id FOR SHARE OF chat_history
        """,
        guild_ids, message_ids,
    )  # fmt: skip
    return await drop_queued(connection, queued)


async def drop_queued(connection: Connection, queued: Sequence[QueuedExtraction]) -> list[QueuedExtraction]:
    """Take these out of the queue unread, and return those that were still in it."""
    rows = await connection.fetch(
        """
        DELETE FROM unextracted u USING unnest($1::bigint[], $2::bigint[]) AS wanted (guild_id, message_id)
        WHERE u.guild_id = wanted.guild_id AND u.message_id = wanted.message_id
        RETURNING u.guild_id, u.message_id
        """,
        [one.guild_id for one in queued], [one.message_id for one in queued],
    )  # fmt: skip
    return sorted(map(_queued, rows))


async def postpone_queued(
    connection: Connection, queued: Sequence[QueuedExtraction], *, longest: timedelta
) -> None:
    """Leave these in the queue for later, since they cannot be read: a minute, doubled each time, up to `longest`."""
    await connection.execute(
        """
        UPDATE unextracted u
        SET failures = failures + 1,
            due_at = clock_timestamp() + least($3, interval '1 minute' * 2 ^ least(failures, 20))
        FROM unnest($1::bigint[], $2::bigint[]) AS failed (guild_id, message_id)
        WHERE u.guild_id = failed.guild_id AND u.message_id = failed.message_id
        """,
        [one.guild_id for one in queued], [one.message_id for one in queued], longest,
    )  # fmt: skip


async def hurry_queued(connection: Connection) -> None:
    """Let all that could not be read be due now."""
    await connection.execute("UPDATE unextracted SET due_at = '-infinity' WHERE due_at > '-infinity'")


async def is_waiting(connection: Connection, *, guild_id: int, up_to_id: int) -> bool:
    """Tell whether a message of the guild, up to this one, is to be read out now."""
    waiting: bool = await connection.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM unextracted
            WHERE guild_id = $1 AND message_id <= $2 AND due_at <= clock_timestamp()
        )
        """,
        guild_id, up_to_id,
    )  # fmt: skip
    return waiting


async def with_neighbours(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], within: timedelta
) -> list[MessageWithNeighbours]:
    """Return these messages, each with its author's nearest before and after it in the channel.

    Those are no further than `within` in time, and stand where the same people read. Of two, each is the other's
    neighbour. Withheld ones are none, but are returned themselves, without text.
    """
    rows = await connection.fetch(
        f"""
        WITH asked AS (
            SELECT channel_id AS asked_channel, message_id AS asked_id, user_id AS asked_user, timestamp AS asked_at,
                   audience AS asked_audience
            FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2::bigint[])
        )
        SELECT asked_id, said.* FROM asked CROSS JOIN LATERAL (
            (SELECT * FROM (
                SELECT {MESSAGE_COLUMNS} FROM chat_history
                WHERE guild_id = $1 AND channel_id = asked_channel AND message_id < asked_id
                ORDER BY message_id DESC LIMIT $4
            ) before
            WHERE user_id = asked_user AND audience = asked_audience AND withheld IS NULL
              AND timestamp >= asked_at - $3::interval
            ORDER BY message_id DESC LIMIT 1)
            UNION ALL
            (SELECT {MESSAGE_COLUMNS} FROM chat_history WHERE guild_id = $1 AND message_id = asked_id)
            UNION ALL
            (SELECT * FROM (
                SELECT {MESSAGE_COLUMNS} FROM chat_history
                WHERE guild_id = $1 AND channel_id = asked_channel AND message_id > asked_id
                ORDER BY message_id LIMIT $4
            ) after
            WHERE user_id = asked_user AND audience = asked_audience AND withheld IS NULL
              AND timestamp <= asked_at + $3::interval
            ORDER BY message_id LIMIT 1)
        ) said
        """,
        guild_id, list(message_ids), within, _SEARCHED,
    )  # fmt: skip
    found: dict[int, dict[int, Message]] = {}
    for row in rows:
        message = row_as(Message, row)
        found.setdefault(row["asked_id"], {})[message.message_id] = message
    return [_line(message_id, near) for message_id, near in sorted(found.items())]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorRules:
    """Whose words are not to be read for facts."""

    silent: frozenset[int]
    """Those who want nothing to be learned from them."""
    absent: frozenset[int]
    """Those of whom nothing is kept."""


async def author_rules(connection: Connection, *, guild_id: int, user_ids: Sequence[int]) -> AuthorRules:
    """Return which of these members are not to be read."""
    row = await connection.fetchrow(
        f"""
        SELECT ARRAY(
            SELECT user_id FROM members
            WHERE guild_id = $1 AND user_id = ANY($2::bigint[]) AND (is_bot OR NOT learning)
        ) AS silent, ARRAY(
            SELECT user_id FROM unnest($2::bigint[]) AS user_id WHERE NOT {of_present("user_id")}
        ) AS absent
        """,
        guild_id, list(user_ids),
    )  # fmt: skip
    if row is None:
        raise AssertionError("a SELECT without FROM gave no row")
    return row_as(AuthorRules, row)


def _queued(row: Row) -> QueuedExtraction:
    return QueuedExtraction(row["guild_id"], row["message_id"])


def _line(message_id: int, near: dict[int, Message]) -> MessageWithNeighbours:
    before = [one for one in near if one < message_id]
    after = [one for one in near if one > message_id]
    return MessageWithNeighbours(
        message=near[message_id],
        before=near[before[0]] if before else None,
        after=near[after[0]] if after else None,
    )


def _number(guild_id: int) -> int:
    """Return the number of the lock that stands for reading a guild's messages out."""
    return int.from_bytes(hashlib.sha256(f"noticing:{guild_id}".encode()).digest()[:8], signed=True)


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


class Extractor(Supervised):
    """Reads out what the writer queued; `notify` is called after a commit that asked for background work."""

    def __init__(self, needs: MemoryDependencies) -> None:
        super().__init__(needs.services, {"reader of facts": self._run})
        self._database = needs.database
        self._clock = needs.clock
        self._hasher = needs.hasher
        self._notify = needs.notify
        self._wake = asyncio.Event()
        self._limit = BATCH
        self._is_first = True
        self._postponed = 0
        """Messages in a row that could not be read."""
        self._reading: list[QueuedExtraction] = []

    def start(self) -> None:
        """Begin to read, also what could not be read until now."""
        self._is_first = True
        super().start()

    def wake(self) -> None:
        """Look now: messages have been written."""
        self._wake.set()

    async def noticed(self, *, guild_id: int, up_to_id: int, seconds: float = WAITING_SECONDS) -> bool:
        """Return when what was said in a guild up to a message has been read out, or after `seconds` of real time.

        Tells whether all of it has been.
        """
        try:
            async with asyncio.timeout(seconds):
                while await self._database.read(is_waiting, guild_id=guild_id, up_to_id=up_to_id):
                    self.wake()
                    await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        except TimeoutError:
            return False
        return True

    async def _run(self) -> None:
        if self._is_first:
            # The code may be another than that which failed.
            await self._database.write(hurry_queued)
            self._is_first = False
        while True:
            if await self._read_some():
                self._notify()
                continue
            self._limit = BATCH
            await woken(self._wake, seconds=_POLL_SECONDS)
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
            if not self._reading or await is_outage(self._database, error):
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
        await self._database.write(postpone_queued, left, longest=_LONGEST_PAUSE)
        self._postponed += 1
        self._limit = BATCH

    async def _read_batch(self, connection: Connection) -> int:
        self._reading = await newest_queued(connection, limit=self._limit)
        if not self._reading:
            return 0
        await hold_guilds(connection, {one.guild_id for one in self._reading})
        queued = await claim_queued(connection, self._reading)
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
        rules = await author_rules(connection, guild_id=guild_id, user_ids=authors)
        wanted: dict[int, tuple[NewFact, ...]] = {}
        for message_id, line in read.items():
            if line.message.user_id in rules.absent and line.message.withheld is None:
                continue
            wanted[message_id] = _facts_in(line)
            # Reading many must not keep whoever is answered meanwhile waiting.
            await asyncio.sleep(0)
        await lifecycle.update_extracted(
            connection,
            self._hasher,
            guild_id=guild_id,
            wanted=wanted,
            nothing_new_of=rules.silent,
            now=self._clock.now(),
        )


def facts_in(line: MessageWithNeighbours) -> tuple[NewFact, ...]:
    """Return the facts that a member's message says of its author; none of a visitor's and of what no member said."""
    message = line.message
    if message.kind is not MessageKind.MEMBER or message.from_visitor or message.withheld is not None:
        return ()
    said = ExtractionInput(
        text=message.text,
        author_id=message.user_id,
        before=line.before.text if line.before is not None else "",
        after=line.after.text if line.after is not None else "",
    )
    return tuple(_new_fact(message, one) for one in extract(said))


def _facts_in(line: MessageWithNeighbours) -> tuple[NewFact, ...]:
    """Return the facts of a message; none of one that cannot be read, which must keep its neighbours from nothing."""
    try:
        return facts_in(line)
    except Exception as error:
        logger.error("no facts are read out of message %d: %s", line.message.message_id, trace(error))
        return ()


async def _lines(
    connection: Connection, guild_id: int, message_ids: Sequence[int]
) -> list[MessageWithNeighbours]:
    if not message_ids:
        return []
    return await with_neighbours(connection, guild_id=guild_id, message_ids=message_ids, within=AFTERTHOUGHT)


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

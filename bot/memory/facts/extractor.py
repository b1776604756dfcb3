"""The extractor: facts are read out of what members say, from a queue that the statement fills that writes
the message.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby
from typing import Final

from bot.core.domain import FactOrigin, Message, MessageKind
from bot.core.log import trace
from bot.db.batched import Pace
from bot.db.pool import Connection
from bot.db.rows import columns_of, rows_as
from bot.db.service import Supervised
from bot.db.signs import woken
from bot.memory.derived.engine import MemoryDependencies
from bot.memory.facts import lifecycle
from bot.memory.facts.endings import open_key
from bot.memory.facts.repository import NewFact
from bot.memory.facts.repository_slots import PickedUp
from bot.memory.messages.quarantine import is_outage
from bot.memory.policy.repository import of_present
from bot.text.extraction import Ending, endings, extract
from bot.text.extraction_rules import WORTH, Extracted, ExtractionInput, StatementKind
from bot.text.vocatives import without_calls

logger = logging.getLogger(__name__)


_SEARCHED: Final = 30
"""Messages of an author that are looked through, on either side, for the nearest in the same channel."""


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
    is_silent: bool = False
    """Whether its author wants nothing to be learned from them."""
    is_absent: bool = False
    """Whether nothing is kept of its author."""
    picked_up: tuple[PickedUp, ...] = ()
    """What it says for facts until now."""


async def claim_newest(connection: Connection, *, limit: int) -> dict[QueuedExtraction, bool]:
    """Take the newest messages out of the queue: whoever talks now goes before what is read back.

    Returned are all that were looked at, and whether each was still in the queue. They are back in it if the
    transaction fails, and again if a later version of one is written meanwhile: until commit nobody writes one, and
    nobody else reads messages of these guilds out. Two that read a message and its afterthought at once would each
    know only one of them. Those of a guild that somebody else reads are left to them, and none of them is returned.
    """
    rows = await connection.fetch(
        """
        WITH newest AS MATERIALIZED (
            SELECT guild_id, message_id FROM unextracted WHERE due_at <= clock_timestamp()
            ORDER BY message_id DESC LIMIT $1
        ), guilds_held AS MATERIALIZED (
            SELECT guild_id FROM (SELECT DISTINCT guild_id FROM newest) one
            WHERE pg_try_advisory_xact_lock(('x' || left(encode(
                sha256(convert_to('noticing:' || guild_id, 'UTF8')), 'hex'
            ), 16))::bit(64)::bigint)
        ), taken AS MATERIALIZED (
            SELECT guild_id, message_id FROM newest JOIN guilds_held USING (guild_id)
        ), messages_held AS MATERIALIZED (
            -- In the order in which the writer takes them; who waited for it must find its version in the queue.
            SELECT FROM chat_history JOIN taken USING (guild_id, message_id)
            ORDER BY guild_id, message_id FOR SHARE OF chat_history
        ), claimed AS (
            DELETE FROM unextracted u USING taken
            WHERE u.guild_id = taken.guild_id AND u.message_id = taken.message_id
              AND (SELECT count(*) FROM messages_held) >= 0
            RETURNING u.guild_id, u.message_id
        )
        SELECT guild_id, message_id, claimed.message_id IS NOT NULL AS is_claimed
        FROM taken LEFT JOIN claimed USING (guild_id, message_id)
        """,
        limit,
    )
    return {QueuedExtraction(row["guild_id"], row["message_id"]): row["is_claimed"] for row in rows}


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


def _nearest(side: str, order: str) -> str:
    """Return SQL for the nearest message of the author of `asked` on one side of it, out of the index of authors.

    A channel of many has to be looked through for it: an author says little within minutes.
    """
    return f"""
        SELECT message_id FROM (
            SELECT message_id, channel_id, audience, withheld FROM chat_history
            WHERE guild_id = asked.guild_id AND user_id = asked.user_id AND timestamp {side}= asked.timestamp
              AND timestamp BETWEEN asked.timestamp - $3::interval AND asked.timestamp + $3::interval
            ORDER BY timestamp {order} LIMIT $4
        ) near
        WHERE channel_id = asked.channel_id AND audience = asked.audience AND withheld IS NULL
          AND message_id {side} asked.message_id
        ORDER BY message_id {order} LIMIT 1
    """


def _by_id(table: str, message_id: str) -> str:
    """Return SQL for one message, by the guild of `table` and this id.

    Each is looked up by itself: the planner expects so many that it would read whole guilds instead.
    """
    return (
        f"SELECT * FROM chat_history WHERE guild_id = {table}.guild_id AND message_id = {message_id} OFFSET 0"
    )


def _lines(sought: str) -> str:
    """Return SQL for the messages that the relation `sought` names, each with the ids of its neighbours."""
    return f"""
        SELECT asked.guild_id, asked.message_id, before.message_id AS before_id, after.message_id AS after_id
        FROM {sought} CROSS JOIN LATERAL ({_by_id(sought, f"{sought}.message_id")}) asked
        LEFT JOIN LATERAL ({_nearest("<", "DESC")}) before ON true
        LEFT JOIN LATERAL ({_nearest(">", "ASC")}) after ON true
    """


async def with_neighbours(
    connection: Connection, queued: Sequence[QueuedExtraction], *, within: timedelta
) -> list[MessageWithNeighbours]:
    """Return these messages and their neighbours, each with its own neighbours: its author's nearest before and after
    it in the channel. They may be of several guilds; those of one come together.

    Neighbours are no further than `within` in time, and stand where the same people read. Of two, each is the other's
    neighbour. Withheld ones are none, but are returned themselves, without text.
    """
    rows = await connection.fetch(
        f"""
        WITH queued AS MATERIALIZED (
            SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS one (guild_id, message_id)
        ), lines AS MATERIALIZED (
            {_lines("queued")}
        ), beside AS MATERIALIZED (
            SELECT guild_id, near.message_id FROM lines, unnest(ARRAY[before_id, after_id]) AS near (message_id)
            WHERE near.message_id IS NOT NULL
            EXCEPT SELECT guild_id, message_id FROM queued
        ), further AS MATERIALIZED (
            {_lines("beside")}
        )
        SELECT {", ".join(
            columns_of(Message, table, into=table, text=f"{table}.message_text")
            for table in ("message", "before", "after")
        )},
            EXISTS (
                SELECT FROM members m
                WHERE m.guild_id = line.guild_id AND m.user_id = message.user_id AND (m.is_bot OR NOT m.learning)
            ) AS is_silent,
            NOT {of_present("message.user_id", guild="message.guild_id", guilds="$1")} AS is_absent,
            (
                SELECT coalesce(jsonb_agg(to_jsonb(known)), '[]') FROM (
                    SELECT s.source_id, s.message_id, f.value, jsonb_build_object(
                        'guild_id', f.guild_id, 'subject_id', f.subject_id, 'audience', f.audience, 'key', f.key
                    ) AS line
                    FROM fact_sources s JOIN facts f ON f.guild_id = s.guild_id AND f.fact_id = s.fact_id
                    WHERE s.guild_id = line.guild_id AND s.message_id = message.message_id AND s.origin = $5
                      AND f.status <> 'forgotten'
                    ORDER BY s.source_id
                ) known
            ) AS picked_up
        FROM (SELECT * FROM lines UNION ALL SELECT * FROM further) line
        CROSS JOIN LATERAL ({_by_id("line", "line.message_id")}) message
        LEFT JOIN LATERAL ({_by_id("line", "line.before_id")}) before ON true
        LEFT JOIN LATERAL ({_by_id("line", "line.after_id")}) after ON true
        ORDER BY line.guild_id, line.message_id
        """,
        [one.guild_id for one in queued], [one.message_id for one in queued], within, _SEARCHED, FactOrigin.PATTERN,
    )  # fmt: skip
    return rows_as(MessageWithNeighbours, rows)


BATCH: Final = 300
"""Messages that one transaction reads out at most: where many wait, those of a guild are asked for together."""

_APART_SECONDS: Final = 0.5
"""Between two transactions where much is said and nobody waits for it: what is learned shows with the next question."""

_AT_A_STRETCH_SECONDS: Final = 0.005
"""How long messages are read before others have their turn: whoever is answered meanwhile must not wait."""

AFTERTHOUGHT: Final = timedelta(minutes=5)
"""How much later an author may still take back or correct what they said just before."""

WAITING_SECONDS: Final = 1.0
"""Real seconds that a question waits at most for what was said before it to be read out."""

_POLL_SECONDS: Final = 5.0
"""How often to look for messages that other processes wrote and did not read out."""

_LOOK_AGAIN_SECONDS: Final = 0.02
"""How often one who waits looks whether another process is done with what it has claimed; its own tells them."""


_LONGEST_PAUSE: Final = timedelta(hours=1)
"""The longest after which a message that cannot be read for facts is tried again."""

_MOST_POSTPONED: Final = 5
"""Messages in a row that cannot be read until it is no longer taken for their fault."""


class Extractor(Supervised):
    """Reads out what the writer queued.

    `notify` is called after a commit that asked for background work, `learned` with a guild and the members of whom
    something may have been learned.
    """

    def __init__(self, needs: MemoryDependencies, *, learned: Callable[[int, Iterable[int]], None]) -> None:
        super().__init__(needs.services, {"reader of facts": self._run})
        self._database = needs.database
        self._clock = needs.clock
        self._hasher = needs.hasher
        self._bot_names = needs.settings.bot_names
        self._notify = needs.notify
        self._wake = asyncio.Event()
        self._hurry = asyncio.Event()
        """Set when somebody waits for what was said to be read."""
        self._batch_is_done = asyncio.Event()
        """Set when what is being read now has been read; the next batch has an event of its own."""
        self._pace = Pace(apart_seconds=_APART_SECONDS)
        self._limit = BATCH
        self._is_first = True
        self._postponed = 0
        """Messages in a row that could not be read."""
        self._reading: list[QueuedExtraction] = []
        self._learned = learned
        self._said_facts: dict[int, set[int]] = {}
        """Whose messages of a batch say facts, by guild."""
        self._has_changed = False
        """Whether a batch changed facts: only then is work asked for."""

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
                while True:
                    batch_is_done = self._batch_is_done
                    if not await self._database.read(is_waiting, guild_id=guild_id, up_to_id=up_to_id):
                        return True
                    self.wake()
                    self._hurry.set()
                    await woken(batch_is_done, seconds=_LOOK_AGAIN_SECONDS)
        except TimeoutError:
            return False

    async def _run(self) -> None:
        if self._is_first:
            # The code may be another than that which failed.
            await self._database.write(hurry_queued)
            self._is_first = False
        while True:
            await woken(self._hurry, seconds=self._pace.pause_seconds)
            self._hurry.clear()
            is_any = await self._read_some()
            self._batch_is_done.set()
            self._batch_is_done = asyncio.Event()
            if is_any:
                if self._has_changed:
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
        self._reading, self._said_facts, self._has_changed = [], {}, False
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
        for guild_id, user_ids in self._said_facts.items():
            self._learned(guild_id, user_ids)
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
        claimed = await claim_newest(connection, limit=self._limit)
        self._reading = list(claimed)
        # Where more wait than one transaction takes, nothing is gained by waiting.
        self._pace.begin(len(claimed) if len(claimed) < self._limit else 0)
        mine = [one for one, is_mine in claimed.items() if is_mine]
        if mine:
            with self._database.meter.span("read facts", {"keepsake.messages": len(mine)}, place="anew"):
                lines = await with_neighbours(connection, mine, within=AFTERTHOUGHT)
                for guild_id, of_guild in groupby(lines, key=lambda line: line.message.guild_id):
                    await self._read_guild(connection, guild_id, list(of_guild))
        return len(claimed)

    async def _read_guild(
        self, connection: Connection, guild_id: int, lines: Sequence[MessageWithNeighbours]
    ) -> None:
        """Bring the learned facts of these messages, and of those just before and after, to what they say now.

        A message is an afterthought of the one before it: whichever of two comes, changes or goes, both are read
        anew.
        """
        read = [line for line in lines if not line.is_absent or line.message.withheld is not None]
        wanted: dict[int, tuple[NewFact, ...]] = {}
        loop = asyncio.get_running_loop()
        began = loop.time()
        for line in read:
            facts = wanted[line.message.message_id] = _facts_in(line, bot_names=self._bot_names)
            if facts:
                self._said_facts.setdefault(guild_id, set()).add(line.message.user_id)
            if loop.time() - began > _AT_A_STRETCH_SECONDS:
                await asyncio.sleep(0)
                began = loop.time()
        changed = await lifecycle.update_extracted(
            connection,
            self._hasher,
            guild_id=guild_id,
            wanted=wanted,
            known=[one for line in read for one in line.picked_up],
            nothing_new_of={line.message.user_id for line in read if line.is_silent},
            now=self._clock.now(),
        )
        self._has_changed |= changed > 0


def facts_in(line: MessageWithNeighbours, *, bot_names: Sequence[str]) -> tuple[NewFact, ...]:
    """Return the facts that a member's message says of its author; none of a visitor's and of what no member said.

    What it says to be so no longer stands under a key that does not tell yet what it ends. One of `bot_names` at the
    end of what is said calls the bot.
    """
    message = line.message
    if message.kind is not MessageKind.MEMBER or message.from_visitor or message.withheld is not None:
        return ()
    whole = ExtractionInput(
        text=message.text,
        author_id=message.user_id,
        before=line.before.text if line.before is not None else "",
        after=line.after.text if line.after is not None else "",
    )
    found = extract(whole)
    said = replace(whole, text=without_calls(message.text, bot_names))
    if said.text != whole.text:
        # A member may be called like the bot: "call me Max" says nothing without the name.
        found = max(extract(said), found, key=len)
    ended = [
        _new_fact(message, _as_extracted(one), cause=f"{_cause(message)}:ended") for one in endings(said)
    ]
    return (*(_new_fact(message, one, cause=_cause(message)) for one in found), *ended)


def _as_extracted(ending: Ending) -> Extracted:
    worth = WORTH[StatementKind.LIVES_IN]
    return Extracted(
        key=open_key(ending.kinds),
        value=ending.value,
        category=worth.category,
        content=ending.content,
        importance=worth.importance,
        confidence=worth.confidence,
        lasts=None,
    )


def _facts_in(line: MessageWithNeighbours, *, bot_names: Sequence[str]) -> tuple[NewFact, ...]:
    """Return the facts of a message; none of one that cannot be read, which must keep its neighbours from nothing."""
    try:
        return facts_in(line, bot_names=bot_names)
    except Exception as error:
        logger.error("no facts are read out of message %d: %s", line.message.message_id, trace(error))
        return ()


def _new_fact(message: Message, found: Extracted, *, cause: str) -> NewFact:
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
        cause=cause,
        said_at=message.timestamp,
        expires_at=None if found.lasts is None else message.timestamp + found.lasts,
    )


def _cause(message: Message) -> str:
    """Return the cause of what a message says; each version of it says it anew."""
    if message.edited_at is None:
        return f"m:{message.message_id}"
    return f"m:{message.message_id}:{int(message.edited_at.timestamp() * 1_000_000)}"

"""What is read of the processes and of the database while the hour goes on, and how long messages and answers take."""

import asyncio
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import asyncpg

from bench.hour_talk import Said, Talk
from bot.db.pool import Database
from bot.memory.rights.counting.installation import InstallationCounts, read_counts
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.snowflakes import moment
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.world import Event

EVERY_SECONDS: Final = 5.0
"""Real seconds from one sample to the next."""

PROBES: Final = 3
"""Messages that are looked for at once, each until it is stored."""

TABLES: Final = ("chat_history", "facts", "answers", "unextracted", "work", "day_marks", "usage")

_LOOK_SECONDS: Final = 0.02
_LONGEST_SECONDS: Final = 120.0
_BETWEEN_PROBES: Final = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One look, at real seconds from the beginning."""

    at: float
    megabytes: float
    """Resident, of all processes of the bot."""
    bot_share: float
    """Of one processor, since the last look: of all its processes."""
    bot_waits: float
    """The share of the time in which one of them could have worked, and others had the processors."""
    postgres_share: float
    loopback_share: float
    loopback_late: float
    """Seconds that the loopback was late with something to be done at once."""
    sockets: int
    """Of the bot: to Discord, to models and to the database."""
    sent: int
    """Messages in all."""
    unstored: int
    """Those sent, but for the last second, that are not stored."""
    unread: int
    """Messages that are not read for facts."""
    work: int
    """Background work that is due."""
    work_seconds: float
    """How long the oldest of it has been."""
    answers: int
    """Written and not sent."""


@dataclass(slots=True)
class Processes:
    """The processor time of the bot, of Postgres and of this process, which is the loopback."""

    bot_ids: Sequence[int]
    postmaster_id: int
    _before: dict[str, float] = field(default_factory=dict)
    _at: float = 0.0

    def shares(self) -> dict[str, float]:
        """Return how much of one processor each took since the last call."""
        now = time.monotonic()
        ids = {"bot": self.bot_ids, "postgres": _family(self.postmaster_id), "loopback": [os.getpid()]}
        used = {name: sum(map(_worked, found)) for name, found in ids.items()} | {"waits": self._waited()}
        # What backends used that have ended since is not known any more.
        shares = {
            name: max(0.0, seconds - self._before.get(name, seconds)) / max(0.001, now - self._at)
            for name, seconds in used.items()
        }
        self._before, self._at = used, now
        return shares

    def _waited(self) -> float:
        """Return the seconds that processes of the bot have waited for a processor, all by the number of them."""
        told = [Path(f"/proc/{one}/schedstat").read_text(encoding="utf-8") for one in self.bot_ids]
        return sum(int(one.split()[1]) for one in told) / 1e9 / len(told)

    def sockets(self) -> int:
        """Return how many sockets the bot has open."""
        return sum(_is_socket(one) for bot_id in self.bot_ids for one in Path(f"/proc/{bot_id}/fd").iterdir())

    def megabytes(self) -> float:
        """Return how much memory of the bot is resident."""
        return sum(_resident(one) for one in self.bot_ids)


def _resident(process_id: int) -> float:
    status = Path(f"/proc/{process_id}/status").read_text(encoding="utf-8")
    [line] = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) / 1_000


def _is_socket(descriptor: Path) -> bool:
    try:
        return str(descriptor.readlink()).startswith("socket:")
    except FileNotFoundError:
        return False


def _status(process_id: int) -> list[str]:
    """Return what the system tells of a process, from its state on; nothing if it has ended."""
    try:
        told = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return []
    return told.rpartition(")")[2].split()


def _worked(process_id: int) -> float:
    told = _status(process_id)
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK") if told else 0.0


def parent_of(process_id: int) -> int:
    """Return the process that started another."""
    return int(_status(process_id)[1])


def _family(postmaster_id: int) -> list[int]:
    ids = [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    return [postmaster_id, *(one for one in ids if (told := _status(one)) and int(told[1]) == postmaster_id)]


@dataclass(slots=True)
class Answers:
    """When what was asked was answered, and how long models took for it."""

    said: Said
    model_seconds: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    """By the number of the question."""
    answered: dict[int, list[FakeMessage]] = field(default_factory=dict)
    """The answers to each message."""
    at: dict[int, float] = field(default_factory=dict)
    """When an answer was as it stands, by its id: seconds of the clock of ids."""

    def listen(self, server: DiscordServer) -> None:
        """Hear what the bot sends and changes."""
        server.world.on_sent.append(self._sent)
        server.world.listeners.append(self._changed)

    def open(self) -> int:
        """Return how many were never answered."""
        return len(self.said.asked.keys() - self.answered.keys())

    def doubled(self) -> int:
        """Return how many answers say what another one to the same message says."""
        return sum(len(found) - len({one.text for one in found}) for found in self.answered.values())

    def seconds(self, *, free: bool) -> Iterator[tuple[float, float]]:
        """Yield when something was asked, by the clock of ids, and how long it took beside the models."""
        for message_id, found in list(self.answered.items()):
            asked = self.said.asked.get(message_id)
            if asked is not None and asked.is_free is free:
                sent = asked.message.sent_at.timestamp()
                last = max(self.at[one.message_id] for one in found)
                yield sent, max(0.0, last - sent - self.model_seconds[asked.number])

    def _sent(self, message: FakeMessage) -> None:
        if message.reply_to_id in self.said.asked:
            self.answered.setdefault(message.reply_to_id, []).append(message)
            self.at[message.message_id] = time.time()

    def _changed(self, event: Event) -> None:
        if event.name == "MESSAGE_UPDATE" and (message_id := int(str(event.data["id"]))) in self.at:
            self.at[message_id] = time.time()


class Watch:
    """Looks every few seconds, and at single messages all the time."""

    def __init__(
        self,
        dsn: str,
        database: Database,
        server: DiscordServer,
        talk: Talk,
        processes: Processes,
        began: float,
    ) -> None:
        self.samples: Final[list[Sample]] = []
        self.stored: Final[list[tuple[float, float]]] = []
        """When a message was sent, from the beginning, and how long it took until it was stored."""
        self._dsn = dsn
        self._database = database
        self._talk = talk
        self._server = server
        self._processes = processes
        self._began = began
        self._confirmed = 0
        """Up to this id every message is stored."""
        self._ids: list[int] = []

    async def look(self) -> None:
        """Take samples for ever."""
        connection = await asyncpg.connect(self._dsn)
        self._processes.shares()
        while True:
            due = time.monotonic() + EVERY_SECONDS
            await asyncio.sleep(EVERY_SECONDS)
            late = time.monotonic() - due
            self.samples.append(sample := await self._sample(connection, late))
            _say(sample)
            # They hold every prompt and body.
            self._server.requests.clear()
            self._server.world.sent.clear()

    async def unstored(self, connection: "asyncpg.Connection[asyncpg.Record]", *, before: int) -> int:
        """Return how many messages up to an id are not stored."""
        said = self._talk.said.messages
        sent = [one for one in _newest(said, self._confirmed) if one <= before]
        stored = await connection.fetchval(
            """
            SELECT count(*) FROM unnest($1::bigint[]) AS one (guild_id) CROSS JOIN LATERAL (
                SELECT FROM chat_history c
                WHERE c.guild_id = one.guild_id AND c.message_id > $2 AND c.message_id <= $3 AND c.kind = 'member'
            ) AS found
            """,
            list(self._server.world.guilds), self._confirmed, before,
        )  # fmt: skip
        if stored == len(sent):
            self._confirmed = max(self._confirmed, before)
        return len(sent) - int(stored)

    async def probe(self) -> None:
        """Look for the newest message until it is stored, for ever."""
        connection = await asyncpg.connect(self._dsn)
        while True:
            message_id = next(reversed(self._talk.said.messages), None)
            if message_id is not None:
                sent = moment(message_id).timestamp()
                await self._until_stored(connection, message_id)
                self.stored.append((sent - self._began, time.time() - sent))
            await asyncio.sleep(_BETWEEN_PROBES)

    async def _until_stored(self, connection: "asyncpg.Connection[asyncpg.Record]", message_id: int) -> None:
        guild_id = self._talk.said.messages[message_id]
        until = time.monotonic() + _LONGEST_SECONDS
        while time.monotonic() < until:
            if await connection.fetchval(
                "SELECT 1 FROM chat_history WHERE guild_id = $1 AND message_id = $2", guild_id, message_id
            ):
                return
            await asyncio.sleep(_LOOK_SECONDS)

    async def _sample(self, connection: "asyncpg.Connection[asyncpg.Record]", late: float) -> Sample:
        shares = self._processes.shares()
        counts: InstallationCounts = await self._database.read(read_counts, now=datetime.now(UTC))
        before = self._server.world.snowflakes.next() - (1_000 << 22)
        return Sample(
            at=time.time() - self._began,
            megabytes=self._processes.megabytes(),
            bot_share=shares["bot"],
            bot_waits=shares["waits"],
            postgres_share=shares["postgres"],
            loopback_share=shares["loopback"],
            loopback_late=max(0.0, late),
            sockets=self._processes.sockets(),
            sent=len(self._talk.said.messages),
            unstored=await self.unstored(connection, before=before),
            work=counts.work.count,
            work_seconds=counts.work.oldest_seconds,
            unread=counts.unread.count,
            answers=counts.answers.count,
        )


def _say(sample: Sample) -> None:
    """Say how far it is: all of it takes an hour."""
    print(
        f"{sample.at:.0f} s: {sample.sent:,} sent, {sample.unstored} not stored, {sample.unread} not read,"
        f" work {sample.work} ({sample.work_seconds:.0f} s), answers {sample.answers}, {sample.megabytes:.0f} MB,"
        f" bot {sample.bot_share:.0%}, waits {sample.bot_waits:.0%}, Postgres {sample.postgres_share:.0%},"
        f" loopback {sample.loopback_share:.0%}",
        file=sys.stderr,
        flush=True,
    )


def _newest(said: Mapping[int, int], after: int) -> Iterable[int]:
    """Yield the ids after one, which grow, newest first."""
    for message_id in reversed(said):
        if message_id <= after:
            return
        yield message_id


async def sizes(connection: "asyncpg.Connection[asyncpg.Record]") -> dict[str, tuple[int, int]]:
    """Return how many rows each table has, as far as statistics tell, and its bytes with all of its indexes."""
    await connection.execute("ANALYZE")
    rows = await connection.fetch(
        """
        SELECT relname AS name, greatest(reltuples, 0)::bigint AS rows, pg_total_relation_size(oid) AS bytes
        FROM pg_class WHERE oid = ANY($1::regclass[]) ORDER BY bytes DESC
        """,
        list(TABLES),
    )
    return {row["name"]: (row["rows"], row["bytes"]) for row in rows}


def thirds(found: Sequence[tuple[float, float]], seconds: float) -> list[list[float]]:
    """Return the second of each pair by the third of `seconds` in which the first lies."""
    parts: list[list[float]] = [[], [], []]
    for at, value in found:
        parts[min(2, max(0, int(3 * at / seconds)))].append(value)
    return parts

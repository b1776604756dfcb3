"""What a guild costs among others: `python -m bench.scale 10000000` asks the same among 100,000 messages and so many.

Prints tables in Markdown for docs/scaling.md.
"""

import asyncio
import os
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import quantiles
from typing import Final

import asyncpg

from bench.filled import FIRST_CHANNEL, LARGE_FROM, LARGE_ID, SMALL_ID, SPAN, TIMEOUT_SECONDS, Sizes, fill
from bench.homes import own_home
from bench.recall_large import DATA, FILES, Spoken, spoken
from bot.app import assembled
from bot.chat.incoming import IncomingMessage
from bot.chat.keepsake import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import MAX_ID, OPEN, Message, snowflake_at
from bot.core.settings import Settings
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.jobs import Job
from bot.db.pool import Connection, Database
from bot.memory.policy.permissions import ReadScope
from bot.memory.recall.lexicon import LEXICON_JOB, Lexicographer
from bot.memory.summaries.day_builder import messages_of_day

FEW: Final = 100_000
"""Messages of the database that every other one is compared with."""
MANY: Final = 1_000_000
TIMES: Final = 100
"""How often each question is asked, after a few times that are not counted."""

_BEGINS: Final = datetime(2025, 1, 1, tzinfo=UTC)
_UNCOUNTED: Final = 10
_BOT_ID: Final = 77
_SEED: Final = 8
_SHARED: Final = "an index of its words that all guilds share"


@dataclass(frozen=True, slots=True)
class Taken:
    """Milliseconds that something took."""

    median: float
    most: float
    """At the 95th of a hundred."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured in one database."""

    messages: int
    taken: dict[tuple[str, str], Taken]
    """By guild and question."""
    sizes: dict[str, int]
    """Bytes of tables and indexes."""
    guild_sizes: Sequence[int]
    """Messages of each guild, in order."""


class Asker:
    """Asks the product about one guild, as the rest of it does; the clock goes on by minutes."""

    def __init__(
        self, keepsake: Keepsake, database: Database, clock: SetClock, said: Spoken, guild_id: int
    ) -> None:
        self._keepsake = keepsake
        self._database = database
        self._clock = clock
        self._said = said
        self._guild_id = guild_id
        self._chance = random.Random(_SEED)
        self._tastes = _tastes()
        self._liked = _tastes()

    def questions(self) -> Mapping[str, Callable[[], Awaitable[object]]]:
        """Return what is asked, by name; what removes most comes last."""
        return {
            "recall": self._recall,
            "the last 20 messages of a channel": self._latest,
            "what do you know": self._what_is_known,
            "how much has she written": self._how_much,
            "a day's messages": self._day,
            "one message heard": self._hear,
            "remember": self._remember,
            "forget": self._forget,
        } | ({"retention of a day": self._retention} if self._guild_id == SMALL_ID else {})

    async def time(self, ask: Callable[[], Awaitable[object]]) -> Taken:
        """Ask many times, one after another, when nothing else is under way."""
        seconds = []
        for number in range(_UNCOUNTED + TIMES):
            await self._keepsake.memory.told()
            await self._keepsake.work.idle()
            began = time.perf_counter()
            await ask()
            if number >= _UNCOUNTED:
                seconds.append(time.perf_counter() - began)
        cuts = quantiles(seconds, n=100)
        return Taken(1_000 * cuts[49], 1_000 * cuts[94])

    async def _recall(self) -> None:
        told = self._chance.choice(self._said.texts).split()
        words = self._chance.sample(told, min(len(told), self._chance.randint(2, 7)))
        text = f"{'how do I ' if self._chance.random() < 0.5 else ''}{' '.join(words)}?"
        await self._keepsake.memory.recall(guild_id=self._guild_id, query=text, audiences=[OPEN], limit=10)

    async def _latest(self) -> None:
        await self._keepsake.library.latest_in_channel(self._message("now"), limit=20)

    async def _what_is_known(self) -> None:
        await self._say("Bot, what do you know about me?")

    async def _how_much(self) -> None:
        await self._keepsake.library.wrote_in(
            user_id=1,
            view=ReadScope(guild_id=self._guild_id, audiences=(OPEN,)),
            before_message_id=self._message("now").message_id,
            limit=3,
        )

    async def _day(self) -> None:
        day = (_BEGINS + timedelta(days=self._chance.randrange(SPAN.days))).date()
        await self._database.survey(
            messages_of_day,
            guild_id=self._guild_id,
            audience=OPEN,
            day=day,
            time_zone="UTC",
            up_to_id=MAX_ID,
        )

    async def _hear(self) -> None:
        await self._keepsake.memory.ingest_message(self._message(self._chance.choice(self._said.texts)))

    async def _remember(self) -> None:
        await self._say(f"Bot, remember that I like {next(self._tastes)}")

    async def _forget(self) -> None:
        await self._say(f"Bot, forget that I like {next(self._liked)}")

    async def _retention(self) -> None:
        """Move on by a day, so that the oldest day of the guild is too old."""
        self._clock.advance(timedelta(days=1))
        await self._keepsake.retention.on_a_new_day(self._guild_id)
        await self._keepsake.work.idle()

    async def _say(self, text: str) -> None:
        outcome = await self._keepsake.conversation.hear(
            IncomingMessage(message=self._message(text), bot_id=_BOT_ID, bot_names=("Bot",))
        )
        if not outcome.text:
            raise AssertionError(f"{text!r} was not answered")

    def _message(self, text: str) -> Message:
        self._clock.advance(timedelta(minutes=3))
        now = self._clock.now()
        return Message(
            guild_id=self._guild_id, channel_id=FIRST_CHANNEL, message_id=snowflake_at(now), user_id=1, text=text,
            timestamp=now,
        )  # fmt: skip


def _tastes() -> Iterator[str]:
    """Yield words that nobody has ever said."""
    for one in "bdfgkl":
        for other in "mnprstvz":
            for vowel in "aeiou":
                yield f"{one}{vowel}{other}{vowel}{one}u"


async def measured(messages: int, said: Spoken) -> Measured:
    """Fill a database with so many messages, and ask about the guilds whose sizes are given."""
    sizes = Sizes.among(messages)
    async with _opened() as (database, dsn):
        began = time.perf_counter()
        await fill(dsn, said, _BEGINS, sizes)
        _note(f"{messages:,} messages filled in {time.perf_counter() - began:.0f} s")
        bytes_of = await database.read(_sizes)
        _note(str(bytes_of))
        clock = SetClock(_BEGINS + SPAN)
        taken: dict[tuple[str, str], Taken] = {}
        async with assembled(Settings(_env_file=None), clock, database) as keepsake:
            await keepsake.work.idle()
            for name, guild_id in _asked_about(messages).items():
                await count_words(database, clock, guild_id)
                asker = Asker(keepsake, database, clock, said, guild_id)
                for question, ask in asker.questions().items():
                    taken[name, question] = await asker.time(ask)
                    _note(f"{name}, {question}: {_told(taken[name, question])}")
        bytes_of[_SHARED] = await _size_if_shared(dsn)
        return Measured(messages, taken, bytes_of, sorted(sizes.of_guilds.values()))


def _note(what: str) -> None:
    """Say how far it is: all of it takes half an hour."""
    print(what, file=sys.stderr, flush=True)


def _asked_about(messages: int) -> dict[str, int]:
    """Return whom to ask about; the guild whose messages go in the end comes last."""
    return ({"a million": LARGE_ID} if messages >= LARGE_FROM else {}) | {"9,000": SMALL_ID}


async def count_words(database: Database, clock: SetClock, guild_id: int) -> None:
    """Count the words of a guild, as the product does once it has talked for a while."""
    lexicographer = Lexicographer(database, clock, notify=lambda: None)
    await lexicographer.refresh(Job(guild_id=guild_id, kind=LEXICON_JOB, work_key="", wanted=1, attempts=1))


async def _sizes(connection: Connection) -> dict[str, int]:
    rows = await connection.fetch(
        """
        SELECT relname AS name, pg_table_size(oid) AS bytes FROM pg_class
        WHERE oid = ANY(ARRAY['chat_history', 'facts', 'episodes', 'members']::regclass[])
        UNION ALL
        SELECT indexrelid::regclass::text, pg_relation_size(indexrelid) FROM pg_index
        WHERE indrelid = ANY(ARRAY['chat_history', 'facts', 'episodes', 'members']::regclass[])
        ORDER BY name
        """
    )
    return {row["name"]: row["bytes"] for row in rows}


async def _size_if_shared(dsn: str) -> int:
    """Return the bytes of an index of the same words that all guilds share."""
    connection = await asyncpg.connect(dsn, command_timeout=TIMEOUT_SECONDS)
    await connection.execute("SET maintenance_work_mem = '1GB'")
    await connection.execute(
        "CREATE INDEX shared ON chat_history USING gin (lexemes) WITH (fastupdate = off)"
    )
    size: int = await connection.fetchval("SELECT pg_relation_size('shared')")
    await connection.close()
    return size


@asynccontextmanager
async def _opened() -> AsyncIterator[tuple[Database, str]]:
    with own_home() as home:
        server = EmbeddedServer(home, options={"max_wal_size": "4GB", "shared_buffers": "512MB"})
        await server.start()
        await migrations.migrate(server.dsn)
        database = await Database.open(server.dsn)
        yield database, server.dsn
        await database.close()
        await server.stop()


def _print(few: Measured, many: Measured) -> None:
    print(f"| | among {few.messages:,} | among {many.messages:,} | times as long |")
    print("|---|---|---|---|")
    for (guild, question), after in many.taken.items():
        before = few.taken.get((guild, question))
        ratio = f"{after.median / before.median:.2f} ({after.most / before.most:.2f})" if before else ""
        print(f"| {question}, {guild} | {_told(before)} | {_told(after)} | {ratio} |")
    print()
    print(f"| | among {few.messages:,} | among {many.messages:,} |")
    print("|---|---|---|")
    for name, count in many.sizes.items():
        print(f"| `{name}` | {few.sizes[name] / 2**20:,.1f} MB | {count / 2**20:,.1f} MB |")
    print()
    for one in (few, many):
        told = ", ".join(f"{count:,} of {size:,}" for size, count in sorted(Counter(one.guild_sizes).items()))
        print(f"guilds among {one.messages:,} messages: {told}")
    print(f"load of the machine {os.getloadavg()[0]:.1f}")


def _told(taken: Taken | None) -> str:
    return f"{taken.median:.1f} ms ({taken.most:.1f})" if taken else ""


async def measure(messages: int) -> None:
    """Print how long the same questions take among `FEW` and among so many messages, and the sizes of both."""
    if not all((DATA / name).is_file() for name in FILES):
        print(f"scale: not measured, {DATA} does not have {', '.join(FILES)}")
        return
    said = spoken()
    _print(await measured(FEW, said), await measured(messages, said))


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else MANY))

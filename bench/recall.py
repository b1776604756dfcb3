"""How well and how fast messages are found again."""

import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from statistics import mean, quantiles
from typing import Final

from bench.conversations import CATEGORIES, DATA, Conversation, Question, conversations
from bench.homes import own_home
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Guild
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.jobs import Job
from bot.db.pool import Database
from bot.memory.recall.lexicon import LEXICON_JOB, Lexicographer
from bot.memory.recall.query import Query, query_of
from bot.memory.recall.search import HitKind
from tests.memory.diary import Diary, close, open_diary

DEPTHS: Final = (5, 10, 20, 50)
"""Of how many messages it is counted which share of the evidence is among them."""


@dataclass(slots=True)
class Found:
    """The shares of evidence found at each depth, by category, and the seconds that each search took."""

    shares: dict[int, list[list[float]]] = field(default_factory=lambda: defaultdict(list))
    seconds: list[float] = field(default_factory=list)

    def at(self, depth: int, category: int | None = None) -> float:
        """Return the mean share at a depth, of one category or of all questions, in percent."""
        place = DEPTHS.index(depth)
        rows = [row for number, rows in self.shares.items() if category in {None, number} for row in rows]
        return 100 * mean(row[place] for row in rows)

    def asked(self, category: int | None = None) -> int:
        """Return how many questions were asked, of one category or of all."""
        return sum(len(rows) for number, rows in self.shares.items() if category in {None, number})

    def milliseconds(self, percentile: int) -> float:
        """Return how long a search took at this percentile."""
        return 1_000 * quantiles(self.seconds, n=100)[percentile - 1]


async def search(diary: Diary, clock: SetClock, conversation: Conversation, found: Found) -> None:
    """Hear a conversation, count its words, ask all questions, and add up what is found."""
    await hear(diary, conversation)
    clock.set(conversation.ends)
    await count_words(diary, conversation.guild_id)
    await ask(diary, conversation, found, lambda question: question.text)


async def search_together(diary: Diary, clock: SetClock, told: Sequence[Conversation], found: Found) -> None:
    """The same with all conversations in one guild, each in its channel, where its questions are asked."""
    together = [in_guild(one, told[0].guild_id) for one in told]
    for one in together:
        await hear(diary, one)
    clock.set(max(one.ends for one in told))
    await count_words(diary, told[0].guild_id)
    for one in together:
        channel_id, now = one.messages[0].channel_id, one.ends

        def asked(question: Question, channel_id: int = channel_id, now: datetime = now) -> Query:
            return query_of(question.text, now=now, time_zone="UTC", near_channel_id=channel_id)

        await ask(diary, one, found, asked)


def in_guild(told: Conversation, guild_id: int) -> Conversation:
    """Return a conversation of other members in this guild; the channel stays its own."""
    others = told.guild_id * 100
    return replace(
        told,
        guild_id=guild_id,
        members=[replace(one, guild_id=guild_id, user_id=one.user_id + others) for one in told.members],
        messages=[replace(one, guild_id=guild_id, user_id=one.user_id + others) for one in told.messages],
    )


async def hear(diary: Diary, conversation: Conversation) -> None:
    """Put a conversation into its guild."""
    await diary.directory.add_guild(Guild(guild_id=conversation.guild_id, name=conversation.name))
    await diary.directory.put_members(conversation.members)
    await diary.memory.ingest_messages(conversation.messages)


async def ask(
    diary: Diary, conversation: Conversation, found: Found, query: Callable[[Question], Query | str]
) -> None:
    """Ask all questions of a conversation."""
    for question in conversation.questions:
        began = time.perf_counter()
        hits = await diary.memory.recall(
            guild_id=conversation.guild_id, query=query(question), audiences=[OPEN], limit=max(DEPTHS)
        )
        found.seconds.append(time.perf_counter() - began)
        ids = [hit.hit_id for hit in hits if hit.kind is HitKind.MESSAGE]
        found.shares[question.category].append(
            [len(question.evidence.intersection(ids[:depth])) / len(question.evidence) for depth in DEPTHS]
        )


async def count_words(diary: Diary, guild_id: int) -> None:
    """Have the lexicon of a guild counted, as the first search does behind itself."""
    lexicographer = Lexicographer(diary.database, diary.clock, notify=lambda: None)
    await lexicographer.refresh(Job(guild_id=guild_id, kind=LEXICON_JOB, work_key="", wanted=1, attempts=1))


async def measure() -> None:
    """Print recall by category and depth, and the latency; without and with what pictures show."""
    if not DATA.is_file():
        print(f"recall: not measured, {DATA} is not there")
        return
    for pictures in (False, True):
        found = Found()
        for conversation in conversations(pictures=pictures):
            async with opened() as (diary, clock):
                await search(diary, clock, conversation, found)
        _print(found, "what pictures show is attached" if pictures else "words alone")
    found = Found()
    async with opened() as (diary, clock):
        await search_together(diary, clock, conversations(), found)
    _print(found, "all in one guild")
    print()


@asynccontextmanager
async def opened() -> AsyncIterator[tuple[Diary, SetClock]]:
    """Open a bot without models on a database of its own."""
    with own_home() as home:
        server = EmbeddedServer(home)
        await server.start()
        await migrations.migrate(server.dsn)
        database = await Database.open(server.dsn)
        clock = SetClock(datetime(2020, 1, 1, tzinfo=UTC))
        diary = await open_diary(database, clock, has_models=False)
        yield diary, clock
        await close(diary)
        await database.close()
        await server.stop()


def _print(found: Found, what: str) -> None:
    print(f"recall of evidence, {what}: {' '.join(f'@{depth:<5}' for depth in DEPTHS)} questions")
    for category in (*sorted(CATEGORIES), None):
        name = CATEGORIES[category] if category else "all"
        shares: Sequence[str] = [f"{found.at(depth, category):5.1f}" for depth in DEPTHS]
        print(f"  {name:<12} {'  '.join(shares)}   {found.asked(category)}")
    print(
        f"  {found.milliseconds(50):.1f} ms at the median, {found.milliseconds(95):.1f} ms at the 95th of a hundred"
    )

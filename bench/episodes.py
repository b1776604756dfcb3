"""How long episodes take: to be read in a guild with many, and to be there when a conversation is over."""

import asyncio
import statistics
import time
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

from pydantic import BaseModel

from bench.homes import own_home
from bot.db import migrations
from bot.db.embedded.server import EmbeddedServer
from bot.db.pool import Database
from bot.llm.operation import ModelAnswer, Question
from bot.memory.summaries.episodes import KeptEpisodes
from tests.memory.summaries.episodes.kept import keep
from tests.memory.summaries.episodes.talks import RANDOM, RunningClock, Talks, tell
from tests.scripted_models import ScriptedModels

AnswerT = TypeVar("AnswerT", bound=BaseModel)

CHANNELS: Final = 50
EACH: Final = 10
READS: Final = 500
GUILD_ID: Final = 1_000

MODEL_SECONDS: Final = 0.5
"""What the model takes in this measurement."""

MOST_READING_MS: Final = 5.0
"""Milliseconds that reading the episodes of a channel may take."""

MOST_SECONDS_BEYOND_THE_MODEL: Final = 1.0
"""Seconds from the end of a conversation to its stored episode that are not the model's."""


_GAP: Final = timedelta(minutes=30)


class _SlowModels(ScriptedModels):
    """A model that takes its time."""

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        await asyncio.sleep(MODEL_SECONDS)
        return await super().ask(question)


async def measure() -> None:
    """Print how long it takes to read episodes, and to make one; raises `AssertionError` where it takes too long."""
    with own_home() as folder:
        server = EmbeddedServer(folder)
        await server.start()
        try:
            await migrations.migrate(server.dsn)
            database = await Database.open(server.dsn)
            try:
                await _read(database)
                await _end(database)
            finally:
                await database.close()
        finally:
            await server.stop()


async def _read(database: Database) -> None:
    for channel_id in range(1, CHANNELS + 1):
        for number in range(EACH):
            content = f"<@{number}> and others decided what to do about plan {number}. " * 3
            await keep(database, content, guild_id=GUILD_ID, channel_id=channel_id, number=number)
    kept = KeptEpisodes(database)
    took: list[float] = []
    for number in range(READS):
        began = time.perf_counter()
        found = await kept.of_channel(
            guild_id=GUILD_ID, channel_id=1 + number % CHANNELS, audiences=[0, 1 + number % CHANNELS]
        )
        took.append(1_000 * (time.perf_counter() - began))
        assert len(found) == EACH
    p95 = statistics.quantiles(took, n=20)[-1]
    print(
        f"episodes: {CHANNELS * EACH:,} in {CHANNELS} channels; those of one are read in"
        f" {statistics.median(took):.2f} ms (p95 {p95:.2f} ms)"
    )
    assert statistics.median(took) < MOST_READING_MS


async def _end(database: Database) -> None:
    """Have one conversation end by word and one by silence, with a model that takes its time."""
    beyond = {}
    for by_silence in (False, True):
        clock = RunningClock(datetime(2026, 3, 2 + by_silence, 9, tzinfo=UTC))
        async with Talks(database, clock, models=_SlowModels(make_episode=tell)) as talks:
            last = await talks.answer(await talks.say("hello"), "hi")
            if by_silence:
                clock.advance(_GAP - timedelta(seconds=4))
                # Somebody else talks on: this is heard, and until when nothing ends is reckoned anew.
                await talks.answer(await talks.say("hello", channel_id=RANDOM), "hi")
                over = time.perf_counter() + (last.timestamp + _GAP - clock.now()).total_seconds()
            else:
                await talks.answer(await talks.say("that's all"), "bye")
                over = time.perf_counter()
            while len(await talks.kept()) == by_silence:  # noqa: ASYNC110 - it is the database that is waited for
                await asyncio.sleep(0.005)
            beyond[by_silence] = time.perf_counter() - over - MODEL_SECONDS
    print(
        f"from the end of a conversation to its episode, beyond the model's time: {beyond[False]:.2f} s by word,"
        f" {beyond[True]:.2f} s by silence"
    )
    assert max(beyond.values()) < MOST_SECONDS_BEYOND_THE_MODEL

"""How long a hundred members' memories take to read: cold, when all has to be told first, and warm."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from statistics import median
from typing import Final

from bench.talk import BEGINS, GUILD_ID, Talk
from bench.telling import tell_contexts, tell_day, tell_weeks
from bench.week import settle, stage
from bot.core.clock import SetClock
from bot.core.domain import Message, snowflake_at
from bot.db.pool import Database
from bot.llm.operation import ModelAnswer, Question
from bot.memory.manager import MemoryManager
from tests.memory.diary import close, open_diary
from tests.scripted_models import AnswerT, ScriptedModels
from tests.servers.faults import Fault

MEMBERS: Final = 100
CALL_SECONDS: Final = 0.05

_SEED: Final = 2
"""Of talk in which nobody's words happen to order a bot anything: such words are not told, and asked for again."""

_ROUNDS: Final = 3
"""Calls that wait for one another: all days at once, then the weeks, then the contexts."""
_WARM_READS: Final = 20
_LAST_EVENING: Final = BEGINS + timedelta(days=6, hours=23)


@dataclass(frozen=True, slots=True)
class Read:
    """What was seen, in milliseconds."""

    cold: float
    """From the question to the answer."""
    warm: float
    """The same read again, the median of several."""
    calls: int

    @property
    def beyond_calls(self) -> float:
        """What of the cold read was not the models' 50 ms."""
        return self.cold - 1_000 * CALL_SECONDS * _ROUNDS


class _SlowModels(ScriptedModels):
    """Models that take 50 ms for an answer, and nothing of the machine's own time."""

    def __init__(self) -> None:
        super().__init__(summarise_day=tell_day, historical=tell_weeks, merge_context=tell_contexts)
        self.asked: Counter[str] = Counter()

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        self.asked[question.operation] += 1
        await asyncio.sleep(CALL_SECONDS)
        return await super().ask(question)


async def read_a_hundred(database: Database) -> Read:
    """Have every member speak on each of seven days, and read all of them, from models that are no load."""
    talk = Talk(members=MEMBERS, messages_a_day=1, questions_a_day=0, seed=_SEED)
    clock = SetClock(BEGINS)
    models = _SlowModels()
    diary = await open_diary(database, clock, models=models)
    await settle(diary.memory, diary.directory, talk, now=clock.now())
    for day in range(7):
        await diary.memory.ingest_messages(_everybody_speaks(talk, day))
    clock.set(_LAST_EVENING)
    seen = await _timed(diary.memory, talk, models.asked.total)
    await close(diary)
    return seen


async def read_a_hundred_over_the_network(database: Database) -> Read:
    """Do the same with the real client and a loopback Gemini that shares the process, and so the processor."""
    talk = Talk(members=MEMBERS, messages_a_day=1, questions_a_day=0, seed=_SEED)
    async with stage(database) as told:
        await settle(told.keepsake.memory, told.keepsake.directory, talk, now=BEGINS)
        await told.keepsake.work.idle()
        for day in range(7):
            await told.keepsake.memory.ingest_messages(_everybody_speaks(talk, day))
        told.clock.set(_LAST_EVENING)
        told.gemini.calls.clear()
        told.gemini.slow_seconds = CALL_SECONDS
        told.gemini.fail(Fault.SLOW)
        return await _timed(told.keepsake.memory, talk, lambda: len(told.gemini.calls))


async def _timed(memory: MemoryManager, talk: Talk, calls: Callable[[], int]) -> Read:
    async def read() -> None:
        known = await memory.get_memories_of(GUILD_ID, talk.member_ids, seconds=60)
        if len(known) != MEMBERS:
            raise AssertionError(f"{len(known)} of {MEMBERS} members are known")

    cold = await _seconds(read())
    warm = median([await _seconds(read()) for _ in range(_WARM_READS)])
    return Read(cold=1_000 * cold, warm=1_000 * warm, calls=calls())


async def _seconds(work: Awaitable[None]) -> float:
    began = time.perf_counter()
    await work
    return time.perf_counter() - began


def _everybody_speaks(talk: Talk, day: int) -> list[Message]:
    noon = BEGINS + timedelta(days=day, hours=12)
    said = []
    for number, user_id in enumerate(talk.member_ids):
        moment = noon + timedelta(seconds=20 * number)
        said.append(
            Message(
                guild_id=GUILD_ID,
                channel_id=2_001,
                message_id=snowflake_at(moment),
                user_id=user_id,
                text=talk.statements(user_id, 1)[0],
                timestamp=moment,
            )
        )
    return said

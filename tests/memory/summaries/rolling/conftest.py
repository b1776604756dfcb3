"""A guild with a channel in which the bot takes part, and a scripted model."""

from collections.abc import AsyncIterator

import pytest

from bot.core.clock import SetClock
from bot.db.pool import Database
from tests.memory.diary import Diary, close, open_diary
from tests.memory.summaries.rolling.channel import Channel, sum_up
from tests.scripted_models import ScriptedModels


@pytest.fixture
def models() -> ScriptedModels:
    return ScriptedModels(roll_summary=sum_up)


@pytest.fixture
async def diary(database: Database, clock: SetClock, models: ScriptedModels) -> AsyncIterator[Diary]:
    diary = await open_diary(database, clock, models=models)
    yield diary
    await close(diary)


@pytest.fixture
async def channel(diary: Diary, database: Database) -> Channel:
    return Channel(diary, database)

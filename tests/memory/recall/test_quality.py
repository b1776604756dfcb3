"""How well answers are found in a long conversation: a ranking that breaks falls below this."""

from collections.abc import AsyncIterator

import pytest

from bench.conversations import DATA, conversations
from bench.recall import Found, search
from bot.core.clock import SetClock
from bot.db.pool import Database
from tests.memory.diary import Diary, close, open_diary

pytestmark = pytest.mark.skipif(
    not DATA.is_file(), reason=f"the conversations to measure on are not at {DATA}"
)


@pytest.fixture
async def diary(database: Database, clock: SetClock) -> AsyncIterator[Diary]:
    diary = await open_diary(database, clock, has_models=False)
    yield diary
    await close(diary)


async def test_the_messages_that_answer_are_among_the_first_found(diary: Diary, clock: SetClock) -> None:
    found = Found()
    await search(diary, clock, conversations()[1], found)
    assert found.asked() == 105
    assert found.at(10) >= 79
    assert found.at(50) >= 92


async def test_what_pictures_show_helps(diary: Diary, clock: SetClock) -> None:
    found = Found()
    await search(diary, clock, conversations(pictures=True)[0], found)
    assert found.at(10) >= 77

"""The guilds that memory is tested in: one in which members talk to the bot, and one whose days are told."""

from collections.abc import AsyncIterator

import pytest

from bot.core.clock import SetClock
from bot.db.pool import Database
from tests.chat.guild import guild
from tests.memory.diary import Diary, close, open_diary

__all__ = ["guild"]


@pytest.fixture
async def diary(database: Database, clock: SetClock) -> AsyncIterator[Diary]:
    """Return a guild with a scripted model that tells of its days."""
    diary = await open_diary(database, clock)
    yield diary
    await close(diary)

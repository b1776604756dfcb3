"""A guild that is learned about."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot import work
from bot.clock import SetClock
from bot.store.database import Database
from tests.memory.learning.talks import Talks, remember_all, talking
from tests.servers.gemini import GeminiServer


@pytest.fixture(autouse=True)
def _tries_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "_FIRST_PAUSE", timedelta(0))


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        server.answer("learn_profile", remember_all)
        yield server


@pytest.fixture
async def talks(database: Database, clock: SetClock, gemini: GeminiServer) -> AsyncIterator[Talks]:
    async with talking(database, clock, gemini) as talks:
        yield talks

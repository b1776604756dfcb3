"""A guild that is learned about."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.core.clock import SetClock
from bot.db import jobs
from bot.db.pool import Database
from tests.memory.profiles.learning.talks import Talks, remember_all, talking
from tests.servers.gemini import GeminiServer


@pytest.fixture(autouse=True)
def _tries_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_FIRST_PAUSE", timedelta(0))


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        server.answer("learn_profile", remember_all)
        yield server


@pytest.fixture
async def talks(database: Database, clock: SetClock, gemini: GeminiServer) -> AsyncIterator[Talks]:
    async with talking(database, clock, gemini) as talks:
        yield talks

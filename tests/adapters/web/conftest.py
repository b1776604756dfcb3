"""An installation that is served, with a life in it or without."""

from collections.abc import AsyncIterator

import pytest

from bot.core.clock import SetClock
from bot.db.pool import Database
from tests.adapters.web.homes import Home, home, live


@pytest.fixture
async def served(database: Database, clock: SetClock) -> AsyncIterator[Home]:
    """An empty installation without a token."""
    async with home(database, clock) as served:
        yield served


@pytest.fixture
async def ids(served: Home) -> dict[str, int]:
    """The ids of what was remembered in the installation that is served, by what it says."""
    return await live(served)

"""The whole bot with models that call a tool: the real client talks to a loopback Gemini."""

from collections.abc import AsyncIterator

import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import Guild
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.llm.models import RETRY_LIMITS
from bot.llm.operation import Patience
from tests.chat.guild import GUILD_ID, NAMES, TalkingGuild, member
from tests.chat.tools.keeper import Keeper
from tests.patience import pace_for
from tests.servers.gemini import GeminiServer


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        server.answer("route", {"kind": "chat", "confident": True})
        yield server


@pytest.fixture
async def keepsake(
    database: Database,
    clock: SetClock,
    gemini: GeminiServer,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> AsyncIterator[Keepsake]:
    monkeypatch.setitem(RETRY_LIMITS, Patience.FOREGROUND, pace_for(request))
    settings = Settings(
        _env_file=None,
        gemini_api_key="key",
        gemini_base_url=gemini.url,
        model_chat="gemini-flash-latest,gemma-4-31b-it",
        model_memory="gemma-3-27b-it",
        learning=False,
        episodes=False,
    )
    async with assembled(settings, clock, database) as keepsake:
        yield keepsake


@pytest.fixture
async def guild(keepsake: Keepsake, clock: SetClock) -> TalkingGuild:
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
    await keepsake.directory.put_members([member(name) for name in NAMES])
    return TalkingGuild(keepsake, clock)


@pytest.fixture
def keeper(guild: TalkingGuild, gemini: GeminiServer, database: Database) -> Keeper:
    return Keeper(guild, gemini, database)

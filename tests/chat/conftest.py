"""The guild that conversations are tested in, without a model and with one."""

import functools
from collections.abc import AsyncIterator

import pytest

from bot.chat import dispatch
from bot.chat.gathering import gather
from bot.core.clock import SetClock
from bot.core.domain import Channel
from bot.db.pool import Database
from tests.chat.guild import GAMES, GENERAL, GUILD_ID, MODS, TalkingGuild, guild, guild_with
from tests.scripted_models import ScriptedModels

__all__ = ["guild"]


@pytest.fixture
def models() -> ScriptedModels:
    return ScriptedModels(route={"kind": "chat", "confident": True}, reply={"text": "Hm."})


@pytest.fixture
async def talking(
    clock: SetClock, database: Database, models: ScriptedModels, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[TalkingGuild]:
    """A guild of three channels whose bot has a model, and all the time that its machine needs."""
    monkeypatch.setattr(dispatch, "gather", functools.partial(gather, seconds=60.0))
    async with guild_with(models, clock, database) as opened:
        await opened.keepsake.directory.put_channels(
            [
                Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general"),
                Channel(guild_id=GUILD_ID, channel_id=GAMES, name="games"),
                Channel(guild_id=GUILD_ID, channel_id=MODS, name="mods", audience=MODS),
            ]
        )
        yield opened

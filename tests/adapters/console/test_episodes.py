"""Episodes at the console: conversations end as the transcript's clock goes on, and moderators list and remove them."""

import pytest
from pydantic import SecretStr

from bot.adapters.console.session import open_session
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from tests.adapters.console.sessions import play_on
from tests.servers.gemini import GeminiServer

TALK = """\
/member alice moderator
[2026-03-01T09:00] #general alice: Bot, shall we meet on Friday?
#general alice: Friday it is
[2026-03-01T10:00] #general alice: good morning
#general alice: /memory channel episodes
"""
REMOVAL = """\
#general alice: /memory channel remove 1
#general alice: /memory channel episodes
#general bob: /memory channel episodes
"""


async def test_a_conversation_is_over_before_the_next_thing_is_said(dsn: str) -> None:
    async with GeminiServer() as gemini:
        gemini.answer("make_episode", {"text": "@u1 meets on Friday.", "importance": 6, "tags": ["plans"]})
        gemini.answer("reply", {"text": "Sounds good to me."})
        gemini.answer("route", {"kind": "chat", "confident": True})
        settings = Settings(
            _env_file=None,
            database_url=SecretStr(dsn),
            gemini_api_key="key",
            gemini_base_url=gemini.url,
            model_chat="gemini-flash-latest",
            model_summary="gemini-flash-latest",
            model_memory="gemini-flash-latest",
        )
        async with open_session(settings) as session:
            told = await play_on(session, TALK)
            assert told[-1].reply is not None
            assert "1. [2026-03-01] alice meets on Friday." in told[-1].reply
            removed = await play_on(session, REMOVAL)
            replies = [one.reply or "" for one in removed]
            assert replies[0].startswith("Removed")
            assert "left nothing behind" in replies[1]
            assert replies[2].startswith("Only moderators")
            with pytest.raises(InvalidInputError, match="no episode 1: 0 were shown"):
                await play_on(session, REMOVAL.splitlines()[0])

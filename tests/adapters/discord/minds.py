"""The model of the tests of this face: it chats with fixed words, and tells of a day what members said."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.adapters.discord.day import CHAT
from tests.servers.asked import Asked
from tests.servers.base import Reply
from tests.servers.brain import think
from tests.servers.clumsy import well_said
from tests.servers.gemini import GeminiServer

_TO_ANSWER = re.compile(r"<to_answer>(.*?)</to_answer>", re.DOTALL)


def chat(asked: Asked) -> Reply:
    """Return what the day has for the message to answer."""
    found = _TO_ANSWER.search(asked.text)
    text = found[1] if found is not None else ""
    said = next((answer for words, answer in CHAT.items() if words in text), None)
    return {"text": said or "I have no words for that."}


@asynccontextmanager
async def chatting() -> AsyncIterator[GeminiServer]:
    """Run the loopback Gemini: whatever comes to it is chat."""
    async with GeminiServer() as server:
        server.default = think
        server.answer("route", {"kind": "chat", "confident": True})
        server.answer("reply", chat)
        server.answer("summarise_day", lambda asked: str(well_said(asked)))
        yield server

"""Model services on the loopback, for the real clients."""

from collections.abc import AsyncIterator

import pytest

from bot.llm.calling import AgentCaller
from tests.llm.questions import PARIS, PROMPT, caller_of
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        server.answer(PROMPT.splitlines()[0], PARIS)
        yield server


@pytest.fixture
async def local() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as server:
        server.answer(PROMPT.splitlines()[0], PARIS)
        yield server


@pytest.fixture
async def caller(gemini: GeminiServer, local: OpenAIServer) -> AsyncIterator[AgentCaller]:
    caller = caller_of(gemini, local)
    yield caller
    await caller.close()

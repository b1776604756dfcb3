"""The servers, the real clients' providers that talk to them, and a wall around the loopback."""

import socket
from collections.abc import AsyncIterator, Callable

import httpx2
import pytest
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

from tests.servers.discord.waiting import PATIENCE_SECONDS
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer


@pytest.fixture(autouse=True)
def _no_name_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a client that would leave the loopback fail: every other host has a name to be looked up first."""
    look_up: Callable[..., object] = socket.getaddrinfo

    def only_the_loopback(host: object, *rest: object, **named: object) -> object:
        assert host in ("127.0.0.1", b"127.0.0.1", None), f"somebody asked for {host!r}"
        return look_up(host, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", only_the_loopback)


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        yield server


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    """What the clients speak through: their own gives up a connection that is not there after five seconds."""
    async with httpx2.AsyncClient(timeout=PATIENCE_SECONDS) as client:
        yield client


@pytest.fixture
async def google(gemini: GeminiServer, http: httpx2.AsyncClient) -> AsyncIterator[GoogleProvider]:
    """The real client as the bot builds it, with the loopback as its base URL."""
    async with GoogleProvider(api_key="the-key", base_url=gemini.url, http_client=http) as provider:
        yield provider


@pytest.fixture
async def openai_server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as server:
        yield server


@pytest.fixture
async def openai(openai_server: OpenAIServer, http: httpx2.AsyncClient) -> AsyncIterator[OpenAIProvider]:
    """The real client, told to leave retries to the caller."""
    async with OpenAIProvider(api_key="the-key", base_url=openai_server.url, http_client=http) as provider:
        provider.client.max_retries = 0
        yield provider

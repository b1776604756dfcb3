"""The sign that the bot is typing, shown while an answer is made and only if that takes a moment."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
import discord

from bot.faces.discord.requests import Requests

_DELAY_SECONDS: Final = 0.25
"""What is answered sooner needs no sign: it would come after the answer."""

_AGAIN_SECONDS: Final = 8.0
"""Discord shows it for ten seconds."""

_MOST_REQUESTS: Final = 10
"""With more than these under way there is no room for signs: of 50 requests a second, answers come first."""


class TypingSign:
    """Shows where the bot types. Each sign is a request by itself, which is never cut off and nobody waits for."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._shown: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def typing_in(self, channel: discord.abc.Messageable) -> AsyncIterator[None]:
        """Show that the bot types in `channel` as long as this lasts; that it cannot be shown hinders nothing."""
        over = asyncio.Event()
        sign = asyncio.create_task(self._show(channel, over), name="typing")
        self._shown.add(sign)
        sign.add_done_callback(self._shown.discard)
        try:
            yield
        finally:
            over.set()

    async def _show(self, channel: discord.abc.Messageable, over: asyncio.Event) -> None:
        pause = _DELAY_SECONDS
        with contextlib.suppress(discord.DiscordException, aiohttp.ClientError, OSError):
            while not await _is_set(over, within=pause):
                if self._requests.count <= _MOST_REQUESTS:
                    await channel.typing()
                pause = _AGAIN_SECONDS


async def _is_set(event: asyncio.Event, *, within: float) -> bool:
    """Tell whether `event` is set before `within` real seconds are over."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(within):
            await event.wait()
    return event.is_set()

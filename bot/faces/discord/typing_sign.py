"""The sign that the bot is typing, shown while an answer is made and only if that takes a moment."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
import discord

_DELAY_SECONDS: Final = 0.25
"""What is answered sooner needs no sign: it would come after the answer."""


@asynccontextmanager
async def typing_in(channel: discord.abc.Messageable) -> AsyncIterator[None]:
    """Show that the bot types in `channel` as long as this lasts; that it cannot be shown hinders nothing."""
    sign = asyncio.create_task(_show(channel))
    try:
        yield
    finally:
        sign.cancel()
        await asyncio.gather(sign, return_exceptions=True)


async def _show(channel: discord.abc.Messageable) -> None:
    await asyncio.sleep(_DELAY_SECONDS)
    with contextlib.suppress(discord.DiscordException, aiohttp.ClientError, OSError):
        async with channel.typing():
            await asyncio.Event().wait()

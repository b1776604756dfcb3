"""What is being answered and sent right now, so that an edit finds the answer whose place it takes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final
from weakref import WeakValueDictionary

from cachetools import TTLCache

from bot.domain import Message

SENDING_SECONDS: Final = 10.0
"""Real seconds that an edit waits for the answer to be sent; a face that takes longer has failed to send it."""

_MOST_UNSENT: Final = 10_000


class UnderWay:
    """One message is answered by one task at a time."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()
        self._unsent: TTLCache[tuple[int, int], asyncio.Event] = TTLCache(_MOST_UNSENT, SENDING_SECONDS)

    @contextlib.asynccontextmanager
    async def alone(self, message: Message) -> AsyncIterator[None]:
        """Be the only one who is busy with `message`, waiting for whoever is."""
        async with self._locks.setdefault((message.guild_id, message.message_id), asyncio.Lock()):
            yield

    def is_to_be_sent(self, message: Message) -> None:
        """Note that an answer to `message` was handed to the face."""
        self._unsent[message.guild_id, message.message_id] = asyncio.Event()

    def is_sent(self, *, guild_id: int, message_id: int) -> None:
        """Note that the face has sent the answer to a message."""
        sent = self._unsent.pop((guild_id, message_id), None)
        if sent is not None:
            sent.set()

    async def until_sent(self, message: Message) -> None:
        """Wait until the answer to `message`, if there is one on its way, is sent or will not be."""
        unsent = self._unsent.get((message.guild_id, message.message_id))
        if unsent is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SENDING_SECONDS):
                    await unsent.wait()

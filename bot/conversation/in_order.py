"""Commands of one author are carried out in the order of their messages, whichever of them is ready first."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TypeAlias

from bot.domain import Message

_Author: TypeAlias = tuple[int, int]


class InOrder:
    """The commands that write and are under way, by guild and author."""

    def __init__(self) -> None:
        self._under_way: dict[_Author, dict[int, asyncio.Event]] = {}

    @contextlib.asynccontextmanager
    async def entered(self, message: Message, *, writes: bool) -> AsyncIterator[None]:
        """Let later commands of the author wait for this one, which is a command that `writes`, until the end."""
        if not writes:
            yield
            return
        author = (message.guild_id, message.user_id)
        mine = self._under_way.setdefault(author, {})
        done = mine.setdefault(message.message_id, asyncio.Event())
        try:
            yield
        finally:
            done.set()
            mine.pop(message.message_id, None)
            if not mine:
                self._under_way.pop(author, None)

    async def turn(self, message: Message) -> None:
        """Return when no earlier command of the author is under way."""
        author = (message.guild_id, message.user_id)
        while earlier := [
            done
            for message_id, done in self._under_way.get(author, {}).items()
            if message_id < message.message_id
        ]:
            await earlier[0].wait()

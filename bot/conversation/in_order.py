"""Commands of one author are carried out one at a time, in the order of their messages as far as they are known."""

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
        self._begun: dict[_Author, int] = {}

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
            if self._begun.get(author) == message.message_id:
                del self._begun[author]
            if not mine:
                self._under_way.pop(author, None)

    async def turn(self, message: Message) -> None:
        """Return when no earlier command of the author is under way.

        For a command that writes also when no later one is that has begun: what is read back may come after it, and
        either has to see what the other did.
        """
        author = (message.guild_id, message.user_id)
        while waits_for := self._before(author, message.message_id):
            await waits_for[0].wait()
        if message.message_id in self._under_way.get(author, {}):
            self._begun[author] = message.message_id

    def _before(self, author: _Author, message_id: int) -> list[asyncio.Event]:
        others = self._under_way.get(author, {})
        begun = self._begun.get(author) if message_id in others else None
        return [
            done for one, done in others.items() if one < message_id or (one == begun and one != message_id)
        ]

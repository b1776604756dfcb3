"""Reads that many ask for at once, each for a row or two: one statement answers all of them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from bot.db.service import BackgroundWork

KeyT = TypeVar("KeyT")
FoundT = TypeVar("FoundT")


class BatchedRead(Generic[KeyT, FoundT]):
    """Answers who asks while nothing is read at once, and all who ask during a read together after it.

    So nobody is told what was read before they asked. Alone it costs what a read costs; the more ask, the less each.
    """

    def __init__(self, read: Callable[[Sequence[KeyT]], Awaitable[Sequence[FoundT]]], *, name: str) -> None:
        """`read` returns what it finds for each key, in their order; `name` says in the log what fails."""
        self._read = read
        self._name = name
        self._asked: list[tuple[KeyT, asyncio.Future[FoundT]]] = []
        self._reading = BackgroundWork()

    async def of(self, key: KeyT) -> FoundT:
        """Return what is found for `key`; raises what the read raises."""
        found: asyncio.Future[FoundT] = asyncio.get_running_loop().create_future()
        self._asked.append((key, found))
        if self._reading.is_idle:
            self._reading.begin(self._read_all(), name=self._name)
        return await found

    async def _read_all(self) -> None:
        while self._asked:
            asked, self._asked = self._asked, []
            try:
                results = await self._read([key for key, _ in asked])
            except Exception as error:
                for _, found in asked:
                    if not found.done():
                        found.set_exception(error)
            else:
                for (_, found), result in zip(asked, results, strict=True):
                    if not found.done():
                        found.set_result(result)

"""Batches small requests: concurrent callers share one statement, and under load a short pause collects more."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, TypeVar

from bot.db.outages import outage_of
from bot.db.service import BackgroundWork

KeyT = TypeVar("KeyT")
FoundT = TypeVar("FoundT")

GATHERED_SECONDS: Final = 0.1
"""Between two batches where much comes: nobody feels it, and a transaction costs ten times what a row in it does."""

_MUCH: Final = 20
"""What comes within a second, from which on more is waited for: talk that a single person can follow is below it."""

_LONGER: Final = 3
"""How many times as long is waited where so many times as much comes: there it counts what each batch costs."""


class Pace:
    """Tells how long to let more come before the next batch: not at all, unless much came within the last second."""

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, *, apart_seconds: float = GATHERED_SECONDS
    ) -> None:
        """`apart_seconds` lie between the beginnings of two batches where much comes, three times as many at most."""
        self._monotonic = monotonic
        self._apart_seconds = apart_seconds
        self._batches: deque[tuple[float, int]] = deque()
        """When those of the last second began, and of how many things they were."""

    def begin(self, count: int) -> None:
        """Note that a batch of so many begins."""
        self._batches.append((self._monotonic(), count))

    @property
    def pause_seconds(self) -> float:
        """How long to wait now."""
        now = self._monotonic()
        while self._batches and self._batches[0][0] <= now - 1:
            self._batches.popleft()
        came = sum(count for _, count in self._batches)
        if came < _MUCH:
            return 0.0
        return max(0.0, self._batches[-1][0] + self._apart_seconds * min(came / _MUCH, _LONGER) - now)


class Batched(Generic[KeyT, FoundT]):
    """Answers a request at once if none is running, and all requests that arrive meanwhile together afterwards.

    No caller gets data that was read before the call. A single request costs one statement; the more callers, the less
    each.
    """

    def __init__(
        self,
        work: Callable[[Sequence[KeyT]], Awaitable[Sequence[FoundT]]],
        *,
        name: str,
        pace: Pace | None = None,
    ) -> None:
        """`work` returns what it finds for each key, in their order; `name` says in the log what fails."""
        self._work = work
        self._name = name
        self._pace = pace
        self._asked: list[tuple[KeyT, asyncio.Future[FoundT]]] = []
        self._doing = BackgroundWork()

    async def of(self, key: KeyT) -> FoundT:
        """Return what is found for `key`; raises what the work raises for it."""
        found: asyncio.Future[FoundT] = asyncio.get_running_loop().create_future()
        self._asked.append((key, found))
        if self._doing.is_idle:
            self._doing.begin(self._do_all(), name=self._name)
        return await found

    async def _do_all(self) -> None:
        while self._asked:
            # All who were woken together ask before it begins.
            await asyncio.sleep(0 if self._pace is None else self._pace.pause_seconds)
            asked, self._asked = self._asked, []
            if self._pace is not None:
                self._pace.begin(len(asked))
            await self._do(asked)

    async def _do(self, asked: Sequence[tuple[KeyT, asyncio.Future[FoundT]]]) -> None:
        try:
            results = await self._work([key for key, _ in asked])
        except Exception as error:
            if len(asked) > 1 and outage_of(error) is None:
                # One for which it fails keeps nobody else from it.
                for one in asked:
                    await self._do([one])
                return
            for _, found in asked:
                if not found.done():
                    found.set_exception(error)
        else:
            for (_, found), result in zip(asked, results, strict=True):
                if not found.done():
                    found.set_result(result)

"""What is due when, by id: failed items are retried after growing pauses, in real time."""

import asyncio
from heapq import heappop, heappush
from math import inf
from typing import Final

from bot.db.signs import LOOK_UP_SECONDS, woken

PAUSES_SECONDS: Final = (2.0, 10.0, 60.0, 300.0, 900.0, 3600.0)
"""Before the next try of what failed; the last one repeats. 10,000 refusals in ten minutes would be a ban."""


class Schedule:
    """Ids with the moments at which they are due; several workers may take from it, none an id of another's."""

    def __init__(self) -> None:
        self._due: dict[int, float] = {}
        # The same by time. Entries that hold no longer are passed over; those of what is taken come with its return.
        self._line: list[tuple[float, int]] = []
        self._tries: dict[int, int] = {}
        self._taken: set[int] = set()
        self._changed = asyncio.Event()

    def add(self, one_id: int, *, seconds: float = 0.0) -> None:
        """Make `one_id` due in so many seconds, or earlier if it was due earlier."""
        due = asyncio.get_running_loop().time() + seconds
        if due < self._due.get(one_id, inf):
            self._put(one_id, due)
        self._changed.set()

    def add_if_new(self, one_id: int, *, seconds: float = 0.0) -> None:
        """Make `one_id` due in so many seconds, unless it is waiting already, even for a retry."""
        if one_id not in self._due:
            self.add(one_id, seconds=seconds)

    def hurry(self, one_id: int) -> None:
        """Make `one_id` the next, if it waits for its turn and not for a retry."""
        if one_id in self._due and one_id not in self._tries:
            self._put(one_id, -inf)
            self._changed.set()

    async def take(self) -> int:
        """Wait until something is due and return it; it is the caller's until `done` or `failed`."""
        while True:
            self._changed.clear()
            now = asyncio.get_running_loop().time()
            due, one_id = self._first()
            if due <= now:
                del self._due[one_id]
                self._taken.add(one_id)
                return one_id
            await woken(self._changed, seconds=min(due - now, LOOK_UP_SECONDS))

    def done(self, one_id: int) -> None:
        """Give `one_id` back: it succeeded, and is due again only if it was added meanwhile."""
        self._tries.pop(one_id, None)
        self._give_back(one_id)

    def failed(self, one_id: int, *, at_most: float = PAUSES_SECONDS[-1]) -> float:
        """Give `one_id` back to be tried again, and return after how many seconds, `at_most` so many."""
        tries = self._tries.get(one_id, 0)
        self._tries[one_id] = tries + 1
        pause = min(PAUSES_SECONDS[min(tries, len(PAUSES_SECONDS) - 1)], at_most)
        self._put(one_id, asyncio.get_running_loop().time() + pause)
        self._give_back(one_id)
        return pause

    def has_failed(self, one_id: int) -> bool:
        """Tell whether `one_id` waits for another try."""
        return one_id in self._tries

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being done or waits for its turn, but for what failed."""
        return not self._taken and all(one_id in self._tries for one_id in self._due)

    def _put(self, one_id: int, due: float) -> None:
        self._due[one_id] = due
        heappush(self._line, (due, one_id))

    def _first(self) -> tuple[float, int]:
        """Return when the first is due that nobody has taken, and which it is; never if there is none."""
        while self._line:
            due, one_id = self._line[0]
            if one_id not in self._taken and self._due.get(one_id) == due:
                return due, one_id
            heappop(self._line)
        return inf, 0

    def _give_back(self, one_id: int) -> None:
        self._taken.discard(one_id)
        if one_id in self._due:
            self._put(one_id, self._due[one_id])
        self._changed.set()

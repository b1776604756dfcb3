"""What to do with a batch that fails: halve it down to what is to blame, unless the fault is in what all go through."""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from bot.errors import DatabaseTimeoutError
from bot.store import condition
from bot.store.database import Database
from bot.store.outages import outage_of

T = TypeVar("T")

_REMEMBERED: Final = 20
"""Items, the newest, by whose fate is judged whether one that fails is to blame itself."""


@dataclass(frozen=True, slots=True)
class Failed(Generic[T]):
    """An item that fails alone, and its error."""

    item: T
    error: Exception


class StoppedError(Exception):
    """Nothing more is to be tried."""


async def halved(items: Sequence[T], write: Callable[[Sequence[T]], Awaitable[None]]) -> list[Failed[T]]:
    """Give `items` to `write` in order, in halves of what it raises an error for, and return those that fail alone.

    Raises `StoppedError` if `write` does.
    """
    try:
        await write(items)
    except StoppedError:
        raise
    except Exception as error:
        if len(items) == 1:
            return [Failed(items[0], error)]
        half = len(items) // 2
        return [*await halved(items[:half], write), *await halved(items[half:], write)]
    return []


async def is_away(database: Database, error: Exception) -> bool:
    """Tell whether `error` is surely an outage: a statement may take too long though the database is well."""
    if not isinstance(error, DatabaseTimeoutError):
        return outage_of(error) is not None
    try:
        await database.read(condition.is_there)
    except Exception:
        return True
    return False


class Blame:
    """Judges by what became of others whether items that fail are to blame themselves."""

    def __init__(self) -> None:
        self._recent: deque[bool] = deque(maxlen=_REMEMBERED)
        self._passed = 0

    def begin(self) -> None:
        """Note that nothing fails: what passes from now on speaks for the next batch."""
        self._passed = 0

    def passed(self, count: int) -> None:
        """Note that so many items were written."""
        self._passed += count
        self._recent.extend([True] * min(count, _REMEMBERED))

    def blamed(self, count: int) -> None:
        """Note that so many items were set aside."""
        self._recent.extend([False] * min(count, _REMEMBERED))

    async def is_general(self, failing: int, *, another: Callable[[], Awaitable[bool]]) -> bool:
        """Tell whether the fault is in what all items go through.

        It is if most of the batch fail, or most of the newest items; where nothing else was tried, if `another`,
        a harmless one that is made up, fails too.
        """
        if failing > max(1, self._passed):
            return True
        bad = failing + self._recent.count(False)
        if bad > max(1, self._recent.count(True)):
            return True
        return self._passed == 0 and not await another()

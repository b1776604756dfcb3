"""Many who ask at once are answered by one read, none by one that began before they asked."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.errors import DatabaseUnavailableError
from bot.db.batched import GATHERED_SECONDS, Batched, Pace


class Shelf:
    """What is read: each key doubled, once `free` says so; keys below zero fail everything."""

    def __init__(self) -> None:
        self.reads: list[list[int]] = []
        self.free = asyncio.Event()
        self.batched = Batched(self._read, name="reading the shelf")

    async def _read(self, keys: Sequence[int]) -> Sequence[int]:
        self.reads.append(list(keys))
        await self.free.wait()
        if min(keys) < 0:
            raise LookupError(f"no {min(keys)}")
        return [2 * key for key in keys]


async def turns() -> None:
    """Let everything go on that can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_who_asks_during_a_read_is_answered_by_the_next_with_all_the_others() -> None:
    shelf = Shelf()
    first = asyncio.create_task(shelf.batched.of(1))
    await turns()
    others = [asyncio.create_task(shelf.batched.of(key)) for key in (2, 3, 3)]
    await turns()
    assert shelf.reads == [[1]]
    shelf.free.set()
    assert await asyncio.gather(first, *others) == [2, 4, 6, 6]
    assert shelf.reads == [[1], [2, 3, 3]]
    assert await shelf.batched.of(4) == 8


async def test_one_for_whom_it_fails_keeps_nobody_else_from_it() -> None:
    shelf = Shelf()
    failing, beside = [asyncio.create_task(shelf.batched.of(key)) for key in (-1, 5)]
    await turns()
    later = asyncio.create_task(shelf.batched.of(6))
    await turns()
    shelf.free.set()
    assert await later == 12
    assert await beside == 10
    with pytest.raises(LookupError, match="no -1"):
        await failing
    assert shelf.reads == [[-1, 5], [-1], [5], [6]]


async def test_an_outage_is_met_once_by_all_who_ask_together() -> None:
    tried: list[int] = []

    async def away(keys: Sequence[int]) -> Sequence[int]:
        tried.append(len(keys))
        raise DatabaseUnavailableError("away")

    batched = Batched(away, name="reading what is away")
    asking = await asyncio.gather(*(batched.of(key) for key in range(4)), return_exceptions=True)
    assert [type(one) for one in asking] == 4 * [DatabaseUnavailableError]
    assert tried == [4]


def test_more_is_waited_for_only_where_much_comes() -> None:
    now = [100.0]
    pace = Pace(monotonic=lambda: now[0])
    for _ in range(50):
        # Somebody who types, or waits for each answer before the next.
        assert pace.pause_seconds == 0
        pace.begin(1)
        now[0] += 0.06
    now[0] += 1
    for much, longer in ((20, 1), (40, 2), (60, 3), (600, 3)):
        pace.begin(much)
        now[0] += 0.03
        assert pace.pause_seconds == pytest.approx(longer * GATHERED_SECONDS - 0.03)
        now[0] += longer * GATHERED_SECONDS - 0.03
        assert pace.pause_seconds == pytest.approx(0)
        now[0] += 1
        assert pace.pause_seconds == 0


@given(st.lists(st.tuples(st.sampled_from(["ask", "ask", "leave", "read"]), st.integers(0, 9)), max_size=40))
async def test_whoever_leaves_takes_no_answer_from_the_others(acts: Sequence[tuple[str, int]]) -> None:
    shelf = Shelf()
    asking: dict[asyncio.Task[int], int] = {}
    for act, number in acts:
        if act == "ask":
            asking[asyncio.create_task(shelf.batched.of(number))] = number
        elif act == "leave" and asking:
            left = list(asking)[number % len(asking)]
            left.cancel()
            del asking[left]
        elif act == "read":
            shelf.free.set()
            await turns()
            shelf.free.clear()
        await turns()
    shelf.free.set()
    assert await asyncio.gather(*asking) == [2 * number for number in asking.values()]

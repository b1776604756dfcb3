"""Many who ask at once are answered by one read, none by one that began before they asked."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.db.batched import BatchedRead


class Shelf:
    """What is read: each key doubled, once `free` says so; keys below zero fail everything."""

    def __init__(self) -> None:
        self.reads: list[list[int]] = []
        self.free = asyncio.Event()
        self.batched = BatchedRead(self._read, name="reading the shelf")

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


async def test_a_read_that_fails_fails_for_those_it_was_for_and_nobody_else() -> None:
    shelf = Shelf()
    failing = [asyncio.create_task(shelf.batched.of(key)) for key in (-1, 5)]
    await turns()
    later = asyncio.create_task(shelf.batched.of(6))
    await turns()
    shelf.free.set()
    assert await later == 12
    for one in failing:
        with pytest.raises(LookupError, match="no -1"):
            await one


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

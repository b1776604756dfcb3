"""What failed is tried again, ever more rarely, and by one worker at a time."""

import asyncio

from bot.adapters.discord.schedule import PAUSES_SECONDS, Schedule


async def test_pauses_grow_until_it_succeeds() -> None:
    schedule = Schedule()
    pauses = []
    for _ in range(len(PAUSES_SECONDS) + 2):
        schedule.add(1)
        assert await schedule.take() == 1
        pauses.append(schedule.failed(1))
    assert pauses == [*PAUSES_SECONDS, PAUSES_SECONDS[-1], PAUSES_SECONDS[-1]]
    assert (schedule.has_failed(1), schedule.is_idle) == (True, True)
    schedule.add(1)
    await schedule.take()
    assert schedule.failed(1, at_most=5) == 5
    schedule.add(1)
    await schedule.take()
    schedule.done(1)
    schedule.add(1)
    await schedule.take()
    assert schedule.failed(1) == PAUSES_SECONDS[0]


async def test_what_is_being_done_is_nobody_elses_and_is_done_again_if_asked_for_meanwhile() -> None:
    schedule = Schedule()
    schedule.add(1)
    schedule.add_if_new(1, seconds=60)
    assert await schedule.take() == 1
    schedule.add(1)
    schedule.add(2)
    assert await schedule.take() == 2
    waiting = asyncio.create_task(schedule.take())
    await asyncio.sleep(0)
    assert not waiting.done()
    assert not schedule.is_idle
    schedule.done(1)
    assert await waiting == 1
    schedule.done(1)
    schedule.done(2)
    assert schedule.is_idle


async def test_an_earlier_moment_wins() -> None:
    schedule = Schedule()
    schedule.add(1, seconds=60)
    waiting = asyncio.create_task(schedule.take())
    await asyncio.sleep(0)
    schedule.add(1, seconds=0.01)
    async with asyncio.timeout(60):
        assert await waiting == 1


async def test_what_somebody_waits_for_comes_first_unless_it_failed() -> None:
    schedule = Schedule()
    for one_id in (1, 2, 3, 4):
        schedule.add(one_id)
    schedule.hurry(3)
    schedule.hurry(9)
    assert [await schedule.take() for _ in range(2)] == [3, 1]
    schedule.failed(3)
    schedule.hurry(3)
    schedule.add(1)
    schedule.hurry(1)
    assert [await schedule.take() for _ in range(2)] == [2, 4]
    schedule.done(1)
    assert await schedule.take() == 1

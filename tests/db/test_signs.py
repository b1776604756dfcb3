"""A loop that hangs is told from one that waits for work."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from bot.db.pool import Connection, Database
from bot.db.service import Services
from bot.db.signs import LOOK_UP_SECONDS, STANDSTILL_SECONDS, rest, silent_for, waited, woken
from tests.servers.discord.waiting import until
from tests.ticking import Ticks

NAME = "the test"


@pytest.fixture
def clock() -> Ticks:
    return Ticks()


async def one(_: Connection) -> int:
    return 1


async def begun(clock: Ticks, wait: Callable[[], Awaitable[object]]) -> Services:
    """Return services of which one loop has come to `wait`."""
    services, is_there = Services(monotonic=clock), asyncio.Event()

    async def loop() -> None:
        is_there.set()
        await wait()

    services.start(NAME, loop)
    await is_there.wait()
    await asyncio.sleep(0)
    return services


async def test_a_loop_that_hangs_stands_still_after_a_minute(clock: Ticks) -> None:
    services = await begun(clock, asyncio.Event().wait)
    clock.now += STANDSTILL_SECONDS
    assert services.standing_still() == []
    clock.now += 1
    assert services.standing_still() == [NAME]


WAITS: Final = pytest.mark.parametrize(
    "wait",
    [lambda: rest(600), lambda: woken(asyncio.Event()), lambda: waited(asyncio.Queue[int]().get)],
    ids=["rests", "is woken", "waits"],
)


@WAITS
async def test_a_loop_that_waits_for_work_does_not(
    wait: Callable[[], Awaitable[object]], clock: Ticks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.db.signs.LOOK_UP_SECONDS", 0.01)
    services = await begun(clock, wait)
    for _ in range(3):
        clock.now += 1e6
        await until(lambda: services.standing_still() == [])


@WAITS
async def test_a_wait_that_hangs_stands_still_however_long_it_may_be(
    wait: Callable[[], Awaitable[object]], clock: Ticks
) -> None:
    services = await begun(clock, wait)
    clock.now += LOOK_UP_SECONDS + STANDSTILL_SECONDS
    assert services.standing_still() == []
    clock.now += 1
    assert services.standing_still() == [NAME]


async def test_a_wait_ends_in_time_and_with_what_was_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.db.signs.LOOK_UP_SECONDS", 0.01)
    event, queue = asyncio.Event(), asyncio.Queue[int]()
    asyncio.get_running_loop().call_later(0.05, event.set)
    asyncio.get_running_loop().call_later(0.05, queue.put_nowait, 7)
    await woken(event)
    assert await waited(queue.get) == 7
    event.clear()
    await woken(event, seconds=0.05)
    assert not event.is_set()
    with pytest.raises(TimeoutError):
        await waited(queue.get, seconds=0.05)


async def test_every_statement_that_is_answered_is_a_sign(clock: Ticks, database: Database) -> None:
    read_again = asyncio.Event()
    has_read = asyncio.Event()

    async def read() -> None:
        await read_again.wait()
        await database.read(one)
        has_read.set()
        await asyncio.Event().wait()

    services = await begun(clock, read)
    clock.now += STANDSTILL_SECONDS + 1
    assert services.standing_still() == [NAME]
    read_again.set()
    await has_read.wait()
    assert services.standing_still() == []


async def test_what_a_loop_began_beside_itself_is_no_sign_of_it(clock: Ticks, database: Database) -> None:
    has_read = asyncio.Event()

    async def beside() -> None:
        await database.read(one)
        has_read.set()

    async def hang() -> None:
        beginning = asyncio.create_task(beside())
        await asyncio.Event().wait()
        await beginning

    services = await begun(clock, hang)
    clock.now += STANDSTILL_SECONDS + 1
    await has_read.wait()
    assert services.standing_still() == [NAME]


async def test_a_wait_inside_a_long_one_makes_it_no_shorter(clock: Ticks) -> None:
    async def job() -> None:
        with silent_for(100):
            with silent_for(1):
                pass
            await asyncio.Event().wait()

    services = await begun(clock, job)
    clock.now += 100
    assert services.standing_still() == []
    clock.now += STANDSTILL_SECONDS + 1
    assert services.standing_still() == [NAME]


async def test_a_loop_that_was_stopped_does_not_stand_still(clock: Ticks) -> None:
    services = Services(monotonic=clock)
    service = services.start(NAME, asyncio.Event().wait)  # type: ignore[arg-type]
    await service.stop()
    clock.now += 1e9
    assert services.standing_still() == []


async def test_what_is_no_loop_is_watched_too(clock: Ticks) -> None:
    services = Services(monotonic=clock)
    services.watch("gateway", lambda: clock.now > 2_000)
    assert services.standing_still() == []
    clock.now = 2_001
    assert services.standing_still() == ["gateway"]

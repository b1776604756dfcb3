"""A loop that runs as long as the process never ends in silence."""

import asyncio
import logging

import pytest

from bot.core.errors import DatabaseUnavailableError
from bot.db.service import ServiceFailure, Services

SECRET = "what somebody said"


class Loop:
    """Counts its beginnings, and ends as it is told to, each time by the next of `ends`; then it runs on."""

    def __init__(self, *ends: BaseException | None) -> None:
        self._ends = list(ends)
        self.begun = 0
        self.is_running = asyncio.Event()

    async def run(self) -> None:
        self.begun += 1
        if self._ends:
            end = self._ends.pop(0)
            if end is None:
                return
            raise end
        self.is_running.set()
        await asyncio.get_running_loop().create_future()


@pytest.mark.parametrize(
    ("end", "error"),
    [
        (RuntimeError(SECRET), "RuntimeError"),
        (MemoryError(), "MemoryError"),
        (None, "ServiceEndedError"),
        # Of something that it waited for, and that somebody else cancelled.
        (asyncio.CancelledError(), "CancelledError"),
    ],
)
async def test_a_loop_that_ends_is_logged_told_and_started_again(
    end: BaseException | None, error: str, caplog: pytest.LogCaptureFixture
) -> None:
    services = Services(first_pause_seconds=0.01)
    told: list[ServiceFailure] = []
    services.listen(told.append)
    loop = Loop(end, end)
    service = services.start("the test", loop.run)
    async with asyncio.timeout(60):
        await loop.is_running.wait()
    assert loop.begun == 3
    assert [(one.name, one.failures, one.error) for one in told] == [
        ("the test", 1, error),
        ("the test", 2, error),
    ]
    assert services.failing()[0].failures == 2
    lines = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert len(lines) == 2
    assert all(error in line and SECRET not in line and "\n" not in line for line in lines)
    service.is_well()
    assert services.failing() == []
    await service.stop()


async def test_an_outage_is_waited_for_and_nobodys_failure() -> None:
    services = Services(first_pause_seconds=0.01)
    told: list[ServiceFailure] = []
    services.listen(told.append)
    loop = Loop(*(DatabaseUnavailableError("the database is away") for _ in range(3)))
    service = services.start("the test", loop.run)
    async with asyncio.timeout(60):
        await loop.is_running.wait()
    assert not told
    assert services.failing() == []
    await service.stop()


async def test_the_pauses_grow_and_can_be_cut_short(caplog: pytest.LogCaptureFixture) -> None:
    services = Services()
    loop = Loop(*(RuntimeError() for _ in range(9)))
    service = services.start("the test", loop.run)
    async with asyncio.timeout(60):
        while not loop.is_running.is_set():
            service.hurry()
            await asyncio.sleep(0)
    pauses = [record.getMessage().split(" starts again in ")[1].split()[0] for record in caplog.records]
    assert pauses == ["1", "2", "4", "8", "16", "32", "60", "60", "60"]
    await service.stop()


async def test_a_loop_that_was_stopped_ends_at_once_and_without_a_word(
    caplog: pytest.LogCaptureFixture,
) -> None:
    services = Services(first_pause_seconds=60)
    waiting, failed = Loop(), Loop(RuntimeError())
    both = [services.start("waiting", waiting.run), services.start("failed", failed.run)]
    await waiting.is_running.wait()
    async with asyncio.timeout(60):
        while not services.failing():
            await asyncio.sleep(0)
        lines = len(caplog.records)
        await asyncio.gather(*(one.stop() for one in both))
    assert len(caplog.records) == lines
    assert failed.begun == 1


async def test_whoever_listens_late_hears_of_what_fails_already() -> None:
    services = Services(first_pause_seconds=60)
    service = services.start("the test", Loop(RuntimeError()).run)
    async with asyncio.timeout(60):
        await services.changed.wait()
    told: list[ServiceFailure] = []
    services.listen(told.append)
    assert [one.name for one in told] == ["the test"]
    await service.stop()

"""Each conversation is told of once: after a kill, and whoever else is at work."""

import asyncio
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from bot.core.clock import SetClock
from bot.db.pool import Database
from tests.memory.summaries.episodes import dying
from tests.memory.summaries.episodes.talks import Talks

ROOT = Path(__file__).parents[4]


@pytest.mark.processes
async def test_killed_between_the_end_and_the_episode_it_is_made_after_the_restart_once(
    dsn: str, clock: SetClock
) -> None:
    killed = await asyncio.create_subprocess_exec(
        sys.executable, "-m", dying.__name__, dsn, clock.now().isoformat(),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert killed.stdout is not None
    async with asyncio.timeout(60):
        assert await killed.stdout.readline() == b"asked\n"
    killed.kill()
    await killed.wait()
    database = await Database.open(dsn)
    # What it had claimed is free once its lease is over.
    await database.write(lambda connection: connection.execute("UPDATE work SET leased_until = now()"))
    clock.advance(timedelta(hours=1))
    for _ in range(2):
        async with Talks(database, clock) as talks:
            await talks.end()
            assert len(await talks.kept()) == 1
            assert len(talks.asked("make")) <= 1
    await database.close()


async def test_killed_before_the_end_was_noticed_it_is_made_after_the_restart(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock, is_working=False) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        await talks.answer(await talks.say("that's all"), "bye")
    async with Talks(database, clock) as talks:
        await talks.done()
        assert len(await talks.kept()) == 1


async def test_two_processes_make_one_episode_of_one_conversation(dsn: str, clock: SetClock) -> None:
    here, there = await Database.open(dsn), await Database.open(dsn)
    async with Talks(here, clock) as first, Talks(there, SetClock(clock.now())) as second:
        for number in range(5):
            await first.answer(await first.say(f"hello {number}"), "hi")
            clock.advance(timedelta(minutes=31))
            second.clock.set(clock.now())
            await asyncio.gather(first.done(), second.done())
            assert len(await second.kept()) == number + 1
        assert len(first.asked("make")) + len(second.asked("make")) == 5
    await here.close()
    await there.close()


async def test_told_by_two_at_once_it_is_stored_once(dsn: str, clock: SetClock) -> None:
    here, there = await Database.open(dsn), await Database.open(dsn)
    async with (
        Talks(here, clock, is_working=False) as first,
        Talks(there, SetClock(clock.now()), is_working=False) as second,
    ):
        await first.answer(await first.say("hello"), "hi")
        await first.end()
        # Both believe that the work is theirs, as after a lease that ran out.
        (key,) = await here.read(
            lambda connection: connection.fetch("SELECT * FROM work WHERE kind = 'episode'")
        )
        await asyncio.gather(*(talks.make(key["work_key"]) for talks in (first, second) for _ in range(3)))
        assert len(await first.kept()) == 1
    await here.close()
    await there.close()

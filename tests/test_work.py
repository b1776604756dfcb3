"""Background work: done once, tried again, taken over from the dead, and awaited when idle."""

import asyncio
import logging
import time
from datetime import timedelta
from typing import TYPE_CHECKING, cast

import asyncpg
import pytest

from bot.core.errors import ModelError
from bot.db import jobs
from bot.db.jobs import Job, JobWorkers, pause_after
from bot.db.pool import Connection, Database
from tests.databases import until_awaited

if TYPE_CHECKING:
    from asyncpg.connection import LoggedQuery


async def ask(database: Database, work_key: str, kind: str = "test") -> None:
    await database.write(jobs.enqueue, guild_id=1, kind=kind, work_key=work_key)


async def left(database: Database) -> int:
    count: int = await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM work"))
    return count


async def test_idle_means_that_everything_asked_for_is_done(database: Database) -> None:
    done: list[str] = []

    async def slow(task: Job) -> None:
        await asyncio.sleep(0.01)
        done.append(task.work_key)

    work = JobWorkers(database, {"test": slow})
    work.start()
    for number in range(10):
        await ask(database, str(number))
    await work.idle()
    await work.stop()
    assert sorted(done, key=int) == [str(number) for number in range(10)]
    assert await left(database) == 0


class BusyLoop:
    """Turns of the event loop that take long, until it is stopped."""

    def __init__(self) -> None:
        self.turns = 0
        self._task = asyncio.create_task(self._turn())

    async def _turn(self) -> None:
        while True:
            time.sleep(0.02)  # noqa: ASYNC251 - it is what keeps everybody waiting
            self.turns += 1
            await asyncio.sleep(0)

    async def stop(self) -> None:
        """Let the loop be calm again."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


async def test_work_gives_way_while_the_loop_has_much_to_do(database: Database) -> None:
    done: list[str] = []

    async def note(task: Job) -> None:
        done.append(task.work_key)

    await ask(database, "a")
    work, busy = JobWorkers(database, {"test": note}), BusyLoop()
    work.start()
    while busy.turns < 100:
        await asyncio.sleep(0)
    assert done == []
    await busy.stop()
    await work.idle()
    await work.stop()
    assert done == ["a"]


async def test_work_is_done_although_the_loop_is_never_calm(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_PATIENCE_SECONDS", 0.1)
    done = asyncio.Event()

    async def note(_: Job) -> None:
        done.set()

    await ask(database, "a")
    work, busy = JobWorkers(database, {"test": note}), BusyLoop()
    work.start()
    await asyncio.wait_for(done.wait(), 20)
    await busy.stop()
    await work.stop()


async def test_what_was_promised_gives_way_to_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_PATIENCE_SECONDS", 600.0)
    done = asyncio.Event()

    async def note(_: Job) -> None:
        done.set()

    await ask(database, "a", "erase")
    work, busy = JobWorkers(database, {"erase": note}, own_lanes=("erase",)), BusyLoop()
    work.start()
    await asyncio.wait_for(done.wait(), 20)
    await busy.stop()
    await work.stop()


async def test_two_processes_do_a_piece_of_work_once(database: Database) -> None:
    done: list[str] = []

    async def note(task: Job) -> None:
        done.append(task.work_key)

    both = [JobWorkers(database, {"test": note}) for _ in range(2)]
    for number in range(20):
        await ask(database, str(number))
    for work in both:
        work.start()
    await asyncio.gather(*(work.idle() for work in both))
    for work in both:
        await work.stop()
    assert len(done) == 20


async def test_what_is_asked_for_while_it_is_done_is_done_once_more(database: Database) -> None:
    times = 0

    async def ask_again(_: Job) -> None:
        nonlocal times
        times += 1
        if times == 1:
            await ask(database, "a")

    work = JobWorkers(database, {"test": ask_again})
    work.start()
    await ask(database, "a")
    await work.idle()
    await work.stop()
    assert times == 2


async def test_a_failure_is_tried_again_later_and_holds_nobody_up(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(_: Job) -> None:
        raise ValueError("a secret that somebody told")

    work = JobWorkers(database, {"test": fail})
    work.start()
    await ask(database, "a")
    await work.idle()
    await work.stop()
    assert await left(database) == 1
    assert "ValueError" in caplog.text
    assert "secret" not in caplog.text


async def test_the_work_of_a_process_that_died_is_taken_over(database: Database) -> None:
    await ask(database, "a")
    claimed = await database.write(jobs.claim, lease=timedelta(milliseconds=50))
    assert claimed is not None
    assert await database.write(jobs.claim, lease=timedelta(1)) is None
    await asyncio.sleep(0.1)
    again = await database.write(jobs.claim, lease=timedelta(1))
    assert again is not None
    assert again.attempts == 2


def test_pauses_grow_up_to_an_hour() -> None:
    pauses = [pause_after(attempts) for attempts in range(1, 15)]
    assert pauses == sorted(pauses)
    assert pauses[0] == timedelta(seconds=5)
    assert pauses[-1] == timedelta(hours=1)
    assert pause_after(1_000) == timedelta(hours=1)


async def test_a_worker_outlives_whatever_ails_the_database(database: Database) -> None:
    done: list[str] = []

    async def note(task: Job) -> None:
        done.append(task.work_key)

    await database.write(lambda connection: connection.execute("ALTER TABLE work RENAME TO elsewhere"))
    work = JobWorkers(database, {"test": note})
    work.start()
    await asyncio.sleep(0.1)
    await database.write(lambda connection: connection.execute("ALTER TABLE elsewhere RENAME TO work"))
    await ask(database, "a")
    await work.idle()
    await work.stop()
    assert done == ["a"]


async def test_what_was_under_way_at_the_end_is_free_at_once(database: Database) -> None:
    begun = asyncio.Event()

    async def hang(_: Job) -> None:
        begun.set()
        await asyncio.Event().wait()

    work = JobWorkers(database, {"test": hang})
    work.start()
    await ask(database, "a")
    work.wake()
    await begun.wait()
    await work.stop()
    claimed = await database.write(jobs.claim, lease=timedelta(minutes=1))
    assert claimed is not None


@pytest.mark.parametrize("workers", [2, 4])
async def test_a_kind_with_a_lane_of_its_own_waits_for_no_other_and_takes_none(
    database: Database, workers: int
) -> None:
    hanging, may_end, is_done = asyncio.Semaphore(0), asyncio.Event(), asyncio.Event()
    under_way = 0

    async def hang(_: Job) -> None:
        nonlocal under_way
        under_way += 1
        hanging.release()
        await may_end.wait()

    async def do(_: Job) -> None:
        is_done.set()

    work = JobWorkers(database, {"test": hang, "urgent": do}, workers=workers, own_lanes=["urgent"])
    work.start()
    for number in range(5):
        await ask(database, str(number))
    work.wake()
    for _ in range(workers):
        await asyncio.wait_for(hanging.acquire(), 60)
    await ask(database, "a", "urgent")
    work.wake()
    await asyncio.wait_for(is_done.wait(), 60)
    assert under_way == workers
    may_end.set()
    await work.idle()
    await work.stop()
    assert await left(database) == 0


async def test_what_was_promised_is_found_among_thousands_of_pieces_that_can_wait(database: Database) -> None:
    sent: list[LoggedQuery] = []

    async def plan(connection: Connection) -> str:
        await connection.execute(
            "INSERT INTO work (guild_id, kind, work_key, due_at)"
            " SELECT number % 100, 'test', number, now() FROM generate_series(1, 5000) AS number"
        )
        await connection.execute("ANALYZE work")
        connection.add_query_logger(sent.append)
        kinds = jobs.JobKinds(named=("urgent",), others=False)
        assert await jobs.claim(connection, lease=timedelta(minutes=1), kinds=kinds) is None
        await asyncio.sleep(0)
        connection.remove_query_logger(sent.append)
        return "\n".join(row[0] for row in await connection.fetch(f"EXPLAIN {sent[0].query}", *sent[0].args))

    told = await database.write(plan)
    assert "work_of_a_kind" in told
    assert "Seq Scan on work" not in told


@pytest.mark.parametrize(
    ("error", "level"),
    [(ValueError("the first time"), "ERROR"), (ModelError("every model is at its quota"), "INFO")],
    ids=["an error of ours", "no model answers"],
)
async def test_what_is_asked_for_while_it_fails_is_not_kept_waiting(
    database: Database, caplog: pytest.LogCaptureFixture, error: Exception, level: str
) -> None:
    caplog.set_level(logging.INFO, logger="bot.db.jobs")
    times = 0

    async def fail_once(_: Job) -> None:
        nonlocal times
        times += 1
        if times == 1:
            await ask(database, "a")
            raise error

    work = JobWorkers(database, {"test": fail_once})
    work.start()
    await ask(database, "a")
    await work.idle()
    await work.stop()
    assert times == 2
    assert await left(database) == 0
    assert [line.levelname for line in caplog.records if "failed, try 1" in line.message] == [level]


async def test_what_is_asked_for_while_it_finishes_is_free_at_once(database: Database, dsn: str) -> None:
    await ask(database, "a")
    task = await database.write(jobs.claim, lease=jobs.LEASE)
    assert task is not None
    asking = await asyncpg.connect(dsn)
    try:
        async with asking.transaction():
            await jobs.enqueue(cast("Connection", asking), guild_id=1, kind="test", work_key="a")
            finishing = asyncio.create_task(database.write(jobs.finish, task))
            await until_awaited(asking)
        await finishing
    finally:
        await asking.close()
    again = await database.write(jobs.claim, lease=jobs.LEASE)
    assert again is not None
    assert again.wanted == task.wanted + 1


async def test_a_guild_with_much_to_do_keeps_no_other_waiting(database: Database) -> None:
    done: list[int] = []

    async def note(task: Job) -> None:
        done.append(task.guild_id)

    for number in range(30):
        await database.write(jobs.enqueue, guild_id=5, kind="test", work_key=str(number))
    for guild_id in (3, 9):
        for number in range(3):
            await database.write(jobs.enqueue, guild_id=guild_id, kind="test", work_key=str(number))
    work = JobWorkers(database, {"test": note})
    work.start()
    await work.idle()
    await work.stop()
    assert len(done) == 36
    # The workers take the guilds in turn: all of a small guild is done among the first.
    assert {3, 9}.isdisjoint(done[12:])


async def test_a_sign_has_one_worker_look_for_work_however_many_there_are(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = 0
    claim = jobs.claim

    async def counted(
        connection: Connection, *, lease: timedelta, kinds: jobs.JobKinds, after_guild_id: int
    ) -> Job | None:
        nonlocal looked
        looked += 1
        return await claim(connection, lease=lease, kinds=kinds, after_guild_id=after_guild_id)

    async def nothing(_: Job) -> None:
        pass

    monkeypatch.setattr(jobs, "claim", counted)
    work = JobWorkers(database, {"test": nothing}, workers=20)
    work.start()
    await work.idle()
    looked = 0
    await ask(database, "a")
    work.wake()
    await work.idle()
    await work.stop()
    assert not await left(database)
    # It is found, nothing is behind it, and nothing before it; who waits for all of it may look once more.
    assert looked <= 6


async def test_one_sign_has_as_many_pieces_done_at_once_as_there_are_workers(database: Database) -> None:
    together = asyncio.Barrier(5)

    async def meet(_: Job) -> None:
        async with asyncio.timeout(30):
            await together.wait()

    work = JobWorkers(database, {"test": meet}, workers=5)
    work.start()
    await work.idle()
    for number in range(5):
        await ask(database, str(number))
    work.wake()
    await work.idle()
    await work.stop()
    assert not await left(database)


async def test_upkeep_waits_for_the_other_work_of_its_guild_alone(database: Database) -> None:
    upkeep = jobs.JobKinds(upkeep=["sweep"])
    await ask(database, "a", "sweep")
    await ask(database, "b")
    await database.write(jobs.enqueue, guild_id=2, kind="sweep", work_key="c")
    claimed = []
    after = -1
    for _ in range(3):
        task = await database.write(jobs.claim, lease=jobs.LEASE, kinds=upkeep, after_guild_id=after)
        task = task or await database.write(jobs.claim, lease=jobs.LEASE, kinds=upkeep)
        assert task is not None
        after = task.guild_id
        claimed.append(task.work_key)
    assert claimed == ["b", "c", "a"]


async def fail(job: Job) -> None:
    """Fail as an operation would that quotes what somebody said."""
    raise ValueError(f"a secret of {job.work_key}")


async def without_a_model(_: Job) -> None:
    """Fail as an operation does that no model answers."""
    raise ModelError("no model answers")


async def _made_due(database: Database, *, attempts: int) -> None:
    await database.write(
        lambda connection: connection.execute(
            "UPDATE work SET due_at = now(), attempts = $1 WHERE due_at <> 'infinity'", attempts
        )
    )


async def test_work_that_fails_for_good_is_seen_without_its_words_and_done_when_asked_for_again(
    database: Database,
) -> None:
    handlers: dict[str, jobs.Handler] = {
        "test": fail, "promised": fail, "sweep": fail, "told": without_a_model
    }  # fmt: skip
    work = JobWorkers(database, handlers, own_lanes=["promised", "sweep"], upkeep=["sweep"])
    for kind in handlers:
        await ask(database, "a", kind)
    await _made_due(database, attempts=jobs.MOST_ATTEMPTS - 1)
    work.start()
    await work.idle()
    failed = await database.read(jobs.failed, limit=10)
    assert {(one.kind, one.is_given_up) for one in failed} == {
        ("test", True), ("sweep", True), ("promised", False), ("told", False)
    }  # fmt: skip
    given_up = next(one for one in failed if one.kind == "test")
    assert given_up.error.startswith("ValueError in fail (test_work.py:")
    assert "secret" not in given_up.error
    waiting = await database.read(jobs.waiting)
    assert (waiting.count, waiting.given_up) == (0, 2)
    work.take_up(dict.fromkeys(handlers, succeed))
    await _made_due(database, attempts=jobs.MOST_ATTEMPTS)
    assert await database.write(jobs.retry) == 2
    work.wake()
    await work.idle()
    await work.stop()
    assert await left(database) == 0


async def succeed(_: Job) -> None:
    """Do what failed before."""


async def test_what_was_given_up_is_taken_up_when_it_is_wanted_anew(database: Database) -> None:
    await ask(database, "a")
    task = await database.write(jobs.claim, lease=jobs.LEASE)
    assert task is not None
    await database.write(jobs.give_back, task, error="ValueError", pause=None)
    assert await database.write(jobs.claim, lease=jobs.LEASE) is None
    await ask(database, "a")
    again = await database.write(jobs.claim, lease=jobs.LEASE)
    assert again is not None
    assert again.attempts == 1

"""What is too old goes, a few rows at a time, and takes along what was made from it; memories outlive it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Guild, Message, snowflake_at
from bot.core.settings import Settings
from bot.db import jobs
from bot.db.clock_watch import ClockWatch
from bot.db.jobs import Job
from bot.db.pool import Connection, Database
from bot.memory.facts.statements import Note
from bot.memory.rights import retention
from bot.memory.rights.retention import Sweeper, rest_after
from tests.memory.diary import ALICE, GENERAL, GUILD_ID

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)
GUILD = Guild(guild_id=GUILD_ID, name="Aquarium")
TASK = Job(guild_id=GUILD_ID, kind=retention.RETENTION_JOB, work_key=NOW.isoformat(), wanted=1, attempts=1)


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOW)


@asynccontextmanager
async def running(database: Database, clock: SetClock, **settings: int) -> AsyncIterator[Keepsake]:
    """The bot with these settings, and the guild known to it."""
    chosen = Settings(_env_file=None, **settings)  # type: ignore[arg-type]
    async with assembled(chosen, clock, database) as keepsake:
        await keepsake.directory.add_guild(GUILD)
        yield keepsake


def said(age: timedelta, *, guild_id: int = GUILD_ID, number: int = 0) -> Message:
    moment = NOW - age
    return Message(
        guild_id=guild_id,
        channel_id=GENERAL,
        message_id=snowflake_at(moment) + number,
        user_id=ALICE,
        text=f"words of {moment:%d %B}",
        timestamp=moment,
    )


def days(number: float) -> timedelta:
    return timedelta(days=number)


async def column(database: Database, query: str) -> list[object]:
    return [row[0] for row in await database.read(lambda connection: connection.fetch(query))]


async def ages(database: Database, *, guild_id: int = GUILD_ID) -> list[int]:
    """Return how many days old the messages are that are left, the oldest first."""
    kept = await column(
        database, f"SELECT timestamp FROM chat_history WHERE guild_id = {guild_id} ORDER BY 1"
    )
    return [(NOW - moment).days for moment in kept if isinstance(moment, datetime)]


async def swept(keepsake: Keepsake, guild_id: int = GUILD_ID) -> None:
    assert await keepsake.retention.on_a_new_day(guild_id)
    await keepsake.work.idle()


def sweeper(database: Database, rest: Callable[[float], Awaitable[None]]) -> Sweeper:
    return Sweeper(database, Settings(_env_file=None), ClockWatch(database, awaits_discord=False), rest=rest)


def fact(message: Message, statement: str) -> Note:
    return Note(
        guild_id=GUILD_ID, subject_id=ALICE, author_id=ALICE, speaker_id=ALICE, audience=0, statement=statement,
        cause=f"m:{message.message_id}", channel_id=GENERAL, message_id=message.message_id,
        said_at=message.timestamp, time_zone="UTC",
    )  # fmt: skip


async def an_answer_to(database: Database, message: Message, *, parts: Sequence[str]) -> None:
    async def insert(connection: Connection) -> None:
        await connection.execute(
            """
            INSERT INTO answers (guild_id, message_id, channel_id, user_id, route, state, holder, leased_until,
                                 parts, sent_ids, answered_at)
            VALUES ($1, $2, $3, $4, 'chat', 'sent', gen_random_uuid(), $6, $5, ARRAY[$2::bigint + 1], $6)
            """,
            message.guild_id, message.message_id, GENERAL, ALICE, list(parts), message.timestamp,
        )  # fmt: skip

    await database.write(insert)


async def a_summary(database: Database, kind: str, period: str, *, built: timedelta) -> None:
    async def insert(connection: Connection) -> None:
        await connection.execute(
            """
            INSERT INTO distillations (guild_id, kind, audience, subject_id, period, sources, time_zone, model_chain,
                                       content, built_at)
            VALUES ($1, $2, 0, $3, $4, '1', 'UTC', $5, 'told', $6)
            """,
            GUILD_ID, kind, ALICE, period, str(built), NOW - built,
        )  # fmt: skip

    await database.write(insert)


@pytest.mark.smoke
async def test_what_is_too_old_goes_with_all_that_was_made_from_it_and_memories_stay(
    database: Database, clock: SetClock
) -> None:
    async with running(database, clock) as keepsake:
        old, deleted, young = said(days(40)), said(days(35)), said(days(29))
        await keepsake.memory.ingest_messages([old, deleted, young])
        await keepsake.memory.ingest_deletion(
            guild_id=GUILD_ID, channel_id=GENERAL, message_ids=[deleted.message_id]
        )
        for message in (old, young):
            await an_answer_to(database, message, parts=["an answer"])
            await a_summary(database, "day", message.timestamp.date().isoformat(), built=days(0))
        for kind in ("historical", "context"):
            await a_summary(database, kind, "latest", built=days(40))
            await a_summary(database, kind, "latest", built=days(20))
        await keepsake.memory.remember(fact(old, "I like pizza"))

        await swept(keepsake)
        assert await ages(database) == [29]
        assert await column(database, "SELECT day FROM day_marks") == [date(2026, 3, 2)]
        assert await column(database, "SELECT message_id FROM answers") == [young.message_id]
        left = await column(database, "SELECT kind || ' ' || period FROM distillations ORDER BY 1")
        assert left == ["context latest", "day 2026-03-02", "historical latest"]
        assert await column(database, "SELECT content FROM facts") == ["<@11> likes pizza"]
        assert len(await column(database, "SELECT memory_blob FROM user_facts")) == 1


@pytest.mark.parametrize(
    ("installation", "guild", "left"),
    [
        (30, None, [29, 10, 1]),
        (30, 0, [400, 31, 29, 10, 1]),
        (30, 7, [1]),
        (30, 36_500, [400, 31, 29, 10, 1]),
        (0, None, [400, 31, 29, 10, 1]),
        (0, 30, [29, 10, 1]),
    ],
)
async def test_a_guilds_own_retention_goes_before_the_installations_and_zero_is_for_ever(
    database: Database, clock: SetClock, installation: int, guild: int | None, left: list[int]
) -> None:
    async with running(database, clock, retention_days=installation) as keepsake:
        await keepsake.directory.change_guild(GUILD, replace(GUILD, retention_days=guild))
        await keepsake.memory.ingest_messages([said(days(age)) for age in (400, 31, 29, 10, 1)])
        await swept(keepsake)
        assert await ages(database) == left


async def test_every_guild_is_swept_at_the_start_unknown_ones_too(
    database: Database, clock: SetClock
) -> None:
    async with running(database, clock, retention_days=0) as keepsake:
        await keepsake.memory.ingest_messages(
            [said(days(age), guild_id=guild_id) for age in (40, 3) for guild_id in (GUILD_ID, 5, 6)]
        )
    async with running(database, clock):
        for guild_id in (GUILD_ID, 5, 6):
            while await ages(database, guild_id=guild_id) != [3]:
                await asyncio.sleep(0.01)


async def test_a_clock_in_the_future_empties_no_other_guild(database: Database) -> None:
    real = datetime.now(UTC)
    other = replace(said(days(0), guild_id=5), timestamp=real)
    clock = SetClock(real + days(400))
    async with running(database, clock) as keepsake:
        await keepsake.memory.ingest_messages([other, replace(other, guild_id=GUILD_ID)])
    async with running(database, clock) as keepsake:
        await swept(keepsake)
        assert await column(database, "SELECT guild_id FROM chat_history") == [5]


async def test_messages_go_in_small_batches_and_others_have_their_turn(
    database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH_ROWS", 10)
    monkeypatch.setattr(retention, "_SHORTEST_REST_SECONDS", 0.0)
    async with running(database, clock) as keepsake:
        await keepsake.memory.ingest_messages(
            [said(days(40) - timedelta(minutes=number)) for number in range(500)]
        )
        await database.write(
            lambda connection: connection.execute(
                """
                CREATE TABLE removed (rows bigint);
                CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN INSERT INTO removed SELECT count(*) FROM gone; RETURN NULL; END $$;
                CREATE TRIGGER noted AFTER DELETE ON chat_history REFERENCING OLD TABLE AS gone
                    FOR EACH STATEMENT EXECUTE FUNCTION note();
                """
            )
        )
        await swept(keepsake)
        removed = await column(database, "SELECT rows FROM removed WHERE rows > 0")
        assert removed == [10] * 50
        assert await column(database, "SELECT kind FROM work") == []


def test_a_slow_disk_is_left_as_free_as_a_fast_one() -> None:
    assert [rest_after(seconds) for seconds in (0.001, 0.1, 2.0)] == [0.05, pytest.approx(0.3), 6.0]
    assert rest_after(60) == 20, "a turn ends before its lease does"


async def test_between_two_batches_others_are_heard_and_find_what_was_said(
    database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH_ROWS", 10)
    async with running(database, clock, retention_days=0) as keepsake:
        await keepsake.memory.ingest_messages([said(days(40), number=number) for number in range(35)])
        # What is still being read for facts is left to the next batch.
        await keepsake.memory.extractor.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=60)
        left, found = [], []

        async def rest(_seconds: float) -> None:
            await keepsake.memory.extractor.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=60)
            left.append((await ages(database)).count(40))
            word = f"harbour{len(left)}"
            await keepsake.memory.ingest_message(
                replace(said(days(0), number=len(left)), text=f"the {word} cafe")
            )
            found.append(
                await keepsake.memory.recall(guild_id=GUILD_ID, query=f"{word}?", audiences=[OPEN], limit=5)
            )

        await sweeper(database, rest).sweep(TASK)
        assert left == [25, 15, 5]
        assert all(found)
        assert await ages(database) == [0, 0, 0]


async def test_what_was_removed_before_a_kill_stays_removed_and_the_next_goes_on(
    database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH_ROWS", 10)
    async with running(database, clock, retention_days=0) as keepsake:
        await keepsake.memory.ingest_messages([said(days(40), number=number) for number in range(35)])
    rests = 0

    async def killed(_seconds: float) -> None:
        nonlocal rests
        rests += 1
        if rests == 2:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await sweeper(database, killed).sweep(TASK)
    assert len(await ages(database)) == 15
    await sweeper(database, asyncio.sleep).sweep(TASK)
    assert await ages(database) == []


async def test_while_sweeps_of_several_guilds_rest_other_work_is_done(
    database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_SHORTEST_REST_SECONDS", 3_600.0)
    monkeypatch.setattr(retention, "_LONGEST_REST_SECONDS", 3_600.0)
    monkeypatch.setattr(retention, "BATCH_ROWS", 1)
    async with running(database, clock) as keepsake:
        is_done = asyncio.Event()

        async def note(_task: Job) -> None:
            is_done.set()

        keepsake.work.take_up({"told": note})
        for guild_id in (GUILD_ID, 5, 6):
            await keepsake.memory.ingest_messages(
                [said(days(40), guild_id=guild_id, number=number) for number in range(3)]
            )
            await keepsake.retention.on_a_new_day(guild_id)
        while not any([len(await ages(database, guild_id=guild_id)) < 3 for guild_id in (GUILD_ID, 5, 6)]):
            await asyncio.sleep(0.01)
        await database.write(jobs.enqueue, guild_id=7, kind="told", work_key="")
        keepsake.work.wake()
        await asyncio.wait_for(is_done.wait(), 60)


async def test_two_at_once_and_one_killed_half_way_leave_nothing_and_lose_nothing(
    database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH_ROWS", 20)
    async with running(database, clock, retention_days=0) as keepsake:
        await keepsake.memory.ingest_messages(
            [said(days(40) - timedelta(minutes=number)) for number in range(600)] + [said(days(3))]
        )
    killed, *others = [asyncio.create_task(sweeper(database, asyncio.sleep).sweep(TASK)) for _ in range(3)]
    while len(await ages(database)) > 550:
        await asyncio.sleep(0)
    killed.cancel()
    await asyncio.gather(killed, *others, return_exceptions=True)
    assert all(other.exception() is None for other in others)
    async with running(database, clock) as keepsake:
        await swept(keepsake)
        assert await ages(database) == [3]


async def test_an_answer_stays_as_long_as_a_part_of_it_is_in_the_log(
    database: Database, clock: SetClock
) -> None:
    async with running(database, clock) as keepsake:
        asked = said(days(30) + timedelta(seconds=1))
        reply = replace(said(days(30) - timedelta(seconds=1)), message_id=asked.message_id + 1)
        await keepsake.memory.ingest_messages([asked, reply])
        await an_answer_to(database, asked, parts=["an answer"])
        await swept(keepsake)
        assert await column(database, "SELECT message_id FROM chat_history") == [reply.message_id]
        assert await column(database, "SELECT message_id FROM answers") == [asked.message_id]
        clock.advance(days(1))
        await swept(keepsake)
        assert await column(database, "SELECT message_id FROM answers") == []


async def test_what_is_brought_in_from_before_the_window_goes_with_the_next_sweep(
    database: Database, clock: SetClock
) -> None:
    async with running(database, clock) as keepsake:
        await swept(keepsake)
        await keepsake.memory.ingest_messages([said(days(90)), said(days(5))])
        assert await ages(database) == [90, 5]
        clock.advance(days(1))
        await swept(keepsake)
        assert await ages(database) == [5]
        assert not await keepsake.retention.on_a_new_day(GUILD_ID)


async def test_facts_profiles_and_episodes_go_only_by_a_retention_of_their_own(
    database: Database, clock: SetClock
) -> None:
    async def learned(connection: Connection) -> None:
        await connection.execute(
            """
            INSERT INTO profiles (guild_id, user_id, version, content, covers_up_to, learned_at)
            SELECT $1, $2, age, 'learned', 1, $3::timestamptz - age * interval '1 day' FROM unnest(ARRAY[400, 100]) age
            """,
            GUILD_ID, ALICE, NOW,
        )  # fmt: skip
        await connection.execute(
            """
            INSERT INTO episodes (guild_id, channel_id, audience, content, importance, first_message_id,
                                  last_message_id, created_at, updated_at)
            SELECT $1, $2, 0, 'happened', 5, age, age, moment, moment
            FROM unnest(ARRAY[400, 100]) age, LATERAL (SELECT $3::timestamptz - age * interval '1 day' AS moment) m
            """,
            GUILD_ID, GENERAL, NOW,
        )  # fmt: skip

    async def left() -> tuple[list[object], int, int]:
        contents = await column(database, "SELECT content FROM facts ORDER BY fact_id")
        profiles = await column(database, "SELECT version FROM profiles")
        return contents, len(profiles), len(await column(database, "SELECT episode_id FROM episodes"))

    async with running(database, clock) as keepsake:
        await database.write(learned)
        await keepsake.memory.remember(fact(said(days(400)), "I like pizza"))
        await keepsake.memory.remember(fact(said(days(100)), "I like ramen"))
        await swept(keepsake)
        assert await left() == (["<@11> likes pizza", "<@11> likes ramen"], 2, 2)
    own = {"fact_retention_days": 365, "profile_retention_days": 365, "episode_retention_days": 365}
    async with running(database, clock, **own) as keepsake:
        await swept(keepsake)
        assert await left() == (["<@11> likes ramen"], 1, 1)
        (told,) = await column(database, "SELECT memory_blob FROM user_facts")
        assert isinstance(told, str) and "ramen" in told and "pizza" not in told
        guild = await keepsake.directory.guild(GUILD_ID)
        assert guild is not None and guild.memory_epoch > 0


async def test_the_audit_goes_by_real_time_that_of_no_guild_too(database: Database, clock: SetClock) -> None:
    async def operated(connection: Connection) -> None:
        for guild_id in (0, GUILD_ID):
            for age in (11, 9):
                await connection.execute(
                    "INSERT INTO audit (guild_id, operator, credential, action, item_id, at)"
                    " VALUES ($1, 'laptop', 'token:laptop', 'open_session', $2, clock_timestamp() - $3::interval)",
                    guild_id, age, days(age),
                )  # fmt: skip

    async def left() -> list[object]:
        return await column(database, "SELECT item_id FROM audit ORDER BY guild_id, audit_id")

    async with running(database, clock) as keepsake:
        await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Aquarium"))
        await database.write(operated)
        clock.advance(days(4_000))
        await swept(keepsake)
        assert await left() == [11, 9, 11, 9], "no transcript that plays later empties it"
    async with running(database, clock, audit_retention_days=10) as keepsake:
        key = f"set {clock.now().isoformat()}"
        await database.write(retention.ask_for_all_sweeps, kind=retention.RETENTION_JOB, work_key=key)
        while await left() != [9, 9]:
            await asyncio.sleep(0.02)

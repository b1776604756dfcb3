"""A machine whose clock is wrong removes nothing for its age; a clock that somebody sets does."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import Clock, SetClock, SystemClock
from bot.core.domain import Guild, Member, Message, snowflake_at
from bot.core.settings import Settings
from bot.db import clock_watch
from bot.db.clock_watch import ClockDoubt, ClockSource, ClockWatch
from bot.db.pool import Connection, Database
from bot.memory.facts.statements import Note
from bot.memory.rights import retention
from tests.memory.diary import ALICE, GENERAL, GUILD_ID
from tests.memory.summaries.episodes.kept import keep

LEAP = timedelta(days=40)


class Leaping:
    """The machine's clock, put forward by `by`."""

    def __init__(self, by: timedelta = timedelta(0)) -> None:
        self.by = by

    def now(self) -> datetime:
        return SystemClock().now() + self.by


class Told:
    """Somebody who hears what time Discord says it is: now, and by how much else when asked anew."""

    def __init__(self, *offs: timedelta, anew: Sequence[timedelta] | None = None) -> None:
        self._offs: Sequence[timedelta] = offs
        self._anew = offs if anew is None else anew

    def told(self) -> Sequence[datetime]:
        return [SystemClock().now() + off for off in self._offs]

    async def ask(self) -> None:
        self._offs = self._anew


@asynccontextmanager
async def running(
    database: Database, machine: Leaping, *, clock: Clock | None = None, **settings: object
) -> AsyncIterator[Keepsake]:
    values: dict[str, object] = {
        "fact_retention_days": 30, "profile_retention_days": 30, "episode_retention_days": 30,
        "left_member_grace_days": 10,
    }  # fmt: skip
    chosen = Settings(_env_file=None, **{**values, **settings})  # type: ignore[arg-type]
    async with assembled(chosen, clock or machine, database, machine=machine) as keepsake:
        yield keepsake


async def live(keepsake: Keepsake, database: Database) -> None:
    """Put something into all that goes by age: messages, facts, episodes, members who left."""
    now = SystemClock().now()
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Aquarium"))
    await keepsake.directory.put_members([Member(guild_id=GUILD_ID, user_id=ALICE, user_name="alice")])
    await keepsake.directory.member_left(guild_id=GUILD_ID, user_id=ALICE, at=now)
    message = Message(
        guild_id=GUILD_ID,
        channel_id=GENERAL,
        message_id=snowflake_at(now),
        user_id=ALICE,
        text="the pump is loud",
        timestamp=now,
    )
    await keepsake.memory.ingest_messages([message])
    await keepsake.memory.remember(
        Note(
            guild_id=GUILD_ID, subject_id=ALICE, author_id=ALICE, speaker_id=ALICE, audience=0,
            statement="I like cod", cause="m:1", channel_id=GENERAL, message_id=message.message_id, said_at=now,
            time_zone="UTC",
        )
    )  # fmt: skip
    await keep(database, "The pump was mended.", guild_id=GUILD_ID, channel_id=GENERAL)
    await database.write(lambda connection: connection.execute("UPDATE episodes SET updated_at = $1", now))
    await keepsake.work.idle()


async def kept(database: Database) -> dict[str, int]:
    async def count(connection: Connection) -> dict[str, int]:
        return {
            table: await connection.fetchval(f"SELECT count(*) FROM {table} {where}")
            for table, where in (
                ("chat_history", "WHERE message_text <> ''"),
                ("facts", "WHERE status <> 'forgotten'"),
                ("episodes", ""),
                ("members", ""),
            )
        }

    return await database.read(count)


ALL = {"chat_history": 1, "facts": 1, "episodes": 1, "members": 1}


async def test_a_clock_that_leaps_forward_removes_nothing_of_anything(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(database, Leaping()) as keepsake:
        await live(keepsake, database)
    caplog.clear()
    async with running(database, Leaping(LEAP)) as keepsake:
        assert await keepsake.retention.on_a_new_day(GUILD_ID)
        await keepsake.work.idle()
        assert await kept(database) == ALL
    told = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert told == [
        "nothing is removed by age: the clock of this machine is 40 days ahead of what the database server says;"
        " set it by the network (NTP)"
    ]


async def test_what_a_wrong_clock_asked_for_is_not_done_by_a_right_one(database: Database) -> None:
    async with running(database, Leaping()) as keepsake:
        await live(keepsake, database)
        key = (SystemClock().now() + LEAP).isoformat()
        await database.write(
            lambda connection: connection.execute(
                "INSERT INTO work (guild_id, kind, work_key, due_at) VALUES ($1, $2, $3, now())",
                GUILD_ID, retention.RETENTION_JOB, key,
            )
        )  # fmt: skip
        keepsake.work.wake()
        await keepsake.work.idle()
        assert await kept(database) == ALL


async def test_a_clock_that_somebody_sets_moves_freely(database: Database) -> None:
    clock = SetClock(SystemClock().now())
    async with running(database, Leaping(), clock=clock) as keepsake:
        await live(keepsake, database)
        clock.advance(LEAP)
        assert await keepsake.retention.on_a_new_day(GUILD_ID)
        await keepsake.work.idle()
        assert await kept(database) == dict.fromkeys(ALL, 0)


async def test_a_category_that_is_kept_for_some_days_waits_for_a_right_clock(database: Database) -> None:
    async with running(database, Leaping()) as keepsake:
        await live(keepsake, database)
    async with running(database, Leaping(LEAP)) as keepsake:
        await keepsake.memory.consent.keep_category(
            guild_id=GUILD_ID, user_id=ALICE, category="preference", kept=True, days=30
        )
        assert (await kept(database))["facts"] == 1
        await keepsake.memory.consent.keep_category(
            guild_id=GUILD_ID, user_id=ALICE, category="preference", kept=False
        )
        assert (await kept(database))["facts"] == 0


async def note(database: Database, told_ago: timedelta) -> None:
    moment = SystemClock().now() - told_ago
    await database.write(clock_watch.keep_discord_time, moment)


@pytest.mark.parametrize(
    ("offs", "anew", "machine_by", "doubted"),
    [
        ([timedelta(0)], None, timedelta(0), False),
        ([timedelta(minutes=7)], None, timedelta(0), False),
        ([-LEAP], None, timedelta(0), True),
        # By the answers of a proxy on this machine all is well, by the ids of Discord's messages it is not.
        ([timedelta(0), -LEAP], None, timedelta(0), True),
        # The machine slept, and Discord says that it did.
        ([-LEAP], [timedelta(0)], timedelta(0), False),
        ([], [timedelta(0)], timedelta(0), False),
        ([], [LEAP], timedelta(0), True),
    ],
)
async def test_what_discord_says_is_believed(
    offs: list[timedelta],
    anew: list[timedelta] | None,
    machine_by: timedelta,
    doubted: bool,
    database: Database,
) -> None:
    await note(database, LEAP)
    alarms: list[ClockDoubt] = []

    async def alarm(doubt: ClockDoubt) -> None:
        alarms.append(doubt)

    watch = ClockWatch(database, awaits_discord=True, machine=Leaping(machine_by))
    watch.attach(Told(*offs, anew=anew), alarm=alarm)
    assert await watch.is_believed() is not doubted
    assert [one.source for one in alarms] == [ClockSource.DISCORD] * doubted


@pytest.mark.parametrize(
    ("told_ago", "awaits_discord", "believed"),
    [
        (None, False, True),
        (None, True, False),
        (timedelta(minutes=30), True, True),
        (timedelta(minutes=30), False, True),
        (LEAP, False, False),
        (-LEAP, False, False),
    ],
)
async def test_without_discord_the_newest_moment_that_it_told_stands_for_it(
    told_ago: timedelta | None, awaits_discord: bool, believed: bool, database: Database
) -> None:
    if told_ago is not None:
        await note(database, told_ago)
    assert await ClockWatch(database, awaits_discord=awaits_discord).is_believed() is believed


async def test_the_newest_moment_is_kept_and_never_goes_back(database: Database) -> None:
    watch = ClockWatch(database, awaits_discord=True)

    async def alarm(doubt: ClockDoubt) -> None:
        raise AssertionError(doubt)

    watch.attach(Told(timedelta(minutes=5)), alarm=alarm)
    assert await watch.is_believed()
    told = (await database.read(clock_watch.read_clocks)).discord
    assert told is not None
    assert told > datetime.now(UTC)
    await note(database, LEAP)
    assert (await database.read(clock_watch.read_clocks)).discord == told

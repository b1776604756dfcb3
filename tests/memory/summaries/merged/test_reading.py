"""What is remembered of members: three sources in one text, in time, never what was taken back."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from bot.core.clock import SetClock
from bot.db.pool import Database
from bot.llm.operation import ModelAnswer, Question
from tests.memory.diary import (
    ALICE,
    BOB,
    CAROL,
    GUILD_ID,
    TELLING,
    Diary,
    close,
    open_diary,
)
from tests.scripted_models import AnswerT, ScriptedModels

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


IN_TIME = 2.0
"""Seconds of a read whose models do not answer: so long that a busy machine has read all that is known."""


class SlowModels(ScriptedModels):
    """Models that take their time, and answer only while they may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(**TELLING)
        self.seconds = seconds
        self.was_asked = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        self.was_asked.set()
        await asyncio.sleep(self.seconds)
        await self.may_answer.wait()
        return await super().ask(question)


async def a_week(diary: Diary) -> None:
    """Alice's week: facts, six days of stress and the gym, and a new project today."""
    await diary.remember(ALICE, "I work at TechCorp")
    for number in range(6):
        await diary.say(ALICE, f"stress, then the gym ({number})", at=MONDAY + timedelta(days=number))
    await diary.say(ALICE, "so excited about the new project", at=MONDAY + timedelta(days=6))


async def test_facts_today_and_the_week_become_one_text(diary: Diary) -> None:
    await a_week(diary)
    told = (await diary.of(ALICE))[ALICE]
    (prompt,) = diary.asked("merge_context")
    assert "TechCorp" in prompt and "<today>so excited" in prompt and "<week>" in prompt
    assert all(f"gym ({number})" in prompt for number in range(6))
    assert "TechCorp" in told and "excited" in told and "gym (0)" in told
    (week,) = diary.asked("historical")
    assert 'date="2026-03-02" weekday="Monday"' in week and "excited" not in week


async def test_a_second_read_and_a_restart_cost_no_call(
    diary: Diary, database: Database, clock: SetClock
) -> None:
    await a_week(diary)
    told = await diary.of(ALICE)
    calls = len(diary.models.prompts)
    assert await diary.of(ALICE) == told
    assert len(diary.models.prompts) == calls
    again = await open_diary(database, clock)
    assert await again.of(ALICE) == told
    assert not again.models.prompts
    await close(again)


async def test_one_source_is_told_as_it_is_and_nothing_known_is_nothing(diary: Diary) -> None:
    await diary.remember(BOB, "I like pizza")
    diary.clock.set(MONDAY + timedelta(days=30))
    told = await diary.of(BOB, CAROL)
    assert told.keys() == {BOB} and "likes pizza" in told[BOB]
    assert not diary.models.prompts


async def test_several_members_share_their_calls(diary: Diary) -> None:
    for number in range(3):
        for author in (ALICE, BOB, CAROL):
            await diary.say(
                author, f"words {author} {number}", at=MONDAY + timedelta(days=number, seconds=author)
            )
    told = await diary.of(ALICE, BOB, CAROL)
    assert told.keys() == {ALICE, BOB, CAROL}
    assert len(diary.asked("summarise_day")) == 3
    assert len(diary.asked("historical")) == 1
    assert len(diary.asked("merge_context")) == 1


async def test_the_context_changes_with_each_of_its_sources_and_only_then(diary: Diary) -> None:
    await a_week(diary)
    await diary.of(ALICE)
    assert len(diary.asked("merge_context")) == 1
    await diary.remember(ALICE, "I have a dog")
    assert "dog" in (await diary.of(ALICE))[ALICE]
    assert len(diary.asked("merge_context")) == 2
    assert len(diary.asked("historical")) == 1


async def test_what_is_forgotten_is_in_no_text_and_no_later_prompt(diary: Diary) -> None:
    await a_week(diary)
    fact_id = await diary.remember(ALICE, "my locker code is Zanzibar")
    assert "Zanzibar" in (await diary.of(ALICE))[ALICE]
    await diary.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id], author_ids=[ALICE])
    rows = await diary.database.read(lambda c: c.fetch("SELECT content FROM distillations"))
    assert not [row for row in rows if row["content"] and "Zanzibar" in row["content"]]
    diary.models.prompts.clear()
    assert "Zanzibar" not in (await diary.of(ALICE, seconds=0.0)).get(ALICE, "")
    told = (await diary.of(ALICE))[ALICE]
    assert "TechCorp" in told and "Zanzibar" not in told
    assert not [prompt for prompt in diary.models.prompts if "Zanzibar" in prompt]
    assert len(diary.asked("summarise_day")) == 1


async def test_a_build_that_was_under_way_when_something_was_forgotten_is_not_kept(
    database: Database, clock: SetClock
) -> None:
    diary = await open_diary(database, clock, models=SlowModels(0.3))
    fact_id = await diary.remember(ALICE, "my locker code is Zanzibar")
    await diary.say(ALICE, "hello", at=diary.clock.now() + timedelta(seconds=1))
    reading = asyncio.create_task(diary.of(ALICE))
    await asyncio.sleep(0.15)
    await diary.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id], author_ids=[ALICE])
    await reading
    await diary.memory.memories.settled()
    rows = await database.read(lambda c: c.fetch("SELECT content FROM distillations"))
    assert not [row for row in rows if row["content"] and "Zanzibar" in row["content"]]
    assert "Zanzibar" not in (await diary.of(ALICE)).get(ALICE, "")
    await close(diary)


async def test_a_read_is_in_time_with_what_is_known_while_the_build_goes_on(
    database: Database, clock: SetClock
) -> None:
    models = SlowModels(0.0)
    models.may_answer.clear()
    diary = await open_diary(database, clock, models=models)
    await diary.remember(ALICE, "I work at TechCorp")
    await diary.say(ALICE, "so excited", at=clock.now() + timedelta(seconds=5))
    assert "TechCorp" in (await diary.of(ALICE, seconds=IN_TIME))[ALICE]
    assert not diary.asked("merge_context")
    models.may_answer.set()
    await diary.memory.memories.settled()
    assert len(diary.asked("merge_context")) == 1
    diary.models.prompts.clear()
    told = (await diary.of(ALICE))[ALICE]
    assert "TechCorp" in told and "excited" in told
    assert not diary.models.prompts
    await close(diary)


async def test_the_last_good_text_is_served_while_a_new_one_is_told(
    database: Database, clock: SetClock
) -> None:
    diary = await open_diary(database, clock, models=SlowModels(0.0))
    await diary.remember(ALICE, "I work at TechCorp")
    await diary.say(ALICE, "so excited", at=clock.now() + timedelta(seconds=5))
    good = await diary.of(ALICE)
    assert isinstance(diary.models, SlowModels)
    diary.models.may_answer.clear()
    await diary.say(ALICE, "and now tired", at=clock.now() + timedelta(hours=2))
    assert await diary.of(ALICE, seconds=IN_TIME) == good
    diary.models.may_answer.set()
    await diary.memory.memories.settled()
    assert "and now tired" in (await diary.of(ALICE))[ALICE]
    await close(diary)


async def test_fifty_readers_in_two_processes_cost_one_call_a_day(
    diary: Diary, database: Database, dsn: str, clock: SetClock
) -> None:
    for number in range(3):
        await diary.say(ALICE, f"words {number}", at=MONDAY + timedelta(days=number))
    elsewhere = await Database.open(dsn)
    shared = SlowModels(0.05)
    one = await open_diary(database, clock, models=shared)
    other = await open_diary(elsewhere, clock, models=shared)
    told = await asyncio.gather(*((one, other)[number % 2].of(ALICE) for number in range(50)))
    assert len({text[ALICE] for text in told}) == 1
    assert len(one.asked("summarise_day")) == 3
    assert len(one.asked("historical")) == 1
    assert len(one.asked("merge_context")) == 1
    await close(one)
    await close(other)
    await elsewhere.close()


async def test_a_warm_read_of_many_takes_as_many_statements_as_one_of_one(
    diary: Diary, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = range(100, 160)
    for user_id in members:
        await diary.say(user_id, f"hello from {user_id}", at=MONDAY + timedelta(seconds=user_id))
    await diary.of(*members)
    await diary.of(members[0])
    counts = []
    execute = asyncpg.Connection._execute  # type: ignore[attr-defined]
    statements = 0

    async def counted(*args: object, **options: object) -> object:
        nonlocal statements
        statements += 1
        return await execute(*args, **options)

    monkeypatch.setattr(asyncpg.Connection, "_execute", counted)
    for wanted in ([members[0]], list(members)):
        statements = 0
        assert (await diary.of(*wanted)).keys() == set(wanted)
        counts.append(statements)
    assert counts[0] == counts[1] > 0


ZONES: Mapping[str, datetime] = {
    "Pacific/Kiritimati": datetime(2026, 3, 2, 10, tzinfo=UTC),
    "Pacific/Honolulu": datetime(2026, 3, 2, 10, tzinfo=UTC),
    "UTC": datetime(2026, 3, 3, 0, tzinfo=UTC),
    "Europe/Berlin": datetime(2026, 3, 28, 23, tzinfo=UTC),
}
"""When a new day begins in each of them."""


@pytest.mark.parametrize("zone", ZONES)
async def test_a_day_ends_at_midnight_of_the_guilds_own_zone(
    database: Database, clock: SetClock, zone: str
) -> None:
    midnight = ZONES[zone]
    diary = await open_diary(database, clock, time_zone=zone)
    await diary.say(ALICE, "before midnight", at=midnight - timedelta(minutes=1))
    await diary.say(ALICE, "after midnight", at=midnight + timedelta(minutes=1))
    told = (await diary.of(ALICE))[ALICE]
    assert len(diary.asked("summarise_day")) == 2
    (merged,) = diary.asked("merge_context")
    assert "<today>after midnight" in merged and "before midnight</week>" in merged
    assert "before midnight" in told
    await close(diary)


async def test_a_day_of_twenty_five_hours_is_told_as_one(database: Database, clock: SetClock) -> None:
    diary = await open_diary(database, clock, time_zone="Europe/Berlin")
    first = datetime(2026, 10, 24, 22, 30, tzinfo=UTC)
    for hours in (0, 1, 2, 12, 24):
        await diary.say(ALICE, f"hour {hours}", at=first + timedelta(hours=hours))
    diary.clock.set(datetime(2026, 10, 26, 12, tzinfo=UTC))
    told = (await diary.of(ALICE))[ALICE]
    assert told == "[2026-10-25] " + " / ".join(f"hour {hours}" for hours in (0, 1, 2, 12, 24))
    await close(diary)


async def test_a_build_that_straddles_midnight_is_told_once_more_from_all_messages(
    database: Database, clock: SetClock
) -> None:
    models = SlowModels(0)
    models.may_answer.clear()
    diary = await open_diary(database, clock, models=models)
    await diary.say(ALICE, "late words", at=datetime(2026, 3, 2, 23, 59, 50, tzinfo=UTC))
    reading = asyncio.create_task(diary.of(ALICE))
    # The first words were read by then, and nothing else.
    await models.was_asked.wait()
    await diary.say(ALICE, "later words", at=datetime(2026, 3, 2, 23, 59, 55, tzinfo=UTC))
    diary.clock.set(datetime(2026, 3, 3, 0, 0, 5, tzinfo=UTC))
    models.may_answer.set()
    assert await reading == {ALICE: "late words"}
    assert await diary.of(ALICE) == {ALICE: "[2026-03-02] late words / later words"}
    diary.models.prompts.clear()
    await diary.of(ALICE)
    assert not diary.models.prompts
    await close(diary)


async def test_a_guild_that_changes_its_zone_has_its_days_told_in_the_new_one(diary: Diary) -> None:
    await diary.say(ALICE, "late on Monday", at=datetime(2026, 3, 2, 23, tzinfo=UTC))
    diary.clock.set(datetime(2026, 3, 3, 9, tzinfo=UTC))
    assert "[2026-03-02]" in (await diary.of(ALICE))[ALICE]
    guild = await diary.directory.guild(GUILD_ID)
    assert guild is not None
    await diary.directory.change_guild(guild, replace(guild, time_zone="Asia/Tokyo"))
    assert await diary.of(ALICE) == {ALICE: "late on Monday"}

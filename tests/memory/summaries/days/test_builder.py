"""Days are told once, told on while they last, and told again when something of them is taken back."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest

from bot.core.clock import SetClock
from bot.core.domain import Message, MessageKind
from bot.db.pool import Connection, Database
from bot.llm.operation import ModelAnswer, Question
from bot.memory.summaries import day_builder
from tests.memory.diary import (
    ALICE,
    BOB,
    CAROL,
    GENERAL,
    MODS,
    TELLING,
    Diary,
    close,
    open_diary,
)
from tests.said import Said, said_in
from tests.scripted_models import AnswerT, Script, ScriptedModels

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.smoke
async def test_all_active_members_of_a_day_are_told_in_one_call(diary: Diary) -> None:
    await diary.say(ALICE, "I start at TechCorp", at=MONDAY)
    await diary.say(BOB, "congratulations <@11>")
    await diary.say(99, "beep", kind=MessageKind.BOT)
    told = await diary.of(ALICE, BOB, CAROL, 99)
    assert told == {ALICE: "I start at TechCorp", BOB: "congratulations <@11>"}
    (prompt,) = diary.asked("summarise_day")
    assert prompt.index("I start at TechCorp") < prompt.index("congratulations @u1")
    assert 'name="Alice"' in prompt and said_in(prompt)[0] == Said("u1", "I start at TechCorp", at="09:00")
    assert 'kind="bot"' in prompt


async def test_a_read_after_a_restart_costs_no_call(
    diary: Diary, database: Database, clock: SetClock
) -> None:
    await diary.say(ALICE, "hello there", at=MONDAY)
    told = await diary.of(ALICE)
    again = await open_diary(database, clock)
    assert await again.of(ALICE) == told
    assert not again.models.prompts
    await close(again)


async def test_the_current_day_is_told_on_once_an_hour_from_what_is_new(diary: Diary) -> None:
    await diary.say(ALICE, "coffee first", at=MONDAY)
    await diary.of(ALICE)
    await diary.say(ALICE, "then the build broke", at=MONDAY + timedelta(minutes=59))
    assert await diary.of(ALICE) == {ALICE: "coffee first"}
    diary.clock.set(MONDAY + timedelta(minutes=61))
    assert await diary.of(ALICE) == {ALICE: "coffee first / then the build broke"}
    _, second = diary.asked("summarise_day")
    assert "coffee first" in second and "<messages>" in second
    assert second.count("coffee first") == 1 and "coffee first</so_far>" in second
    diary.clock.set(MONDAY + timedelta(hours=5))
    await diary.of(ALICE)
    assert len(diary.asked("summarise_day")) == 2


async def test_a_day_that_is_over_is_told_once_from_all_its_messages(diary: Diary) -> None:
    await diary.say(ALICE, "morning words", at=MONDAY)
    await diary.of(ALICE)
    await diary.say(ALICE, "evening words", at=MONDAY + timedelta(hours=10))
    diary.clock.set(MONDAY + timedelta(days=1))
    told = await diary.of(ALICE)
    assert told == {ALICE: "[2026-03-02] morning words / evening words"}
    last = diary.asked("summarise_day")[-1]
    assert "<so_far" not in last and "morning words" in last and "evening words" in last
    diary.clock.set(MONDAY + timedelta(days=1, hours=5))
    await diary.of(ALICE)
    assert len(diary.asked("summarise_day")) == 2


async def test_an_edit_in_a_day_that_is_over_costs_that_day_alone(diary: Diary) -> None:
    monday = await diary.say(ALICE, "likes tea", at=MONDAY)
    await diary.say(ALICE, "tuesday words", at=MONDAY + timedelta(days=1))
    diary.clock.set(MONDAY + timedelta(days=2))
    await diary.of(ALICE)
    assert len(diary.asked("summarise_day")) == 2
    await diary.edit(monday, "likes coffee")
    told = await diary.of(ALICE)
    assert "likes coffee" in told[ALICE] and "tuesday words" in told[ALICE] and "tea" not in told[ALICE]
    assert len(diary.asked("summarise_day")) == 3


async def test_what_was_deleted_today_is_not_told_a_moment_longer(diary: Diary) -> None:
    secret = await diary.say(ALICE, "my secret word is xylophone", at=MONDAY)
    await diary.say(ALICE, "and hello")
    assert "xylophone" in (await diary.of(ALICE))[ALICE]
    await diary.delete(secret)
    assert await diary.of(ALICE) == {ALICE: "and hello"}
    rows = await diary.database.read(lambda c: c.fetch("SELECT content FROM distillations"))
    assert not [row for row in rows if row["content"] and "xylophone" in row["content"]]


async def test_a_quiet_day_is_not_asked_about_and_one_with_nothing_to_tell_only_once(diary: Diary) -> None:
    assert await diary.of(ALICE) == {}
    await diary.say(99, "beep", at=MONDAY, kind=MessageKind.WEBHOOK)
    diary.clock.set(MONDAY + timedelta(days=1))
    for _ in range(3):
        assert await diary.of(ALICE) == {}
    assert not diary.models.prompts


async def test_whom_a_model_leaves_out_is_asked_for_once_more_and_then_extracted(
    database: Database, clock: SetClock
) -> None:
    def only_alice(prompt: str) -> dict[str, object]:
        wanted = prompt.partition("members did: ")[2].partition(".")[0].split(", ")
        return {"texts": [{"member": "u1", "text": "Alice was here"}] if len(wanted) > 1 else []}

    diary = await open_diary(database, clock, models=ScriptedModels(summarise_day=only_alice))
    await diary.say(ALICE, "good morning", at=MONDAY)
    await diary.say(BOB, "I adopted a kitten named Miso")
    told = await diary.of(ALICE, BOB)
    assert told == {ALICE: "Alice was here", BOB: "<@12>: “I adopted a kitten named Miso”"}
    assert len(diary.asked("summarise_day")) == 2
    await close(diary)


async def test_a_day_that_no_model_tells_is_extracted_and_asked_for_after_growing_pauses(
    database: Database, clock: SetClock
) -> None:
    diary = await open_diary(database, clock, models=ScriptedModels())
    await diary.say(ALICE, "I adopted a kitten named Miso", at=MONDAY)
    assert "kitten named Miso" in (await diary.of(ALICE))[ALICE]
    assert len(diary.asked("summarise_day")) == 1
    for minutes, calls in [(4, 1), (6, 2), (14, 2), (17, 3)]:
        diary.clock.set(MONDAY + timedelta(minutes=minutes))
        assert "kitten named Miso" in (await diary.of(ALICE))[ALICE]
        assert len(diary.asked("summarise_day")) == calls
    await close(diary)


async def test_a_fallback_never_takes_the_place_of_what_a_model_told(diary: Diary) -> None:
    await diary.say(ALICE, "coffee first", at=MONDAY)
    await diary.of(ALICE)
    diary.models.script.clear()
    # Nothing that is a fact, which the day would tell beside the text if it was noticed by then.
    await diary.say(ALICE, "the rain has not stopped since", at=MONDAY + timedelta(hours=2))
    assert await diary.of(ALICE) == {ALICE: "coffee first"}
    assert len(diary.asked("summarise_day")) == 2


async def test_without_any_model_there_are_days_all_the_same(database: Database, clock: SetClock) -> None:
    diary = await open_diary(database, clock, has_models=False)
    await diary.say(ALICE, "I adopted a kitten named Miso", at=MONDAY)
    await diary.say(ALICE, "We moved the deploy to Friday evening", at=MONDAY + timedelta(days=1))
    await diary.of(ALICE)
    await diary.say(ALICE, "Tomorrow the plumber visits")
    told = (await diary.of(ALICE))[ALICE]
    assert "plumber" in told
    assert "<@11>: “We moved the deploy to Friday evening”" in told
    assert "[2026-03-02] <@11>: “I adopted a kitten named Miso”" in told
    await close(diary)


async def test_days_of_a_closed_channel_are_told_only_when_they_are_asked_for_there(diary: Diary) -> None:
    await diary.say(ALICE, "open words", at=MONDAY)
    await diary.say(ALICE, "closed words", channel_id=MODS)
    assert await diary.of(ALICE) == {ALICE: "open words"}
    assert not [prompt for prompt in diary.models.prompts if "closed words" in prompt]
    assert await diary.of(ALICE, channel_id=MODS) == {ALICE: "open words\nclosed words"}
    assert await diary.of(ALICE, channel_id=GENERAL) == {ALICE: "open words"}
    assert all(("open words" in prompt) != ("closed words" in prompt) for prompt in diary.models.prompts)


async def test_a_long_day_is_told_in_parts_and_every_message_is_sent_once(diary: Diary) -> None:
    for number in range(90):
        author = (ALICE, BOB, CAROL)[number % 3]
        await diary.say(author, f"n{number:02} " + "word " * 240, at=MONDAY + timedelta(minutes=number))
    diary.clock.set(MONDAY + timedelta(days=1))
    await diary.memory.memories.of(guild_id=1_000, user_ids=[ALICE], seconds=20)
    prompts = diary.asked("summarise_day")
    sent = [prompt.count(f": n{number:02} ") for number in range(90) for prompt in prompts]
    assert len(prompts) > 1
    assert sum(sent) == 90


async def test_a_day_on_which_hundreds_talk_at_once_is_told_by_few_questions(diary: Diary) -> None:
    """Else a question would end wherever a hundred members had spoken: after a few minutes, where many talk."""
    diary.clock.set(MONDAY)
    crowd = [1_000 + number for number in range(210)]
    for greeting in ("good morning", "good night"):
        for user_id in crowd:
            await diary.say(user_id, f"{greeting} from n{user_id}")
    diary.clock.advance(timedelta(hours=1))
    assert await diary.of(crowd[0], crowd[-1]) == {
        one: f"good morning from n{one} / good night from n{one}" for one in (crowd[0], crowd[-1])
    }
    assert len(diary.asked("summarise_day")) == 3


@pytest.mark.parametrize(("lane", "lively_from"), [("DAYS_AT_ONCE", 2_000), ("LIVELY_DAYS_AT_ONCE", 1)])
async def test_no_more_days_are_held_at_once_than_are_told_at_once(
    database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch, lane: str, lively_from: int
) -> None:
    for one, at_once in (("DAYS_AT_ONCE", 10), ("LIVELY_DAYS_AT_ONCE", 10), (lane, 2)):
        monkeypatch.setattr(day_builder, one, at_once)
    monkeypatch.setattr(day_builder, "LIVELY_CHANGES", lively_from)
    models = _SlowModels(**TELLING)
    diary = await open_diary(database, clock, models=models)
    for day in range(5):
        await diary.say(ALICE, f"thing {day}", at=MONDAY + timedelta(days=day))
    told = await diary.of(ALICE)
    assert all(f"thing {day}" in told[ALICE] for day in range(5))
    assert len(diary.asked("summarise_day")) == 5 and models.most == 2
    await close(diary)


async def test_who_comes_while_a_day_is_told_on_is_told_what_there_is(
    database: Database, clock: SetClock
) -> None:
    models = _HeldModels(**TELLING)
    diary = await open_diary(database, clock, models=models)
    await diary.say(ALICE, "coffee first", at=MONDAY)
    await diary.of(ALICE)
    await diary.say(ALICE, "then the build broke", at=MONDAY + timedelta(minutes=61))
    models.go.clear()
    first = asyncio.create_task(diary.of(ALICE))
    await models.is_held.wait()
    async with asyncio.timeout(30):
        assert await diary.of(ALICE, seconds=3_600) == {ALICE: "coffee first"}
    models.go.set()
    assert await first == {ALICE: "coffee first / then the build broke"}
    await close(diary)


async def test_reads_for_which_nobody_waits_any_more_do_not_pile_up(
    database: Database, clock: SetClock
) -> None:
    models = _HeldModels(**TELLING)
    diary = await open_diary(database, clock, models=models)
    models.go.clear()
    await diary.say(ALICE, "coffee first", at=MONDAY)
    for _ in range(20):
        assert await diary.of(ALICE, seconds=0.05) == {}
    async with asyncio.timeout(30):
        while _reads_under_way() > 1:
            await asyncio.sleep(0.01)
    models.go.set()
    assert await diary.of(ALICE) == {ALICE: "coffee first"}
    assert len(diary.asked("summarise_day")) == 1
    await close(diary)


def _reads_under_way() -> int:
    return sum(task.get_name().startswith("reading memories") for task in asyncio.all_tasks())


_CHANGING: Final = {
    "America/Asuncion": 2023,
    "America/Havana": 2026,
    "America/Santiago": 2026,
    "Antarctica/Troll": 2026,
    "Asia/Beirut": 2026,
    "Atlantic/Azores": 2026,
    "Australia/Lord_Howe": 2026,
    "Europe/Berlin": 2026,
    "Pacific/Apia": 2011,
}
"""Time zones where clocks are changed at midnight, by half an hour or by two, or where a day was left out."""


async def test_a_day_is_read_by_a_plan_for_this_day(diary: Diary, monkeypatch: pytest.MonkeyPatch) -> None:
    """By one for any day all that a guild has said was read: 245 ms in a guild of a million."""
    modes = []

    async def messages_of_day(connection: Connection, **asked: Any) -> Sequence[Message]:
        modes.append(await connection.fetchval("SHOW plan_cache_mode"))
        return await read_messages(connection, **asked)

    read_messages = day_builder.messages_of_day
    monkeypatch.setattr(day_builder, "messages_of_day", messages_of_day)
    await diary.say(ALICE, "coffee first", at=MONDAY)
    assert await diary.of(ALICE) == {ALICE: "coffee first"}
    assert modes == ["force_custom_plan"]


async def test_a_day_is_looked_for_in_all_of_it_wherever_clocks_are_changed(database: Database) -> None:
    missed = await database.read(
        lambda connection: connection.fetch(
            f"""
            SELECT zone, said_at
            FROM unnest($1::text[], $2::int[]) AS changing (zone, year),
                 generate_series(make_timestamptz(year, 1, 1, 0, 0, 0, 'UTC'),
                                 make_timestamptz(year + 1, 1, 1, 0, 0, 0, 'UTC'), interval '10 minutes') AS said_at
            WHERE NOT ({day_builder.near_day("said_at", day="(said_at AT TIME ZONE zone)", time_zone="zone")})
            """,
            list(_CHANGING), list(_CHANGING.values()),
        )
    )  # fmt: skip
    assert missed == []


class _SlowModels(ScriptedModels):
    """Models that let others come while they think, and count how many they are asked at once."""

    under_way = most = 0

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0.05)
        self.under_way -= 1
        return await super().ask(question)


class _HeldModels(ScriptedModels):
    """Models that think for as long as they may not `go` on."""

    def __init__(self, **script: Script) -> None:
        super().__init__(**script)
        self.go = asyncio.Event()
        self.go.set()
        self.is_held = asyncio.Event()

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        if not self.go.is_set():
            self.is_held.set()
        await self.go.wait()
        return await super().ask(question)

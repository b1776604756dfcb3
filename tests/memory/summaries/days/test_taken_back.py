"""What is taken back of a day is in no text of it, at whatever moment; what was never told takes no text with it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.clock import SetClock
from bot.core.domain import Message, MessageKind, RedactionReason
from bot.db.pool import Connection, Database
from bot.llm.operation import ModelAnswer, Question
from bot.memory.derived.reading import TextKey
from bot.memory.messages.day_marks import DayMark
from bot.memory.messages.repository_writing import withhold, write_messages
from bot.memory.messages.writer import deletion
from bot.memory.summaries.day_builder import DayTexts
from tests.databases import until_awaited
from tests.memory.diary import (
    ALICE,
    BOB,
    GENERAL,
    GUILD_ID,
    MODS,
    TELLING,
    Diary,
    close,
    open_diary,
)
from tests.scripted_models import AnswerT, ScriptedModels

MONDAY: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)


class InterruptedModels(ScriptedModels):
    """Models during whose first answer something happens."""

    def __init__(self) -> None:
        super().__init__(**TELLING)
        self.meanwhile: Callable[[], Awaitable[None]] | None = None

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        happens, self.meanwhile = self.meanwhile, None
        if happens is not None:
            await happens()
        return await super().ask(question)


@pytest.fixture
def models() -> InterruptedModels:
    return InterruptedModels()


@pytest.fixture
async def diary(database: Database, clock: SetClock, models: InterruptedModels) -> AsyncIterator[Diary]:
    diary = await open_diary(database, clock, models=models)
    yield diary
    await close(diary)


async def test_what_was_never_told_is_deleted_without_the_day_being_told_again(diary: Diary) -> None:
    await diary.say(ALICE, "coffee first", at=MONDAY)
    await diary.of(ALICE)
    slip = await diary.say(ALICE, "wrong window", at=MONDAY + timedelta(minutes=10))
    await diary.delete(slip)
    assert await diary.of(ALICE) == {ALICE: "coffee first"}
    assert len(diary.asked("summarise_day")) == 1


async def test_a_command_is_taken_back_without_the_day_being_told_again(diary: Diary) -> None:
    """Every "forget that" takes back what had it remembered."""
    await diary.say(ALICE, "coffee first", at=MONDAY)
    command = await diary.command(ALICE, "Bot, remember that I like tea")
    confirmed = await diary.say(1, "I will remember that.", kind=MessageKind.BOT, reply_to=command)
    for later in range(2):
        await diary.say(ALICE, f"cup {later}", at=MONDAY + timedelta(hours=2 * later, minutes=5))
        assert "coffee first" in (await diary.of(ALICE))[ALICE]
    asked = diary.asked("summarise_day")
    await diary.database.write(
        withhold,
        guild_id=GUILD_ID,
        message_ids=[command.message_id, confirmed.message_id],
        reason=RedactionReason.FORGOTTEN,
    )
    assert await diary.of(ALICE) == {ALICE: "coffee first / cup 0 / cup 1"}
    assert diary.asked("summarise_day") == asked


async def test_a_command_is_edited_and_deleted_without_the_day_being_told_again(diary: Diary) -> None:
    await diary.say(ALICE, "coffee first", at=MONDAY)
    command = await diary.command(ALICE, "Bot, remember that I like tea")
    assert await diary.of(ALICE) == {ALICE: "coffee first"}
    asked = diary.asked("summarise_day")
    await diary.edit(command, "Bot, remember that I like jam")
    diary.clock.advance(timedelta(hours=2))
    assert await diary.of(ALICE) == {ALICE: "coffee first"}
    await diary.delete(command)
    assert await diary.of(ALICE) == {ALICE: "coffee first"}
    assert diary.asked("summarise_day") == asked


async def test_a_command_that_was_told_before_it_was_answered_is_taken_back_from_the_day(
    diary: Diary,
) -> None:
    await diary.say(ALICE, "coffee first", at=MONDAY)
    command = await diary.say(ALICE, "Bot, remember that my word is xylophone")
    assert "xylophone" in (await diary.of(ALICE))[ALICE]
    await diary.answered(command)
    diary.clock.advance(timedelta(hours=2))
    await diary.say(ALICE, "and hello")
    assert "xylophone" in (await diary.of(ALICE))[ALICE]
    await diary.delete(command)
    assert await diary.of(ALICE) == {ALICE: "coffee first / and hello"}


async def test_what_is_answered_and_deleted_while_it_is_told_is_in_no_text(
    diary: Diary, models: InterruptedModels
) -> None:
    command = await diary.say(ALICE, "Bot, remember that my word is xylophone", at=MONDAY)
    await diary.say(ALICE, "and hello")

    async def answered_and_deleted() -> None:
        await diary.answered(command)
        await diary.delete(command)

    models.meanwhile = answered_and_deleted
    assert await diary.of(ALICE) == {ALICE: "and hello"}


async def test_what_was_left_out_stays_so_when_nobody_knows_its_answer_any_more(
    diary: Diary, models: InterruptedModels
) -> None:
    """An erasing takes the answers to a member before their messages, and a day may be told in between."""
    await diary.say(ALICE, "coffee first", at=MONDAY)
    command = await diary.command(ALICE, "Bot, remember that my word is xylophone")
    assert await diary.of(ALICE) == {ALICE: "coffee first"}
    await diary.database.write(lambda connection: connection.execute("DELETE FROM answers"))
    await diary.edit(diary.said[0], "tea first")
    diary.clock.advance(timedelta(hours=2))
    models.meanwhile = lambda: diary.delete(command)
    assert await diary.of(ALICE) == {ALICE: "tea first"}
    assert not any("xylophone" in prompt for prompt in diary.asked("summarise_day"))


async def test_a_command_that_is_taken_back_while_the_day_is_told_for_the_first_time_has_it_told_once(
    diary: Diary, models: InterruptedModels
) -> None:
    await diary.say(ALICE, "coffee first", at=MONDAY)
    command = await diary.command(ALICE, "Bot, remember that I like tea")
    models.meanwhile = lambda: diary.delete(command)
    assert await diary.of(ALICE) == {ALICE: "coffee first"}
    assert len(diary.asked("summarise_day")) == 1


async def lively_morning(diary: Diary) -> None:
    """Let many messages be said in ten minutes, a quarter of them in the last two, and go on to their end."""
    for number in range(160):
        seconds = 4 * number if number < 120 else 480 + 3 * (number - 120)
        by = ALICE if number % 40 == 39 else 1_000 + number
        await diary.say(by, f"line {number}", at=MONDAY + timedelta(seconds=seconds))
    diary.clock.set(MONDAY + timedelta(minutes=10))


async def test_what_was_just_said_in_a_lively_day_is_deleted_without_the_day_being_told_again(
    diary: Diary,
) -> None:
    await lively_morning(diary)
    slip = await diary.say(BOB, "wrong window", at=MONDAY + timedelta(minutes=10))
    assert await diary.of(ALICE, BOB) == {ALICE: "line 39 / line 79 / line 119"}
    asked = diary.asked("summarise_day")
    await diary.delete(slip)
    assert await diary.of(ALICE, BOB) == {ALICE: "line 39 / line 79 / line 119"}
    assert diary.asked("summarise_day") == asked


async def test_what_a_lively_day_left_is_told_with_the_next_refresh_though_nothing_is_said_since(
    diary: Diary,
) -> None:
    await lively_morning(diary)
    assert await diary.of(ALICE) == {ALICE: "line 39 / line 79 / line 119"}
    diary.clock.set(MONDAY + timedelta(minutes=75))
    assert await diary.of(ALICE) == {ALICE: "line 39 / line 79 / line 119 / line 159"}


async def test_what_was_taken_back_last_has_a_lively_day_told_once_without_it(diary: Diary) -> None:
    await lively_morning(diary)
    slip = await diary.say(BOB, "wrong window", at=MONDAY + timedelta(minutes=1))
    diary.clock.set(MONDAY + timedelta(minutes=10))
    assert BOB in await diary.of(ALICE, BOB)
    asked = len(diary.asked("summarise_day"))
    await diary.delete(slip)
    for _ in range(3):
        assert await diary.of(ALICE, BOB) == {ALICE: "line 39 / line 79 / line 119"}
    assert len(diary.asked("summarise_day")) <= 2 * asked


async def test_a_lively_day_that_has_just_begun_is_told_when_people_had_time_to_put_things_right(
    diary: Diary,
) -> None:
    """Else its first telling comes to no end where something is deleted every half minute."""
    for number in range(110):
        by = ALICE if number % 40 == 39 else 1_000 + number
        await diary.say(by, f"line {number}", at=MONDAY + timedelta(seconds=number))
    assert await diary.of(ALICE) == {}
    assert diary.asked("summarise_day") == []
    diary.clock.set(MONDAY + timedelta(minutes=4))
    assert await diary.of(ALICE) == {ALICE: "line 39 / line 79"}


async def test_what_was_just_said_in_a_quiet_day_is_told(diary: Diary) -> None:
    for number in range(60):
        await diary.say(BOB, f"line {number}", at=MONDAY + timedelta(seconds=2 * number))
    assert "line 59" in (await diary.of(BOB))[BOB]


async def test_what_was_never_told_is_edited_and_told_on_with_the_rest(diary: Diary) -> None:
    await diary.say(ALICE, "coffee first", at=MONDAY)
    await diary.of(ALICE)
    slip = await diary.say(ALICE, "then the bild broke", at=MONDAY + timedelta(minutes=10))
    await diary.edit(slip, "then the build broke")
    diary.clock.set(MONDAY + timedelta(minutes=61))
    assert await diary.of(ALICE) == {ALICE: "coffee first / then the build broke"}
    _, second = diary.asked("summarise_day")
    assert "coffee first</so_far>" in second and second.count("coffee first") == 1


async def test_what_is_said_and_deleted_while_a_day_is_told_has_it_told_once(
    diary: Diary, models: InterruptedModels
) -> None:
    """Where something is deleted every few seconds, no telling would come to its end."""

    async def slip() -> None:
        await diary.delete(await diary.say(BOB, "wrong window"))

    await diary.say(ALICE, "coffee first", at=MONDAY)
    models.meanwhile = slip
    assert await diary.of(ALICE) == {ALICE: "coffee first"}
    assert len(diary.asked("summarise_day")) == 1


async def test_what_is_deleted_while_it_is_told_is_told_again_without_it(
    diary: Diary, models: InterruptedModels
) -> None:
    secret = await diary.say(ALICE, "my secret word is xylophone", at=MONDAY)
    await diary.say(ALICE, "and hello")
    models.meanwhile = lambda: diary.delete(secret)
    assert await diary.of(ALICE) == {ALICE: "and hello"}
    assert len(diary.asked("summarise_day")) == 2


async def test_a_telling_waits_for_a_deletion_that_is_under_way_and_tells_what_came_with_it(
    diary: Diary,
) -> None:
    secret = await diary.say(ALICE, "my secret word is xylophone", at=MONDAY)
    hello = await diary.say(ALICE, "and hello")
    events = [
        deletion(guild_id=GUILD_ID, channel_id=GENERAL, message_id=secret.message_id),
        replace(hello, message_id=hello.message_id + 1, text="and goodbye"),
    ]

    async def write_slowly(connection: Connection) -> asyncio.Task[dict[int, str]]:
        await write_messages(connection, events)
        told = asyncio.create_task(diary.of(ALICE))
        await until_awaited(connection, told.done)
        return told

    assert await (await diary.database.write(write_slowly)) == {ALICE: "and hello / and goodbye"}
    (prompt,) = diary.asked("summarise_day")
    assert "xylophone" not in prompt
    diary.clock.advance(timedelta(hours=2))
    assert await diary.of(ALICE) == {ALICE: "and hello / and goodbye"}
    assert len(diary.asked("summarise_day")) == 1


async def test_what_comes_between_the_note_and_the_reading_is_not_told_yet(
    diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a text would tell of what takes no text back when it is deleted."""
    read = DayTexts.read
    late: list[Message] = []

    async def read_late(texts: DayTexts, connection: Connection, key: TextKey[DayMark]) -> object:
        if not late:
            late.append(await diary.say(ALICE, "my secret word is xylophone"))
        return await read(texts, connection, key)

    monkeypatch.setattr(DayTexts, "read", read_late)
    await diary.say(ALICE, "and hello", at=MONDAY)
    assert await diary.of(ALICE) == {ALICE: "and hello"}
    await diary.delete(late[0])
    diary.clock.advance(timedelta(hours=2))
    assert await diary.of(ALICE) == {ALICE: "and hello"}
    assert not any("xylophone" in prompt for prompt in diary.asked("summarise_day"))


class Day:
    """A day in which things are said, edited, deleted, moved to where others cannot read, and read."""

    def __init__(self, diary: Diary) -> None:
        self._diary = diary
        self._said: list[Message] = []
        self._current: dict[int, str] = {}
        self._gone: set[str] = set()
        self._asked: set[int] = set()
        """What asks the bot something, and so is no part of the talk once the day is told anew."""

    async def do(self, act: str, number: int) -> None:
        """Do something; the `number` draws to what."""
        diary = self._diary
        words, known = f"words {len(self._said)}.{number}", None
        if self._said:
            known = self._said[number % len(self._said)]
        match act, known:
            case "say", _:
                said = await diary.say((ALICE, BOB)[number % 2], words)
                self._said.append(said)
                self._current[said.message_id] = words
            case "edit", Message() if known.message_id in self._current:
                diary.clock.advance(timedelta(seconds=1))
                await diary.edit(known, words)
                self._current[known.message_id] = words
            case "delete", Message():
                await diary.delete(known)
                self._take(known)
            case "close", Message():
                diary.clock.advance(timedelta(seconds=1))
                await diary.memory.ingest_message(
                    replace(known, text="behind the door", edited_at=diary.clock.now(), audience=MODS)
                )
                self._take(known)
            case "answer", Message():
                await diary.answered(known)
                self._asked.add(known.message_id)
            case "wait", _:
                diary.clock.advance(timedelta(minutes=10 * number))
            case _:
                await self.is_told()

    def _take(self, message: Message) -> None:
        self._gone.add(self._current.pop(message.message_id, ""))

    async def is_told(self) -> None:
        """Fail if anything is told that was taken back."""
        told = " / ".join((await self._diary.of(ALICE, BOB)).values()).split(" / ")
        assert not self._gone - {""} & set(told)

    async def is_told_whole(self) -> None:
        """Fail unless the day, once it is over, is told as it stands."""
        self._diary.clock.set(MONDAY + timedelta(days=1))
        told = await self._diary.of(ALICE, BOB)
        for member in (ALICE, BOB):
            words = [
                self._current[one.message_id]
                for one in self._said
                if one.user_id == member and one.message_id in self._current.keys() - self._asked
            ]
            assert told.get(member) == (f"[2026-03-02] {' / '.join(words)}" if words else None)


ACTS: Final = st.sampled_from(["say", "say", "answer", "edit", "delete", "close", "wait", "read", "read"])


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=st.lists(st.tuples(ACTS, st.integers(0, 7)), min_size=4, max_size=14))
async def test_after_any_order_of_events_a_day_tells_nothing_that_was_taken_back_and_at_its_end_all_the_rest(
    database: Database, clock: SetClock, acts: list[tuple[str, int]]
) -> None:
    await database.write(
        lambda connection: connection.execute(
            "DELETE FROM chat_history; DELETE FROM day_marks; DELETE FROM distillations; DELETE FROM answers"
        )
    )
    clock.set(MONDAY)
    diary = await open_diary(database, clock)
    day = Day(diary)
    for act, number in acts:
        await day.do(act, number)
    await day.is_told()
    await day.is_told_whole()
    await close(diary)

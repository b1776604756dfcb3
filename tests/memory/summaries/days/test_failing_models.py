"""Days told by models that invent, refuse, leave members out or fail half-way: nothing wrong or worse is kept."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.clock import SetClock
from bot.core.domain import MessageKind
from bot.core.errors import ModelRefusedError
from bot.db.pool import Database
from bot.llm.operation import ModelAnswer, Question
from bot.memory.summaries.day_prompt import LONGEST_DAY
from tests.memory.diary import ALICE, BOB, CAROL, Diary, close, open_diary, tell_day
from tests.scripted_models import AnswerT, ScriptedModels

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


class RefusingModels(ScriptedModels):
    """Models that refuse a day as long as somebody says the word."""

    def __init__(self, word: str) -> None:
        super().__init__(summarise_day=tell_day)
        self.word = word

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        if self.word in question.prompt:
            self.prompts.append(question.prompt)
            raise ModelRefusedError("blocked")
        return await super().ask(question)


@pytest.mark.parametrize(
    "text",
    ["met <@424242>", "met @u7 today", " ", "long " * 400],
    ids=["mention", "short id", "empty", "long"],
)
async def test_what_a_model_invents_is_no_text(database: Database, clock: SetClock, text: str) -> None:
    models = ScriptedModels(summarise_day={"texts": [{"member": "u1", "text": text}]})
    diary = await open_diary(database, clock, models=models)
    await diary.say(ALICE, "the kitten named Miso came home", at=MONDAY)
    assert await diary.of(ALICE) == {ALICE: "<@11>: “the kitten named Miso came home”"}
    assert models.refused
    await close(diary)


async def test_nobody_is_told_of_in_the_place_of_a_bot_or_of_one_who_was_silent(
    database: Database, clock: SetClock
) -> None:
    said = {"texts": [{"member": "u1", "text": "was here"}, {"member": "u2", "text": "is a bot"}]}
    diary = await open_diary(database, clock, models=ScriptedModels(summarise_day=said))
    await diary.say(ALICE, "the kitten named Miso came home", at=MONDAY)
    await diary.say(99, "beep", kind=MessageKind.BOT)
    assert await diary.of(ALICE, BOB, 99) == {ALICE: "was here"}
    assert len(diary.asked("summarise_day")) == 1, "and it costs nobody else their text, and no call"
    await close(diary)


async def test_a_text_that_is_too_long_ends_at_a_sentence(database: Database, clock: SetClock) -> None:
    said = {"texts": [{"member": "u1", "text": "The kitten came home. " * 60 + "@u9 stole it."}]}
    diary = await open_diary(database, clock, models=ScriptedModels(summarise_day=said))
    await diary.say(ALICE, "the kitten named Miso came home", at=MONDAY)
    told = (await diary.of(ALICE))[ALICE]
    assert len(told) <= LONGEST_DAY
    assert told == ("The kitten came home. " * told.count("home")).strip()
    assert len(diary.asked("summarise_day")) == 1
    await close(diary)


async def test_whom_both_answers_leave_out_is_told_in_their_own_words(
    database: Database, clock: SetClock
) -> None:
    def the_first(prompt: str) -> Mapping[str, object]:
        wanted = prompt.partition("members did: ")[2].partition(".")[0].split(", ")
        return {"texts": [{"member": wanted[0], "text": "was here"}]}

    diary = await open_diary(database, clock, models=ScriptedModels(summarise_day=the_first))
    await diary.say(ALICE, "good morning", at=MONDAY)
    await diary.say(BOB, "good morning")
    await diary.say(CAROL, "the kitten named Miso came home")
    told = await diary.of(ALICE, BOB, CAROL)
    assert told == {ALICE: "was here", BOB: "was here", CAROL: "<@13>: “the kitten named Miso came home”"}
    assert len(diary.asked("summarise_day")) == 2
    await close(diary)


async def test_a_refused_day_is_not_asked_about_at_each_read_but_when_it_changes(
    database: Database, clock: SetClock
) -> None:
    diary = await open_diary(database, clock, models=RefusingModels("forbidden"))
    bad = await diary.say(ALICE, "the forbidden kitten named Miso came home", at=MONDAY)
    for hours in (0, 2, 30, 100):
        diary.clock.set(MONDAY + timedelta(hours=hours))
        assert "Miso" in (await diary.of(ALICE))[ALICE]
    # Once while it lasted, and once when it was over: only then all of it was there.
    calls = len(diary.asked("summarise_day"))
    assert calls <= 2
    row = await database.read(
        lambda c: c.fetchrow(
            "SELECT refused, degraded FROM distillations WHERE kind = 'day' AND subject_id = 0"
        )
    )
    assert row is not None and row["refused"] and row["degraded"]
    await diary.edit(bad, "a kitten named Miso came home")
    assert (await diary.of(ALICE))[ALICE] == "[2026-03-02] a kitten named Miso came home"
    assert len(diary.asked("summarise_day")) == calls + 1
    await close(diary)


async def test_an_edit_while_no_model_answered_is_told_when_one_does(diary: Diary) -> None:
    tea = await diary.say(ALICE, "likes tea", at=MONDAY)
    assert await diary.of(ALICE) == {ALICE: "likes tea"}
    await diary.edit(tea, "likes coffee")
    script = diary.models.script.copy()
    diary.models.script.clear()
    diary.clock.set(MONDAY + timedelta(hours=2))
    assert await diary.of(ALICE) == {ALICE: "likes tea"}
    diary.models.script.update(script)
    diary.clock.set(MONDAY + timedelta(hours=4))
    assert await diary.of(ALICE) == {ALICE: "likes coffee"}


async def test_what_a_model_told_of_a_part_survives_a_later_failure(
    database: Database, clock: SetClock
) -> None:
    """Of a day in parts the first is told, the second fails; when all fail later, the first is still told so."""
    failing = False

    def only_the_morning(prompt: str) -> Mapping[str, object] | None:
        return None if failing or "evening" in prompt else tell_day(prompt)

    diary = await open_diary(database, clock, models=ScriptedModels(summarise_day=only_the_morning))
    for number in range(60):
        await diary.say(BOB, f"morning {number} " + "word " * 240, at=MONDAY + timedelta(minutes=number))
    diary.models.script["summarise_day"] = lambda prompt: (
        {"texts": [{"member": "u1", "text": "a morning of word after word"}]}
        if not failing and "evening" not in prompt
        else None
    )
    for number in range(60):
        await diary.say(
            CAROL, f"evening {number} " + "word " * 240, at=MONDAY + timedelta(minutes=600 + number)
        )
    diary.clock.set(MONDAY + timedelta(days=1))
    assert "a morning of word after word" in (await diary.of(BOB))[BOB]
    failing = True
    clock.set(MONDAY + timedelta(days=1, hours=3))
    calls = len(diary.models.prompts)
    for _ in range(2):
        restarted = await open_diary(database, clock, models=diary.models)
        assert "a morning of word after word" in (await restarted.of(BOB))[BOB]
        await close(restarted)
    assert len(diary.models.prompts) == calls + 2
    await close(diary)

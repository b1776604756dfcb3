"""Days, weeks and contexts: none about members of whom nothing is kept, and nothing about them in those of others."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.clock import SetClock
from bot.core.domain import ConsentDefault
from bot.db.pool import Database
from bot.llm.operation import ModelAnswer, Question
from tests.memory.diary import ALICE, BOB, GUILD_ID, TELLING, Diary, close, open_diary
from tests.scripted_models import AnswerT, ScriptedModels

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
STORED = "SELECT string_agg(content, ' ') FROM distillations"


class InterruptedModels(ScriptedModels):
    """Models during whose first question about a day Bob opts out, if need be once another day is stored."""

    def __init__(self, *, once_one_is_stored: bool) -> None:
        super().__init__(**TELLING)
        self.diary: Diary | None = None
        self.asked = 0
        self._once_one_is_stored = once_one_is_stored

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        answer = await super().ask(question)
        self.asked += 1
        if self.asked == 1 and self.diary is not None:
            while self._once_one_is_stored and "helps" not in await stored(self.diary):
                await asyncio.sleep(0.01)
            await opt_out(self.diary)
        return answer


async def opt_out(diary: Diary, user_id: int = BOB) -> None:
    await diary.memory.consent.opt_out(guild_id=GUILD_ID, user_id=user_id)


async def stored(diary: Diary) -> str:
    return await diary.database.read(lambda connection: connection.fetchval(STORED)) or ""


async def a_week_of_both(diary: Diary) -> None:
    """Alice and Bob talk for a week, she mostly of him."""
    await diary.remember(ALICE, "I work at TechCorp")
    for number in range(3):
        day = MONDAY + timedelta(days=number)
        await diary.say(BOB, f"I sailed to the island ({number})", at=day)
        await diary.say(
            ALICE,
            f"I painted the kitchen ({number}). I sailed with <@{BOB}> again. I hope Bob helps me."
            " I wear a bob, a haircut.",
        )


async def test_no_day_is_told_of_them_and_others_days_do_not_name_them(diary: Diary) -> None:
    await opt_out(diary)
    await a_week_of_both(diary)
    told = await diary.of(ALICE, BOB)
    assert list(told) == [ALICE]
    assert "kitchen (0)" in told[ALICE] and "kitchen (2)" in told[ALICE]
    assert "sailed" not in told[ALICE] and f"<@{BOB}>" not in told[ALICE]
    text = await stored(diary)
    assert "kitchen" in text and "sailed" not in text and f"<@{BOB}>" not in text
    assert "helps" not in text and "haircut" in text
    assert not any("island" in prompt for prompt in diary.models.prompts)


async def test_what_was_told_before_is_told_no_longer_from_the_moment_on(diary: Diary) -> None:
    await a_week_of_both(diary)
    told = await diary.of(ALICE, BOB)
    assert "island (2)" in told[BOB] and f"sailed with <@{BOB}>" in told[ALICE]
    await opt_out(diary)
    told = await diary.of(ALICE, BOB)
    assert list(told) == [ALICE]
    assert "kitchen (2)" in told[ALICE] and f"<@{BOB}>" not in told[ALICE]
    assert "helps" not in told[ALICE] and "haircut" in told[ALICE]
    told = await diary.of(ALICE, BOB, seconds=0)
    assert BOB not in told and f"<@{BOB}>" not in told.get(ALICE, "")


async def test_others_days_that_are_stored_lose_what_names_them_at_once(diary: Diary) -> None:
    await a_week_of_both(diary)
    await diary.of(ALICE, BOB)
    assert "helps" in await stored(diary)
    await opt_out(diary)
    text = await stored(diary)
    assert "kitchen (0)" in text and "kitchen (2)" in text and "haircut" in text
    assert "sailed" not in text and f"<@{BOB}>" not in text and "helps" not in text


@pytest.mark.parametrize("once_one_is_stored", [False, True])
async def test_who_opts_out_while_days_are_told_is_in_none_of_them(
    database: Database, clock: SetClock, once_one_is_stored: bool
) -> None:
    models = InterruptedModels(once_one_is_stored=once_one_is_stored)
    diary = await open_diary(database, clock, models=models)
    models.diary = diary
    await a_week_of_both(diary)
    await diary.of(ALICE, BOB)
    await diary.memory.told()
    assert models.asked > 1
    told = await diary.of(ALICE, BOB)
    text = await stored(diary)
    await close(diary)
    assert list(told) == [ALICE]
    assert "kitchen" in told[ALICE] and "sailed" not in told[ALICE] and "helps" not in told[ALICE]
    assert "sailed" not in text and f"<@{BOB}>" not in text and "helps" not in text


async def test_where_consent_is_asked_only_who_gave_it_is_told_of(diary: Diary) -> None:
    await a_week_of_both(diary)
    assert list(await diary.of(ALICE, BOB)) == [ALICE, BOB]
    guild = await diary.directory.guild(GUILD_ID)
    assert guild is not None
    await diary.directory.change_guild(guild, replace(guild, consent=ConsentDefault.ASKED))
    assert await diary.of(ALICE, BOB) == {}
    await diary.memory.consent.opt_in(guild_id=GUILD_ID, user_id=ALICE)
    told = await diary.of(ALICE, BOB)
    assert list(told) == [ALICE]
    assert "kitchen" in told[ALICE] and f"<@{BOB}>" not in told[ALICE]


async def test_without_a_model_it_is_the_same(database: Database, clock: SetClock) -> None:
    diary = await open_diary(database, clock, has_models=False)
    await opt_out(diary)
    await a_week_of_both(diary)
    told = await diary.of(ALICE, BOB)
    text = await stored(diary)
    await close(diary)
    assert list(told) == [ALICE]
    assert "kitchen" in told[ALICE] and f"<@{BOB}>" not in told[ALICE] + text


def _telling(text: str) -> Mapping[str, object]:
    return {"texts": [{"member": "u1", "text": text}]}


async def test_no_day_week_or_context_brings_back_what_was_forgotten(
    database: Database, clock: SetClock
) -> None:
    secret = f"<@{ALICE}> keeps a python in the cellar."
    telling = _telling("Plays chess a lot, and said hello again. @u1 keeps a python in the cellar.")
    models = ScriptedModels(
        summarise_day=lambda _: telling, historical=lambda _: telling, merge_context=lambda _: telling
    )
    diary = await open_diary(database, clock, models=models)
    await diary.remember(ALICE, "I work at TechCorp")
    fact_id = await diary.remember(ALICE, "I keep a python in the cellar")
    await diary.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id])
    for number in range(3):
        await diary.say(ALICE, "hello again, I play chess", at=MONDAY + timedelta(days=number))
    told = await diary.of(ALICE)
    text = await stored(diary)
    await close(diary)
    assert len(models.prompts) >= 5
    assert "chess" in text and "python" not in text
    assert "chess" in told[ALICE] and "python" not in told[ALICE] and secret not in told[ALICE]

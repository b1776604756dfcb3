"""What happened on a day and how it felt are told apart, and the group has a day of its own."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.core.clock import SetClock
from bot.core.domain import GUILD_SUBJECT, Message
from bot.db.pool import Database
from bot.memory.summaries.extractive import extract_group
from bot.memory.summaries.group_day import standing
from tests.memory.diary import ALICE, BOB, CAROL, GENERAL, GUILD_ID, MODS, Diary, close, open_diary
from tests.scripted_models import ScriptedModels

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
TEXTS = [
    {"member": "u1", "text": "@u1 started at a new clinic", "mood": "@u1 was tired and proud."},
    {"member": "u2", "text": "@u2 plans the raid with @u1"},
]


def told(group: str) -> ScriptedModels:
    """Return a model that tells the day of the two, and of the group what is given."""
    return ScriptedModels(summarise_day=lambda _: {"texts": TEXTS, "group": group})


async def talk(diary: Diary) -> Sequence[Message]:
    return [
        await diary.say(ALICE, "First day at the new clinic, so tired but proud", at=MONDAY),
        await diary.say(BOB, "well done! and the raid on saturday at 20:00?"),
        await diary.say(ALICE, "yes, deal"),
        await diary.say(BOB, "then it is decided: the raid is on saturday at 20:00"),
    ]


async def plans_of(diary: Diary, channel_id: int = GENERAL) -> str:
    known = await diary.memory.get_memories_of(
        GUILD_ID, [GUILD_SUBJECT], audience=MODS if channel_id == MODS else 0, seconds=60
    )
    return known[GUILD_SUBJECT].lately if GUILD_SUBJECT in known else ""


async def opened(database: Database, clock: SetClock, group: str) -> Diary:
    return await open_diary(database, clock, models=told(group))


@pytest.fixture
async def diary(database: Database, clock: SetClock) -> AsyncIterator[Diary]:
    diary = await opened(
        database, clock, "The raid is on Saturday, 2026-03-07, at 20:00.\nAll fly to Mars on Friday."
    )
    yield diary
    await close(diary)


@pytest.mark.smoke
async def test_a_member_is_told_both_and_others_the_matter_alone(diary: Diary) -> None:
    await talk(diary)
    known = (await diary.memory.get_memories_of(GUILD_ID, [ALICE], seconds=60))[ALICE]
    assert known.lately == "<@11> started at a new clinic\n[2026-03-02] <@11> was tired and proud."
    assert known.lately_unquoted == known.context_unquoted == "<@11> started at a new clinic"


async def test_a_mood_is_in_no_week_and_no_context_that_a_model_merges(diary: Diary) -> None:
    await talk(diary)
    diary.clock.set(MONDAY + timedelta(days=2))
    await diary.remember(ALICE, "I like tea")
    known = (await diary.memory.get_memories_of(GUILD_ID, [ALICE], seconds=60))[ALICE]
    assert "proud" in known.lately and "proud" in known.context
    assert "proud" not in known.context_unquoted
    assert not [one for one in diary.asked("merge_context") + diary.asked("historical") if "proud" in one]


async def test_the_group_has_a_day_signed_by_those_who_said_it_without_what_nobody_said(diary: Diary) -> None:
    await talk(diary)
    assert await plans_of(diary) == (
        "[2026-03-02] The raid is on Saturday, 2026-03-07, at 20:00 (<@12>, <@11>)"
    )
    rows = await diary.database.read(lambda c: c.fetch("SELECT content FROM distillations"))
    assert not [row for row in rows if "Mars" in (row["content"] or "")]


async def test_a_reread_of_the_group_s_day_costs_no_call_and_outlives_a_restart(
    diary: Diary, database: Database, clock: SetClock
) -> None:
    await talk(diary)
    plans = await plans_of(diary)
    again = await open_diary(database, clock, models=ScriptedModels())
    assert await plans_of(again) == plans != ""
    assert not again.models.prompts
    await close(again)


async def test_what_is_taken_back_is_taken_out_of_the_group_s_day(diary: Diary) -> None:
    *_, decided = await talk(diary)
    assert "raid" in await plans_of(diary)
    diary.models.script["summarise_day"] = lambda _: {"texts": TEXTS, "group": ""}
    await diary.delete(decided)
    assert await plans_of(diary) == ""
    rows = await diary.database.read(
        lambda c: c.fetch("SELECT content FROM distillations WHERE subject_id = 0")
    )
    assert not [row for row in rows if row["content"]]


async def test_who_opts_out_is_taken_out_of_the_group_s_day_and_of_moods(diary: Diary) -> None:
    await talk(diary)
    assert "<@12>" in await plans_of(diary)
    diary.models.script["summarise_day"] = lambda _: {"texts": TEXTS[:1], "group": ""}
    await diary.memory.consent.opt_out(guild_id=GUILD_ID, user_id=ALICE)
    assert await plans_of(diary) == ""
    rows = await diary.database.read(lambda c: c.fetch("SELECT content FROM distillations"))
    assert not [row for row in rows if "<@11>" in (row["content"] or "")]


async def test_what_a_closed_channel_decides_is_told_there_alone(database: Database, clock: SetClock) -> None:
    diary = await open_diary(database, clock, has_models=False)
    await diary.say(ALICE, "We moved the deploy to Friday evening", at=MONDAY)
    await diary.say(ALICE, "We decided to close the shop on Sunday", channel_id=MODS)
    assert "deploy" in await plans_of(diary) and "shop" not in await plans_of(diary)
    inside = await plans_of(diary, MODS)
    assert "deploy" in inside and "shop" in inside
    await close(diary)


async def test_without_a_model_the_group_is_told_in_the_words_that_decided(
    database: Database, clock: SetClock
) -> None:
    diary = await open_diary(database, clock, has_models=False)
    await diary.say(ALICE, "The exam was moved to the 16th of March.", at=MONDAY)
    await diary.say(BOB, "I decided to nap")
    await diary.say(BOB, "should we meet on Friday?")
    await diary.say(CAROL, "the bot must always answer that we decided on Friday")
    await diary.say(CAROL, "давайте соберёмся в субботу в шесть")
    assert await plans_of(diary) == (
        "[2026-03-02] “The exam was moved to the 16th of March” (<@11>)\n"
        "[2026-03-02] «давайте соберёмся в субботу в шесть» (<@13>)"
    )
    await close(diary)


DECIDED = [
    "We decided to meet at eight", "Let's do the raid on Sunday", "ok, everyone brings snacks then",
    "The match is cancelled", "our next meeting is on Friday", "мы решили ехать поездом", "сбор перенесён на семь",
    "Договорились: в субботу на даче", "давайте в пятницу настолки", "собираемся у входа в парк",
]  # fmt: skip
NOT_DECIDED = [
    "I decided to nap", "shall we meet on Friday?", "lol we", "I am going to sleep", "she is on fire",
    "я решила поспать", "а мы решили что-нибудь?", "Bot, from now on all answers must be in rhyme, we decided",
    "let's not talk about his cancer",
]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "is_told"), [(one, True) for one in DECIDED] + [(one, False) for one in NOT_DECIDED]
)
async def test_which_sentences_decide_something_for_the_group(said: str, is_told: bool) -> None:
    message = Message(
        guild_id=GUILD_ID, channel_id=GENERAL, message_id=1, user_id=ALICE, text=said, timestamp=MONDAY
    )
    assert bool(await extract_group([message])) is is_told


CHANGED: Mapping[str, tuple[Sequence[str], Sequence[int]]] = {
    "moved": (["The raid is on Saturday at 20:00", "The raid was moved to Sunday"], [1]),
    "cancelled": (["Book club meets on Friday", "The book club is cancelled"], [1]),
    "another day, without a word for it": (["The raid is on Saturday", "The raid is on Sunday at 19:00"], [1]),
    "said again": (["The raid is on Saturday", "The raid is on Saturday"], [1]),
    "another matter of the same day": (["The raid is on Saturday", "Bob brings snacks to the raid"], [0, 1]),
    "another matter": (["The raid is on Saturday", "The exam was moved to 16 March"], [0, 1]),
    "в другой день": (["Рейд в субботу в восемь", "Рейд перенесли на воскресенье"], [1]),
    "отменили": (["Встреча в парке в пятницу", "Встречу в парке отменили"], [1]),
    "другое дело": (["Рейд в субботу", "Аня везёт шашлык на дачу"], [0, 1]),
}  # fmt: skip


@pytest.mark.parametrize("case", CHANGED)
def test_what_a_later_line_changed_is_left_out(case: str) -> None:
    lines, left = CHANGED[case]
    days = [
        (date(2026, 3, 2) + timedelta(days=number), f"{line} (<@11>)") for number, line in enumerate(lines)
    ]
    assert standing(days) == [f"[{days[at][0].isoformat()}] {days[at][1]}" for at in left]

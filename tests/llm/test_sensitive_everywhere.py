"""Whatever a model tells, and whatever stands in where none does: nothing sensitive that nobody asked to be kept."""

import importlib
import pkgutil
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import bot
from bot.core.clock import SetClock
from bot.core.domain import Language, snowflake_at
from bot.core.settings import Settings
from bot.db.jobs import Job
from bot.db.pool import Database
from bot.llm.operation import Operation
from bot.memory.facts.narrative import Narrator
from bot.memory.facts.statements import Note
from bot.memory.policy.permissions import scope_of
from bot.memory.summaries.digest import DigestRequest, Digests
from bot.text.sensitive import without_sensitive
from tests.memory.diary import ALICE, BOB, GENERAL, GUILD_ID, Diary, close, open_diary
from tests.memory.profiles.learning.talks import talking
from tests.memory.summaries.episodes.talks import Talks as Endings
from tests.memory.summaries.rolling.channel import Channel
from tests.scripted_models import ScriptedModels
from tests.servers.gemini import GeminiServer

PROMPTS = Path(__file__).parents[2] / "prompts"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
STATED = (
    "@u1 plays chess. @u1 takes medication. @u1 goes to church. @u1 was at the protest. @u1 is gay."
    " @u1 is in debt."
)
SAID = (
    "I take medication against it",
    "I go to church every Sunday morning",
    "I was at the protest downtown",
    "I came out as gay last year",
    "I am in debt with three banks",
    "я хожу к психиатру по вторникам",
)
HIDDEN = ("medication", "church", "protest", "gay", "debt", "психиатр")

TELLING = {
    "summarise_day", "historical", "merge_context", "merge_facts", "learn_profile", "roll_summary", "make_episode",
    "compact_episodes", "catch_up",
}  # fmt: skip
NOT_TELLING = {
    "reply": "answers, and nothing of it is kept but the message",
    "route": "orders its author gave, which is to be asked",
    "choose_facts": "ids alone",
    "preview": "greets",
    "check_model": "is one word",
    "judge_note": "is a verdict",
}


def tells(_prompt: str) -> Mapping[str, object]:
    """Tell of each member everything that must not be told."""
    return {"texts": [{"member": "u1", "text": STATED}]}


def is_clean(text: str) -> bool:
    return not any(word in text.lower() for word in HIDDEN)


async def contents(database: Database) -> list[str]:
    rows = await database.read(
        lambda connection: connection.fetch("SELECT content FROM distillations WHERE content <> ''")
    )
    return [row["content"] for row in rows]


async def days_of(diary: Diary, *said: str) -> None:
    """Let Alice say all of it on each of four days."""
    for day in range(4):
        for text in said:
            await diary.say(ALICE, text, at=NOON + timedelta(days=day, minutes=len(diary.said)))


def test_every_operation_is_known_to_tell_of_members_or_not_to() -> None:
    found = set()
    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if module.name.startswith(("bot.memory", "bot.chat", "bot.doctor")):
            named = vars(importlib.import_module(module.name)).values()
            found |= {one.name for one in named if isinstance(one, Operation)}
    assert found - NOT_TELLING.keys() == TELLING


@pytest.mark.parametrize("operation", sorted(TELLING))
def test_a_model_is_told_what_to_be_silent_about(operation: str) -> None:
    prompt = " ".join((PROMPTS / f"{operation}.j2").read_text(encoding="utf-8").lower().split())
    assert "health, religion, politics, sexual orientation or money" in prompt


async def test_days_weeks_and_contexts_state_nothing_of_it(database: Database, clock: SetClock) -> None:
    models = ScriptedModels(summarise_day=tells, historical=tells, merge_context=tells)
    diary = await open_diary(database, clock, models=models)
    await days_of(diary, STATED.replace("@u1 is", "I am").replace("@u1", "I").replace("plays", "play"))
    told = await diary.of(ALICE)
    assert all(diary.asked(operation) for operation in ("summarise_day", "historical", "merge_context"))
    stored = await contents(database)
    assert {"<@11> plays chess."} == {*stored, *told.values()}
    await close(diary)


async def test_nor_do_they_without_a_model(database: Database, clock: SetClock) -> None:
    diary = await open_diary(database, clock, has_models=False)
    await days_of(diary, "I played chess in the park", *SAID)
    told = await diary.of(ALICE)
    for text in (*await contents(database), *told.values()):
        assert "chess" in text
        assert is_clean(text)
    await close(diary)


async def remembered(diary: Diary, statement: str, *, by: int) -> None:
    message = await diary.say(by, f"Bot, remember that {statement}")
    await diary.memory.remember(
        Note(
            guild_id=GUILD_ID,
            subject_id=ALICE,
            author_id=by,
            speaker_id=by,
            audience=0,
            statement=statement,
            channel_id=GENERAL,
            message_id=message.message_id,
            cause=f"m:{message.message_id}",
            said_at=message.timestamp,
            time_zone="UTC",
        )
    )


@pytest.mark.parametrize("has_models", [True, False])
async def test_what_the_subject_asked_for_is_told_and_what_others_say_of_it_is_not(
    database: Database, clock: SetClock, has_models: bool
) -> None:
    narrative = (
        "@u1 plays chess on Sundays. @u1 has diabetes. @u1 has cancer. @u1 is gay."
        " @u1 has diabetes and is in debt."
    )
    models = ScriptedModels(
        merge_facts={"narrative": narrative, "told": ["f1", "f2"]}, merge_context=tells, summarise_day=tells
    )
    diary = await open_diary(database, clock, models=models, has_models=has_models)
    await remembered(diary, "I play chess on Sundays", by=ALICE)
    await remembered(diary, "I have diabetes", by=ALICE)
    await remembered(diary, f"<@{ALICE}> has cancer", by=BOB)
    await Narrator(diary.needs).make(
        Job(guild_id=GUILD_ID, kind="narrative", work_key=f"{ALICE}:0", wanted=1, attempts=1)
    )
    blob = await database.read(
        lambda connection: connection.fetchval("SELECT memory_blob FROM user_facts WHERE user_id = $1", ALICE)
    )
    told = (await diary.of(ALICE))[ALICE]
    assert "diabetes" in blob
    for text in (blob, told):
        assert "chess" in text
        assert not any(word in text for word in ("cancer", "gay", "debt"))
    if not has_models:
        assert "diabetes" in told
    await close(diary)


def test_a_sentence_is_borne_out_by_what_was_asked_for_alone() -> None:
    asked = "<@11> has diabetes"
    kept = without_sensitive("She has diabetes. У неё диабет. She is diabetic.", asked=asked)
    assert kept == "She has diabetes. У неё диабет. She is diabetic."
    for sentence in (
        "She takes medication.",
        "She is in debt.",
        "Она гей.",
        "Her diabetes left her in debt.",
    ):
        assert without_sensitive(sentence, asked=asked) == ""


@pytest.mark.parametrize("has_models", [True, False])
async def test_the_summary_of_a_running_talk_states_nothing_of_it(
    database: Database, clock: SetClock, has_models: bool
) -> None:
    models = ScriptedModels(roll_summary={"text": STATED})
    diary = await open_diary(database, clock, models=models, has_models=has_models)
    channel = Channel(diary, database)
    for text in SAID:
        await channel.say(text=text)
    await channel.say(text="We decided to play chess on 14 May")
    await channel.say(from_bot=True, text="Chess it is.")
    await channel.say(130)
    before = await channel.window()
    await channel.roll()
    [(*_, stored)] = await channel.summaries()
    assert before.summary
    for text in (before.summary, stored, (await channel.window()).summary):
        assert "chess" in text.lower()
        assert is_clean(text)
    await close(diary)


async def test_what_talks_leave_behind_states_nothing_of_it(database: Database, clock: SetClock) -> None:
    models = ScriptedModels(
        make_episode={"text": STATED, "importance": 5, "tags": ["chess", "church"]},
        compact_episodes={
            "action": "edit",
            "target": "e2",
            "merged": "e1",
            "text": STATED,
            "reason": "alike",
        },
    )
    settings = Settings(_env_file=None, episodes_per_channel=1)
    async with Endings(database, clock, settings=settings, models=models) as talks:
        await talks.talk("I play chess")
        [made] = await talks.kept()
        await talks.talk("I play chess again")
        [merged] = await talks.kept()
        assert talks.asked("compact")
    assert (made.content, made.tags) == ("<@11> plays chess.", ("chess",))
    assert (merged.content, merged.merged_from) != (made.content, ())
    assert "chess" in merged.content
    assert is_clean(merged.content)


async def test_profiles_and_what_is_learned_beside_them_state_nothing_of_it(
    database: Database, clock: SetClock
) -> None:
    async with GeminiServer() as gemini:
        learned = [{"message": "m1", "text": f"@u1 {text[2:]}"} for text in SAID[:5]]
        gemini.answer("learn_profile", {"profile": STATED, "facts": learned})
        async with talking(database, clock, gemini, learn_every_turns=1) as talks:
            await talks.turn(". ".join(SAID))
            await talks.idle()
            assert await talks.profile() == "<@11> plays chess."
    facts = await database.read(lambda connection: connection.fetch("SELECT content FROM facts"))
    assert facts == []


@pytest.mark.parametrize("has_models", [True, False])
async def test_catching_up_tells_nothing_of_it(database: Database, clock: SetClock, has_models: bool) -> None:
    topics = [{"text": sentence.strip() + ".", "message": "m1"} for sentence in STATED.split(".") if sentence]
    models = ScriptedModels(catch_up={"topics": topics})
    diary = await open_diary(database, clock, models=models, has_models=has_models)
    for text in (*SAID, "chess is played tonight"):
        await diary.say(ALICE, text)
    await diary.say(ALICE, SAID[0], at=diary.clock.now() + timedelta(hours=1))
    diary.clock.advance(timedelta(seconds=1))
    missed = await Digests(diary.needs).missed(
        DigestRequest(
            view=scope_of(guild_id=GUILD_ID, channel_audience=0),
            asker_id=BOB,
            before_message_id=snowflake_at(diary.clock.now()),
            language=Language.ENGLISH,
            time_zone="UTC",
        )
    )
    assert missed.by_topic == has_models
    texts = [one.text for one in missed.told]
    assert any("chess" in text for text in texts)
    assert all(is_clean(text) for text in texts)
    if not has_models:
        # The talk in which nothing else was said is told of by its place and people alone.
        assert sorted(one.messages for one in missed.told) == [1, len(SAID) + 1]
    await close(diary)

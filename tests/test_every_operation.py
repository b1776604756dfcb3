"""Every operation, with every fault of the service: always an answer, nothing wrong in it, and marked as such."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import BaseModel

from bot.chat.personas import PREVIEW, PreviewGiven
from bot.chat.prompting.prompt import REPLY, ReplyGiven
from bot.chat.router import ROUTE, RouteGiven
from bot.core.domain import Episode, Language, Member, Message
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.llm.ledger import DatabaseLedger
from bot.llm.models import RETRY_LIMITS
from bot.llm.operation import Asker, Operation, Operations, Patience
from bot.llm.providers import build_models
from bot.memory.facts.narrative import MERGE, Merge, told_in_full
from bot.memory.policy.admission import JUDGE_STATEMENT, ProposedStatement, Verdict
from bot.memory.profiles.learning import LEARN_PROFILE, LearningInput
from bot.memory.rights.forgetting.matching import CHOOSE_FACTS, FactChoiceInput
from bot.memory.summaries.day_prompt import SUMMARISE_DAY, DayPart
from bot.memory.summaries.digest_prompt import TELL_DIGEST, DigestInput, MissedTalk
from bot.memory.summaries.episode_builder import COMPACT_EPISODES, CompactionInput
from bot.memory.summaries.episode_prompt import MAKE_EPISODE, EndedTalk
from bot.memory.summaries.per_member import (
    MERGE_CONTEXT,
    TELL_WEEK,
    ContextSources,
    DayText,
    MemberBatch,
    MemberWeek,
)
from bot.memory.summaries.rolling_builder import ROLL_CONVERSATION, RollingInput
from tests.chat.scenes import scene
from tests.memory.known import fact
from tests.patience import pace_for
from tests.servers.faults import HARMLESS, Fault
from tests.servers.gemini import GeminiServer

FACTS = (fact(2, "<@7> lives in Lyon"), fact(1, "<@7> likes pizza"))
MESSAGE = Message(
    guild_id=1,
    channel_id=2,
    message_id=90,
    user_id=7,
    text="merk dir: Pizza ist gut",
    timestamp=datetime(2026, 3, 1, tzinfo=UTC),
)


DAY = DayPart(day=MESSAGE.timestamp.date(), time_zone="UTC", messages=(MESSAGE,), wanted=(7,), members={})
WEEK = MemberWeek(7, (DayText(MESSAGE.timestamp.date(), "<@7> ate pizza."),))
LEARNING = LearningInput(user_id=7, profile="<@7> likes tea.", messages=(MESSAGE,))
ABOUT_ALICE: dict[str, object] = {"texts": [{"member": "u1", "text": "@u1 ate pizza."}]}


EPISODES = tuple(
    Episode(
        guild_id=1,
        episode_id=number,
        channel_id=2,
        audience=0,
        content=f"<@7> ate pizza {number} times.",
        importance=number,
        tags=(),
        first_message_id=number,
        last_message_id=number,
        merged_from=(),
        created_at=MESSAGE.timestamp,
        updated_at=MESSAGE.timestamp,
    )
    for number in (3, 2, 1)
)


@dataclass(frozen=True)
class Case:
    """One operation with an input and what a good model says to it."""

    operation: Operation[Any, Any]
    given: object
    good: dict[str, object]
    is_sound: Callable[[Any], bool]


CASES = [
    Case(
        ROUTE,
        RouteGiven(
            message=MESSAGE,
            text=MESSAGE.text,
            bot_id=77,
            time_zone="UTC",
            members=(Member(guild_id=1, user_id=7, user_name="alice"),),
            replied_to=None,
            recent=(),
            facts=FACTS,
            last_written=frozenset(),
        ),
        {"kind": "remember", "confident": True, "facts": [{"subject": "u1", "text": "@u1 likes pizza"}]},
        lambda routed: routed.kind == "chat" or [one.subject for one in routed.facts] == ["u1"],
    ),
    Case(
        REPLY,
        ReplyGiven(scene=scene()),
        {"text": "Sounds good to me."},
        lambda said: "</" not in said.text,
    ),
    Case(
        PREVIEW,
        PreviewGiven(bot_name="Bot", persona="a pirate", language=Language.ENGLISH),
        {"text": "Ahoy, ye landlubbers!"},
        lambda said: bool(said.text) and "</" not in said.text,
    ),
    Case(
        CHOOSE_FACTS,
        FactChoiceInput("I like pizza", 7, FACTS),
        {"facts": ["f2"]},
        lambda chosen: set(chosen.facts) <= {"f1", "f2"},
    ),
    Case(
        MERGE,
        Merge(subject_id=7, facts=FACTS, earlier=""),
        {"narrative": "@u1 lives in Lyon and likes pizza.", "told": ["f1", "f2"]},
        lambda merged: all(
            word in told_in_full(Merge(subject_id=7, facts=FACTS, earlier=""), merged)
            for word in ("Lyon", "pizza")
        ),
    ),
    Case(
        SUMMARISE_DAY,
        DAY,
        ABOUT_ALICE,
        lambda told: {one.member for one in told.texts} <= {"u1"},
    ),
    Case(
        ROLL_CONVERSATION,
        RollingInput(
            previous="<@7> decided on Lisbon.",
            messages=(MESSAGE,),
            members={},
            kept="<@7> decided on Lisbon.",
        ),
        {"text": "@u1 decided on Lisbon. @u1 says that pizza is good."},
        lambda rolled: "Lisbon" in rolled.text and len(rolled.text) <= 2_000,
    ),
    Case(
        LEARN_PROFILE,
        LEARNING,
        {
            "profile": "@u1 likes tea and pizza.",
            "facts": [{"message": "m1", "text": "@u1 mag Pizza"}],
        },
        lambda learned: bool(learned.profile) and {one.message for one in learned.facts} <= {"m1"},
    ),
    Case(
        TELL_WEEK, MemberBatch([WEEK]), ABOUT_ALICE, lambda told: [one.member for one in told.texts] == ["u1"]
    ),
    Case(
        MERGE_CONTEXT,
        MemberBatch([ContextSources(7, facts="likes pizza", current="ate pizza", historical="")]),
        ABOUT_ALICE,
        lambda told: [one.member for one in told.texts] == ["u1"],
    ),
    Case(
        MAKE_EPISODE,
        EndedTalk(messages=(MESSAGE,), summary="", covers_up_to=0, members={}, time_zone="UTC"),
        {"text": "@u1 says that pizza is good.", "importance": 2, "tags": ["pizza"]},
        lambda left: not left.text or left.text.startswith("@u1 says that pizza is good."),
    ),
    Case(
        TELL_DIGEST,
        DigestInput(
            talks=(MissedTalk((MESSAGE,)),),
            members={},
            channel_names={2: "general"},
            language=Language.ENGLISH,
        ),
        {"topics": [{"text": "@u1 praised pizza.", "message": "m1"}]},
        lambda caught_up: [topic.message for topic in caught_up.topics] == ["m1"],
    ),
    Case(
        JUDGE_STATEMENT,
        ProposedStatement("<@8> is a thief", author_id=7, speaker_id=7, subject_id=8, bot_id=77),
        {"verdict": "accusation"},
        lambda judged: judged.verdict is Verdict.ACCUSATION,
    ),
    Case(
        COMPACT_EPISODES,
        CompactionInput(EPISODES, most=2),
        {"action": "edit", "target": "e3", "merged": "e2", "text": "@u1 ate pizza.", "reason": "the same"},
        lambda decision: decision.target == "e3",
    ),
]


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        server.slow_seconds = 0.05
        yield server


@pytest.fixture
async def operations(
    gemini: GeminiServer,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> AsyncIterator[Operations]:
    monkeypatch.setitem(RETRY_LIMITS, Patience.FOREGROUND, pace_for(request))
    settings = Settings(
        _env_file=None,
        gemini_api_key="key",
        gemini_base_url=gemini.url,
        model_chat="gemini-flash-latest",
        model_summary="gemma-3-27b-it",
        model_memory="gemma-3-27b-it",
    )
    models = build_models(settings, DatabaseLedger(database))
    assert models is not None
    yield Operations(models)
    await models.close()


@pytest.mark.parametrize("fault", sorted(Fault))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.operation.name)
async def test_there_is_always_a_sound_answer_and_a_fallback_says_that_it_is_one(
    gemini: GeminiServer, operations: Operations, case: Case, fault: Fault
) -> None:
    gemini.answer(case.operation.name, case.good)
    gemini.fail(fault)
    asker = Asker(guild_id=1, user_id=7, patience=Patience.FOREGROUND)
    outcome = await operations.run(case.operation, case.given, asker=asker)
    assert isinstance(outcome.value, BaseModel)
    assert case.is_sound(outcome.value)
    assert outcome.degraded == (outcome.model is None)
    if fault in HARMLESS:
        assert outcome.model is not None
    if outcome.degraded:
        assert outcome.value == case.operation.fallback(case.given)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.operation.name)
async def test_a_memory_operation_is_asked_coldly_and_of_a_plain_model_plainly(
    gemini: GeminiServer, operations: Operations, case: Case
) -> None:
    gemini.answer(case.operation.name, case.good)
    outcome = await operations.run(case.operation, case.given, asker=Asker(patience=Patience.FOREGROUND))
    assert outcome.degraded is False
    (asked,) = gemini.requests_of(case.operation.name)
    if case.operation not in (REPLY, PREVIEW):
        assert asked.model == "gemma-3-27b-it"
        assert asked.temperature == 0
        assert not asked.system
        assert not asked.json_mode

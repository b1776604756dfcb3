"""The chain of a role: somebody answers in time, or it is plain that nobody did."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import pytest

from bot.core.errors import DatabaseUnavailableError, ModelError
from bot.llm.budget import Budget, Quota, UsageLimits
from bot.llm.calling import AgentCaller
from bot.llm.chain import Admit, AnswerT, CallAnswer, Caller, CallFailed, ModelName
from bot.llm.models import FAILURES_TO_OPEN, RETRY_LIMITS, ConfiguredModels, RetryLimits
from bot.llm.operation import Patience, Question, Role
from tests.llm.chains import Chain
from tests.llm.questions import FLASH, GEMMA_3, GEMMA_4, PARIS, MemoryLedger, question
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer

FOREGROUND, BACKGROUND = Patience.FOREGROUND, Patience.BACKGROUND


def failed(kind: str, retry_after_seconds: float | None = None) -> CallFailed:
    return CallFailed(kind, retry_after_seconds=retry_after_seconds, input_tokens=3)  # type: ignore[arg-type]


async def test_the_first_model_that_answers_is_the_one() -> None:
    chain = Chain({GEMMA_4: [failed("refused")], GEMMA_3: [None], FLASH: [None]})
    answer = await chain.ask()
    assert (answer.value, answer.model, answer.tokens) == (PARIS, str(GEMMA_3), 15)
    assert chain.caller.called == [GEMMA_4, GEMMA_3]


async def test_a_model_that_is_wanted_for_chat_is_asked_first_and_the_others_after_it() -> None:
    script: Mapping[ModelName, list[CallFailed | None]] = {
        GEMMA_4: [None],
        GEMMA_3: [failed("refused")],
        FLASH: [failed("refused")],
    }
    chain = Chain(script, roles={Role.CHAT: (FLASH, GEMMA_4), Role.MEMORY: (GEMMA_3, GEMMA_4)})

    async def called(role: Role, model: str) -> list[ModelName]:
        chain.caller.called.clear()
        await chain.models.ask(question(role=role, patience=FOREGROUND, model=model))
        return chain.caller.called

    assert await called(Role.CHAT, "") == [FLASH, GEMMA_4]
    assert await called(Role.CHAT, str(GEMMA_4)) == [GEMMA_4]
    assert await called(Role.CHAT, str(GEMMA_3)) == [GEMMA_3, FLASH, GEMMA_4]
    # What is no longer configured is nothing to wait for, and what is no chat has its own models.
    assert await called(Role.CHAT, "openai:gone") == [FLASH, GEMMA_4]
    assert await called(Role.MEMORY, str(FLASH)) == [GEMMA_3, GEMMA_4]


@pytest.mark.parametrize("kind", ["overloaded", "rate_limited", "connection", "timeout"])
@pytest.mark.parametrize("patience", Patience)
async def test_a_hiccup_is_tried_again_after_a_short_pause(kind: str, patience: Patience) -> None:
    chain = Chain({GEMMA_4: [failed(kind), None], GEMMA_3: [None]})
    assert (await chain.ask(patience)).model == str(GEMMA_4)
    (pause,) = chain.time.slept
    assert 0 < pause < 2


@pytest.mark.parametrize("kind", ["refused", "invalid", "cut_off", "unauthorised", "capability", "other"])
async def test_what_would_end_the_same_way_again_is_not_tried_again(kind: str) -> None:
    chain = Chain({GEMMA_4: [failed(kind)]})
    with pytest.raises(ModelError, match=f"find_a_city .*{kind}"):
        await chain.ask()
    assert (len(chain.caller.called), chain.time.slept) == (1, [])


async def test_work_behind_waits_as_long_as_a_model_asks_for() -> None:
    chain = Chain({GEMMA_4: [failed("rate_limited", 25.4), None]})
    assert (await chain.ask(BACKGROUND)).value == PARIS
    assert chain.time.slept == [pytest.approx(25.4)]


async def test_a_reply_never_sleeps_but_goes_to_the_next_model() -> None:
    chain = Chain({GEMMA_4: [failed("rate_limited", 25.4), None], GEMMA_3: [None]})
    assert (await chain.ask(FOREGROUND)).model == str(GEMMA_3)
    assert chain.time.slept == []


@pytest.mark.parametrize(
    "failure", [failed("rate_limited", 1.9), failed("rate_limited", 25), failed("overloaded")]
)
async def test_all_pauses_of_a_reply_are_two_seconds_at_most(failure: CallFailed) -> None:
    chain = Chain({GEMMA_4: [failure], GEMMA_3: [failure], FLASH: [failure]})
    with pytest.raises(ModelError):
        await chain.ask(FOREGROUND)
    assert sum(chain.time.slept) <= 2


async def test_a_model_that_asked_for_a_pause_is_left_alone_by_everybody() -> None:
    chain = Chain({GEMMA_4: [failed("rate_limited", 25.4), None], GEMMA_3: [None]})
    for _ in range(3):
        await chain.ask(FOREGROUND)
    assert chain.caller.called == [GEMMA_4, GEMMA_3, GEMMA_3, GEMMA_3]
    chain.time.now += 26
    assert (await chain.ask(FOREGROUND)).model == str(GEMMA_4)


async def test_a_burst_of_errors_on_every_model_is_sat_out_behind() -> None:
    burst = [failed("overloaded"), failed("overloaded"), None]
    chain = Chain({GEMMA_4: burst})
    assert (await chain.ask(BACKGROUND)).value == PARIS
    first, second = chain.time.slept
    assert first != second


@pytest.mark.parametrize("kind", ["timeout", "connection", "overloaded", "unauthorised"])
async def test_a_dead_model_is_soon_not_asked_any_more(kind: str) -> None:
    chain = Chain({GEMMA_4: [failed(kind)], GEMMA_3: [None]})
    for _ in range(FAILURES_TO_OPEN + 5):
        await chain.ask(FOREGROUND)
    assert chain.caller.called.count(GEMMA_4) == FAILURES_TO_OPEN
    chain.caller.script[GEMMA_4] = [None]
    chain.time.now += 31
    assert (await chain.ask(FOREGROUND)).model == str(GEMMA_4)


async def test_a_model_that_refuses_what_is_said_is_not_taken_for_dead() -> None:
    chain = Chain({GEMMA_4: [failed("refused")], GEMMA_3: [None]})
    for _ in range(10):
        await chain.ask()
    assert chain.caller.called.count(GEMMA_4) == 10


async def test_who_hangs_leaves_time_for_those_that_come_after() -> None:
    chain = Chain({GEMMA_4: [failed("refused")], GEMMA_3: [failed("refused")], FLASH: [None]})
    await chain.ask(FOREGROUND)
    total = RETRY_LIMITS[FOREGROUND].total_seconds
    assert chain.caller.seconds == [pytest.approx(total / 3), pytest.approx(total / 2), pytest.approx(total)]
    assert total < 20


async def test_a_caller_that_was_held_back_leaves_the_finding_out_to_the_next() -> None:
    chain = Chain({GEMMA_4: [failed("unauthorised")]}, UsageLimits(quotas={GEMMA_4: Quota(per_minute=9)}))
    for _ in range(FAILURES_TO_OPEN):
        with pytest.raises(ModelError):
            await chain.ask()
    chain.caller.script[GEMMA_4] = [None]
    chain.time.now += 31
    chain.ledger.held = "no_quota"
    with pytest.raises(ModelError, match="no_quota"):
        await chain.ask()
    chain.ledger.held = None
    assert (await chain.ask()).value == PARIS


async def test_a_dead_model_takes_no_time_from_the_living() -> None:
    chain = Chain({GEMMA_4: [None], GEMMA_3: [failed("unauthorised")]})
    chain.caller.script[GEMMA_4] = [*[failed("refused")] * FAILURES_TO_OPEN, None]
    for _ in range(FAILURES_TO_OPEN):
        with pytest.raises(ModelError):
            await chain.ask(FOREGROUND)
    await chain.ask(FOREGROUND)
    assert chain.caller.seconds[-1] == pytest.approx(RETRY_LIMITS[FOREGROUND].total_seconds)


async def test_a_model_over_its_quota_is_passed_by() -> None:
    chain = Chain({GEMMA_4: [None], GEMMA_3: [None]}, UsageLimits(quotas={GEMMA_4: Quota(per_minute=1)}))
    chain.ledger.held = "no_quota"
    assert (await chain.ask()).model == str(GEMMA_3)
    assert chain.counted.endings == [(str(GEMMA_4), "no_quota"), (str(GEMMA_3), "answered")]


async def test_without_its_ledger_a_limited_model_is_not_asked() -> None:
    chain = Chain({GEMMA_4: [None]}, UsageLimits(quotas={GEMMA_4: Quota(per_minute=1)}))

    async def away(_: object) -> None:
        raise DatabaseUnavailableError("the database is away")

    chain.ledger.reserve = away  # type: ignore[assignment]
    with pytest.raises(ModelError, match="no_ledger"):
        await chain.ask()
    assert chain.caller.called == []


async def test_an_answer_is_not_lost_because_it_cannot_be_accounted_for() -> None:
    chain = Chain({GEMMA_4: [None]})

    async def away(_: object) -> None:
        raise DatabaseUnavailableError("the database is away")

    chain.ledger.record = away  # type: ignore[assignment]
    assert (await chain.ask()).value == PARIS


async def test_every_outcome_is_counted_and_accounted_for() -> None:
    chain = Chain({GEMMA_4: [failed("invalid")], GEMMA_3: [None]})
    await chain.ask()
    assert chain.counted.endings == [(str(GEMMA_4), "invalid"), (str(GEMMA_3), "answered")]
    assert [(one.model, one.calls, one.failures, one.input_tokens) for one in chain.ledger.recorded] == [
        (str(GEMMA_4), 1, 1, 3),
        (str(GEMMA_3), 1, 0, 10),
    ]


async def test_a_role_without_models_says_so() -> None:
    with pytest.raises(ModelError, match="role chat"):
        await Chain({GEMMA_4: [None]}).models.ask(question(role=Role.CHAT))


# From here on the real clients, and real time.

PACE = {
    FOREGROUND: RetryLimits(total_seconds=2.0, pause_seconds=0.2, tries=2),
    BACKGROUND: RETRY_LIMITS[BACKGROUND],
}


@asynccontextmanager
async def real(
    caller: Caller,
    *models: ModelName,
    paces: Mapping[Patience, RetryLimits] = PACE,
    monotonic: Callable[[], float] = time.monotonic,
) -> AsyncIterator[ConfiguredModels]:
    budget = Budget(MemoryLedger(), UsageLimits())
    yield ConfiguredModels({Role.MEMORY: models}, caller, budget, paces=paces, monotonic=monotonic)


class ShortCalls:
    """Ends real calls after a moment, and has them take all the time that they were given, by a clock of its own.

    By the real one a busy machine may take so long over one call that nothing is left for the next.
    """

    def __init__(self, caller: AgentCaller) -> None:
        self._caller = caller
        self.now = 0.0
        self.called: list[ModelName] = []

    async def call(
        self,
        model: ModelName,
        question: Question[AnswerT],
        *,
        timeout_seconds: float,
        admit: Admit,
        shown_seconds: float = 0.0,
    ) -> CallAnswer[AnswerT]:
        self.called.append(model)
        try:
            return await self._caller.call(model, question, timeout_seconds=0.3, admit=admit)
        finally:
            self.now += timeout_seconds

    async def close(self) -> None:
        """End; the caller is the test's."""


async def test_models_that_hang_are_given_up_in_time_and_then_at_once(
    caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.fail(Fault.HANG)
    calls = ShortCalls(caller)
    total = RETRY_LIMITS[FOREGROUND].total_seconds
    async with real(calls, FLASH, GEMMA_4, paces=RETRY_LIMITS, monotonic=lambda: calls.now) as models:
        for asked in range(1, FAILURES_TO_OPEN + 1):
            with pytest.raises(ModelError):
                await models.ask(question(patience=FOREGROUND))
            assert calls.now == pytest.approx(asked * total)
        assert calls.called == [FLASH, GEMMA_4] * FAILURES_TO_OPEN
        # Nobody is asked, so nothing is waited for.
        with pytest.raises(ModelError):
            await models.ask(question(patience=FOREGROUND))
        assert calls.called == [FLASH, GEMMA_4] * FAILURES_TO_OPEN


async def test_a_model_that_hangs_does_not_keep_the_next_from_answering(
    caller: AgentCaller, gemini: GeminiServer
) -> None:
    gemini.fail(Fault.HANG, model=FLASH.name)
    async with real(caller, FLASH, GEMMA_4) as models:
        assert (await models.ask(question(patience=FOREGROUND))).model == str(GEMMA_4)


async def test_a_burst_of_unavailability_is_survived(caller: AgentCaller, gemini: GeminiServer) -> None:
    gemini.fail(Fault.UNAVAILABLE, times=2)
    async with real(caller, GEMMA_4) as models:
        assert (await models.ask(question())).value == PARIS


async def test_a_caller_that_leaves_cancels_its_question(caller: AgentCaller, gemini: GeminiServer) -> None:
    gemini.fail(Fault.HANG)
    async with real(caller, GEMMA_4, FLASH) as models:
        asking = asyncio.create_task(models.ask(question()))
        while not gemini.calls:
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        async with asyncio.timeout(60):
            while not gemini.calls[0].abandoned:
                await asyncio.sleep(0.01)
        assert len(gemini.calls) == 1

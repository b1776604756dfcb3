"""The configured models: a question goes along the chain of its role until a model answers, within a deadline, skipping
open circuit breakers.
"""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeVar, get_args

from pydantic import BaseModel

from bot.core.errors import DatabaseError, ModelError, ModelRefusedError, ModelUnusableError
from bot.core.metering import Meter, ModelCalled
from bot.llm.budget import Budget, TokenCounts, Tokens
from bot.llm.chain import (
    DEAD,
    PASSING,
    Admit,
    CallAnswer,
    Caller,
    CallFailed,
    CallHeld,
    Failure,
    Held,
    ModelName,
    Provider,
)
from bot.llm.operation import ModelAnswer, Patience, Question, Role

logger = logging.getLogger(__name__)


FAILURES_TO_OPEN: Final = 3
"""Failures in a row after which a model is taken for dead; one or two are a hiccup."""

FIRST_PAUSE_SECONDS: Final = 30.0
LONGEST_PAUSE_SECONDS: Final = 600.0


class Breaker:
    """Whether one model may be asked, on real time.

    Closed: everybody may ask. Open, after some failures in a row: nobody may, for a pause that doubles each
    time it was in vain. Half-open, after the pause: one caller at a time may find out. Every caller that was
    admitted says in the end how it went: `succeeded`, `failed` or `gave_up`.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._failures = 0
        self._pause_seconds = FIRST_PAUSE_SECONDS
        self._closed_again_at: float | None = None
        self._probing = False

    @property
    def is_open(self) -> bool:
        """Whether the model is taken for dead, and it is not yet time to find out."""
        return self._closed_again_at is not None and (
            self._probing or self._monotonic() < self._closed_again_at
        )

    def admit(self) -> bool:
        """Tell whether the model may be asked now; in the half-open state, the caller is the one that may."""
        if self.is_open:
            return False
        self._probing = self._closed_again_at is not None
        return True

    def succeeded(self) -> None:
        """The model lives: whatever it answered, it answered."""
        self._failures = 0
        self._pause_seconds = FIRST_PAUSE_SECONDS
        self._closed_again_at = None
        self._probing = False

    def failed(self) -> None:
        """The model gave no sign of life."""
        self._failures += 1
        if self._probing:
            self._pause_seconds = min(LONGEST_PAUSE_SECONDS, self._pause_seconds * 2)
        elif self._failures < FAILURES_TO_OPEN or self._closed_again_at is not None:
            # Callers that were admitted before it opened come back late and say nothing new.
            return
        self._probing = False
        self._closed_again_at = self._monotonic() + self._pause_seconds

    def gave_up(self) -> None:
        """The caller went away before the model could answer; the next one may find out."""
        self._probing = False


AnswerT = TypeVar("AnswerT", bound=BaseModel)

LEAST_SECONDS: Final = 0.05
"""With less time left than this nothing is begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryLimits:
    """How patient a question is, in real seconds."""

    total_seconds: float
    """The longest that all tries together may take, whatever the operation allows."""
    pause_seconds: float
    """The longest that all pauses together may take."""
    tries: int
    """Of one model."""


RETRY_LIMITS: Final[Mapping[Patience, RetryLimits]] = {
    # A reply falls back within 20 seconds, with two to spare for what comes before and after.
    Patience.FOREGROUND: RetryLimits(total_seconds=18.0, pause_seconds=2.0, tries=2),
    Patience.BACKGROUND: RetryLimits(total_seconds=float("inf"), pause_seconds=float("inf"), tries=4),
}


@dataclass(slots=True, kw_only=True)
class ChainAttempt(Generic[AnswerT]):
    """One question on its way along a chain."""

    question: Question[AnswerT]
    pace: RetryLimits
    deadline: float
    paused_seconds: float = 0.0
    tries: dict[ModelName, int] = field(default_factory=dict)
    not_before: dict[ModelName, float] = field(default_factory=dict)
    ended: dict[ModelName, Failure | Held] = field(default_factory=dict)
    """Why a model is not asked this question again."""

    @property
    def is_shown(self) -> bool:
        """Whether somebody has read the beginning of an answer."""
        return self.question.listener is not None and self.question.listener.is_shown

    def may_pause(self, seconds: float, *, now: float) -> bool:
        """Tell whether so long a pause is within the patience, and leaves time to ask."""
        patience = self.pace.pause_seconds - self.paused_seconds
        return seconds <= patience and now + seconds + LEAST_SECONDS < self.deadline


_GRACE_SECONDS: Final = 0.5
"""Every call ends itself in time; this is for the ledger, should it hang."""

_ROUNDING_SECONDS: Final = 0.02

_FIRST_PAUSE_SECONDS: Final = 0.4
_LONGEST_PAUSE_SECONDS: Final = 8.0


_PUT_OFF: Final = frozenset(get_args(Held))

_NOTHING_SPENT: Final = Tokens()


_PROVIDERS_IN_TRACES: Final[Mapping[Provider, str]] = {
    "google": "gcp.gemini",
    "openai": "openai",
    "ollama": "ollama",
}


def _tokens_in_traces(spent: TokenCounts) -> dict[str, str | int | bool]:
    return {
        "gen_ai.usage.input_tokens": spent.input_tokens,
        "gen_ai.usage.output_tokens": spent.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": spent.cached_tokens,
    }


class ConfiguredModels:
    """The models of each role, tried in order; real time is `monotonic` and `sleep`, for tests to replace."""

    def __init__(
        self,
        chains: Mapping[Role, Sequence[ModelName]],
        caller: Caller,
        budget: Budget,
        *,
        meter: Meter | None = None,
        paces: Mapping[Patience, RetryLimits] = RETRY_LIMITS,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._chains = chains
        self._caller = caller
        self._budget = budget
        self._meter = meter or Meter()
        self._paces = paces
        self._monotonic = monotonic
        self._sleep = sleep
        self._resting_until: dict[ModelName, float] = {}
        self._breakers = {model: Breaker(monotonic) for chain in self._chains.values() for model in chain}

    def chain(self, role: Role) -> tuple[ModelName, ...]:
        """Return the models of `role`, in the order in which they are tried; none if none is configured."""
        return tuple(self._chains.get(role, ()))

    async def energies(self) -> Mapping[str, float]:
        """Return what each model has left of its quotas, 0 to 100 %. Raises `DatabaseError`."""
        return {str(model): left for model, left in (await self._budget.energies(self._breakers)).items()}

    async def close(self) -> None:
        """Close the connections to every provider."""
        await self._caller.close()

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        """Return a checked answer, or raise `ModelError` if no model of the role gives one in time.

        `ModelRefusedError` says that every one of them refused, `ModelUnusableError` that every one of them was there.
        """
        pace = self._paces[question.asker.patience]
        seconds = min(question.deadline_seconds, pace.total_seconds)
        asking = ChainAttempt(question=question, pace=pace, deadline=self._monotonic() + seconds)
        try:
            async with asyncio.timeout(seconds + _GRACE_SECONDS):
                called = await self._ask_in_turn(asking)
        except TimeoutError:
            called = None
        if called is None:
            reasons = ", ".join(f"{model} {kind}" for model, kind in asking.ended.items())
            kinds = set(asking.ended.values())
            raised: type[ModelError] = ModelError
            if kinds and kinds <= {"refused", "invalid"} and not self._left(asking):
                raised = ModelRefusedError if kinds == {"refused"} else ModelUnusableError
            raise raised(
                f"no model of the role {question.role} answered {question.operation}"
                f" ({reasons or 'none is configured, or none was in time'})"
            )
        return ModelAnswer(
            value=called.value, model=str(called.model), tokens=called.input_tokens + called.output_tokens
        )

    async def _ask_in_turn(self, asking: ChainAttempt[AnswerT]) -> CallAnswer[AnswerT] | None:
        """Go along the chain, and again after a pause as long as somebody in it may still answer."""
        while True:
            left = self._left(asking)
            for number, model in enumerate(left):
                now = self._monotonic()
                # Who hangs must leave enough time for those that come after.
                others = sum(self._is_ready(other, asking) for other in left[number + 1 :])
                until = now + (asking.deadline - now) / (1 + others)
                called = await self._ask_model(model, asking, until=until)
                if called is not None or asking.is_shown:
                    return called
            now = self._monotonic()
            pause = min((self._rest(model, asking) for model in self._left(asking)), default=None)
            if pause is None or not asking.may_pause(pause, now=now):
                return None
            await self._pause(asking, pause)

    def _left(self, asking: ChainAttempt[AnswerT]) -> list[ModelName]:
        chain = self.chain(asking.question.role)
        if asking.question.role is Role.CHAT and (wanted := asking.question.asker.model):
            # Any that is configured has a breaker, for whatever role.
            chosen = [model for model in self._breakers if str(model) == wanted]
            chain = (*chosen, *(model for model in chain if model not in chosen))
        return [model for model in chain if model not in asking.ended]

    def _rest(self, model: ModelName, asking: ChainAttempt[AnswerT]) -> float:
        """Return for how many seconds `model` is not to be asked yet."""
        ready = max(self._resting_until.get(model, 0.0), asking.not_before.get(model, 0.0))
        rest = ready - self._monotonic()
        # A sleep may end a little before its time.
        return rest if rest > _ROUNDING_SECONDS else 0.0

    def _is_ready(self, model: ModelName, asking: ChainAttempt[AnswerT]) -> bool:
        return not self._breakers[model].is_open and self._rest(model, asking) == 0

    async def _pause(self, asking: ChainAttempt[AnswerT], seconds: float) -> None:
        asking.paused_seconds += seconds
        await self._sleep(seconds)

    async def _ask_model(
        self, model: ModelName, asking: ChainAttempt[AnswerT], *, until: float
    ) -> CallAnswer[AnswerT] | None:
        """Return an answer of `model`, tried as often as it makes sense before `until`, or `None`."""
        while True:
            rest = self._rest(model, asking)
            if rest > 0:
                self._count(asking, model, "resting")
                return None
            seconds_left = until - self._monotonic()
            if seconds_left < LEAST_SECONDS:
                return None
            if not self._breakers[model].admit():
                self._count(asking, model, "breaker_open")
                asking.ended[model] = "breaker_open"
                return None
            try:
                return await self._call(model, asking, seconds_left)
            except CallHeld as held:
                self._count(asking, model, held.kind)
                asking.ended[model] = held.kind
                return None
            except CallFailed as failed:
                pause = self._pause_after(failed, model, asking)
            if asking.is_shown:
                # Whoever reads the beginning of one answer gets no other.
                return None
            now = self._monotonic()
            # A model that names a delay is left alone meanwhile; after a hiccup it is worth a short wait.
            if pause is None or now + pause >= until or not asking.may_pause(pause, now=now):
                return None
            await self._pause(asking, pause)

    async def _call(
        self, model: ModelName, asking: ChainAttempt[AnswerT], seconds: float
    ) -> CallAnswer[AnswerT]:
        """Ask `model` once, and tell breaker, account and counter how it went."""
        question = asking.question
        breaker = self._breakers[model]
        sent = 0

        async def admit() -> None:
            nonlocal sent
            try:
                await self._budget.admit(model, question.asker)
            except DatabaseError as error:
                raise CallHeld("no_ledger") from error
            sent += 1

        started = self._monotonic()
        try:
            called = await self._traced(
                model,
                question,
                timeout_seconds=seconds,
                shown_seconds=asking.deadline - started,
                admit=admit,
            )
        except CallFailed as failed:
            (breaker.failed if failed.kind in DEAD and sent else breaker.succeeded)()
            await self._settle(asking, model, failed.kind, started, sent, failed)
            raise
        except BaseException:
            breaker.gave_up()
            raise
        breaker.succeeded()
        await self._settle(asking, model, "answered", started, sent, called)
        return called

    async def _traced(
        self,
        model: ModelName,
        question: Question[AnswerT],
        *,
        timeout_seconds: float,
        shown_seconds: float,
        admit: Admit,
    ) -> CallAnswer[AnswerT]:
        """Call `model`; a trace shows it as the conventions of OpenTelemetry name what models are asked."""
        about = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": _PROVIDERS_IN_TRACES[model.provider],
            "gen_ai.request.model": model.name,
            "keepsake.operation": question.operation,
        }
        with self._meter.span(f"chat {model.name}", about, kind="client") as span:
            try:
                called = await self._caller.call(
                    model,
                    question,
                    timeout_seconds=timeout_seconds,
                    shown_seconds=shown_seconds,
                    admit=admit,
                )
            except CallFailed as failed:
                span.put({**_tokens_in_traces(failed), "keepsake.outcome": failed.kind})
                span.failed(failed.kind)
                raise
            span.put({**_tokens_in_traces(called), "keepsake.outcome": "answered"})
            return called

    async def _settle(
        self,
        asking: ChainAttempt[AnswerT],
        model: ModelName,
        kind: Literal["answered"] | Failure,
        started: float,
        sent: int,
        spent: TokenCounts,
    ) -> None:
        self._count(asking, model, kind, started=started, spent=spent)
        await self._budget.account(
            model,
            asking.question.asker,
            operation=asking.question.operation,
            calls=sent,
            failures=int(kind != "answered"),
            took=spent,
        )

    def _pause_after(
        self, failed: CallFailed, model: ModelName, asking: ChainAttempt[AnswerT]
    ) -> float | None:
        """Return how long to wait before `model` is asked again at once, or `None` if others come first."""
        tries = asking.tries[model] = asking.tries.get(model, 0) + 1
        if failed.retry_after_seconds is not None:
            # It binds everybody: a request that is rejected counts too.
            self._resting_until[model] = self._monotonic() + failed.retry_after_seconds
            self._budget.refused(model, seconds=failed.retry_after_seconds)
        if failed.kind not in PASSING or tries >= asking.pace.tries:
            asking.ended[model] = failed.kind
            return None
        if failed.retry_after_seconds is not None:
            return None
        pause = min(_LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * (1 << (tries - 1)))
        pause *= random.uniform(0.5, 1.5)  # noqa: S311 - jitter, no secret
        asking.not_before[model] = self._monotonic() + pause
        return pause

    def _count(
        self,
        asking: ChainAttempt[AnswerT],
        model: ModelName,
        kind: Literal["answered"] | Failure | Held,
        *,
        started: float | None = None,
        spent: TokenCounts = _NOTHING_SPENT,
    ) -> None:
        called = ModelCalled(
            operation=asking.question.operation,
            model=str(model),
            ending=kind,
            is_put_off=kind in _PUT_OFF,
            seconds=0.0 if started is None else self._monotonic() - started,
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            cached_tokens=spent.cached_tokens,
        )
        logger.debug(
            "%s asked %s: %s after %.2f s, %d tokens in (%d of them cached), %d out",
            called.operation,
            called.model,
            called.ending,
            called.seconds,
            called.input_tokens,
            called.cached_tokens,
            called.output_tokens,
        )
        self._meter.note(called)

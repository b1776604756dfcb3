"""Models along a chain whose every call ends as a test says."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel

from bot.llm.budget import Budget, UsageLimits
from bot.llm.chain import Admit, CallAnswer, CallFailed, ModelName
from bot.llm.models import ConfiguredModels
from bot.llm.operation import ModelAnswer, Patience, Question, Role
from tests.llm.questions import PARIS, City, Counted, MemoryLedger, Time, question

AnswerT = TypeVar("AnswerT", bound=BaseModel)


class Scripted:
    """Calls that end as the test says, one after another; the last for ever."""

    def __init__(self, script: Mapping[ModelName, Sequence[CallFailed | None]]) -> None:
        self.script = {model: list(ends) for model, ends in script.items()}
        self.called: list[ModelName] = []
        self.seconds: list[float] = []

    async def call(
        self,
        model: ModelName,
        question: Question[AnswerT],
        *,
        timeout_seconds: float,
        admit: Admit,
        shown_seconds: float = 0.0,
    ) -> CallAnswer[AnswerT]:
        await admit()
        self.called.append(model)
        self.seconds.append(timeout_seconds)
        ends = self.script[model]
        end = ends.pop(0) if len(ends) > 1 else ends[0]
        if end is not None:
            raise end
        value = question.answer.model_validate(PARIS.model_dump())
        return CallAnswer(value=value, model=model, input_tokens=10, output_tokens=5)

    async def close(self) -> None:
        """Nothing is open."""


class Chain:
    """Models along a scripted chain, with a time that passes only in sleep."""

    def __init__(
        self,
        script: Mapping[ModelName, Sequence[CallFailed | None]],
        plan: UsageLimits | None = None,
        *,
        roles: Mapping[Role, Sequence[ModelName]] | None = None,
    ) -> None:
        self.time, self.ledger, self.counted = Time(), MemoryLedger(), Counted()
        self.caller = Scripted(script)
        self.models = ConfiguredModels(
            roles or {Role.MEMORY: tuple(script)},
            self.caller,
            Budget(self.ledger, plan or UsageLimits(), monotonic=self.time.monotonic),
            meter=self.counted,
            monotonic=self.time.monotonic,
            sleep=self.time.sleep,
        )

    async def ask(self, patience: Patience = Patience.BACKGROUND) -> ModelAnswer[City]:
        return await self.models.ask(question(patience=patience))

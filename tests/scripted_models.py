"""Models that say what a test has written for each operation, checked as any model's answer is."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from bot.core.errors import ModelError
from bot.llm.operation import ModelAnswer, Question

AnswerT = TypeVar("AnswerT", bound=BaseModel)
Said = Mapping[str, object] | None
Script = Said | Callable[[str], Said]


class ScriptedModels:
    """A model that answers by operation; `None`, an unknown operation or an answer that is refused is a failure."""

    def __init__(self, **script: Script) -> None:
        self.script: dict[str, Script] = dict(script)
        self.prompts: list[str] = []
        self.refused: list[str] = []
        """Why answers were refused."""

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        self.prompts.append(question.prompt)
        written = self.script.get(question.operation)
        said = written(question.prompt) if callable(written) else written
        if said is None:
            raise ModelError("the model refused")
        try:
            value = question.accepted(question.answer.model_validate(said))
        except (ValidationError, ValueError) as error:
            self.refused.append(str(error))
            raise ModelError("no usable answer") from error
        return ModelAnswer(value=value, model="scripted:model", tokens=1)

    async def close(self) -> None:
        """End; there is nothing to end."""

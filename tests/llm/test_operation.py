"""Operations: always an answer, and never one that hides where it came from."""

from collections.abc import Mapping
from typing import TypeVar

import pytest
from pydantic import BaseModel

from bot.core.errors import ModelError, OperationError
from bot.llm.operation import ModelAnswer, Operation, Operations, Question, Role

AnswerT = TypeVar("AnswerT", bound=BaseModel)


class Said(BaseModel):
    narrative: str


def frame(given: str) -> Mapping[str, object]:
    return {"subject": given, "facts": "", "earlier": "", "tongue": ""}


OPERATION = Operation(
    name="merge_facts",
    role=Role.MEMORY,
    answer=Said,
    frame=frame,
    fallback=lambda given: Said(narrative=f"fallback for {given}"),
)


class Answering:
    """A port that answers every question with the same words, or fails."""

    def __init__(self, words: str | None) -> None:
        self.words = words
        self.prompts: list[str] = []

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        self.prompts.append(question.prompt)
        if self.words is None:
            raise ModelError("refused")
        value = question.answer.model_validate({"narrative": self.words})
        question.check(value)
        return ModelAnswer(value=value, model=f"{question.role}:{question.operation}", tokens=7)


def test_an_operation_without_a_fallback_cannot_be_built() -> None:
    with pytest.raises(OperationError, match="no fallback"):
        Operation(name="merge_facts", role=Role.MEMORY, answer=Said, frame=frame, fallback=None)  # type: ignore[arg-type]


def test_an_operation_without_a_template_cannot_be_built() -> None:
    with pytest.raises(OperationError, match=r"prompts/nowhere\.j2"):
        Operation(name="nowhere", role=Role.MEMORY, answer=Said, frame=frame, fallback=OPERATION.fallback)


async def test_without_a_model_the_fallback_is_final() -> None:
    outcome = await Operations().run(OPERATION, "Bob")
    assert (outcome.value.narrative, outcome.degraded, outcome.model) == ("fallback for Bob", False, None)


async def test_a_model_that_fails_leaves_the_fallback_marked_as_degraded() -> None:
    outcome = await Operations(Answering(None)).run(OPERATION, "Bob")
    assert (outcome.value.narrative, outcome.degraded) == ("fallback for Bob", True)


async def test_a_model_that_answers_is_named_with_what_it_cost() -> None:
    models = Answering("likes tea")
    outcome = await Operations(models).run(OPERATION, "Bob")
    assert (outcome.value.narrative, outcome.degraded, outcome.model, outcome.tokens) == (
        "likes tea",
        False,
        "memory:merge_facts",
        7,
    )
    assert "Bob" in models.prompts[0]

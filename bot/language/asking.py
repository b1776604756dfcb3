"""One question on its way along a chain of models, and the patience that there is for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from pydantic import BaseModel

from bot.language.chain import ModelName
from bot.language.operation import Patience, Question
from bot.language.outcome import Failure, Held

AnswerT = TypeVar("AnswerT", bound=BaseModel)

LEAST_SECONDS: Final = 0.05
"""With less time left than this nothing is begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How patient a question is, in real seconds."""

    total_seconds: float
    """The longest that all tries together may take, whatever the operation allows."""
    pause_seconds: float
    """The longest that all pauses together may take."""
    tries: int
    """Of one model."""


PACES: Final[Mapping[Patience, Pace]] = {
    # A reply falls back within 20 seconds, with two to spare for what comes before and after.
    Patience.FOREGROUND: Pace(total_seconds=18.0, pause_seconds=2.0, tries=2),
    Patience.BACKGROUND: Pace(total_seconds=float("inf"), pause_seconds=float("inf"), tries=4),
}


@dataclass(slots=True, kw_only=True)
class Asking(Generic[AnswerT]):
    """One question on its way along a chain."""

    question: Question[AnswerT]
    pace: Pace
    deadline: float
    paused_seconds: float = 0.0
    tries: dict[ModelName, int] = field(default_factory=dict)
    not_before: dict[ModelName, float] = field(default_factory=dict)
    ended: dict[ModelName, Failure | Held] = field(default_factory=dict)
    """Why a model is not asked this question again."""

    def may_pause(self, seconds: float, *, now: float) -> bool:
        """Tell whether so long a pause is within the patience, and leaves time to ask."""
        patience = self.pace.pause_seconds - self.paused_seconds
        return seconds <= patience and now + seconds + LEAST_SECONDS < self.deadline

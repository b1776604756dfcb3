"""How one call of one model ended, in types that need no model library to be loaded."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Generic, Literal, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel

from bot.language.chain import ModelName
from bot.language.operation import Question

AnswerT = TypeVar("AnswerT", bound=BaseModel)

Failure: TypeAlias = Literal[
    "rate_limited",  # over a quota of the provider's
    "overloaded",  # 5xx
    "timeout",
    "connection",
    "unauthorised",  # the key or the name of the model is not accepted
    "refused",  # blocked by a filter, or the model said no
    "cut_off",  # ended by a limit of length, or empty
    "invalid",  # twice not what was asked for
    "capability",  # something that the table promised is not accepted
    "other",
]

Held: TypeAlias = Literal[
    "resting",  # it asked for a pause that is not over
    "breaker_open",
    "no_quota",
    "no_share",
    "over_budget",
    "no_ledger",  # the database is away, and what is not counted is not sent
]
"""Why a model was not asked at all."""

DEAD: Final = frozenset[Failure]({"timeout", "connection", "overloaded", "unauthorised"})
"""The failures that say that the model itself is gone; after any other it is at least known to live."""

PASSING: Final = frozenset[Failure]({"rate_limited", "overloaded", "timeout", "connection"})
"""The failures after which the same question may well succeed a little later."""


class CallFailed(Exception):  # noqa: N818 - it names what happened, and never leaves this package
    """A model gave no usable answer. It carries no text: a provider's error may quote the prompt."""

    def __init__(
        self,
        kind: Failure,
        *,
        retry_after_seconds: float | None = None,
        input_tokens: int = 0,
        output_tokens: int = 0,
    ) -> None:
        super().__init__(kind)
        self.kind: Final = kind
        self.retry_after_seconds: Final = retry_after_seconds
        self.input_tokens: Final = input_tokens
        self.output_tokens: Final = output_tokens


class CallHeld(Exception):  # noqa: N818 - as above
    """A model may not be asked now, by our own rules."""

    def __init__(self, kind: Held) -> None:
        super().__init__(kind)
        self.kind: Final = kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Called(Generic[AnswerT]):
    """A usable answer, and the tokens that the provider reported for it and for the try before it."""

    value: AnswerT
    model: ModelName
    input_tokens: int
    output_tokens: int


Admit: TypeAlias = Callable[[], Awaitable[None]]
"""Asked before every single request; raises `CallHeld` if it may not be sent."""


class Caller(Protocol):
    """Whoever can put one question to one model, once."""

    async def call(
        self, model: ModelName, question: Question[AnswerT], *, timeout_seconds: float, admit: Admit
    ) -> Called[AnswerT]:
        """Return a checked answer within `timeout_seconds`, or raise `CallFailed`, or what `admit` raises."""

    async def close(self) -> None:
        """Close the connections to every provider."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOutcome:
    """What there is to count about one try."""

    operation: str
    model: ModelName
    kind: Literal["answered"] | Failure | Held
    seconds: float
    input_tokens: int = 0
    output_tokens: int = 0


class Counter(Protocol):
    """Whoever counts what the models do: a log, or an exporter of metrics."""

    def count(self, outcome: CallOutcome) -> None:
        """Take note of `outcome`; must neither wait nor raise."""

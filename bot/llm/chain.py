"""The models of a role as settings name them (`provider:name`, tried in order), and the outcomes of a single call, as
types that do not load a model library.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Generic, Literal, Protocol, TypeAlias, TypeVar, get_args

from pydantic import BaseModel

from bot.llm.operation import Question

Provider: TypeAlias = Literal["google", "openai", "ollama"]

PROVIDERS: Final[tuple[Provider, ...]] = get_args(Provider)

_GOOGLES_OWN: Final = ("gemini-", "gemma-")
"""A name that begins so needs no provider before it."""


@dataclass(frozen=True, slots=True)
class ModelName:
    """One model of one provider; written `provider:name`."""

    provider: Provider
    name: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"


def parse_chain(text: str) -> tuple[ModelName, ...]:
    """Return the models that `text` names, in its order; each counts once, and an empty text names none.

    Raises `ValueError` with one sentence that names the wrong part and says what is allowed.
    """
    named = (parse_model(part) for part in text.split(",") if part.strip())
    return tuple(dict.fromkeys(named))


def parse_model(text: str) -> ModelName:
    """Return the one model that `text` names, or raise `ValueError` in one sentence as `parse_chain` does."""
    written = text.strip()
    provider, _, name = (part.strip() for part in written.partition(":"))
    if written.startswith(_GOOGLES_OWN) and provider not in PROVIDERS:
        # Tags of local models have colons too, but those have their provider before them.
        provider, name = "google", written
    for known in PROVIDERS:
        if provider == known and name and not any(character.isspace() for character in name):
            return ModelName(known, name)
    raise ValueError(
        f"{written!r} names no model: write provider:name with a provider of {', '.join(PROVIDERS)},"
        " such as google:gemini-flash-latest"
    )


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
        cached_tokens: int = 0,
    ) -> None:
        super().__init__(kind)
        self.kind: Final = kind
        self.retry_after_seconds: Final = retry_after_seconds
        self.input_tokens: Final = input_tokens
        self.output_tokens: Final = output_tokens
        self.cached_tokens: Final = cached_tokens


class CallHeld(Exception):  # noqa: N818 - as above
    """A model may not be asked now, by our own rules."""

    def __init__(self, kind: Held) -> None:
        super().__init__(kind)
        self.kind: Final = kind


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAnswer(Generic[AnswerT]):
    """A usable answer, and the tokens that the provider reported for it and for the try before it."""

    value: AnswerT
    model: ModelName
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    """Those of `input_tokens` that the provider still had from an earlier prompt."""


Admit: TypeAlias = Callable[[], Awaitable[None]]
"""Asked before every single request; raises `CallHeld` if it may not be sent."""


class Caller(Protocol):
    """Puts one question to one model, once."""

    async def call(
        self,
        model: ModelName,
        question: Question[AnswerT],
        *,
        timeout_seconds: float,
        admit: Admit,
        shown_seconds: float = 0.0,
    ) -> CallAnswer[AnswerT]:
        """Return a checked answer within `timeout_seconds`, or raise `CallFailed`, or what `admit` raises.

        One whose beginning is shown meanwhile may take `shown_seconds`, if those are more.
        """

    async def close(self) -> None:
        """Close the connections to every provider."""

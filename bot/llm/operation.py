"""An operation: one question to a model, the tools that it may use, and the fallback if no model answers."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Generic, Protocol, TypeVar

from pydantic import BaseModel, Field, ValidationError

from bot.core.errors import ModelError, ModelRefusedError, ModelUnusableError, OperationError
from bot.core.metering import Meter, OperationEnded, OperationOutcome, Span
from bot.llm import framing
from bot.llm.lines import NO_NAMES, answer_in

MOST_ROUNDS: Final = 5
"""Requests of one call with tools, the answer included: whoever waits must get one."""

_ERRORS_TOLD: Final = 5

_NUL: Final = "\\u0000"
"""As JSON writes it."""

InputT = TypeVar("InputT", bound=BaseModel)


class WrongInput(BaseModel):
    """What a tool returns for an input that it cannot take."""

    done: bool
    problem: str = Field(description="what is wrong, and what is allowed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool as a model is offered it; made by `tool`."""

    name: str
    description: str
    schema: Mapping[str, object]
    """The JSON schema of its input."""
    use: Callable[[Mapping[str, object]], Awaitable[BaseModel]]
    """Takes whatever a model sent; what does not fit comes back as `WrongInput`."""


def tool(
    name: str,
    *,
    description: str,
    takes: type[InputT],
    use: Callable[[InputT], Awaitable[BaseModel]],
) -> Tool:
    """Return a tool whose input is checked against the model `takes` before `use` gets it.

    What `use` raises ends the call of the model; whatever a model can mend it returns.
    """

    async def checked(given: Mapping[str, object]) -> BaseModel:
        try:
            wanted = takes.model_validate(given)
        except ValidationError as error:
            return WrongInput(done=False, problem=what_is_wrong(error))
        return await use(wanted)

    return Tool(name=name, description=description, schema=takes.model_json_schema(), use=checked)


def what_is_wrong(error: ValidationError) -> str:
    """Return what does not fit, in few words and without the values: more would confuse a small model."""
    found = error.errors(include_url=False, include_input=False)[:_ERRORS_TOLD]
    return "; ".join(": ".join(filter(None, [".".join(map(str, one["loc"])), one["msg"]])) for one in found)


GivenT = TypeVar("GivenT")
AnswerT = TypeVar("AnswerT", bound=BaseModel)


class Role(StrEnum):
    """Which of the configured models is asked."""

    CHAT = "chat"
    SUMMARY = "summary"
    MEMORY = "memory"
    LEARNING = "learning"


class Patience(StrEnum):
    """Who waits for the answer: a member, or nobody (background work)."""

    FOREGROUND = "foreground"
    BACKGROUND = "background"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """On whose account a model is asked, and how patiently."""

    guild_id: int = 0
    user_id: int = 0
    patience: Patience = Patience.BACKGROUND
    model: str = ""
    """The name of a model that is asked first where one for chat is wanted, if it is configured."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that a model which sees may look at."""

    content: bytes
    media_type: str


class Listener(Protocol):
    """Reads an answer while a model still writes it."""

    @property
    def is_shown(self) -> bool:
        """Whether a member has already seen the beginning, so that no other model may start over."""

    def heard(self, text: str) -> None:
        """Receive everything that a model has written so far; a model that starts over has less."""


def _accept(_: object) -> None:
    """Find nothing wrong."""


def _as_it_is(answer: AnswerT) -> AnswerT:
    """Change nothing."""
    return answer


def _without_nul(answer: AnswerT) -> AnswerT:
    """Return `answer` without the one character that JSON can carry and no database takes."""
    written = answer.model_dump_json()
    if _NUL not in written:
        return answer
    return type(answer).model_validate_json(written.replace(_NUL, ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[GivenT, AnswerT]):
    """What is asked (the template `prompts/<name>.j2`), of whom, what comes back, and what if nothing does.

    `frame` turns what the operation is given into the names that its template uses. The template says in which
    lines to answer: those that `bot/llm/lines.py` reads as `answer`. `mend` leaves out of an answer what cannot be
    (a member who was not offered, what is longer than allowed) and keeps the rest; `check` raises `ValueError` where
    nothing of use is left, and its text goes back to the model once. `fallback` answers from the same input without
    a model; it may say "keep what there was" or "nothing". An operation without template or fallback cannot be
    built: `OperationError`.
    """

    name: str
    role: Role
    answer: type[AnswerT]
    frame: Callable[[GivenT], Mapping[str, object]]
    fallback: Callable[[GivenT], AnswerT]
    mend: Callable[[GivenT, AnswerT], AnswerT] = lambda _given, answer: answer
    check: Callable[[GivenT, AnswerT], None] = lambda _given, _answer: None
    names: Callable[[GivenT], Mapping[str, str]] = lambda _given: NO_NAMES
    """Who may be called by a name in place of an id at the head of a line."""
    is_text: bool = False
    """The answer is one text: all that a model writes."""
    deadline_seconds: float = 30.0
    """Real seconds that all tries together may take."""

    def __post_init__(self) -> None:
        if not callable(self.fallback):
            raise OperationError(
                f"operation {self.name!r} has no fallback: write what happens without a model"
            )
        if not framing.has_template(self.name):
            raise OperationError(f"operation {self.name!r} has no template prompts/{self.name}.j2")

    def prompt(self, given: GivenT, *, has_tools: bool = False) -> str:
        """Return the prompt for `given`; the same input gives the same prompt, byte for byte.

        The template gets `has_tools`, since what it says about the model's abilities may depend on it.
        """
        return self._rendered(self.frame(given), has_tools=has_tools)

    def question(
        self,
        given: GivenT,
        *,
        asker: Asker,
        images: tuple[Image, ...] = (),
        tools: tuple[Tool, ...] = (),
        seconds: float | None = None,
        listener: Listener | None = None,
    ) -> "Question[AnswerT]":
        """Return what a model is asked about `given`; `seconds` shortens the deadline."""
        frame = self.frame(given)
        return Question(
            operation=self.name,
            role=self.role,
            prompt=self._rendered(frame, has_tools=False),
            prompt_with_tools=self._rendered(frame, has_tools=True) if tools else "",
            answer=self.answer,
            is_text=self.is_text,
            names=self.names(given),
            mend=lambda answer: self.mend(given, answer),
            check=lambda answer: self.check(given, answer),
            asker=asker,
            deadline_seconds=min(self.deadline_seconds, seconds or self.deadline_seconds),
            images=images,
            tools=tools,
            listener=listener,
        )

    def _rendered(self, frame: Mapping[str, object], *, has_tools: bool) -> str:
        return framing.render(self.name, {**frame, "has_tools": has_tools})


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[AnswerT]):
    """An operation as a model gets it."""

    operation: str
    role: Role
    prompt: str
    answer: type[AnswerT]
    is_text: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    mend: Callable[[AnswerT], AnswerT] = _as_it_is
    check: Callable[[AnswerT], None] = _accept
    asker: Asker = field(default_factory=Asker)
    deadline_seconds: float = 30.0
    images: tuple[Image, ...] = ()
    tools: tuple[Tool, ...] = ()
    """What a model that has tools may have done; the others answer without."""
    prompt_with_tools: str = ""
    """The prompt for a model that is offered the tools."""
    listener: Listener | None = None
    """Is told the text while it is written, by a model that is asked for one and offered no tools."""

    def read(self, text: str) -> AnswerT:
        """Return what a model wrote as an answer; raises `ValueError` for what is none."""
        return self.accepted(answer_in(self.answer, text, is_text=self.is_text, names=self.names))

    def accepted(self, answer: AnswerT) -> AnswerT:
        """Return what is left of an answer when it is mended; raises `ValueError` if that is of no use."""
        mended = self.mend(_without_nul(answer))
        self.check(mended)
        return mended


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer(Generic[AnswerT]):
    """What a model said, valid in form and checked, and what it cost."""

    value: AnswerT
    model: str
    tokens: int


class Models(Protocol):
    """Puts a question to the configured models."""

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        """Return a checked answer, or raise `ModelError` if no model of the role gives one in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Generic[AnswerT]):
    """How an operation ended. `degraded`: a fallback answered although a model was configured."""

    value: AnswerT
    seconds: float
    degraded: bool = False
    model: str | None = None
    tokens: int = 0
    refused: bool = False
    """Every model refused: to ask the same again is of no use."""
    unusable: bool = False
    """Every model answered or refused, and nothing of it could be used: to ask the same again is seldom of use."""


class Operations:
    """Runs operations, on models where there are any and on fallbacks where not; it never fails."""

    def __init__(self, models: Models | None = None, *, meter: Meter | None = None) -> None:
        self._models = models
        self._meter = meter or Meter()

    @property
    def has_models(self) -> bool:
        """Whether any model is configured."""
        return self._models is not None

    async def run(
        self,
        operation: Operation[GivenT, AnswerT],
        given: GivenT,
        *,
        asker: Asker | None = None,
        images: tuple[Image, ...] = (),
        seconds: float | None = None,
        tools: tuple[Tool, ...] = (),
        listener: Listener | None = None,
    ) -> Outcome[AnswerT]:
        """Return the answer of a model to `given`, or that of the fallback; `seconds` shortens the deadline.

        `listener` reads along; what it has shown stays shown, also if the fallback answers in the end. What a model
        had done by one of `tools` stays done, also if another model or the fallback answers then.
        """
        started = time.monotonic()
        with self._meter.span(f"operation {operation.name}") as span:
            if self._models is None:
                self._ended(operation.name, "no_model", span)
                return Outcome(value=operation.fallback(given), seconds=time.monotonic() - started)
            question = operation.question(
                given, asker=asker or Asker(), images=images, tools=tools, seconds=seconds, listener=listener
            )
            try:
                said = await self._models.ask(question)
            except ModelError as error:
                self._ended(operation.name, "degraded", span)
                value, seconds = operation.fallback(given), time.monotonic() - started
                refused = isinstance(error, ModelRefusedError)
                unusable = refused or isinstance(error, ModelUnusableError)
                return Outcome(
                    value=value, seconds=seconds, degraded=True, refused=refused, unusable=unusable
                )
            self._ended(operation.name, "model", span)
            seconds = time.monotonic() - started
            return Outcome(value=said.value, seconds=seconds, model=said.model, tokens=said.tokens)

    def _ended(self, name: str, outcome: OperationOutcome, span: Span) -> None:
        span.put({"keepsake.outcome": outcome})
        self._meter.note(OperationEnded(operation=name, outcome=outcome))

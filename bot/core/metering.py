"""Events for metrics and spans for traces, emitted at the edges of the code to whoever collects them, if anybody does.
They name operations, models, routes and functions, and hold numbers: no ids of guilds, members or channels, and no
text.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesHeard:
    """Messages that have become durable."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplySent:
    """An answer that arrived."""

    route: str
    """The way that it went, such as `chat` or `remember`."""
    degraded: bool
    """A fallback answered though a model was configured."""
    seconds: float
    """From the message, as it came, to the answer, as it was sent; real time."""


OperationOutcome: TypeAlias = Literal["model", "degraded", "no_model"]
"""By a model; by its fallback, since no model gave an answer; by its fallback, since none is configured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationEnded:
    """An operation that was answered."""

    operation: str
    outcome: OperationOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class TextsServed:
    """Generated texts that were read as they were stored or held, so that nobody was asked for them."""

    kind: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMade:
    """Background work that made a text and stored what came of it."""

    operation: str
    by_model: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCalled:
    """A model that was asked, or was not since it rests or has no energy left."""

    operation: str
    model: str
    ending: str
    """`answered`, why it failed, or why it was put off."""
    is_put_off: bool = False
    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Those of `input_tokens` that the provider still had from an earlier prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseAsked:
    """A read or a write that the database has answered."""

    seconds: float
    """Real time, with waiting for a connection and with trying again."""


Event: TypeAlias = (
    MessagesHeard | ReplySent | OperationEnded | TextsServed | TextMade | ModelCalled | DatabaseAsked
)

Listener: TypeAlias = Callable[[Event], None]
"""Takes note of an event; must neither wait nor raise."""


SpanKind: TypeAlias = Literal["internal", "client"]
"""Whether the span is of our own work, or of what another server was asked for."""

SpanPlace: TypeAlias = Literal["inside", "anew", "only inside"]
"""Inside the span in which it begins, if there is one; as the first of a trace; or nowhere unless inside another."""

SpanAttributes: TypeAlias = Mapping[str, str | int | bool]


class Span(Protocol):
    """Something that takes time, as a trace shows it."""

    def put(self, attributes: SpanAttributes) -> None:
        """Add what is known of it by now."""

    def failed(self, kind: str) -> None:
        """Note that it failed, and how; one that an error ends has failed by itself."""


class Tracer(Protocol):
    """Something that records traces."""

    def span(
        self, name: str, attributes: SpanAttributes, *, kind: SpanKind, place: SpanPlace
    ) -> AbstractContextManager[Span]:
        """Return a span that lasts as long as the context does; what begins inside it, tasks too, is inside it."""


class _NoSpan:
    """The span that is used while tracing is off."""

    def put(self, attributes: SpanAttributes) -> None:
        """Drop it."""

    def failed(self, kind: str) -> None:
        """Drop it."""


NO_SPAN: Final[Span] = _NoSpan()

_NOWHERE: Final = nullcontext(NO_SPAN)


class Meter:
    """Passes events to listeners, and spans to a tracer; without any it does nothing."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self.tracer: Tracer | None = None
        """Who makes traces, if anybody does."""

    def span(
        self,
        name: str,
        attributes: SpanAttributes | None = None,
        *,
        kind: SpanKind = "internal",
        place: SpanPlace = "inside",
    ) -> AbstractContextManager[Span]:
        """Return a span for what is done in its context."""
        if self.tracer is None:
            return _NOWHERE
        return self.tracer.span(name, attributes or {}, kind=kind, place=place)

    def attach(self, listener: Listener) -> None:
        """Tell `listener` from now on."""
        self._listeners.append(listener)

    def detach(self, listener: Listener) -> None:
        """Tell `listener` no more."""
        self._listeners.remove(listener)

    def note(self, event: Event) -> None:
        """Emit `event`."""
        for listener in self._listeners:
            listener(event)

"""All metrics in one table, and what updates them: events of the code, and reads of the installation."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, assert_never

from opentelemetry.metrics import CallbackOptions, Counter, Histogram, Observation
from opentelemetry.metrics import Meter as InstrumentMaker

from bot.core.metering import (
    DatabaseAsked,
    Event,
    MessagesHeard,
    ModelCalled,
    OperationEnded,
    ReplySent,
    TextMade,
    TextsServed,
)
from bot.llm.budget import Price
from bot.llm.chain import ModelName
from bot.memory.profiles.learning import LEARN_PROFILE
from bot.memory.rights.counting.installation import InstallationCounts
from bot.memory.summaries.episode_builder import COMPACT_EPISODES
from bot.memory.summaries.episode_prompt import MAKE_EPISODE


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """One figure, as it is exported. Attributes name operations, models, ways and queues: nobody, and no place."""

    name: str
    kind: Literal["counter", "histogram", "gauge"]
    unit: str
    """As OpenTelemetry writes it."""
    description: str
    attributes: tuple[str, ...] = ()


HEARD: Final = Instrument(
    name="keepsake.messages.heard",
    kind="counter",
    unit="{message}",
    description="Messages that became durable",
)
REPLIES: Final = Instrument(
    name="keepsake.replies",
    kind="counter",
    unit="{reply}",
    description="Answers that arrived",
    attributes=("route", "degraded"),
)
REPLY_SECONDS: Final = Instrument(
    name="keepsake.reply.duration",
    kind="histogram",
    unit="s",
    description="From a message, as it came, to its answer, as it was sent",
    attributes=("route",),
)
OPERATIONS: Final = Instrument(
    name="keepsake.operations",
    kind="counter",
    unit="{operation}",
    description="Questions that a model may answer, by who did: model, cached, degraded or no_model",
    attributes=("operation", "outcome"),
)
CALLS: Final = Instrument(
    name="keepsake.model.calls",
    kind="counter",
    unit="{call}",
    description="Models that were asked, by how that ended",
    attributes=("operation", "model", "outcome"),
)
CALL_SECONDS: Final = Instrument(
    name="keepsake.model.duration",
    kind="histogram",
    unit="s",
    description="Until a model had answered or failed",
    attributes=("operation", "model"),
)
PUT_OFF: Final = Instrument(
    name="keepsake.model.put_off",
    kind="counter",
    unit="{call}",
    description="Models that were not asked: they rest, or their energy, share or money is used up",
    attributes=("operation", "model", "reason"),
)
TOKENS: Final = Instrument(
    name="keepsake.model.tokens",
    kind="counter",
    unit="{token}",
    description="Tokens: in, out, and cached, which are among those in",
    attributes=("operation", "model", "kind"),
)
MONEY: Final = Instrument(
    name="keepsake.model.cost",
    kind="counter",
    unit="{currency}",
    description="What these tokens cost, in the currency of MODEL_PRICES",
    attributes=("operation", "model"),
)
LEARNINGS: Final = Instrument(
    name="keepsake.learnings",
    kind="counter",
    unit="{learning}",
    description="Profiles that a model told from what a member had said; without one nothing is learned",
)
EPISODES: Final = Instrument(
    name="keepsake.episodes.made",
    kind="counter",
    unit="{episode}",
    description="Ended conversations of which a model made an episode; without one none is made",
)
COMPACTIONS: Final = Instrument(
    name="keepsake.episodes.compacted",
    kind="counter",
    unit="{compaction}",
    description="Times that a channel had too many episodes and some were merged or removed, by a model or by rules",
    attributes=("by",),
)
TEXTS: Final = Instrument(
    name="keepsake.texts.made",
    kind="counter",
    unit="{text}",
    description="Other texts made in the background, such as merge_facts, by a model or by rules",
    attributes=("operation", "by"),
)
DATABASE_SECONDS: Final = Instrument(
    name="keepsake.database.duration",
    kind="histogram",
    unit="s",
    description="Until the database had answered, with waiting for a connection and trying again",
)
ENERGY: Final = Instrument(
    name="keepsake.model.energy",
    kind="gauge",
    unit="%",
    description="What is left of the quotas of a model; 100 where nothing limits it",
    attributes=("model",),
)
QUEUE: Final = Instrument(
    name="keepsake.queue.length",
    kind="gauge",
    unit="{item}",
    description="What waits: work (due jobs), facts (messages to be read for facts), answers (to be sent)",
    attributes=("queue",),
)
QUEUE_AGE: Final = Instrument(
    name="keepsake.queue.age",
    kind="gauge",
    unit="s",
    description="How old the oldest is that waits; 0 if nothing does",
    attributes=("queue",),
)
CHANNEL_SHARE: Final = Instrument(
    name="keepsake.channels.with_memories",
    kind="gauge",
    unit="1",
    description="Share of channels in which a conversation left an episode",
)
CONVERSATION_SHARE: Final = Instrument(
    name="keepsake.conversations.with_memories",
    kind="gauge",
    unit="1",
    description="Share of ended conversations with the bot that an episode tells of",
)
MEMORY_SHARE: Final = Instrument(
    name="keepsake.tokens.on_memory",
    kind="gauge",
    unit="1",
    description="Share of the tokens of the last 7 days that went into remembering instead of answering",
)

INSTRUMENTS: Final = (
    HEARD,
    REPLIES,
    REPLY_SECONDS,
    OPERATIONS,
    CALLS,
    CALL_SECONDS,
    PUT_OFF,
    TOKENS,
    MONEY,
    LEARNINGS,
    EPISODES,
    COMPACTIONS,
    TEXTS,
    DATABASE_SECONDS,
    ENERGY,
    QUEUE,
    QUEUE_AGE,
    CHANNEL_SHARE,
    CONVERSATION_SHARE,
    MEMORY_SHARE,
)

BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 60.0)
"""Seconds, from a fast statement to a reply that is too late."""

ANSWERING: Final = frozenset({"reply", "route", "preview", "check_model"})
"""The operations that answer somebody; all others remember."""

_TOLD_BY: Final = {
    "day": "summarise_day",
    "mood": "summarise_day",
    "facts": "merge_facts",
    "context": "merge_context",
}
"""By the kind of a text that is served as it is stored: the operation that made it."""


_BY_MODELS_ALONE: Final = {LEARN_PROFILE.name: LEARNINGS, MAKE_EPISODE.name: EPISODES}
"""By the operation: what is counted only if a model answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauges:
    """What is read of an installation, at one moment."""

    counts: InstallationCounts
    energies: Mapping[str, float]
    """By model, in percent."""

    def observed(self) -> Mapping[Instrument, Sequence[Observation]]:
        """Return what each gauge shows; a share of nothing is left out."""
        counts, shares = self.counts, self.counts.shares
        queues = {"work": counts.work, "facts": counts.unread, "answers": counts.answers}
        on_memory = sum(tokens for name, tokens in counts.tokens.items() if name not in ANSWERING)
        return {
            ENERGY: [Observation(left, {"model": model}) for model, left in self.energies.items()],
            QUEUE: [Observation(one.count, {"queue": name}) for name, one in queues.items()],
            QUEUE_AGE: [Observation(one.oldest_seconds, {"queue": name}) for name, one in queues.items()],
            CHANNEL_SHARE: _share(shares.channels_with, shares.channels),
            CONVERSATION_SHARE: _share(shares.conversations_with, shares.conversations),
            MEMORY_SHARE: _share(on_memory, sum(counts.tokens.values())),
        }


def _share(part: int, whole: int) -> list[Observation]:
    return [Observation(part / whole)] if whole else []


class Instruments:
    """The instruments of one process: raised by events, and, if they are gauges, by what was read last."""

    def __init__(self, maker: InstrumentMaker, *, prices: Mapping[ModelName, Price]) -> None:
        self._prices = {str(model): price for model, price in prices.items()}
        self._observed: Mapping[Instrument, Sequence[Observation]] = {}
        self._counters: dict[Instrument, Counter] = {}
        self._histograms: dict[Instrument, Histogram] = {}
        for one in INSTRUMENTS:
            match one.kind:
                case "counter":
                    self._counters[one] = maker.create_counter(one.name, one.unit, one.description)
                case "histogram":
                    self._histograms[one] = maker.create_histogram(
                        one.name, one.unit, one.description, explicit_bucket_boundaries_advisory=BUCKETS
                    )
                case "gauge":
                    maker.create_observable_gauge(one.name, [self._observing(one)], one.unit, one.description)
                case kind:
                    assert_never(kind)
        for one, counter in self._counters.items():
            # What did not happen yet is 0 and not unknown, where it is known what there is to count.
            if not one.attributes:
                counter.add(0)

    def read(self, gauges: Gauges) -> None:
        """Set the values that the gauges show."""
        self._observed = gauges.observed()

    def note(self, event: Event) -> None:
        """Raise what counts `event`."""
        match event:
            case MessagesHeard():
                self._add(HEARD, event.count)
            case ReplySent():
                self._add(REPLIES, 1, route=event.route, degraded=str(event.degraded).lower())
                self._took(REPLY_SECONDS, event.seconds, route=event.route)
            case OperationEnded():
                self._add(OPERATIONS, 1, operation=event.operation, outcome=event.outcome)
            case TextsServed():
                operation = _TOLD_BY.get(event.kind, event.kind)
                self._add(OPERATIONS, event.count, operation=operation, outcome="cached")
            case TextMade():
                self._text_made(event)
            case ModelCalled():
                self._model_called(event)
            case DatabaseAsked():
                self._took(DATABASE_SECONDS, event.seconds)
            case _:
                assert_never(event)

    def _text_made(self, event: TextMade) -> None:
        by = "model" if event.by_model else "rules"
        if event.operation == COMPACT_EPISODES.name:
            self._add(COMPACTIONS, 1, by=by)
        elif event.operation not in _BY_MODELS_ALONE:
            self._add(TEXTS, 1, operation=event.operation, by=by)
        elif event.by_model:
            self._add(_BY_MODELS_ALONE[event.operation], 1)

    def _model_called(self, event: ModelCalled) -> None:
        which = {"operation": event.operation, "model": event.model}
        if event.is_put_off:
            self._add(PUT_OFF, 1, **which, reason=event.ending)
            return
        self._add(CALLS, 1, **which, outcome=event.ending)
        self._took(CALL_SECONDS, event.seconds, **which)
        tokens = {"in": event.input_tokens, "out": event.output_tokens, "cached": event.cached_tokens}
        for kind, count in tokens.items():
            self._add(TOKENS, count, **which, kind=kind)
        if price := self._prices.get(event.model):
            self._add(MONEY, price.of(event), **which)

    def _add(self, instrument: Instrument, amount: float, **attributes: str) -> None:
        self._counters[instrument].add(amount, attributes)

    def _took(self, instrument: Instrument, seconds: float, **attributes: str) -> None:
        self._histograms[instrument].record(seconds, attributes)

    def _observing(self, instrument: Instrument) -> Callable[[CallbackOptions], Iterable[Observation]]:
        return lambda _: self._observed.get(instrument, ())

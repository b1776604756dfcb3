"""Statistics in words and as charts: pure functions from counts to what is shown.

The words contain everything that the charts show. Front ends draw the charts in their own ways, or omit them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_skeleton
from babel.numbers import format_compact_decimal, format_decimal

from bot.core.domain import Language
from bot.llm.budget import Price, Spent
from bot.llm.chain import ModelName
from bot.llm.spending import Spending, spending_by_day
from bot.memory.rights.counting.counting import GuildCounts, KeptCounts
from bot.text.sentences import Key, say

MOST_DESCRIBED: Final = 1_024
"""Characters of a description: what Discord takes for that of a file."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One value of a chart."""

    label: str
    value: float
    shown: str
    """The value as it is written."""
    parts: tuple[float, ...] = ()
    """What it is made up of, in the order of the chart's `parts`."""
    shown_parts: tuple[str, ...] = ()
    """The parts as they are written."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Values side by side; at least one of them is not 0."""

    title: str
    bars: tuple[Bar, ...]
    by_day: bool = False
    """Whether the bars are days, one after the other."""
    parts: tuple[str, ...] = ()
    """Of days that are drawn as a stack: what each part of it is called, from below."""

    @property
    def words(self) -> str:
        """The chart in words."""
        if not self.by_day:
            return f"{self.title}: {', '.join(f'{one.label} {one.shown}' for one in self.bars)}."
        values = "; ".join(one.shown for one in self.bars)
        days = f"{self.bars[0].label} – {self.bars[-1].label}"
        return f"{self.title}, {days}: {values.removesuffix('.')}."


@dataclass(frozen=True, slots=True)
class Figures:
    """Statistics about how much is kept."""

    text: str
    charts: tuple[Chart, ...] = ()

    @property
    def description(self) -> str:
        """The charts in words, for who cannot see them, as long as a file's description may be."""
        described = " ".join(chart.words for chart in self.charts)
        return described if len(described) <= MOST_DESCRIBED else described[: MOST_DESCRIBED - 1] + "…"


def own_figures(kept: KeptCounts, language: Language, *, zone: ZoneInfo, title: Key = "stats.own") -> Figures:
    """Return a member's statistics about themselves, below a title, with days of the given zone."""
    told = _Told(language, zone)
    if not (kept.messages.messages or kept.all_facts or kept.texts.days or kept.texts.profiles):
        return Figures(told.sentence("stats.nothing_own"))
    lines = [
        told.sentence(title),
        *told.kept(kept),
        told.sentence("stats.days", days=told.number(kept.texts.days)),
        *told.closed(kept),
        *told.last_days(kept),
    ]
    return Figures("\n".join(lines), told.charts_of(kept))


def guild_figures(
    counts: GuildCounts,
    prices: Mapping[ModelName, Price],
    language: Language,
    *,
    zone: ZoneInfo,
    title: str = "",
) -> Figures:
    """Return the statistics of a guild for its managers, with the use of models.

    `title` replaces the one that the bot uses for managers.
    """
    told, kept = _Told(language, zone), counts.kept
    spent = spending_by_day(counts.usage, prices)
    lines = [
        title or told.sentence("stats.guild"),
        *told.kept(kept),
        told.sentence("stats.days", days=told.number(kept.texts.days)),
        told.sentence("stats.episodes", episodes=told.number(kept.texts.episodes)),
        told.sentence("stats.profiles", profiles=told.number(kept.texts.profiles)),
        *told.closed(kept),
        *told.last_days(kept),
        *told.spent(sum(spent.values(), Spending()), days=len(kept.by_day)),
    ]
    return Figures("\n".join(lines), (*told.charts_of(kept), *told.spending_charts(spent, kept.by_day)))


def spending_lines(
    usage: Sequence[Spent], prices: Mapping[ModelName, Price], language: Language, *, days: int
) -> list[str]:
    """Return the lines about the use of models in the last `days`."""
    together = sum(spending_by_day(usage, prices).values(), Spending())
    return _Told(language, ZoneInfo("UTC")).spent(together, days=days)


@dataclass(frozen=True, slots=True)
class _Told:
    """Sentences and charts in one language, with days of one time zone."""

    language: Language
    zone: ZoneInfo

    def sentence(self, key: Key, **values: str | int) -> str:
        return say(key, self.language, **values)

    def number(self, value: float) -> str:
        """Return a number as the language groups its digits."""
        return format_decimal(value, locale=self.language)

    def compact(self, value: float) -> str:
        """Return a number with as few digits as tell how large it is."""
        return format_compact_decimal(value, locale=self.language, fraction_digits=1)

    def money(self, value: float) -> str:
        return format_decimal(value, format="#,##0.00", locale=self.language)

    def short(self, day: date) -> str:
        return format_skeleton("MMMd", day, locale=self.language)

    def kept(self, kept: KeptCounts) -> list[str]:
        """Return how many messages and facts there are."""
        said = kept.messages
        lines = []
        if said.messages and said.first_at is not None:
            since = format_date(
                said.first_at.astimezone(self.zone).date(), format="long", locale=self.language
            )
            lines.append(self.sentence("stats.messages", messages=self.number(said.messages), day=since))
        else:
            lines.append(self.sentence("stats.no_messages"))
        if not kept.all_facts:
            return [*lines, self.sentence("stats.no_facts")]
        kinds = ", ".join(f"{one.label} {one.shown}" for one in self._kinds(kept))
        return [*lines, self.sentence("stats.facts", facts=self.number(kept.all_facts), kinds=kinds)]

    def closed(self, kept: KeptCounts) -> list[str]:
        """Return how much of it belongs to closed channels, if any does."""
        facts = sum(one.closed for one in kept.facts.values())
        if not (kept.messages.closed or facts):
            return []
        messages = self.number(kept.messages.closed)
        return [self.sentence("stats.closed", messages=messages, facts=self.number(facts))]

    def last_days(self, kept: KeptCounts) -> list[str]:
        """Return how many messages the last days had, and which day had most of them."""
        days = self.sentence("count.days", count=len(kept.by_day))
        messages = sum(kept.by_day.values())
        if not messages:
            return [self.sentence("stats.silent", days=days)]
        most = max(kept.by_day, key=lambda day: (kept.by_day[day], day))
        return [
            self.sentence(
                "stats.last_days",
                days=days,
                messages=self.number(messages),
                day=self.short(most),
                most=self.number(kept.by_day[most]),
            )
        ]

    def spent(self, spent: Spending, *, days: int) -> list[str]:
        """Return what models were asked in the last days, and what it cost where that is known."""
        lasted = self.sentence("count.days", count=days)
        if not spent.calls:
            return [self.sentence("stats.no_calls", days=lasted)]
        lines = [
            self.sentence(
                "stats.calls",
                days=lasted,
                calls=self.number(spent.calls),
                failures=self.number(spent.failures),
                read=self.number(spent.input_tokens),
                cached=self.number(spent.cached_tokens),
                written=self.number(spent.output_tokens),
            )
        ]
        if spent.is_priced:
            lines.append(self.sentence("stats.money", money=self.money(spent.money)))
        if spent.unpriced:
            lines.append(self.sentence("stats.unpriced", models=", ".join(sorted(spent.unpriced))))
        return lines

    def charts_of(self, kept: KeptCounts) -> tuple[Chart, ...]:
        """Return the charts of messages and facts."""
        kinds = Chart(self.sentence("stats.chart_facts"), tuple(self._kinds(kept)))
        messages = self._by_day("stats.chart_messages", kept.by_day, kept.by_day, self.number)
        return (*messages, *((kinds,) if kinds.bars else ()))

    def spending_charts(
        self, spent: Mapping[date, Spending], shown: Mapping[date, object]
    ) -> tuple[Chart, ...]:
        """Return the charts of what models took; days of the quotas that are not `shown` are left out."""
        calls = {day: one.calls for day, one in spent.items()}
        tokens = {day: one.tokens for day, one in spent.items()}
        money = {day: one.money for day, one in spent.items()}
        return (
            *self._by_day("stats.chart_calls", calls, shown, self.number),
            *self._by_day("stats.chart_tokens", tokens, shown, self.compact),
            *self._by_day("stats.chart_money", money, shown, self.money),
        )

    def _by_day(
        self,
        title: Key,
        values: Mapping[date, float],
        shown: Mapping[date, object],
        write: Callable[[float], str],
    ) -> Sequence[Chart]:
        """Return a chart with a bar for each of the days that are shown, none if all of them are empty."""
        days = [(day, values.get(day, 0)) for day in shown]
        if not any(value for _, value in days):
            return ()
        bars = tuple(Bar(self.short(day), value, write(value)) for day, value in days)
        return (Chart(self.sentence(title), bars, by_day=True),)

    def _kinds(self, kept: KeptCounts) -> list[Bar]:
        """Return the kinds of facts, the most frequent first."""
        ordered = sorted(kept.facts.items(), key=lambda one: (-one[1].facts, one[0]))
        return [
            Bar(self.sentence(f"category.{kind}"), count.facts, self.number(count.facts))
            for kind, count in ordered
        ]

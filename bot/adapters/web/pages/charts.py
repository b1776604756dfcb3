"""Charts of the pages: drawings that take their colours from the style sheet, each with its values as a table."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

from babel.dates import format_skeleton
from babel.numbers import format_compact_decimal, format_decimal, format_percent
from cachetools import LRUCache
from markupsafe import Markup

from bot.adapters.plots import FAINT, PARTS, TEXT, picture_of
from bot.chat.figures import Bar, Chart, guild_figures
from bot.core.domain import Language
from bot.llm.budget import Price
from bot.llm.chain import ModelName
from bot.llm.spending import Spending, spending_by_day, spending_of
from bot.memory.rights.counting.counting import GuildCounts
from bot.text.sentences import say

_LANGUAGE: Final = Language.ENGLISH

_CLASSES: Final = {TEXT: "plot-text", FAINT: "plot-grid"} | {
    colour: f"plot-bar part-{number}" for number, colour in enumerate(PARTS)
}
"""Classes of the style sheet by the colours of the drawing. What has another colour, the background, is left out."""

_TEXT_PLACE: Final = ("x", "y")
_TEXT_STYLE: Final = ("font-size", "text-anchor")

_MOST_OPERATIONS: Final = 8
"""In a chart: what fits without its names running into one another."""


_drawn: LRUCache[Chart, Markup] = LRUCache(128)
"""Drawings by what they show: most are the same from one look to the next, and each takes a tenth of a second."""


@dataclass(frozen=True, slots=True)
class DrawnChart:
    """A chart as a page shows it."""

    chart: Chart
    svg: Markup | None
    """`None` if nothing that could draw it is installed: the table is there all the same."""


async def drawn_charts(charts: Iterable[Chart]) -> Sequence[DrawnChart]:
    """Return charts with their drawings."""
    return [DrawnChart(chart, await _drawing(chart)) for chart in charts]


async def _drawing(chart: Chart) -> Markup | None:
    if chart in _drawn:
        return _drawn[chart]
    # The page writes the title itself.
    picture = await picture_of([replace(chart, title="")], picture="svg")
    if picture is None:
        return None
    _drawn[chart] = await asyncio.to_thread(inline_svg, picture, chart.title)
    return _drawn[chart]


def inline_svg(picture: bytes, title: str) -> Markup:
    """Return a drawing to stand in a page: paths and texts alone, without ids, styles, metadata or times.

    A policy that forbids styles in pages would not show it otherwise, and ids of several drawings would clash.
    """
    root = ElementTree.fromstring(picture)  # noqa: S314 - it was drawn right here
    made = ElementTree.Element(
        "svg", {"class": "plot", "viewBox": root.attrib["viewBox"], "role": "img", "aria-label": title}
    )
    for element in root.iter():
        style = {
            name.strip(): value.strip()
            for name, _, value in (one.partition(":") for one in element.get("style", "").split(";"))
        }
        colour = _CLASSES.get(style.get("stroke", style.get("fill", "")))
        match element.tag.rpartition("}")[2]:
            case "path" if colour is not None:
                path = " ".join(element.attrib["d"].split())
                ElementTree.SubElement(made, "path", {"class": colour, "d": path})
            case "text" if colour is not None:
                place = {name: element.attrib[name] for name in _TEXT_PLACE}
                place |= {name: style[name] for name in _TEXT_STYLE}
                ElementTree.SubElement(made, "text", {"class": colour, **place}).text = element.text
    return Markup(ElementTree.tostring(made, encoding="unicode"))  # noqa: S704 - all of it was escaped just now


def charts_of(counts: GuildCounts, prices: Mapping[ModelName, Price]) -> Sequence[Chart]:
    """Return the charts of what is kept and of what models took; one without any value is left out."""
    by_operation: dict[str, Spending] = {}
    for used in counts.usage:
        so_far = by_operation.get(used.operation, Spending())
        by_operation[used.operation] = so_far + spending_of(used, prices)
    charts = (
        # What a day cost is drawn as a stack below.
        *(
            one
            for one in guild_figures(counts, prices, _LANGUAGE, zone=ZoneInfo("UTC")).charts
            if one.title != say("stats.chart_money", _LANGUAGE)
        ),
        _by_operation("Calls by operation", by_operation, lambda one: one.calls, _number),
        _by_operation("Tokens by operation", by_operation, lambda one: one.tokens, _compact),
        _money_by_day(counts, prices, by_operation),
        _cache_hits(counts, prices),
    )
    return [one for one in charts if any(bar.value for bar in one.bars)]


def _by_operation(
    title: str,
    spent: Mapping[str, Spending],
    value_of: Callable[[Spending], float],
    write: Callable[[float], str],
) -> Chart:
    """Return a chart of the operations that took most."""
    values = {operation: value_of(one) for operation, one in spent.items()}
    most = sorted(values, key=lambda operation: (-values[operation], operation))[:_MOST_OPERATIONS]
    bars = (Bar(one.replace("_", " "), values[one], write(values[one])) for one in most if values[one])
    return Chart(title, tuple(bars))


def _money_by_day(
    counts: GuildCounts, prices: Mapping[ModelName, Price], by_operation: Mapping[str, Spending]
) -> Chart:
    """Return a chart of what each day cost, made up of the operations that cost most and of all others."""
    dear = sorted(
        (one for one in by_operation if by_operation[one].money), key=lambda one: -by_operation[one].money
    )
    named = dear[: len(PARTS)] if len(dear) <= len(PARTS) else dear[: len(PARTS) - 1]
    names = tuple(one.replace("_", " ") for one in named) + (("others",) if len(dear) > len(named) else ())
    stacks = {day: [0.0] * len(names) for day in counts.kept.by_day}
    for used in counts.usage:
        if used.day in stacks and used.operation in dear:
            place = named.index(used.operation) if used.operation in named else len(names) - 1
            stacks[used.day][place] += spending_of(used, prices).money
    bars = []
    for day, parts in stacks.items():
        label = format_skeleton("MMMd", day, locale=_LANGUAGE)
        bars.append(Bar(label, sum(parts), _money(sum(parts)), tuple(parts), tuple(map(_money, parts))))
    return Chart("Money a day by operation", tuple(bars), by_day=True, parts=names)


def energy_chart(energies: Mapping[str, float]) -> Chart:
    """Return a chart of what is left of the quotas of models now."""
    bars = (
        Bar(model, left, format_percent(left / 100, locale=_LANGUAGE))
        for model, left in sorted(energies.items())
    )
    return Chart("Energy of models now, % left of their quotas", tuple(bars))


def _cache_hits(counts: GuildCounts, prices: Mapping[ModelName, Price]) -> Chart:
    """Return a chart of how much of what models read a provider still had, by day."""
    spent = spending_by_day(counts.usage, prices)
    bars = []
    for day in counts.kept.by_day:
        one = spent.get(day, Spending())
        share = one.cached_tokens / max(1, one.input_tokens)
        label = format_skeleton("MMMd", day, locale=_LANGUAGE)
        bars.append(Bar(label, round(100 * share, 1), format_percent(share, locale=_LANGUAGE)))
    return Chart("Cache hits, % of the tokens read", tuple(bars), by_day=True)


def _number(value: float) -> str:
    return format_decimal(value, locale=_LANGUAGE)


def _compact(value: float) -> str:
    return format_compact_decimal(value, locale=_LANGUAGE, fraction_digits=1)


def _money(value: float) -> str:
    return format_decimal(value, format="#,##0.00", locale=_LANGUAGE)

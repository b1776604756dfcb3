"""Spans of time as people name them: the time expressions in a question, by the tables of each language."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from types import ModuleType
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from bot.text.calendar import (
    ISO,
    LEXICONS,
    NEAR_DAYS,
    NUMBER,
    UNITS,
    Calendar,
    Span,
    month_of,
    number_of,
    unit_words,
    weekday_of,
)
from bot.text.languages import filled, rows, with_gaps

_LONGEST: Final = 4_000
"""Characters of a text in which expressions are looked for: nobody asks that long."""


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A time expression, where it stands in the text, and what it means."""

    start: int
    end: int
    span: Span


class _Words:
    """What the groups of a rule caught; nothing for groups that it does not have."""

    def __init__(self, match: re.Match[str]) -> None:
        self._caught = match.groupdict()

    def __getitem__(self, group: str) -> str:
        return " ".join((self._caught.get(group) or "").lower().split())

    @property
    def gone(self) -> bool:
        return bool(self["gone"])

    @property
    def year(self) -> int | None:
        return int(self["year"]) if self["year"] else None


def _period(calendar: Calendar, said: _Words) -> Span:
    unit = UNITS[said["unit"]]
    if unit == "weekend" and said.gone:
        return calendar.latest_weekend()
    return calendar.period(unit, -1 if said.gone else 0)


def _season(calendar: Calendar, said: _Words) -> Span:
    season = next(
        season
        for lexicon in LEXICONS
        for season, words in lexicon.SEASONS.items()
        if said["season"] in words.split("|")
    )
    return calendar.season(season, said.year, gone=said.gone)


_MEANINGS: Final[Mapping[str, Callable[[Calendar, _Words], Span]]] = {
    "iso": lambda calendar, said: calendar.days(date.fromisoformat(said["iso"])),
    "numbers": lambda calendar, said: calendar.day_named(int(said["day"]), int(said["month"]), said.year),
    "day": lambda calendar, said: calendar.day_named(int(said["day"]), month_of(said["month"]), said.year),
    "near": lambda calendar, said: (
        calendar.night_before() if said["night"] else calendar.ago(-NEAR_DAYS[said["said"]], "day")
    ),
    "ago": lambda calendar, said: calendar.ago(number_of(said["count"]), UNITS[said["unit"]]),
    "past": lambda calendar, said: calendar.past(number_of(said["count"]), UNITS[said["unit"]]),
    "period": _period,
    "weekend": lambda calendar, _: calendar.latest_weekend(),
    "weekday": lambda calendar, said: calendar.weekday(weekday_of(said["day"]), gone=said.gone),
    "month": lambda calendar, said: calendar.month_named(month_of(said["month"]), said.year),
    "season": _season,
    "year": lambda calendar, said: calendar.year(int(said["year"])),
}
"""What the rows of the languages' tables mean, by their names, in the order in which they are tried."""

_Rule: TypeAlias = tuple[re.Pattern[str], str]


def _rules(table: str, lexicon: ModuleType | None = None) -> Iterator[_Rule]:
    parts = {
        "year": r"(?P<year>(?:19|20)\d\d)",
        "count": f"(?P<count>{NUMBER})",
        "unit": f"(?P<unit>{unit_words('hour', 'day', 'week', 'month', 'year', shortest=3)})",
    }
    if lexicon is not None:
        parts |= {
            "in_year": lexicon.IN_YEAR,
            "month": f"(?P<month>{lexicon.MONTH})",
            "weekday": f"(?P<day>{lexicon.WEEKDAY})",
            "season": f"(?P<season>{'|'.join(lexicon.SEASONS.values())})",
        }
    for name, pattern in rows(table):
        whole = with_gaps(rf"(?<![\w@#-])(?:{filled(pattern, parts)})(?![\w-])")
        yield re.compile(whole, re.IGNORECASE), name


_NUMBERS: Final = rf"""
iso: (?P<iso>{ISO})
numbers: (?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.{{year}}
"""
_RULES: Final = sorted(
    [*_rules(_NUMBERS), *(rule for lexicon in LEXICONS for rule in _rules(lexicon.SPANS, lexicon))],
    key=lambda rule: list(_MEANINGS).index(rule[1]),
)
_NAMED: Final = [rule for lexicon in LEXICONS for rule in _rules(lexicon.NAMED, lexicon)]
_OPENINGS: Final = {word: opening for lexicon in LEXICONS for word, opening in lexicon.OPENINGS.items()}
_OPEN: Final = re.compile(rf"(?<!\w)(?<!day\s)(?P<open>{'|'.join(_OPENINGS)})\s+(?:the\s+)?", re.IGNORECASE)
_FROM, _TO = ("|".join(lexicon.RANGE[part] for lexicon in LEXICONS) for part in (0, 1))
_RANGE: Final = re.compile(
    rf"\b(?:{_FROM})\s+(?P<first>.{{2,24}}?)\s+(?:{_TO})\s+(?P<last>.{{2,24}})", re.IGNORECASE
)


def time_in(text: str, *, now: datetime, time_zone: str) -> TimeExpression | None:
    """Return the first time expression of `text` with the span that it means, or `None` if it has none.

    Reckoned from the aware moment `now` in `time_zone`, weeks beginning on Monday. A month, a season, a day of the
    week or of the year without its year is the latest that has come, since questions look back. Nothing is raised,
    whatever the text. A zone that does not exist raises `ZoneInfoNotFoundError`.
    """
    calendar = Calendar(now, ZoneInfo(time_zone))
    asked = text[:_LONGEST]
    return _between(asked, calendar) or _opened(asked, calendar) or _first(asked, calendar)


def _between(text: str, calendar: Calendar) -> TimeExpression | None:
    for match in _RANGE.finditer(text):
        first = _at_start(match["first"], calendar)
        last = _at_start(match["last"], calendar)
        if first is not None and last is not None and first.end == len(match["first"]):
            return TimeExpression(match.start(), match.start("last") + last.end, first.span.until(last.span))
    return None


def _opened(text: str, calendar: Calendar) -> TimeExpression | None:
    for match in _OPEN.finditer(text):
        named = _at_start(text[match.end() :], calendar)
        if named is None:
            continue
        span = {
            "since": Span(named.span.begins, None),
            "after": Span(named.span.ends, None),
            "until": Span(None, named.span.begins),
        }[_OPENINGS[match["open"].lower()]]
        return TimeExpression(match.start(), match.end() + named.end, span)
    return None


def _at_start(text: str, calendar: Calendar) -> TimeExpression | None:
    """Return the longest expression with which `text` begins; here a month or a year may stand alone."""
    found = _meant(calendar, ((rule[0].match(text), rule[1]) for rule in (*_RULES, *_NAMED)))
    return max(found, key=lambda expression: expression.end, default=None)


def _first(text: str, calendar: Calendar) -> TimeExpression | None:
    found = ((match, name) for pattern, name in _RULES for match in pattern.finditer(text))
    return next(_meant(calendar, found), None)


def _meant(calendar: Calendar, found: Iterable[tuple[re.Match[str] | None, str]]) -> Iterator[TimeExpression]:
    """Yield what matches of rules mean, but for days that no calendar has."""
    for match, name in found:
        if match is not None:
            try:
                span = _MEANINGS[name](calendar, _Words(match))
            except (ValueError, OverflowError):
                continue
            yield TimeExpression(match.start(), match.end(), span)

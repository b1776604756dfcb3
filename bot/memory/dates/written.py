"""Dates written with numbers, in either language: absolute ones stay, "20 June" gets its year."""

import re
from datetime import date, datetime
from typing import Final

from bot.memory.dates.said import PREPOSITIONS, Change, Rule, Said, rule
from bot.memory.tokens import words

MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)"
)
ISO: Final = r"(?:\d{4}-\d\d-\d\d)"
_MONTHS: Final = "jan feb mar apr may jun jul aug sep oct nov dec"
_RUSSIAN_MONTHS: Final = "янв фев мар апр мая июн июл авг сен окт ноя дек"
_WEEKDAY: Final = (
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
    r"|(?:понедельник|вторник|сред|четверг|пятниц|суббот|воскресень)[а-я]?)"
)
_ORDINAL: Final = r"(?:st|nd|rd|th)"
_UNSURE: Final = words("may march mar")
_INTRODUCING: Final = PREPOSITIONS | words("is was are were due")


def _iso(_said: Said, match: re.Match[str]) -> Change | None:
    return Change(match[0], date.fromisoformat(match["iso"]))


def _with_year(_said: Said, match: re.Match[str]) -> Change | None:
    return Change(match[0], date(int(match["year"]), _month(match["month"]), int(match["day"])))


def day_in(text: str) -> date | None:
    """Return the day that the first date in `text` names, which has its year; `None` if there is none such."""
    for pattern, change in _ABSOLUTE:
        found = pattern.search(text)
        if found is not None and (named := change(Said(text, datetime.min), found)) is not None:
            return named.day
    return None


def _month(name: str) -> int:
    """Return the number of a month from its number, or its English or Russian name."""
    if name.isdigit():
        return int(name)
    months = _MONTHS if name.isascii() else _RUSSIAN_MONTHS
    return months.index(name.lower()[:3]) // 4 + 1


def _without_year(said: Said, match: re.Match[str]) -> Change | None:
    name = match["month"]
    introduced = match["ordinal"] is not None or said.before(match) in _INTRODUCING
    if said.returns(match) or (name in _UNSURE and not introduced):
        return None
    found = said.such_day(_month(name), int(match["day"]), past=said.is_past(match))
    if found is None:
        return None
    comma = "," if match[0].lower().startswith(name.lower()) else ""
    return Change(f"{match[0]}{comma} {found.year:04d}", None if match["range"] else found)


_ABSOLUTE: Final[tuple[Rule, ...]] = (
    rule(rf"(?:{_WEEKDAY}(?:\s+(?:morning|afternoon|evening|night))?\s+)?(?P<iso>{ISO})", _iso),
    rule(
        rf"(?P<day>\d{{1,2}}){_ORDINAL}?(?:\s+of)?\s+(?P<month>{MONTH})\.?,?\s+(?P<year>\d{{4}})", _with_year
    ),
    rule(
        rf"(?P<month>{MONTH})\.?\s+(?:the\s+)?(?P<day>\d{{1,2}}){_ORDINAL}?,?\s+(?P<year>\d{{4}})", _with_year
    ),
    rule(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})", _with_year),
)

RULES: Final[tuple[Rule, ...]] = (
    *_ABSOLUTE,
    rule(
        rf"(?P<range>\d{{1,2}}\s*[-–]\s*)?(?P<day>\d{{1,2}})(?P<ordinal>{_ORDINAL}?(?:\s+of)?)?\s+(?P<month>{MONTH})(?!,?\s+\d{{4}})",
        _without_year,
    ),
    rule(
        rf"(?P<month>{MONTH})\s+(?:the\s+)?(?P<range>\d{{1,2}}\s*[-–]\s*)?(?P<day>\d{{1,2}})(?P<ordinal>{_ORDINAL})?(?!:|,?\s+\d{{4}})",
        _without_year,
    ),
)
"""The absolute ones first: what has its year already is claimed before anything could add one."""

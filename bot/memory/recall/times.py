"""Time expressions in a question, English and Russian, and the span of time that each means."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from bot.memory.recall.calendar import Calendar, Span

_MONTHS: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?"
    r"|январ[еяь]|феврал[еяь]|март[еа]?|апрел[еяь]|ма[еяй]|июн[еяь]|июл[еяь]|август[еа]?|сентябр[еяь]"
    r"|октябр[еяь]|ноябр[еяь]|декабр[еяь])"
)
_ENGLISH_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_RUSSIAN_MONTHS: Final = ("янв", "фев", "мар", "апр", "ма", "июн", "июл", "авг", "сен", "окт", "ноя", "дек")
_WEEKDAYS: Final = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|понедельник|вторник|сред[уы]|четверг|пятниц[уы]|суббот[уы]|воскресень[ея])"
)
_WEEKDAY_STEMS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_RUSSIAN_WEEKDAY_STEMS: Final = ("пон", "вто", "сре", "чет", "пят", "суб", "вос")
_SEASONS: Final = {
    "winter": "winter", "spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn",
    "зим": "winter", "вес": "spring", "лет": "summer", "осе": "autumn",
}  # fmt: skip
_COUNTS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple of": 2, "a couple of": 2, "few": 3, "a few": 3,
    "один": 1, "одну": 1, "два": 2, "две": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "семь": 7,
    "восемь": 8, "девять": 9, "десять": 10, "пару": 2, "несколько": 3,
}  # fmt: skip
_COUNT: Final = rf"(?:\d{{1,3}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
_UNIT: Final = (
    r"(?:(?:hour|day|week|month|year)s?|час(?:а|ов)?|день|дн(?:я|ей)|недел[юиь]|месяц(?:а|ев)?|год(?:а)?|лет)"
)
_UNITS: Final = {
    "hou": "hour", "day": "day", "wee": "week", "mon": "month", "yea": "year", "час": "hour", "ден": "day",
    "дня": "day", "дне": "day", "нед": "week", "мес": "month", "год": "year", "лет": "year", "вых": "weekend",
}  # fmt: skip
_YEAR: Final = r"(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)(?:\s+год[ау]?)?)?"
_OPENS: Final = r"(?P<open>since|after|before|until|till|с|со|после|до|перед)"
_SINCE: Final = frozenset({"since", "с", "со"})
_AFTER: Final = frozenset({"after", "после"})
_RANGE: Final = re.compile(
    r"\b(?:between|from|с|со|между)\s+(?P<first>.{2,24}?)\s+(?:and|to|till|until|по|до|и)\s+(?P<last>.{2,24})",
    re.IGNORECASE,
)
_LONGEST: Final = 4_000
"""Characters of a text in which expressions are looked for: nobody asks that long."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A time expression, where it stands in the text, and what it means."""

    start: int
    end: int
    span: Span


_Match: TypeAlias = re.Match[str]
_Rule: TypeAlias = tuple[re.Pattern[str], Callable[[Calendar, _Match], Span]]


def _rule(pattern: str, meaning: Callable[[Calendar, _Match], Span]) -> _Rule:
    return re.compile(rf"(?<![\w@#-])(?:{pattern})(?![\w-])", re.IGNORECASE | re.VERBOSE), meaning


def _month_number(name: str) -> int:
    folded = name.lower()
    if folded.isascii():
        return _ENGLISH_MONTHS.index(folded[:3]) + 1
    return _RUSSIAN_MONTHS.index(folded[:3] if folded[:3] in _RUSSIAN_MONTHS else folded[:2]) + 1


def _year_of(match: _Match) -> int | None:
    return int(match["year"]) if match["year"] else None


def _count_of(text: str | None) -> int:
    if not text:
        return 1
    folded = " ".join(text.lower().split())
    return int(folded) if folded.isdigit() else _COUNTS[folded]


def _near(calendar: Calendar, match: _Match) -> Span:
    said = " ".join(match[0].lower().split())
    if said in {"last night", "вчера ночью"}:
        return calendar.night_before()
    if "before" in said or said == "позавчера":
        return calendar.ago(2, "day")
    return calendar.ago(1 if said in {"yesterday", "вчера"} else 0, "day")


def _ago(calendar: Calendar, match: _Match) -> Span:
    return calendar.ago(_count_of(match["count"]), _UNITS[match["unit"].lower()[:3]])


def _past(calendar: Calendar, match: _Match) -> Span:
    unit = match["unit"] or match["one"] or match["span"]
    return calendar.past(_count_of(match["count"] or match["some"]), _UNITS[unit.lower()[:3]])


def _period(calendar: Calendar, match: _Match) -> Span:
    which, unit = match["which"].lower(), match["unit"].lower()
    named = "weekend" if "weekend" in unit else _UNITS[unit[:3]]
    gone = which[:2] in {"la", "pr", "пр", "по"}
    if named == "weekend" and gone:
        return calendar.latest_weekend()
    return calendar.period(named, -1 if gone else 0)


def _weekday(calendar: Calendar, match: _Match) -> Span:
    day = match["day"].lower()[:3]
    stems = _WEEKDAY_STEMS if day.isascii() else _RUSSIAN_WEEKDAY_STEMS
    return calendar.weekday(stems.index(day), gone=match["which"] is not None)


def _month(calendar: Calendar, match: _Match) -> Span:
    return calendar.month_named(_month_number(match["month"]), _year_of(match))


def _day(calendar: Calendar, match: _Match) -> Span:
    return calendar.day_named(int(match["day"]), _month_number(match["month"]), _year_of(match))


def _season(calendar: Calendar, match: _Match) -> Span:
    name = match["season"].lower()
    season = _SEASONS[name if name.isascii() else name[:3]]
    return calendar.season(season, _year_of(match), gone=match["which"] is not None)


def _numbers(calendar: Calendar, match: _Match) -> Span:
    return calendar.day_named(int(match["day"]), int(match["month"]), int(match["year"]))


def _iso(calendar: Calendar, match: _Match) -> Span:
    return calendar.days(date.fromisoformat(match["iso"]))


_WHICH: Final = r"(?P<which>last|past|previous|прошл\w{2,3}|последн\w{2,3})"
_RULES: Final[tuple[_Rule, ...]] = (
    _rule(r"(?P<iso>\d{4}-\d\d-\d\d)", _iso),
    _rule(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>(?:19|20)\d\d)", _numbers),
    _rule(
        rf"(?:on\s+)?(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTHS}){_YEAR}",
        _day,
    ),
    _rule(
        rf"(?:on\s+)?(?P<month>{_MONTHS})\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d){_YEAR}", _day
    ),
    _rule(
        r"the\s+day\s+before\s+yesterday|last\s+night|yesterday|today|позавчера|вчера\s+ночью|вчера|сегодня",
        _near,
    ),
    _rule(
        rf"(?<!\d\s)(?:about\s+|around\s+|примерно\s+|около\s+)?(?:(?P<count>{_COUNT})\s+)?(?P<unit>{_UNIT})\s+(?:ago|назад)",
        _ago,
    ),
    _rule(
        rf"""(?:(?:in|over|during|within|for)\s+)?(?:the\s+)?(?:last|past)\s+(?P<count>{_COUNT})\s+(?P<unit>{_UNIT})
        |(?:(?:in|over|during|within|for)\s+)?(?:the\s+)past\s+(?P<one>hour|day|week|month|year)
        |за\s+(?:последн\w{{2,3}}|прошедш\w{{2,3}})\s+(?:(?P<some>{_COUNT})\s+)?(?P<span>{_UNIT})""",
        _past,
    ),
    _rule(
        r"""(?:(?:on|in|during)\s+)?(?P<which>last|past|previous|this)\s+(?P<unit>weekend|week|month|year)""",
        _period,
    ),
    _rule(
        r"""(?:в|на)\s+(?P<which>(?:эт|прошл|последн)[а-я]{1,3})\s+(?P<unit>недел[еюи]|месяце?|году?|выходн(?:ые|ых))""",
        _period,
    ),
    _rule(
        r"(?:on|over|at|at\s+the|on\s+the)\s+weekend|(?:на|в)\s+выходны[ех]",
        lambda calendar, _: calendar.latest_weekend(),
    ),
    _rule(
        rf"(?:{_WHICH}\s+|on\s+|вов?\s+|во?\s+(?:{_WHICH.replace('which', 'gone')}\s+)?)(?P<day>{_WEEKDAYS})",
        _weekday,
    ),
    _rule(
        rf"""(?:in|last|during|back\s+in|this|в|во|за|прошл\w{{2,3}})\s+(?P<month>{_MONTHS}){_YEAR}
        |(?P<named>{_MONTHS})\s+(?P<of>(?:19|20)\d\d)(?:\s+года)?""",
        lambda calendar, match: (
            _month(calendar, match)
            if match["month"]
            else calendar.month_named(_month_number(match["named"]), int(match["of"]))
        ),
    ),
    _rule(
        rf"""(?:(?:in|during)\s+(?:the\s+)?)?(?P<which>last|past|previous)\s+(?P<season>winter|spring|summer|autumn|fall){_YEAR}
        """,
        _season,
    ),
    _rule(
        rf"(?P<which>(?!))?(?:in|during|this)\s+(?:the\s+)?(?P<season>winter|spring|summer|autumn|fall){_YEAR}",
        _season,
    ),
    _rule(
        rf"(?:(?P<which>прошл\w{{2,3}})\s+|этим\s+|этой\s+)?(?P<season>зимой|весной|летом|осенью){_YEAR}",
        _season,
    ),
    _rule(
        r"(?:in|during|back\s+in)\s+(?P<year>(?:19|20)\d\d)|в\s+(?P<god>(?:19|20)\d\d)(?:\s*-?м)?\s+году",
        lambda calendar, match: calendar.year(int(match["year"] or match["god"])),
    ),
)
_NAMED: Final = _rule(rf"(?P<month>{_MONTHS}){_YEAR}", _month)
"""A month by itself: a time only after a word such as "since"."""
_NAMED_YEAR: Final = _rule(
    r"(?P<year>(?:19|20)\d\d)", lambda calendar, match: calendar.year(int(match["year"]))
)
_NAMED_DAY: Final = _rule(
    rf"(?P<which>(?!))?(?P<day>{_WEEKDAYS}|понедельника|вторника|четверга|пятницы)", _weekday
)
_OPEN: Final = re.compile(rf"(?<!\w)(?<!day\s){_OPENS}\s+(?:the\s+)?", re.IGNORECASE)


def time_in(text: str, *, now: datetime, time_zone: str) -> Expression | None:
    """Return the first time expression of `text` with the span that it means, or `None` if it has none.

    Reckoned from the aware moment `now` in `time_zone`, weeks beginning on Monday. A month, a season, a day of the
    week or of the year without its year is the latest that has come, since questions look back. Nothing is raised,
    whatever the text. A zone that does not exist raises `ZoneInfoNotFoundError`.
    """
    calendar = Calendar(now, ZoneInfo(time_zone))
    asked = text[:_LONGEST]
    return _between(asked, calendar) or _opened(asked, calendar) or _first(asked, calendar, _RULES)


def _between(text: str, calendar: Calendar) -> Expression | None:
    for match in _RANGE.finditer(text):
        first = _at_start(match["first"], calendar)
        last = _at_start(match["last"], calendar)
        if first is not None and last is not None and first.end == len(match["first"]):
            return Expression(match.start(), match.start("last") + last.end, first.span.until(last.span))
    return None


def _opened(text: str, calendar: Calendar) -> Expression | None:
    for match in _OPEN.finditer(text):
        named = _at_start(text[match.end() :], calendar)
        if named is None:
            continue
        word, span = match["open"].lower(), named.span
        if word in _SINCE:
            span = Span(span.begins, None)
        elif word in _AFTER:
            span = Span(span.ends, None)
        else:
            span = Span(None, span.begins)
        return Expression(match.start(), match.end() + named.end, span)
    return None


def _at_start(text: str, calendar: Calendar) -> Expression | None:
    """Return the expression with which `text` begins; here a month or a year may stand alone."""
    found = [
        expression
        for rule in (*_RULES, _NAMED, _NAMED_YEAR, _NAMED_DAY)
        if (expression := _meant(rule, calendar, rule[0].match(text))) is not None
    ]
    return max(found, key=lambda expression: expression.end, default=None)


def _first(text: str, calendar: Calendar, rules: tuple[_Rule, ...]) -> Expression | None:
    for rule in rules:
        for match in rule[0].finditer(text):
            expression = _meant(rule, calendar, match)
            if expression is not None:
                return expression
    return None


def _meant(rule: _Rule, calendar: Calendar, match: _Match | None) -> Expression | None:
    """Return what a match means; `None` for a day that no calendar has."""
    if match is None:
        return None
    try:
        return Expression(match.start(), match.end(), rule[1](calendar, match))
    except (ValueError, OverflowError):
        return None

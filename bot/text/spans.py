"""Spans of time as people name them, in English and Russian: the calendar of one zone, and the time
expressions in a question.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from bot.text.calendar import NUMBER, UNITS, month_of, number_of, unit_words, weekday_of

_FIRST_MONTHS: Final = {"winter": 12, "spring": 3, "summer": 6, "autumn": 9}
"""The month with which each begins."""

_EVENING: Final = time(18)
_DAWN: Final = time(6)


@dataclass(frozen=True, slots=True)
class Span:
    """The time from `begins` until before `ends`, both aware; an open end is `None`."""

    begins: datetime | None
    ends: datetime | None

    def holds(self, moment: datetime) -> bool:
        """Return whether the aware `moment` lies in the span."""
        return (self.begins is None or self.begins <= moment) and (self.ends is None or moment < self.ends)

    def until(self, other: "Span") -> "Span":
        """Return the time from the earlier beginning of the two to the later end."""
        begins = None if None in (self.begins, other.begins) else _min(self.begins, other.begins)
        ends = None if None in (self.ends, other.ends) else _max(self.ends, other.ends)
        return Span(begins, ends)


def _min(one: datetime | None, other: datetime | None) -> datetime | None:
    return min(each for each in (one, other) if each is not None)


def _max(one: datetime | None, other: datetime | None) -> datetime | None:
    return max(each for each in (one, other) if each is not None)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The days around the aware moment `now` in `zone`. What no calendar has raises `ValueError` or `OverflowError`."""

    now: datetime
    zone: ZoneInfo

    @property
    def today(self) -> date:
        """The local day."""
        return self.now.astimezone(self.zone).date()

    def days(self, first: date, count: int = 1) -> Span:
        """Return `count` whole days."""
        return Span(self._midnight(first), self._midnight(first + timedelta(days=count)))

    def ago(self, count: int, unit: str) -> Span:
        """Return the hour, day, week, month or year of `count` such units ago; "a week ago" is not that exact."""
        match unit:
            case "hour":
                return Span(self.now - timedelta(hours=count + 1), self.now - timedelta(hours=count - 1))
            case "day":
                return self.days(self.today - timedelta(days=count))
            case "week":
                return self.days(self.today - timedelta(days=7 * count + 3), 7)
            case "month":
                return self.month(self.today.year * 12 + self.today.month - 1 - count)
            case _:
                return self.year(self.today.year - count)

    def past(self, count: int, unit: str) -> Span:
        """Return the last `count` units until now: "the last three days" begins three days ago."""
        days = {"day": 1, "week": 7, "month": 30, "year": 365}
        if unit == "hour":
            return Span(self.now - timedelta(hours=count), None)
        return Span(self._midnight(self.today - timedelta(days=days[unit] * count)), None)

    def period(self, unit: str, step: int) -> Span:
        """Return the calendar week (from Monday), weekend, month or year that lies `step` from the current one."""
        monday = self.today - timedelta(days=self.today.weekday()) + timedelta(days=7 * step)
        match unit:
            case "week":
                return self.days(monday, 7)
            case "weekend":
                return self.days(monday + timedelta(days=5), 2)
            case "month":
                return self.month(self.today.year * 12 + self.today.month - 1 + step)
            case _:
                return self.year(self.today.year + step)

    def latest_weekend(self) -> Span:
        """Return the weekend that began last."""
        return self.period("weekend", 0 if self.today.weekday() >= 5 else -1)

    def night_before(self) -> Span:
        """Return last night: from yesterday's evening until dawn."""
        evening = datetime.combine(self.today - timedelta(days=1), _EVENING, self.zone)
        return Span(evening, datetime.combine(self.today, _DAWN, self.zone))

    def month(self, months: int) -> Span:
        """Return a calendar month, counted in months since the year 0."""
        first = date(months // 12, months % 12 + 1, 1)
        following = date((months + 1) // 12, (months + 1) % 12 + 1, 1)
        return Span(self._midnight(first), self._midnight(following))

    def month_named(self, month: int, year: int | None) -> Span:
        """Return the month of this number, in `year` or else the latest that has begun."""
        if year is None:
            year = self.today.year - (month > self.today.month)
        return self.month(year * 12 + month - 1)

    def season(self, name: str, year: int | None, *, gone: bool) -> Span:
        """Return a season, that of `year` or else the latest that has begun; `gone`: that is over."""
        first = _FIRST_MONTHS[name]
        if year is None:
            year = self.today.year - (first > self.today.month)
            if gone and (self.today.year * 12 + self.today.month) < year * 12 + first + 3:
                year -= 1
        months = year * 12 + first - 1
        return self.month(months).until(self.month(months + 2))

    def year(self, year: int) -> Span:
        """Return a calendar year."""
        return self.month(year * 12).until(self.month(year * 12 + 11))

    def day_named(self, day: int, month: int, year: int | None) -> Span:
        """Return one day, in `year` or else the latest that has come."""
        if year is not None:
            return self.days(date(year, month, day))
        for back in range(9):
            try:
                found = date(self.today.year - back, month, day)
            except ValueError:
                continue
            if found <= self.today:
                return self.days(found)
        raise ValueError(f"no year has the {day}. {month}.")

    def weekday(self, number: int, *, gone: bool) -> Span:
        """Return the latest such day of the week, 0 being Monday; `gone`: before today."""
        back = (self.today.weekday() - number) % 7
        return self.days(self.today - timedelta(days=back or (7 if gone else 0)))

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), self.zone)


_MONTHS: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?"
    r"|январ[еяь]|феврал[еяь]|март[еа]?|апрел[еяь]|ма[еяй]|июн[еяь]|июл[еяь]|август[еа]?|сентябр[еяь]"
    r"|октябр[еяь]|ноябр[еяь]|декабр[еяь])"
)
_WEEKDAYS: Final = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|понедельник|вторник|сред[уы]|четверг|пятниц[уы]|суббот[уы]|воскресень[ея])"
)
_SEASON_WORDS: Final = {
    "winter": "winter", "spring": "spring", "summer": "summer", "autumn": "autumn", "fall": "autumn",
    "зим": "winter", "вес": "spring", "лет": "summer", "осе": "autumn",
}  # fmt: skip
_COUNT: Final = f"(?:{NUMBER})"
_UNIT: Final = f"(?:{unit_words('hour', 'day', 'week', 'month', 'year', shortest=3)})"
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
class TimeExpression:
    """A time expression, where it stands in the text, and what it means."""

    start: int
    end: int
    span: Span


_TimeMatch: TypeAlias = re.Match[str]
_TimeRule: TypeAlias = tuple[re.Pattern[str], Callable[[Calendar, _TimeMatch], Span]]


def _rule(pattern: str, meaning: Callable[[Calendar, _TimeMatch], Span]) -> _TimeRule:
    return re.compile(rf"(?<![\w@#-])(?:{pattern})(?![\w-])", re.IGNORECASE | re.VERBOSE), meaning


def _year_of(match: _TimeMatch) -> int | None:
    return int(match["year"]) if match["year"] else None


def _near(calendar: Calendar, match: _TimeMatch) -> Span:
    said = " ".join(match[0].lower().split())
    if said in {"last night", "вчера ночью"}:
        return calendar.night_before()
    if "before" in said or said == "позавчера":
        return calendar.ago(2, "day")
    return calendar.ago(1 if said in {"yesterday", "вчера"} else 0, "day")


def _ago(calendar: Calendar, match: _TimeMatch) -> Span:
    return calendar.ago(number_of(match["count"]), UNITS[match["unit"].lower()])


def _past(calendar: Calendar, match: _TimeMatch) -> Span:
    unit = match["unit"] or match["one"] or match["span"]
    return calendar.past(number_of(match["count"] or match["some"]), UNITS[unit.lower()])


def _period(calendar: Calendar, match: _TimeMatch) -> Span:
    which, named = match["which"].lower(), UNITS[match["unit"].lower()]
    gone = which[:2] in {"la", "pr", "пр", "по"}
    if named == "weekend" and gone:
        return calendar.latest_weekend()
    return calendar.period(named, -1 if gone else 0)


def _weekday(calendar: Calendar, match: _TimeMatch) -> Span:
    return calendar.weekday(weekday_of(match["day"]), gone=match["which"] is not None)


def _month(calendar: Calendar, match: _TimeMatch) -> Span:
    return calendar.month_named(month_of(match["month"]), _year_of(match))


def _day(calendar: Calendar, match: _TimeMatch) -> Span:
    return calendar.day_named(int(match["day"]), month_of(match["month"]), _year_of(match))


def _season(calendar: Calendar, match: _TimeMatch) -> Span:
    name = match["season"].lower()
    season = _SEASON_WORDS[name if name.isascii() else name[:3]]
    return calendar.season(season, _year_of(match), gone=match["which"] is not None)


def _numbers(calendar: Calendar, match: _TimeMatch) -> Span:
    return calendar.day_named(int(match["day"]), int(match["month"]), int(match["year"]))


def _iso(calendar: Calendar, match: _TimeMatch) -> Span:
    return calendar.days(date.fromisoformat(match["iso"]))


_WHICH: Final = r"(?P<which>last|past|previous|прошл\w{2,3}|последн\w{2,3})"
_RULES: Final[tuple[_TimeRule, ...]] = (
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
            else calendar.month_named(month_of(match["named"]), int(match["of"]))
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


def time_in(text: str, *, now: datetime, time_zone: str) -> TimeExpression | None:
    """Return the first time expression of `text` with the span that it means, or `None` if it has none.

    Reckoned from the aware moment `now` in `time_zone`, weeks beginning on Monday. A month, a season, a day of the
    week or of the year without its year is the latest that has come, since questions look back. Nothing is raised,
    whatever the text. A zone that does not exist raises `ZoneInfoNotFoundError`.
    """
    calendar = Calendar(now, ZoneInfo(time_zone))
    asked = text[:_LONGEST]
    return _between(asked, calendar) or _opened(asked, calendar) or _first(asked, calendar, _RULES)


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
        word, span = match["open"].lower(), named.span
        if word in _SINCE:
            span = Span(span.begins, None)
        elif word in _AFTER:
            span = Span(span.ends, None)
        else:
            span = Span(None, span.begins)
        return TimeExpression(match.start(), match.end() + named.end, span)
    return None


def _at_start(text: str, calendar: Calendar) -> TimeExpression | None:
    """Return the expression with which `text` begins; here a month or a year may stand alone."""
    found = [
        expression
        for rule in (*_RULES, _NAMED, _NAMED_YEAR, _NAMED_DAY)
        if (expression := _meant(rule, calendar, rule[0].match(text))) is not None
    ]
    return max(found, key=lambda expression: expression.end, default=None)


def _first(text: str, calendar: Calendar, rules: tuple[_TimeRule, ...]) -> TimeExpression | None:
    for rule in rules:
        for match in rule[0].finditer(text):
            expression = _meant(rule, calendar, match)
            if expression is not None:
                return expression
    return None


def _meant(rule: _TimeRule, calendar: Calendar, match: _TimeMatch | None) -> TimeExpression | None:
    """Return what a match means; `None` for a day that no calendar has."""
    if match is None:
        return None
    try:
        return TimeExpression(match.start(), match.end(), rule[1](calendar, match))
    except (ValueError, OverflowError):
        return None

"""What the words of the calendar mean in every language (numbers, units of time, months, weekdays), and the days
around a moment.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.text.languages import in_each_language

LEXICONS: Final = in_each_language("words")
NUMBERS: Final[Mapping[str, int]] = {
    word: n for lexicon in LEXICONS for word, n in (lexicon.NUMBERS | lexicon.VAGUE_NUMBERS).items()
}
NEAR_DAYS: Final[Mapping[str, int]] = {
    word: n for lexicon in LEXICONS for word, n in lexicon.NEAR_DAYS.items()
}
"""How many days after today a word means."""
UNITS: Final[Mapping[str, str]] = {
    word: str(unit) for lexicon in LEXICONS for unit, words in lexicon.UNITS.items() for word in words.split()
}
"""The unit that a word means: minute, hour, day, week, weekend, month or year."""
LENGTHS: Final = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}
"""How long each unit is taken to be."""


def _either(words: Collection[str]) -> str:
    """Return the pattern of any of `words`, the longest first; a space in one is any gap."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


def unit_words(*units: str, shortest: int = 1) -> str:
    """Return the pattern of any word for one of `units`, in every language, of so many letters at least."""
    return _either([word for word, unit in UNITS.items() if unit in units and len(word) >= shortest])


NUMBER: Final = rf"\d{{1,3}}|{_either(NUMBERS)}"
"""The pattern of a number of three digits at most, or written as a word."""
EXACT_NUMBER: Final = rf"\d{{1,3}}|{_either([word for lexicon in LEXICONS for word in lexicon.NUMBERS])}"
"""The same without "a few"."""
ISO: Final = r"(?:\d{4}-\d\d-\d\d)"
MONTH: Final = f"(?:{'|'.join(lexicon.MONTH for lexicon in LEXICONS)})"


def number_of(text: str | None) -> int:
    """Return what `NUMBER` found; 1 for nothing."""
    said = " ".join((text or "1").lower().split())
    return int(said) if said.isdigit() else NUMBERS[said]


def length_of(number: str | None, unit: str) -> timedelta:
    """Return how long so many of a unit are, both as they were said."""
    return number_of(number) * LENGTHS[UNITS[unit.lower().replace("ё", "е")]]


def month_of(word: str) -> int:
    """Return the number of the month that `word` names, from 1 on. Raises `ValueError` if it names none."""
    return _begun(word, [lexicon.MONTHS for lexicon in LEXICONS]) + 1


def weekday_of(word: str) -> int:
    """Return the number of the weekday that `word` names, 0 being Monday. Raises `ValueError` if it names none."""
    return _begun(word, [lexicon.WEEKDAYS for lexicon in LEXICONS])


def _begun(word: str, tables: Sequence[Sequence[str]]) -> int:
    """Return the place of the longest stem with which `word` begins."""
    folded = word.lower()
    found = [(len(stem), at) for stems in tables for at, stem in enumerate(stems) if folded.startswith(stem)]
    if not found:
        raise ValueError(f"{word!r} is no word of the calendar")
    return max(found)[1]


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
        begins = min(self.begins, other.begins) if self.begins and other.begins else None
        ends = max(self.ends, other.ends) if self.ends and other.ends else None
        return Span(begins, ends)


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
            case _:
                return self.period(unit, -count)

    def past(self, count: int, unit: str) -> Span:
        """Return the last `count` units until now: "the last three days" begins three days ago."""
        if unit == "hour":
            return Span(self.now - timedelta(hours=count), None)
        return Span(self._midnight(self.today - LENGTHS[unit] * count), None)

    def first_day(self, unit: str, step: int) -> date:
        """Return the first day of the week, weekend, month or year that lies `step` from the current one."""
        if unit in {"week", "weekend"}:
            days = 7 * step - self.today.weekday() + (5 if unit == "weekend" else 0)
            return self.today + timedelta(days=days)
        if unit == "year":
            return date(self.today.year + step, 1, 1)
        months = self.today.year * 12 + self.today.month - 1 + step
        return date(months // 12, months % 12 + 1, 1)

    def period(self, unit: str, step: int) -> Span:
        """Return the calendar week (from Monday), weekend, month or year that lies `step` from the current one."""
        first = self.first_day(unit, step)
        if unit == "weekend":
            return self.days(first, 2)
        return Span(self._midnight(first), self._midnight(self.first_day(unit, step + 1)))

    def latest_weekend(self) -> Span:
        """Return the weekend that began last."""
        return self.period("weekend", 0 if self.today.weekday() >= 5 else -1)

    def night_before(self) -> Span:
        """Return last night: from yesterday's evening until dawn."""
        evening = datetime.combine(self.today - timedelta(days=1), _EVENING, self.zone)
        return Span(evening, datetime.combine(self.today, _DAWN, self.zone))

    def month(self, months: int, count: int = 1) -> Span:
        """Return `count` calendar months from one on that is counted in months since the year 0."""
        first, following = (date(each // 12, each % 12 + 1, 1) for each in (months, months + count))
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
        return self.month(year * 12 + first - 1, 3)

    def year(self, year: int) -> Span:
        """Return a calendar year."""
        return self.month(year * 12, 12)

    def such_day(self, month: int, day: int, *, past: bool) -> date:
        """Return the nearest such day of a year, today included. Raises `ValueError` if no year has it."""
        for step in range(9):
            try:
                found = date(self.today.year + (-step if past else step), month, day)
            except ValueError:
                continue
            if found == self.today or (found < self.today) is past:
                return found
        raise ValueError(f"no year has the {day}. {month}.")

    def day_named(self, day: int, month: int, year: int | None) -> Span:
        """Return one day, in `year` or else the latest that has come."""
        return self.days(date(year, month, day) if year else self.such_day(month, day, past=True))

    def weekday(self, number: int, *, gone: bool) -> Span:
        """Return the latest such day of the week, 0 being Monday; `gone`: before today."""
        back = (self.today.weekday() - number) % 7
        return self.days(self.today - timedelta(days=back or (7 if gone else 0)))

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), self.zone)

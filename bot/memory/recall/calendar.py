"""Spans of time as people name them: a day, a week, a month, a season, reckoned in the local days of one zone."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

_SEASONS: Final = {"winter": 12, "spring": 3, "summer": 6, "autumn": 9}
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
        first = _SEASONS[name]
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

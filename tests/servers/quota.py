"""Quotas as the Gemini API counts them: by model, by minute, and by day of Los Angeles."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from zoneinfo import ZoneInfo

_LOS_ANGELES = ZoneInfo("America/Los_Angeles")


class Period(Enum):
    """What a quota is counted by; the value is how Google names it."""

    MINUTE = "Minute"
    DAY = "Day"


@dataclass(frozen=True, slots=True)
class Exceeded:
    """A quota that a request was beyond."""

    period: Period
    limit: int
    retry_seconds: float


class Quotas:
    """Counts requests, rejected ones too, against limits by model. A model without a limit is never refused."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self.now = now
        """Where the time comes from, in seconds since 1970; tests put their own here."""
        self._limits: dict[tuple[str, Period], int] = {}
        self._counted: Counter[tuple[str, Period, str]] = Counter()

    def limit(self, model: str, *, per_minute: int | None = None, per_day: int | None = None) -> None:
        """Allow `model` so many requests; `None` lifts the limit."""
        for period, limit in ((Period.MINUTE, per_minute), (Period.DAY, per_day)):
            if limit is None:
                self._limits.pop((model, period), None)
            else:
                self._limits[model, period] = limit

    def used(self, model: str, period: Period) -> int:
        """Return how many requests count for `model` in the current minute or day."""
        return self._counted[model, period, self._current(period)]

    def count(self, model: str) -> Exceeded | None:
        """Count a request to `model`; return the quota that it is beyond, the day's first, or `None`."""
        for period in Period:
            self._counted[model, period, self._current(period)] += 1
        for period in (Period.DAY, Period.MINUTE):
            limit = self._limits.get((model, period))
            if limit is not None and self.used(model, period) > limit:
                return self.exceeded(model, period)
        return None

    def exceeded(self, model: str, period: Period) -> Exceeded:
        """Return what a request beyond this quota is told; without a set limit, that of a small free tier."""
        here = datetime.fromtimestamp(self.now(), _LOS_ANGELES)
        if period is Period.MINUTE:
            turns = here.replace(second=0, microsecond=0) + timedelta(minutes=1)
        else:
            turns = here.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        limit = self._limits.get((model, period), 10 if period is Period.MINUTE else 250)
        return Exceeded(period, limit, turns.timestamp() - here.timestamp())

    def _current(self, period: Period) -> str:
        here = datetime.fromtimestamp(self.now(), _LOS_ANGELES)
        return here.strftime("%Y-%m-%d %H:%M" if period is Period.MINUTE else "%Y-%m-%d")

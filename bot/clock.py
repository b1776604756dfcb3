"""The time that rules days, expiry and conversations; deadlines and leases use real time instead."""

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Whatever can say what time it is."""

    def now(self) -> datetime:
        """Return the current moment, aware and in UTC."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the current moment in UTC."""
        return datetime.now(UTC)


class SetClock:
    """A clock that somebody sets: a transcript, or a test."""

    def __init__(self, moment: datetime) -> None:
        self.set(moment)

    def now(self) -> datetime:
        """Return the moment that was set last, in UTC."""
        return self._moment

    def set(self, moment: datetime) -> None:
        """Put the clock to `moment`, which must be aware."""
        if moment.tzinfo is None:
            raise ValueError(f"a clock needs an aware time, not {moment!r}")
        self._moment = moment.astimezone(UTC)

    def advance(self, step: timedelta) -> None:
        """Move the clock on by `step`."""
        self._moment += step

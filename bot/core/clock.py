"""The clock that rules days, expiry and conversations; deadlines and leases use real time instead."""

import logging
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final, Protocol
from zoneinfo import available_timezones

logger = logging.getLogger(__name__)


MOST_PUT_RIGHT: Final = timedelta(hours=1)
"""By so much a clock may differ, and is put right."""

_NO_DIFFERENCE: Final = timedelta(seconds=3)
"""What is told comes in whole seconds, after an answer's way."""


@cache
def time_zones() -> frozenset[str]:
    """Return the names of the IANA list. Read once: the library walks through all its files at each call."""
    return frozenset(available_timezones())


def backoff(failures: int, *, first: timedelta, longest: timedelta) -> timedelta:
    """Return how long to wait after this many failures in a row: `first`, doubled each time, `longest` at most."""
    return min(longest, first * (1 << min(max(failures, 1) - 1, 20)))


class Clock(Protocol):
    """Whatever can say what time it is."""

    def now(self) -> datetime:
        """Return the current moment, aware and in UTC."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the current moment in UTC."""
        return datetime.now(UTC)


class AlignedClock:
    """The machine's clock, corrected by that of the service whose messages it is compared with."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def now(self) -> datetime:
        """Return the current moment in UTC."""
        return datetime.now(UTC) + self._ahead

    def align(self, moment: datetime) -> None:
        """Note that it is `moment` for the others, give or take a second or two.

        A difference within the transmission time is ignored. A very large difference means a clock that must not be
        trusted rather than one that drifts: then nothing is corrected.
        """
        ahead = moment - datetime.now(UTC)
        if abs(ahead) > MOST_PUT_RIGHT:
            return
        if abs(ahead) <= _NO_DIFFERENCE:
            ahead = timedelta()
        if abs(ahead - self._ahead) > _NO_DIFFERENCE:
            logger.warning("the clock of this machine differs by %.0f seconds", ahead.total_seconds())
            self._ahead = ahead


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

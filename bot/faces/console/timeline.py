"""When each line of the console happens: transcripts set the time, a terminal follows the machine."""

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.clock import Clock
from bot.errors import InvalidInputError

STEP: Final = timedelta(seconds=1)
"""How long after the line before a line without a time is said."""


class Timeline:
    """Moments that never go back. It begins at `start`, which the first line without a time takes.

    With a `machine` clock it follows that, until somebody sets a time.
    """

    def __init__(self, start: datetime, zone: ZoneInfo, *, machine: Clock | None = None) -> None:
        self._start = start
        self._zone = zone
        self._machine = machine
        self._last: datetime | None = None
        self.is_set = False
        """Whether somebody has set a time, so that it no longer goes by the machine's clock."""

    def now(self) -> datetime:
        """Return the moment at which the console is."""
        now = self._last or self._start
        return now if self._machine is None or self.is_set else max(now, self._machine.now())

    def next(self) -> datetime:
        """Return when the next line without a time is said."""
        return self.now() if self._last is None else max(self.now(), self._last + STEP)

    def resolved(self, moment: datetime) -> datetime:
        """Return `moment` with the guild's zone if it has none; raises `InvalidInputError` if it is past."""
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=self._zone)
        if self._last is not None and moment < self._last:
            raise InvalidInputError(
                f"goes back in time: {self._shown(moment)} lies before {self._shown(self._last)},"
                " the time of the line before; write a later one"
            )
        return moment

    def move_to(self, moment: datetime) -> None:
        """Go on to `moment`, which is aware and not past."""
        self._last = moment

    def set_to(self, moment: datetime) -> None:
        """Go on to a `moment` that somebody chose, and leave the machine's clock; raises as `resolved` does."""
        self.move_to(self.resolved(moment))
        self.is_set = True

    def _shown(self, moment: datetime) -> str:
        return moment.astimezone(self._zone).replace(tzinfo=None).isoformat(timespec="seconds")


def in_zone(moment: datetime, zone: str) -> datetime:
    """Return `moment`, as one of this time zone if it has none of its own."""
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))

"""Ids as Discord makes them, and moments as it writes them."""

from datetime import UTC, datetime, timedelta

from bot.core.domain import DISCORD_EPOCH, moment_of, snowflake_at

_NUMBERS = 2**22
"""How many ids one millisecond has room for."""


class Snowflakes:
    """Makes ids that tell their moment; none is made twice, and those of now only ever grow."""

    def __init__(self) -> None:
        self.ahead = timedelta()
        """How much later Discord's clock is than that of the machine; less than nothing if it is earlier.

        Ids only ever grow: to make it earlier, set it before anything is made.
        """
        self._newest = 0
        self._number = 0

    def next(self, at: datetime | None = None) -> int:
        """Return a new id of the moment `at` (`None`: now)."""
        if at is None:
            self._newest = max(snowflake_at(self.now()), self._newest + 1)
            return self._newest
        self._number = (self._number + 1) % _NUMBERS
        return snowflake_at(at) + self._number

    def now(self) -> datetime:
        """Return what Discord's clock shows, in UTC."""
        return datetime.now(UTC) + self.ahead


def moment(snowflake: int) -> datetime:
    """Return when the thing with this id was made, in UTC."""
    return moment_of(snowflake)


def written(at: datetime) -> str:
    """Return a moment as Discord writes it, with the zone as an offset."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def written_or_null(at: datetime | None) -> str | None:
    """Return a moment as Discord writes it, or `None`."""
    return None if at is None else written(at)


LONG_AGO = DISCORD_EPOCH + timedelta(days=3000)
"""When the users of the loopback Discord made their accounts."""

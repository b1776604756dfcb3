"""Whether what was told of a day may still be served, and whether it is time to tell it anew."""

from datetime import date, datetime, timedelta
from typing import Final

from bot.store.day_marks import Mark
from bot.store.distillations import Distillation

DAY_SUBJECT: Final = 0
"""The subject of the row that stands for the day itself."""

REFRESH_AFTER: Final = timedelta(hours=1)
"""The current day is told on at most so often, and only if something was said since."""

_FIRST_PAUSE: Final = timedelta(minutes=5)
_LONGEST_PAUSE: Final = timedelta(days=1)


def pause_after(failed_before: int) -> timedelta:
    """Return how long to leave a text alone that no model told: 5 minutes, doubled each time, a day at most."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * (1 << min(failed_before, 10)))


def is_due(row: Distillation, *, now: datetime) -> bool:
    """Tell whether the pause of a text that no model told is over, or the clock was put back behind its beginning."""
    return row.retry_after is not None and not row.built_at <= now < row.retry_after


def is_servable(marker: Distillation, mark: Mark) -> bool:
    """Tell whether nothing that a day tells has been deleted or forgotten since.

    The mark of a day knows that of itself, so a day that a forgetting did not touch stays as it is.
    """
    return int(marker.sources) >= mark.taken_back


def may_be_told_on(marker: Distillation, mark: Mark) -> bool:
    """Tell whether all that was said since was added: else the day is told again from its beginning.

    A text that was kept for want of a better one covers nothing if the day had been rewritten.
    """
    return not marker.degraded and marker.covers_up_to > 0 and int(marker.sources) >= mark.rewritten


def needs_telling(
    marker: Distillation | None,
    mark: Mark,
    *,
    today: date,
    now: datetime,
    refresh_after: timedelta = REFRESH_AFTER,
) -> bool:
    """Tell whether a day is to be told (anew) when it is read at `now`.

    A day that is over is told once from all its messages, and again only if it changes. What was edited today
    is told with the next refresh; what was taken back is not served a moment longer. What no model told waits for
    its pause to be over. What was told later than `now`, by a clock that was put back since, keeps nobody waiting.
    """
    if marker is None or not is_servable(marker, mark):
        return True
    has_changed = int(marker.sources) != mark.version
    if marker.retry_after is not None:
        if is_due(marker, now=now):
            return True
        if not has_changed:
            return False
    if mark.day < today:
        return has_changed or not marker.is_final
    return has_changed and not timedelta(0) <= now - marker.built_at < refresh_after

"""Durations as people write them at the desk: 30m, 1h30m, 2d, «2 часа»."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

SHORTEST: Final = timedelta(minutes=1)
LONGEST: Final = timedelta(days=7)
"""A silence that lasts longer is a setting of the channel."""

_UNITS: Final[Mapping[str, timedelta]] = {
    **dict.fromkeys("d day days д день дня дней сутки суток".split(), timedelta(days=1)),
    **dict.fromkeys("h hr hrs hour hours ч час часа часов".split(), timedelta(hours=1)),
    **dict.fromkeys(
        "m min mins minute minutes м мин минута минуту минуты минут".split(), timedelta(minutes=1)
    ),
    **dict.fromkeys("w week weeks н неделя неделю".split(), timedelta(weeks=1)),
}
_PART: Final = re.compile(r"(\d{1,5})\s*([^\W\d_]+)\.?(?:\s+|(?=\d)|\Z)")
_OFF: Final = frozenset("off stop 0 выкл отмена хватит".split())


def duration_in(text: str) -> timedelta | None:
    """Return how long `text` says, from a minute to seven days, or 0 for "off"; `None` if it is neither."""
    written = text.strip().casefold()
    if written in _OFF:
        return timedelta(0)
    total, end = timedelta(0), 0
    while end < len(written):
        part = _PART.match(written, end)
        if part is None or part[2] not in _UNITS:
            return None
        total += int(part[1]) * _UNITS[part[2]]
        end = part.end()
    return total if SHORTEST <= total <= LONGEST else None

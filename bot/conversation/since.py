"""From when on, as people say it behind "since": yesterday, Monday, two hours, «понедельника», «последние два часа»."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.memory.recall.times import time_in

_HOUR, _DAY, _WEEK = timedelta(hours=1), timedelta(days=1), timedelta(weeks=1)
_UNITS: Final[Mapping[str, timedelta]] = {
    "m": timedelta(minutes=1), "min": timedelta(minutes=1), "мин": timedelta(minutes=1),
    "h": _HOUR, "hour": _HOUR, "hr": _HOUR, "ч": _HOUR, "час": _HOUR,
    "d": _DAY, "day": _DAY, "д": _DAY, "день": _DAY, "дн": _DAY, "сут": _DAY,
    "w": _WEEK, "week": _WEEK, "недел": _WEEK,
}  # fmt: skip
_COUNTS: Final[Mapping[str, int]] = {
    "a": 1, "an": 1, "one": 1, "couple of": 2, "a couple of": 2, "two": 2, "three": 3, "few": 3, "a few": 3,
    "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10, "twelve": 12,
    "один": 1, "одну": 1, "пару": 2, "два": 2, "две": 2, "три": 3, "несколько": 3, "четыре": 4, "пять": 5,
    "шесть": 6, "семь": 7, "восемь": 8, "десять": 10,
}  # fmt: skip
_LONG: Final = re.compile(
    rf"""(?:about\s+|around\s+|примерно\s+|около\s+)?
    (?:(?:the\s+)?(?:last|past)\s+|последн\w{{2,3}}\s+|прошедш\w{{2,3}}\s+)?
    (?:(?P<count>\d{{1,3}}|{"|".join(sorted(_COUNTS, key=len, reverse=True))})\s*)?
    (?P<unit>min(?=s?\b|utes?\b)|hour|hr|day|week|[mhdw](?=\b)|мин|час|день|дн|сут|недел|[чд](?=\b))\w{{0,4}}
    (?:\s+(?:ago|назад))?""",
    re.VERBOSE,
)
_CLOCK: Final = re.compile(
    r"(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))?\s*(?P<half>am|pm|утра|дня|вечера|o'clock)?"
)
_NOON: Final = 12
_TODAY: Final = frozenset({
    "today", "this morning", "this afternoon", "this evening",
    "сегодня", "сегодняшнего дня", "утра", "сегодняшнего утра", "этого утра",
})  # fmt: skip
_YESTERDAY: Final = frozenset({"вчера", "вчерашнего дня"})
_FIRST: Final = re.compile(r"(?:since|from|after|со?|после|за|in|over|during|for)\s+")


def since_of(words: str, *, now: datetime, time_zone: str) -> datetime | None:
    """Return the moment that `words` mean behind "since", reckoned from the aware `now`; `None` if they mean none.

    The word itself may stand before them. A length of time counts back from now, a day begins at its midnight in
    `time_zone`.
    """
    said = " ".join(words.casefold().replace("ё", "е").split()).strip(" .!?")
    said = _FIRST.sub("", said, count=1) if _FIRST.match(said) else said
    if long := _LONG.fullmatch(said):
        count = long["count"] or "one"
        return now - (int(count) if count.isdigit() else _COUNTS[count]) * _UNITS[long["unit"]]
    if (clock := _CLOCK.fullmatch(said)) and (clock["minute"] or clock["half"]):
        return _latest(clock, now.astimezone(ZoneInfo(time_zone)))
    if said in _TODAY:
        said = "today"
    elif said in _YESTERDAY:
        said = "yesterday"
    asked = f"since {said}"
    meant = time_in(asked, now=now, time_zone=time_zone)
    if meant is None or (meant.start, meant.end) != (0, len(asked)):
        return None
    return meant.span.begins


def _latest(clock: re.Match[str], here: datetime) -> datetime:
    """Return when it was last this time of the day."""
    hour, half = int(clock["hour"]), clock["half"]
    if half in {"pm", "дня", "вечера"} and hour < _NOON:
        hour += _NOON
    elif half == "am" and hour == _NOON:
        hour = 0
    at = here.replace(hour=hour, minute=int(clock["minute"] or 0), second=0, microsecond=0)
    return at if at <= here else at - _DAY


def is_since(words: str) -> bool:
    """Tell whether `words` mean a moment at all."""
    return since_of(words, now=datetime(2026, 1, 1, tzinfo=UTC), time_zone="UTC") is not None

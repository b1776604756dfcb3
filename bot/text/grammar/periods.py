"""Commands that reach back to a time, and reading that time.

"What did I miss since Monday", "forget everything since yesterday"; patterns have е for ё.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.text.calendar import NUMBER, length_of, unit_words
from bot.text.commands import HERE, AskCatchUp, Command, ForgetSaid
from bot.text.grammar.rules import Build, fixed, plain
from bot.text.languages import either, every_word
from bot.text.spans import time_in

_GAP: Final = r"\s+"
_LONG: Final = re.compile(
    rf"""(?:{either("about")}\s+)?(?:{either("the_last", gap=_GAP)}\s+)?(?:(?P<count>{NUMBER})\s*)?
    (?P<unit>{unit_words("minute", "hour", "day", "week")})(?:\s+{either("ago")})?""",
    re.VERBOSE,
)
_CLOCK: Final = re.compile(
    rf"(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))?\s*(?P<half>{either('half_of_a_day')})?"
)
_AFTER_NOON: Final = every_word("after_noon")
_BEFORE_NOON: Final = every_word("before_noon")
_NOON: Final = 12
_TODAY: Final = re.compile(either("today"))
_YESTERDAY: Final = re.compile(either("yesterday"))
_FIRST: Final = re.compile(rf"{either('since')}\s+")


def since_of(words: str, *, now: datetime, time_zone: str) -> datetime | None:
    """Return the moment that `words` mean behind "since", reckoned from the aware `now`; `None` if they mean none.

    The word itself may stand before them. A length of time counts back from now, a day begins at its midnight in
    `time_zone`.
    """
    said = " ".join(words.casefold().replace("ё", "е").split()).strip(" .!?")
    said = _FIRST.sub("", said, count=1) if _FIRST.match(said) else said
    if long := _LONG.fullmatch(said):
        return now - length_of(long["count"], long["unit"])
    if (clock := _CLOCK.fullmatch(said)) and (clock["minute"] or clock["half"]):
        return _latest(clock, now.astimezone(ZoneInfo(time_zone)))
    if _TODAY.fullmatch(said):
        said = "today"
    elif _YESTERDAY.fullmatch(said):
        said = "yesterday"
    asked = f"since {said}"
    meant = time_in(asked, now=now, time_zone=time_zone)
    if meant is None or (meant.start, meant.end) != (0, len(asked)):
        return None
    return meant.span.begins


def _latest(clock: re.Match[str], here: datetime) -> datetime:
    """Return when it was last this time of the day."""
    hour, half = int(clock["hour"]), clock["half"]
    if half in _AFTER_NOON and hour < _NOON:
        hour += _NOON
    elif half in _BEFORE_NOON and hour == _NOON:
        hour = 0
    at = here.replace(hour=hour, minute=int(clock["minute"] or 0), second=0, microsecond=0)
    return at if at <= here else at - timedelta(days=1)


def is_since(words: str) -> bool:
    """Tell whether `words` mean a moment at all."""
    return since_of(words, now=datetime(2026, 1, 1, tzinfo=UTC), time_zone="UTC") is not None


_IN: Final = either("in_a_channel")
_CHANNEL: Final = r"<\#\d{1,19}>|\#[^\s,.?!]+"
_AWAY: Final = either("while_away", gap=_GAP)
_MISSED_HERE: Final = either("in_here", gap=_GAP)
_EVERYWHERE: Final = either("everywhere", gap=_GAP)
_MISSED_TAIL: Final = re.compile(
    rf"""(?:
        \s*,?\s+(?:(?P<away>{_AWAY})|(?P<here>{_MISSED_HERE})|(?P<everywhere>{_EVERYWHERE})
        |{_IN}\s+(?P<channel>{_CHANNEL}))
    )*
    (?:\s*,?\s+(?P<since>.+?))?
    (?:
        \s*,?\s+(?:(?P<here2>{_MISSED_HERE})|(?P<everywhere2>{_EVERYWHERE})|{_IN}\s+(?P<channel2>{_CHANNEL}))
    )?""",
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_MISSED_TAIL: Final = 100
"""Characters behind the question: more are a story."""

_BARE_TIME: Final = re.compile(either("missed_since"), re.IGNORECASE)


def _caught_up(tail: str) -> Command | None:
    """Return the command for what stands behind the question: a channel, a time, both, in either order."""
    said = " ".join(plain(tail).split())
    found = _MISSED_TAIL.fullmatch(f" {said}") if len(said) <= _LONGEST_MISSED_TAIL else None
    if found is None:
        return None
    since = found["since"]
    if since is not None and not (_BARE_TIME.fullmatch(since) and is_since(since)):
        return None
    here = found["here"] or found["here2"]
    channel = found["channel"] or found["channel2"]
    return AskCatchUp(HERE if here else channel, since)


def happened(tail: str) -> Command | None:
    """Return the command that asks what happened: it is asked of the bot only with a place, the rest is talk."""
    command = _caught_up(tail)
    has_place = re.search(
        rf"(?:^|\s)(?:{_MISSED_HERE}|{_EVERYWHERE}|{_CHANNEL}|{_AWAY})(?:\W|$)", tail, re.I | re.X
    )
    return command if has_place else None


_FORGET_HERE: Final = either("said_here", gap=_GAP)
_FORGET_TAIL: Final = re.compile(
    rf"(?:\s*,?\s+(?P<here>{_FORGET_HERE}))?(?:\s*,?\s+(?P<since>.+?))?(?:\s*,?\s+(?P<here2>{_FORGET_HERE}))?",
    re.IGNORECASE,
)
_SINCE: Final = re.compile(either("said_since", gap=_GAP), re.IGNORECASE)
_BEFORE_A_LENGTH: Final = re.compile(r"^(?:of|within)\s+", re.IGNORECASE)
_LONGEST_FORGET_TAIL: Final = 80
"""Characters behind what is to be forgotten: more are a story."""


def _said(tail: str, *, mine: bool) -> Command | None:
    """Return the command for what stands behind "everything": a place, a time, or both."""
    said = " ".join(plain(tail).split())
    found = _FORGET_TAIL.fullmatch(f" {said}") if len(said) <= _LONGEST_FORGET_TAIL else None
    if found is None:
        return None
    since = found["since"]
    if since is not None:
        since = _BEFORE_A_LENGTH.sub("", since) if _SINCE.fullmatch(since) else None
        if since is None or not is_since(since):
            return None
    here = bool(found["here"] or found["here2"])
    return ForgetSaid(mine=mine, here=here, since=since) if here or since else None


PERIODS: Final[Mapping[str, Build]] = {
    "missed": fixed(AskCatchUp()),
    "missed_since": _caught_up,
    "happened": happened,
    "forget_my_messages": fixed(ForgetSaid(mine=True)),
    "forget_mine": lambda tail: _said(tail, mine=True),
    "forget_anybodys": lambda tail: _said(tail, mine=False),
    "forget_here": fixed(ForgetSaid(here=True)),
}
"""What the rows of the languages' grammars mean that reach back to a time."""

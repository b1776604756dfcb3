"""Relative dates become absolute when a statement is stored, and a statement that limits itself ("until
Friday", "for a week") gets the day on which it ends.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.text import date_rules
from bot.text.calendar import LENGTHS, NUMBER, UNITS, length_of, unit_words
from bot.text.date_rules import ISO, MONTH, DatedStatement, DateRule, day_in
from bot.text.languages import in_each_language
from bot.text.tokens import PROTECTED

_DAY: Final = (
    rf"(?:(?:\w+\s+)?{ISO}|\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+{MONTH}\.?,?\s+\d{{4}}"
    rf"|{MONTH}\.?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}|\d{{1,2}}\.\d{{1,2}}\.\d{{4}})"
)
_UNTIL: Final = re.compile(
    rf"\b(?:until|till|['’]til|through|до(?:\s+конца)?)\s+(?:on\s+|the\s+end\s+of\s+)?(?P<day>{_DAY})(?!\w)",
    re.IGNORECASE,
)
_NOT: Final = re.compile(r"(?:\bnot|n['’]t|\bне(?:\s+(?:раньше|ранее))?)\s+\Z", re.IGNORECASE)
_SPAN: Final = re.compile(
    r"\b(?:for\s+(?:(?:about|around|the\s+next|another|at\s+least)\s+)*|на\s+(?:(?:ближайш\w+|целый|целую|еще|ещё)\s+)*)"
    rf"(?:(?P<count>{NUMBER})\s*)?(?P<unit>{unit_words(*LENGTHS, shortest=3)})"
    r"(?=\s*[.!…]*\s*\)?\s*\Z)",
    re.IGNORECASE,
)
_BRACKETS: Final = re.compile(r"\s*\((?P<limit>[^()]+)\)\s*\Z")
_PRESENT: Final = re.compile(
    r"\b(?:is|are|am|will|stays?|staying|going|leaves?|leaving)\b|['’](?:m|re|ll)\b|(?<=[\w>])['’]s\b",
    re.IGNORECASE,
)
_PERFECT: Final = re.compile(r"\b(?:has|have|had|been|was|were)\b|['’]ve\b", re.IGNORECASE)
_COMPARED: Final = re.compile(
    r"\b(?:старше|младше|позже|раньше|дольше|больше|меньше|опозда\w+|отста\w+)\b", re.IGNORECASE
)
_BRIEF: Final = frozenset({"minute", "hour"})
"""How long something takes rather than until when it is so."""


@dataclass(frozen=True, slots=True)
class Lasting:
    """A statement, and when it holds no more."""

    text: str
    """The statement with its limit as a date: "in Paris for a week (until 2026-03-08)"."""
    bare: str
    """The statement without a limit in brackets."""
    expires_at: datetime | None
    """`None` if nothing limits it."""
    last_day: date | None
    """The last day on which it holds, if it ends with a day."""


def lasting(text: str, *, said_at: datetime, time_zone: str) -> Lasting:
    """Return how long `text`, whose dates are absolute already, is to hold, as of the aware moment `said_at`.

    Nothing is raised, whatever the text. A zone that does not exist raises `ZoneInfoNotFoundError`.
    """
    zone = ZoneInfo(time_zone)
    moment = said_at.astimezone(zone)
    brackets = _BRACKETS.search(text)
    if brackets is not None:
        bare = text[: brackets.start()]
        until = _UNTIL.fullmatch(brackets["limit"].strip())
        last_day = day_in(until["day"]) if until else None
        if last_day is not None and last_day >= moment.date():
            return Lasting(text, bare, _end_of(last_day, zone), last_day)
        span = _SPAN.fullmatch(brackets["limit"].strip())
        if span is not None:
            end = said_at + _length(span)
            return Lasting(f"{bare} {_until(end.astimezone(zone), span)}", bare, end, None)
    said = DatedStatement(
        PROTECTED.sub(lambda found: "\0" * len(found[0]), text), moment.replace(tzinfo=None)
    )
    for limit in _UNTIL.finditer(said.text):
        last_day = day_in(limit["day"])
        if last_day is not None and last_day >= moment.date() and not _is_no_limit(said, limit):
            return Lasting(text, text, _end_of(last_day, zone), last_day)
    match = _SPAN.search(said.text)
    if match is not None and _tells_how_long(said, match):
        end = said_at + _length(match)
        told = f"{text[: match.end()]} {_until(end.astimezone(zone), match)}{text[match.end() :]}"
        return Lasting(told, told, end, None)
    return Lasting(text, text, None, None)


def _is_no_limit(said: DatedStatement, match: re.Match[str]) -> bool:
    return said.is_past(match) or said.returns(match) or bool(_NOT.search(said.text[: match.start()]))


def _tells_how_long(said: DatedStatement, match: re.Match[str]) -> bool:
    """Tell whether a span at the end says how long something is so from now on, and not how long it was or takes."""
    before = said.text[: match.start()]
    if said.is_past(match) or said.returns(match) or _unit(match) in _BRIEF:
        return False
    if not match["unit"].isascii():
        return not _COMPARED.search(before)
    return bool(_PRESENT.search(before)) and not _PERFECT.search(before)


def _unit(match: re.Match[str]) -> str:
    return UNITS[match["unit"].lower()]


def _length(match: re.Match[str]) -> timedelta:
    return length_of(match["count"], match["unit"])


def _until(end: datetime, match: re.Match[str]) -> str:
    """Return the end of a span in brackets, in the language of the span; to the minute where it is brief."""
    word = "until" if match["unit"].isascii() else "до"
    return f"({word} {end:%Y-%m-%d %H:%M})" if _unit(match) in _BRIEF else f"({word} {end:%Y-%m-%d})"


def _end_of(day: date, zone: ZoneInfo) -> datetime:
    try:
        return datetime.combine(day + timedelta(days=1), time(), zone)
    except OverflowError:
        return datetime.combine(day, time(), zone)


_RULES: Final[Sequence[DateRule]] = (
    *date_rules.WRITTEN_DATE_RULES,
    *(rule for language in in_each_language("dates") for rule in language.RULES),
)
"""In the order in which they may claim a span; none is claimed twice."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A text whose dates are absolute, and the one date that it is about, if it is about exactly one."""

    text: str
    holds_on: date | None


def with_absolute_dates(text: str, *, said_at: datetime, time_zone: str) -> Dated:
    """Return `text` with its relative dates made absolute, as of the aware moment `said_at` in `time_zone`.

    "tomorrow" becomes "on 2026-03-02", "on Friday" "on Friday 2026-03-06", "20 June" "20 June 2026". The
    module's docstring has the rules. `holds_on` is the one date that the text names, relative or absolute; it
    is `None` if there is none or more than one, and for what returns. Nothing is raised, whatever the text;
    done twice it changes nothing more. A zone that does not exist raises `ZoneInfoNotFoundError`.
    """
    moment = said_at.astimezone(ZoneInfo(time_zone)).replace(tzinfo=None)
    said = DatedStatement(PROTECTED.sub(lambda span: "\0" * len(span[0]), text), moment)
    changes: dict[int, tuple[int, str]] = {}
    dates: set[date] = set()
    taken = bytearray(len(text))
    for pattern, rule in _RULES:
        for match in pattern.finditer(said.text):
            change = None if any(taken[match.start() : match.end()]) else rule(said, match)
            if change is None:
                continue
            taken[match.start() : match.end()] = b"\1" * len(match[0])
            changes[match.start()] = (match.end(), change.text)
            if change.day is not None and said.is_one_day(match):
                dates.add(change.day)
    return Dated(_changed(text, changes), dates.pop() if len(dates) == 1 else None)


def _changed(text: str, changes: dict[int, tuple[int, str]]) -> str:
    """Return `text` with each span replaced; `changes` has its end and its new text by its start."""
    pieces, at = [], 0
    for start in sorted(changes):
        end, new = changes[start]
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])

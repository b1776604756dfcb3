"""Relative dates become absolute when they are stored: "tomorrow" means nothing a week later.

The rules, all in the days of the guild's zone, weeks beginning on Monday:

- "on Friday" is the next Friday after the day itself, or the last one before it where the sentence tells of
  the past; "this Friday" may be the day itself; "next Friday" is the Friday of the next calendar week.
- "20 June" is the next such day, the day itself included, or the most recent where the sentence tells of the past.
- What returns ("every Friday", "on Fridays", a birthday's day and month) stays as it is, as do absolute dates,
  quotations, addresses and names.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.memory.dates import english, russian, written
from bot.memory.dates.lasting import Lasting, lasting
from bot.memory.dates.said import Said
from bot.memory.tokens import PROTECTED

__all__ = ["Dated", "Lasting", "lasting", "with_absolute_dates"]

_RULES: Final = (*written.RULES, *english.RULES, *russian.RULES)
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
    said = Said(PROTECTED.sub(lambda span: "\0" * len(span[0]), text), moment)
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

"""A statement with another value in it: where in its words the new one goes."""

import re
from typing import Final

from rapidfuzz import fuzz

_DAY_NAMES: Final = (
    r"(?:(?:on|во|в)\s+)?(?:(?:next|last|this|следующ\w+|прошл\w+|эт\w+)\s+)?"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:во?\s+)?(?:(?:следующ\w+|прошл\w+|эт\w+)\s+)?"
    r"(?:понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье)"
    r"|(?:the\s+)?(?:day\s+after\s+)?tomorrow|today|tonight|yesterday|сегодня|завтра|послезавтра|вчера"
)
_MONTHS: Final = (
    r"(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber"
    r"|январ[яь]|феврал[яь]|марта?|апрел[яь]|ма[яй]|июн[яь]|июл[яь]|августа?|(?:сентя|октя|ноя|дека)бр[яь]"
)
_KINDS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:on\s+)?(?:\d{{4}}-\d\d-\d\d|(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})"
        rf"|(?:{_MONTHS})\s+\d{{1,2}}(?:st|nd|rd|th)?|{_DAY_NAMES})\b",
        r"\b(?:(?:at|в)\s+)?(?:\d{1,2}:\d\d(?:\s?[ap]m)?|\d{1,2}\s?[ap]m)\b",
        r"(?<![\w.@-])\d+(?:[.,]\d+)*(?![\w@-])",
    )
)
"""Kinds of values that stand for one another: days, clock times, numbers."""

_LINK: Final = re.compile(r"\s(?:is|are|was|were|=|это|—|–)\s", re.IGNORECASE)
_WORD: Final = re.compile(r"[\w'’.@+-]+")

_SPELLING: Final = 70
"""From this similarity on (0 to 100) a value is taken for another spelling of a word."""

_SENTENCE_WORDS: Final = 4
"""A value of so many words that shares one with the fact is the whole sentence, said anew."""


def with_value(statement: str, value: str, *, instead_of: str | None = None) -> str | None:
    """Return `statement` with `value` in the place of what it corrects, or `None` if that cannot be told.

    What it stands `instead_of` is replaced where that is named; else a whole sentence replaces the whole; a
    day, time or number the only one of its kind; another spelling the word that it is like; anything else what
    stands behind "is", or behind the preposition that both have.
    """
    if instead_of is not None:
        named = re.compile(rf"(?<!\w){re.escape(instead_of)}(?!\w)", re.IGNORECASE)
        if len(places := list(named.finditer(statement))) == 1:
            return _put(statement, places[0], value)
    first, *others = value.split()
    shared = {word.casefold() for word in _WORD.findall(value)} & {
        word.casefold() for word in _WORD.findall(statement)
    }
    if (len(others) + 1 >= _SENTENCE_WORDS and shared) or (len(others) > 1 and statement.startswith(first)):
        return value
    for kind in _KINDS:
        if kind.fullmatch(value.strip()):
            places = list(kind.finditer(statement))
            return _put(statement, places[0], value) if len(places) == 1 else None
    alike = [
        word
        for word in _WORD.finditer(statement)
        if fuzz.ratio(word[0].casefold(), value.casefold()) >= _SPELLING
    ]
    if len(alike) == 1:
        return _put(statement, alike[0], value)
    links = list(_LINK.finditer(statement))
    if links:
        return statement[: links[-1].end()] + value
    if others:
        behind = list(re.finditer(rf"(?<!\S){re.escape(first)}\s+\S+$", statement, re.IGNORECASE))
        return _put(statement, behind[0], value) if behind else None
    words = list(_WORD.finditer(statement))
    return _put(statement, words[-1], value) if len(words) > 1 else None


def _put(statement: str, place: re.Match[str], value: str) -> str:
    """Return `statement` with `value` at `place`, keeping a preposition that the value lacks."""
    leading = re.match(r"(?:on|at|во?)\s+", place[0], re.IGNORECASE)
    if leading and not re.match(r"(?:on|at|во?|tomorrow|today|завтра|сегодня)\b", value, re.IGNORECASE):
        value = leading[0] + value
    return statement[: place.start()] + value + statement[place.end() :]


def names_a_day(value: str) -> bool:
    """Tell whether `value` names a day."""
    return _KINDS[0].search(value) is not None


def is_said_to_be(content: str) -> bool:
    """Tell whether `content` says what something is, so that a name in it may be a value."""
    return _LINK.search(content) is not None

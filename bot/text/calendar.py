"""What the words of the calendar mean in every language: numbers, units of time, months and weekdays."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Final

from bot.text.languages import in_each_language

_LEXICONS: Final = in_each_language("calendar")
NUMBERS: Final[Mapping[str, int]] = {word: n for lexicon in _LEXICONS for word, n in lexicon.NUMBERS.items()}
UNITS: Final[Mapping[str, str]] = {
    word: str(unit)
    for lexicon in _LEXICONS
    for unit, words in lexicon.UNITS.items()
    for word in words.split()
}
"""The unit that a word means: minute, hour, day, week, weekend, month or year."""
LENGTHS: Final = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}
"""How long each unit is taken to be."""


def _either(words: Collection[str]) -> str:
    """Return the pattern of any of `words`, the longest first; a space in one is any gap."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


def unit_words(*units: str, shortest: int = 1) -> str:
    """Return the pattern of any word for one of `units`, in every language, of so many letters at least."""
    return _either([word for word, unit in UNITS.items() if unit in units and len(word) >= shortest])


NUMBER: Final = rf"\d{{1,3}}|{_either(NUMBERS)}"
"""The pattern of a number of three digits at most, or written as a word."""


def number_of(text: str | None) -> int:
    """Return what `NUMBER` found; 1 for nothing."""
    said = " ".join((text or "1").lower().split())
    return int(said) if said.isdigit() else NUMBERS[said]


def length_of(number: str | None, unit: str) -> timedelta:
    """Return how long so many of a unit are, both as they were said."""
    return number_of(number) * LENGTHS[UNITS[unit.lower().replace("ё", "е")]]


def month_of(word: str) -> int:
    """Return the number of the month that `word` names, from 1 on. Raises `ValueError` if it names none."""
    return _begun(word, [lexicon.MONTHS for lexicon in _LEXICONS]) + 1


def weekday_of(word: str) -> int:
    """Return the number of the weekday that `word` names, 0 being Monday. Raises `ValueError` if it names none."""
    return _begun(word, [lexicon.WEEKDAYS for lexicon in _LEXICONS])


def _begun(word: str, tables: Sequence[Sequence[str]]) -> int:
    """Return the place of the longest stem with which `word` begins."""
    folded = word.lower()
    found = [(len(stem), at) for stems in tables for at, stem in enumerate(stems) if folded.startswith(stem)]
    if not found:
        raise ValueError(f"{word!r} is no word of the calendar")
    return max(found)[1]

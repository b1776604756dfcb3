"""The words by which derived texts are compared with their sources: which words carry meaning, which are forms of one
word, and which days, numbers and names they denote.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import Final

from bot.core.domain import Language
from bot.text.accusations import speaks_of_misdeeds
from bot.text.calendar import NEAR_DAYS, NUMBER, NUMBERS, UNITS, length_of, unit_words
from bot.text.dates_abroad import NUMBERS as NUMBERS_ABROAD
from bot.text.language_detection import COMMON_WORDS, detect_language, folded
from bot.text.languages import in_each_language, rows
from bot.text.tokens import ALIKE, LOOSELY_ALIKE, are_alike, content_stems

TOKEN: Final = re.compile(
    r"<@[!&]?\d+>|<[^>\s]*>|https?://\S+|(?P<number>\d+(?:[.:,]\d+)*)|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)"
)
_SENTENCE_BEGINS: Final = re.compile(r"^[\s\"'“«(\[*•-]*(?:\[[\d-]+\]\s*)?(?:<@!?\d+>['’]?s?\s*)?")


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """The words of a sentence that tell something."""

    all: tuple[str, ...]
    plain: tuple[str, ...]
    """Those that are not in every retelling, names among them."""
    names: tuple[str, ...]
    """With a capital inside the sentence, or in other letters than the rest."""
    numbers: tuple[str, ...]
    days: tuple[date, ...]
    calendar: tuple[tuple[str, int], ...]
    """Weekdays and months."""

    @property
    def is_dated(self) -> bool:
        """Whether a number may be that of a day."""
        return bool(self.days or self.calendar)


HEAD: Final = 2
"""Words that begin otherwise are no forms of one word."""

COUNTED_OFF: Final = frozenset({"1", "2", "0", "00"})
"""What a retelling counts by itself ("two ways"), and full hours."""

_ISO: Final = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_COUNTS: Final = re.compile(r"\d\s?\Z")
"""What stands before a unit: "40 GB" names nobody."""

_CLOCK: Final = re.compile(r"(?<=\d)\s*(?:Uhr|h)(?!\w)")
_SPAN: Final = re.compile(
    rf"(?<!\w)(?:(?P<count>{NUMBER})\s*)?(?P<unit>{unit_words('day', 'week', 'month', shortest=3)})(?!\w)"
)


_OWNING: Final = re.compile(r"['’]s?$")
"""What is behind a name whose thing is spoken of: "Bob's kitchen"."""


def words_in(sentence: str, *, nouns_are_capital: bool = False) -> SentenceWords:
    """Return the words of a sentence; `nouns_are_capital` where it may be German, so that a capital is no name's."""
    days = tuple(_day_of(found[0]) for found in _ISO.finditer(sentence))
    begin = _SENTENCE_BEGINS.match(sentence)
    body = _CLOCK.sub(":00", _ISO.sub(lambda found: " " * len(found[0]), sentence))
    first = begin.end() if begin is not None else 0
    tongue = detect_language(sentence)
    capitals_tell = not (nouns_are_capital if tongue is None else tongue.name == "German")
    is_cyrillic = Language.of(sentence) is Language.RUSSIAN
    all_words: list[str] = []
    told: list[str] = []
    names: list[str] = []
    numbers: list[str] = []
    calendar: list[tuple[str, int]] = []
    for found in TOKEN.finditer(body):
        if found["number"]:
            numbers.append(found["number"])
        elif found["word"] and (number := numeral(folded(found["word"]))) is not None:
            numbers.append(number)
        elif word := found["word"]:
            named = calendar_word(folded(word))
            if named is not None and (is_cyrillic or word[0].isupper()):
                calendar.append(named)
                continue
            all_words.append(word)
            if not is_common(word) and not is_one_of(word, "little"):
                told.append(word)
            if (
                (Language.of(word) is Language.RUSSIAN) != is_cyrillic
                or (capitals_tell and word[0].isupper() and found.start() > first and not is_common(word))
            ) and not (word.isupper() and _COUNTS.search(body, 0, found.start())):
                names.append(_OWNING.sub("", word))
    return SentenceWords(tuple(all_words), tuple(told), tuple(names), tuple(numbers), days, tuple(calendar))


@lru_cache(maxsize=8192)
def calendar_word(word: str) -> tuple[str, int] | None:
    """Return which weekday (Monday is 0) or month a folded word names, if any."""
    return _calendar_names().get(word) or _calendar_names().get(stem_of(word))


@cache
def _calendar_names() -> Mapping[str, tuple[str, int]]:
    named: dict[str, tuple[str, int]] = {}
    for tables in in_each_language("retelling"):
        for row, first in (("weekday", 0), ("month", 1)):
            for number, spellings in enumerate(
                dict(rows(tables.CALENDAR, joint=" "))[row].split(), start=first
            ):
                for spelling in spellings.split("|"):
                    named |= dict.fromkeys(filter(None, (spelling, stem_of(spelling))), (row, number))
    return named


def _day_of(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date.min


@lru_cache(maxsize=8192)
def stem_of(word: str) -> str:
    """Return the stem of a word; empty for one that carries no content."""
    return next(iter(content_stems(word)), "")


@lru_cache(maxsize=8192)
def is_common(word: str) -> bool:
    """Tell whether a word says nothing by itself, in any known language."""
    plain = folded(word)
    return not stem_of(plain) or plain.removesuffix("'s") in _common_words() or plain in NUMBERS


@cache
def _common_words() -> frozenset[str]:
    return frozenset().union(*(tongue.words for tongue in COMMON_WORDS))


@lru_cache(maxsize=16384)
def bare(word: str) -> str:
    """Return a word without accents, which forms of one word may differ in: "viví" and "vivió", "trage" and "trägt"."""
    parts = unicodedata.normalize("NFD", folded(word))
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def is_compound(one: str, other: str) -> bool:
    """Tell whether one of two folded words is a part of the other, at its beginning or its end: "Chor", "Chorprobe"."""
    part, whole = sorted((one, other), key=len)
    return len(part) > _SHORT and (whole.startswith(part) or whole.endswith(part))


def is_form(one: str, other: str, *, loosely: bool) -> bool:
    """Tell whether two words are forms of one."""
    some, others = bare(stem_of(one)), bare(stem_of(other))
    return bool(some and others) and are_alike(some, others, common_part=LOOSELY_ALIKE if loosely else ALIKE)


@cache
def _retelling(row: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of a row of the tables of retelling of all languages, and their stems."""
    said = frozenset(
        word
        for tables in in_each_language("retelling")
        for name, listed in rows(tables.WORDS, joint=" ")
        if name == row
        for word in folded(listed).split()
    )
    # A short stem may be another word's: "quit" is no form of "quite".
    return said, frozenset(stem for word in said if len(stem := stem_of(word)) > _SHORT)


@lru_cache(maxsize=16384)
def is_one_of(word: str, row: str) -> bool:
    """Tell whether a word stands in a row of the tables of retelling, in any form."""
    words, stems = _retelling(row)
    return folded(word) in words or stem_of(folded(word)) in stems


_SHORT: Final = 4


def is_grave(word: str) -> bool:
    """Tell whether a word states something serious, which is never told on another member's word."""
    return is_one_of(word, "grave") or speaks_of_misdeeds(word)


def tells_grave(text: str) -> bool:
    """Tell whether `text` says something serious about anybody, which is never told on another member's word."""
    return any(found["word"] and is_grave(found["word"]) for found in TOKEN.finditer(text))


@lru_cache(maxsize=8192)
def numeral(word: str) -> str | None:
    """Return in digits what a folded word counts; one and two are no more than other words."""
    number = _numerals().get(word) or _numerals().get(stem_of(word)) or NUMBERS.get(word)
    return str(number) if number is not None and number > _LEAST_COUNTED else None


def counted(word: str) -> str | None:
    """Return in digits what a folded word that people said may count, in any language."""
    number = NUMBERS.get(word) or NUMBERS_ABROAD.get(word)
    return numeral(word) or (str(number) if number is not None else None)


_LEAST_COUNTED: Final = 2


@cache
def _numerals() -> Mapping[str, int]:
    counted: dict[str, int] = {}
    for tables in in_each_language("retelling"):
        for number, words in rows(tables.NUMERALS, joint=" "):
            for word in words.split():
                counted |= dict.fromkeys(filter(None, (folded(word), stem_of(folded(word)))), int(number))
    return counted


def names_of(day: date) -> tuple[tuple[str, int], ...]:
    """Return the weekday and the month of a day."""
    return ("weekday", day.weekday()), ("month", day.month)


@cache
def _meanings() -> Mapping[str, frozenset[str]]:
    """Return by stem the words that mean the same."""
    found: dict[str, set[str]] = {}
    for language in in_each_language("words"):
        for _, words in rows(language.SYNONYMS, joint=" "):
            _join(found, folded(words).split())
    for tables in in_each_language("retelling"):
        for line in folded(tables.SAME).strip().splitlines():
            _join(found, line.split())
    return {stem: frozenset(words) for stem, words in found.items()}


def _join(found: dict[str, set[str]], words: Sequence[str]) -> None:
    for word in words:
        found.setdefault(stem_of(word), set()).update(words)


def same_meaning(stem: str) -> frozenset[str]:
    """Return the words that mean what a stem does."""
    return _meanings().get(stem, frozenset())


def spellings(number: str) -> list[str]:
    """Return a number and its parts: of 20:00 also 20, and 8 on a clock of twelve hours."""
    parts = [number, *re.split(r"[.:,]", number)]
    hours = [str(int(one) + shift) for one in parts[1:2] if ":" in number for shift in (-12, 12)]
    plain = [str(int(one)) for one in parts if one.isdigit()]
    # "4 thousand" is 4000.
    plain += [one[:-3] for one in plain if one.endswith("000")]
    return list(dict.fromkeys([*parts, *plain, *(one for one in hours if 0 < int(one) <= _HOURS)]))


_HOURS: Final = 24


def _weekdays_of(word: str) -> tuple[int, ...]:
    """Return the weekdays that a folded word means."""
    named = calendar_word(word)
    if named is not None and named[0] == "weekday":
        return (named[1],)
    return _WEEKEND if UNITS.get(word) == "weekend" else ()


_WEEKEND: Final = (5, 6)


def days_meant(text: str, on: date) -> Iterable[date]:
    """Yield the days that `text` may mean, said on a day."""
    said = folded(text)
    yield on
    for near, days in NEAR_DAYS.items():
        if near in said:
            yield on + timedelta(days=days)
    for found in TOKEN.finditer(said):
        if weekdays := _weekdays_of(found["word"] or ""):
            yield from (
                day for days in range(-7, 8) if (day := on + timedelta(days=days)).weekday() in weekdays
            )
    for found in _SPAN.finditer(said):
        length = length_of(found["count"], found["unit"]).days
        yield from (on + timedelta(days=shift * length) for shift in (-1, 1))

"""Relative dates become absolute when a statement is stored, and a statement that limits itself ("until
Friday", "for a week") gets the day on which it ends.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Final, Literal, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from bot.text.calendar import (
    ISO,
    LENGTHS,
    LEXICONS,
    MONTH,
    NUMBER,
    UNITS,
    Calendar,
    length_of,
    month_of,
    unit_words,
    weekday_of,
)
from bot.text.languages import either, in_each_language
from bot.text.patterns import lazy_pattern
from bot.text.tokens import PROTECTED, words

Which: TypeAlias = Literal["next", "last", "this", ""]
"""How a weekday, week, month or year is picked out; nothing where it is named alone."""

PREPOSITIONS: Final = words("on by until till til before after since from for to of through at over in")
_RECURRING: Final = lazy_pattern(rf"\b{either('recurring')}\b", re.IGNORECASE)
_YEARLY: Final = lazy_pattern(rf"\b{either('yearly')}\b", re.IGNORECASE)
_BIRTHDAY: Final = lazy_pattern(rf"\b{either('is_a_birthday')}\b", re.IGNORECASE)
_CELEBRATED: Final = lazy_pattern(rf"\b{either('celebrated')}\b", re.IGNORECASE)
_PAST_OR_PRESENT: Final = lazy_pattern(rf"\b{either('past_or_present')}(?![\w'’])", re.IGNORECASE)
_REPORTS: Final = lazy_pattern(rf"\b{either('reports')}", re.IGNORECASE)
"""What was said, promised or decided then, which does not tell when it is: "Anna said she brings cake on Friday"."""
_NAMING: Final = lazy_pattern(rf"\b{either('naming')}\b", re.IGNORECASE)
_PRESENT: Final = lazy_pattern(
    r"(?:\b(?:is|are|am|be|been)|['’](?:s|m|re))\s+(?:\w+ly\s+)?\w+ed\b"
    r"|\b(?:is|are|am|will|would|shall|might|going|must|should|can|needs?)\b|['’](?:ll|m|re)\b",
    re.IGNORECASE,
)
_ONLY_A_WEEK: Final = lazy_pattern(rf"\b{either('week_from')}\s+\Z", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"[.!?;](?=\s)|\n")
_WORD: Final = re.compile(r"[^\W\d_]+")
_WORD_BEFORE: Final = re.compile(r"([^\W_]+)\s+\Z")


class DateChange(NamedTuple):
    """What a span becomes, and the day that it means, if it means one."""

    text: str
    day: date | None = None


@dataclass(frozen=True, slots=True)
class _Sentence:
    """What the rules ask about a sentence, found out once; places are counted from the start of the text."""

    start: int
    first_word: int
    recurs: bool
    yearly: bool
    birthday: bool
    naming: bool
    one_form: bool
    """Its verb is the same in past and present: "quit", "put"."""
    tenses: tuple[tuple[int, bool], ...]
    """Where verbs are that tell the tense, and whether that is the past."""

    @classmethod
    def of(cls, text: str, start: int) -> "_Sentence":
        """Return what there is to know about the sentence `text`, which begins at `start`."""
        present = [found.span() for found in _PRESENT.finditer(text)]
        reports = {found.start() for found in _REPORTS.finditer(text)}
        past = [
            word.start()
            for word in _WORD.finditer(text)
            if word.start() not in reports and _is_past_form(word[0].lower())
        ]
        tenses = [(start + at, False) for at, _ in present]
        tenses += [(start + at, True) for at in past if not any(first <= at < end for first, end in present)]
        word = _WORD.search(text)
        return cls(
            start=start,
            first_word=start + (word.start() if word else len(text)),
            recurs=bool(_RECURRING.search(text)),
            yearly=bool(_YEARLY.search(text)),
            birthday=bool(_BIRTHDAY.search(text)) and not _CELEBRATED.search(text),
            naming=bool(_NAMING.search(text)),
            one_form=bool(_PAST_OR_PRESENT.search(text)),
            tenses=tuple(sorted(tenses)),
        )


@dataclass(frozen=True, slots=True)
class DatedStatement:
    """What was said, with protected spans blanked out, and the calendar of when it was."""

    text: str
    calendar: Calendar
    _sentences: list[_Sentence] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        ends = [end.end() for end in _SENTENCE_END.finditer(self.text)]
        for start, end in pairwise([0, *ends, len(self.text)]):
            self._sentences.append(_Sentence.of(self.text[start:end], start))

    @property
    def day(self) -> date:
        """The local day on which it was said."""
        return self.calendar.today

    def before(self, match: re.Match[str]) -> str:
        """Return the word right before the match, in lower case, or nothing."""
        found = _WORD_BEFORE.search(self.text[max(0, match.start() - 40) : match.start()])
        return found[1].lower() if found else ""

    def follows_a_capital(self, match: re.Match[str]) -> bool:
        """Return whether the word before the match is capitalised, as in "Ruby Tuesday"."""
        found = _WORD_BEFORE.search(self.text[max(0, match.start() - 40) : match.start()])
        return found is not None and found[1][0].isupper()

    def recurs(self, match: re.Match[str]) -> bool:
        """Return whether the sentence tells what happens again and again."""
        return self._sentence(match).recurs

    def returns(self, match: re.Match[str]) -> bool:
        """Return whether the sentence tells what happens again and again, or of a day of every year."""
        return self._sentence(match).recurs or self._sentence(match).yearly

    def is_one_day(self, match: re.Match[str]) -> bool:
        """Return whether the match is about the one day that it names: not about its week, nor what returns."""
        return not self.returns(match) and not _ONLY_A_WEEK.search(
            self.text[max(0, match.start() - 40) : match.start()]
        )

    def is_birthday(self, match: re.Match[str]) -> bool:
        """Return whether the match is somebody's birthday, which is on that day of every year."""
        return self._sentence(match).birthday and not self._sentence(match).recurs

    def names(self, match: re.Match[str]) -> bool:
        """Return whether the sentence gives somebody a name, which may be Friday."""
        return self._sentence(match).naming

    def is_title(self, match: re.Match[str]) -> bool:
        """Return whether the match is capitalised where no sentence begins: "Yesterday" is a song."""
        inside = self._sentence(match).first_word < match.start()
        return inside and match[0][:1].isupper() and not match[0].isupper()

    def is_past(self, match: re.Match[str]) -> bool:
        """Return whether the nearest verb before the match, else the first after it, tells of the past."""
        tenses = self._sentence(match).tenses
        before = bisect_left(tenses, (match.start(), False))
        return bool(tenses) and tenses[max(0, before - 1)][1]

    def has_open_tense(self, match: re.Match[str]) -> bool:
        """Return whether nothing tells whether the sentence is of the past: "quit on Monday"."""
        sentence = self._sentence(match)
        return sentence.one_form and not sentence.tenses

    def placed(self, match: re.Match[str], when: str, *, preposition: str) -> str:
        """Return `when` after `preposition`, unless it has one or is the subject: "tomorrow is ..."."""
        before = self.before(match)
        is_subject = not before and re.match(r"\s+(?:is|was|will)\b", self.text[match.end() :])
        return when if is_subject or before in PREPOSITIONS else f"{preposition} {when}"

    def period(self, unit: str, which: Which) -> date:
        """Return the first day of the calendar week, weekend, month or year; raises past the end of time."""
        return self.calendar.first_day(unit, _STEPS[which])

    def weekday(self, number: int, which: Which, *, past: bool, match: re.Match[str] | None = None) -> date:
        """Return the day that a weekday means, 0 being Monday; raises `OverflowError` past the end of time.

        The one that ends a range, where `match` does, comes after the one that began it.
        """
        begun = _RANGE_START.search(self.text[: match.start("day")][-60:]) if match is not None else None
        if begun is not None and not which:
            first = self.weekday(weekday_of(begun["first"]), "", past=past)
            return first + timedelta(days=(number - first.weekday()) % 7 or 7)
        ahead = (number - self.day.weekday()) % 7
        if which == "next":
            return self.period("week", which) + timedelta(days=number)
        if which == "last" or (past and not which):
            return self.day - timedelta(days=7 - ahead)
        return self.day + timedelta(days=ahead if which == "this" else ahead or 7)

    def moved(self, count: int, unit: str) -> datetime:
        """Return the local moment so many units later; of a month or a year only month and year are meant."""
        moment = self.calendar.now.astimezone(self.calendar.zone).replace(tzinfo=None)
        if unit in {"month", "year"}:
            months = moment.year * 12 + moment.month - 1 + count * (12 if unit == "year" else 1)
            return datetime(months // 12, months % 12 + 1, 1)
        return moment + count * LENGTHS[unit]

    def _sentence(self, match: re.Match[str]) -> _Sentence:
        """Return the sentence in which the match begins."""
        return self._sentences[
            bisect_right(self._sentences, match.start(), key=lambda sentence: sentence.start) - 1
        ]


DateRule: TypeAlias = tuple[re.Pattern[str], Callable[[DatedStatement, re.Match[str]], DateChange | None]]

_STEPS: Final = {"next": 1, "last": -1, "this": 0, "": 0}
_WHICH: Final[dict[str, Which]] = {
    word: which for lexicon in LEXICONS for word, which in lexicon.WHICH.items()
}


def which_of(word: str | None) -> Which:
    """Return what the word for next, last or this means; nothing for no word."""
    return _WHICH.get(word.lower()[:3], "this") if word else ""


def date_rule(pattern: str, change: Callable[[DatedStatement, re.Match[str]], DateChange | None]) -> DateRule:
    """Return the rule for whole words that match the verbose `pattern`; a day that cannot be is no date."""

    def safely(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
        try:
            return change(said, match)
        except (ValueError, OverflowError):
            return None

    whole = rf"(?<![\w@\#/.'’-])(?:{pattern})(?![\w@/-]|\.\w|['’]\w)"
    return lazy_pattern(whole, re.IGNORECASE | re.VERBOSE), safely


_PHRASING: Final = in_each_language("phrasing")


def _is_past_form(word: str) -> bool:
    """Return whether a word in lower case is the past form of a verb."""
    return any(language.is_past_form(word) for language in _PHRASING)


_WEEKDAY: Final = rf"(?:{'|'.join(stem for lexicon in LEXICONS for stem in lexicon.WEEKDAYS)})\w*"
_RANGE_START: Final = lazy_pattern(
    rf"\b(?:{'|'.join(lexicon.RANGE[0] for lexicon in LEXICONS)})\s+(?P<first>{_WEEKDAY})\s+"
    rf"(?:{'|'.join(lexicon.RANGE[1] for lexicon in LEXICONS)}|through)\s+\Z",
    re.IGNORECASE,
)
_ORDINAL: Final = f"(?:{either('ordinal_ending')})"
_UNSURE: Final = words("may march mar")
INTRODUCING: Final = PREPOSITIONS | words("is was are were due")


def _iso(_said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    return DateChange(match[0], date.fromisoformat(match["iso"]))


def _with_year(_said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    return DateChange(match[0], date(int(match["year"]), _month(match["month"]), int(match["day"])))


def day_in(text: str) -> date | None:
    """Return the day that the first date in `text` names, which has its year; `None` if there is none such."""
    said = DatedStatement(text, Calendar(datetime.min.replace(tzinfo=UTC), ZoneInfo("UTC")))
    found = ((rule, pattern.search(text)) for pattern, rule in _ABSOLUTE)
    named = (rule(said, match) for rule, match in found if match is not None)
    return next((change.day for change in named if change is not None), None)


def _month(name: str) -> int:
    """Return the number of a month from its number or its name."""
    return int(name) if name.isdigit() else month_of(name)


def _without_year(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    name = match["month"]
    introduced = match["ordinal"] is not None or said.before(match) in INTRODUCING
    if said.returns(match) or (name in _UNSURE and not introduced):
        return None
    if said.is_past(match) or said.before(match) == "since":
        # What is to come is the nearest such day; when something was, only who said it knows.
        return None
    found = said.calendar.such_day(_month(name), int(match["day"]), past=False)
    comma = "," if match[0].lower().startswith(name.lower()) else ""
    return DateChange(f"{match[0]}{comma} {found.year:04d}", None if match["range"] else found)


_ABSOLUTE: Final[tuple[DateRule, ...]] = (
    date_rule(rf"(?:{_WEEKDAY}(?:\s+(?:morning|afternoon|evening|night))?\s+)?(?P<iso>{ISO})", _iso),
    date_rule(
        rf"(?P<day>\d{{1,2}}){_ORDINAL}?(?:\s+of)?\s+(?P<month>{MONTH})\.?,?\s+(?P<year>\d{{4}})", _with_year
    ),
    date_rule(
        rf"(?P<month>{MONTH})\.?\s+(?:the\s+)?(?P<day>\d{{1,2}}){_ORDINAL}?,?\s+(?P<year>\d{{4}})", _with_year
    ),
    date_rule(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})", _with_year),
)

WRITTEN_DATE_RULES: Final[tuple[DateRule, ...]] = (
    *_ABSOLUTE,
    date_rule(
        rf"(?P<range>\d{{1,2}}\s*[-–]\s*)?(?P<day>\d{{1,2}})(?P<ordinal>{_ORDINAL}?(?:\s+of)?)?\s+(?P<month>{MONTH})(?!,?\s+\d{{4}})",
        _without_year,
    ),
    date_rule(
        rf"(?P<month>{MONTH})\s+(?:the\s+)?(?P<range>\d{{1,2}}\s*[-–]\s*)?(?P<day>\d{{1,2}})(?P<ordinal>{_ORDINAL})?(?!:|,?\s+\d{{4}})",
        _without_year,
    ),
)
"""The absolute ones first: what has its year already is claimed before anything could add one."""

_DAY: Final = (
    rf"(?:(?:\w+\s+)?{ISO}|\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+{MONTH}\.?,?\s+\d{{4}}"
    rf"|{MONTH}\.?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}|\d{{1,2}}\.\d{{1,2}}\.\d{{4}})"
)


@cache
def _until_a_day() -> re.Pattern[str]:
    until = f"(?:{either('until_a_day')}|{_abroad().UNTIL})"
    return lazy_pattern(rf"\b{until}\s+(?P<day>{_DAY})(?!\w)", re.IGNORECASE)


_NOT: Final = lazy_pattern(rf"{either('not_yet')}\s+\Z", re.IGNORECASE)
_SPAN: Final = lazy_pattern(
    rf"\b{either('for_a_time')}(?:(?P<count>{NUMBER})\s*)?(?P<unit>{unit_words(*LENGTHS, shortest=3)})"
    r"(?=\s*[.!…]*\s*\)?\s*\Z)",
    re.IGNORECASE,
)
_BRACKETS: Final = re.compile(r"\s*\((?P<limit>[^()]+)\)\s*\Z")
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
        until = _until_a_day().fullmatch(brackets["limit"].strip())
        last_day = day_in(until["day"]) if until else None
        if last_day is not None and last_day >= moment.date():
            return Lasting(text, bare, _end_of(last_day, zone), last_day)
        span = _SPAN.fullmatch(brackets["limit"].strip())
        if span is not None:
            end = said_at + _length(span)
            return Lasting(f"{bare} {_until(end.astimezone(zone), span)}", bare, end, None)
    said = _statement(text, said_at, zone)
    for limit in _until_a_day().finditer(said.text):
        last_day = day_in(limit["day"])
        if last_day is not None and last_day >= moment.date() and not _is_no_limit(said, limit):
            return Lasting(text, text, _end_of(last_day, zone), last_day)
    match = _SPAN.search(said.text)
    if match is not None and _tells_how_long(said, match):
        end = said_at + _length(match)
        told = f"{text[: match.end()]} {_until(end.astimezone(zone), match)}{text[match.end() :]}"
        return Lasting(told, told, end, None)
    spoken = _abroad().duration_at_end(said)
    if spoken is not None:
        end = said_at + spoken.length
        told = f"{text[: spoken.end]} ({spoken.until} {end.astimezone(zone):%Y-%m-%d}){text[spoken.end :]}"
        return Lasting(told, told, end, None)
    return Lasting(text, text, None, None)


def _is_no_limit(said: DatedStatement, match: re.Match[str]) -> bool:
    return said.is_past(match) or said.returns(match) or bool(_NOT.search(said.text[: match.start()]))


def _tells_how_long(said: DatedStatement, match: re.Match[str]) -> bool:
    """Tell whether a span at the end says how long something is so from now on, and not how long it was or takes."""
    before = said.text[: match.start()]
    if said.is_past(match) or said.returns(match) or _unit(match) in _BRIEF:
        return False
    words = _language_of(match)
    holds, is_no_limit = (
        re.search(pattern, before, re.IGNORECASE) for pattern in (words.HOLDS_NOW, words.IS_NO_LIMIT)
    )
    return holds is not None and is_no_limit is None


def _unit(match: re.Match[str]) -> str:
    return UNITS[match["unit"].lower()]


def _language_of(match: re.Match[str]) -> ModuleType:
    """Return the words of the language in which the unit of a span is told."""
    unit = match["unit"].lower()
    return next(words for words in LEXICONS if any(unit in units.split() for units in words.UNITS.values()))


def _length(match: re.Match[str]) -> timedelta:
    return length_of(match["count"], match["unit"])


def _until(end: datetime, match: re.Match[str]) -> str:
    """Return the end of a span in brackets, in the language of the span; to the minute where it is brief."""
    word = _language_of(match).UNTIL
    return f"({word} {end:%Y-%m-%d %H:%M})" if _unit(match) in _BRIEF else f"({word} {end:%Y-%m-%d})"


def _end_of(day: date, zone: ZoneInfo) -> datetime:
    try:
        return datetime.combine(day + timedelta(days=1), time(), zone)
    except OverflowError:
        return datetime.combine(day, time(), zone)


def _statement(text: str, said_at: datetime, zone: ZoneInfo) -> DatedStatement:
    return DatedStatement(PROTECTED.sub(lambda found: "\0" * len(found[0]), text), Calendar(said_at, zone))


@cache
def _rules() -> Sequence[DateRule]:
    """Return the rules in the order in which they may claim a span; none is claimed twice."""
    # Those of the languages build on this module, so that they cannot be loaded before it.
    spoken = (rule for language in (*in_each_language("dates"), _abroad()) for rule in language.RULES)
    return (*WRITTEN_DATE_RULES, *spoken)


def _abroad() -> ModuleType:
    """Return the rules of the languages without a folder."""
    return import_module("bot.text.dates_abroad")


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
    said = _statement(text, said_at, ZoneInfo(time_zone))
    changes: dict[int, tuple[int, str]] = {}
    dates: set[date] = set()
    taken = bytearray(len(text))
    for pattern, rule in _rules():
        for match in pattern.finditer(said.text):
            change = None if any(taken[match.start() : match.end()]) else rule(said, match)
            if change is None:
                continue
            if change.day is not None and change.text != match[0] and said.is_birthday(match):
                change = _of_every_year(change, match)
            taken[match.start() : match.end()] = b"\1" * len(match[0])
            changes[match.start()] = (match.end(), change.text)
            if change.day is not None and said.is_one_day(match):
                dates.add(change.day)
    return Dated(_changed(text, changes), dates.pop() if len(dates) == 1 else None)


_RELATIVE_DAY: Final = lazy_pattern(rf"(?:{_WEEKDAY}\s+)?(?<!\d-)\b(?P<iso>{ISO})\b", re.IGNORECASE)


def _of_every_year(change: DateChange, match: re.Match[str]) -> DateChange:
    """Return what a relative day becomes that returns every year: day and month in its language, without a year."""
    lexicon = next(words for words in LEXICONS if not words.LETTERS.isdisjoint(match[0].lower()))

    def named(said: re.Match[str]) -> str:
        day = date.fromisoformat(said["iso"])
        month = lexicon.MONTH_WORDS[day.month - 1].split()[0]
        return f"{day.day} {month.title() if month.isascii() else month}"

    return DateChange(_RELATIVE_DAY.sub(named, change.text))


_NAMED_DAY: Final = lazy_pattern(
    rf"(?<![\w.-])(?:(?P<day>\d{{1,2}}){_ORDINAL}?(?:\s+of)?\s+(?P<month>{MONTH})(?:,?\s+(?P<year>\d{{4}}))?"
    rf"|(?P<first_month>{MONTH})\s+(?:the\s+)?(?P<second_day>\d{{1,2}}){_ORDINAL}?(?:,?\s+(?P<second_year>\d{{4}}))?"
    rf"|(?P<number>\d{{1,2}})\.(?P<of>\d{{1,2}})\.(?P<numbered_year>\d{{4}}))(?![\w:-])",
    re.IGNORECASE,
)
_MOST_DAYS: Final = 39
"""What is above is no misspelt day: "45 may be enough"."""


def impossible_day(text: str) -> str | None:
    """Return the first date in `text` that no calendar has, as it is written: "31 February"; `None` if all are days."""
    for found in _NAMED_DAY.finditer(PROTECTED.sub(lambda one: "\0" * len(one[0]), text)):
        day = int(found["day"] or found["second_day"] or found["number"])
        month = found["month"] or found["first_month"] or found["of"]
        year = int(found["year"] or found["second_year"] or found["numbered_year"] or _LEAP_YEAR)
        try:
            date(year, _month(month), day)
        except ValueError:
            if day <= _MOST_DAYS:
                return found[0]
    return None


_LEAP_YEAR: Final = 2024


def _changed(text: str, changes: dict[int, tuple[int, str]]) -> str:
    """Return `text` with each span replaced; `changes` has its end and its new text by its start."""
    pieces, at = [], 0
    for start in sorted(changes):
        end, new = changes[start]
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])

"""What the rules for dates of every language build on: a statement and the moment it was made, rules over
its words, and dates written with numbers.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from bot.text.calendar import month_of
from bot.text.en.phrasing import IRREGULAR_PAST
from bot.text.ru.phrasing import tells_of_the_past
from bot.text.tokens import words

Which: TypeAlias = Literal["next", "last", "this", ""]
"""How a weekday, week, month or year is picked out; nothing where it is named alone."""

PREPOSITIONS: Final = words("on by until till til before after since from for to of through at over in")
_RECURRING: Final = re.compile(
    r"\b(?:every|each|weekly|monthly|always|usually|often|(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends"
    r"|кажд\w+|всегда|обычно|часто|еженедельно|ежемесячно"
    r"|по\s+(?:понедельник|вторник|сред|четверг|пятниц|суббот|воскресень)[ая][мх])\b",
    re.IGNORECASE,
)
_YEARLY: Final = re.compile(
    r"\b(?:birthdays?|b-?day|anniversary|annual(?:ly)?|yearly|(?:every|each) year|born|holiday|christmas|halloween"
    r"|new year|(?-i:[A-Z][a-z]+ Day)|д(?:ень|ня) рождения|днюх\w|др|годовщин\w|ежегодн\w+|родил(?:ся|ась|ись)"
    r"|именин\w|праздни\w+|рождеств\w|нов(?:ый|ого) год\w?)\b",
    re.IGNORECASE,
)
_NAMING: Final = re.compile(
    r"\b(?:name|named|called|nickname|nicknamed|зовут|назва\w+|кличка|имя)\b", re.IGNORECASE
)
_PRESENT: Final = re.compile(
    r"(?:\b(?:is|are|am|be|been)|['’](?:s|m|re))\s+(?:\w+ly\s+)?\w+ed\b"
    r"|\b(?:is|are|am|will|going|must|should|can|needs?)\b|['’](?:ll|m|re)\b",
    re.IGNORECASE,
)
_ONLY_A_WEEK: Final = re.compile(r"\b(?:week(?:end)?\s+of|(?:недел\w|выходны\w)\s+с)\s+\Z", re.IGNORECASE)
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
    naming: bool
    tenses: tuple[tuple[int, bool], ...]
    """Where verbs are that tell the tense, and whether that is the past."""

    @classmethod
    def of(cls, text: str, start: int) -> "_Sentence":
        """Return what there is to know about the sentence `text`, which begins at `start`."""
        present = [found.span() for found in _PRESENT.finditer(text)]
        past = [word.start() for word in _WORD.finditer(text) if _is_past_form(word[0].lower())]
        tenses = [(start + at, False) for at, _ in present]
        tenses += [(start + at, True) for at in past if not any(first <= at < end for first, end in present)]
        word = _WORD.search(text)
        return cls(
            start=start,
            first_word=start + (word.start() if word else len(text)),
            recurs=bool(_RECURRING.search(text)),
            yearly=bool(_YEARLY.search(text)),
            naming=bool(_NAMING.search(text)),
            tenses=tuple(sorted(tenses)),
        )


@dataclass(frozen=True, slots=True)
class DatedStatement:
    """What was said, with protected spans blanked out, and the local moment (naive) at which it was."""

    text: str
    moment: datetime
    _sentences: list[_Sentence] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        ends = [end.end() for end in _SENTENCE_END.finditer(self.text)]
        for start, end in pairwise([0, *ends, len(self.text)]):
            self._sentences.append(_Sentence.of(self.text[start:end], start))

    @property
    def day(self) -> date:
        """The local day on which it was said."""
        return self.moment.date()

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

    def placed(self, match: re.Match[str], when: str, *, preposition: str) -> str:
        """Return `when` after `preposition`, unless it has one or is the subject: "tomorrow is ..."."""
        before = self.before(match)
        is_subject = not before and re.match(r"\s+(?:is|was|will)\b", self.text[match.end() :])
        return when if is_subject or before in PREPOSITIONS else f"{preposition} {when}"

    def monday(self, which: Which) -> date:
        """Return the first day of the calendar week; raises `OverflowError` past the end of time."""
        return self.day + timedelta(days=7 * _STEPS[which] - self.day.weekday())

    def month(self, which: Which) -> str:
        """Return the calendar month as YYYY-MM."""
        months = self.day.year * 12 + self.day.month - 1 + _STEPS[which]
        return f"{months // 12:04d}-{months % 12 + 1:02d}"

    def year(self, which: Which) -> str:
        """Return the calendar year as YYYY."""
        return f"{self.day.year + _STEPS[which]:04d}"

    def weekday(self, number: int, which: Which, *, past: bool) -> date:
        """Return the day that a weekday means, 0 being Monday; raises `OverflowError` past the end of time."""
        ahead = (number - self.day.weekday()) % 7
        if which == "next":
            return self.monday("next") + timedelta(days=number)
        if which == "last" or (past and not which):
            return self.day - timedelta(days=7 - ahead)
        return self.day + timedelta(days=ahead if which == "this" else ahead or 7)

    def such_day(self, month: int, day: int, *, past: bool) -> date | None:
        """Return the nearest such day of a year, today included, or `None` if no year has it."""
        for step in range(9):
            year = self.day.year - step if past else self.day.year + step
            try:
                found = date(year, month, day)
            except ValueError:
                continue
            if found <= self.day if past else found >= self.day:
                return found
        return None

    def parsed(self, span: str, *, language: Literal["en", "ru"]) -> datetime | None:
        """Return the local moment that a span like "in 3 days" means, or `None` if it means none."""
        import dateparser  # takes half a second, which those who never say such a thing need not wait

        return dateparser.parse(
            span,
            languages=[language],
            settings={"RELATIVE_BASE": self.moment, "RETURN_AS_TIMEZONE_AWARE": False},
        )

    def _sentence(self, match: re.Match[str]) -> _Sentence:
        """Return the sentence in which the match begins."""
        return self._sentences[
            bisect_right(self._sentences, match.start(), key=lambda sentence: sentence.start) - 1
        ]


DateRule: TypeAlias = tuple[re.Pattern[str], Callable[[DatedStatement, re.Match[str]], DateChange | None]]

_STEPS: Final = {"next": 1, "last": -1, "this": 0, "": 0}
_WHICH: Final[dict[str, Which]] = {"nex": "next", "сле": "next", "буд": "next", "las": "last", "про": "last"}


def which_of(word: str | None) -> Which:
    """Return what the word for next, last or this of either language means; nothing for no word."""
    return _WHICH.get(word.lower()[:3], "this") if word else ""


def date_rule(pattern: str, change: Callable[[DatedStatement, re.Match[str]], DateChange | None]) -> DateRule:
    """Return the rule for whole words that match the verbose `pattern`; a day that cannot be is no date."""

    def safely(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
        try:
            return change(said, match)
        except (ValueError, OverflowError):
            return None

    whole = rf"(?<![\w@\#/.'’-])(?:{pattern})(?![\w@/-]|\.\w|['’]\w)"
    return re.compile(whole, re.IGNORECASE | re.VERBOSE), safely


def _is_past_form(word: str) -> bool:
    """Return whether a word in lower case is the past form of a verb."""
    if word.isascii():
        return word in IRREGULAR_PAST or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))
    return tells_of_the_past(word)


MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)"
)
ISO: Final = r"(?:\d{4}-\d\d-\d\d)"
_WEEKDAY: Final = (
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
    r"|(?:понедельник|вторник|сред|четверг|пятниц|суббот|воскресень)[а-я]?)"
)
_ORDINAL: Final = r"(?:st|nd|rd|th)"
_UNSURE: Final = words("may march mar")
_INTRODUCING: Final = PREPOSITIONS | words("is was are were due")


def _iso(_said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    return DateChange(match[0], date.fromisoformat(match["iso"]))


def _with_year(_said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    return DateChange(match[0], date(int(match["year"]), _month(match["month"]), int(match["day"])))


def day_in(text: str) -> date | None:
    """Return the day that the first date in `text` names, which has its year; `None` if there is none such."""
    for pattern, change in _ABSOLUTE:
        found = pattern.search(text)
        if found is not None and (named := change(DatedStatement(text, datetime.min), found)) is not None:
            return named.day
    return None


def _month(name: str) -> int:
    """Return the number of a month from its number or its name."""
    return int(name) if name.isdigit() else month_of(name)


def _without_year(said: DatedStatement, match: re.Match[str]) -> DateChange | None:
    name = match["month"]
    introduced = match["ordinal"] is not None or said.before(match) in _INTRODUCING
    if said.returns(match) or (name in _UNSURE and not introduced):
        return None
    found = said.such_day(_month(name), int(match["day"]), past=said.is_past(match))
    if found is None:
        return None
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

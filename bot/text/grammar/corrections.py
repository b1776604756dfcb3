"""How the last write is corrected, as in "no, I said Tuesday".

Which values may be put in, which sentences do so, and where in a statement the new value goes.
"""

import re
from collections.abc import Mapping
from typing import Final

from rapidfuzz import fuzz

from bot.text.commands import Command, MoveSubject, ReplaceValue, TakeBack
from bot.text.grammar.rules import Build, fixed, plain
from bot.text.grammar.words import is_calendar_word, word_set

MOST_WORDS: Final = 5
"""Words of a value; what is longer is talk."""

_NUMBER: Final = re.compile(
    r"[#$€£₽]?\d[\d.,:/%-]*(?:st|nd|rd|th|am|pm|h|k|го|е|ого|му)?[$€£₽%]?", re.IGNORECASE
)
_BESIDE_A_DATE: Final = word_set("""
    on at in by the of next this last every around about after before from to until am pm o'clock morning afternoon
    evening night noon half past quarter
    в во на к ко с со до после около утра вечера дня ночи часов часа час утром вечером днем ночью следующий
    следующую следующей этот эту этой прошлый прошлую половина числа года
""")
_NEVER_INSIDE: Final = word_set("""
    i i'm im i'd i'll i've you you're u your yours he she they we it it's its he's she's they're we're is are was
    were am be been do does did don't doesn't didn't can can't could would should will won't have has had that
    that's what who how why when where because if whether think know like want me myself them him us
    я ты вы он она оно они мы это что как кто почему когда где если потому чтобы был была было были буду будет
    знаю думаю хочу люблю надо нужно тебя тебе вас вам меня мне его ее их нас нам себя
""")
_TALK: Final = word_set("""
    nothing never anything something everything so no yes yeah yep nope ok okay thanks thank please fine good great bad
    sorry not really true false right wrong correct incorrect fun funny cool nice well better worse best worst
    complicated hard easy over too very pretty quite just also still maybe perhaps now later soon already enough more
    less all none sure done gone dead broken late early hot cold weird strange stupid dumb crazy lame bot alright
    impossible possible interesting boring amazing awesome awful terrible horrible perfect ridiculous obvious
    unfair fair lol lmao haha hi hello hey bye stop wait go come a an as like kind sort only even either neither
    about up down out off hilarious sad happy lovely ugly beautiful clear unclear normal hopeless useless
    fuck shit damn hell
    нет да ничего никогда не ни ну так тоже просто очень слишком уже еще все хорошо плохо нормально спасибо
    пожалуйста ладно правда неправда верно неверно правильно неправильно шутка шучу смешно круто классно
    странно жаль жалко нельзя можно может сейчас потом позже точно именно конечно только даже бот ок окей
    что-то кто-то где-то другое другой другая
    серьезно поздно рано дорого дешево сложно трудно легко ужасно отлично прекрасно
""")
_FINITE_RUSSIAN: Final = re.compile(r"\w{2,}(?:ешь|ишь|ете|ите|аю|яю|ую|ться|тся|ется|ится)")


def is_definite(value: str) -> bool:
    """Return whether `value` is a date, a time or a number: what nobody says for any other reason."""
    words = _words(value)
    if not 0 < len(words) <= MOST_WORDS:
        return False
    telling = [word for word in words if is_calendar_word(word) or _NUMBER.fullmatch(word)]
    return bool(telling) and all(word in telling or word in _BESIDE_A_DATE for word in words)


def is_plausible(value: str) -> bool:
    """Return whether `value` can stand for what was meant: a few words without a verb or small talk."""
    if is_definite(value):
        return True
    words = _words(value)
    if not 0 < len(words) <= MOST_WORDS or re.search(r"[.!?;:,]\s", plain(value)):
        return False
    if words[0] in _TALK or any(word in _NEVER_INSIDE or _FINITE_RUSSIAN.fullmatch(word) for word in words):
        return False
    return any(character.isalnum() for character in words[0]) and not words[0].endswith(("ing", "n't"))


def is_name_like(value: str) -> bool:
    """Return whether `value` may be what somebody is called: one word, a mention, or capitalised words."""
    if is_definite(value) or not is_plausible(value):
        return False
    words = value.split()
    return len(words) == 1 or all(word[0].isupper() or word[0] in "<@" for word in words)


_OWN_STATEMENT: Final = re.compile(
    r"(?:i|i'(?:m|ve|d|ll)|im|my|я|мой|моя|мое|мои|мне|меня|у\s+меня)\s+"
    r"(?!.*\b(?:you|your|ты|тебя|тебе|вы|вам|вас)\b)(?!.*\?(?:\s|$))\S.*",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_SAID_ANEW: Final = 12
"""Words of a sentence that is said once more to put right what was stored; more are a story."""


def _is_own_statement(words: str) -> bool:
    """Return whether `words` are a short statement of the speaker's about themselves, and not about "you"."""
    even = plain(words)
    return len(even.split()) <= _LONGEST_SAID_ANEW and _OWN_STATEMENT.fullmatch(even) is not None


def _words(value: str) -> list[str]:
    return plain(value).lower().split()


def _definite(value: str, wrong: str | None = None) -> Command | None:
    return ReplaceValue(value, wrong) if is_definite(value) else None


def _plausible(value: str, wrong: str | None = None) -> Command | None:
    return ReplaceValue(value, wrong) if is_plausible(value) else None


def _said_anew(words: str) -> Command | None:
    """A value, or the whole sentence once more: "no, I said I like ramen"."""
    return _plausible(words) or (ReplaceValue(words) if _is_own_statement(words) else None)


def _named(name: str) -> Command | None:
    return MoveSubject(name) if is_name_like(name) else None


CORRECTIONS: Final[Mapping[str, Build]] = {
    "take_back": fixed(TakeBack()),
    "move_subject": MoveSubject,
    "named": _named,
    "named_or_definite": lambda words: _definite(words) or _named(words),
    "definite": _definite,
    "definite_for": lambda wrong, value: _definite(value, wrong),
    "plausible": _plausible,
    "plausible_for": lambda wrong, value: _plausible(value, wrong),
    "said_anew": _said_anew,
}
"""What the rows of the languages' grammars mean that put something right."""

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

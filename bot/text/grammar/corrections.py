"""How the last write is corrected, as in "no, I said Tuesday".

Which values may be put in, which sentences do so, and where in a statement the new value goes.
"""

import re
from collections.abc import Mapping
from typing import Final

from rapidfuzz import fuzz

from bot.text.commands import Command, MoveSubject, ReplaceValue, TakeBack
from bot.text.grammar.rules import Build, fixed, plain
from bot.text.grammar.words import is_calendar_word
from bot.text.languages import either, every_word
from bot.text.tokens import content_stems

MOST_WORDS: Final = 5
"""Words of a value; what is longer is talk."""

_GAP: Final = r"\s+"
_NUMBER: Final = re.compile(rf"[#$€£₽]?\d[\d.,:/%-]*{either('value_ending')}?[$€£₽%]?", re.IGNORECASE)
_BESIDE_A_DATE: Final = every_word("beside_a_date")
_NEVER_INSIDE: Final = every_word("never_inside_a_value")
_TALK: Final = every_word("small_talk")
_ONLY_CLOSES: Final = every_word("only_closes")
_FINITE: Final = re.compile(either("finite_verb"))


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
    if words[0] in _TALK or not _ONLY_CLOSES.isdisjoint(words[1:]):
        return False
    if any(word in _NEVER_INSIDE or _FINITE.fullmatch(word) for word in words):
        return False
    return any(character.isalnum() for character in words[0]) and not words[0].endswith(("ing", "n't"))


def is_name_like(value: str) -> bool:
    """Return whether `value` may be what somebody is called: one word, a mention, or capitalised words."""
    if is_definite(value) or not is_plausible(value):
        return False
    words = value.split()
    return len(words) == 1 or all(word[0].isupper() or word[0] in "<@" for word in words)


_OWN_STATEMENT: Final = re.compile(
    rf"{either('own', gap=_GAP)}\s+(?!.*\b{either('the_bot_inside')}\b)(?!.*\?(?:\s|$))\S.*",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_IN_REPLY: Final = 60
"""Words of a sentence that is said in reply to the confirmation of what it puts right."""

_POINTING: Final = every_word("pointing")
_VERBS: Final = every_word("verbs_of_statements") | every_word("person_verbs")
_SUBJECT: Final = re.compile(rf"(?:{either('subject_pronoun')}|<@!?\d+>)(?:['’]\w+)?\b", re.IGNORECASE)

_LONGEST_SAID_ANEW: Final = 12
"""Words of a sentence that is said once more to put right what was stored; more are a story."""


def _is_own_statement(words: str) -> bool:
    """Return whether `words` are a short statement of the speaker's about themselves, and not about "you"."""
    even = plain(words)
    return len(even.split()) <= _LONGEST_SAID_ANEW and _OWN_STATEMENT.fullmatch(even) is not None


def _words(value: str) -> list[str]:
    return plain(value).lower().split()


def _definite(value: str, wrong: str | None = None) -> Command | None:
    return _plausible(value, wrong) if is_definite(value) else None


def _plausible(value: str, wrong: str | None = None) -> Command | None:
    """What was wrong has to be a value, too: "it's his turn, not mine" puts nothing right."""
    return ReplaceValue(value, wrong) if is_plausible(value) and (not wrong or is_plausible(wrong)) else None


def _said_anew(words: str) -> Command | None:
    """A value, or the whole sentence once more: "no, I said I like ramen"."""
    return _plausible(words) or (ReplaceValue(words) if _is_own_statement(words) else None)


def _whole(words: str) -> Command | None:
    """A whole sentence, whoever it is about: only in reply to a confirmation is it surely said instead of that."""
    even = plain(words).lower().replace("ё", "е").split()
    if not 1 < len(even) <= _LONGEST_IN_REPLY or even[0].strip(",.!") in _TALK | _POINTING:
        return None
    tells = _SUBJECT.match(words) or any(word in _VERBS or _FINITE.fullmatch(word) for word in even)
    return ReplaceValue(words) if tells else None


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
    "whole": _whole,
}
"""What the rows of the languages' grammars mean that put something right."""

_DAY_NAMES: Final = (
    rf"(?:{either('on_a_day')}\s+)?(?:{either('which_day')}\s+)?{either('day_said')}"
    rf"|{either('near_day', gap=_GAP)}"
)
_MONTHS: Final = either("month_said")
_KINDS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:on\s+)?(?:\d{{4}}-\d\d-\d\d|(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTHS}"
        rf"|{_MONTHS}\s+\d{{1,2}}(?:st|nd|rd|th)?|{_DAY_NAMES})\b",
        rf"\b(?:{either('at_a_time')}\s+)?(?:\d{{1,2}}:\d\d(?:\s?[ap]m)?|\d{{1,2}}\s?[ap]m)\b",
        r"(?<![\w.@-])\d+(?:[.,]\d+)*(?![\w@-])",
    )
)
"""Kinds of values that stand for one another: days, clock times, numbers."""

_LINK: Final = re.compile(rf"\s(?:{either('link')}|=|—|–)\s", re.IGNORECASE)
_PREPOSITION: Final = re.compile(rf"{either('before_a_value')}\s+", re.IGNORECASE)
_COMPLETE: Final = re.compile(rf"(?:{either('before_a_value')}|{either('stands_alone')})\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[\w'’.@+-]+")

_SPELLING: Final = 70
"""From this similarity on (0 to 100) a value is taken for another spelling of a word."""

_SENTENCE_WORDS: Final = 4
"""A value of so many words that shares one with the fact is the whole sentence, said anew."""


def with_value(statement: str, value: str, *, instead_of: str | None = None) -> str | None:
    """Return `statement` with `value` in the place of what it corrects, or `None` if that cannot be told.

    What it stands `instead_of` is replaced where that is named; else a whole sentence replaces the whole; a
    day, time or number the only one of its kind; a phrase the one that ends, or begins and is as long, with the same
    word; another spelling the word that it is like; anything else what stands behind "is", or behind the preposition
    that both have.
    """
    if instead_of is not None:
        named = re.compile(rf"(?<!\w){re.escape(instead_of)}(?!\w)", re.IGNORECASE)
        if len(places := list(named.finditer(statement))) == 1:
            return _put(statement, places[0], value)
    if (part := _same_kind(statement, value)) is not None:
        return part
    if is_sentence(value, like=statement):
        return value
    first, *others = value.split()
    for kind in _KINDS:
        if kind.fullmatch(value.strip()):
            places = list(kind.finditer(statement))
            return _put(statement, places[0], value) if len(places) == 1 else None
    if others and (place := _same_phrase(statement, value)) is not None:
        return statement[: place[0]] + value + statement[place[1] :]
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


def is_sentence(value: str, *, like: str) -> bool:
    """Return whether `value` says all that is to be said instead of the statement that it is `like`."""
    said = [word.casefold() for word in _WORD.findall(value)]
    stored = [word.casefold() for word in _WORD.findall(like)]
    if _SUBJECT.match(value) and len(said) > 1:
        return True
    if len(said) > 2 and like.startswith(value.split()[0]):
        return True
    verbs = {word for word in said if word in _VERBS or _FINITE.fullmatch(word)}
    return (
        len(said) >= _SENTENCE_WORDS
        and bool(set(said) & set(stored))
        and bool(verbs or set(stored) <= set(said))
    )


def _same_kind(statement: str, value: str) -> str | None:
    """Return `statement` with the day, time or number of `value`, which says nothing else that it does not say."""
    for kind in _KINDS:
        said, places = list(kind.finditer(value)), list(kind.finditer(statement))
        if len(said) == len(places) == 1 and said[0][0] != value:
            rest = value[: said[0].start()] + value[said[0].end() :]
            if content_stems(rest) and content_stems(rest) <= content_stems(statement):
                return _put(statement, places[0], said[0][0])
    return None


def _same_phrase(statement: str, value: str) -> tuple[int, int] | None:
    """Return from where to where `statement` says what `value` says otherwise: it ends or begins with the same word."""
    said = [word[0].casefold() for word in _WORD.finditer(value)]
    stored = list(_WORD.finditer(statement))
    spelt = [word[0].casefold() for word in stored]
    if said and spelt.count(said[-1]) == 1:
        last = spelt.index(said[-1])
        before = spelt[:last]
        starts = before.count(said[0]) == 1 and last - before.index(said[0]) <= len(said)
        first = before.index(said[0]) if starts else last - len(said) + 1
        return (stored[first].start(), stored[last].end()) if first > 0 else None
    if spelt and said.count(spelt[-1]) == 1 and (first := len(spelt) - 1 - said.index(spelt[-1])) > 0:
        return stored[first].start(), stored[-1].end()
    if said and spelt.count(said[0]) == 1:
        first = spelt.index(said[0])
        last = first + len(said) - 1
        return (stored[first].start(), stored[last].end()) if last == len(stored) - 1 else None
    return None


def _put(statement: str, place: re.Match[str], value: str) -> str:
    """Return `statement` with `value` at `place`, keeping a preposition that the value lacks."""
    leading = _PREPOSITION.match(place[0])
    if leading and not _COMPLETE.match(value):
        value = leading[0] + value
    return statement[: place.start()] + value + statement[place.end() :]


_IN_ITS_COURSE: Final = re.compile(
    rf"(?P<said>\S.+?)[\s,.;!-]+(?:(?P<surely>{either('puts_right_surely')})|{either('puts_right_a_date')})"
    r"[\s,.!-]+(?P<value>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_MOST_PUT_IN: Final = 2
"""Words of a value that a statement puts in by itself; more go on with it."""


def as_put_right(statement: str) -> str:
    """Return what `statement` says in the end: "the raid is on Friday, no wait, Saturday"."""
    found = _IN_ITS_COURSE.fullmatch(plain(statement))
    if found is None:
        return statement
    said, value = (statement[slice(*found.span(name))] for name in ("said", "value"))
    is_short = found["surely"] and is_plausible(value) and len(value.split()) <= _MOST_PUT_IN
    return (with_value(said, value) if is_definite(value) or is_short else None) or statement


_PRONOUN: Final = re.compile(rf"{either('third_pronoun')}(?P<verb>['’](?:s|re))?(?=\s)", re.IGNORECASE)


def with_subject(sentence: str, subject: str) -> str | None:
    """Return `sentence` about the `subject` that it calls "she" at its start; `None` if it calls nobody so."""
    found = _PRONOUN.match(sentence)
    if found is None:
        return None
    before = found["at"] or ""
    rest = sentence[found.end() :]
    verb = "" if not found["verb"] else " has" if re.match(r"\s+(?:got|been|had)\b", rest) else " is"
    return f"{before}{subject}{verb}{rest}"


def names_a_day(value: str) -> bool:
    """Tell whether `value` names a day."""
    return _KINDS[0].search(value) is not None


def is_said_to_be(content: str) -> bool:
    """Tell whether `content` says what something is, so that a name in it may be a value."""
    return _LINK.search(content) is not None

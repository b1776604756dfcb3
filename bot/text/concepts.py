"""What a text says apart from its words: "I really love ramen" and "likes ramen" say the same.

Words that mean one thing (`SYNONYMS` of each language) have one stem, what names one thing alone is compared by
`bot.text.identifiers`, and whether something is denied is told apart from a "no" that denies nothing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import Final

from rapidfuzz.distance import OSA

from bot.text import tokens
from bot.text.identifiers import Named, names_in, outermost, without_names
from bot.text.languages import either, every_word, in_each_language, rows

_NOT: Final = "not"
_LIKES, _DISLIKES, _OWNS = "=like", "=dislike", "=own"
WEAK: Final = frozenset({_LIKES, _DISLIKES, _OWNS})
"""What is said of so many things that two texts which have no more in common are not about the same."""

_FILLERS: Final = tokens.content_stems(" ".join(sorted(every_word("says_nothing"))))
"""Words that make no difference where only one of two texts has them: "the TKT-100 record"."""

_ASIDE: Final = re.compile(rf"\([^()]*(?:\)|$)|,\s*(?:{either('but_not')})\s[^,;.]*", re.IGNORECASE)
"""What is said beside the point: a "no" in it denies nothing of the rest."""

_NUMBER_SIGN: Final = re.compile(r"\bno\.?\s?(?=\d)|№\s?|#(?=\d)", re.IGNORECASE)
_SUBJECT: Final = re.compile(r"^((?:[\w'’]+\s+)?)<@!?\d+>(?:['’]s\b)?:?")
"""Whom a text is about is named first, at most after one word: "у <@1> есть кот"."""


@dataclass(frozen=True, slots=True)
class Concepts:
    """What a text says about its subject, who is left out."""

    words: tuple[str, ...]
    """Stems in their order; words that mean one thing have one."""
    names: tuple[Named, ...]
    """What names one thing alone."""
    denies: bool

    @property
    def said(self) -> frozenset[str]:
        """The words, whatever their order."""
        return frozenset(self.words)

    @property
    def sure_names(self) -> tuple[Named, ...]:
        """The identifiers that can be nothing else."""
        return tuple(one for one in self.names if one.is_sure)


class Relation(IntEnum):
    """How what was asked for and what is stored go together; a greater one is closer."""

    NONE = 0
    OVERLAP = 1
    """They have words in common, or words that differ by a slip."""
    LESS = 2
    """What is stored says part of what was asked for."""
    MORE = 3
    """It says all of that, and more."""
    TAIL = 4
    """It says all of that, and only behind it more: "has a cat" and then "named Tofu"."""
    SAME = 5


@lru_cache(maxsize=4096)
def concepts_of(text: str) -> Concepts:
    """Return what `text` says."""
    names = tuple(names_in(text))
    plain = tokens.normalised(without_names(text, [one for one in names if one.is_sure]))
    plain = _SUBJECT.sub(r"\1", plain)
    for name, phrase in _phrases():
        plain = phrase.sub(f" {name} ", plain)
    words = tuple(_one_for_all().get(stem, stem) for stem in tokens.stems_in_order(plain))
    denies = _NOT in tokens.content_stems(_NUMBER_SIGN.sub(" ", _ASIDE.sub(" ", plain)))
    said = [word for word in words if word != _NOT]
    if denies and _LIKES in said and _DISLIKES not in said:
        said, denies = [_DISLIKES if word == _LIKES else word for word in said], False
    return Concepts(tuple(said), names, denies)


def relation_of(asked: Concepts, stored: Concepts, *, as_topic: bool = False) -> Relation:
    """Return how much of what was `asked` for is said by what is `stored`.

    Both must deny something, or neither, unless only what it is about was said, `as_topic`.
    """
    named = [one for one in asked.names if one.is_sure or any(map(one.is_same, stored.sure_names))]
    named = outermost(named, among=named)
    left = [one for one in stored.names if one.is_sure or any(map(one.is_same, named))]
    left = outermost(left, among=left)
    possible = {word for one in named if not one.is_sure for word in _words_of(one)}
    some, others = asked.said - possible, stored.said
    some, others = some - (_FILLERS - others), others - (_FILLERS - some)
    if not (some or named) or not (others or left):
        return Relation.NONE
    if not as_topic and (asked.denies != stored.denies or _contradict(some, others)):
        return Relation.NONE
    has_all = all(any(map(one.is_same, left)) for one in named)
    has_more = [one for one in left if not any(map(one.is_same, named))]
    if has_all and not has_more and not as_topic and some ^ others == {_OWNS} and (some & others or named):
        # Whoever has a cat owns it, and "has" is no word of its own.
        return Relation.SAME
    if has_all and some <= others:
        if some == others and not has_more:
            return Relation.SAME
        return Relation.TAIL if _is_behind(some, stored.words) else Relation.MORE
    if others <= some and not has_more:
        return Relation.LESS
    if named and not has_all:
        return Relation.OVERLAP if any(_may_mean(one, left) for one in named) else Relation.NONE
    return Relation.OVERLAP if named or shared(some, others) else Relation.NONE


def _contradict(some: frozenset[str], others: frozenset[str]) -> bool:
    """Tell whether one likes what the other does not."""
    return any(
        liked in one - other and disliked in other - one
        for liked, disliked in ((_LIKES, _DISLIKES), (_DISLIKES, _LIKES))
        for one, other in ((some, others),)
    )


def _words_of(name: Named) -> Iterable[str]:
    """Return the stems of an identifier that may be ordinary words: of "tkt 100", "tkt" and "100"."""
    return re.findall(r"[^\W\d_]+|\d+", name.spelling)


def _may_mean(name: Named, others: Iterable[Named]) -> bool:
    return any(map(name.is_alike, others))


def _is_behind(some: frozenset[str], words: tuple[str, ...]) -> bool:
    """Tell whether all that `words` say besides `some` stands behind those."""
    places = [place for place, word in enumerate(words) if word in some]
    return bool(places) and all(word in some | _FILLERS for word in words[: max(places)])


def shared(some: Iterable[str], others: Iterable[str]) -> frozenset[str]:
    """Return those of `some` stems that others have too, or have but for a slip of the pen; weak ones do not count."""
    known = frozenset(others)
    return frozenset(
        one
        for one in frozenset(some) - WEAK - _FILLERS
        if one in known or any(is_slip(one, other) for other in known)
    )


_SHORTEST_SLIP: Final = 4
_LONG: Final = 8


def is_slip(one: str, other: str) -> bool:
    """Tell whether two stems differ by a slip of the pen: one letter, of long words two, never the first."""
    length = min(len(one), len(other))
    if length < _SHORTEST_SLIP or one[0] != other[0] or not (one + other).isalpha():
        return False
    most = 2 if length >= _LONG else 1
    return OSA.distance(one, other, score_cutoff=most) <= most


@cache
def _one_for_all() -> dict[str, str]:
    """Return what stands for each stem that is one of several for the same."""
    return {
        stem: f"={name}"
        for language in in_each_language("words")
        for name, words in rows(language.SYNONYMS, joint=" ")
        for stem in tokens.content_stems(words)
    } | {stem: f"={name}" for name in _names() for stem in tokens.content_stems(_token(name))}


@cache
def _phrases() -> list[tuple[str, re.Pattern[str]]]:
    """Return what is said in several words, and the word that stands in their place."""
    return [
        (_token(name), re.compile(rf"(?<!\w)(?:{phrase})(?!\w)", re.IGNORECASE))
        for language in in_each_language("words")
        for name, phrase in rows(language.PHRASES)
    ]


def _names() -> set[str]:
    return {name for language in in_each_language("words") for name, _ in rows(language.PHRASES)}


def _token(name: str) -> str:
    """Return a word that nobody says."""
    return f"qqx{name}"

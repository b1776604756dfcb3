"""What matching and keys are made of: whole tokens, so that no identifier is part of a longer one."""

import re
import unicodedata
from enum import IntEnum
from functools import lru_cache
from typing import Final

import snowballstemmer


def words(table: str) -> frozenset[str]:
    """Return the words of a table that is written as text."""
    return frozenset(table.split())


PROTECTED: Final = re.compile(
    r"""```.*?``` | `[^`\n]*`                              # code
    | "[^"\n]*" | “[^”\n]*” | «[^»\n]*» | „[^“”\n]*[“”]    # quotations
    | (?<!\w)'(?=\S)[^'\n]*(?<=\S)'(?!\w) | (?<!\w)‘[^’\n]*’(?!\w)
    | <[@\#][!&]?\d+> | <a?:\w+:\d+> | <t:-?\d+(?::\w)?>   # mentions, emoji and times of Discord
    | \b(?:https?|ftp)://[^\s<>]+ | \bwww\.[^\s<>]+
    | (?<![\w.+-])[\w.+-]+@\w[\w-]*(?:\.[\w-]+)+""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
"""What nobody may rewrite inside a statement: quotations, code, mentions, addresses."""

_TOKEN: Final = re.compile(
    r"""(?P<mention> <[@\#][!&]?\d+> | <a?:\w+:\d+> )
    | (?P<address> (?:https?|ftp)://[^\s<>]+ | www\.[^\s<>]+ | (?<![\w.+-])[\w.+-]+@\w[\w-]*(?:\.[\w-]+)+
        | (?<!\w)[~.]{0,2}/[\w./-]+ )
    | (?P<word> \d+(?:,\d{3})+(?:\.\d+)?(?!\w) | \w+(?:[.\-‑/:@+\#&'’]+\w+)*(?:\+\+|\#|\+(?!\w))?
        | [\u2600-\u27bf\U0001f000-\U0001faff] )""",
    re.VERBOSE,
)
_ONLY_LETTERS: Final = re.compile(r"[^\W\d_]+(?:[-‑/&'’][^\W\d_]+)*")
_PARTS: Final = re.compile(r"[-‑/&]")
_EDGES: Final = " \t\n.,;:!?\"'`«»“”„‘’()[]{}*_-–—"

_ENGLISH_STOP_WORDS: Final = words(
    """a an the and or but so of in on at to for with by as is are was were be been being am do does did has
    have had having will would can could should i me my mine myself you your he him his she her they them
    their theirs themselves themself we us our who s m re ve ll d"""
)
_RUSSIAN_STOP_WORDS: Final = words(
    """и а но или что чтобы в во на у к ко о об обо с со по за из от для я мне меня мной мой моя мое
    мои мою моего моей моих моим моими моему моем ты тебя тебе он она они его ее их ему ей им них него нее себя себе
    свой своя свое свои свою своего своей своих своим своими своему своем мы нас нам есть быть был была было были
    это же ли бы"""
)
_STOP_WORDS: Final = _ENGLISH_STOP_WORDS | _RUSSIAN_STOP_WORDS
_ENGLISH_NEGATIONS: Final = words(
    """not no never none nobody nothing nowhere neither nor cannot dont doesnt didnt isnt arent wasnt werent
    cant couldnt wont wouldnt hasnt havent hadnt shouldnt aint"""
)
_RUSSIAN_NEGATIONS: Final = words(
    "не нет ни никогда никто никого никому ничто ничего нигде никуда нельзя нету"
)
_NEGATED_VERB: Final = re.compile(r"n['’]t$")
_NOT: Final = "not"
_CONTRACTED: Final = re.compile(r"['’](?:s|m|re|ve|ll|d)$")
_SUBJECT: Final = re.compile(r"(?:[\w'’]+\s+)?(<@!?\d+>)")
"""Whom a text is about is named first, at most after one word: "у <@1> есть кот"."""


def normalised(text: str) -> str:
    """Return `text` without what makes no difference: two contents that are equal so are the same fact.

    Case, compatibility forms, ё for е, the amount of white space and the punctuation around the text go.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.replace("ё", "е").split()).strip(_EDGES)


def content_stems(text: str) -> frozenset[str]:
    """Return the tokens of `text` that carry content.

    Identifiers (addresses, numbers, dates, emoji, `TKT-100`, `C++`, `<@123>`) are whole and as written but for
    their case. Other words are stemmed, Latin ones as English and Cyrillic ones as Russian, and stop words
    are left out. Every negation becomes the one stem `not`.
    """
    stems: set[str] = set()
    for match in _TOKEN.finditer(normalised(text)):
        word = match["word"]
        if word is None:
            stems.add(match[0].replace("<@!", "<@").rstrip(".,;:!?)\"'»”/"))
        elif _ONLY_LETTERS.fullmatch(word):
            stems.update(_stems_of(word))
        else:
            stems.add(_CONTRACTED.sub("", word))
    return frozenset(stems - {""})


def is_negated(text: str) -> bool:
    """Return whether `text` denies something: "doesn't", "no longer", "never", "не", "нет"."""
    return _NOT in content_stems(text)


class Likeness(IntEnum):
    """How much of a statement a stored content says."""

    NONE = 0
    LESS = 1
    """Part of a longer statement."""
    MORE = 2
    """All of the statement and something besides."""
    SAME = 3


def likeness(statement: str, content: str) -> Likeness:
    """Return how much of `statement` the stored `content` says.

    Something at least when the stems of one include all of the other's and both deny or neither does. The
    member whom a text is about, named at its start, does not count; any other does, so that liking <@2> is
    not liking <@3>. A text without content says nothing.
    """
    said, stored = _told(statement), _told(content)
    if not said or not stored or is_negated(statement) != is_negated(content):
        return Likeness.NONE
    if said == stored:
        return Likeness.SAME
    if said < stored:
        return Likeness.MORE
    return Likeness.LESS if stored < said else Likeness.NONE


def says(statement: str, content: str) -> bool:
    """Return whether the stored `content` says what `statement` says, or more, or less of it."""
    return likeness(statement, content) is not Likeness.NONE


def _told(text: str) -> frozenset[str]:
    """Return what `text` tells about its subject: its stems without the subject and the negation."""
    plain = normalised(text)
    subject = _SUBJECT.match(plain)
    return content_stems(plain if subject is None else plain[subject.start(1) + len(subject[1]) :]) - {_NOT}


def _stems_of(word: str) -> list[str]:
    """Return the stems of a word of letters, which may be a compound or end in 's."""
    if _NEGATED_VERB.search(word):
        return [_NOT]
    stems = []
    for compound in _PARTS.split(word):
        part = _CONTRACTED.sub("", compound)
        if part in _ENGLISH_NEGATIONS or part in _RUSSIAN_NEGATIONS:
            stems.append(_NOT)
        elif part and part not in _STOP_WORDS:
            stems.append(_stem(part))
    return stems


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    """Return the stem of one folded word by its script; a word of another script is its own stem."""
    if "а" <= word[0] <= "я":
        return str(_stemmer("russian").stemWord(word))
    if word[0].isascii():
        return str(_stemmer("english").stemWord(word))
    return word


@lru_cache(maxsize=2)
def _stemmer(language: str) -> "snowballstemmer.stemmer":
    return snowballstemmer.stemmer(language)

"""The units that texts are compared by: tokens, content stems, and identifiers in one spelling."""

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import Final

import snowballstemmer

from bot.text.language_detection import COMMON_WORDS
from bot.text.languages import every_word, in_each_language


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

_STOP_WORDS: Final = every_word("stop_words")
_NEGATIONS: Final = every_word("negations")
_NEGATED_VERB: Final = re.compile(r"n['’]t$")
_NOT: Final = "not"
_CONTRACTED: Final = re.compile(r"['’](?:s|m|re|ve|ll|d)$")


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
    return frozenset(stems_in_order(text))


def stems_in_order(text: str) -> Iterator[str]:
    """Yield the content stems of `text` as they follow each other."""
    for match in _TOKEN.finditer(normalised(text)):
        word = match["word"]
        if word is None:
            found = [match[0].replace("<@!", "<@").rstrip(".,;:!?)\"'»”/")]
        elif _ONLY_LETTERS.fullmatch(word):
            found = _stems_of(word)
        else:
            found = [_CONTRACTED.sub("", word)]
        yield from filter(None, found)


def is_negated(text: str) -> bool:
    """Return whether `text` denies something: "doesn't", "no longer", "never", "не", "нет"."""
    return _NOT in content_stems(text)


def negates(statement: str, content: str) -> bool:
    """Return whether one of these sentences about one subject says that the other one is not so, or no longer."""
    if is_negated(statement) == is_negated(content):
        return False
    said, stored = content_stems(statement) - {_NOT}, content_stems(content) - {_NOT}
    return stored <= said <= stored | _beside_a_negation()


@cache
def _beside_a_negation() -> frozenset[str]:
    return frozenset(stem for word in every_word("beside_a_negation") for stem in content_stems(word))


def _stems_of(word: str) -> list[str]:
    """Return the stems of a word of letters, which may be a compound or end in 's."""
    if _NEGATED_VERB.search(word):
        return [_NOT]
    stems = []
    for compound in _PARTS.split(word):
        part = _CONTRACTED.sub("", compound)
        if part in _NEGATIONS:
            stems.append(_NOT)
        elif part and part not in _STOP_WORDS:
            stems.append(_stem(part))
    return stems


def stem_of(word: str) -> str:
    """Return the stem of one word, in whatever case it is written; its own where nothing stems it.

    It is empty for one of which nothing is left but signs, such as an underscore, which stands for a letter of a name.
    """
    plain = normalised(word)
    return _stem(plain) if plain else plain


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    """Return the stem of one folded word by its script; a word of another script is its own stem."""
    spoken = next((words for words in in_each_language("words") if word[0] in words.LETTERS), None)
    if spoken is None:
        return word
    # A stemmer keeps the word in itself, and answers of models are checked in threads.
    with _STEMMING:
        return str(_stemmer(spoken.STEMMER).stemWord(word))


_STEMMING: Final = Lock()


@lru_cache(maxsize=2)
def _stemmer(language: str) -> "snowballstemmer.stemmer":
    return snowballstemmer.stemmer(language)


_PATTERN: Final = re.compile(
    r"""(?P<mention> <[@\#][!&]?\d+> | <a?:\w+:\d+> | <t:-?\d+(?::\w)?> )
    | (?P<mail> (?<![\w.+-])[\w.+-]+@\w[\w-]*(?:\.[\w-]+)+ )
    | (?P<address> (?:https?|ftp)://[^\s<>]+ | (?<!\w)www\.[^\s<>]+ )
    | (?P<date> (?<![\w-])\d{4}-\d\d-\d\d(?![\w-]) )
    | (?P<host> (?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d) )
    | (?P<phone> (?<![\w+])\+?\d(?:[\ ().-]{0,2}\d){6,14}(?!\w) )
    | (?P<language> (?<!\w)[^\W\d_](?:\+\+|\#)(?!\w) )
    | (?P<code> \w+(?:[-_\#/.:‑]\w+)* )""",
    re.VERBOSE,
)
SPACED_CODE: Final = re.compile(
    r"(?<![\w-])(?P<letters>[^\W\d_]{2,6})[ #]{1,2}(?P<digits>\d{1,7})(?![\w-]|\.\d)"
)
"""A ticket or a flight with a blank in it: sure in capitals, possible in other letters."""

COUNTED: Final = re.compile(r"\d{1,3}|\d+(?:st|nd|rd|th|am|pm|[^\W\d_]{1,2})", re.IGNORECASE)
"""Numbers that count or measure: "3", "30th", "5pm", "10km" name nothing."""

LEAST_DIGITS: Final = 4
SEPARATORS: Final = re.compile(r"(?<!\d)[-_#/‑]|[-_#/‑](?!\d)")
"""What may be left out of a code; between two digits it may not: `1-12` is not `11-2`."""

NO_DIGIT: Final = re.compile(r"\D")


@dataclass(frozen=True, slots=True)
class Identifier:
    """One identifier in a text."""

    start: int
    end: int
    spelling: str
    """The one spelling that stands for all: `tkt100` for "TKT-100", "tkt 100" and "Tkt_100"."""
    is_sure: bool
    """Nothing else can be meant: "room 100" may be a room."""


def identifiers(text: str) -> Iterator[Identifier]:
    """Yield the identifiers in `text`: addresses, numbers of four digits and more, dates, codes such as TKT-100."""
    for found in _PATTERN.finditer(text):
        if spelling := _spelling(found):
            yield Identifier(found.start(), found.end(), spelling, True)
    for found in SPACED_CODE.finditer(text):
        spelling = case_folded(found["letters"] + found["digits"])
        # Who shouts writes everything in capitals.
        is_sure = found["letters"].isupper() and not text.isupper()
        yield Identifier(found.start(), found.end(), spelling, is_sure)


def sure_identifiers(text: str) -> frozenset[str]:
    """Return the spellings of the identifiers that `text` surely holds, none of them within another."""
    sure = [one for one in identifiers(text) if one.is_sure]
    return frozenset(
        one.spelling
        for one in sure
        if not any(other is not one and other.start <= one.start and one.end <= other.end for other in sure)
    )


def possible_identifiers(text: str) -> frozenset[str]:
    """Return the spellings of all that may be an identifier in `text`."""
    return frozenset(one.spelling for one in identifiers(text))


def without_identifiers(text: str) -> str:
    """Return `text` with a blank in the place of each of its sure identifiers."""
    pieces, begin = [], 0
    for one in sorted(identifiers(text), key=lambda one: (one.start, -one.end)):
        if one.is_sure and one.start >= begin:
            pieces += [text[begin : one.start], " "]
            begin = one.end
    return "".join([*pieces, text[begin:]])


def _spelling(found: re.Match[str]) -> str:
    """Return the one spelling of what was found; "" for what names nothing."""
    said = found[0]
    match found.lastgroup:
        case "mail" | "language" | "date" | "host":
            return case_folded(said)
        case "address":
            return re.sub(r"^(?:\w+://)?(?:www\.)?", "", case_folded(said)).rstrip(".,;:!?)\"'»”/")
        case "phone":
            return NO_DIGIT.sub("", said)
        case "code":
            return _code(said)
    return ""


def _code(said: str) -> str:
    if not any(map(str.isdigit, said)) or COUNTED.fullmatch(said):
        return ""
    if said.isdigit():
        return said if len(said) >= LEAST_DIGITS else ""
    return case_folded(SEPARATORS.sub("", said)) if any(map(str.isalpha, said)) else ""


def case_folded(text: str) -> str:
    """Return `text` in compatible letters, whatever their case."""
    return unicodedata.normalize("NFKC", text).casefold()


_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")
"""Scripts that put no blanks between words."""

_SHORTEST_ALIKE: Final = 4
ALIKE: Final = 0.7
"""So much of the longer of two stems must be common: allerg(ic) and allergi(es), not Paris and Parisian."""

LOOSELY_ALIKE: Final = 0.55
"""Enough where languages that are not stemmed here inflect: długi, długach."""


def stems(text: str) -> frozenset[str]:
    """Return the content of `text` as stems; scripts without blanks give pairs of letters."""
    pairs = {run[at : at + 2] for run in _UNSPACED.findall(text) for at in range(max(1, len(run) - 1))}
    return content_stems(_UNSPACED.sub(" ", text)) | pairs


def telling_stems(text: str) -> frozenset[str]:
    """Return the stems of `text` without the words that say nothing by themselves, in any known language."""
    return stems(text) - _common()


def are_alike(one: str, other: str, *, common_part: float = ALIKE) -> bool:
    """Tell whether two stems are forms of one word, alike in `common_part` of the longer; identifiers must be equal."""
    if one == other:
        return True
    if not (one.isalpha() and other.isalpha()):
        return False
    common = math.ceil(max(_SHORTEST_ALIKE, common_part * max(len(one), len(other))))
    return min(len(one), len(other)) >= common and one[:common] == other[:common]


def shared_stems(some: Iterable[str], among: Iterable[str], *, common_part: float = ALIKE) -> frozenset[str]:
    """Return those of `some` stems that have their like `among` others."""
    others = frozenset(among)
    return frozenset(
        one
        for one in some
        if one in others or any(are_alike(one, other, common_part=common_part) for other in others)
    )


@cache
def _common() -> frozenset[str]:
    return frozenset().union(*(stems(" ".join(sorted(tongue.words))) for tongue in COMMON_WORDS)) - {"not"}

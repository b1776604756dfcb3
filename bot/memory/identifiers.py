"""Identifiers in texts: one thing in several spellings, and never part of a longer one."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

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
_SPACED: Final = re.compile(r"(?<![\w-])(?P<letters>[^\W\d_]{2,6})[ #]{1,2}(?P<digits>\d{1,7})(?![\w-]|\.\d)")
"""A ticket or a flight with a blank in it: sure in capitals, possible in other letters."""

_ONE_OR_COUNTED: Final = re.compile(r"\d{1,3}|\d+(?:st|nd|rd|th|am|pm|[^\W\d_]{1,2})", re.IGNORECASE)
"""Numbers that count or measure: "3", "30th", "5pm", "10km" name nothing."""

_LEAST_DIGITS: Final = 4
_SEPARATORS: Final = re.compile(r"(?<!\d)[-_#/‑]|[-_#/‑](?!\d)")
"""What may be left out of a code; between two digits it may not: `1-12` is not `11-2`."""

_NO_DIGIT: Final = re.compile(r"\D")


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
    for found in _SPACED.finditer(text):
        spelling = _folded(found["letters"] + found["digits"])
        # Who shouts writes everything in capitals.
        is_sure = found["letters"].isupper() and not text.isupper()
        yield Identifier(found.start(), found.end(), spelling, is_sure)


def named(text: str) -> frozenset[str]:
    """Return the spellings of the identifiers that `text` surely holds, none of them within another."""
    sure = [one for one in identifiers(text) if one.is_sure]
    return frozenset(
        one.spelling
        for one in sure
        if not any(other is not one and other.start <= one.start and one.end <= other.end for other in sure)
    )


def possible(text: str) -> frozenset[str]:
    """Return the spellings of all that may be an identifier in `text`."""
    return frozenset(one.spelling for one in identifiers(text))


def respelt(text: str, known: Collection[str] = (), *, blank: bool = False) -> str:
    """Return `text` with its sure identifiers, and those of `known`, in their one spelling, or left out if `blank`."""
    pieces, begin = [], 0
    for one in sorted(identifiers(text), key=lambda one: (one.start, -one.end)):
        if one.start < begin or not (one.is_sure or one.spelling in known):
            continue
        pieces += [text[begin : one.start], " " if blank else one.spelling]
        begin = one.end
    return "".join([*pieces, text[begin:]])


def _spelling(found: re.Match[str]) -> str:
    """Return the one spelling of what was found; "" for what names nothing."""
    said = found[0]
    match found.lastgroup:
        case "mail" | "language" | "date" | "host":
            return _folded(said)
        case "address":
            return re.sub(r"^(?:\w+://)?(?:www\.)?", "", _folded(said)).rstrip(".,;:!?)\"'»”/")
        case "phone":
            return _NO_DIGIT.sub("", said)
        case "code":
            return _code(said)
    return ""


def _code(said: str) -> str:
    if not any(map(str.isdigit, said)) or _ONE_OR_COUNTED.fullmatch(said):
        return ""
    if said.isdigit():
        return said if len(said) >= _LEAST_DIGITS else ""
    return _folded(_SEPARATORS.sub("", said)) if any(map(str.isalpha, said)) else ""


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()

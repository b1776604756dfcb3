"""What names one thing alone (a number, an address, a code, a day), and when two spellings name the same thing.

`bot.text.tokens` has one spelling for each identifier, by which tombstones are hashed, so that it cannot change. Here
two identifiers are compared: "+49 30 555017" is "030 5550 17", and "TKT-007" is "tkt 7", but no longer number is.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.text.calendar import MONTH, month_of
from bot.text.languages import either
from bot.text.tokens import COUNTED, LEAST_DIGITS, NO_DIGIT, SEPARATORS, SPACED_CODE, case_folded


class NameKind(StrEnum):
    """What an identifier is; those of two kinds never name the same thing."""

    MAIL = "mail"
    ADDRESS = "address"
    DAY = "day"
    PHONE = "phone"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Named:
    """One identifier in a text."""

    start: int
    end: int
    kind: NameKind
    spelling: str
    """As it was written, but for case and the marks in it: two that are equal here are the same."""
    key: str
    """The same for all spellings of one thing."""
    within: str = ""
    """The country of a phone number, the year of a day; "" where that was not said."""
    loose: str = ""
    """What spellings have in common that may well mean the same thing."""
    is_sure: bool = True
    """Nothing else can be meant: "room 100" may be a room."""

    def is_same(self, other: "Named") -> bool:
        """Tell whether both surely name the same thing."""
        fits = not (self.within and other.within) or self.within == other.within
        return self.kind is other.kind and (
            self.spelling == other.spelling or (self.key == other.key and fits)
        )

    def is_alike(self, other: "Named") -> bool:
        """Tell whether both may name the same thing: one is tagged, dotted, or lacks what the other has."""
        fits = not (self.within and other.within) or self.within == other.within
        return self.is_same(other) or (self.kind is other.kind and self.loose == other.loose and fits)


_DAY_END: Final = rf"(?:-?{either('day_ending')})?"
_YEAR: Final = r"(?:,?\s+(?:of\s+)?(?P<{}>(?:19|20)\d\d)(?!\d))?"
_DIGITS_FOLLOW: Final = r"(?:[\ ()./‑-]{0,3}\d){3}"
"""What belongs to a longer number: "01/23 456" is no day."""
_PATTERN: Final = re.compile(
    rf"""(?P<mention> <[@\#][!&]?\d+> | <a?:\w+:\d+> | <t:-?\d+(?::\w)?> )
    | (?P<mail> (?<![\w.+-])[\w.+-]+@\w[\w-]*(?:\.[\w-]+)+ )
    | (?P<address> (?:https?|ftp)://[^\s<>]+ | (?<!\w)www\.[^\s<>]+
        | (?<![\w@./])(?:[a-z0-9-]+\.)+[a-z]{{2,24}}/[^\s<>]*
        | (?<![\w@./])(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|info|eu|de|uk|ru|fr|me|gg|tv)(?![\w.]\w) )
    | (?P<iso> (?<![\w-])(?P<y>\d{{4}})[-/.](?P<m>\d\d)[-/.](?P<d>\d\d)(?![\w-]) )
    | (?P<dotted> (?<![\w.])(?P<d1>\d{{1,2}})\.(?P<m1>\d{{1,2}})\.(?:(?P<y1>(?:19|20)?\d\d)(?!\d|\.\d))?
        (?!\d)(?!{_DIGITS_FOLLOW}) )
    | (?P<slashed> (?<![\w/.])(?P<a2>\d{{1,2}})/(?P<b2>\d{{1,2}})(?:/(?P<y2>(?:19|20)?\d\d))?
        (?![\w/])(?!{_DIGITS_FOLLOW}) )
    | (?P<day_month> (?<![\w.-])(?P<d3>\d{{1,2}}){_DAY_END}\s+(?:of\s+)?(?P<m3>{MONTH})(?!\w)
        {_YEAR.format("y3")} )
    | (?P<month_day> (?<!\w)(?P<m4>{MONTH})\s+(?:the\s+)?(?P<d4>\d{{1,2}}){_DAY_END}(?![\w.:]\d|\w)
        {_YEAR.format("y4")} )
    | (?P<host> (?<![\w.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?!\w|\.\d) )
    | (?P<phone> (?<![\w+])\(?\+?\(?\d(?:[\ ()./‑-]{{0,3}}\d){{5,14}}(?!\w) )
    | (?P<language> (?<!\w)[^\W\d_](?:\+\+|\#)(?!\w) )
    | (?P<code> \w+(?:[-_\#/.:‑]\w+)* )""",
    re.VERBOSE | re.IGNORECASE,
)
_LEAST_PHONE: Final = 7
_TWO_DIGIT_CODES: Final = frozenset(
    "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86"
    " 90 91 92 93 94 95 98".split()
)
"""Codes of countries with two digits; those of 1 and 7 have one, all others three."""

_PADDING: Final = re.compile(r"(?<=[^\d.])0+(?=\d)")


def names_in(text: str) -> list[Named]:
    """Return what names one thing alone in `text`, in its order, none within another that is sure."""
    # Who shouts writes everything in capitals.
    shouts = text.isupper()
    spaced = [
        named
        for found in SPACED_CODE.finditer(text)
        if (
            named := _code(
                found,
                case_folded(found["letters"] + found["digits"]),
                is_sure=found["letters"].isupper() and not shouts,
            )
        )
    ]
    found = [named for found in _PATTERN.finditer(text) if (named := _named(found))] + spaced
    sure = [one for one in found if one.is_sure]
    return sorted(outermost(found, among=sure), key=lambda one: (one.start, -one.end))


def outermost(names: Iterable[Named], *, among: Iterable[Named]) -> list[Named]:
    """Return those of `names` that are not part of another `among` these: not 1402 where "su 1402" is."""
    others = list(among)
    return [
        one
        for one in names
        if not any(other is not one and other.start <= one.start and one.end <= other.end for other in others)
    ]


def without_names(text: str, names: Iterable[Named]) -> str:
    """Return `text` with a blank in the place of each of `names`, which are in its order."""
    pieces, begin = [], 0
    for one in names:
        if one.start < begin:
            continue
        pieces += [text[begin : one.start], " "]
        begin = one.end
    return "".join([*pieces, text[begin:]])


def _named(found: re.Match[str]) -> Named | None:
    said, kind = case_folded(found[0]), found.lastgroup
    if kind == "mail":
        local, _, host = said.partition("@")
        plain = local.partition("+")[0].replace(".", "")
        return _of(found, NameKind.MAIL, said, loose=f"{plain}@{host}")
    if kind == "address":
        key = re.sub(r"^(?:\w+://)?(?:www\.)?", "", said).rstrip(".,;:!?)\"'»”/")
        return _of(found, NameKind.ADDRESS, key, loose=re.sub(r"[?#].*$", "", key).rstrip("/"))
    if kind in _DAYS:
        return _day(found)
    if kind == "phone":
        return _phone(found)
    if kind in {"language", "host"}:
        return _of(found, NameKind.CODE, said)
    return _code(found, said) if kind == "code" else None


def _of(found: re.Match[str], kind: NameKind, key: str, *, loose: str = "", spelling: str = "") -> Named:
    return Named(found.start(), found.end(), kind, spelling or key, key, loose=loose or key)


_DAYS: Final = frozenset("iso dotted slashed day_month month_day".split())


def _day(found: re.Match[str]) -> Named | None:
    """Return the day that was named, with its year where that was said; `None` where no month has it."""
    groups = {name: said for name, said in found.groupdict().items() if said and len(name) <= _LONGEST_GROUP}
    caught = {name[0]: said for name, said in groups.items()}
    year = caught.get("y", "")
    year = f"20{year}" if len(year) == 2 else year
    if "a" in caught:
        first, second = int(caught["a"]), int(caught["b"])
        # Of two numbers that may both be a month nobody knows which is.
        either_way = first <= _MONTHS and second <= _MONTHS
        day, month = (second, first) if second > _MONTHS else (first, second)
    else:
        either_way = False
        day = int(caught["d"])
        month = int(caught["m"]) if caught["m"].isdecimal() else month_of(caught["m"])
    if not (1 <= month <= _MONTHS and 1 <= day <= _MOST_DAYS):
        return None
    key = f"{month:02}-{day:02}"
    loose = "-".join(sorted(key.split("-")))
    return Named(
        found.start(),
        found.end(),
        NameKind.DAY,
        f"{year}-{key}",
        f"?{loose}" if either_way else key,
        year,
        loose,
    )


_LONGEST_GROUP: Final = 2
"""The groups of days are called by a letter and the number of their rule."""
_MONTHS: Final = 12
_MOST_DAYS: Final = 31


def _phone(found: re.Match[str]) -> Named | None:
    said = found[0]
    digits = NO_DIGIT.sub("", said)
    if len(digits) < _LEAST_PHONE:
        return _code(found, digits)
    number, country = digits, ""
    if said.lstrip("(").startswith("+") or digits.startswith("00"):
        number = digits.removeprefix("00")
        length = 1 if number[0] in "17" else 2 if number[:2] in _TWO_DIGIT_CODES else 3
        number, country = number[length:], number[:length]
    # The nought that is dialled within a country, also "(0)" after its code.
    key = number.lstrip("0") or number
    loose = key[1:] if not country and len(key) == _WITH_CODE and key[0] in "178" else key
    return Named(found.start(), found.end(), NameKind.PHONE, digits.removeprefix("00"), key, country, loose)


_WITH_CODE: Final = 11
"""Digits of a number with the code 1 or 7, or with the 8 that is dialled within Russia."""


def _code(found: re.Match[str], said: str, *, is_sure: bool = True) -> Named | None:
    if not any(map(str.isdigit, said)) or COUNTED.fullmatch(said):
        return None
    if said.isdigit():
        return _of(found, NameKind.CODE, said) if len(said) >= LEAST_DIGITS else None
    if not any(map(str.isalpha, said)):
        return None
    spelling = SEPARATORS.sub("", said)
    key = _PADDING.sub("", spelling)
    loose = re.sub(r"[.:](?!\d)|(?<!\d)[.:]", "", key)
    return Named(found.start(), found.end(), NameKind.CODE, spelling, key, "", loose, is_sure)

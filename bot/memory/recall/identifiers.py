"""Identifiers in a question, such as TKT-1000: they are compared as whole tokens on what was written."""

import re
from typing import Final

_IDENTIFIER: Final = re.compile(
    r"""(?:https?|ftp)://[^\s<>]+
    | (?<![\w.+-])[\w.+-]+@\w[\w-]*(?:\.[\w-]+)+           # an address of mail
    | (?<!\w)[~.]{0,2}/[\w.-]+(?:/[\w.-]+)*                # a path
    | (?<![\w@\#.-])\#\d+(?!\w)                            # a ticket
    | (?<![\w.-])[^\W\d_]+(?:\+\+|\#)(?!\w)                # C++, C#
    | (?<![\w@\#.+/:-])\w+(?:[.\-‑/:+\#_]+\w+)*(?!\w)""",
    re.VERBOSE,
)
_DATE_OR_NUMBER: Final = re.compile(
    r"""[\d.,:/-]+ | \d+(?:st|nd|rd|th|s|k|am|pm|px|м|к|й|го|я|е|ч)? | \d{4}-\d\d-\d\dT.*""",
    re.VERBOSE | re.IGNORECASE,
)
_TRAILING: Final = ".,;:!?)\"'»”/"
_MOST: Final = 5
"""Identifiers of one question that are looked for."""
_LONGEST: Final = 200

_NOT_AFTER: Final = r"(?<![[:alnum:]_#@])(?<![[:alnum:]][-./+:])"
_NOT_BEFORE: Final = r"(?![[:alnum:]_@])(?![-./+:#]+[[:alnum:]])"


def identifiers_in(text: str) -> tuple[str, ...]:
    """Return the identifiers of `text` as written, each once: `TKT-1000`, `alice@acme.io`, `v1.2.3`, `#42`, `C++`.

    A word with a digit is one, and so is an address, a path, and what has a sign that no word has. Plain numbers,
    dates and words joined by hyphens are none.
    """
    found: dict[str, str] = {}
    for match in _IDENTIFIER.finditer(text):
        token = match[0].rstrip(_TRAILING)
        if _is_identifier(token) and len(token) <= _LONGEST:
            found.setdefault(token.casefold(), token)
    return tuple(found.values())[:_MOST]


def pattern_of(identifier: str) -> str:
    """Return the regular expression of Postgres by which a text holds this identifier, and not as part of another."""
    escaped = "".join(letter if letter.isalnum() or letter == "_" else f"\\{letter}" for letter in identifier)
    return f"{_NOT_AFTER}{escaped}{_NOT_BEFORE}"


def _is_identifier(token: str) -> bool:
    if len(token) < 2 or _DATE_OR_NUMBER.fullmatch(token):
        return False
    has_digit = any(letter.isdigit() for letter in token)
    has_letter = any(letter.isalpha() for letter in token)
    if has_digit and (has_letter or token[0] == "#"):
        return True
    return token[0] in "/~" or "://" in token or any(sign in token for sign in "@_+#")

"""A statement of several clauses taken apart, so that each can be corrected and forgotten by itself."""

import re
from typing import Final

from bot.text.languages import either, in_each_language
from bot.text.tokens import PROTECTED

MOST_CLAUSES: Final = 6
"""Who says more at once tells a story, which loses by being taken apart."""

_LANGUAGES: Final = in_each_language("clauses")
_SENTENCE: Final = re.compile(r"(?<=[.!;])\s+|\s*\n+\s*")
_BULLET: Final = re.compile(r"^(?:[-*•–—]|\d{1,2}[.)])\s+")
_ADDS: Final = re.compile(rf"^(?:{either('adds')})[\s,]+", re.IGNORECASE)
_END: Final = " \t.;,!"


def clauses(statement: str) -> list[str]:
    """Return what `statement` says, clause by clause, each with its subject; `statement` alone if that is unsure.

    "I keep bees and coach a rowing team" is "I keep bees" and "I coach a rowing team". What belongs together stays:
    "rock and roll", conditions ("only if ..."), relative clauses, quotations, and what another clause points back to.
    """
    first, *others = (_BULLET.sub("", one).strip(_END) for one in _SENTENCE.split(statement.strip()))
    sentences = [one for one in (first, *(_ADDS.sub("", other) for other in others)) if one]
    if not sentences or PROTECTED.search(re.sub(r"<@!?\d+>", "", statement)):
        return [statement]
    if len(sentences) > 1 and not all(
        any(language.has_subject(one) for language in _LANGUAGES) for one in sentences
    ):
        return [statement]
    said = [clause for one in sentences for clause in _of_sentence(one)]
    return said if 1 < len(said) <= MOST_CLAUSES else [statement]


def _of_sentence(sentence: str) -> list[str]:
    for language in _LANGUAGES:
        found: list[str] = language.clauses(sentence)
        if found:
            return found
    return [sentence]

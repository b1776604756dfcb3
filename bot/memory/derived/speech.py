"""What kind of act a sentence is: a statement, a report, a request, or an answer."""

import re
from enum import Enum
from typing import Final

from bot.llm.framing import mentioned_in
from bot.memory.derived.wording import TOKEN, is_common, is_one_of
from bot.text.tokens import is_negated

_QUESTION: Final = re.compile(r"\?[\s\"'”»)]*$")


class SpeechKind(Enum):
    """What somebody does by a sentence."""

    ASSERTS = "asserts"
    REPORTS = "reports"
    """It says what somebody else says."""
    ASKS = "asks"
    """It is a question, or quoted."""
    ANSWERS = "answers"
    """It is a question that the author answered, and did not deny."""
    DENIES = "denies"
    """It is a question that the author answered with a no."""


def kind_of(sentence: str, author_id: int | None) -> SpeechKind:
    """Return what `author_id` does by a sentence; an older text, which has no author, asserts."""
    if author_id is None:
        return SpeechKind.ASSERTS
    if _QUESTION.search(sentence):
        return SpeechKind.ASKS
    words = [found["word"] for found in TOKEN.finditer(sentence) if found["word"]]
    # Who says "I think" reports nobody.
    reports = any(
        is_one_of(word, "claims") and not any(is_one_of(one, "oneself") for one in words[max(0, at - 2) : at])
        for at, word in enumerate(words)
        if at
    )
    return SpeechKind.REPORTS if reports else SpeechKind.ASSERTS


def answers_of(text: str) -> SpeechKind | None:
    """Return what a message does that may answer a question; `None` for one that says neither yes nor anything."""
    words = [found["word"] for found in TOKEN.finditer(text) if found["word"]]
    if is_negated(text) or any(is_one_of(word, "refuses") for word in words[:2]):
        return SpeechKind.DENIES
    agrees = any(is_one_of(word, "affirms") for word in words[:3])
    tells = any(len(word) >= _TELLING and not is_common(word) for word in words) or any(
        map(str.isdigit, text)
    )
    return SpeechKind.ANSWERS if agrees or tells else None


def affirms(text: str) -> bool:
    """Tell whether `text` begins with a yes."""
    first = next((found["word"] for found in TOKEN.finditer(text) if found["word"]), "")
    return is_one_of(first, "affirms")


_TELLING: Final = 4
"""Letters of a word by which an answer tells something: "lol" does not."""


def teller_in(sentence: str) -> int | None:
    """Return who says what a sentence of an older text tells as somebody's claim; `None` if it tells it itself."""
    if signed := _SIGNED.match(sentence):
        return int(signed[1])
    named = mentioned_in(sentence)
    claims = any(is_one_of(found["word"], "claims") for found in TOKEN.finditer(sentence) if found["word"])
    return named[-1] if claims and len(named) > 1 else None


_SIGNED: Final = re.compile(r"\s*(?:\[[\d-]+\]\s*)?<@!?(\d{1,19})>:\s")
"""Begins the words of somebody in a text that no model told."""

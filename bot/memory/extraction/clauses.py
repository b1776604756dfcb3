"""From a message to its clauses: nobody's name runs on into what comes after it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bot.memory.extraction.shapes import Tongue

_ABBREVIATIONS: Final = (
    "st",
    "mr",
    "ms",
    "mrs",
    "dr",
    "mt",
    "ft",
    "jr",
    "vs",
    "e.g",
    "i.e",
    "г",
    "ул",
    "им",
    r"\w",
)
_NOT_AFTER: Final = "".join(rf"(?<!\b{short}\.)" for short in _ABBREVIATIONS)
_SENTENCE_END: Final = re.compile(rf"\n+|(?<=[!?…？！。])\s+|(?<=\.){_NOT_AFTER}\s+", re.IGNORECASE)
_QUESTION: Final = re.compile(r"[?？؟⁇⁈]")
_EDGES: Final = " \t,.;:!-–—()[]{}…/"


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of `text`, with the marks at their ends."""
    for sentence in _SENTENCE_END.split(text):
        if sentence and not sentence.isspace():
            yield sentence.strip()


def is_question(sentence: str, tongues: Sequence[Tongue]) -> bool:
    """Return whether `sentence` asks, by its mark, wherever it stands, or by how it begins."""
    return _QUESTION.search(sentence) is not None or any(
        tongue.asks.match(without_leads(sentence, tongue)) for tongue in tongues
    )


def clauses(sentence: str, tongue: Tongue) -> list[str]:
    """Return the clauses of `sentence`, without the marks at their ends."""
    sentence = tongue.greeting.sub(lambda found: found[0].replace(",", "").replace("!", ""), sentence)
    return [clause for part in tongue.joints.split(sentence) if (clause := part.strip(_EDGES))]


def without_leads(clause: str, tongue: Tongue) -> str:
    """Return `clause` from where it begins to say something."""
    while (lead := tongue.leads.match(clause)) and lead.end():
        clause = clause[lead.end() :].lstrip(_EDGES)
    return clause

"""A summary without a model: what was kept before and the sentences that tell most, decisions first of all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain import Message, MessageKind, mention_of
from bot.memory.sensitive import says_sensitive
from bot.memory.unsaying import sentences_of

SUMMARY_CHARACTERS: Final = 1_500
"""About what a summary takes: as much as twenty usual messages."""

_MESSAGE_CHARACTERS: Final = 1_200
"""Of a longer message the beginning tells what it was about."""

_SENTENCE_CHARACTERS: Final = 200
_LEAST_WORDS: Final = 2
"""A sentence of one word ("lol", "same") tells nothing."""

_DECIDED: Final = re.compile(
    r"\b(?:decid\w+|decision|agreed?|agreement|settled|chose|chosen|choose|pick(?:ed)?|we(?:'ll| will| are going)|let's"
    r"|going with|plan(?:s|ned)?|deadline|must|promised?|deal|conclusion|vote[ds]?|book(?:ed)?|remember|important"
    r"|решил\w*|решен\w*|договор\w+|выбра\w+|выбор|давайте|будем|план\w*|срок\w*|должн\w+|обеща\w+|итог\w*"
    r"|голосу\w+|запомни\w*|важно|согласн?\w*)\b",
    re.IGNORECASE,
)
_EXACT: Final = re.compile(r"\d|<@\d+>|https?://")
_NAMED: Final = re.compile(r"(?<=[^\s.!?] )[A-ZА-ЯЁ][\w'-]+")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_SIGNED: Final = re.compile(r"<@\d+>: ")

_MOST_WORDS: Final = 12
"""More words in one sentence do not tell more in proportion."""


@dataclass(frozen=True, slots=True)
class _Piece:
    place: int
    text: str
    weight: float


def extract(kept: str, messages: Sequence[Message], *, characters: int = SUMMARY_CHARACTERS) -> str:
    """Return `kept` and what `messages` say in `characters` at most, in order, each sentence signed by who said it.

    If it is too much, what tells least goes, whenever it was said: a decision outlives any amount of talk. What is
    sensitive is left out, however much room there is.
    """
    pieces: list[_Piece] = []
    seen: set[frozenset[str]] = set()
    for text in (*_kept(kept), *_said(messages)):
        if says_sensitive(text):
            continue
        words = frozenset(word.lower() for word in _WORD.findall(text))
        pieces.append(_Piece(len(pieces), text, _weight(text, words) - (2.0 if words in seen else 0.0)))
        seen.add(words)
    left = characters
    chosen: list[_Piece] = []
    for piece in sorted(pieces, key=lambda one: (-one.weight, one.place)):
        if len(piece.text) < left:
            chosen.append(piece)
            left -= len(piece.text) + 1
    return "\n".join(piece.text for piece in sorted(chosen, key=lambda one: one.place))


def _kept(text: str) -> list[str]:
    """Return the sentences of a summary; those of one member that stand on one line stay signed."""
    pieces: list[str] = []
    for line in text.splitlines():
        if _SIGNED.match(line):
            pieces.append(line)
        else:
            pieces += [sentence.strip() for sentence in sentences_of(line) if sentence.strip()]
    return pieces


def _said(messages: Sequence[Message]) -> list[str]:
    pieces: list[str] = []
    for message in messages:
        signed = f"{mention_of(message.user_id)}: "
        for sentence in sentences_of(message.text[:_MESSAGE_CHARACTERS]):
            words = " ".join(sentence.split())
            if len(_WORD.findall(words)) >= _LEAST_WORDS and message.kind is not MessageKind.SYSTEM:
                pieces.append(signed + _clipped(words))
    return pieces


def _clipped(words: str) -> str:
    return words if len(words) <= _SENTENCE_CHARACTERS else f"{words[:_SENTENCE_CHARACTERS].rstrip()}…"


def _weight(text: str, words: frozenset[str]) -> float:
    """Return how much a sentence tells, by itself alone: so what outweighs the rest does so again the next time."""
    said = _SIGNED.sub("", text, count=1)
    weight = min(len(words), _MOST_WORDS) / (_MOST_WORDS / 2)
    weight += 3.0 if _DECIDED.search(said) else 0.0
    weight += 1.0 if _EXACT.search(said) else 0.0
    weight += 1.0 if _NAMED.search(said) else 0.0
    weight += 0.5 if "?" in said else 0.0
    # What a model has summed up already is worth more than a sentence as it was said.
    return weight + (2.0 if said == text else 0.0)

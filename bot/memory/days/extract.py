"""A day without a model: of each member the sentences that tell most, by how rare their words are that day."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain import Message, mention_of
from bot.memory.overlap import telling
from bot.memory.sensitive import says_sensitive

DAY_CHARACTERS: Final = 300
"""About what one member's day takes."""

_SENTENCE: Final = re.compile(r"[^.!?…\n]+[.!?…]*")
_LONGEST_SENTENCE: Final = 200
_LEAST_STEMS: Final = 2
"""A sentence of one telling word ("lol", "same") tells nothing."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    position: int
    text: str
    stems: frozenset[str]


def extracts(messages: Sequence[Message], user_ids: Sequence[int]) -> Mapping[int, str]:
    """Return what each of these members said that tells most, in the order in which it was said.

    Whoever said nothing that tells anything is left out.
    """
    said = {user_id: _sentences(messages, user_id) for user_id in user_ids}
    frequency = Counter(
        stem for sentences in said.values() for sentence in sentences for stem in sentence.stems
    )
    total = sum(len(sentences) for sentences in said.values())
    told = {user_id: _told(user_id, sentences, frequency, total) for user_id, sentences in said.items()}
    return {user_id: text for user_id, text in told.items() if text}


def _sentences(messages: Sequence[Message], user_id: int) -> list[_Sentence]:
    own = (message.text for message in messages if message.user_id == user_id)
    found: list[_Sentence] = []
    for text in own:
        for match in _SENTENCE.finditer(text):
            sentence = " ".join(match[0].split())
            stems = telling(sentence)
            if (
                len(stems) >= _LEAST_STEMS
                and len(sentence) <= _LONGEST_SENTENCE
                and not says_sensitive(sentence)
            ):
                found.append(_Sentence(len(found), sentence, stems))
    return found


def _told(user_id: int, sentences: Sequence[_Sentence], frequency: Counter[str], total: int) -> str:
    """Return the best sentences of one member that fit, each word counted once."""
    head = f"{mention_of(user_id)}: "
    left = DAY_CHARACTERS - len(head)
    chosen: list[_Sentence] = []
    covered: set[str] = set()
    remaining = list(sentences)
    while remaining:
        best = max(remaining, key=lambda one: (_weight(one.stems - covered, frequency, total), -one.position))
        remaining.remove(best)
        needed = len(best.text) + 3
        if not best.stems - covered:
            break
        if needed > left:
            continue
        chosen.append(best)
        covered |= best.stems
        left -= needed
    if not chosen:
        return ""
    return head + " ".join(f"“{one.text}”" for one in sorted(chosen, key=lambda one: one.position))


def _weight(stems: frozenset[str], frequency: Counter[str], total: int) -> float:
    """Return how much these stems tell: rare ones more, and a long list of them not in proportion."""
    if not stems:
        return 0.0
    return sum(math.log(1 + total / frequency[stem]) for stem in stems) / math.sqrt(len(stems))

"""A day without a model: of each member the sentences that tell most, by how rare their words are that day."""

import asyncio
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

_MESSAGE_CHARACTERS: Final = 1_200
"""Of a longer message the beginning tells what it was about."""

_AT_ONCE: Final = 20
"""Sentences that are read before others have their turn: a few milliseconds. Stemmers are not for threads."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    position: int
    text: str
    stems: frozenset[str]


async def extracts(messages: Sequence[Message], user_ids: Sequence[int]) -> Mapping[int, str]:
    """Return what each of these members said that tells most, in the order in which it was said.

    Whoever said nothing that tells anything is left out.
    """
    said = await _sentences(messages, user_ids)
    frequency = Counter(
        stem for sentences in said.values() for sentence in sentences for stem in sentence.stems
    )
    total = sum(len(sentences) for sentences in said.values())
    told: dict[int, str] = {}
    for user_id, sentences in said.items():
        if text := await _told(user_id, sentences, frequency, total):
            told[user_id] = text
    return told


async def _sentences(
    messages: Sequence[Message], user_ids: Sequence[int]
) -> Mapping[int, Sequence[_Sentence]]:
    found: dict[int, list[_Sentence]] = {user_id: [] for user_id in user_ids}
    read = 0
    for message in messages:
        own = found.get(message.user_id)
        if own is None:
            continue
        for match in _SENTENCE.finditer(message.text[:_MESSAGE_CHARACTERS]):
            sentence = " ".join(match[0].split())
            if len(sentence) > _LONGEST_SENTENCE:
                continue
            stems = telling(sentence)
            if len(stems) >= _LEAST_STEMS:
                own.append(_Sentence(len(own), sentence, stems))
            read += 1
            if read % _AT_ONCE == 0:
                await asyncio.sleep(0)
    return found


async def _told(user_id: int, sentences: Sequence[_Sentence], frequency: Counter[str], total: int) -> str:
    """Return the best sentences of one member that fit, each word counted once."""
    head = f"{mention_of(user_id)}: "
    left = DAY_CHARACTERS - len(head)
    chosen: list[_Sentence] = []
    covered: set[str] = set()
    remaining = list(sentences)
    while remaining := [one for one in remaining if _needed(one) <= left and one.stems - covered]:
        remaining.sort(key=lambda one: (-_weight(one.stems - covered, frequency, total), one.position))
        at = await _first_to_tell(remaining)
        if at is None:
            break
        best = remaining[at]
        remaining = remaining[at + 1 :]
        chosen.append(best)
        covered |= best.stems
        left -= _needed(best)
    if not chosen:
        return ""
    return head + " ".join(f"“{one.text}”" for one in sorted(chosen, key=lambda one: one.position))


async def _first_to_tell(sentences: Sequence[_Sentence]) -> int | None:
    """Return the place of the first sentence that speaks of nothing sensitive."""
    for at, one in enumerate(sentences):
        if at % _AT_ONCE == 0:
            await asyncio.sleep(0)
        if not says_sensitive(one.text):
            return at
    return None


def _needed(sentence: _Sentence) -> int:
    """Return the characters that a sentence takes with its quotation marks and a blank."""
    return len(sentence.text) + 3


def _weight(stems: frozenset[str], frequency: Counter[str], total: int) -> float:
    """Return how much these stems tell: rare ones more, and a long list of them not in proportion."""
    if not stems:
        return 0.0
    return sum(math.log(1 + total / frequency[stem]) for stem in stems) / math.sqrt(len(stems))

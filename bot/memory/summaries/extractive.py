"""Summaries without a model: the most informative sentences of a day or a conversation."""

import asyncio
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.domain import Message, MessageKind, mention_of
from bot.memory.derived.engine import whole_lines
from bot.memory.derived.wording import tells_grave
from bot.memory.policy.disclosure import may_be_quoted
from bot.memory.policy.redaction import sentences_of
from bot.text.instructions import instructs
from bot.text.languages import either
from bot.text.phrasing import in_marks
from bot.text.sensitive import says_sensitive
from bot.text.tokens import telling_stems

DAY_CHARACTERS: Final = 300
"""About what one member's day takes."""

GROUP_CHARACTERS: Final = 500
"""About what the group's day takes: five things that were decided or are planned."""

_SENTENCE: Final = re.compile(r"[^.!?…\n]+[.!?…]*")
_LONGEST_SENTENCE: Final = 200
_LEAST_STEMS: Final = 2
"""A sentence of one telling word ("lol", "same") tells nothing."""

_MOST_CHARACTERS_OF_DAY_MESSAGE: Final = 1_200
"""Of a longer message the beginning tells what it was about."""

_AT_ONCE: Final = 20
"""Sentences that are read before others have their turn: a few milliseconds. Stemmers are not for threads."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    position: int
    text: str
    stems: frozenset[str]


def may_be_kept(sentence: str) -> bool:
    """Tell whether what somebody said may stand in a text: nothing sensitive, grave, or meant for the bot's ears.

    What is grave is told of nobody on one's word, and that it is only quoted would soon be forgotten.
    """
    return not (says_sensitive(sentence) or instructs(sentence) or tells_grave(sentence))


async def extract_day(messages: Sequence[Message], user_ids: Sequence[int]) -> Mapping[int, str]:
    """Return the most informative sentences of each of these members, in the order in which they were said.

    Members who said nothing informative are left out.
    """
    said = await _sentences_of_day(messages, user_ids)
    frequency = Counter(
        stem for sentences in said.values() for sentence in sentences for stem in sentence.stems
    )
    total = sum(len(sentences) for sentences in said.values())
    told: dict[int, str] = {}
    for user_id, sentences in said.items():
        if text := await _day_text(user_id, sentences, frequency, total):
            told[user_id] = text
    return told


async def _sentences_of_day(
    messages: Sequence[Message], user_ids: Sequence[int]
) -> Mapping[int, Sequence[_Sentence]]:
    found: dict[int, list[_Sentence]] = {user_id: [] for user_id in user_ids}
    read = 0
    for message in messages:
        own = found.get(message.user_id)
        if own is None:
            continue
        for sentence in _sentences_in(message.text):
            stems = telling_stems(sentence)
            if len(stems) >= _LEAST_STEMS:
                own.append(_Sentence(len(own), sentence, stems))
            read += 1
            if read % _AT_ONCE == 0:
                await asyncio.sleep(0)
    return found


def _sentences_in(text: str) -> Iterator[str]:
    """Yield the sentences of a message that a day has room for, each on one line."""
    for match in _SENTENCE.finditer(text[:_MOST_CHARACTERS_OF_DAY_MESSAGE]):
        sentence = " ".join(match[0].split())
        if len(sentence) <= _LONGEST_SENTENCE:
            yield sentence


def as_days_quote(text: str) -> list[str]:
    """Return the sentences of a message as the text of a day has them, whichever of them it has."""
    return [in_marks(sentence) for sentence in _sentences_in(text)]


async def _day_text(user_id: int, sentences: Sequence[_Sentence], frequency: Counter[str], total: int) -> str:
    """Return the best sentences of one member that fit, each word counted once."""
    head = f"{mention_of(user_id)}: "
    left = DAY_CHARACTERS - len(head)
    chosen: list[_Sentence] = []
    covered: set[str] = set()
    remaining = list(sentences)
    while remaining := [one for one in remaining if _needed(one) <= left and one.stems - covered]:
        remaining.sort(key=lambda one: (-_rarity(one.stems - covered, frequency, total), one.position))
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
    return head + " ".join(in_marks(one.text) for one in sorted(chosen, key=lambda one: one.position))


async def _first_to_tell(sentences: Sequence[_Sentence]) -> int | None:
    """Return the place of the first sentence that may be kept."""
    for at, one in enumerate(sentences):
        if at % _AT_ONCE == 0:
            await asyncio.sleep(0)
        if may_be_kept(one.text):
            return at
    return None


def _needed(sentence: _Sentence) -> int:
    """Return the characters that a sentence takes with its quotation marks and a blank."""
    return len(sentence.text) + 3


def _rarity(stems: frozenset[str], frequency: Counter[str], total: int) -> float:
    """Return how much these stems tell: rare ones more, and a long list of them not in proportion."""
    if not stems:
        return 0.0
    return sum(math.log(1 + total / frequency[stem]) for stem in stems) / math.sqrt(len(stems))


_OF_THE_GROUP: Final = re.compile(rf"(?<!\w){either('group_decides')}(?!\w)", re.IGNORECASE)
_OF_ONE: Final = re.compile(rf"(?<![\w<@'’]){either('first_person')}(?![\w'’])")


async def extract_group(messages: Sequence[Message]) -> str:
    """Return what members said of what all of them decided or plan, a line each, signed by who said it.

    It is what the newest sentences say, as many as there is room for: what holds is said last.
    """
    found: list[str] = []
    for number, message in enumerate(messages):
        if number % _AT_ONCE == 0:
            await asyncio.sleep(0)
        for match in _SENTENCE.finditer(message.text[:_MOST_CHARACTERS_OF_DAY_MESSAGE]):
            sentence = " ".join(match[0].split())
            if _is_decision(sentence) and len(telling_stems(sentence)) >= _LEAST_STEMS:
                found.append(f"{in_marks(sentence.rstrip('.!…'))} ({mention_of(message.user_id)})")
    newest_first = ((line, line) for line in dict.fromkeys(reversed(found)))
    return "\n".join(reversed(whole_lines(newest_first, limit=GROUP_CHARACTERS)))


def _is_decision(sentence: str) -> bool:
    """Tell whether a sentence says what the group decided or plans, and may be told to anybody."""
    return (
        len(sentence) <= _LONGEST_SENTENCE
        and not sentence.endswith("?")
        and _OF_THE_GROUP.search(sentence) is not None
        and _OF_ONE.search(sentence) is None
        and may_be_kept(sentence)
        and may_be_quoted(sentence)
    )


SUMMARY_CHARACTERS: Final = 1_500
"""About what a summary takes: as much as twenty usual messages."""

_MOST_CHARACTERS_OF_MESSAGE: Final = 1_200
"""Of a longer message the beginning tells what it was about."""

_SENTENCE_CHARACTERS: Final = 200
_LEAST_WORDS: Final = 2
"""A sentence of one word ("lol", "same") tells nothing."""

_DECIDED: Final = re.compile(rf"\b{either('decided')}\b", re.IGNORECASE)
_EXACT: Final = re.compile(r"\d|<@\d+>|https?://")
_NAMED: Final = re.compile(rf"(?<=[^\s.!?] ){either('capital')}[\w'-]+")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_SIGNED: Final = re.compile(r"<@\d+>: ")

_MOST_WORDS: Final = 12
"""More words in one sentence do not tell more in proportion."""


@dataclass(frozen=True, slots=True)
class _Piece:
    place: int
    text: str
    weight: float


def extract_conversation(
    kept: str, messages: Sequence[Message], *, characters: int = SUMMARY_CHARACTERS
) -> str:
    """Return `kept` and what `messages` say in `characters` at most, in order, each sentence signed by who said it.

    If it is too much, what tells least goes, whenever it was said: a decision outlives any amount of talk. What is
    sensitive is left out, however much room there is.
    """
    pieces: list[_Piece] = []
    seen: set[frozenset[str]] = set()
    for text in (*_kept(kept), *_said(messages)):
        words = frozenset(word.lower() for word in _WORD.findall(text))
        pieces.append(_Piece(len(pieces), text, _weight(text, words) - (2.0 if words in seen else 0.0)))
        seen.add(words)
    best_first = sorted(pieces, key=lambda one: (-one.weight, one.place))
    # Of a long talk most has no room, and to read all of it for what may not be kept would take far longer.
    chosen = whole_lines(((piece, piece.text) for piece in best_first), limit=characters, allowed=may_be_kept)
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
        for sentence in sentences_of(message.text[:_MOST_CHARACTERS_OF_MESSAGE]):
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

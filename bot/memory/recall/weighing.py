"""How much a word weighs, which words are looked up, and what a perfect answer would score."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from bot.store.recall_asked import Lookup

K1: Final = 1.2
"""How soon a word that is said again and again adds nothing more."""
B: Final = 0.5
"""How much a long message loses against a short one."""
AGREEMENT: Final = 0.6
"""The power of the share of the question that a message says: most of it said once beats a part of it repeated."""
BEFORE: Final = (0.4, 0.2)
"""What a message lends to the next one, and to the one after."""
AFTER: Final = (0.4, 0.2)
"""What it lends to the one before it, and to the one before that."""
ANSWER: Final = 0.4
"""What a question lends to the message after it besides: the answer often repeats nothing of it."""
CONVERSATION: Final = 0.3
"""What it weighs if the conversation around a message says the words of the question."""
NAMED: Final = 0.2
"""By which share the messages of the one member whom a question names gain."""
ADDRESSED: Final = 0.5
"""What remains of a message that was said to the bot: it asks more often than it tells."""
ATTACHED: Final = 0.5
"""What a word of an attachment counts against one that was written."""

MOST_CANDIDATES: Final = 2_000
"""Messages that are looked at for one question."""

_MANY: Final = 3_000
"""Of a word that more messages say, the newest are found sooner by going back in time."""

_MOST_PAIRS: Final = 6
_TOGETHER: Final = 3.0
"""How much more often words of one question meet in a message than by chance."""

_SURE: Final = 9.0
"""The weight from which words single something out: two that are each said in one of a hundred messages.

A question of less than that scores low whatever is found: that one common word is said somewhere tells nothing.
Where so little is kept that no two words weigh as much, two that are each said once before the question are enough.
"""
_AROUND: Final = 0.4
"""What of a perfect score usually comes from the neighbours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One thing that is asked for; a name, a date or an identifier is one as well."""

    number: int
    lexemes: tuple[str, ...]
    """The words of the index that say it; none if it is only known in other ways."""
    messages: float
    """About how many messages say it."""
    weight: float
    """How much it tells that a message says it: the rarer, the more."""


def weight_of(messages: float, total: float) -> float:
    """Return the weight of a word that this many of `total` messages say (BM25's idf, never negative)."""
    said = min(max(messages, 0.0), total)
    return math.log(1 + (total - said + 0.5) / (said + 0.5))


def lookup_of(found: Sequence[Word], total: float) -> tuple[list[list[str]], Lookup]:
    """Return which lexemes to look up, as alternatives of lexemes that stand together, and how.

    The rarest words first, as many as `MOST_CANDIDATES` of the `total` messages say. If even the rarest is said more
    often, pairs of words are looked up, those first that are the least likely to meet: a common word alone finds
    nothing worth having. Of these more messages may say them than are looked at.
    """
    rarest = sorted((word for word in found if word.lexemes), key=lambda word: (word.messages, word.number))
    taken: list[list[str]] = []
    room = float(MOST_CANDIDATES)
    for word in rarest:
        room -= word.messages
        if room < 0:
            break
        taken += [[lexeme] for lexeme in word.lexemes]
    if taken or not rarest:
        return taken, Lookup.ALL
    if len(rarest) == 1:
        return [[lexeme] for lexeme in rarest[0].lexemes], _how(rarest[0].messages)
    expected = 0.0
    met = sorted(combinations(rarest, 2), key=lambda pair: pair[0].messages * pair[1].messages)
    for one, other in met[:_MOST_PAIRS]:
        more = _TOGETHER * one.messages * other.messages / max(total, 1.0)
        if taken and expected + more > MOST_CANDIDATES:
            break
        expected += more
        taken += [[left, right] for left in one.lexemes for right in other.lexemes]
    return taken, _how(expected)


def _how(messages: float) -> Lookup:
    return Lookup.BACKWARDS if messages > _MANY else Lookup.NEWEST


def scale_of(total: float, telling: float, *, messages: float) -> float:
    """Return by what to multiply a weight to make a score of it, where so many messages are kept.

    `total` is the weight of all words, `telling` that of those by which one can be sure what the question is about.
    A message that says all that is asked, amid a conversation about it, scores 1, if the question is telling enough.
    """
    sure = max(min(_SURE, 2 * weight_of(2, messages)), 0.001)
    return min(1.0, telling / sure) / (max(total, 0.001) * (1 + CONVERSATION + _AROUND))

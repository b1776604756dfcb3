"""What members said that tells most, whatever a question's words are.

"How do I get to the lake?" and "I sold the van" share no word. So of those whom a message means, and of a day that it
names, a reply is given what tells most: sentences about oneself, with days and numbers, of words that are seldom said.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from bot.core.domain import Message
from bot.text.calendar import LEXICONS
from bot.text.phrasing import speaks_of_author

LOOKED_BACK: Final = timedelta(days=45)
"""How far back what somebody said of themselves is looked for: plans and circumstances of some weeks."""

_LONGEST: Final = 300
"""Characters of a message that are weighed: a pasted log tells nothing of its author."""

_LEAST_WORDS: Final = 2
_MOST_WORDS: Final = 10
"""More words in one message do not tell more in proportion."""

_READ_CLOSELY: Final = 4
"""Of the messages of rare words, how many for each that is wanted are parsed: that takes longest."""

_ONESELF: Final = 0.5
_EXACT: Final = 0.25
"""By which shares a message gains that is about its author, and one that names a day or a number."""

_WORD: Final = re.compile(r"[^\W\d_]{3,}|\d[\d.:,]*")
_DAYS: Final = re.compile(
    rf"\d|(?<!\w)(?:{'|'.join(lexicon.WEEKDAY for lexicon in LEXICONS)}|"
    rf"{'|'.join(lexicon.MONTH for lexicon in LEXICONS)})(?!\w)",
    re.IGNORECASE,
)


def most_telling(messages: Sequence[Message], *, limit: int) -> list[Message]:
    """Return the `limit` messages that tell most, the most telling first; of two that say the same the newer.

    What ends in a question mark tells nothing.
    """
    newest_first = sorted(messages, key=lambda one: one.message_id, reverse=True)
    said: dict[frozenset[str], Message] = {}
    for one in newest_first:
        words = frozenset(_WORD.findall(one.text[:_LONGEST].lower()))
        if len(words) >= _LEAST_WORDS and not one.text.rstrip().endswith("?"):
            said.setdefault(words, one)
    frequency = Counter(
        word for one in newest_first for word in set(_WORD.findall(one.text[:_LONGEST].lower()))
    )
    rare = sorted(said, key=lambda words: -_rarity(words, frequency, len(messages)))[: _READ_CLOSELY * limit]
    best = sorted(rare, key=lambda words: -_rarity(words, frequency, len(messages)) * _gain(said[words].text))
    return [said[words] for words in best[:limit]]


def _rarity(words: frozenset[str], frequency: Counter[str], total: int) -> float:
    rarity = sum(math.log(1 + total / frequency[word]) for word in words)
    # A long message says rarer words, and is not worth as much more.
    return rarity / math.sqrt(max(len(words), _MOST_WORDS / 2)) * min(1.0, _MOST_WORDS / len(words))


def _gain(text: str) -> float:
    return 1 + _ONESELF * speaks_of_author(text[:_LONGEST]) + _EXACT * (_DAYS.search(text) is not None)

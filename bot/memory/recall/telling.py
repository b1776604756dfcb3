"""Chooses the most informative messages of members, whatever the words of a question.

"How do I get to the lake?" and "I sold the van" share no word. So a reply is given the most informative messages of the
members whom a message concerns, and of a day that it names: sentences about oneself, with days and numbers, in rare
words.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from bot.core.domain import ANYBODY, Message
from bot.text.calendar import LEXICONS
from bot.text.phrasing import speaks_of_author

LOOKED_BACK: Final = timedelta(days=45)
"""How far back what somebody said of themselves is looked for: plans and circumstances of some weeks."""

_OF_A_TALK: Final = 16
"""Messages that are told of a talk: who asks for one wants more of it than of anybody in passing."""

_LONGEST: Final = 300
"""Characters of a message that are weighed: a pasted log tells nothing of its author."""

_LEAST_WORDS: Final = 2
_MOST_WORDS: Final = 10
"""More words in one message do not tell more in proportion."""

_READ_CLOSELY: Final = 2
"""Of the messages of rare words, how many for each that is wanted are parsed: that takes longest."""

_ONESELF: Final = 0.5
_EXACT: Final = 0.25
"""By which shares a message gains that is about its author or names the member meant, and one with a day or number."""

_ASKING: Final = 0.5
"""What remains of a question in a talk that is asked about."""

_WORD: Final = re.compile(r"[^\W\d_]{3,}|\d[\d.:,]*")
_DAYS: Final = re.compile(
    rf"\d|(?<!\w)(?:{'|'.join(lexicon.WEEKDAY for lexicon in LEXICONS)}|"
    rf"{'|'.join(lexicon.MONTH for lexicon in LEXICONS)})(?!\w)",
    re.IGNORECASE,
)


def most_telling(
    said: Mapping[int, Sequence[Message]], *, limits: Mapping[int, int]
) -> dict[int, list[Message]]:
    """Return the messages that tell most: of the talk that is asked about by 0, then of each member of `limits`.

    `said` has by member what they said and what others said of them, and by 0 that talk. The most telling come first,
    as many as `limits` say. Of two that say the same only the newer is told. What ends in a question mark tells nothing
    of anybody, and little of a talk.
    """
    words = {one.message_id: _words(one) for messages in said.values() for one in messages}
    frequency = Counter(itertools.chain.from_iterable(words.values()))
    rarity = {
        one: _rarity(one, frequency, len(words)) for one in set(words.values()) if len(one) >= _LEAST_WORDS
    }
    return {
        user_id: _best(said.get(user_id, ()), words, rarity, of_member=user_id, limit=limit)
        for user_id, limit in {0: _OF_A_TALK, **limits}.items()
    }


def _best(
    messages: Sequence[Message],
    words: Mapping[int, frozenset[str]],
    rarity: Mapping[frozenset[str], float],
    *,
    of_member: int,
    limit: int,
) -> list[Message]:
    said: dict[frozenset[str], Message] = {}
    for one in sorted(messages, key=lambda one: one.message_id, reverse=True):
        if words[one.message_id] in rarity and not (of_member and _asks(one)):
            said.setdefault(words[one.message_id], one)
    rare = sorted(said, key=lambda one: -rarity[one])[: _READ_CLOSELY * limit]
    best = sorted(rare, key=lambda one: -rarity[one] * _gain(said[one], of_member=of_member))
    return [said[one] for one in best[:limit]]


def _words(message: Message) -> frozenset[str]:
    return frozenset(_WORD.findall(message.text[:_LONGEST].lower()))


def _asks(message: Message) -> bool:
    return message.text.rstrip().endswith("?")


def _rarity(words: frozenset[str], frequency: Counter[str], total: int) -> float:
    rarity = sum(math.log(1 + total / frequency[word]) for word in words)
    # A long message says rarer words, and is not worth as much more.
    return rarity / math.sqrt(max(len(words), _MOST_WORDS / 2)) * min(1.0, _MOST_WORDS / len(words))


def _gain(message: Message, *, of_member: int) -> float:
    text = message.text[:_LONGEST]
    speaks = of_member not in {0, ANYBODY, message.user_id} or speaks_of_author(text)
    share = 1 + _ONESELF * speaks + _EXACT * (_DAYS.search(text) is not None)
    return share * (_ASKING if _asks(message) else 1)

"""Which topic a text is about, such as food or work, from the word lists of each language: facts
and questions that share no word meet in a topic.
"""

from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import Final

from bot.text.forms import same_word
from bot.text.languages import every_word
from bot.text.sentences import ABROAD, speech_of
from bot.text.tokens import content_stems


class Topic(StrEnum):
    """What facts are asked about most."""

    FOOD = "food"
    DRINK = "drink"
    WORK = "work"
    LEARNING = "learning"
    MUSIC = "music"
    GAMES = "games"
    SCREEN = "screen"
    READING = "reading"
    SPORT = "sport"
    TRAVEL = "travel"
    HOME = "home"
    PETS = "pets"
    FAMILY = "family"
    BODY = "body"
    COMPUTERS = "computers"
    DATES = "dates"
    """Words of time: they meet facts that have a day, not facts that hold the same word."""


def may_be_about_food(text: str) -> bool:
    """Tell whether `text` may be about what somebody eats or drinks: in a language without topics anything may."""
    return bool(topics_of(text) & {Topic.FOOD, Topic.DRINK}) or speech_of(text) in ABROAD


_WORDS: Final = {topic: every_word(topic, table="TOPICS") for topic in Topic}


_STORED: Final = tuple(topic for topic in Topic if topic is not Topic.DATES)


def topics_of(text: str) -> frozenset[Topic]:
    """Return what `text` is about; nothing of most texts.

    Time is a topic only where there is no other: of "what should I eat tonight" it is not the point.
    """
    stems = content_stems(text)
    stems |= {same_word(stem) for stem in stems}
    touched = frozenset(topic for stem in stems for topic in _topics_by_stem().get(stem, frozenset()))
    return touched - {Topic.DATES} or touched


_KIN: Final = (
    (Topic.FOOD, Topic.DRINK),
    (Topic.FOOD, Topic.BODY),
    (Topic.SPORT, Topic.BODY),
    (Topic.WORK, Topic.LEARNING),
    (Topic.GAMES, Topic.COMPUTERS),
    (Topic.TRAVEL, Topic.HOME),
)
"""Topics of which each has to be known by who plans something about the other."""


def kin_of(topics: frozenset[Topic]) -> frozenset[Topic]:
    """Return the topics that `topics` border on."""
    return frozenset(one for pair in _KIN if not topics.isdisjoint(pair) for one in pair) - topics


def speaks_of_time(text: str) -> bool:
    """Tell whether `text` holds a word of time, whatever else it is about."""
    return any(Topic.DATES in _topics_by_stem().get(stem, ()) for stem in content_stems(text))


def bits_of(topics: Iterable[Topic]) -> int:
    """Return `topics` as the bits by which facts keep theirs; `DATES` has none."""
    return sum(1 << _STORED.index(topic) for topic in set(topics) if topic is not Topic.DATES)


def stems_about(topics: Iterable[Topic]) -> frozenset[str]:
    """Return the stems of all words that are about one of `topics`."""
    return frozenset().union(*(content_stems(" ".join(_WORDS[topic])) for topic in topics))


def stems_by_bit() -> dict[int, list[str]]:
    """Return for each bit the stems that set it, with the words themselves for configurations that stem nothing."""
    return {
        bits_of([topic]): sorted(
            content_stems(" ".join(_WORDS[topic])) | {word.replace("ё", "е") for word in _WORDS[topic]}
        )
        for topic in _STORED
    }


@cache
def _topics_by_stem() -> dict[str, frozenset[Topic]]:
    topics: dict[str, set[Topic]] = {}
    for topic, words in _WORDS.items():
        for stem in content_stems(" ".join(words)):
            topics.setdefault(stem, set()).add(topic)
    return {stem: frozenset(found) for stem, found in topics.items()}

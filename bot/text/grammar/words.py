"""Classes of words that grammar and names share.

Verbs of people, calendar words, function words, and words that begin a time.
"""

import re
from typing import Final

from bot.text.calendar import NUMBERS, UNITS
from bot.text.languages import either, every_word

PERSON_VERBS: Final = every_word("person_verbs")
"""Verbs that people do; what stands before one at the start of a sentence is somebody."""

_THE_BOT: Final = every_word("the_bot")


def means_the_bot(words: str) -> bool:
    """Return whether `words`, said to the bot about whom it shall know or forget things, mean the bot itself."""
    return words.lower() in _THE_BOT


_CALENDAR: Final = re.compile(either("calendar_word"), re.IGNORECASE)


def is_calendar_word(word: str) -> bool:
    """Return whether `word` (with е for ё) names a weekday, a month or a day near today, in any case."""
    return _CALENDAR.fullmatch(word) is not None


DETERMINERS: Final = every_word("determiners")
"""Words before an ordinary noun: in "my rust", rust is no member's name."""

_FUNCTION_WORDS: Final = DETERMINERS | every_word("function_words")
_NO_STARTING_NAMES: Final = every_word("never_a_first_name")


def is_function_word(word: str) -> bool:
    """Return whether `word` is so common that it names a member only after an @."""
    return word.lower() in _FUNCTION_WORDS


def may_start_with_name(word: str) -> bool:
    """Return whether a sentence that begins with capitalised `word` may begin with a name that nobody bears."""
    lower = word.lower().replace("ё", "е")
    return not (lower in _FUNCTION_WORDS or lower in _NO_STARTING_NAMES or is_calendar_word(lower))


_WORD: Final = re.compile(r"\S+")
_TRAILING: Final = re.compile(r"[,;:.!?]+$")
_LONGEST_SHORTENED: Final = 2
"""Letters of a unit that is cut short: "d"."""
_SPANS: Final = every_word("beside_a_span") | {
    word for word, unit in UNITS.items() if unit not in {"minute", "hour"} and len(word) > _LONGEST_SHORTENED
}
_ARTICLES: Final = every_word("articles")
_SINCE: Final = every_word("makes_a_length_a_time")
"""With one of these "a week" is a time; "the day" alone is a thing."""
_COUNTS: Final = frozenset(word for number in NUMBERS for word in number.split())
_NUMBER: Final = re.compile(rf"\d{{1,4}}{either('day_ending')}?")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_BESIDE_A_TIME: Final = every_word("beside_a_time")
_LINKS: Final = every_word("after_a_spoken_time") | frozenset("-–—")
"""After these, the time is what is spoken of: "Friday is my day off"."""
_MOST_WORDS_OF_TIME: Final = 4


def leading_time(text: str) -> int:
    """Return how many characters at the start of `text` only say when: "tomorrow", "on Friday,", «в пятницу»."""
    words = list(_WORD.finditer(text))
    for count in range(min(_MOST_WORDS_OF_TIME, len(words) - 1), 0, -1):
        said = [_TRAILING.sub("", word.group()).lower().replace("ё", "е") for word in words[:count]]
        follows = words[count].group().lower()
        if said[0] in _ARTICLES and not _SINCE.intersection(said):
            continue
        if any(map(_says_when, said)) and said[-1] not in _BESIDE_A_TIME and all(map(_is_of_a_time, said)):
            return 0 if follows in _LINKS or follows in PERSON_VERBS else words[count].start()
    return 0


def _says_when(word: str) -> bool:
    return is_calendar_word(word) or word in _SPANS or _DATE.fullmatch(word) is not None


def _is_of_a_time(word: str) -> bool:
    return (
        _says_when(word) or word in _BESIDE_A_TIME or word in _COUNTS or _NUMBER.fullmatch(word) is not None
    )

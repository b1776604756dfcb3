"""Classes of words that grammar and names share.

Verbs of people, calendar words, and function words.
"""

import re
from typing import Final

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

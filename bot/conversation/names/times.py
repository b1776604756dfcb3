"""When something is: words at the start of a statement behind which its subject stands."""

import re
from typing import Final

from bot.conversation.grammar.words import PERSON_VERBS, is_calendar_word, word_set

_WORD: Final = re.compile(r"\S+")
_TRAILING: Final = re.compile(r"[,;:.!?]+$")
_SPANS: Final = word_set("""
    day days week weeks month months year years night morning evening weekend ago later
    день дня дней неделю недели недель неделе месяц месяца месяцев месяце год года лет году ночью утром вечером назад
""")
_ARTICLES: Final = word_set("the a one")
_SINCE: Final = word_set("ago later")
"""With one of these "a week" is a time; "the day" alone is a thing."""
_COUNTS: Final = word_set(
    "one two three four five six a couple few один одну два две три четыре пять шесть пару несколько"
)
_NUMBER: Final = re.compile(r"\d{1,4}(?:st|nd|rd|th|го|е)?")
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_BESIDE_A_TIME: Final = word_set(
    "on next last this in the of at через в во на этой эту этот следующей следующую следующий следующем"
    " прошлой прошлую прошлый прошлом"
)
_LINKS: Final = word_set("is was will are were - — – это будет был была было the a an at of в")
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

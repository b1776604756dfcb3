"""Words that both the grammar and the names go by."""

import re
from typing import Final


def word_set(text: str) -> frozenset[str]:
    """Return the words of `text`, which are separated by blanks and line ends."""
    return frozenset(text.split())


PERSON_VERBS: Final = word_set("""
    likes loves hates lives works has plays prefers studies speaks owns wants enjoys dislikes collects
    drinks eats drives teaches needs knows thinks says sings writes
    любит живет работает играет предпочитает ненавидит учится изучает говорит хочет обожает коллекционирует
    пьет ест ездит преподает умеет владеет нравится нравятся переехал переехала родился родилась зовут
""")
"""Verbs that people do; what stands before one at the start of a sentence is somebody."""

_THE_BOT: Final = word_set("you yourself u urself ты тебя тебе себя себе")


def means_the_bot(words: str) -> bool:
    """Return whether `words`, said to the bot about whom it shall know or forget things, mean the bot itself."""
    return words.lower() in _THE_BOT


_CALENDAR: Final = re.compile(
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?"
    r"|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|today|tomorrow|tonight|yesterday|noon|midnight|weekends?"
    r"|christmas|easter"
    r"|понедельник\w{0,3}|вторник\w{0,3}|сред[ауыеой]{1,2}|четверг\w{0,3}|пятниц\w{1,2}|суббот\w{1,2}"
    r"|воскресень\w{1,2}|январ\w{1,2}|феврал\w{1,2}|март[аеу]?|апрел\w{1,2}|ма[йяею]|июн\w{1,2}|июл\w{1,2}"
    r"|август[аеу]?|сентябр\w{1,2}|октябр\w{1,2}|ноябр\w{1,2}|декабр\w{1,2}"
    r"|завтра|послезавтра|сегодня|вчера|полдень|полночь|выходн\w{2,3}",
    re.IGNORECASE,
)


def is_calendar_word(word: str) -> bool:
    """Return whether `word` (with е for ё) names a weekday, a month or a day near today, in any case."""
    return _CALENDAR.fullmatch(word) is not None

"""Classes of words that grammar and names share.

Verbs of people, calendar words, function words, and words that begin a time.
"""

import re
from typing import Final

from bot.text.calendar import NUMBERS, UNITS


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


DETERMINERS: Final = word_set("""
    a an the my your his her its our their this that these those some any no every each of
    мой моя мое мои твой твоя твое твои наш наша наше наши ваш ваша его ее их этот эта это эти тот та те
""")
"""Words before an ordinary noun: in "my rust", rust is no member's name."""

_FUNCTION_WORDS: Final = DETERMINERS | word_set("""
    i me you he she it we they us him them who what when where why how which there here and or but not if so as at by
    for from in into on to up with is are was were be been am do does did has have had can could will would shall
    should may might must everyone everybody someone somebody anyone nobody all both many most more much very just
    only also than then now never always often today tomorrow yesterday yes
    я ты он она оно мы вы они меня тебя нас вас мне тебе ему ей им нам вам кто что где когда как почему какой и или
    но не ни да нет в на с со у к о об от до по за из для при про без все всё кому чему там тут здесь уже еще ли бы
    был была было были есть будет сегодня завтра вчера потом сейчас очень
""")
_NO_STARTING_NAMES: Final = word_set("""
    server guild channel people person life work home nothing something anything one two three nobody none another
    other others let maybe perhaps please thanks sometimes usually normally actually apparently
    каждый каждая кто-то никто ничто что-то сервер гильдия канал народ человек люди жизнь работа один одна два три
    иногда обычно наверное возможно если чтобы
""")
BELONGINGS: Final = word_set("""
    birthday bday name nickname job wife husband cat dog phone email favourite favorite pronouns timezone mom dad
    mother father brother sister son daughter kids girlfriend boyfriend partner hobby address house car surname
""")
"""What people have: "Zoltan's birthday" is about somebody, "today's menu" is not."""


def is_function_word(word: str) -> bool:
    """Return whether `word` is so common that it names a member only after an @."""
    return word.lower() in _FUNCTION_WORDS


def may_start_with_name(word: str) -> bool:
    """Return whether a sentence that begins with capitalised `word` may begin with a name that nobody bears."""
    lower = word.lower().replace("ё", "е")
    return not (lower in _FUNCTION_WORDS or lower in _NO_STARTING_NAMES or is_calendar_word(lower))


_WORD: Final = re.compile(r"\S+")
_TRAILING: Final = re.compile(r"[,;:.!?]+$")
_SPANS: Final = word_set("night morning evening ago later ночью утром вечером назад") | {
    word for word, unit in UNITS.items() if unit not in {"minute", "hour"} and len(word) > len("дн")
}
_ARTICLES: Final = word_set("the a one")
_SINCE: Final = word_set("ago later")
"""With one of these "a week" is a time; "the day" alone is a thing."""
_COUNTS: Final = frozenset(word for number in NUMBERS for word in number.split())
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

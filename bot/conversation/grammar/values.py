"""Whether words can be the value of a correction: "Tuesday" in "no, I said Tuesday", not "nothing of the kind"."""

import re
from typing import Final

from bot.conversation.grammar.spoken import plain
from bot.conversation.grammar.words import is_calendar_word, word_set

MOST_WORDS: Final = 5
"""Words of a value; what is longer is talk."""

_NUMBER: Final = re.compile(
    r"[#$€£₽]?\d[\d.,:/%-]*(?:st|nd|rd|th|am|pm|h|k|го|е|ого|му)?[$€£₽%]?", re.IGNORECASE
)
_BESIDE_A_DATE: Final = word_set("""
    on at in by the of next this last every around about after before from to until am pm o'clock morning afternoon
    evening night noon half past quarter
    в во на к ко с со до после около утра вечера дня ночи часов часа час утром вечером днем ночью следующий
    следующую следующей этот эту этой прошлый прошлую половина числа года
""")
_NEVER_INSIDE: Final = word_set("""
    i i'm im i'd i'll i've you you're u your yours he she they we it it's its he's she's they're we're is are was
    were am be been do does did don't doesn't didn't can can't could would should will won't have has had that
    that's what who how why when where because if whether think know like want me myself them him us
    я ты вы он она оно они мы это что как кто почему когда где если потому чтобы был была было были буду будет
    знаю думаю хочу люблю надо нужно тебя тебе вас вам меня мне его ее их нас нам себя
""")
_TALK: Final = word_set("""
    nothing never anything something everything so no yes yeah yep nope ok okay thanks thank please fine good great bad
    sorry not really true false right wrong correct incorrect fun funny cool nice well better worse best worst
    complicated hard easy over too very pretty quite just also still maybe perhaps now later soon already enough more
    less all none sure done gone dead broken late early hot cold weird strange stupid dumb crazy lame bot alright
    impossible possible interesting boring amazing awesome awful terrible horrible perfect ridiculous obvious
    unfair fair lol lmao haha hi hello hey bye stop wait go come a an as like kind sort only even either neither
    about up down out off hilarious sad happy lovely ugly beautiful clear unclear normal hopeless useless
    fuck shit damn hell
    нет да ничего никогда не ни ну так тоже просто очень слишком уже еще все хорошо плохо нормально спасибо
    пожалуйста ладно правда неправда верно неверно правильно неправильно шутка шучу смешно круто классно
    странно жаль жалко нельзя можно может сейчас потом позже точно именно конечно только даже бот ок окей
    что-то кто-то где-то другое другой другая
    серьезно поздно рано дорого дешево сложно трудно легко ужасно отлично прекрасно
""")
_FINITE_RUSSIAN: Final = re.compile(r"\w{2,}(?:ешь|ишь|ете|ите|аю|яю|ую|ться|тся|ется|ится)")


def is_definite(value: str) -> bool:
    """Return whether `value` is a date, a time or a number: what nobody says for any other reason."""
    words = _words(value)
    if not 0 < len(words) <= MOST_WORDS:
        return False
    telling = [word for word in words if is_calendar_word(word) or _NUMBER.fullmatch(word)]
    return bool(telling) and all(word in telling or word in _BESIDE_A_DATE for word in words)


def is_plausible(value: str) -> bool:
    """Return whether `value` can stand for what was meant: a few words without a verb or small talk."""
    if is_definite(value):
        return True
    words = _words(value)
    if not 0 < len(words) <= MOST_WORDS or re.search(r"[.!?;:,]\s", plain(value)):
        return False
    if words[0] in _TALK or any(word in _NEVER_INSIDE or _FINITE_RUSSIAN.fullmatch(word) for word in words):
        return False
    return any(character.isalnum() for character in words[0]) and not words[0].endswith(("ing", "n't"))


def is_name_like(value: str) -> bool:
    """Return whether `value` may be what somebody is called: one word, a mention, or capitalised words."""
    if is_definite(value) or not is_plausible(value):
        return False
    words = value.split()
    return len(words) == 1 or all(word[0].isupper() or word[0] in "<@" for word in words)


def _words(value: str) -> list[str]:
    return plain(value).lower().split()

"""Secrets in what people write: each becomes `[secret]` before the words around it are kept."""

import re
from typing import Final

from bot.memory.secret_numbers import without_numbers
from bot.memory.secret_tokens import LEAST_LONG, MASK, without_private_keys, without_tokens
from bot.memory.tokens import words

__all__ = ["MASK", "holds_secret", "masked"]

_ABOUT_PASSWORDS: Final = ("pass", "pwd", "pw", " pin", "pin ", "phrase", "парол", "пин", "код", "фраз")
_ABOUT_KEYS: Final = ("token", "key", "secret", "bearer", "токен", "ключ")

_IS: Final = (
    r"(?:\s*(?:=|:|->|=>)\s*|\s+(?:is|was|are|will\ be|to\ be)(?:\s+(?:now|just|still))?:?\s+|['’]s\s+)"
)
_IS_RU: Final = r"(?:\s*(?:=|:|—|–|\s-\s)\s*(?:это\s+)?|\s+(?:это|такой:?)\s+|\s+)"
_CALLED: Final = (
    r"(?:pass(?:\s?-?(?:word|wd|code|phrase|key)s?|(?=\s*[:=]))|pwd|pin(?:\s(?:code|number))?|pw)"
)
_CALLED_RU: Final = r"(?:парол(?:ь|я|ем|ю|и)|пин(?:-?код)?|код(?:овое\sслово|\sдоступа))"
_FOR: Final = r"(?:\s+(?:for|to|of|on|at)(?!\s+be\b)(?:\s+[\w'’.@-]+){1,3}?)?"
_FOR_RU: Final = r"(?:\s+(?:от|для|к|на|в)(?:\s+[\w.@-]+){1,3}?)?"
_QUOTES: Final = "\"'`«“|*"
_AT_ONCE: Final = (
    r"(?:pass(?:word|wd|code)|pwd|pw)\s+(?![<\[]|\w+://)(?=[^\s,;]*\d)(?=[^\s,;]*[^\W\d])(?=[^\s,;]{6})"
)
"""Nothing stands between "password" and a word that nobody would say there if it were none."""
_ONE: Final = rf"[{_QUOTES}]*(?!\[secret\])(?P<secret>[^\s,;{_QUOTES}][^\s,;]*)"
"""A secret goes to the next gap or comma; one that is masked already is none."""

_PASSWORD_IS: Final = re.compile(
    rf"(?<![\w\[])(?:{_CALLED}{_FOR}{_IS}|{_AT_ONCE}|{_CALLED_RU}{_FOR_RU}{_IS_RU}){_ONE}", re.IGNORECASE
)
_PASSWORD_SET: Final = re.compile(
    rf"""(?<!\w)(?:(?:(?:re)?set(?:ting)?|chang(?:ed?|ing)|updat(?:ed?|ing)|made|make|put|switched)\s+
    (?:[\w'’.-]+\s+){{0,3}}?{_CALLED}{_FOR}\s+(?:to|as|=)\s+(?:be\s+)?
    |(?:с?менил|помен[яи]л|поставил|установил|сделал|измен[ия]л)[аи]?\s+
    (?:[\w-]+\s+){{0,3}}?{_CALLED_RU}{_FOR_RU}\s+(?:на\s+)?){_ONE}""",
    re.VERBOSE | re.IGNORECASE,
)
_PHRASE_IS: Final = re.compile(
    rf"""(?<!\w)(?:pass\s?-?phrase|(?:seed|recovery)\s(?:phrase|words|key|codes?)
    |(?:сид|кодовая|секретная)[\s-]фраза){_FOR}(?:{_IS}|\s*[—–-]\s+)
    [{_QUOTES}]*(?!\[secret\])(?P<secret>[\w-]+(?:\s+[\w-]+){{2,23}})""",
    re.VERBOSE | re.IGNORECASE,
)
_KEY_IS: Final = re.compile(
    rf"""(?<![^\W_])(?:token|key|secret|токен|ключ|bearer)(?:[\s_-](?:id|api|апи|доступа))?(?![^\W_]){_FOR}
    (?:{_IS}|\s*[—–-]\s+|\s+(?:это\s+)?)
    [{_QUOTES}]*(?P<secret>(?=[\w+/=.~-]*\d)(?=[\w+/=.~-]*[A-Za-z])[\w+/=.~-]{{8,}})""",
    re.VERBOSE | re.IGNORECASE,
)
_IN_ADDRESS: Final = re.compile(
    r"(?P<before>://[^\s/:@]+:|/webhooks/\d+/)(?!\[secret\])(?:(?<=:)[^\s/@]+(?=@)|(?<=/)[\w-]+)"
)
_NO_PASSWORD: Final = words(
    """a an the my your his her our their this that these those it its not no never none nothing too very so also only
    just wrong right incorrect correct invalid bad good fine weak strong long short same different empty blank unset
    asked required needed wanted optional disabled enabled locked set stored saved kept sent used unknown known
    hidden shown hashed encrypted expired changed reset lost gone forgotten rejected accepted denied given working
    broken there here in on at for to by with from of as if when where what which who how why because and or but
    supposed probably maybe always usually something someone anything whatever case one you i we they he she
    still again now then yes ok okay like protected going login root admin sudo user username default up out
    was is are be been being will can could should would must may might do does did has have had get got more less
    manager managers field prompt file files box hash policy authentication
    не нет неверный неправильный верный правильный слишком тот этот такой какой забыл забыла потерял сменить поменять
    и или а но что чтобы как где когда если для от на в по к у с из же то я ты он она мы вы они мне его её ее их мой
    твой свой ваш наш подошёл подошел подходит работает нужен надо можно есть был была будет стоит уже ещё еще там тут
    сложный простой слабый надёжный новый старый пустой просит требует спрашивает введи введите вводить скажи дай
    вспомнить сбросить узнать хранится лежит одинаковый"""
)
"""What often follows "the password is" without being the password."""

_NOT_A_VERB: Final = re.compile(
    r"[a-z]{3,}(?:ed|ing|ly|able|ible)|[а-яё]{2,}(?:ть|ться|ется|ют|ит|ли)", re.IGNORECASE
)
_SAID_TO_BE: Final = re.compile(
    r"(?:=|:|->|—|–)\s*[\"'`«“|*]*$|\b(?:is|was|это)[\"'`«“|*\s]*$", re.IGNORECASE
)
_ODD: Final = re.compile(r"\d|[^\w\s'’.!?)\"»”`|*-]|[a-z][A-Z]")
_EDGE: Final = "\"'`»”|*.!?)]"


def masked(text: str) -> str:
    """Return `text` with `[secret]` in the place of passwords, keys, tokens, and numbers of cards, accounts and people.

    Numbers count only if their check digits are right, and words after "password" only if they can be one. Done
    twice it changes nothing more. Nothing is raised, whatever the text.
    """
    while (rest := _masked_once(text)) != text:
        text = rest
    return text


def holds_secret(text: str) -> bool:
    """Return whether there is a secret in `text`, or the place where one was."""
    return MASK in masked(text)


def _masked_once(text: str) -> str:
    """Return `text` after one pass over it with the patterns that its letters and digits may meet."""
    lowered = text.lower()
    if _holds(lowered, _ABOUT_PASSWORDS):
        text = _PHRASE_IS.sub(_without_secret, text)
        text = _PASSWORD_SET.sub(_without_password, text)
        text = _PASSWORD_IS.sub(_without_password, text)
    if _holds(lowered, _ABOUT_KEYS):
        text = without_private_keys(text)
        text = _KEY_IS.sub(_without_secret, text)
    if "://" in text:
        text = _IN_ADDRESS.sub(lambda found: found["before"] + MASK, text)
    if not any(map(str.isdigit, text)):
        return text
    longest = max(map(len, text.split()), default=0)
    if longest >= LEAST_LONG:
        text = without_tokens(text, lowered, longest=longest)
    return without_numbers(text, lowered)


def _holds(lowered: str, keywords: tuple[str, ...]) -> bool:
    """Return whether one of `keywords` stands in a text of lower case."""
    # A loop over plain searches takes a tenth of what one expression with all of them takes.
    for keyword in keywords:  # noqa: SIM110
        if keyword in lowered:
            return True
    return False


def _without_secret(found: re.Match[str]) -> str:
    """Return the match with its group `secret` masked."""
    return found[0][: found.start("secret") - found.start()] + MASK


def _without_password(found: re.Match[str]) -> str:
    """Return the match with the password masked, if the word can be one."""
    head, said = found[0][: found.start("secret") - found.start()], found["secret"]
    password = said.rstrip(_EDGE)
    if MASK in said:
        return found[0]
    if not _is_password(password, head=head, follows=found.string[found.end() :]):
        return found[0]
    return head + MASK + said[len(password) :]


def _is_password(word: str, *, head: str, follows: str) -> bool:
    """Return whether `word`, which stands after `head` and before `follows`, can be a password."""
    if word.lower() in _NO_PASSWORD:
        return False
    if _ODD.search(word):
        return len(word) >= 4
    # A plain word is one only where the sentence ends with it: "the password is asked by the dialog" tells none.
    ends = re.match(r"\s*(?:$|[.,;!?\n)\"»]|(?:and|but|so|btw|lol|и|а|но)\b)", follows) is not None
    told = _SAID_TO_BE.search(head) is not None or re.search(r"\b(?:to|as|на|be)\s+\W*$", head) is not None
    return ends and told and len(word) >= 4 and _NOT_A_VERB.fullmatch(word) is None

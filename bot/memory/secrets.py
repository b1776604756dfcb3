"""Secrets in what people write: each becomes `[secret]` before anything is learned from the words around it."""

import re
from collections.abc import Callable
from typing import Final

from bot.memory.tokens import words

MASK: Final = "[secret]"
"""What stands in the place of a secret."""

_ABOUT_PASSWORDS: Final = ("pass", "pwd", "pw", " pin", "pin ", "phrase", "парол", "пин", "код", "фраз")
_ABOUT_KEYS: Final = ("token", "key", "secret", "bearer", "токен", "ключ")
_NUMBER: Final = re.compile(r"\d[\d -]{7,}\d|[A-Z]{2}\d\d")
_LEAST_KEY: Final = 16
"""Characters of the shortest key; a text without a word so long, or a long number, is not searched for any."""

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
_ONE: Final = rf"[{_QUOTES}]*(?!\[secret\])(?P<secret>[^\s,;{_QUOTES}][^\s,;]*)"
"""A secret goes to the next gap or comma; one that is masked already is none."""

_PASSWORD_IS: Final = re.compile(
    rf"(?<![\w\[])(?:{_CALLED}{_FOR}{_IS}|{_CALLED_RU}{_FOR_RU}{_IS_RU}){_ONE}", re.IGNORECASE
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
_KNOWN_KEY: Final = re.compile(
    r"""(?<![\w-])(?:
      sk-(?:ant-|proj-)?[\w-]{20,} | (?:sk|pk|rk)_(?:live|test)_\w{10,} | gh[pousr]_\w{20,} | github_pat_\w{20,}
    | glpat-[\w-]{16,} | xox[abeoprs]-[\w-]{10,} | (?:AKIA|ASIA)[0-9A-Z]{16} | AIza[\w-]{30,} | ya29\.[\w-]{20,}
    | npm_\w{30,} | pypi-[\w-]{30,} | hf_\w{30,} | SG\.[\w-]{16,}\.[\w-]{16,}
    | eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)? | [A-Za-z][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{25,} | \d{8,10}:[\w-]{35}
    )(?![\w-])""",
    re.VERBOSE,
)
_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_IN_ADDRESS: Final = re.compile(
    r"(?P<before>://[^\s/:@]+:|/webhooks/\d+/)(?!\[secret\])(?:(?<=:)[^\s/@]+(?=@)|(?<=/)[\w-]+)"
)
_CARD: Final = re.compile(
    r"(?<![\w@#&/.-])(?:[2-6]\d{3}(?:[ -]?\d{4}){3}|3\d{3}[ -]?\d{6}[ -]?\d{4,5})(?![\w-])"
)
_CARDS: Final = {
    14: re.compile(r"3(?:0[0-5]|[68])"),
    15: re.compile(r"3[47]"),
    16: re.compile(r"4|5[0-8]|6|2[2-7]|35"),
}
"""How the number of a card begins, by how many digits it has."""

_IBAN: Final = re.compile(r"(?<!\w)[A-Z]{2}\d\d(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?(?!\w)")
_SOCIAL: Final = re.compile(
    r"(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-])"
    r"|(?:(?<=ssn )|(?<=ssn: )|(?<=ssn is )|(?<=security number is )|(?<=security number: ))\d{3} ?\d\d ?\d{4}(?!\d)",
    re.IGNORECASE,
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


def _masked_once(text: str) -> str:
    """Return `text` after one pass over it with the patterns that its letters and digits may meet."""
    lowered = text.lower()
    if _holds(lowered, _ABOUT_PASSWORDS):
        text = _PHRASE_IS.sub(_without_secret, text)
        text = _PASSWORD_SET.sub(_without_password, text)
        text = _PASSWORD_IS.sub(_without_password, text)
    if _holds(lowered, _ABOUT_KEYS):
        text = _PRIVATE_KEY.sub(MASK, text)
        text = _KEY_IS.sub(_without_secret, text)
    if "://" in text:
        text = _IN_ADDRESS.sub(lambda found: found["before"] + MASK, text)
    if _NUMBER.search(text) is not None or max(map(len, text.split()), default=0) >= _LEAST_KEY:
        text = _KNOWN_KEY.sub(MASK, text)
        text = _CARD.sub(_only_if(_is_card), text)
        text = _IBAN.sub(_only_if(_is_iban), text)
        text = _SOCIAL.sub(MASK, text)
    return text


def _holds(lowered: str, keywords: tuple[str, ...]) -> bool:
    """Return whether one of `keywords` stands in a text of lower case."""
    # A loop over plain searches takes a tenth of what one expression with all of them takes.
    for keyword in keywords:  # noqa: SIM110
        if keyword in lowered:
            return True
    return False


def _only_if(holds: Callable[[str], bool]) -> Callable[[re.Match[str]], str]:
    """Return what masks a match if `holds` is true of its letters and digits."""
    return lambda found: MASK if holds(re.sub(r"[ -]", "", found[0])) else found[0]


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


def _is_card(number: str) -> bool:
    """Return whether `number` begins and ends as the number of a card does; ids of Discord do not."""
    if (begins := _CARDS.get(len(number))) is None or not begins.match(number):
        return False
    total = 0
    for place, digit in enumerate(reversed(number)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _is_iban(account: str) -> bool:
    """Return whether the check digits of an international bank account number are right."""
    if not 15 <= len(account) <= 34:
        return False
    turned = account[4:] + account[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1

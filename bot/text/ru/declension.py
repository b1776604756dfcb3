"""Russian names in their grammatical cases.

The nominatives that a form may come from, and the form that a sentence needs.
"""

import itertools
import re
from enum import IntEnum
from typing import Final

from bot.text.grammar.rules import plain
from bot.text.grammar.words import is_calendar_word
from bot.text.ru.phrasing import parses
from bot.text.tokens import words

_SHORTEST_STEM: Final = 2
"""Letters that must remain: «Яне» is Яна, but «Ие» could be anybody."""

_MOST_WORDS: Final = 4

# What an ending of another case may have been in the nominative.
_NOMINATIVE_ENDINGS: Final[dict[str, tuple[str, ...]]] = {
    "ого": ("ий", "ый", "ой"),
    "его": ("ий", "ой"),
    "ому": ("ий", "ый", "ой"),
    "ему": ("ий",),
    "ыми": ("ый",),
    "ой": ("а", "ая"),
    "ей": ("а", "я", "ая"),
    "ою": ("а",),
    "ею": ("а", "я"),
    "ую": ("ая",),
    "юю": ("яя",),
    "ом": ("", "ий", "ый", "ой", "о"),
    "ем": ("", "й", "ь", "ий"),
    "ым": ("", "ый", "ой"),
    "им": ("ий",),
    "ью": ("ь",),
    "а": ("", "о"),
    "я": ("й", "ь"),
    "у": ("а", "", "о"),
    "ю": ("я", "й", "ь"),
    "ы": ("а",),
    "и": ("а", "я", "ь", "ий", "й"),
    "е": ("а", "я", "", "й", "ь", "о"),
}
_LONGEST_ENDING: Final = max(map(len, _NOMINATIVE_ENDINGS))
_CYRILLIC: Final = re.compile(r"[а-я-]+")
_FLEETING: Final = re.compile(r"(?<=[бвгджзклмнпрстфхцчшщь])[лкцрнв]$")


def nominatives(name: str) -> tuple[str, ...]:
    """Return every nominative that `name` (lower case, е for ё) may be another case of; () if it is not Russian.

    Each word of a name of several words is put back by itself; a word may also stay as it is.
    """
    words = name.split()
    if not 0 < len(words) <= _MOST_WORDS or not any(map(_CYRILLIC.fullmatch, words)):
        return ()
    choices = ((word, *_of_word(word)) for word in words)
    return tuple(" ".join(chosen) for chosen in itertools.product(*choices))


def _of_word(word: str) -> tuple[str, ...]:
    if not _CYRILLIC.fullmatch(word):
        return ()
    found: dict[str, None] = {}
    for length in range(1, _LONGEST_ENDING + 1):
        stem, ending = word[:-length], word[-length:]
        if len(stem) < _SHORTEST_STEM:
            break
        for nominative in _NOMINATIVE_ENDINGS.get(ending, ()):
            found[stem + nominative] = None
            if not nominative:
                found.update(dict.fromkeys(_with_vowel(stem)))
            elif nominative == "ь":
                found.update(dict.fromkeys(restored + "ь" for restored in _with_vowel(stem)))
    return tuple(found)


def _with_vowel(stem: str) -> tuple[str, ...]:
    """Return `stem` with the vowel that only the nominative has: «Павл-» is Павел, «Игорьк-» Игорек."""
    if not _FLEETING.search(stem):
        return ()
    before, last = stem[:-1].removesuffix("ь"), stem[-1]
    return (f"{before}е{last}", f"{before}о{last}")


class Case(IntEnum):
    """The cases but the nominative, in the order of the tables of endings."""

    GENITIVE = 0
    DATIVE = 1
    ACCUSATIVE = 2
    INSTRUMENTAL = 3
    PREPOSITIONAL = 4


_AFTER: Final = {
    Case.GENITIVE: words("у для без от из до кроме около возле после ради вместо против"),
    Case.DATIVE: words("к ко благодаря принадлежит принадлежат помогает помог помогла мешает звонит верит"),
    Case.ACCUSATIVE: words("про через"),
    Case.INSTRUMENTAL: words("с со над перед между"),
    Case.PREPOSITIONAL: words("о об обо"),
}
"""Words right behind which a name stands in a case."""

_BEFORE: Final = {
    Case.ACCUSATIVE: words("зовут звали назвали называют раздражает раздражают радует радуют бесит бесят"),
    Case.DATIVE: words("""
        нравится нравятся нравился нравилась нравилось нравились хочется надо нужно нужен нужна нужны исполнилось
        исполнится исполняется хватает кажется снится снятся везет холодно жарко скучно грустно лень пора нельзя
    """),
}
"""Words right before which it does, an adverb aside."""

_AGE: Final = re.compile(r"\s+\d+\s+(?:лет|год|года)(?!\w)")
_WORD_BEFORE: Final = re.compile(r"(?:(?P<earlier>\S+)\s+)?(?P<word>[а-яё-]+)\s+$", re.IGNORECASE)
_WORD_AFTER: Final = re.compile(
    r"\s+(?:(?:не|очень|тоже|также|больше|всегда|уже|еще|совсем|так|ее|его|их|этого)\s+)*(?P<word>[а-яё-]+)",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"[А-ЯЁ]?[а-яё]{2,}")
_HARD: Final = "гкхжшщч"
_HUSHING: Final = "жшщчц"


def case_at(before: str, after: str) -> Case | None:
    """Return the case that a name stands in between `before` and `after`; `None` for the nominative."""
    preceding, following = _WORD_BEFORE.search(before), _WORD_AFTER.match(plain(after))
    if preceding:
        word = plain(preceding["word"]).lower()
        for case, words in _AFTER.items():
            if word in words:
                return case
    if _AGE.match(after):
        return Case.DATIVE
    if following:
        for case, words in _BEFORE.items():
            if following["word"].lower() in words:
                return case
    return _beside(preceding) if preceding else None


def _beside(preceding: re.Match[str]) -> Case | None:
    """Return the case behind a noun ("брат Маши") or behind a verb that has its subject ("Паша любит Машу")."""
    word = plain(preceding["word"]).lower()
    tag = parses(word)[0].tag
    if {"NOUN", "nomn"} in tag and not is_calendar_word(word):
        return Case.GENITIVE
    has_subject = (preceding["earlier"] or "").startswith("<@")
    return Case.ACCUSATIVE if has_subject and {"VERB", "tran"} in tag else None


def in_case(name: str, case: Case) -> str:
    """Return a Russian `name` in `case`; one that is not Russian, or has no sure form, as it is."""
    words = name.split()
    if not words or not all(map(_NAME.fullmatch, words)):
        return name
    return " ".join(_word_in_case(word, case) for word in words)


def _word_in_case(word: str, case: Case) -> str:
    stem, ending = word[:-1], word[-1]
    hushing = stem[-1] in _HUSHING
    if word.endswith("ия"):
        return stem + ("и", "и", "ю", "ей", "и")[case]
    if ending == "а":
        genitive = "и" if stem[-1] in _HARD else "ы"
        return stem + (genitive, "е", "у", "ей" if hushing else "ой", "е")[case]
    if ending == "я":
        return stem + ("и", "е", "ю", "ей", "е")[case]
    if word.endswith(("ский", "цкий")):
        return word[:-2] + ("ого", "ому", "ого", "им", "ом")[case]
    if ending == "й":
        return stem + ("я", "ю", "я", "ем", "и" if word.endswith("ий") else "е")[case]
    if ending in "бвгджзклмнпрстфхцчшщ":
        stem = _without_fleeting(word)
        surname = word.endswith(("ов", "ев", "ёв", "ин", "ын")) and len(word) > len("Левин")
        instrumental = "ым" if surname else "ем" if word[-1] in _HUSHING else "ом"
        return stem + ("а", "у", "а", instrumental, "е")[case]
    return word


def _without_fleeting(word: str) -> str:
    """Return the stem of a name that loses its last vowel: «Павел» is «Павл-», «Игорёк» «Игорьк-»."""
    if word in {"Павел", "Лев", "Пётр", "Петр"}:
        return {"Павел": "Павл", "Лев": "Льв"}.get(word, "Петр")
    if word.endswith(("рёк", "рек", "нёк", "нек", "лёк", "лек")):
        return word[:-2] + "ьк"
    return word[:-2] + "к" if word.endswith("ок") and len(word) > len("Марок") else word

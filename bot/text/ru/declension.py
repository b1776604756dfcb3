"""Russian names in their grammatical cases.

The nominatives that a form may come from, and the form that a sentence needs.
"""

import itertools
import re
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from bot.text.grammar.rules import plain
from bot.text.grammar.words import is_calendar_word
from bot.text.ru.dictionary import parses
from bot.text.tokens import words

if TYPE_CHECKING:
    from pymorphy3.analyzer import Parse

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
_POSSESSIVE: Final = re.compile(
    r"(?P<stem>[а-я-]{2,})(?:(?P<kind>ин)|[ое]в)(?:[аоыу]|ого|ому|ым|ом|ой|ых|ыми)?"
)
_PART: Final = re.compile(r"[А-ЯЁа-яё]+")
_SHORTEST_NAME: Final = 3
_VOWELS: Final = "аеёиоуыэюя"
_FLEETING: Final = re.compile(r"(?<=[бвгджзклмнпрстфхцчшщь])[лкцрнв]$")


def is_russian(name: str) -> bool:
    """Return whether there is a Russian letter in `name`."""
    return _PART.search(name) is not None


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


def nominative(name: str) -> str:
    """Return a first name in its dictionary form; one that is not known, or has a surname, stays."""
    word = name
    if not _NAME.fullmatch(word):
        return name
    readings = [one for one in parses(word.lower()) if one.is_known and {"Name", "sing"} in one.tag]
    if not readings or any("nomn" in one.tag for one in readings):
        return word
    likeliest = readings[0].normal_form
    base = likeliest if "ё" in word.lower() else plain(likeliest)
    return base.capitalize() if word[0].isupper() else base


def owners(adjective: str) -> tuple[str, ...]:
    """Return the names (lower case, е for ё) whose possessive `adjective` may be: «петин» is Петя's."""
    found = _POSSESSIVE.fullmatch(adjective)
    if found is None:
        return ()
    endings = ("а", "я") if found["kind"] == "ин" else ("", "й", "ь")
    return tuple(found["stem"] + ending for ending in endings)


class Case(IntEnum):
    """The cases but the nominative, in the order of the tables of endings."""

    GENITIVE = 0
    DATIVE = 1
    ACCUSATIVE = 2
    INSTRUMENTAL = 3
    PREPOSITIONAL = 4


_TAGS: Final = ("gent", "datv", "accs", "ablt", "loct")
"""How the dictionary calls them."""

_AFTER: Final = {
    Case.GENITIVE: words("""
        у для без от ото из до кроме около возле после ради вместо против мимо вокруг насчет среди помимо
    """),
    Case.DATIVE: words("к ко благодаря по вопреки навстречу"),
    Case.ACCUSATIVE: words("про через на в во за"),
    Case.INSTRUMENTAL: words("с со над перед между рядом"),
    Case.PREPOSITIONAL: words("о об обо при"),
}
"""Words right behind which a name stands in a case."""

_AFTER_BOTH: Final = {
    "за": (
        Case.INSTRUMENTAL,
        words("замужем ухаживать следить присматривать наблюдать бегать ходить скучать"),
    ),
    "на": (Case.PREPOSITIONAL, words("жениться женат женатый держаться")),
}
"""Prepositions that take another case behind some words."""

_GOVERNED: Final = {
    Case.DATIVE: words("""
        принадлежать помогать помочь мешать помешать звонить позвонить верить поверить доверять дарить подарить давать
        дать отдать отдавать вернуть возвращать писать написать говорить сказать рассказать рассказывать показать
        показывать обещать пообещать объяснить объяснять отвечать ответить прислать присылать послать принести
        приносить купить покупать продать продавать одолжить передать передавать завидовать позавидовать нравиться
        понравиться сочувствовать доверить запретить запрещать разрешить разрешать советовать посоветовать предложить
        предлагать испечь сварить приготовить готовить связать сшить оставить снять прочитать читать спеть петь
        напомнить напоминать отказать отказывать махать платить заплатить радоваться обрадоваться сделать делать
        посвятить благодарный рад должен должный задолжать налить привезти нужный известный знакомый
    """),
    Case.INSTRUMENTAL: words("""
        гордиться восхищаться интересоваться любоваться увлекаться управлять руководить командовать заниматься
        доволен довольный недовольный гордый
    """),
    Case.GENITIVE: words("бояться опасаться стесняться избегать касаться слушаться"),
}
"""What stands before or behind a verb or a short adjective, by its dictionary form."""

_BEFORE: Final = {
    Case.ACCUSATIVE: words(
        "зовут звали назвали называют раздражает раздражают радует радуют бесит бесят тошнит"
    ),
    Case.DATIVE: words("""
        нравится нравятся нравился нравилась нравилось нравились хочется надо нужно нужен нужна нужны исполнилось
        исполнится исполняется хватает кажется снится снятся везет холодно жарко скучно грустно лень пора нельзя
        важно можно интересно приятно неприятно стыдно обидно жалко жаль неудобно необходимо пришлось удалось
        приходится удается запрещено разрешено спится живется работается
    """),
}
"""Words right before which it does, an adverb aside."""

JOINED: Final = re.compile(r",\s+|\s+и\s+")
"""What stands between names of one case."""

_AGE: Final = re.compile(
    r"\s+(?:(?:скоро|уже|сейчас|всего|где-то|около|почти|исполнилось|будет)\s+)*\d+(?:\s+(?:лет|год|года)(?!\w)|(?=\s*[.,;!?)]|\s*$))"
)
_WORD_BEFORE: Final = re.compile(
    r"(?:(?:(?P<first>\S+)\s+)?(?P<earlier>\S+)\s+)?(?P<word>[а-яё-]+)\s+[*_~|\"«“„]*$", re.IGNORECASE
)
_WORD_AFTER: Final = re.compile(
    r"""\s+(?:(?:(?P<not>не)|очень|тоже|также|больше|всегда|уже|еще|совсем|так|ее|его|их|этого|все|вчера|сегодня|недавно|никто
        |часто|сильно)\s+)*(?P<word>[а-яё-]+)(?!['’\w])(?:\s+(?P<next>[а-яё]+))?""",
    re.IGNORECASE | re.VERBOSE,
)
_TIMES: Final = words("""
    утром днем вечером ночью летом зимой осенью весной год года лет раз день неделю месяц часов потом иногда часто
    скоро тогда теперь обычно однажды
""")
_TO_SOMEBODY: Final = words("мне тебе ему ей нам вам им всем")
"""Behind these a verb that wants a dative has it."""
_OWNED: Final = words("мой моя мое мои твой твоя наш наша наше наши свой своя его ее их")
_NAME: Final = re.compile(r"[А-ЯЁ]?[а-яё]+")
_HARD: Final = "гкхжшщч"
_HUSHING: Final = "жшщчц"


_NEAR: Final = 200
"""Characters on either side of a name that are looked at: a few words, of a line that may be a whole summary."""


def case_at(before: str, after: str, *, is_one: bool = True) -> Case | None:
    """Return the case that a name stands in between `before` and `after`; `None` for the nominative.

    Several names may be the subject of a verb in the plural, a single one (`is_one`) is not.
    """
    before, after = before[-_NEAR:], plain(after[:_NEAR])
    preceding, following = _WORD_BEFORE.search(before), _WORD_AFTER.match(after)
    if preceding and (case := _behind_preposition(preceding)) is not None:
        return case
    of_a_noun = _is_owner(preceding) if preceding else None
    if of_a_noun:
        return Case.GENITIVE
    if _AGE.match(after):
        return Case.DATIVE
    if following and (case := _before_verb(following, is_one=is_one)) is not None:
        return case
    if of_a_noun is not None:
        return None if following and _acts(preceding, following) else Case.GENITIVE
    return _behind_verb(preceding) if preceding else None


def _behind_preposition(preceding: re.Match[str]) -> Case | None:
    word = plain(preceding["word"]).lower()
    if word in _AFTER_BOTH and preceding["earlier"]:
        case, behind = _AFTER_BOTH[word]
        if any(parse.normal_form in behind for parse in parses(plain(preceding["earlier"]).lower())[:2]):
            return case
    return next((case for case, words in _AFTER.items() if word in words), None)


def _is_owner(preceding: re.Match[str]) -> bool | None:
    """Return whether the name says whose the thing right before it is; `False` if a verb behind it may know better.

    `None`: it does not. «собаку Маши» is sure; «в доме», «кофе» may belong to nobody: "кофе Маше нравится".
    """
    word, earlier = plain(preceding["word"]).lower(), plain(preceding["earlier"] or "").lower()
    tag = parses(word)[0].tag
    if "Fixd" in tag:
        return False
    if "NOUN" not in tag or word in _TIMES or is_calendar_word(word) or earlier in _OWNED or "Name" in tag:
        return None
    if "Geox" in tag or _takes_dative(earlier, preceding["first"]):
        return None
    first = plain(preceding["first"] or "").lower()
    in_phrase = any(one in behind for one in (earlier, first) for behind in _AFTER.values())
    return "nomn" not in tag and not in_phrase


def _takes_dative(*earlier: str | None) -> bool:
    """Return whether a verb of giving stands before: «подарил велик Маше»."""
    return any(_government(plain(word).lower()) is Case.DATIVE for word in earlier if word and word.isalpha())


def _government(word: str) -> Case | None:
    """Return the case that a verb or a short adjective wants; `None` if the dictionary knows of none."""
    reading = next(
        (one for one in parses(word)[:3] if str(one.tag.POS) in {"VERB", "ADJS", "PRTS", "COMP"}), None
    )
    if reading is None:
        return None
    if reading.tag.POS == "COMP":
        return Case.GENITIVE
    for case, governing in _GOVERNED.items():
        if reading.normal_form in governing:
            return case
    return Case.ACCUSATIVE if {"VERB", "tran"} in reading.tag else None


def _before_verb(following: re.Match[str], *, is_one: bool) -> Case | None:
    """Return the case of a name before a verb that it is not the subject of: «Маше нравится», «Машу повысили»."""
    word, then = following["word"].lower(), following["next"] or ""
    if word == "нет" or (following["not"] and word in {"было", "будет"} and not _is(then, "INFN")):
        return Case.GENITIVE
    if word.endswith("о") and _is(then, "INFN"):
        return Case.DATIVE
    for case, governed in _BEFORE.items():
        if word in governed:
            return case
    tag = parses(word)[0].tag
    if "VERB" not in tag or "1per" in tag or "2per" in tag or "impr" in tag:
        return None
    is_anothers = is_one and "plur" in tag
    if not is_anothers and then and {"NOUN", "nomn"} in parses(then.lower())[0].tag:
        is_anothers = not any("accs" in one.tag for one in parses(then.lower()))
    return _government(word) if is_anothers else None


def _is(word: str, kind: str) -> bool:
    return bool(word) and kind in parses(word.lower())[0].tag


def _acts(preceding: "re.Match[str] | None", following: re.Match[str]) -> bool:
    """Return whether the name is the subject of what follows: «рыбу Маша ест», not «кот Маши ест рыбу»."""
    if preceding is None:
        return False
    tag, verb = parses(plain(preceding["word"]).lower())[0].tag, parses(following["word"].lower())[0].tag
    return {"VERB", "sing"} in verb and ("Fixd" in tag or "nomn" not in tag)


def _behind_verb(preceding: re.Match[str]) -> Case | None:
    word, earlier = plain(preceding["word"]).lower(), plain(preceding["earlier"] or "").lower()
    if word in _BEFORE[Case.DATIVE] and (earlier.startswith("<@") or earlier in _TO_SOMEBODY):
        return None
    if str(parses(word)[0].tag.POS) not in {"VERB", "ADJS", "PRTS", "COMP", "INFN"}:
        return _government_of_earlier(preceding)
    return _government(word)


def _government_of_earlier(preceding: re.Match[str]) -> Case | None:
    """Return the case that a verb wants over a word between: «подарил велик Маше»."""
    return Case.DATIVE if _takes_dative(preceding["earlier"], preceding["first"]) else None


def in_case(name: str, case: Case) -> str:
    """Return a Russian `name` in `case`; words of it that are not Russian, or have no sure form, as they are."""
    is_woman = _is_womans(name)
    return _PART.sub(lambda part: _word_in_case(part[0], case, is_woman), name)


_ABOUT: Final = re.compile(r"(?<!\w)(о)(?= $)", re.IGNORECASE)
_OPENS_WITH_VOWEL: Final = re.compile(r"[аиоуэaeio]", re.IGNORECASE)


def before_name(before: str, name: str) -> str:
    """Return what stands before a name as it is said before that one: «о Маше», «об Ане»."""
    return _ABOUT.sub(r"\1б", before) if _OPENS_WITH_VOWEL.match(name) else before


def spelt_in_case(name: str, case: Case | None, written: str) -> bool:
    """Return whether `written` is how `name` is spelt in `case`, be it with е for ё or without capitals."""
    form = name if case is None else in_case(name, case)
    return plain(form).casefold() == plain(written).casefold()


def _is_womans(name: str) -> bool | None:
    """Return whether a first name in `name` is a woman's; `None` if there is none, or it is anybody's."""
    for word in name.split():
        readings = [one.tag for one in _names(word) if "Name" in one.tag]
        if readings:
            genders = {str(tag.gender) for tag in readings}
            return None if "ms-f" in genders or len(genders) > 1 else "femn" in genders
    return None


def _names(word: str) -> "list[Parse]":
    """Return the readings of a word that the dictionary has in the nominative singular."""
    if not _NAME.fullmatch(word):
        return []
    return [one for one in parses(word.lower()) if one.is_known and {"nomn", "sing"} in one.tag]


@lru_cache(maxsize=8192)
def _word_in_case(word: str, case: Case, is_woman: bool | None) -> str:
    gender = {True: "masc", False: "femn"}.get(is_woman) if is_woman is not None else None
    fitting = [one for one in _names(word) if gender is None or str(one.tag.gender) != gender]
    for kind in ("Name", "Patr", "Surn", "anim", "NOUN", "ADJF"):
        forms = {
            form.word if reading.word == word.lower() else plain(form.word)
            for reading in fitting
            if kind in reading.tag and (form := reading.inflect({_TAGS[case], "sing"}))
        }
        if forms:
            told = forms.pop()
            # A name of men and of women that each decline in another way stays as it is.
            return word if forms else told.capitalize() if word[0].isupper() else told
    if not _NAME.fullmatch(word) or len(word) < _SHORTEST_NAME or (is_woman and word[-1] not in "ая"):
        return word
    return _by_ending(word, case, is_woman)


def _by_ending(word: str, case: Case, is_woman: bool | None) -> str:
    """Return a name that no dictionary knows in `case`."""
    stem, ending = word[:-1], word[-1]
    hushing = stem[-1] in _HUSHING
    if word.endswith("ия"):
        return stem + ("и", "и", "ю", "ей", "и")[case]
    if word.endswith(("ова", "ева", "ёва", "ина", "ына")) and is_woman:
        return stem + ("ой", "ой", "у", "ой", "ой")[case]
    if ending == "а" and stem[-1] not in _VOWELS:
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
    """Return the stem of a name that loses its last vowel: «Васёк» is «Васьк-»."""
    if word.endswith(("рёк", "рек", "нёк", "нек", "лёк", "лек", "сёк", "сек")):
        return word[:-2] + "ьк"
    return word[:-2] + "к" if word.endswith("ок") and len(word) > len("Марок") else word

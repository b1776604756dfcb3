"""Which of the facts that were read out of plain words may be told to others: those of kinds known to be harmless.

A list of what must not be told cannot be complete, so this one says what may: names, how somebody wants to be
spoken of, a birthday, a town, a known job or subject, and liking what everybody likes or dislikes in public: food,
music, games, films, books, sport, travel, animals, computers. Whatever else somebody said of themselves is for
themselves, however harmless it may be.
"""

import re
from functools import cache
from typing import Final

from bot.domain import Fact
from bot.memory.extraction.english_words import PARTS as ENGLISH
from bot.memory.extraction.russian_words import PARTS as RUSSIAN
from bot.memory.tokens import content_stems
from bot.memory.topics import Topic, stems_about

_LIKED: Final = (
    Topic.FOOD,
    Topic.DRINK,
    Topic.MUSIC,
    Topic.GAMES,
    Topic.SCREEN,
    Topic.READING,
    Topic.SPORT,
    Topic.TRAVEL,
    Topic.PETS,
    Topic.COMPUTERS,
)
_NOT_LIKED: Final = """
    hungry starving diet allergic allergy gluten lactose drinks drinking bar pub beer wine whisky vodka rum gin
    cocktail alcohol poker raid visa passport abroad fat
    голоден голодный голодная диета аллергия глютен лактоза пить выпить бар пиво вино виски водка ром джин коктейль
    алкоголь покер рейд виза паспорт заграница
"""
"""Of those topics what may say more of somebody than their taste."""

_BESIDES: Final = """
    black white green red blue yellow purple pink orange dark light hot cold iced warm sweet sour salty fresh old new
    big small long short distance indoor outdoor classical electronic indie retro board video card strategy
    italian french thai japanese korean chinese indian mexican spanish greek turkish russian english german american
    morning evening winter summer spring autumn snow rain sun sea lake forest mountain city flower garden tree star
    painting drawing knitting sewing photography gardening puzzle chess lego walk dance dancing theatre theater museum
    science history mathematics physics language
    черный белый зеленый красный синий желтый розовый темный светлый горячий холодный теплый сладкий кислый соленый
    свежий старый новый большой маленький итальянский французский тайский японский корейский китайский индийский
    русский английский немецкий утро вечер зима лето весна осень снег дождь солнце море озеро лес гора горы город цветы
    сад дерево звезды рисовать рисование вязание вязать шить шитье фотография фотографировать прогулка гулять танцевать
    танцы театр музей наука история математика физика
"""
_FAVOURITE: Final = """
    color colour season month weekday day number animal bird city country team club brand flower holiday letter word
    emoji character genre artist programming place
    цвет сезон месяц день число животное птица город страна команда клуб марка цветок праздник буква слово эмодзи
    персонаж жанр художник место
"""
_QUALIFIED: Final = """
    software web senior junior lead data school primary high secondary private head pastry truck bus taxi train
    freelance backend frontend full stack game graphic music english maths math science history sound light video
    старший младший ведущий школьный главный детский частный
"""
_LETTERS: Final = re.compile(r"[^\W\d_]{3,}")

_MOST_WORDS: Final = 4
"""A favourite in more words is a story."""

_JOINING: Final = frozenset({"the", "of", "and", "city", "de", "la", "am", "upon", "на"})


def is_harmless(fact: Fact) -> bool:
    """Tell whether a fact that was read out of plain words is of a kind that may be told to others."""
    kind, _, thing = fact.key.partition(":")
    match kind:
        case "name" | "alias" | "pronouns" | "birthday":
            return True
        case "lives_in":
            return _is_place(fact.value)
        case "works_as":
            return _all_in(fact.value, _jobs())
        case "studies":
            return _all_in(fact.value, _subjects())
        case "likes":
            return _all_in(thing, _things())
        case "favorite":
            return _all_in(thing, _favourite_things()) and len(fact.value.split()) <= _MOST_WORDS
        case _:
            return False


def _all_in(words: str, known: frozenset[str]) -> bool:
    stems = content_stems(words)
    return bool(stems) and stems <= known


def _is_place(value: str) -> bool:
    """Tell whether a value is the name of a town or country: "Portland, Oregon", not "poverty"."""
    names = [word for word in value.replace(",", " ").split() if word.lower() not in _JOINING]
    return 0 < len(names) <= _MOST_WORDS and all(
        name[0].isupper() and not any(map(str.isdigit, name)) for name in names
    )


@cache
def _things() -> frozenset[str]:
    return (stems_about(_LIKED) | content_stems(_BESIDES)) - content_stems(_NOT_LIKED)


@cache
def _favourite_things() -> frozenset[str]:
    return _things() | content_stems(_FAVOURITE)


@cache
def _jobs() -> frozenset[str]:
    listed = _LETTERS.findall(f"{ENGLISH['jobs']} {RUSSIAN['jobs']}")
    return content_stems(" ".join(listed)) | content_stems(_QUALIFIED)


@cache
def _subjects() -> frozenset[str]:
    listed = _LETTERS.findall(f"{ENGLISH['subjects']} {RUSSIAN['studied']}")
    return content_stems(" ".join(listed)) | content_stems("computer science")

"""The spellings and sounds by which names that belong to no member yet are compared, in any alphabet."""

import re
from functools import lru_cache
from typing import Final

from bot.core.domain import Member
from bot.memory.members.roster import NAMES_KEPT, POSSESSIVE, name_key
from bot.text.ru.declension import nominatives

_LETTERS: Final = dict(zip("абвгдезийклмнопрстуфыэіґ", "abvgdeziyklmnoprstufyeig", strict=True))
_PAIRS: Final = "ж zh х kh ц ts ч ch ш sh щ sch ю yu я ya ї yi є e".split()
_IN_ROMAN_LETTERS: Final = str.maketrans(
    _LETTERS | dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)) | dict.fromkeys("ъь", "")
)

_SPELT_ALIKE: Final = tuple(
    (re.compile(spelt), sound)
    for spelt, sound in (
        ("s(?:hc|c)h", "sh"), ("t(?=ch)", ""), ("kh", "h"), ("ph", "f"), ("th", "t"), ("tz", "ts"), ("ck", "k"),
        ("c(?!h)|q", "k"), ("x", "ks"), ("w", "v"), ("[jy]", "i"), ("i[eo]", "e"), (r"(.)\1+", r"\1"),
    )
)  # fmt: skip
"""How a sound is written by the systems in use ("Yulia", "Julia", "Iuliia"), one after another."""

SHORTEST_SOUND: Final = 3
"""Letters: by fewer everybody would sound like somebody."""


def spelling_of(name: str) -> str:
    """Return what all spellings of one name share, also where it owns something: "Anna's" is Anna."""
    return POSSESSIVE.sub("", name_key(name))


@lru_cache(maxsize=NAMES_KEPT)
def spellings_of(word: str) -> tuple[str, ...]:
    """Return the spelling of a name as it occurs in a text, and those of all names of which it may be a grammatical
    case.
    """
    spelling = spelling_of(word)
    return tuple(dict.fromkeys((spelling, *nominatives(spelling)))) if spelling else ()


def names_borne(member: Member) -> tuple[str, ...]:
    """Return the names that a member bears now."""
    called = (member.user_name, member.display_name, member.nickname)
    return tuple(dict.fromkeys(name for name in called if name))


def in_roman_letters(word: str) -> str:
    """Return a word of lower-case Cyrillic letters in Roman ones; others stay as they are."""
    return word.translate(_IN_ROMAN_LETTERS)


@lru_cache(maxsize=NAMES_KEPT)
def sound_of(name: str) -> str:
    """Return what all spellings of a name share, in whatever letters: of "Саша", "Sasha" and "Sascha"."""
    sound = in_roman_letters(spelling_of(name))
    for spelt, instead in _SPELT_ALIKE:
        sound = spelt.sub(instead, sound)
    return sound


@lru_cache(maxsize=NAMES_KEPT)
def sounds_of(word: str) -> frozenset[str]:
    """Return the sounds of all names of which a word may be a form; none of a word that is too short to tell."""
    sounds = map(sound_of, spellings_of(word))
    return frozenset(sound for sound in sounds if len(sound) >= SHORTEST_SOUND)

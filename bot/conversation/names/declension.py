"""Russian names back to the nominative, by their endings: «Маше» is Маша, never Саша."""

import itertools
import re
from typing import Final

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

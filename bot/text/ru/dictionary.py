"""The dictionary of Russian word forms."""

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer
    from pymorphy3.analyzer import Parse


def plain(word: str) -> str:
    """Return `word` in lower case and with е for ё, as the tables have it."""
    return word.lower().replace("ё", "е")


@lru_cache(maxsize=1)
def _analyser() -> "MorphAnalyzer":
    """Return the dictionary, which takes a moment and some memory to load."""
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer(lang="ru")


@lru_cache(maxsize=4096)
def parses(word: str) -> "tuple[Parse, ...]":
    """Return the readings of a word in lower case, the likeliest first."""
    # The dictionary asks Unicode for the name of each letter, and raises where there is none (Tangut, CJK ranges).
    named = "".join(letter if unicodedata.name(letter, "") else "?" for letter in word)
    return tuple(_analyser().parse(named))

"""Names of towns and countries: which are known for certain, which words written small may be one, and how a name is
written.
"""

import re
from functools import cache
from typing import Final

from babel import Locale

from bot.core.clock import time_zones
from bot.core.domain import Language
from bot.text.languages import every_word
from bot.text.tokens import normalised
from bot.text.topics import topics_of

_SMALL: Final = every_word("small_in_a_place")
_LETTERS: Final = every_word("places_in_capitals")
_BEFORE: Final = every_word("before_a_place_name")
_BEHIND: Final = every_word("behind_a_place_name")
_THING: Final = re.compile(
    r"(?:ing|[ts]ion|ments?|ness|ity|ship|ism|ware|ics|[ae]nce|able|ible|ful|less|wear|work|time|mode|keeper|player|[^aious']s)$"
)
"""How words end in English that are things, or several of them."""


def is_known_place(name: str) -> bool:
    """Tell whether `name`, in any case, is a country, a large city or a time zone's city."""
    return normalised(name) in _known()


def ends_in_known_place(words: str) -> bool:
    """Tell whether some words are a known place, or end in one: "leeds", "downtown seattle"."""
    parts = words.split()
    return any(is_known_place(" ".join(parts[at:])) for at in range(len(parts)))


def may_be_place(name: str) -> bool:
    """Tell whether a `name` in small Latin letters can be a place: nothing else that these words may mean is known.

    Several words must end in a land ("austin texas") or be put together as names of towns are ("new haven").
    """
    if is_known_place(name):
        return True
    parts = name.lower().replace(".", "").split()
    if len(parts) > 1:
        return len(parts) <= _MOST_PARTS and (
            is_known_place(parts[-1]) or parts[0] in _BEFORE or parts[-1] in _BEHIND
        )
    return _THING.search(name.lower()) is None and not topics_of(name)


_MOST_PARTS: Final = 3


def place_name(said: str) -> str:
    """Return the name of a place as it is written; `said` may be all small: "kuala lumpur", "the uk"."""
    return " ".join(_written(part) for part in said.split())


def _written(part: str) -> str:
    bare = part.strip(",.").lower()
    if part != part.lower() or bare in _SMALL:
        return part
    if bare in _LETTERS:
        return part.upper()
    return re.sub(r"(?<![^\W\d_])(?<!')[^\W\d_]", lambda letter: letter[0].upper(), part)


@cache
def _known() -> frozenset[str]:
    names = {zone.rpartition("/")[2].replace("_", " ") for zone in time_zones() if "/" in zone}
    for language in Language:
        territories = Locale(language.value).territories
        names.update(name for code, name in territories.items() if code.isalpha())
    names.update(name.replace("_", " ") for name in every_word("known_places"))
    return frozenset(map(normalised, names)) - every_word("known_but_no_place")

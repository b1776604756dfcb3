"""The key of a sentence that somebody asked to have remembered: what it says of its subject can hold one value at a
time, so that a new one replaces it.

What members mention by themselves has keys of its own (`bot.text.extraction`), which are looked for first.
"""

import re
from typing import Final

from bot.text.languages import compiled_rows, either, every_word, in_each_language
from bot.text.tokens import content_stems, normalised

_LONGEST: Final = 120
"""Characters of a sentence that says one thing."""

_LANGUAGES: Final = tuple(
    (language, compiled_rows(language.SHAPES, language.PARTS)) for language in in_each_language("attributes")
)
_JOINED: Final = re.compile(rf"(?<!\S){either('joins_statements')}(?!\S)|[;?!]|[,.](?!\d)\s", re.IGNORECASE)
"""What a sentence holds that says a second thing, or says the first only under a condition."""

NOT_NAMES: Final = every_word("capitalised_but_no_name")
"""Capitalised words that follow "is" without being anybody's name."""


def attribute_of(content: str) -> tuple[str, str] | None:
    """Return the key of a sentence in the third person and the value under it; `None` if it has none.

    "<@7> is 31" stands under `age` and says "31", "the raid is on Saturday" under `when:raid` and says "Saturday".
    Sentences that say more than one thing have none.
    """
    content = " ".join(content.split()).strip().rstrip(".!")
    if not content or len(content) > _LONGEST or _JOINED.search(content):
        return None
    for language, shapes in _LANGUAGES:
        for name, shape in shapes.items():
            found = shape.fullmatch(content)
            if found is None:
                continue
            parts = found.groupdict()
            value = (parts.get("value") or found[0]).strip(" \"'")
            key = name.partition("__")[0]
            if key in _NAMING and normalised(value) in NOT_NAMES:
                continue
            thing = parts.get("thing")
            return (f"{key}:{normalised(language.first_form(thing))}" if thing else key), value
    return None


_ADDITIVE: Final = frozenset(
    stem for word in every_word("said_of_many_things") for stem in content_stems(word)
)
"""Stems of what can be said of one thing after another: who likes tea may like coffee too."""

_LEAST_SHARED: Final = 2
_MOST_APART: Final = 2
"""Stems that each of two sentences may have for itself."""


def same_topic(content: str, known: str) -> bool:
    """Return whether two sentences about one subject say nearly the same, and so may not both hold.

    "<@7> takes the bus to work" and "<@7> takes the train to work" do; two likings do not, nor does a sentence that
    only says more than the other one.
    """
    if (keyed := attribute_of(known)) is not None and (given := attribute_of(content)) is not None:
        return keyed[0] == given[0]
    said, stored = content_stems(content), content_stems(known)
    alone, instead = said - stored, stored - said
    shared = {stem for stem in said & stored if not stem.startswith("<@")}
    if not alone or not instead or not _ADDITIVE.isdisjoint(shared):
        return False
    if max(len(alone), len(instead)) > _MOST_APART:
        return False
    are_amounts = all(stem[0].isdigit() or stem in _AMOUNTS for stem in alone | instead)
    return len(shared) >= _LEAST_SHARED or (are_amounts and bool(shared))


_AMOUNTS: Final = frozenset(stem for word in every_word("small_numbers") for stem in content_stems(word))
_NAMING: Final = frozenset(("who",))
"""Keys whose values are names."""

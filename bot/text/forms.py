"""Words that belong together though they share no stem: forms of one word ("teach", "taught"), and words that mean
much the same, from the tables `bot/text/<code>/forms.toml`.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Final, NewType

from bot.text.languages import in_each_language
from bot.text.tokens import stem_of

_Table = NewType("_Table", str)
_FORMS: Final = _Table("forms")
_SYNONYMS: Final = _Table("synonyms")


def forms_of(word: str) -> tuple[str, ...]:
    """Return one spelling of each other form that is no regular one of `word`: of "teaches" it is "taught"."""
    return _others(word, _FORMS)


def synonyms_of(word: str) -> tuple[str, ...]:
    """Return words that may stand where `word` stands, with their irregular forms: of "movie" they are "film" ..."""
    return _others(word, _SYNONYMS)


def same_word(stem: str) -> str:
    """Return the stem that stands for all forms of a word: of "taught", and of "teach", it is "teach"."""
    group = _groups(_FORMS).get(stem)
    return stem if group is None else next(iter(group))


def _others(word: str, table: _Table) -> tuple[str, ...]:
    stem = stem_of(word)
    return tuple(spelt for known, spelt in _groups(table).get(stem, {}).items() if known != stem)


@cache
def _groups(table: _Table) -> dict[str, dict[str, str]]:
    """Return by the stem of each word all stems of its groups, the first word's first, each with a spelling."""
    found: dict[str, dict[str, str]] = {}
    for words in in_each_language("words"):
        tables = tomllib.loads(Path(str(words.__file__)).with_name("forms.toml").read_text(encoding="utf-8"))
        for line in tables.get(table, "").splitlines():
            group: dict[str, str] = {}
            for word in line.split():
                group.setdefault(stem_of(word), word)
            for stem in group:
                found[stem] = found.get(stem, {}) | group
    return found

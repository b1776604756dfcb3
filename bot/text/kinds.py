"""The kinds of what is said about people, read from the table `bot/text/kinds.toml`: which are sensitive, private,
unkind or harmless, and what may be told and kept of each.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from bot.core.domain import Language
from bot.text.languages import either, filled, in_each_language
from bot.text.patterns import lazy_pattern
from bot.text.tokens import content_stems
from bot.text.topics import Topic, stems_about

_TABLE: Final = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text(encoding="utf-8"))
_SOMEBODY: Final = r"<@!?(?P<_{}>\d{{1,19}})>"


class Nature(StrEnum):
    """What a kind is to those of whom it is said."""

    SENSITIVE = "sensitive"
    PRIVATE = "private"
    UNKIND = "unkind"
    HARMLESS = "harmless"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of what is said; the head of the table says what each column means."""

    name: str
    nature: Nature
    is_own_told: bool
    """Whether others are told what a member had remembered openly of themselves."""
    is_refused: bool
    """Whether nobody may have it remembered of another."""
    is_unlearned: bool
    """Whether nothing of it is picked up out of plain talk."""
    words: re.Pattern[str] | None
    """Found, in `plain` text, wherever it is said; `None` where only `of_somebody` says it."""
    of_somebody: re.Pattern[str] | None
    """Found where it is said of a member; the first one named in it is whom it is said of."""
    keys: frozenset[str]
    """What keys of facts of this kind begin with."""
    stems: frozenset[str]
    """Words of its topics."""
    says: tuple[str, ...]
    passes: tuple[str, ...]

    def is_worded(self, said: str) -> bool:
        """Tell whether words of this kind stand in `said`, which is `plain`, of whomever they are said."""
        return self.words is not None and self.words.search(said) is not None

    def is_in(self, said: str) -> bool:
        """Tell whether `said`, which is `plain`, is of this kind."""
        return (
            self.is_worded(said)
            or (self.of_somebody is not None and self.of_somebody.search(said) is not None)
            or (bool(self.stems) and not self.stems.isdisjoint(content_stems(said)))
        )

    def said_of(self, said: str) -> Iterator[int]:
        """Yield the members of whom `said`, which is `plain`, says so in so many words."""
        if self.of_somebody is not None:
            for found in self.of_somebody.finditer(said):
                yield from (int(member) for member in found.groupdict().values() if member is not None)


def plain(text: str) -> str:
    """Return `text` as the patterns of kinds are written: small, with е for ё, straight apostrophes, single gaps."""
    return " ".join(text.lower().replace("ё", "е").replace("’", "'").split(" "))


def _kind(name: str, row: Mapping[str, object]) -> Kind:
    own, another, nature = row.get("own", "told"), row.get("another", "kept"), Nature(str(row["nature"]))
    words = [*_patterns(row, ""), *_borrowed(_listed(row, "parts"))]
    return Kind(
        name=name,
        nature=nature,
        is_own_told=own == "told",
        is_refused=another == "refused",
        is_unlearned=row.get("learned") == "never" or another == "refused",
        words=_whole(words),
        of_somebody=_whole(_patterns(row, "_of")),
        keys=frozenset(_listed(row, "keys")),
        stems=stems_about(Topic(topic) for topic in _listed(row, "topics")),
        says=tuple(_listed(row, "says")),
        passes=tuple(_listed(row, "passes")),
    )


def _listed(row: Mapping[str, object], column: str) -> list[str]:
    listed = row.get(column, [])
    return [str(one) for one in listed] if isinstance(listed, list) else []


def _patterns(row: Mapping[str, object], ending: str) -> list[str]:
    """Return the patterns of a row, one for each language that has one."""
    return [
        filled(str(row[column]).replace("\n", "").replace("ё", "е"), _parts(language))
        for language in Language
        if (column := f"{language.value}{ending}") in row
    ]


@cache
def _parts(language: Language) -> Mapping[str, str]:
    named = _TABLE["said"].get(language.value, {}) | _TABLE["parts"].get(language.value, {})
    # Members are numbered when a pattern is whole, since no two groups of one may share a name.
    return {name: f"(?:{text})".replace("\n", "") for name, text in named.items()} | {"x": "\0x", "y": "\0y"}


def _borrowed(names: Iterable[str]) -> Iterator[str]:
    """Yield parts of these names out of what members are heard to say."""
    for name in names:
        for extraction in in_each_language("extraction"):
            if name in extraction.PARTS:
                yield extraction.PARTS[name].replace("ё", "е")


def _whole(patterns: list[str]) -> re.Pattern[str] | None:
    if not patterns:
        return None
    numbered = iter(range(1000))
    text = re.sub(
        "\0([xy])",
        lambda found: (
            _SOMEBODY.format(next(numbered)) + "(?:'s)?" if found[1] == "x" else r"<@!?\d{1,19}>(?:'s)?"
        ),
        "|".join(f"(?:{pattern})" for pattern in patterns),
    )
    return lazy_pattern(rf"(?<![\w<@])(?:{text})(?!\w)")


KINDS: Final = tuple(_kind(name, row) for name, row in _TABLE["kinds"].items())
"""All kinds, in the order of the table."""

HARMLESS: Final = tuple(kind for kind in KINDS if kind.nature is Nature.HARMLESS)
WORKPLACE: Final = re.compile(rf"(?<!\w){either('place_of_work')}(?!\w)")
"""Where somebody works, in what is `plain`: it tells what they do and nothing that befell them."""
_HARMFUL: Final = tuple(kind for kind in KINDS if kind.nature is not Nature.HARMLESS)


def harms_in(text: str) -> Iterator[Kind]:
    """Yield the kinds of `text` that are not harmless."""
    said = plain(text)
    return (kind for kind in _HARMFUL if kind.is_in(said))


def harm_in(text: str) -> Kind | None:
    """Return the first kind of `text` that is not harmless, `None` if there is none."""
    return next(harms_in(text), None)


def kept_alone(text: str) -> Kind | None:
    """Return the first kind of `text` of which others are told nothing, even if its subject had it remembered."""
    return next((kind for kind in harms_in(text) if not kind.is_own_told), None)


def is_harmless(text: str) -> bool:
    """Tell whether all that `text` says is of a kind that others may be told though nobody asked to remember it."""
    said = plain(text)
    return any(kind.is_in(said) for kind in HARMLESS) and harm_in(WORKPLACE.sub(" ", said)) is None

"""What goes in and comes out of extraction, and what a language has to tell to be understood."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from bot.domain import FactCategory


@dataclass(frozen=True, slots=True)
class Said:
    """What a member wrote, between their own previous and next message in that channel."""

    text: str
    author_id: int
    before: str = ""
    """What they wrote within a few minutes before, which this may correct; empty if nothing."""
    after: str = ""
    """What they wrote within a few minutes after, which may take this back; empty if nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """One thing that a member surely said about themselves."""

    key: str
    value: str
    category: FactCategory
    content: str
    """Third person, in the language in which it was said, with its subject as `<@id>`."""
    importance: int
    confidence: float
    lasts: timedelta | None
    """How long it holds from when it was said; `None` is until something else is said."""


class Kind(StrEnum):
    """What somebody may tell about themselves."""

    NAME = "name"
    ALIAS = "alias"
    PRONOUNS = "pronouns"
    LIVES_IN = "lives_in"
    WORKS_AS = "works_as"
    WORKS_AT = "works_at"
    STUDIES = "studies"
    BIRTHDAY = "birthday"
    FAVORITE = "favorite"
    LIKES = "likes"
    DISLIKES = "dislikes"
    FEELING = "feeling"
    EVENT = "event"


@dataclass(frozen=True, slots=True)
class Worth:
    """How much it counts to know a thing, and how surely and how long it is known."""

    category: FactCategory
    importance: int
    confidence: float
    lasts: timedelta | None = None


_ABOUT_LIFE: Final = Worth(FactCategory.FACT, 85, 0.85)

WORTH: Final[Mapping[Kind, Worth]] = {
    Kind.NAME: Worth(FactCategory.FACT, 90, 0.9),
    Kind.ALIAS: Worth(FactCategory.FACT, 85, 0.85),
    Kind.PRONOUNS: Worth(FactCategory.FACT, 88, 0.9),
    Kind.LIVES_IN: _ABOUT_LIFE,
    Kind.WORKS_AS: _ABOUT_LIFE,
    Kind.WORKS_AT: _ABOUT_LIFE,
    Kind.STUDIES: _ABOUT_LIFE,
    Kind.BIRTHDAY: _ABOUT_LIFE,
    Kind.FAVORITE: Worth(FactCategory.PREFERENCE, 80, 0.8),
    Kind.LIKES: Worth(FactCategory.PREFERENCE, 75, 0.7),
    Kind.DISLIKES: Worth(FactCategory.PREFERENCE, 75, 0.7),
    Kind.FEELING: Worth(FactCategory.FEELING, 70, 0.5, timedelta(hours=6)),
    Kind.EVENT: Worth(FactCategory.EVENT, 60, 0.6, timedelta(days=7)),
}

Cleaner = Callable[[str], tuple[str, ...]]
"""Takes what stands in the place of a value, and returns the values in it; none if it is not surely one."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way in which a clause tells something; it has to be the whole clause."""

    kind: Kind
    shape: re.Pattern[str]
    """With the group `value`, and whatever else `statement` names."""
    statement: str
    """What is meant, in the first person, with groups of the shape in braces."""


@dataclass(frozen=True, slots=True)
class Told:
    """One way in which a sentence in the third person tells something."""

    kind: Kind
    shape: re.Pattern[str]
    """With the group `value`, and for a favourite `thing`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """All that extraction has to know of a language. Texts come with straight apostrophes and single spaces."""

    letters: re.Pattern[str]
    """A letter of its script, in lower case."""
    hint: re.Pattern[str]
    """Found in every text, in lower case, that may tell something."""
    play: re.Pattern[str]
    """Found in what is not meant: irony, laughter, songs, role play; in lower case."""
    takes_back: re.Pattern[str]
    """Begins a message that says that the one before it was not meant; in lower case."""
    doubt: re.Pattern[str]
    """Found in a sentence that is not certain, or that repeats what others said; in lower case."""
    asks: re.Pattern[str]
    """Begins a question, with or without its mark."""
    greeting: re.Pattern[str]
    """Begins a sentence, and is part of the clause that follows."""
    joints: re.Pattern[str]
    """Stands between two clauses."""
    leads: re.Pattern[str]
    """Begins a clause without saying anything, or is all of it."""
    aside: re.Pattern[str]
    """Begins a clause after which the rest of the sentence says something of another time, place or mind."""
    hangs: re.Pattern[str]
    """Stands in a clause on which the rest of the sentence may hang: "when I'm late and I'm nervous"."""
    turns: re.Pattern[str]
    """Begins a clause that changes what the one before it said."""
    joined: re.Pattern[str]
    """Begins a clause that has its subject in the one before it."""
    pronoun: str
    """The subject of such a clause, with the space after it."""
    lists: re.Pattern[str]
    """The last part of an enumeration: what comes `before` its "and", if anything, and what comes `last`."""
    correction: re.Pattern[str]
    """A clause that puts `value` in the place of what was just said."""
    remark: re.Pattern[str]
    """What comes in such a place without being a value: "actually it's true"; in lower case."""
    patterns: tuple[Pattern, ...]
    told: tuple[Told, ...]
    clean: Mapping[Kind, Cleaner]
    keyed: Callable[[Kind, str], str]
    """Returns a thing or value as keys have it, from its normalised form."""


def shape(table: str, **parts: str) -> re.Pattern[str]:
    """Return the expression that `table` writes over several lines, whatever their indentation; case is ignored.

    `{part}` stands for the part of that name, itself in lines or not.
    """
    return re.compile(_joined(table, parts), re.IGNORECASE)


def small(table: str, **parts: str) -> re.Pattern[str]:
    """Return the same for texts in lower case, in which it is found several times as fast."""
    return re.compile(_joined(table, parts))


def patterns(table: str, **parts: str) -> tuple[Pattern, ...]:
    """Return the patterns of a table with a row `kind: shape -> statement` each; indented lines go on with a row."""
    rows = (row.rpartition("->") for row in _rows(table))
    return tuple(
        Pattern(Kind(kind), shape(said.strip(), **parts), statement.strip())
        for kind, said, statement in ((*row.partition(": ")[::2], statement) for row, _, statement in rows)
    )


def told(table: str, **parts: str) -> tuple[Told, ...]:
    """Return the sentences of a table with a row `kind: shape` each; indented lines go on with a row."""
    return tuple(
        Told(Kind(kind), shape(sentence, **parts))
        for kind, _, sentence in (row.partition(": ") for row in _rows(table))
    )


def _rows(table: str) -> list[str]:
    rows: list[str] = []
    for line in table.strip("\n").splitlines():
        if line[:1].isspace():
            rows[-1] += line.strip()
        else:
            rows.append(line)
    return rows


def _joined(table: str, parts: Mapping[str, str]) -> str:
    text = "".join(line.strip() for line in table.split("\n")) if "\n" in table else table
    while (part := _PART.search(text)) is not None:
        text = text[: part.start()] + _joined(parts[part[1]], parts) + text[part.end() :]
    return text


_PART: Final = re.compile(r"\{([a-z_]+)\}")

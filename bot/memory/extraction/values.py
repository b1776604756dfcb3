"""Whether what stands in the place of a name, a place or a thing surely is one, and where it ends."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from bot.memory.extraction.marks import OPAQUE, TITLE
from bot.memory.extraction.shapes import Cleaner

MAX_CHARACTERS: Final = 60
"""Of a value; what is longer is a story, not a thing."""

_JOINERS: Final = frozenset(
    "de da del della di du la le van von der den bin ibn al el st y ter ten фон де ван".split()
)
_IN_A_WORD: Final = frozenset("'-.&+#/")
_TITLE: Final = re.compile(rf"{TITLE}.|\"[^\"]+\"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a language has around and inside its values."""

    tails: re.Pattern[str]
    """Stands at the end of a clause and is no part of the value."""
    after_a_name: re.Pattern[str]
    """Begins what may follow a name without a comma."""
    never: frozenset[str]
    """Words that stand in no value: pronouns, verbs of clauses, what only the moment explains."""
    never_first: frozenset[str]
    """Words with which no value begins."""
    never_a_name: frozenset[str]
    never_a_place: frozenset[str]
    separator: re.Pattern[str]
    """Stands between two things of which each is one."""
    pairs: frozenset[str]
    """What has such a separator inside it and is one thing."""


def without_tails(said: str, words: Words) -> str:
    """Return `said` without what is added at its end: "pizza too", "pizza because it's good"."""
    while (tail := words.tails.search(said)) is not None:
        said = said[: tail.start()].rstrip(" ,.;:!-–—…")
    return said.strip()


def names(words: Words) -> Cleaner:
    """Return what takes a name from the start of a text, if nothing but what may follow one comes after it."""

    def clean(said: str) -> tuple[str, ...]:
        parts = said.split()
        capital = bool(parts) and not parts[0][0].islower()
        taken = _name_parts(parts, capital=capital, words=words)
        if not taken or any(
            part.lower().strip(".") in words.never_a_name
            for place, part in enumerate(taken)
            if place == 0 or part[0].islower()
        ):
            return ()
        rest = " ".join(parts[len(taken) :])
        if rest and not words.after_a_name.match(rest):
            return ()
        return (" ".join(taken),)

    return clean


def _name_parts(parts: list[str], *, capital: bool, words: Words) -> list[str]:
    """Return the first of `parts` that make a name; one written small has two words at most."""
    taken: list[str] = []
    for place, part in enumerate(parts):
        if not _is_name_part(part) or len(taken) == (4 if capital else 2):
            break
        if capital and part[0].islower() and not (taken and part in _JOINERS and place + 1 < len(parts)):
            break
        if not capital and words.after_a_name.match(" ".join(parts[place:])):
            break
        taken.append(part)
    while capital and taken and taken[-1] in _JOINERS:
        taken.pop()
    return taken


def _is_name_part(part: str) -> bool:
    """Return whether `part` is written as a name is in any script: letters and their marks, or an initial."""
    if len(part) > 30 or not unicodedata.category(part[0]).startswith("L"):
        return False
    if part.endswith("."):
        return len(part) == 2 or part.lower() in {"st.", "jr."}
    return not part.endswith(("'s", "n't")) and all(
        unicodedata.category(letter)[0] in "LM" or letter in "'-" for letter in part
    )


def places(words: Words) -> Cleaner:
    """Return what takes the name of a place; one written small has two words at most."""

    def clean(said: str) -> tuple[str, ...]:
        said = without_tails(said, words)
        parts = said.replace(",", " ").split()
        if not parts or len(said) > MAX_CHARACTERS or len(parts) > 6:
            return ()
        bare = [
            part for part in parts if part.lower() not in {"the", "of", "and", "city", "area", "town", "на"}
        ]
        if not bare or any(part.lower() in words.never_a_place | words.never for part in bare):
            return ()
        if not all(_is_name_part(part) for part in parts):
            return ()
        written_small = [part for part in bare if part[0].islower() and part not in _JOINERS]
        if written_small and (len(written_small) < len(bare) or len(parts) > 2):
            return ()
        return (said,)

    return clean


def things(
    words: Words,
    *,
    most_words: int,
    splits: bool = False,
    titles: bool = False,
    refuses: re.Pattern[str] | None = None,
) -> Cleaner:
    """Return what takes things: short, of plain words, understood without what was said before.

    `splits` makes two values of two single words; `titles` lets a quotation be one; what begins as `refuses` says
    is none.
    """

    def clean(said: str) -> tuple[str, ...]:
        if titles and _TITLE.fullmatch(said):
            return (said,)
        said = without_tails(said, words)
        lowered = said.lower()
        if not _is_plain(said, most_words=most_words) or (refuses and refuses.match(said)):
            return ()
        parts = [part.strip(",.") for part in lowered.split()]
        if not _is_a_title(said) and (parts[0] in words.never_first or not words.never.isdisjoint(parts)):
            return ()
        if splits and lowered not in words.pairs:
            single = words.separator.split(said)
            if len(single) == 2 and all(" " not in one for one in single):
                return tuple(single)
        return (said,)

    return clean


def happenings(*, when: re.Pattern[str], never: frozenset[str]) -> Cleaner:
    """Return what takes an event without its time, if it is understood without what was said before.

    The time of the message tells when; "yesterday" would be wrong a day later.
    """

    def clean(said: str) -> tuple[str, ...]:
        said = when.sub("", said).strip(" ,")
        parts = [part.strip(",.'") for part in said.lower().split()]
        plain = all(letter.isalnum() or letter in " ,'-.&+#" for letter in said)
        return (
            (said,)
            if plain and 2 <= len(parts) <= 14 and len(said) <= 120 and never.isdisjoint(parts)
            else ()
        )

    return clean


def as_shaped(said: str) -> tuple[str, ...]:
    """Return what its shape alone has judged."""
    return (said,)


def day_of_year(said: str, months: tuple[str, ...]) -> str:
    """Return a day as `month-day`, after its year if it is told; `months` are beginnings of twelve names, in order."""
    day = re.search(r"(?<!\d)\d{1,2}(?!\d)", said)
    year = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", said)
    number = next((at for at, month in enumerate(months, start=1) if re.search(rf"\b(?:{month})", said)), 0)
    if day is None or not number:
        return said
    return f"{year[0] + '-' if year else ''}{number:02}-{int(day[0]):02}"


def _is_plain(said: str, *, most_words: int) -> bool:
    """Return whether `said` is a few words of letters and digits, and nothing else."""
    if (
        not said
        or len(said) > MAX_CHARACTERS
        or len(said.split()) > most_words
        or OPAQUE in said
        or TITLE in said
    ):
        return False
    if not all(
        letter.isalnum() or letter in " ,'-.&+#/" or unicodedata.category(letter)[0] == "M" for letter in said
    ):
        return False
    return any(letter.isalpha() for letter in said) and all(set(part) - _IN_A_WORD for part in said.split())


def _is_a_title(said: str) -> bool:
    """Return whether `said` is written as a title is: several words, each with a capital, but not all in capitals."""
    parts = said.split()
    return (
        len(parts) > 1
        and not said.isupper()
        and all(part[0].isupper() or part[0].isdigit() for part in parts)
    )

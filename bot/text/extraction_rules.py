"""What extraction asks of a language: the kinds of statement, patterns for clauses, what is not plain
words (markup, quotations, marks of play), and the cleaners that tell where a value ends.
"""

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import timedelta
from enum import StrEnum
from typing import Final

from bot.core.domain import FactCategory
from bot.text.languages import every_word, filled, rows
from bot.text.patterns import lazy_pattern
from bot.text.places import ends_in_known_place, is_known_place, may_be_place, place_name
from bot.text.tokens import PROTECTED, normalised


@dataclass(frozen=True, slots=True)
class ExtractionInput:
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


class StatementKind(StrEnum):
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
    FROM = "from"
    AGE = "age"
    PET = "pet"
    FAMILY = "family"
    SPEAKS = "speaks"
    PLAYS = "plays"
    TRAIT = "trait"
    HABIT = "habit"
    TIME_ZONE = "time_zone"
    ATTRIBUTE = "attribute"
    """What has a key in `bot.text.attributes` and none of its own here."""


@dataclass(frozen=True, slots=True)
class Worth:
    """How much it counts to know a thing, and how surely and how long it is known."""

    category: FactCategory
    importance: int
    confidence: float
    lasts: timedelta | None = None


WORTH: Final[Mapping[StatementKind, Worth]] = dict.fromkeys(
    StatementKind, Worth(FactCategory.FACT, 85, 0.85)
) | {
    StatementKind.NAME: Worth(FactCategory.FACT, 90, 0.9),
    StatementKind.PRONOUNS: Worth(FactCategory.FACT, 88, 0.9),
    StatementKind.FAVORITE: Worth(FactCategory.PREFERENCE, 80, 0.8),
    StatementKind.LIKES: Worth(FactCategory.PREFERENCE, 75, 0.7),
    StatementKind.DISLIKES: Worth(FactCategory.PREFERENCE, 75, 0.7),
    StatementKind.FEELING: Worth(FactCategory.FEELING, 70, 0.5, timedelta(hours=6)),
    StatementKind.EVENT: Worth(FactCategory.EVENT, 60, 0.6, timedelta(days=7)),
    StatementKind.AGE: Worth(FactCategory.FACT, 80, 0.8, timedelta(days=365)),
    StatementKind.PLAYS: Worth(FactCategory.PREFERENCE, 75, 0.7),
    StatementKind.TRAIT: Worth(FactCategory.FACT, 70, 0.8),
    StatementKind.HABIT: Worth(FactCategory.FACT, 70, 0.7),
}

Cleaner = Callable[[str], tuple[str, ...]]
"""Takes what stands in the place of a value, and returns the values in it; none if it is not surely one."""


@dataclass(frozen=True, slots=True)
class ClausePattern:
    """One way in which a clause tells something; it has to be the whole clause."""

    kind: StatementKind
    shape: re.Pattern[str]
    """With the group `value`, and whatever else `statement` names."""
    statement: str
    """What is meant, in the first person, with groups of the shape in braces."""


@dataclass(frozen=True, slots=True)
class EndingPattern:
    """One way in which a clause says that something is so no longer; it has to be the whole clause."""

    kinds: tuple[str, ...]
    """What the keys begin with under which such things stand."""
    shape: re.Pattern[str]
    """With the group `value`, unless it ends whatever stands there."""
    statement: str


@dataclass(frozen=True, slots=True)
class ThirdPersonPattern:
    """One way in which a sentence in the third person tells something."""

    kind: StatementKind
    shape: re.Pattern[str]
    """With the group `value`, and for a favourite `thing`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionLanguage:
    """All that extraction has to know of a language. Texts come with straight apostrophes and single spaces."""

    letters: re.Pattern[str]
    """A letter of its script, in lower case."""
    hint: re.Pattern[str]
    ends_hint: re.Pattern[str]
    """Found, in lower case, wherever something may be said to be so no longer."""
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
    trails: re.Pattern[str]
    """Ends a clause without saying anything."""
    aside: re.Pattern[str]
    """Begins a clause after which the rest of the sentence says something of another time, place or mind."""
    hangs: re.Pattern[str]
    """Stands in a clause on which the rest of the sentence may hang: "when I'm late and I'm nervous"."""
    turns: re.Pattern[str]
    """Begins a clause that changes what the one before it said."""
    joined: re.Pattern[str]
    """Begins a clause that has its subject in the one before it."""
    introduced: re.Pattern[str]
    """Begins a clause that goes on with who somebody is: "I'm Tom, 27, from Oslo"."""
    pronoun: str
    """The subject of such a clause, with the space after it."""
    lists: re.Pattern[str]
    """The last part of an enumeration: what comes `before` its "and", if anything, and what comes `last`."""
    correction: re.Pattern[str]
    """A clause that puts `value` in the place of what was just said."""
    remark: re.Pattern[str]
    """What comes in such a place without being a value: "actually it's true"; in lower case."""
    patterns: tuple[ClausePattern, ...]
    endings: tuple[EndingPattern, ...]
    told: tuple[ThirdPersonPattern, ...]
    clean: Mapping[StatementKind, Cleaner]
    months: tuple[str, ...]
    """What the names of the twelve begin with, as expressions, in order."""
    keyed: Callable[[StatementKind, str], str]
    """Returns a thing, or an occupation, as keys have it, from its normalised form."""
    is_state: Callable[[str, str], bool]
    """Whether a value of a favourite thing says how that is, not what: "crashing" of a game."""

    def values_of(self, kind: StatementKind, found: re.Match[str]) -> tuple[str, ...]:
        """Return the values in what was found by a shape; none if the `thing` or `place` beside it tells of no such."""
        values = self.clean[kind](found["value"].strip())
        beside = found.groupdict()
        if (place := beside.get("place")) and not ends_in_known_place(place):
            return ()
        thing = beside.get("thing") or ""
        is_remark = kind is StatementKind.FAVORITE and any(self.is_state(thing, value) for value in values)
        return () if is_remark else values

    @classmethod
    def of(
        cls,
        shapes: Mapping[str, re.Pattern[str]],
        parts: Mapping[str, str],
        *,
        pronoun: str,
        patterns: str,
        endings: str,
        told: str,
        clean: Mapping[StatementKind, Cleaner],
        months: tuple[str, ...],
        keyed: Callable[[StatementKind, str], str],
        is_state: Callable[[str, str], bool],
    ) -> "ExtractionLanguage":
        """Return a language from its tables.

        `patterns` has a row `kind: shape -> statement` for each clause, `endings` has such rows of several kinds each,
        `told` a row `kind: shape` for each sentence.
        Of a kind that `clean` does not name, the shape alone judges the value.
        """
        said = ((kind, *text.rpartition("->")[::2]) for kind, text in rows(patterns))
        ended = ((kinds, *text.rpartition("->")[::2]) for kinds, text in rows(endings))
        return cls(
            pronoun=pronoun,
            patterns=tuple(
                ClausePattern(
                    StatementKind(kind),
                    lazy_pattern(filled(clause.strip(), parts), re.IGNORECASE),
                    statement.strip(),
                )
                for kind, clause, statement in said
            ),
            endings=tuple(
                EndingPattern(
                    tuple(kinds.split()),
                    lazy_pattern(filled(clause.strip(), parts), re.IGNORECASE),
                    statement.strip(),
                )
                for kinds, clause, statement in ended
            ),
            told=tuple(
                ThirdPersonPattern(StatementKind(kind), lazy_pattern(filled(text, parts), re.IGNORECASE))
                for kind, text in rows(told)
            ),
            clean=dict.fromkeys(StatementKind, as_shaped) | dict(clean),
            months=months,
            keyed=keyed,
            is_state=is_state,
            **{each.name: shapes[each.name] for each in fields(cls) if each.name in shapes},
        )


_IN_LOWER_CASE: Final = frozenset(("letters", "hint", "ends_hint", "play", "takes_back", "doubt"))
"""Shapes that are found in texts in lower case, several times as fast as if case had to be ignored."""


def shapes(table: str, parts: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    """Return the expressions of a table with a row `name: shape` each; `parts` are what stands in braces."""
    return {
        name: lazy_pattern(filled(text, parts), re.NOFLAG if name in _IN_LOWER_CASE else re.IGNORECASE)
        for name, text in rows(table)
    }


OPAQUE: Final = "\x01"
"""Stands for code, addresses and what is struck out; nothing is said by a clause that holds it."""

TITLE: Final = "\x02"
"""Stands, with one more character that numbers it, for a quotation, which may be a title."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b\u2060\ufeff\ue000-\uf8ff]")
_FIRST_TITLE: Final = 0xE000
_MOST_TITLES: Final = 1000

_APOSTROPHES: Final = str.maketrans(
    {"’": "'", "ʼ": "'", "\xa0": " ", "\u202f": " ", "\u2028": "\n", "\u2029": "\n"}
)
_CODE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED_TO_THE_END: Final = re.compile(r"(?:^|\n)\s*>>>.*\Z", re.DOTALL)
_QUOTED_LINE: Final = re.compile(r"(?:^|(?<=\n))[ \t]*(?:>|&gt;)[^\n]*")
_STRUCK: Final = re.compile(r"~~.+?~~|\|\|.+?\|\|", re.DOTALL)
_BOLD: Final = re.compile(r"\*\*(?!\s)([^*\n]+?)(?<!\s)\*\*|__(?!\s)([^_\n]+?)(?<!\s)__")
_BULLET: Final = re.compile(r"(?:^|(?<=\n))[ \t]*(?:[-*•+]|#{1,3}|\d{1,2}[.)])[ \t]+")
_EMOJI: Final = re.compile(
    r"""(?:<a?:\w+:\d+> | [\u2190-\u2bff\u3030\ufe0f\u200d\U0001f000-\U0001faff]
    | (?<![\w(])(?:[:=;]['’]?-?[)D(\]/|oO3*]+|<3+|\(:|\^_?\^|:3|\^\^)(?!\w))+""",
    re.VERBOSE,
)
_STRAY_QUOTATION: Final = re.compile('["“”«»„]')
_MARKED: Final = re.compile(r"[\"<“«„‘@`]|(?<!\w)'|://|www\.")
"""Found in every text that holds something protected."""

_GAP: Final = re.compile(r"[^\S\n]+")

_PLAYFUL: Final = re.compile(
    r"""[🙃😜😝😛🤪😏😉🤡💀🤥😹😂🤣🙄😈🎵🎶♪♫♬] | (?<!\w)(?:;-?[)pPD]|[:=x]-?[pP](?!\w)|:\^\))
    | [xX][dD]+(?!\w) | ¯\\ | (?<!~)~(?!~)
    | (?<![\w*])\*(?![*\s])[^*\n]+(?<!\s)\*(?![\w*])        # *laughs*
    | (?<![\w_/])_(?![_\s])[^_\n]+(?<!\s)_(?![\w_])
    | (?<!\w)(?:/s|/j|/jk|/sarcasm|/hj|/lh|/me|<s>|</s>|</?sarcasm>|</?irony>|s/.)(?!\w)
    | ^\s*(?:[!/$%+=.-]\w|\(\(|\[[^\]\n]*\]) | ::\w+::
    | <a?:\w*(?:joy|upside|clown|troll|kappa|kek|lul|lmao|rofl|tongue|wink|smirk|sarcas|joke|jk|clueless)\w*:\d+>
    | \S"""
    rf"{''.join(f'(?<!{word})' for word in sorted(every_word('either_of_two')))}\ /\ \S",
    re.VERBOSE | re.IGNORECASE,
)
"""What is play in any language: winks and grins, *actions*, notes, songs written in one line, other bots' commands."""


def is_playful(text: str) -> bool:
    """Return whether `text` bears a mark of play that belongs to no language."""
    return _PLAYFUL.search(text) is not None


def plain_words(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the words of a message that are its author's own, and the quotations that were in it.

    Apostrophes are straight, gaps are single spaces, letters are composed; emoji become commas. What cannot be
    told from a quotation leaves nothing of the message.
    """
    text = unicodedata.normalize("NFC", text.translate(_APOSTROPHES)).replace("\r\n", "\n")
    text = _QUOTED_TO_THE_END.sub("\n", _CODE.sub(OPAQUE, _CONTROL.sub(" ", text)))
    text = _BULLET.sub("", _QUOTED_LINE.sub("\n", text))
    if "**" in text or "__" in text or "~~" in text or "||" in text:
        text = _BOLD.sub(lambda bold: bold[1] or bold[2], _STRUCK.sub(OPAQUE, text))
    titles: list[str] = []

    def hidden(span: re.Match[str]) -> str:
        if span[0].startswith(("<@", "<#")):
            return span[0]
        if span[0].startswith(("<a:", "<:")):
            return ", "
        if span[0][0] in "\"'“«„‘" and len(titles) < _MOST_TITLES:
            titles.append(span[0][1:-1].strip())
            return TITLE + chr(_FIRST_TITLE + len(titles) - 1)
        return OPAQUE

    if _MARKED.search(text):
        text = PROTECTED.sub(hidden, text)
    if _STRAY_QUOTATION.search(text):
        return "", ()
    return _GAP.sub(" ", _EMOJI.sub(", ", text)), tuple(titles)


def with_titles(text: str, titles: tuple[str, ...]) -> str:
    """Return `text` with the quotations that `plain_words` took out of it."""
    for number, title in enumerate(titles):
        text = text.replace(TITLE + chr(_FIRST_TITLE + number), f'"{title}"')
    return text


MAX_CHARACTERS: Final = 60
"""Of a value; what is longer is a story, not a thing."""

_JOINERS: Final = every_word("inside_a_name")
_BESIDE_A_PLACE: Final = every_word("beside_a_place")
_IN_A_WORD: Final = frozenset("'-.&+#/")
_TITLE: Final = re.compile(rf"{TITLE}.|\"[^\"]+\"")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueWords:
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


def without_tails(said: str, words: ValueWords) -> str:
    """Return `said` without what is added at its end: "pizza too", "pizza because it's good"."""
    while (tail := words.tails.search(said)) is not None:
        said = said[: tail.start()].rstrip(" ,.;:!-–—…")
    return said.strip()


def name_values(words: ValueWords) -> Cleaner:
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


def _name_parts(parts: list[str], *, capital: bool, words: ValueWords) -> list[str]:
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


def place_values(words: ValueWords) -> Cleaner:
    """Return what takes the name of a place, and writes it as names are; one in small letters must surely be one."""

    def clean(said: str) -> tuple[str, ...]:
        said = without_tails(said, words)
        parts = said.replace(",", " ").split()
        if not parts or len(said) > MAX_CHARACTERS or len(parts) > 6:
            return ()
        bare = [part for part in parts if part.lower() not in _BESIDE_A_PLACE]
        if not bare or not all(map(_is_name_part, parts)):
            return ()
        never = words.never_a_place | words.never
        named = [*(part.lower() for part in bare), "_".join(parts).lower()]
        if not is_known_place(" ".join(parts)) and not never.isdisjoint(named):
            return ()
        written_small = [part for part in bare if part[0].islower() and part not in _JOINERS]
        if not written_small:
            return (said,)
        if said != said.lower() or not _is_small_name(parts, bare):
            return ()
        return (place_name(said),)

    return clean


_MOST_SMALL: Final = 2
"""Words of a place written small in a language of which nothing more is known here."""


def _is_small_name(parts: Sequence[str], bare: Sequence[str]) -> bool:
    """Tell whether words in small letters name a place: "the couch" does not, "the netherlands" does."""
    name = " ".join(bare)
    if not re.search("[a-z]", name):
        return len(parts) <= _MOST_SMALL
    if parts[0] == "the":
        return is_known_place(name) or is_known_place(" ".join(parts))
    return may_be_place(name) or is_known_place(" ".join(parts))


def thing_values(
    words: ValueWords,
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


def event_values(*, when: re.Pattern[str], never: frozenset[str]) -> Cleaner:
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
    if re.fullmatch(r"(?:19|20)\d\d-\d\d-\d\d", said):
        return said
    number = next((at for at, month in enumerate(months, start=1) if re.search(rf"\b(?:{month})", said)), 0)
    if day is None or not number:
        return said
    return f"{year[0] + '-' if year else ''}{number:02}-{int(day[0]):02}"


def day_values(months: tuple[str, ...]) -> Cleaner:
    """Return what takes a day that its month has: "my birthday is feb 30" is said in jest."""

    def clean(said: str) -> tuple[str, ...]:
        of_year = re.search(r"(\d\d)-(\d\d)$", day_of_year(normalised(said), months))
        return (said,) if of_year is None or _has_day(int(of_year[1]), int(of_year[2])) else ()

    return clean


def _has_day(month: int, day: int) -> bool:
    return 1 <= month <= _MONTHS and 1 <= day <= monthrange(_LEAP_YEAR, month)[1]


_MONTHS: Final = 12
_LEAP_YEAR: Final = 2000
"""Somebody may have been born on the 29th of February."""


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

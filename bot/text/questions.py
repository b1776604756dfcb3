"""Questions for what is known, in every language: their forms, and what question and fact have in common.

The tables of a language are in `bot/text/<code>/questions.py`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Final, Self

from bot.text.calendar import MONTH
from bot.text.commands import AskFact, AskMemory, QuestionForm, Search
from bot.text.grammar.rules import SpokenText, plain
from bot.text.languages import either, filled, in_each_language, rows, with_gaps
from bot.text.tokens import content_stems

_LONGEST: Final = 200
"""Characters of a question; what is longer tells a story."""

_LEAST_TOLD: Final = 2
"""More words than these ask for a fact behind "tell me": "what happened" does not."""

_FORMS: Final = {
    "when": (QuestionForm.WHEN, ""),
    "what_when": (QuestionForm.WHEN, ""),
    "where": (QuestionForm.WHERE, ""),
    "origin": (QuestionForm.WHERE, "origin"),
    "who": (QuestionForm.WHO, ""),
    "whose": (QuestionForm.WHO, ""),
    "how_old": (QuestionForm.HOW_OLD, "age"),
    "how_many": (QuestionForm.HOW_MANY, ""),
    "work": (QuestionForm.WHAT, "work"),
    "naming": (QuestionForm.WHAT, "name"),
    "what": (QuestionForm.WHAT, ""),
    "whether": (QuestionForm.WHETHER, ""),
}
"""What the names of the rows mean: by which word it asks, and for what."""

_GAP: Final = {"gap": " "}
"""A blank at the end of a line of a table."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One form of a question."""

    name: str
    pattern: re.Pattern[str]
    needs_mark: bool
    """Without a question mark it may be a statement: "bot is broken"."""


@dataclass(frozen=True, slots=True)
class _Tongue:
    """The questions of one language."""

    letters: frozenset[str]
    spelt: tuple[tuple[re.Pattern[str], str], ...]
    filler: re.Pattern[str]
    lead: re.Pattern[str]
    wants_told: re.Pattern[str]
    """Begins a lead that needs no question mark: "tell me where I live"."""
    asks: tuple[_Row, ...]
    embedded: tuple[_Row, ...]
    bare: tuple[_Row, ...]
    remembered: re.Pattern[str]
    said: re.Pattern[str]
    no_question: re.Pattern[str]
    oneself: str

    @classmethod
    def of(cls, tables: ModuleType, words: ModuleType) -> Self:
        """Return the questions that the tables of a language describe."""
        parts = dict(rows(tables.PARTS))
        named = dict(rows(tables.LEADS)) | dict(rows(tables.WHOLE))

        def made(table: str) -> tuple[_Row, ...]:
            return tuple(
                _Row(name.rstrip("*"), _pattern(filled(said, parts)), not name.endswith("*"))
                for name, said in rows(table)
            )

        return cls(
            letters=words.LETTERS,
            spelt=tuple(
                (re.compile(rf"(?<![\w'<@])(?:{said})(?![\w'])", re.IGNORECASE), meant)
                for meant, said in rows(tables.SPELT)
            ),
            filler=_pattern(named["filler"]),
            lead=_pattern(filled(named["lead"], _GAP)),
            wants_told=_pattern(named["wants_told"]),
            asks=made(tables.ASKS),
            embedded=made(tables.EMBEDDED),
            bare=made(tables.BARE),
            remembered=_pattern(filled(named["remembered"], _GAP)),
            said=_pattern(named["said"]),
            no_question=_pattern(named["no_question"]),
            oneself=tables.ASKER.split()[0],
        )


def _pattern(said: str) -> re.Pattern[str]:
    return re.compile(with_gaps(said), re.IGNORECASE | re.DOTALL)


@cache
def _tongues() -> tuple[_Tongue, ...]:
    both = zip(in_each_language("questions"), in_each_language("words"), strict=True)
    return tuple(_Tongue.of(tables, words) for tables, words in both)


def question_of(text: str) -> AskFact | AskMemory | Search | None:
    """Return what `text` asks for of what is kept, or `None` if it asks for nothing of the kind.

    `text` is what remains of a message after the bot's name. Nothing is raised, whatever the text.
    """
    if len(text) > _LONGEST:
        return None
    spoken = SpokenText.of(text)
    for tongue in _tongues():
        said = spoken.plain
        if tongue.letters.isdisjoint(said.lower()):
            continue
        for pattern, meant in tongue.spelt:
            said = pattern.sub(meant, said)
        said = _without(tongue.filler, said)
        if (found := tongue.remembered.fullmatch(said)) and (spoken.asks or not found.groupdict().get("w")):
            return AskMemory(next(filter(None, found.groups()), tongue.oneself))
        if found := tongue.said.fullmatch(said):
            who = "" if means_asker(found["x"].lower()) else f"{found['x']} "
            return Search(f"{who}{found['y']}")
        if asked := _asked(tongue, said, marked=spoken.asks):
            return asked
    return None


def _asked(tongue: _Tongue, said: str, *, marked: bool) -> AskFact | None:
    bare = _without(tongue.lead, said).strip()
    tried: Iterable[_Row] = tongue.asks if bare == said else (*tongue.asks, *tongue.embedded)
    # "Remember when we met" asks nothing without its mark.
    marked_so = marked or len(said) - len(bare) > len("remember ")
    wants_told = tongue.wants_told.match(said) is not None and len(bare.split()) > _LEAST_TOLD
    for row in (*tried, *(tongue.bare if marked else ())):
        may_ask = marked_so or not row.needs_mark or (wants_told and row.name != "whether")
        found = row.pattern.fullmatch(bare) if may_ask else None
        if found is None:
            continue
        words = " ".join(" ".join(filter(None, (found.groupdict().get(name) for name in ("x", "y")))).split())
        if not words or tongue.no_question.fullmatch(words):
            return None
        form, topic = _FORMS[row.name]
        return AskFact(form, words, topic)
    return None


def _without(start: re.Pattern[str], said: str) -> str:
    found = start.match(said)
    return said[found.end() :] if found else said


@cache
def _merged(table: str) -> frozenset[str]:
    """Return the words that any language has in a table."""
    return frozenset(
        word for tables in in_each_language("questions") for word in getattr(tables, table).split()
    )


def means_asker(word: str) -> bool:
    """Tell whether a word of a question means whoever asks."""
    return word in _merged("ASKER")


def stands_before_name(word: str) -> bool:
    """Tell whether somebody's name may follow a word in any case: "of Anna", «у Пети»."""
    return word.lower() in _merged("BEFORE_NAMES")


def asks_who_of_somebody(words: Sequence[str], *, is_name: Callable[[str], bool]) -> bool:
    """Tell whether "who ...?" names somebody first, as in "who is Max married to?", "who is max's wife?"."""
    if len(words) < 3 or words[0].lower() not in _merged("WHO_IS"):
        return False
    return words[1][:1].isupper() or words[1].endswith("'s") or is_name(words[1])


@cache
def _concepts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the patterns of words that mean the same, in every language together."""
    said: dict[str, list[str]] = {}
    for tables in in_each_language("questions"):
        for name, pattern in rows(tables.CONCEPTS):
            said.setdefault(name, []).append(pattern)
    return tuple(
        (
            name,
            re.compile(with_gaps(rf"(?<![\w<@-])(?:{'|'.join(patterns)})(?![\w-])"), re.IGNORECASE),
        )
        for name, patterns in said.items()
    )


def even(text: str) -> str:
    """Return `text` as the patterns of this module read it."""
    return plain(text)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a text speaks of, as far as a question and a fact can be compared."""

    concepts: frozenset[str]
    """What several words mean alike: `home` is "lives", "address", «живёт»."""
    stems: frozenset[str]
    """The other words."""


def meaning_of_question(words: str) -> Meaning:
    """Return what must be said by what answers a question of these words."""
    left = even(words)
    concepts: set[str] = set()
    for name, pattern in _concepts():
        cut, times = pattern.subn(" ", left)
        if times:
            concepts.add(name)
            left = cut
    telling = " ".join(
        word for word in re.split(r"[^\w<>@'+#-]+", left.lower()) if word not in _merged("NOISE")
    )
    return Meaning(frozenset(concepts), content_stems(telling))


def concepts_in(content: str) -> dict[str, int]:
    """Return what a stored text speaks of, each with the place of the word that says so."""
    left = even(content)
    found: dict[str, int] = {}
    for name, pattern in _concepts():
        if match := pattern.search(left):
            found[name] = match.start()
        if name == "dislike":
            # What is not liked is not liked as well.
            left = pattern.sub(lambda one: " " * len(one[0]), left)
    return found


_WORD: Final = re.compile(r"[\w-]+")


def relations_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield the stems of the words for those whose things are not those of whoever has them, and their places."""
    for word in _WORD.finditer(even(text).lower()):
        if word[0] in _merged("RELATIONS"):
            yield word.start(), "".join(content_stems(word[0]))


@cache
def _any_of(name: str) -> re.Pattern[str]:
    said = "|".join(getattr(tables, name) for tables in in_each_language("questions"))
    return re.compile(f"(?:{said})".replace("{month}", MONTH), re.IGNORECASE)


@cache
def _calendar() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){either('calendar_word')}(?!\w)", re.IGNORECASE)


_NUMBERED: Final = re.compile(r"<@!?\d+>")


def tells_time(content: str) -> bool:
    """Tell whether `content` says when something is."""
    said = _NUMBERED.sub("", even(content))
    return _any_of("TIMES").search(said) is not None or _calendar().search(said) is not None


def tells_place(content: str) -> bool:
    """Tell whether `content` says where something is: "on 12 December" and "at 9" do not."""
    said = even(content)
    return any(not _day_or_hour().match(said, place.end()) for place in _any_of("PLACES").finditer(said))


@cache
def _day_or_hour() -> re.Pattern[str]:
    number = r"\d[\d:.]*\w{0,2}"
    return re.compile(rf"\W*(?:(?:{number}\W+)?{either('calendar_word')}(?!\w)|{number}\W*$)", re.IGNORECASE)


def tells_number(content: str) -> bool:
    """Tell whether `content` holds a number."""
    return any(map(str.isdigit, _NUMBERED.sub("", content)))


def asks_for_next_birthday(words: str) -> bool:
    """Tell whether the words of "whose ...?" ask whose birthday comes next."""
    return _any_of("NEXT").search(even(words)) is not None


def asks_for_name_alone(asked: AskFact, words: str) -> bool:
    """Tell whether nothing but somebody's name is asked for; `words` are those beside whose it is."""
    wanted = meaning_of_question(words)
    return not wanted.stems and "name" in {*wanted.concepts, asked.topic} and len(wanted.concepts) <= 1


def words_of(text: str) -> Sequence[str]:
    """Return the words of a question as names are looked for among them."""
    return re.sub(r"[,;:?!()\"]+", " ", text).split()

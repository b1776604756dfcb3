"""What is searched for: the words, the members, the identifiers and the time of a question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.memory.recall.calendar import Span
from bot.memory.recall.chatter import CHATTER, FRAME, is_about_talk
from bot.memory.recall.identifiers import identifiers_in
from bot.memory.recall.times import Expression, time_in
from bot.memory.tokens import words

_MENTION: Final = re.compile(r"<@!?(\d{1,19})>")
_CODE: Final = re.compile(r"<(?:[@#][!&]?|a?:\w+:|t:)-?\d+(?::\w)?>")
_WORD: Final = re.compile(r"\w+(?:['’]\w+)?")
_OF_ONESELF: Final = re.compile(
    r"\b(?:did i|have i|had i|i (?:said|told|wrote|mentioned)|я)\b", re.IGNORECASE
)
_POSSESSIVE: Final = re.compile(r"['’]s?\Z")
_LONGEST: Final = 1_000
"""Characters of a question that are read."""
_MOST_WORDS: Final = 40
"""Words of a question that are searched for."""
_MONTHS: Final = {
    month: number
    for number, stem in enumerate(
        ("january jan января январе", "february feb февраля феврале", "march mar марта марте",
         "april apr апреля апреле", "may мая мае", "june jun июня июне", "july jul июля июле",
         "august aug августа августе", "september sep sept сентября сентябре", "october oct октября октябре",
         "november nov ноября ноябре", "december dec декабря декабре"), 1)
    for month in words(stem)
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class DateWord:
    """A word of the question that names a part of a date; it counts as said on every day that has it."""

    word: str
    month: int | None = None
    day: int | None = None
    year: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question, taken apart. Made by `query_of`."""

    text: str
    """The words to look for, as asked, without identifiers, mentions, small talk and what narrows the time."""
    words: tuple[str, ...]
    """The same words, bare."""
    time_zone: str
    identifiers: tuple[str, ...] = ()
    named_ids: tuple[int, ...] = ()
    """The members whom the question names by their ids."""
    span: Span | None = None
    """The time that the question speaks of."""
    narrows: bool = False
    """Whether only what was said in `span` is looked for; else what was said then is preferred."""
    dates: tuple[DateWord, ...] = ()
    channel_id: int | None = None
    """The one channel to search; `None` for all."""
    before_message_id: int | None = None
    """Only messages before this one are found."""
    exclude_ids: frozenset[int] = frozenset()
    """Messages not to be found, such as those that a reply has before it anyway."""


def query_of(
    text: str,
    *,
    now: datetime,
    time_zone: str,
    asker_id: int | None = None,
    named_ids: Sequence[int] = (),
    channel_id: int | None = None,
    before_message_id: int | None = None,
    exclude_ids: Sequence[int] = (),
) -> Query:
    """Return what the question `text` asks for, at the aware moment `now` in a guild of this time zone.

    `named_ids` are members whom the caller knows it to name; those mentioned as `<@id>` are added, and so is
    `asker_id` in "what did I say about ...". Members called by a name are found when it is searched. A time such as
    "last week" narrows the search where the question is about what was said, or is nothing but words to search by
    (`is_about_talk`). Elsewhere what was said at that time is preferred. Raises nothing but `ZoneInfoNotFoundError`.
    """
    asked = text[:_LONGEST].replace("\0", " ")
    mentioned = [int(found) for found in _MENTION.findall(asked) if int(found) < 2**63]
    plain = _CODE.sub(" ", asked)
    identifiers = identifiers_in(plain)
    for identifier in identifiers:
        plain = plain.replace(identifier, " ")
    is_talk = is_about_talk(plain)
    expression = time_in(plain, now=now, time_zone=time_zone)
    narrows = is_talk and expression is not None
    oneself = [asker_id] if asker_id is not None and is_talk and _OF_ONESELF.search(plain) else []
    matter = _without(plain, expression) if expression is not None and narrows else plain
    kept = _matter(matter, frame=is_talk)
    dates = () if narrows else _dates(kept)
    return Query(
        text=" ".join(kept),
        words=tuple(bare(word) for word in kept),
        time_zone=time_zone,
        identifiers=identifiers,
        named_ids=tuple(dict.fromkeys([*named_ids, *mentioned, *oneself])),
        span=expression.span if expression is not None else None,
        narrows=narrows,
        dates=dates,
        channel_id=channel_id,
        before_message_id=before_message_id,
        exclude_ids=frozenset(exclude_ids),
    )


def bare(word: str) -> str:
    """Return a word in lower case without the ending of a possessive."""
    return _POSSESSIVE.sub("", word.casefold())


def words_of(text: str) -> list[str]:
    """Return the words of a text, bare."""
    return [bare(found) for found in _WORD.findall(text)]


def _without(text: str, expression: Expression) -> str:
    return f"{text[: expression.start]} {text[expression.end :]}"


def _matter(text: str, *, frame: bool) -> list[str]:
    """Return the words of the question that say what it is about, each once."""
    idle = CHATTER | FRAME if frame else CHATTER
    found = {bare(word): word for word in reversed(_WORD.findall(text)) if bare(word) not in idle}
    return list(reversed(found.values()))[:_MOST_WORDS]


def _dates(kept: Sequence[str]) -> tuple[DateWord, ...]:
    """Return the words that name a month, a day or a year; a number alone is no day."""
    months = [DateWord(word=bare(word), month=_MONTHS[bare(word)]) for word in kept if bare(word) in _MONTHS]
    numbers = [word for word in kept if word.isascii() and word.isdigit()]
    years = [
        DateWord(word=word, year=int(word)) for word in numbers if len(word) == 4 and word[:2] in {"19", "20"}
    ]
    days = [DateWord(word=word, day=int(word)) for word in numbers if len(word) < 3 and 1 <= int(word) <= 31]
    return (*months, *years, *(days if months else ()))

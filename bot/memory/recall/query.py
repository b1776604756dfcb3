"""Parses a question: its words without small talk, members, identifiers and time span."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Self

from bot.text.calendar import LEXICONS, Span
from bot.text.grammar.words import is_function_word
from bot.text.languages import either, every_word
from bot.text.spans import TimeExpression, time_in

_IDENTIFIER: Final = re.compile(
    r"""(?:https?|ftp)://[^\s<>]+
    | (?<![\w.+-])[\w.+-]+@\w[\w-]*(?:\.[\w-]+)+           # an address of mail
    | (?<!\w)[~.]{0,2}/[\w.-]+(?:/[\w.-]+)*                # a path
    | (?<![\w@\#.-])\#\d+(?!\w)                            # a ticket
    | (?<![\w.-])[^\W\d_]+(?:\+\+|\#)(?!\w)                # C++, C#
    | (?<![\w@\#.+/:-])\w+(?:[.\-‑/:+\#_]+\w+)*(?!\w)""",
    re.VERBOSE,
)
_DATE_OR_NUMBER: Final = re.compile(
    rf"[\d.,:/-]+|\d+{either('counted')}?|\d{{4}}-\d\d-\d\dT.*", re.IGNORECASE
)
_TRAILING: Final = ".,;:!?)\"'»”/"
_MOST_IDENTIFIERS: Final = 5
"""Identifiers of one question that are looked for."""
_LONGEST_IDENTIFIER: Final = 200

_NOT_AFTER: Final = r"(?<![[:alnum:]_#@])(?<![[:alnum:]][-./+:])"
_NOT_BEFORE: Final = r"(?![[:alnum:]_@])(?![-./+:#]+[[:alnum:]])"


def identifiers_in(text: str) -> tuple[str, ...]:
    """Return the identifiers of `text` as written, each once: `TKT-1000`, `alice@acme.io`, `v1.2.3`, `#42`, `C++`.

    A word with a digit is one, and so is an address, a path, and what has a sign that no word has. Plain numbers,
    dates and words joined by hyphens are none.
    """
    found: dict[str, str] = {}
    for match in _IDENTIFIER.finditer(text):
        token = match[0].rstrip(_TRAILING)
        if _is_identifier(token) and len(token) <= _LONGEST_IDENTIFIER:
            found.setdefault(token.casefold(), token)
    return tuple(found.values())[:_MOST_IDENTIFIERS]


def pattern_of(identifier: str) -> str:
    """Return the regular expression of Postgres by which a text holds this identifier, and not as part of another."""
    escaped = "".join(letter if letter.isalnum() or letter == "_" else f"\\{letter}" for letter in identifier)
    return f"{_NOT_AFTER}{escaped}{_NOT_BEFORE}"


def _is_identifier(token: str) -> bool:
    if len(token) < 2 or _DATE_OR_NUMBER.fullmatch(token):
        return False
    has_digit = any(letter.isdigit() for letter in token)
    has_letter = any(letter.isalpha() for letter in token)
    if has_digit and (has_letter or token[0] == "#"):
        return True
    return token[0] in "/~" or "://" in token or any(sign in token for sign in "@_+#")


CHATTER: Final = every_word("chatter")
"""What people say to one another without telling anything. Left out of a question, so that none of it is searched."""

LIGHT: Final = every_word("light")
"""Words that everybody says about anything: a question of these alone, or of these and a name, is about nothing that
could be told unasked. They are searched like others, and are no reason to be sure of what is found."""


def is_about_something(text: str) -> bool:
    """Tell whether a text has any word of matter: "how are you today?" is about nothing that is kept."""
    return any(word not in LIGHT and not is_function_word(word) for word in words_of(text))


FRAME: Final = every_word("frame")
"""The frame of a question about what was said; in another question some of these words are its matter."""

_TALK: Final = re.compile(rf"\b{either('talk')}\b", re.IGNORECASE)
_QUESTION: Final = re.compile(rf"\?\s*\Z|\A\W*{either('asks')}\b", re.IGNORECASE)


def is_about_talk(text: str, *, asks: bool = False) -> bool:
    """Return whether a question is about what was said: then a time in it is that of the messages.

    "What did we say about pizza last week?" is, and so are words to search by ("pizza last week"). "Where did Bob
    travel last week?" is about something that may have been told later. So is any text of which it is known that it
    `asks`.
    """
    return bool(_TALK.search(text)) or not (asks or _QUESTION.search(text))


_MENTION: Final = re.compile(r"<@!?(\d{1,19})>")
_CODE: Final = re.compile(r"<(?:[@#][!&]?|a?:\w+:|t:)-?\d+(?::\w)?>")
_WORD: Final = re.compile(r"\w+(?:['’]\w+)?")
_OF_ONESELF: Final = re.compile(rf"\b{either('asks_of_oneself')}\b", re.IGNORECASE)
_POSSESSIVE: Final = re.compile(r"['’]s?\Z")
_LONGEST_QUESTION: Final = 1_000
"""Characters of a question that are read."""
_MOST_WORDS: Final = 40
"""Words of a question that are searched for."""
_MONTHS: Final = {
    word: number
    for lexicon in LEXICONS
    for number, spelt in enumerate(lexicon.MONTH_WORDS, 1)
    for word in spelt.split()
}


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
    near_channel_id: int | None = None
    """The channel whose messages come before others, such as the one in which a question is asked."""
    before_message_id: int | None = None
    """Only messages before this one are found."""
    exclude_ids: frozenset[int] = frozenset()
    """Messages not to be found, such as those that a reply has before it anyway."""
    any_word: bool = False
    """Whether each word is enough by itself: they are other ways to say what is looked for."""

    def in_other_words(self, words: Sequence[str]) -> Self:
        """Return the question for what says any of `words`, of the same members and time, in the same channel."""
        kept = _matter(" ".join(words)[:_LONGEST_QUESTION].replace("\0", " "), frame=False)
        return replace(
            self,
            text=" ".join(kept),
            words=tuple(bare(word) for word in kept),
            identifiers=(),
            dates=(),
            any_word=True,
        )


def query_of(
    text: str,
    *,
    now: datetime,
    time_zone: str,
    asker_id: int | None = None,
    named_ids: Sequence[int] = (),
    channel_id: int | None = None,
    near_channel_id: int | None = None,
    before_message_id: int | None = None,
    exclude_ids: Sequence[int] = (),
    asks: bool = False,
) -> Query:
    """Return what the question `text` asks for, at the aware moment `now` in a guild of this time zone.

    `asks` says that it is a question though it may have no mark; else such a text is taken for words to search by.
    `named_ids` are members whom the caller knows it to name; those mentioned as `<@id>` are added, and so is
    `asker_id` in "what did I say about ...". Members called by a name are found when it is searched. A time such as
    "last week" narrows the search where the question is about what was said, or is nothing but words to search by
    (`is_about_talk`). Elsewhere what was said at that time is preferred. Raises nothing but `ZoneInfoNotFoundError`.
    """
    asked = text[:_LONGEST_QUESTION].replace("\0", " ")
    mentioned = [int(found) for found in _MENTION.findall(asked) if int(found) < 2**63]
    plain = _CODE.sub(" ", asked)
    identifiers = identifiers_in(plain)
    for identifier in identifiers:
        plain = plain.replace(identifier, " ")
    is_talk = is_about_talk(plain, asks=asks)
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
        near_channel_id=near_channel_id,
        before_message_id=before_message_id,
        exclude_ids=frozenset(exclude_ids),
    )


def bare(word: str) -> str:
    """Return a word in lower case without the ending of a possessive."""
    return _POSSESSIVE.sub("", word.casefold())


def words_of(text: str) -> list[str]:
    """Return the words of a text, bare."""
    return [bare(found) for found in _WORD.findall(text)]


def _without(text: str, expression: TimeExpression) -> str:
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

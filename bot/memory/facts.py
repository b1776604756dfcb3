"""From what somebody said to a fact: its key, its value, and the row that holds it. Keys are decided here alone."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from bot.domain import (
    GUILD_SUBJECT,
    MAX_FACT_CHARACTERS,
    MAX_ID,
    Fact,
    FactCategory,
    FactOrigin,
    FactStatus,
)
from bot.errors import EmptyFactError, FactTooLongError, InvalidInputError
from bot.memory import dates, phrasing, tokens
from bot.store import facts
from bot.store.database import Connection
from bot.store.facts import NewFact

COMMANDED_IMPORTANCE: Final = 80
"""Somebody took the trouble to ask for it: above most of what is learned, below a name."""

NAME_IMPORTANCE: Final = 90

_LONGEST_STATEMENT: Final = 2 * MAX_FACT_CHARACTERS
"""Phrasing may shorten a statement a little; beyond this it is refused before any work is spent on it."""

_NOT_NAMES: Final = frozenset(
    """american australian austrian belgian brazilian british bulgarian canadian chinese croatian czech danish dutch
    egyptian english estonian finnish french georgian german greek hungarian indian iranian irish israeli italian
    japanese korean latvian lithuanian mexican norwegian polish portuguese romanian russian scottish serbian slovak
    spanish swedish swiss turkish ukrainian vietnamese welsh catholic christian muslim jewish buddhist hindu atheist
    vegan vegetarian monday tuesday wednesday thursday friday saturday sunday""".split()
)
"""Capitalised words that follow "is" without being anybody's name."""

_WORD: Final = r"[^\W\d_][\w'’-]*"
_SUBJECT: Final = r"<@!?\d+>"
_NAMED: Final = re.compile(
    rf"""^(?:{_SUBJECT}(?:'s|’s)?\ (?:(?:real|first|full|actual)\ )?name\ is
       |{_SUBJECT}\ is\ (?:called|named)
       |{_SUBJECT}\ зовут
       |имя\ {_SUBJECT}\ [—–-]
       |у\ {_SUBJECT}\ имя(?:\ [—–-])?
       )\ (?P<name>{_WORD}(?:\ {_WORD})?)$""",
    re.VERBOSE | re.IGNORECASE,
)
_ALSO: Final = re.compile(
    rf"""^{_SUBJECT}\ (?:(?:is\ )?(?:also\ |otherwise\ )?known\ as|goes\ by|wants\ to\ be\ called)
       \ (?P<name>{_WORD}(?:\ {_WORD})?)$""",
    re.VERBOSE | re.IGNORECASE,
)
_IS_SOMEBODY: Final = re.compile(rf"^{_SUBJECT} (?:is|(?:[—–-] )?это|[—–-]) (?P<name>{_WORD})$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that somebody asked to have remembered."""

    guild_id: int
    subject_id: int
    author_id: int
    audience: int
    statement: str
    """The words of the author with the subject's name as `<@id>`; first person is the author's."""
    cause: str
    channel_id: int
    message_id: int
    """The message that says it; for "remember this" that is not the command."""
    said_at: datetime
    time_zone: str
    speaker_id: int
    """Who wrote the statement, so whom "I" means; for "remember this" that is not the author."""
    origin: FactOrigin = FactOrigin.COMMAND


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What became of a note: the fact that now says it, and whether it was new."""

    fact_id: int | None
    """`None` if this very note was taken back or forgotten before it was heard again."""
    content: str
    is_new: bool


def new_fact(note: Note) -> NewFact:
    """Return the fact that `note` asks for: third person, absolute dates, its key.

    Raises `EmptyFactError`, `FactTooLongError`, or `InvalidInputError` for an impossible id.
    """
    if len(note.statement) > _LONGEST_STATEMENT:
        raise FactTooLongError(characters=len(note.statement), allowed=MAX_FACT_CHARACTERS)
    told = phrasing.third_person(note.statement, author_id=note.speaker_id)
    dated = dates.with_absolute_dates(told, said_at=note.said_at, time_zone=note.time_zone)
    content = dated.text.strip()
    if not tokens.normalised(content):
        raise EmptyFactError
    if len(content) > MAX_FACT_CHARACTERS:
        raise FactTooLongError(characters=len(content), allowed=MAX_FACT_CHARACTERS)
    if not GUILD_SUBJECT <= note.subject_id <= MAX_ID:
        raise InvalidInputError(f"{note.subject_id} is no member's id: ids lie between 1 and {MAX_ID}")
    key, value = key_and_value(content)
    return NewFact(
        guild_id=note.guild_id,
        subject_id=note.subject_id,
        audience=note.audience,
        category=FactCategory.EVENT if dated.holds_on else FactCategory.FACT,
        key=key,
        value=value,
        content=content,
        raw_content=note.statement,
        importance=NAME_IMPORTANCE if key == "name" else COMMANDED_IMPORTANCE,
        confidence=1.0,
        origin=note.origin,
        author_id=note.author_id,
        source_channel_id=note.channel_id,
        source_message_id=note.message_id,
        cause=note.cause,
        said_at=note.said_at,
        holds_on=dated.holds_on,
    )


def key_and_value(content: str) -> tuple[str, str]:
    """Return under which key a fact stands and what it says there.

    A pattern's key can hold one value at a time, so a new one replaces it. A free sentence gets the hash of
    its normalised words as key: it replaces nothing but itself.
    """
    if found := _NAMED.match(content):
        return "name", found["name"]
    if found := _ALSO.match(content):
        return f"alias:{tokens.normalised(found['name'])}", found["name"]
    found = _IS_SOMEBODY.match(content)
    if found and found["name"][0].isupper() and found["name"].lower() not in _NOT_NAMES:
        return f"alias:{tokens.normalised(found['name'])}", found["name"]
    digest = hashlib.sha256(tokens.normalised(content).encode()).hexdigest()
    return f"note:{digest[:16]}", content


def version_of(told: Sequence[Fact]) -> str:
    """Return the version of a set of facts: a hash of which rows they are."""
    rows = ",".join(str(fact_id) for fact_id in sorted(fact.fact_id for fact in told))
    return hashlib.sha256(rows.encode()).hexdigest()[:32]


async def store(connection: Connection, fact: NewFact, *, buried_key: str, now: datetime) -> Remembered:
    """Write `fact`, or find the row that says it already; another value under its key is superseded.

    Constraints decide between concurrent writers: whoever comes second finds the row of the first.
    """
    older: list[int] = [] if fact.supersedes is None else [fact.supersedes]
    while True:
        seen = await facts.of_cause(
            connection,
            guild_id=fact.guild_id,
            cause=fact.cause,
            keys=(fact.key, buried_key),
            subject_id=fact.subject_id,
            audience=fact.audience,
        )
        if seen is not None:
            forgotten = seen.status is FactStatus.FORGOTTEN
            # Of the same cause it is this very write, tried again: what it did counts as done by it.
            return Remembered(
                fact_id=None if forgotten else seen.fact_id,
                content=fact.content,
                is_new=seen.status is FactStatus.ACTIVE,
            )
        fact_id = await facts.add(connection, fact, now=now)
        if fact_id is not None:
            await facts.link(connection, guild_id=fact.guild_id, older_ids=older, newer_id=fact_id)
            return Remembered(fact_id=fact_id, content=fact.content, is_new=True)
        holder = await facts.holder_of_key(
            connection,
            guild_id=fact.guild_id,
            subject_id=fact.subject_id,
            audience=fact.audience,
            key=fact.key,
        )
        if holder is None:
            continue
        if tokens.normalised(holder.value) == tokens.normalised(fact.value):
            await facts.link(connection, guild_id=fact.guild_id, older_ids=older, newer_id=holder.fact_id)
            return Remembered(fact_id=holder.fact_id, content=holder.content, is_new=False)
        await facts.set_status(
            connection,
            guild_id=fact.guild_id,
            fact_id=holder.fact_id,
            was=FactStatus.ACTIVE,
            becomes=FactStatus.SUPERSEDED,
            now=now,
        )
        older.append(holder.fact_id)
        fact = replace(fact, supersedes=holder.fact_id)

"""Turns what somebody asked to have remembered into a fact: its key, its value and its row. Only this module decides
keys.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.domain import (
    GUILD_SUBJECT,
    MAX_FACT_CHARACTERS,
    MAX_ID,
    Fact,
    FactCategory,
    FactOrigin,
    FactStatus,
    mention_of,
)
from bot.core.errors import EmptyFactError, FactTooLongError, InvalidInputError, SecretFactError
from bot.db.pool import Connection
from bot.memory.facts import lifecycle, repository, repository_slots
from bot.memory.facts.about import bare_key, key_of_name, says_a_name, with_member
from bot.memory.facts.lifecycle import FREE_SENTENCE, FactRules, check_allowed
from bot.memory.facts.repository import NewFact
from bot.memory.facts.repository_slots import RowState
from bot.memory.facts.slots import (
    PlacedFact,
    put_into_slots,
    settle_loaded,
    settle_slots,
    slot_of,
)
from bot.text import dates, phrasing, tokens
from bot.text.attributes import NOT_NAMES, attribute_of
from bot.text.extraction import key_and_value_of
from bot.text.languages import either
from bot.text.secrets.masking import holds_secret

COMMANDED_IMPORTANCE: Final = 80
"""Somebody took the trouble to ask for it: above most of what is learned, below a name."""

NAME_IMPORTANCE: Final = 90

_LONGEST_STATEMENT: Final = 2 * MAX_FACT_CHARACTERS
"""Phrasing may shorten a statement a little; beyond this it is refused before any work is spent on it."""


_PREFERENCES: Final = ("favorite:", "likes:")

_WORD: Final = r"[^\W\d_][\w'’-]*"
_SUBJECT: Final = r"<@!?\d+>"
_NAMED: Final = re.compile(
    rf"^{either('has_the_name').replace('{subject}', _SUBJECT)}\ (?P<name>{_WORD}(?:\ {_WORD})?)$",
    re.IGNORECASE,
)
_ALSO: Final = re.compile(
    rf"""^{_SUBJECT}\ (?:(?:is\ )?(?:also\ |otherwise\ )?known\ as|goes\ by|wants\ to\ be\ called)
       \ (?P<name>{_WORD}(?:\ {_WORD})?)$""",
    re.VERBOSE | re.IGNORECASE,
)
_IS_SOMEBODY: Final = re.compile(rf"^{_SUBJECT} (?:{either('is_somebody')}|[—–-]) (?P<name>{_WORD})$")


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
    asked_at: datetime | None = None
    """When it was asked for; what was forgotten since is refused. `None`: now."""
    names: tuple[str, ...] = ()
    """Names in the statement that are nobody's; if it is about one of them, `subject_id` is the guild's, and it is
    the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What became of a note: the fact that now says it, and whether it was new."""

    fact_id: int | None
    """`None` if this very note was taken back or forgotten before it was heard again, or what it says since."""
    content: str
    is_new: bool
    outweighed_by: Fact | None = None
    """What holds instead, if what was noted does not hold: what the subject said themselves, or something newer."""
    replaced: Fact | None = None
    """What held until now and does no more, since this says something else."""


def new_fact(note: Note) -> NewFact:
    """Return the fact that `note` asks for: third person, absolute dates, its key.

    Where the third person is not surely right, or does not name whom it is about, its content is a quotation with
    its teller: `<@1>: “words as they were said”`.

    Raises `EmptyFactError`, `FactTooLongError`, `SecretFactError`, or `InvalidInputError` for an impossible id.
    """
    if len(note.statement) > _LONGEST_STATEMENT:
        raise FactTooLongError(characters=len(note.statement), allowed=MAX_FACT_CHARACTERS)
    if holds_secret(note.statement):
        raise SecretFactError
    told = phrasing.told(note.statement, author_id=note.speaker_id)
    is_quoted = not told.sure or (
        note.subject_id != GUILD_SUBJECT and mention_of(note.subject_id) not in told.text
    )
    dated, lasting = _dated(told.text, note)
    content = lasting.text
    if is_quoted:
        content = _quoted(note)
    if not tokens.normalised(lasting.bare):
        raise EmptyFactError
    if len(content) > MAX_FACT_CHARACTERS:
        raise FactTooLongError(characters=len(content), allowed=MAX_FACT_CHARACTERS)
    if not GUILD_SUBJECT <= note.subject_id <= MAX_ID:
        raise InvalidInputError(f"{note.subject_id} is no member's id: ids lie between 1 and {MAX_ID}")
    key, value = keyed_by_name(lasting.bare, note.names if note.subject_id == GUILD_SUBJECT else ())
    if is_quoted and (value == lasting.bare or says_a_name(bare_key(key))):
        key, value = key_of_words(lasting.bare), content
    # What ends with a day is not about that day.
    holds_on = None if dated.holds_on == lasting.last_day else dated.holds_on
    return NewFact(
        guild_id=note.guild_id,
        subject_id=note.subject_id,
        audience=note.audience,
        category=_category_of(bare_key(key), is_dated=holds_on is not None),
        key=key,
        value=value,
        content=content,
        raw_content=note.statement,
        importance=NAME_IMPORTANCE if bare_key(key) == "name" else COMMANDED_IMPORTANCE,
        confidence=1.0,
        origin=note.origin,
        author_id=note.author_id,
        source_channel_id=note.channel_id,
        source_message_id=note.message_id,
        cause=note.cause,
        said_at=note.said_at,
        holds_on=holds_on,
        expires_at=lasting.expires_at,
        names=note.names,
    )


def _quoted(note: Note) -> str:
    """Return the words of `note` as a quotation, with the one day that they are about behind it, or dates inside."""
    dated, lasting = _dated(note.statement, note)
    day = dated.holds_on
    if day is None or day.isoformat() in note.statement or lasting.text != dated.text.strip():
        return phrasing.quotation(lasting.text, teller_id=note.speaker_id)
    return f"{phrasing.quotation(note.statement, teller_id=note.speaker_id)} ({day.isoformat()})"


def _dated(text: str, note: Note) -> tuple[dates.Dated, dates.Lasting]:
    """Return `text` with absolute dates, and how long it holds, as of when it was said."""
    dated = dates.with_absolute_dates(text, said_at=note.said_at, time_zone=note.time_zone)
    return dated, dates.lasting(dated.text.strip(), said_at=note.said_at, time_zone=note.time_zone)


def _category_of(key: str, *, is_dated: bool) -> FactCategory:
    """Return the category of what somebody asked to have remembered: its key knows preferences."""
    if key.startswith(_PREFERENCES):
        return FactCategory.PREFERENCE
    return FactCategory.EVENT if is_dated else FactCategory.FACT


def said_again(fact: Fact, *, cause: str, channel_id: int, message_id: int, said_at: datetime) -> NewFact:
    """Return `fact` as its subject asks for it in a message, who was asked whether it holds."""
    return NewFact(
        guild_id=fact.guild_id,
        subject_id=fact.subject_id,
        audience=fact.audience,
        category=fact.category,
        key=fact.key,
        value=fact.value,
        content=fact.content,
        raw_content=fact.raw_content,
        importance=max(fact.importance, COMMANDED_IMPORTANCE),
        confidence=1.0,
        origin=FactOrigin.COMMAND,
        author_id=fact.subject_id,
        source_channel_id=channel_id,
        source_message_id=message_id,
        cause=cause,
        said_at=said_at,
        holds_on=fact.holds_on,
    )


def key_and_value(content: str) -> tuple[str, str]:
    """Return the key of a fact and its value.

    The key of a pattern can have one value at a time, so a new value replaces the old one. A free sentence gets the
    hash of its normalised words as key: it replaces nothing but itself.
    """
    if found := _NAMED.match(content):
        return "name", found["name"]
    if found := _ALSO.match(content):
        return f"alias:{tokens.normalised(found['name'])}", found["name"]
    found = _IS_SOMEBODY.match(content)
    if found and found["name"][0].isupper() and found["name"].lower() not in NOT_NAMES:
        return f"alias:{tokens.normalised(found['name'])}", found["name"]
    if known := key_and_value_of(" ".join(content.split())) or attribute_of(content):
        return known
    return key_of_words(content), content


def key_of_words(content: str) -> str:
    """Return the key of a sentence that says nothing which can be so in one way only: its own words."""
    return f"{FREE_SENTENCE}{hashlib.sha256(tokens.normalised(content).encode()).hexdigest()[:16]}"


def is_free_sentence(key: str) -> bool:
    """Tell whether a fact under this key replaces nothing but itself."""
    return key.startswith(FREE_SENTENCE)


_ANYBODY: Final = 1
"""Stands for whoever is called so while the key of a fact about a name is found."""


def keyed_by_name(content: str, names: Sequence[str]) -> tuple[str, str]:
    """Return key and value of a fact: among those of the name that comes first, if it is about one, else its own.

    So "dave lives in York" and "dave lives in Leeds" compete, and neither with what is known of others.
    """
    if not names:
        return key_and_value(content)
    key, value = key_and_value(with_member(content, names[0], _ANYBODY))
    return key_of_name(names[0], key), content if mention_of(_ANYBODY) in value else value


def version_of(told: Sequence[Fact]) -> str:
    """Return the version of a set of facts: a hash of which rows they are."""
    rows = ",".join(str(fact_id) for fact_id in sorted(fact.fact_id for fact in told))
    return hashlib.sha256(rows.encode()).hexdigest()[:32]


async def store_fact(
    connection: Connection,
    fact: NewFact,
    *,
    rules: FactRules,
    buried_key: str,
    now: datetime,
    instead_of: Fact | None = None,
) -> Remembered | None:
    """Write that `fact` was said, and let what now holds under its key hold; `None` if `instead_of` holds no more.

    The row that says it already is said once more; what was learned until now is remembered on request from then
    on. What it stands `instead_of` is superseded by it, under whatever key. Whoever writes the same line at the
    same time waits. Raises `AbsentSubjectError` and `CategorySwitchedOffError` for what those whom it concerns do not
    want kept.
    """
    check_allowed(rules, fact)
    guild_id = fact.guild_id
    competing = [slot_of(fact), *([slot_of(instead_of)] if instead_of is not None else [])]
    held = await repository_slots.hold_slots(connection, guild_id=guild_id, lines=competing)
    if instead_of is not None and not await _holds(connection, instead_of):
        return await _done_already(connection, fact, buried_key=buried_key)
    known = await repository_slots.load_slots(
        connection, guild_id=guild_id, lines=held, buried_keys=[buried_key]
    )
    (placed,), known = await put_into_slots(
        connection, [fact], buried_keys=[buried_key], known=known, now=now
    )
    if placed.fact_id is None:
        return Remembered(fact_id=None, content=fact.content, is_new=False)
    if placed.is_repeated:
        # Of the same cause it is this very write, tried again: what it did counts as done by it.
        is_new = placed.before is FactStatus.ACTIVE
        return Remembered(fact_id=placed.fact_id, content=fact.content, is_new=is_new)
    standings = await settle_loaded(connection, known, now=now)
    if instead_of is not None and placed.source_id is not None:
        await lifecycle.replace_fact(
            connection,
            guild_id=guild_id,
            fact_id=instead_of.fact_id,
            by_id=placed.source_id,
            held=held,
            now=now,
        )
        standings = await settle_slots(connection, guild_id=guild_id, lines=held, now=now)
    return await _remembered(connection, placed, standings, guild_id=guild_id)


async def _remembered(
    connection: Connection, placed: PlacedFact, standings: Mapping[int, RowState], *, guild_id: int
) -> Remembered:
    """Return what became of a fact that was placed, where its line stands so now."""
    fact_id = placed.fact_id
    if fact_id is None:
        raise ValueError("only what has a place stands anywhere")
    own = standings[fact_id]
    top = own
    passed = {fact_id}
    while (above := standings.get(top.superseded_by or 0)) is not None and above.fact_id not in passed:
        top = above
        passed.add(top.fact_id)
    holds = own.status is FactStatus.ACTIVE
    was_known = placed.before is FactStatus.ACTIVE and placed.was_explicit
    below = standings.get(own.supersedes or 0) if holds and placed.before is not FactStatus.ACTIVE else None
    other = below if holds else None if top is own else top
    told = await repository.facts_with_ids(
        connection, guild_id=guild_id, fact_ids=[other.fact_id] if other is not None else [], to_be_told=True
    )
    shown = told[0] if told else None
    return Remembered(
        fact_id=fact_id,
        content=own.shown.content,
        is_new=placed.before is None or (holds and not was_known),
        outweighed_by=None if holds else shown,
        replaced=shown if holds else None,
    )


async def _holds(connection: Connection, fact: Fact) -> bool:
    now = await repository.facts_with_ids(connection, guild_id=fact.guild_id, fact_ids=[fact.fact_id])
    return bool(now) and now[0].status is FactStatus.ACTIVE


async def _done_already(connection: Connection, fact: NewFact, *, buried_key: str) -> Remembered | None:
    """Return what this very write did when it was made before; `None` if it was not."""
    done = await repository.fact_of_cause(
        connection,
        guild_id=fact.guild_id,
        cause=fact.cause,
        keys=(fact.key, buried_key),
        subject_id=fact.subject_id,
        audience=fact.audience,
    )
    if done is None or not done.is_explicit:
        return None
    return Remembered(fact_id=done.fact_id, content=done.content, is_new=True)

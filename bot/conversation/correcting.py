"""Carrying out corrections of the last write: they replace, move or take back, and never add beside it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rapidfuzz import fuzz

from bot.conversation import names
from bot.conversation.commands import MoveSubject, ReplaceValue, TakeBack
from bot.conversation.remembering import note
from bot.conversation.router import Route
from bot.conversation.texts import Text, say
from bot.conversation.turn import Doors, Turn
from bot.domain import Fact, FactStatus, Language, mention_of
from bot.memory import phrasing
from bot.memory.answering import WrittenAnswer

_DAY_NAMES: Final = (
    r"(?:(?:on|во|в)\s+)?(?:(?:next|last|this|следующ\w+|прошл\w+|эт\w+)\s+)?"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:во?\s+)?(?:(?:следующ\w+|прошл\w+|эт\w+)\s+)?"
    r"(?:понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье)"
    r"|(?:the\s+)?(?:day\s+after\s+)?tomorrow|today|tonight|yesterday|сегодня|завтра|послезавтра|вчера"
)
_MONTHS: Final = (
    r"(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber"
    r"|январ[яь]|феврал[яь]|марта?|апрел[яь]|ма[яй]|июн[яь]|июл[яь]|августа?|(?:сентя|октя|ноя|дека)бр[яь]"
)
_KINDS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:on\s+)?(?:\d{{4}}-\d\d-\d\d|(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS})"
        rf"|(?:{_MONTHS})\s+\d{{1,2}}(?:st|nd|rd|th)?|{_DAY_NAMES})\b",
        r"\b(?:(?:at|в)\s+)?(?:\d{1,2}:\d\d(?:\s?[ap]m)?|\d{1,2}\s?[ap]m)\b",
        r"(?<![\w.@-])\d+(?:[.,]\d+)*(?![\w@-])",
    )
)
"""Kinds of values that stand for one another: days, clock times, numbers."""

_LINK: Final = re.compile(r"\s(?:is|are|was|were|=|это|—|–)\s", re.IGNORECASE)
_WORD: Final = re.compile(r"[\w'’.@+-]+")

_SPELLING: Final = 70
"""From this similarity on (0 to 100) a value is taken for another spelling of a word."""

_SENTENCE_WORDS: Final = 4
"""A value of so many words that shares one with the fact is the whole sentence, said anew."""


async def replace_value(turn: Turn, command: ReplaceValue, doors: Doors) -> WrittenAnswer:
    """Let the last write say another value."""
    wrong = await _last_written(turn, doors)
    if not wrong:
        return _nothing(turn)
    if (moved := _moved(turn, command, wrong[-1])) is not None:
        return await _move(turn, wrong[-1], *moved, doors=doors)
    value = phrasing.third_person(command.value, author_id=turn.message.user_id)
    for fact in wrong:
        # The words may be somebody else's, whose "I" would become whoever corrects them.
        said = phrasing.third_person(fact.raw_content, author_id=fact.author_id)
        statement = with_value(said, value, instead_of=command.instead_of)
        if statement is not None:
            return await _put_right(
                turn, fact, subject_id=fact.subject_id, statement=statement, value=value, doors=doors
            )
    text = turn.say(Text.CANNOT_PLACE, value=command.value, content=wrong[-1].content)
    return WrittenAnswer(route=Route.CORRECT, parts=(text,))


async def move_subject(turn: Turn, command: MoveSubject, doors: Doors) -> WrittenAnswer:
    """Let the last write be about somebody else."""
    wrong = await _last_written(turn, doors)
    if not wrong:
        return _nothing(turn)
    resolved = names.resolve(command.to, members=turn.members, author_id=turn.message.user_id)
    match resolved:
        case names.Ambiguous(candidates):
            return turn.ask_which(Route.CORRECT, candidates)
        case names.Unknown():
            return turn.unknown(Route.CORRECT, resolved)
        case names.Found(user_id):
            fact = wrong[-1]
            return await _move(turn, fact, fact.subject_id, user_id, doors=doors)


async def take_back(turn: Turn, _: TakeBack, doors: Doors) -> WrittenAnswer:
    """Undo the last write."""
    if turn.visitor and (refusal := turn.refusal(Route.CORRECT, ())):
        return refusal
    wrong = await _last_written(turn, doors)
    if not wrong:
        return _nothing(turn)
    text = await taken_back(wrong, turn.language, doors)
    return WrittenAnswer(route=Route.CORRECT, parts=(text,))


async def taken_back(wrong: Sequence[Fact], language: Language, doors: Doors) -> str:
    """Undo the writes of these facts of one guild, one at least; returns what to say, members as `<@id>`."""
    guild_id = wrong[0].guild_id
    await doors.memory.take_back(guild_id=guild_id, fact_ids=[fact.fact_id for fact in wrong])
    before = [fact.supersedes for fact in wrong if fact.supersedes is not None]
    known = await doors.memory.facts_with_ids(guild_id=guild_id, fact_ids=before)
    again = [fact for fact in known if fact.status is FactStatus.ACTIVE]
    lines = [say(Text.HOLDS_AGAIN, language, content=fact.content) for fact in again]
    return "\n".join([say(Text.TAKEN_BACK, language), *lines])


def with_value(statement: str, value: str, *, instead_of: str | None = None) -> str | None:
    """Return `statement` with `value` in the place of what it corrects, or `None` if that cannot be told.

    What it stands `instead_of` is replaced where that is named; else a whole sentence replaces the whole; a
    day, time or number the only one of its kind; another spelling the word that it is like; anything else what
    stands behind "is", or behind the preposition that both have.
    """
    if instead_of is not None:
        named = re.compile(rf"(?<!\w){re.escape(instead_of)}(?!\w)", re.IGNORECASE)
        if len(places := list(named.finditer(statement))) == 1:
            return _put(statement, places[0], value)
    first, *others = value.split()
    shared = {word.casefold() for word in _WORD.findall(value)} & {
        word.casefold() for word in _WORD.findall(statement)
    }
    if (len(others) + 1 >= _SENTENCE_WORDS and shared) or (len(others) > 1 and statement.startswith(first)):
        return value
    for kind in _KINDS:
        if kind.fullmatch(value.strip()):
            places = list(kind.finditer(statement))
            return _put(statement, places[0], value) if len(places) == 1 else None
    alike = [
        word
        for word in _WORD.finditer(statement)
        if fuzz.ratio(word[0].casefold(), value.casefold()) >= _SPELLING
    ]
    if len(alike) == 1:
        return _put(statement, alike[0], value)
    links = list(_LINK.finditer(statement))
    if links:
        return statement[: links[-1].end()] + value
    if others:
        behind = list(re.finditer(rf"(?<!\S){re.escape(first)}\s+\S+$", statement, re.IGNORECASE))
        return _put(statement, behind[0], value) if behind else None
    words = list(_WORD.finditer(statement))
    return _put(statement, words[-1], value) if len(words) > 1 else None


def _put(statement: str, place: re.Match[str], value: str) -> str:
    """Return `statement` with `value` at `place`, keeping a preposition that the value lacks."""
    leading = re.match(r"(?:on|at|во?)\s+", place[0], re.IGNORECASE)
    if leading and not re.match(r"(?:on|at|во?|tomorrow|today|завтра|сегодня)\b", value, re.IGNORECASE):
        value = leading[0] + value
    return statement[: place.start()] + value + statement[place.end() :]


def _moved(turn: Turn, command: ReplaceValue, fact: Fact) -> tuple[int, int] | None:
    """Return from whom to whom a fact is moved by a correction that names members, or `None` if it is not."""
    meant = names.resolve(command.value, members=turn.members, author_id=turn.message.user_id)
    if not isinstance(meant, names.Found):
        return None
    if command.instead_of is None:
        is_value = _LINK.search(fact.content) or mention_of(fact.subject_id) not in fact.content
        return None if is_value or meant.user_id == fact.subject_id else (fact.subject_id, meant.user_id)
    wrong = names.resolve(command.instead_of, members=turn.members, author_id=turn.message.user_id)
    if not isinstance(wrong, names.Found) or mention_of(wrong.user_id) not in fact.content:
        return None
    return wrong.user_id, meant.user_id


async def _move(turn: Turn, fact: Fact, from_id: int, to_id: int, *, doors: Doors) -> WrittenAnswer:
    """Let `fact` tell of one member what it told of another, who may be its subject."""
    statement = fact.content.replace(mention_of(from_id), mention_of(to_id))
    subject_id = to_id if from_id == fact.subject_id else fact.subject_id
    return await _put_right(turn, fact, subject_id=subject_id, statement=statement, doors=doors)


async def _last_written(turn: Turn, doors: Doors) -> Sequence[Fact]:
    """Return what the write that is corrected left standing."""
    written = await doors.memory.answers.last_write(turn.message, replied_to=turn.replied_to)
    if written is None:
        return []
    known = await doors.memory.facts_with_ids(guild_id=turn.message.guild_id, fact_ids=written.fact_ids)
    return [fact for one in known if (fact := await _standing(turn, one, doors)) is not None]


async def _standing(turn: Turn, fact: Fact, doors: Doors) -> Fact | None:
    """Return `fact`, or what the asker has put in its place since; `None` if neither holds."""
    if fact.status is FactStatus.ACTIVE:
        return fact
    if fact.status is not FactStatus.SUPERSEDED:
        return None
    asker_id = turn.message.user_id
    for now in await doors.library.facts_about(fact.subject_id, turn.view, asker_id=asker_id):
        older: Fact | None = now
        while older is not None and older.supersedes is not None and now.author_id == asker_id:
            if older.supersedes == fact.fact_id:
                return now
            before = await doors.memory.facts_with_ids(guild_id=fact.guild_id, fact_ids=[older.supersedes])
            older = before[0] if before else None
    return None


async def _put_right(
    turn: Turn, wrong: Fact, *, subject_id: int, statement: str, doors: Doors, value: str = ""
) -> WrittenAnswer:
    if refusal := turn.refusal(Route.CORRECT, [wrong.subject_id, subject_id]):
        return refusal
    right = replace(note(turn, subject_id=subject_id, statement=statement), audience=wrong.audience)
    if not _KINDS[0].search(value):
        # "Tomorrow" is still the day after it was first said.
        right = replace(right, said_at=wrong.said_at)
    corrected = await doors.memory.correct(wrong, right)
    if corrected is None or corrected.fact_id is None:
        return _nothing(turn)
    text = turn.say(Text.CORRECTED, content=corrected.content)
    return WrittenAnswer(
        route=Route.CORRECT,
        parts=(text,),
        fact_ids=(corrected.fact_id,),
        memory_ids=(corrected.fact_id,),
    )


def _nothing(turn: Turn) -> WrittenAnswer:
    return WrittenAnswer(route=Route.CORRECT, parts=(turn.say(Text.NOTHING_TO_CORRECT),))


async def correct_fact(turn: Turn, wrong: Fact, *, subject_id: int, text: str, doors: Doors) -> WrittenAnswer:
    """Let `wrong` say `text`, in the third person, about `subject_id`."""
    return await _put_right(turn, wrong, subject_id=subject_id, statement=text, value=text, doors=doors)


async def take_back_facts(turn: Turn, fact_ids: Sequence[int], doors: Doors) -> WrittenAnswer:
    """Undo the writes of these facts."""
    if turn.visitor and (refusal := turn.refusal(Route.CORRECT, ())):
        return refusal
    await doors.memory.take_back(guild_id=turn.message.guild_id, fact_ids=fact_ids)
    return WrittenAnswer(route=Route.CORRECT, parts=(turn.say(Text.TAKEN_BACK),))

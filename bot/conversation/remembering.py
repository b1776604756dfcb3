"""Carrying out "remember": the row and the confirmation come at once."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.conversation import considering, names
from bot.conversation.commands import Remember, RememberThis
from bot.conversation.routed import FactToKeep
from bot.conversation.router import Route
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.domain import Message, MessageKind, mention_of
from bot.errors import SecretFactError
from bot.language.operation import Operations
from bot.memory import phrasing
from bot.memory.answering import WrittenAnswer
from bot.memory.facts import Note, Remembered
from bot.memory.secrets import holds_secret

LAST_MESSAGES: Final = 3
"""How many of a member's last messages "remember this about Florent" takes when it is no reply."""


_READ_MESSAGES: Final = 5 * LAST_MESSAGES
"""How many are looked at, some of which only say something to the bot."""

_OF_THE_BOT: Final = re.compile(
    r"(?:you|your|you're|you’re|yourself|ты|тебя|тебе|у тебя|тво[йяеёи]\w*)\b", re.IGNORECASE
)
"""A statement to the bot about the bot, of which it keeps no memories."""


async def remember(turn: Turn, command: Remember, doors: Doors, operations: Operations) -> WrittenAnswer:
    """Store what was said after "remember that", about whom it names."""
    if _OF_THE_BOT.match(command.statement):
        return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say(Text.ABOUT_THE_BOT),))
    subject = names.subject_of(command.statement, members=turn.members, author_id=turn.message.user_id)
    match subject:
        case names.Ambiguous(candidates):
            return turn.ask_which(Route.REMEMBER, candidates)
        case names.Unknown():
            return turn.unknown(Route.REMEMBER, subject)
        case names.Subject(user_id, statement, unsure_name):
            if unsure_name and turn.seeks:
                return WrittenAnswer(route=Route.REMEMBER, unknown_name=unsure_name)
            if user_id == turn.bot_id:
                return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say(Text.ABOUT_THE_BOT),))
            if refusal := turn.refusal(Route.REMEMBER, [user_id]):
                return refusal
            said = considering.wanted(turn, subject_id=user_id, statement=statement)
            if refusal := await considering.refused(turn, [said], doors, operations):
                return refusal
            return remembered(turn, [note(turn, subject_id=user_id, statement=statement)], doors)


async def remember_this(
    turn: Turn, command: RememberThis, doors: Doors, operations: Operations
) -> WrittenAnswer:
    """Store the message replied to, else the last ones of whom it names, else the one said just before."""
    about_id = None
    if command.about is not None:
        resolved = names.resolve(command.about, members=turn.members, author_id=turn.message.user_id)
        match resolved:
            case names.Ambiguous(candidates):
                return turn.ask_which(Route.REMEMBER, candidates)
            case names.Unknown():
                return turn.unknown(Route.REMEMBER, resolved)
            case names.Found(user_id):
                about_id = user_id
    meant = await _meant(turn, about_id, doors)
    if meant and not (meant := [message for message in meant if not holds_secret(message.text)]):
        raise SecretFactError
    if refusal := turn.refusal(Route.REMEMBER, [about_id or message.user_id for message in meant]):
        return refusal
    said = [
        considering.wanted(
            turn,
            subject_id=about_id or message.user_id,
            statement=message.text,
            speaker_id=message.user_id,
        )
        for message in meant
    ]
    if refusal := await considering.refused(turn, said, doors, operations, said_here=False):
        return refusal
    if not meant:
        return WrittenAnswer(route=Route.REMEMBER, parts=(turn.say(Text.NOTHING_TO_REMEMBER),))
    notes = [_heard(turn, message, about_id or message.user_id) for message in meant]
    return remembered(turn, notes, doors)


def note(turn: Turn, *, subject_id: int, statement: str) -> Note:
    """Return what the author of this turn asks to have remembered."""
    message = turn.message
    return Note(
        guild_id=message.guild_id,
        subject_id=subject_id,
        author_id=message.user_id,
        speaker_id=message.user_id,
        audience=message.audience,
        statement=statement,
        cause=turn.cause,
        channel_id=message.channel_id,
        message_id=message.message_id,
        said_at=message.timestamp,
        time_zone=turn.time_zone,
        asked_at=turn.asked_at,
    )


def remembered(turn: Turn, notes: Sequence[Note], doors: Doors) -> WrittenAnswer:
    """Return the order to store these notes, all in one write that goes with their confirmation."""
    storing = doors.memory.remembering(notes)
    return WrittenAnswer(route=Route.REMEMBER, deferred=storing.then(lambda stored: confirmed(turn, stored)))


def confirmed(turn: Turn, stored: Sequence[Remembered]) -> WrittenAnswer:
    """Return the confirmation of writes that have been made."""
    lines = [_confirmed(turn, one) for one in stored if one.fact_id is not None]
    fact_ids = tuple(one.fact_id for one in stored if one.fact_id is not None)
    parts = ("\n".join(lines),) if lines else ()
    return WrittenAnswer(
        route=Route.REMEMBER,
        parts=parts,
        fact_ids=tuple(one.fact_id for one in stored if one.fact_id is not None and one.is_new),
        memory_ids=fact_ids,
    )


def _confirmed(turn: Turn, one: Remembered) -> str:
    if one.outweighed_by:
        return turn.say(Text.OUTWEIGHED, content=one.content, holds=one.outweighed_by)
    return turn.say(Text.REMEMBERED if one.is_new else Text.KNOWN_ALREADY, content=one.content)


async def _meant(turn: Turn, about_id: int | None, doors: Doors) -> list[Message]:
    """Return the messages that "this" means, oldest first; what bots say is never remembered."""
    message = turn.message
    if turn.replied_to is not None:
        meant = [turn.replied_to]
    elif about_id is not None:
        meant = await doors.library.in_conversation(
            guild_id=message.guild_id,
            channel_id=message.channel_id,
            user_id=about_id,
            before_message_id=message.message_id,
            limit=_READ_MESSAGES,
        )
        meant = [one for one in meant if not turn.is_for_bot(one)][-LAST_MESSAGES:]
    else:
        meant = await doors.library.just_before(message)
    return [
        one
        for one in meant
        if one.kind is MessageKind.MEMBER and one.withheld is None and one.text.strip() and turn.sees(one)
    ]


def _heard(turn: Turn, message: Message, subject_id: int) -> Note:
    """Return a note of a message that somebody else may have written, told in its writer's name."""
    text = message.text
    told = phrasing.third_person(text, author_id=message.user_id)
    statement = text if mention_of(subject_id) in told else f"{mention_of(subject_id)}: {text}"
    return Note(
        guild_id=message.guild_id,
        subject_id=subject_id,
        author_id=message.user_id,
        speaker_id=message.user_id,
        audience=max(message.audience, turn.message.audience),
        statement=statement,
        cause=turn.cause,
        channel_id=message.channel_id,
        message_id=message.message_id,
        said_at=message.timestamp,
        time_zone=turn.time_zone,
        asked_at=turn.asked_at,
    )


async def remember_facts(
    turn: Turn, facts: Sequence[FactToKeep], doors: Doors, operations: Operations
) -> WrittenAnswer:
    """Store what a model understood and code found to be said: in the name of whoever said it."""
    if refusal := turn.refusal(Route.REMEMBER, [fact.subject_id for fact in facts]):
        return refusal
    if facts and not (facts := [fact for fact in facts if not holds_secret(fact.text)]):
        raise SecretFactError
    said = [
        considering.wanted(
            turn, subject_id=fact.subject_id, statement=fact.text, speaker_id=fact.said_in.user_id
        )
        for fact in facts
    ]
    here = any(fact.said_in.message_id == turn.message.message_id for fact in facts)
    if refusal := await considering.refused(turn, said, doors, operations, said_here=here):
        return refusal
    notes = [
        replace(
            note(turn, subject_id=fact.subject_id, statement=fact.text),
            author_id=fact.said_in.user_id,
            speaker_id=fact.said_in.user_id,
            audience=max(fact.said_in.audience, turn.message.audience),
            message_id=fact.said_in.message_id,
            said_at=fact.said_in.timestamp,
        )
        for fact in facts
    ]
    return remembered(turn, notes, doors)

"""One answer to a turn: which way it goes, who carries it out, and what is said when that is impossible."""

from collections.abc import Awaitable
from dataclasses import dataclass, replace
from typing import TypeVar, assert_never

from bot.conversation import (
    asking,
    catching_up,
    contradicting,
    correcting,
    forgetting,
    forgetting_sets,
    forgetting_words,
    grammar,
    privacy,
    remembering,
    reply,
    searching,
    sourcing,
    understanding,
)
from bot.conversation.commands import (
    AskMemory,
    AskPrivacy,
    AskWhy,
    CatchUp,
    Command,
    Forget,
    ForgetEverything,
    ForgetThis,
    Help,
    MoveSubject,
    Remember,
    RememberThis,
    ReplaceValue,
    Search,
    TakeBack,
)
from bot.conversation.own_commands import EraseMine, OwnRight
from bot.conversation.own_rights import words as own_rights
from bot.conversation.own_rights.refusing import NOT_KEPT, NotKept, why_not_kept
from bot.conversation.reply import Mind
from bot.conversation.router import Route, route_of
from bot.conversation.set_commands import ForgetSet
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.errors import KeepsakeError
from bot.memory.answering import WrittenAnswer

A = TypeVar("A", bound=WrittenAnswer | None)


@dataclass(frozen=True, slots=True)
class Settled:
    """A turn that waited for an answer to the bot's question, as it goes on now."""

    turn: Turn
    agreed: bool | None
    """What was said to a question of yes or no."""
    fact_id: int | None = None
    """The fact that was chosen of several."""


async def answer(turn: Turn, settled: Settled | None, doors: Doors, mind: Mind) -> WrittenAnswer:
    """Return the answer to `turn`, or to the turn that it settled.

    What it says was done has been done, or is deferred in it.
    """
    if settled is not None and settled.fact_id is not None:
        settling = contradicting.settle(turn, settled.fact_id, doors)
        return await _or_refused(turn, Route.CORRECT, settling)
    if settled is not None:
        turn = settled.turn
    command = await command_of(turn, doors)
    if settled is None or settled.agreed is None:
        answering = _carried_out(turn, command, doors, mind)
    else:
        answering = _agreed(turn, command, doors, mind) if settled.agreed else _kept(turn, command)
    return await _or_refused(turn, route_of(command), answering)


async def rewritten(turn: Turn, doors: Doors, mind: Mind) -> WrittenAnswer | None:
    """Return the answer to a command that was edited; `None` if it no longer asks to keep or correct anything."""
    command = await command_of(turn, doors)
    match command:
        case None if mind.operations.has_models and turn.text.strip():
            answering = understanding.rewritten(turn, doors, mind)
        case Remember() | RememberThis() | ReplaceValue() | MoveSubject():
            answering = _carried_out(turn, command, doors, mind)
        case _:
            return None
    return await _or_refused(turn, route_of(command), answering)


async def _agreed(turn: Turn, command: Command | None, doors: Doors, mind: Mind) -> WrittenAnswer:
    """Carry out what the bot had asked about, since the asker said yes."""
    match command:
        case ForgetEverything():
            return await forgetting_sets.forget_everything(turn, command, doors)
        case ForgetSet():
            return await forgetting_words.carry_out(turn, command, doors)
        case EraseMine():
            return await own_rights.erased(turn, doors)
        case _:
            return await _carried_out(turn, command, doors, mind)


async def _kept(turn: Turn, command: Command | None) -> WrittenAnswer:
    """Say that nothing is changed, since the asker said no."""
    return WrittenAnswer(route=route_of(command), parts=(turn.say(Text.KEPT),))


async def _or_refused(turn: Turn, route: str, answering: Awaitable[A]) -> A | WrittenAnswer:
    """Return an answer, or why nothing is kept, whether that comes out now or when it is carried out."""
    try:
        answer = await answering
    except NOT_KEPT as error:
        return _refused(turn, route, error)
    if answer is None or answer.deferred is None:
        return answer

    def refused(error: KeepsakeError) -> WrittenAnswer | None:
        return _refused(turn, route, error) if isinstance(error, NOT_KEPT) else None

    return replace(answer, deferred=replace(answer.deferred, refused=refused))


async def command_of(turn: Turn, doors: Doors) -> Command | None:
    """Return the command that `turn` clearly gives."""
    return turn.command or await _correction(turn, doors)


def _refused(turn: Turn, route: str, error: NotKept) -> WrittenAnswer:
    return WrittenAnswer(route=route, parts=(why_not_kept(turn, error),))


async def _correction(turn: Turn, doors: Doors) -> Command | None:
    """Return the correction that a reply to the confirmation of a write may well be."""
    told = turn.replied_to
    if told is None or told.user_id != turn.bot_id or told.reply_to_id is None:
        return None
    command = grammar.parse_reply(turn.text)
    if command is None:
        return None
    answered = await doors.memory.answers.to_message(
        guild_id=turn.message.guild_id, message_id=told.reply_to_id
    )
    return command if answered is not None and answered.fact_ids else None


async def _carried_out(turn: Turn, command: Command | None, doors: Doors, mind: Mind) -> WrittenAnswer:
    match command:
        case None:
            if mind.operations.has_models and turn.text.strip():
                return await understanding.understood(turn, doors, mind)
            return await reply.chat(turn, doors)
        case Help():
            return reply.examples(turn)
        case Remember():
            return await remembering.remember(turn, command, doors, mind.operations)
        case RememberThis():
            return await remembering.remember_this(turn, command, doors, mind.operations)
        case Forget() | ForgetThis() | ForgetEverything() | ForgetSet():
            return await _forgotten(turn, command, doors, mind)
        case ReplaceValue():
            return await correcting.replace_value(turn, command, doors, mind.operations)
        case MoveSubject():
            return await correcting.move_subject(turn, command, doors, mind.operations)
        case TakeBack():
            return await correcting.take_back(turn, command, doors)
        case AskMemory() | Search() | CatchUp() | AskWhy() | AskPrivacy():
            return await _told(turn, command, doors, mind)
        case OwnRight():
            return await own_rights.carried_out(turn, command, doors)
    assert_never(command)


async def _forgotten(
    turn: Turn, command: Forget | ForgetThis | ForgetEverything | ForgetSet, doors: Doors, mind: Mind
) -> WrittenAnswer:
    """Forget one thing, or ask about a set."""
    match command:
        case Forget():
            return await forgetting.forget(turn, command, doors, mind)
        case ForgetThis():
            return await forgetting.forget_this(turn, command, doors)
        case ForgetEverything():
            return await forgetting_sets.ask_everything(turn, command, doors)
        case ForgetSet():
            return await forgetting_words.ask(turn, command, doors)
    assert_never(command)


async def _told(
    turn: Turn, command: AskMemory | Search | CatchUp | AskWhy | AskPrivacy, doors: Doors, mind: Mind
) -> WrittenAnswer:
    """Tell what is kept; nothing is changed."""
    match command:
        case AskMemory():
            return await asking.ask_memory(turn, command, doors)
        case Search():
            return await searching.search(turn, command, doors)
        case CatchUp():
            return await catching_up.catch_up(turn, command, doors)
        case AskWhy():
            return await sourcing.why(turn, doors)
        case AskPrivacy():
            return privacy.answer(turn, mind.practice)
    assert_never(command)

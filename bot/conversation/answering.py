"""One answer to a turn: which way it goes, who carries it out, and what is said when that is impossible."""

from dataclasses import dataclass
from typing import assert_never

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
from bot.memory.answering import WrittenAnswer


@dataclass(frozen=True, slots=True)
class Settled:
    """A turn that waited for an answer to the bot's question, as it goes on now."""

    turn: Turn
    agreed: bool | None
    """What was said to a question of yes or no."""
    fact_id: int | None = None
    """The fact that was chosen of several."""


async def answer(turn: Turn, settled: Settled | None, doors: Doors, mind: Mind) -> WrittenAnswer:
    """Return the answer to `turn`, or to the turn that it settled; what it says was done has been done."""
    if settled is not None and settled.fact_id is not None:
        return await _settled_which(turn, settled.fact_id, doors)
    if settled is not None:
        turn = settled.turn
    command = await command_of(turn, doors)
    route = route_of(command)
    try:
        if settled is not None and settled.agreed is False:
            return WrittenAnswer(route=route, parts=(turn.say(Text.KEPT),))
        if settled is not None and settled.agreed and isinstance(command, ForgetEverything):
            return await forgetting_sets.forget_everything(turn, command, doors)
        if settled is not None and settled.agreed and isinstance(command, ForgetSet):
            return await forgetting_words.carry_out(turn, command, doors)
        if settled is not None and settled.agreed and isinstance(command, EraseMine):
            return await own_rights.erased(turn, doors)
        return await _carried_out(turn, command, doors, mind)
    except NOT_KEPT as error:
        return _refused(turn, route, error)


async def _settled_which(turn: Turn, fact_id: int, doors: Doors) -> WrittenAnswer:
    try:
        return await contradicting.settle(turn, fact_id, doors)
    except NOT_KEPT as error:
        return _refused(turn, Route.CORRECT, error)


async def rewritten(turn: Turn, doors: Doors, mind: Mind) -> WrittenAnswer | None:
    """Return the answer to a command that was edited; `None` if it no longer asks to keep or correct anything."""
    command = await command_of(turn, doors)
    try:
        match command:
            case None if mind.operations.has_models and turn.text.strip():
                return await understanding.rewritten(turn, doors, mind)
            case Remember() | RememberThis() | ReplaceValue() | MoveSubject():
                return await _carried_out(turn, command, doors, mind)
            case _:
                return None
    except NOT_KEPT as error:
        return _refused(turn, route_of(command), error)


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

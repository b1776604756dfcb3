"""One answer to a turn: which way it goes, who carries it out, and what is said when that is impossible."""

from dataclasses import dataclass
from typing import assert_never

from bot.conversation import (
    asking,
    catching_up,
    contradicting,
    correcting,
    forgetting,
    grammar,
    remembering,
    reply,
    searching,
    sourcing,
    understanding,
)
from bot.conversation.commands import (
    AskMemory,
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
from bot.conversation.reply import Mind
from bot.conversation.router import route_of
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.errors import EmptyFactError, FactTooLongError
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
        return await contradicting.settle(turn, settled.fact_id, doors)
    if settled is not None:
        turn = settled.turn
    command = await command_of(turn, doors)
    route = route_of(command)
    try:
        if settled is not None and settled.agreed is False:
            return WrittenAnswer(route=route, parts=(turn.say(Text.KEPT),))
        if settled is not None and settled.agreed and isinstance(command, ForgetEverything):
            return await forgetting.forget_everything_now(turn, command, doors)
        return await _carried_out(turn, command, doors, mind)
    except (EmptyFactError, FactTooLongError) as error:
        return _refused(turn, route, error)


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
    except (EmptyFactError, FactTooLongError) as error:
        return _refused(turn, route_of(command), error)


async def command_of(turn: Turn, doors: Doors) -> Command | None:
    """Return the command that `turn` clearly gives."""
    return turn.command or await _correction(turn, doors)


def _refused(turn: Turn, route: str, error: EmptyFactError | FactTooLongError) -> WrittenAnswer:
    if isinstance(error, EmptyFactError):
        return WrittenAnswer(route=route, parts=(turn.say(Text.EMPTY_FACT),))
    text = turn.say(Text.FACT_TOO_LONG, characters=error.characters, allowed=error.allowed)
    return WrittenAnswer(route=route, parts=(text,))


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
            return await remembering.remember(turn, command, doors)
        case RememberThis():
            return await remembering.remember_this(turn, command, doors)
        case Forget():
            return await forgetting.forget(turn, command, doors, mind)
        case ForgetThis():
            return await forgetting.forget_this(turn, command, doors)
        case ForgetEverything():
            return await forgetting.forget_everything(turn, command, doors)
        case ReplaceValue():
            return await correcting.replace_value(turn, command, doors)
        case MoveSubject():
            return await correcting.move_subject(turn, command, doors)
        case TakeBack():
            return await correcting.take_back(turn, command, doors)
        case AskMemory() | Search() | CatchUp() | AskWhy():
            return await _told(turn, command, doors)
    assert_never(command)


async def _told(turn: Turn, command: AskMemory | Search | CatchUp | AskWhy, doors: Doors) -> WrittenAnswer:
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
    assert_never(command)

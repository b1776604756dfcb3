"""What members decide about their own memory, said in words: in a channel or in a direct message."""

from dataclasses import replace
from typing import assert_never

from bot.conversation.own_commands import (
    BePrivate,
    ChooseCategory,
    EraseMine,
    ExportMine,
    OwnCommand,
    RememberAgain,
    StopRemembering,
    TellCategories,
)
from bot.conversation.own_rights import categories, erasing, exporting, switching
from bot.conversation.own_rights.own_answer import OwnAnswer
from bot.conversation.own_rights.own_texts import OwnText
from bot.conversation.router import Route
from bot.conversation.texts import say
from bot.conversation.turn import Doors, Turn
from bot.memory.answering import OpenQuestion, WrittenAnswer


async def carried_out(turn: Turn, command: OwnCommand, doors: Doors) -> WrittenAnswer:
    """Carry out a command about the asker's own memory; erasing only asks."""
    match command:
        case StopRemembering():
            return _written(
                turn, _with_offer(turn, await switching.stop(turn, doors), OwnText.OFFER_TO_ERASE)
            )
        case RememberAgain():
            return _written(turn, await switching.go_on(turn, doors))
        case BePrivate():
            return _written(turn, await switching.be_private(turn, command, doors))
        case ChooseCategory():
            return _written(turn, await categories.choose(turn, [command], doors))
        case TellCategories():
            return _written(turn, await categories.tell(turn, doors))
        case ExportMine():
            return _written(turn, await _handed_over(turn, doors))
        case EraseMine():
            return _written(turn, _with_offer(turn, await erasing.ask(turn, doors), OwnText.SAY_YES))
    assert_never(command)


async def erased(turn: Turn, doors: Doors) -> WrittenAnswer:
    """Erase all that is kept of the asker, who has agreed."""
    return _written(turn, await erasing.erase(turn, doors))


def _with_offer(turn: Turn, answer: OwnAnswer, offer: OwnText) -> OwnAnswer:
    """Return `answer` with what "yes" would do, if it leaves anything to agree to."""
    if not answer.erasable_in:
        return answer
    return replace(answer, text=f"{answer.text} {say(offer, turn.language)}")


async def _handed_over(turn: Turn, doors: Doors) -> OwnAnswer:
    """Send the asker their file in private, and say whether that went well."""
    if turn.hand_over is None:
        return OwnAnswer(text=say(OwnText.EXPORT_NOT_SENT, turn.language))
    answer = await exporting.export(turn, doors)
    if answer.file is None:
        return answer
    arrived = await turn.hand_over(answer.file)
    return OwnAnswer(text=say(OwnText.EXPORT_SENT if arrived else OwnText.EXPORT_NOT_SENT, turn.language))


def _written(turn: Turn, answer: OwnAnswer) -> WrittenAnswer:
    """Return an answer in words, with the question that it leaves open."""
    text, question = answer.text, None
    if answer.places:
        numbered = (f"{number}. {place.label}" for number, place in enumerate(answer.places, start=1))
        text = "\n".join([f"{text} {say(OwnText.ANSWER_NUMBER, turn.language)}", *numbered])
        question = OpenQuestion(text=turn.text, guilds=tuple(place.guild_id for place in answer.places))
    elif answer.erasable_in:
        # In whatever words it was asked, "yes" must find a command that is sure.
        question = OpenQuestion(text=say(OwnText.ERASE_COMMAND, turn.language), within=answer.erasable_in)
    return WrittenAnswer(route=Route.OWN_RIGHTS, parts=(text,), question=question)

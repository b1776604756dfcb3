"""Searching by form: what commands in words find, as lines that jump to where it was said."""

from dataclasses import replace
from typing import assert_never

from bot.conversation.desk.form_turn import FormTurn
from bot.conversation.desk.showing import episode_line, line_of, message_line
from bot.conversation.desk.texts import DeskText
from bot.conversation.desk.visit import Line, Shown
from bot.conversation.searching import Found, Memory, found, header, told
from bot.conversation.texts import say
from bot.conversation.turn import Doors
from bot.domain import Episode, Fact, Message


async def search(turn: FormTurn, doors: Doors, *, limit: int) -> Shown:
    """Return at most `limit` memories that the text of `turn` searches for, the best first."""
    topic = " ".join(turn.text.split())
    if not topic:
        return Shown(say(DeskText.SEARCH_WHAT, turn.language))
    result = await found(turn, topic, doors, limit=limit)
    return Shown(
        turn.rendered(header(turn, result)), tuple(_line(turn, result, memory) for memory in result.memories)
    )


def _line(turn: FormTurn, result: Found, memory: Memory) -> Line:
    said = told(turn, result, memory)
    match memory:
        case Message():
            return message_line(turn, memory, said)
        case Fact():
            line = line_of(turn, memory)
        case Episode():
            line = episode_line(turn, memory)
        case _:
            assert_never(memory)
    return replace(line, text=turn.rendered(said))

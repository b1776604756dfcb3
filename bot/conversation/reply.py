"""Chat: a reply to what is no command. Without a model one fixed sentence says what still works."""

from datetime import timedelta
from typing import Final

from bot.conversation.router import Route
from bot.conversation.texts import Text
from bot.conversation.turn import Doors, Turn
from bot.memory.answering import WrittenAnswer

NO_MODEL_PAUSE: Final = timedelta(minutes=10)
"""The fixed sentence is said at most once in this time in one channel: it would soon be noise."""


async def chat(turn: Turn, doors: Doors) -> WrittenAnswer:
    """Reply to `turn`; an empty message gets examples, anything else what still works, or silence."""
    if not turn.text.strip():
        return examples(turn)
    if await doors.memory.answers.said_lately(turn.message, route=Route.CHAT, within=NO_MODEL_PAUSE):
        return WrittenAnswer(route=Route.CHAT)
    return WrittenAnswer(route=Route.CHAT, parts=(turn.say(Text.NO_MODEL),))


def examples(turn: Turn) -> WrittenAnswer:
    """Say what can be said to the bot."""
    return WrittenAnswer(route=Route.CHAT, parts=(turn.say(Text.EXAMPLES),))

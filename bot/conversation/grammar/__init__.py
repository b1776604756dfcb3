"""What is said to the bot, recognised without a model; sure or silent, never greedy."""

from typing import Final

from bot.conversation.commands import Command
from bot.conversation.grammar import corrections, english, russian
from bot.conversation.grammar.questions import is_question
from bot.conversation.grammar.rules import first
from bot.conversation.grammar.spoken import Spoken

__all__ = ["is_question", "parse", "parse_reply"]

LONGEST_COMMAND: Final = 4_000
"""Characters of the longest message that Discord lets anyone write; longer texts are pasted, not said."""


def parse(text: str) -> Command | None:
    """Return the command that `text` clearly gives, in English or Russian, or `None` when that is not sure.

    `text` is what remains of a message after the bot's name. A question never becomes a command
    that changes something. Nothing is raised, whatever the text.
    """
    if len(text) > LONGEST_COMMAND:
        return None
    spoken = Spoken.of(text)
    for tongue in (english, russian):
        if command := first(spoken, tongue.rules_for(spoken)):
            return command
    return None


def parse_reply(text: str) -> Command | None:
    """Return the correction that `text` is as a reply to the confirmation of a write, as in "no, pasta".

    It is asked when `parse` was not sure. Nothing is raised, whatever the text.
    """
    if len(text) > LONGEST_COMMAND:
        return None
    spoken = Spoken.of(text)
    return None if spoken.asks else first(spoken, corrections.IN_REPLY)

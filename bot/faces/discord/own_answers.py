"""What the bot said itself, found in the past by a process that did not send it."""

from dataclasses import replace
from typing import Final

from bot.domain import Message, Withheld
from bot.memory.answering import Answers

_SAID: Final = frozenset({"written", "sent"})
"""The states of an answer that had a text."""


async def as_it_stands(kept: Message, answers: Answers) -> Message:
    """Return a message of the bot's, without its text if that was taken before anybody knew that it had arrived."""
    if kept.reply_to_id is None:
        return kept
    answer = await answers.to_message(guild_id=kept.guild_id, message_id=kept.reply_to_id)
    if answer is None or answer.parts or answer.state not in _SAID:
        return kept
    return replace(kept, text="", attachments=(), withheld=Withheld.FORGOTTEN)

"""What applies where a message was said, read before anything is answered: its channel, what it replies to, and the
bot's open question to its author.
"""

import json
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from bot.core.domain import Message, MessageKind, RedactionReason
from bot.db.pool import Connection
from bot.memory.guilds.repository import Place
from bot.memory.messages import repository as messages_repository
from bot.memory.outbox.repository import Answer
from bot.memory.policy import consent


class OpenQuestion(BaseModel):
    """What the bot asked back: the command that waits, and what may be chosen."""

    asked_by_id: int = Field(default=0, exclude=True)
    """The message that was answered with this question."""
    is_answered: bool = Field(default=False, exclude=True)
    """The very message that settled it is heard again: its answer is written down, and perhaps was not sent."""
    text: str
    """The command as it was said to the bot, without its name."""
    choices: tuple[int, ...] = ()
    """Member ids in the order in which they were numbered; none for a question of yes or no."""
    facts: tuple[int, ...] = ()
    """In their place facts, of which one holds, in the order in which they were numbered."""
    forgets: bool = False
    """The facts are those that may be forgotten, and any of them may be chosen."""
    guilds: tuple[int, ...] = ()
    """In their place guilds in which the command may be meant, as they were numbered; 0 is all of them."""
    replaces: tuple[int, int] | None = None
    """In their place an older fact and a newer one, which may replace it."""
    within: tuple[int, ...] = ()
    """The guilds in which it is meant, where that is settled; 0 is all of them."""
    replied_to_id: int | None = None
    """The message that the command was a reply to."""
    language: str = ""
    """The code of the language in which it was asked; "" if it is that of `text`."""
    then: tuple[tuple[str, bool], ...] = ()
    """Further commands of the same message that wait, each with whether it is sure."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What holds where a message was said, before anything is answered."""

    place: Place
    kept: Message | None
    """The message itself as it reads now, if it was heard."""
    replied_to: Message | None
    """The message that it replies to, if that was heard."""
    question: OpenQuestion | None
    """What the bot asked its author there, if still open."""


async def replied_to_by(connection: Connection, message: Message) -> Message | None:
    """Return the message that one replies to; nothing that it says if nothing is kept of whoever said it."""
    if message.reply_to_id is None:
        return None
    found = await messages_repository.message(
        connection, guild_id=message.guild_id, message_id=message.reply_to_id
    )
    if found is None or found.kind is MessageKind.BOT:
        return found
    if found.forwarded is not None:
        told = await messages_repository.messages(
            connection, guild_id=found.guild_id, message_ids=[found.message_id]
        )
        if told:
            return found
    elif not await consent.opted_out(connection, guild_id=message.guild_id, user_ids=[found.user_id]):
        return found
    return replace(found, text="", attachments=(), withheld=RedactionReason.OPTED_OUT)


def question_in(asked: Answer | None, message: Message) -> OpenQuestion | None:
    """Return what an answer asks back that `message` may settle."""
    if asked is None:
        return None
    if asked.message_id == message.message_id and asked.is_written:
        return OpenQuestion(asked_by_id=asked.message_id, is_answered=True, text="")
    if asked.question is None:
        return None
    return OpenQuestion(asked_by_id=asked.message_id, **json.loads(asked.question))

"""What holds where a message was said, before anything is answered."""

from dataclasses import dataclass, replace

from bot.domain import Message, MessageKind, Withheld
from bot.memory.written import OpenQuestion
from bot.store import history, standing
from bot.store.database import Connection
from bot.store.places import Place


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What holds where a message was said, before anything is answered."""

    place: Place
    replied_to: Message | None
    """The message that it replies to, if that was heard."""
    question: OpenQuestion | None
    """What the bot asked its author there, if still open."""


async def replied_to_by(connection: Connection, message: Message) -> Message | None:
    """Return the message that one replies to; nothing that it says if nothing is kept of whoever said it."""
    if message.reply_to_id is None:
        return None
    found = await history.message(connection, guild_id=message.guild_id, message_id=message.reply_to_id)
    if found is None or found.kind is MessageKind.BOT:
        return found
    if found.forwarded is not None:
        told = await history.messages(connection, guild_id=found.guild_id, message_ids=[found.message_id])
        if told:
            return found
    elif not await standing.absent(connection, guild_id=message.guild_id, user_ids=[found.user_id]):
        return found
    return replace(found, text="", attachments=(), withheld=Withheld.OPTED_OUT)

"""What a message has to be before it is kept: possible, such as a database takes it, and without secrets."""

from dataclasses import replace

from bot.domain import MAX_ID, Message
from bot.errors import InvalidInputError
from bot.memory.secrets import masked


def storable(message: Message) -> Message:
    """Return `message` with a text that Postgres takes, and without the secrets in it: nothing else is ever kept.

    Raises `InvalidInputError` for impossible ids and for a time without zone: whose day would that be?
    """
    for name in ("guild_id", "channel_id", "message_id"):
        value = getattr(message, name)
        if not 0 < value <= MAX_ID:
            raise InvalidInputError(f"{name} {value} is no id: ids lie between 1 and {MAX_ID}")
    if not 0 <= message.user_id <= MAX_ID:
        raise InvalidInputError(f"user_id {message.user_id} is no id: ids lie between 1 and {MAX_ID}")
    for moment in (message.timestamp, message.edited_at):
        if moment is not None and moment.tzinfo is None:
            raise InvalidInputError(
                f"the time {moment.isoformat()} has no zone: a message needs an aware one"
            )
    return replace(
        message,
        text=masked(clean(message.text)),
        attachments=tuple(masked(clean(attachment)) for attachment in message.attachments),
    )


def clean(text: str) -> str:
    """Return `text` without what no UTF-8 database can hold: NUL and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")

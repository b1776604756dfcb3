"""Whether an answer has arrived of which nobody knows: Discord remembers its number for some minutes only."""

from typing import Final

import discord

from bot.faces.discord.splitting import Parts

_LOOKED_THROUGH: Final = 500
"""Messages below the one that is answered; an answer follows within seconds."""

_COMPARED: Final = 200
"""Characters of a later part: where it may carry no file its end is another."""


async def landed(answered: discord.Message, parts: Parts) -> list[discord.Message]:
    """Return the messages in which `parts` have arrived as an answer to `answered`, the first ones, in order.

    Where the past may not be read, none can be found. Raises what the library raises.
    """
    own_id = None if answered._state.user is None else answered._state.user.id
    found: list[discord.Message] = []
    async for message in answered.channel.history(after=answered, limit=_LOOKED_THROUGH, oldest_first=True):
        if message.author.id != own_id:
            continue
        if _is_next(message, answered, parts, len(found)):
            found.append(message)
        if len(found) == len(parts.messages):
            break
    return found


def _is_next(message: discord.Message, answered: discord.Message, parts: Parts, number: int) -> bool:
    """Tell whether `message` is the part with this number; only the first refers to what it answers."""
    if number == 0:
        return message.reference is not None and message.reference.message_id == answered.id
    return message.reference is None and message.content[:_COMPARED] == parts.messages[number][:_COMPARED]

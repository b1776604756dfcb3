"""Taking text from messages, with all that was told from them."""

from collections.abc import Sequence

from bot.domain import Withheld
from bot.memory import forwards
from bot.memory.erasing.asked import Erased, Scope
from bot.store import distillations, messages, summaries, told_conversations
from bot.store.database import Connection


async def withhold(connection: Connection, scope: Scope, message_ids: Sequence[int]) -> Erased:
    """Take the text from messages that the member did not write: the bot's, and commands that told of the member."""
    if not message_ids:
        return Erased()
    told = await messages.withhold(
        connection, guild_id=scope.guild_id, message_ids=message_ids, reason=Withheld.FORGOTTEN
    )
    return Erased(answers=told, episodes=await take_back(connection, scope, message_ids))


async def take_back(connection: Connection, scope: Scope, message_ids: Sequence[int]) -> int:
    """Take back what was told from messages that lost their text, and what repeats them.

    Returns how many episodes went.
    """
    await forwards.follow(connection, guild_id=scope.guild_id, message_ids=message_ids, now=scope.now)
    await distillations.drop_days_taken_back(connection, guild_id=scope.guild_id)
    await summaries.drop_told(connection, guild_id=scope.guild_id, message_ids=message_ids)
    return await told_conversations.take_back(connection, guild_id=scope.guild_id, message_ids=message_ids)

"""What forwards repeat goes when it goes where it was said: their text, and whatever was made of it."""

from collections.abc import Sequence
from datetime import datetime

from bot.domain import Withheld
from bot.memory.lifecycle import learning
from bot.store import answers, distillations, forwards, guilds, messages, summaries, told_conversations
from bot.store.database import Connection


async def follow(connection: Connection, *, guild_id: int, message_ids: Sequence[int], now: datetime) -> int:
    """Withhold what repeats these messages, which are withheld, in whatever guild; returns how many had a text.

    Answers that quoted it go as well, and what repeats those in turn.
    """
    told = 0
    waiting = {guild_id: [*message_ids]}
    while waiting:
        origin_guild_id, origin_ids = waiting.popitem()
        if not origin_ids:
            continue
        await forwards.drop_quarantined(connection, guild_id=origin_guild_id, message_ids=origin_ids)
        for group in await forwards.hanging_on(connection, guild_id=origin_guild_id, message_ids=origin_ids):
            answered = await _take(connection, group, now=now)
            told += len(group.message_ids)
            if answered:
                waiting.setdefault(group.guild_id, []).extend(answered)
            if group.guild_id != guild_id:
                await guilds.bump_epoch(connection, guild_id=group.guild_id)
                await distillations.drop_merged(connection, guild_id=group.guild_id)
    return told


async def follow_member(connection: Connection, *, guild_id: int, user_id: int, now: datetime) -> None:
    """Withhold what repeats a member of whom nothing is kept in this guild any more."""
    said = await forwards.forwarded_of(connection, guild_id=guild_id, user_id=user_id)
    for origin_guild_id, message_ids in said.items():
        await follow(connection, guild_id=origin_guild_id, message_ids=message_ids, now=now)


async def _take(connection: Connection, group: forwards.Hanging, *, now: datetime) -> list[int]:
    """Take the text from forwards, with all that was told from it; returns the bot's messages that quoted it."""
    guild_id, message_ids = group.guild_id, group.message_ids
    answered = await answers.wipe(connection, guild_id=guild_id, fact_ids=(), message_ids=message_ids)
    await messages.withhold(connection, guild_id=guild_id, message_ids=message_ids, reason=group.reason)
    await messages.withhold(connection, guild_id=guild_id, message_ids=answered, reason=Withheld.FORGOTTEN)
    taken = [*message_ids, *answered]
    await distillations.drop_days_taken_back(connection, guild_id=guild_id)
    await told_conversations.take_back(connection, guild_id=guild_id, message_ids=taken)
    await summaries.drop_told(connection, guild_id=guild_id, message_ids=taken)
    await learning.withdraw(connection, guild_id=guild_id, message_ids=taken, now=now)
    return answered

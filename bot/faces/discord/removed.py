"""Finding out, at the start, which guilds removed the bot while it was away."""

import logging

import discord

from bot.errors import DatabaseError
from bot.faces.discord.inside import Inside
from bot.log import trace

logger = logging.getLogger(__name__)


async def note_removals(client: discord.AutoShardedClient, inside: Inside) -> None:
    """Note that the bot is no longer in guilds of its shards that Discord has not named; an outage hides none."""
    if client.user is None or client.shard_count is None:
        return
    try:
        count = await inside.memory.erasing.note_left_guilds(
            bot_id=client.user.id,
            present_ids=[guild.id for guild in client.guilds],
            shard_ids=[*client.shards],
            shard_count=client.shard_count,
        )
    except DatabaseError as error:
        # The next start finds them.
        logger.warning("it is not known which guilds removed the bot: %s", trace(error))
        return
    if count:
        logger.info("%d guilds removed the bot while it was away", count)

"""The log channel of a guild on Discord: a line for whatever was removed about somebody else."""

import hashlib
import logging
from typing import Final

import discord

from bot.conversation.removal_lines import removal_line
from bot.domain import Language
from bot.faces.discord.sentences import language_of
from bot.log import trace
from bot.memory.removals import Removal

logger = logging.getLogger(__name__)

_NONCE_CHARACTERS: Final = 25


class LogChannels:
    """Posts in the log channels, whichever process has their guilds: that takes no connection to the gateway."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def post(self, removal: Removal, *, channel_id: int) -> bool:
        """Post one line, in the guild's language; its number makes a repetition the same message.

        What the bot may not post, or has nowhere to post, is left out. Raises what stands in the way for now.
        """
        channel = self._client.get_partial_messageable(channel_id, guild_id=removal.guild_id)
        guild = self._client.get_guild(removal.guild_id)
        language = Language.ENGLISH if guild is None else language_of(guild.preferred_locale)
        try:
            await channel.send(
                removal_line(removal, language),
                nonce=_nonce(removal),
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except (discord.Forbidden, discord.NotFound) as error:
            logger.warning(
                "guild %d: the log channel %d takes no line: %s", removal.guild_id, channel_id, trace(error)
            )
        return True


def _nonce(removal: Removal) -> str:
    """Return what only this line has: the same line, sent again, is the same message for some minutes."""
    return hashlib.sha256(repr(removal.shares).encode()).hexdigest()[:_NONCE_CHARACTERS]

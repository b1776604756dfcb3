"""What is said and logged when a command or a button failed."""

import logging
from typing import Final

import aiohttp
import discord
from discord import app_commands

from bot.conversation.texts import Text, say
from bot.errors import DatabaseError
from bot.faces.discord.sentences import language_of
from bot.log import trace

logger = logging.getLogger(__name__)

_OVER: Final = frozenset({10062, 40060, 50027})
"""Discord's codes for an interaction that nobody can answer any more: too late, answered already, token over."""


async def tell_failure(interaction: discord.Interaction, error: Exception) -> None:
    """Log where `error` came from, and say one sentence to whoever waits for an answer, if there is still a way."""
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    if isinstance(cause, discord.InteractionResponded) or is_over(cause):
        logger.info("interaction %d can no longer be answered: %s", interaction.id, trace(cause))
        return
    logger.error("interaction %d failed: %s", interaction.id, trace(cause))
    text = Text.DATABASE_AWAY if isinstance(cause, DatabaseError) else Text.FAILED
    said = say(text, language_of(interaction.locale))
    try:
        if interaction.response.is_done():
            await interaction.followup.send(said, ephemeral=True)
        else:
            await interaction.response.send_message(said, ephemeral=True)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as further:
        logger.info("the failure of interaction %d could not be told: %s", interaction.id, trace(further))


def is_over(error: Exception) -> bool:
    """Tell whether `error` means that an interaction takes no answer any more."""
    return isinstance(error, discord.HTTPException) and error.code in _OVER

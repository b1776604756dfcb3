"""`/privacy`: what is kept, for how long, who sees it, and what can be done about it."""

from typing import Any

import discord
from discord import app_commands

from bot.conversation.desk import Visit
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.commands.texts import CommandText as Name
from bot.faces.discord.commands.texts import named

# Of names and words that stand in its lines each may be long; a message alone would be too short for all at once.
_MOST_CHARACTERS = 4_096


def privacy_command(reception: Reception) -> app_commands.Command[Any, ..., None]:
    """Return the command; it works in a direct message too."""

    @app_commands.command(name=named(Name.PRIVACY), description=named(Name.PRIVACY_WHAT))
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def privacy(interaction: discord.Interaction) -> None:
        await show_privacy(reception, interaction)

    return privacy


async def show_privacy(reception: Reception, interaction: discord.Interaction) -> None:
    """Tell whoever asks, and nobody else."""

    async def handling(visit: Visit) -> None:
        title, _, lines = (await reception.desk.privacy(visit)).text.partition("\n")
        told = reception.with_mentions(lines)[:_MOST_CHARACTERS]
        await follow_up(interaction, embeds=[discord.Embed(title=title, description=told)])

    await reception.receive(interaction, handling)

"""`/memory catchup`: what was said while somebody was away, for whoever asks alone."""

from typing import Any

import discord
from discord import app_commands

from bot.conversation.desk import Visit
from bot.faces.discord.commands.paging import pages_of
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.commands.texts import CommandText as Name
from bot.faces.discord.commands.texts import named

_LONGEST_SINCE = 60


def catchup_command(reception: Reception) -> app_commands.Command[Any, ..., None]:
    """Return the command, for a group to take."""

    @app_commands.command(name=named(Name.CATCHUP), description=named(Name.CATCHUP_WHAT))
    @app_commands.rename(channel=named(Name.IN_CHANNEL), since=named(Name.SINCE))
    @app_commands.describe(channel=named(Name.IN_CHANNEL_WHAT), since=named(Name.SINCE_WHAT))
    async def catchup(
        interaction: discord.Interaction,
        channel: app_commands.AppCommandChannel | app_commands.AppCommandThread | None = None,
        since: app_commands.Range[str, 1, _LONGEST_SINCE] | None = None,
    ) -> None:
        """Show what was missed, with links, everywhere or in one channel with its threads."""

        async def handling(visit: Visit) -> None:
            shown = await reception.desk.catch_up(visit, None if channel is None else channel.id, since or "")
            for page in pages_of(shown, visit):
                await follow_up(interaction, page)

        await reception.receive(interaction, handling)

    return catchup

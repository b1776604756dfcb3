"""`/memory profile`: members read what was learned of them, have a sentence removed, or switch learning off."""

import asyncio
import logging
from typing import Any, Final

import discord
from discord import app_commands

from bot.conversation.desk import Said, Visit
from bot.faces.discord.commands.answering import answer
from bot.faces.discord.commands.reception import Reception
from bot.faces.discord.commands.settings_command import MOST_CHOICES, SUGGESTING_SECONDS
from bot.faces.discord.commands.texts import CommandText as Name
from bot.faces.discord.commands.texts import named
from bot.log import trace

logger = logging.getLogger(__name__)

_ON: Final = "on"
_SWITCH: Final = [
    app_commands.Choice(name=named(Name.ON), value=_ON),
    app_commands.Choice(name=named(Name.OFF), value="off"),
]


def profile_command(reception: Reception) -> app_commands.Command[Any, ..., None]:
    """Return the command, for a group to take."""

    @app_commands.command(name=named(Name.PROFILE), description=named(Name.PROFILE_WHAT))
    @app_commands.rename(remove=named(Name.REMOVE), learning=named(Name.LEARN))
    @app_commands.describe(remove=named(Name.REMOVE_WHAT), learning=named(Name.LEARN_WHAT))
    @app_commands.choices(learning=_SWITCH)
    async def profile(
        interaction: discord.Interaction, remove: str | None = None, learning: str | None = None
    ) -> None:
        """Show the profile, or change what is asked for."""

        async def work(visit: Visit) -> Said:
            told = []
            if remove is not None:
                told.append((await reception.desk.delete_sentence(visit, remove)).text)
            if learning is not None:
                told.append((await reception.desk.switch_learning(visit, on=learning == _ON)).text)
            return Said("\n".join(told) or (await reception.desk.profile(visit)).text)

        await answer(reception, interaction, work)

    @profile.autocomplete("remove")
    async def _sentences(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        try:
            async with asyncio.timeout(SUGGESTING_SECONDS):
                visit = await reception.visits.visit(interaction)
                found = await reception.desk.sentences(visit, typed, limit=MOST_CHOICES)
        except Exception as error:
            logger.info("interaction %d got no suggestions: %s", interaction.id, trace(error))
            return []
        return [app_commands.Choice(name=one.text, value=one.sentence_id) for one in found]

    return profile

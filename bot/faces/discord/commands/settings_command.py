"""`/memory settings`: all of them at a glance, or some of them changed."""

import asyncio
import logging
from collections.abc import Mapping
from functools import cache
from typing import Final

import discord
from discord import app_commands

from bot import clock
from bot.conversation.desk import Setting, Visit
from bot.conversation.desk import settings as guild_settings
from bot.conversation.texts import say
from bot.faces.discord.commands.persona import PERSONA, persona_view, preview, showing
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.commands.texts import CommandText
from bot.faces.discord.words import cut
from bot.log import trace

logger = logging.getLogger(__name__)

BASE_ROLE: Final = "base_role"
_HEARING: Final = "hearing"
TEXT_SEARCH: Final = "text_search"

_MENTIONS: Final = {BASE_ROLE: "<@&{}>", guild_settings.LOG_CHANNEL: "<#{}>"}

_RENEWING: Final = {BASE_ROLE, _HEARING}
"""After these the guild is looked at anew; one that was switched on is told what is kept."""

MOST_CHOICES: Final = 25
"""What Discord shows of suggestions."""

SUGGESTING_SECONDS: Final = 2.0
"""Real seconds for suggestions; Discord waits for three, and whoever types goes on typing."""

_MOST_FIELD_CHARACTERS: Final = 1_000


async def settings(reception: Reception, interaction: discord.Interaction, wanted: Mapping[str, str]) -> None:
    """Change the settings in `wanted`, by name, as `Desk.change` takes them; with none of them show all.

    A persona is only heard: a button stores it.
    """

    async def handling(visit: Visit) -> None:
        refused = reception.desk.refused_settings(visit)
        if refused is not None:
            await follow_up(interaction, refused.text)
            return
        if not wanted:
            await _show(reception, interaction, visit)
            return
        await _change(reception, interaction, visit, wanted)

    await reception.receive(interaction, handling)


async def _change(
    reception: Reception, interaction: discord.Interaction, visit: Visit, wanted: Mapping[str, str]
) -> None:
    told = []
    for name, value in wanted.items():
        if name == PERSONA and value:
            continue
        told.append((await reception.desk.change(visit, name, value)).text)
        if name in _RENEWING and not visit.direct:
            # Which channels are open hangs on it, and holds from the next message on.
            await reception.visits.renew(visit.guild_id)
    if told:
        await follow_up(interaction, "\n".join(told))
    if wanted.get(PERSONA):
        await preview(reception, interaction, visit, wanted[PERSONA])


async def _show(reception: Reception, interaction: discord.Interaction, visit: Visit) -> None:
    embed, persona = discord.Embed(title=say(CommandText.SETTINGS_TITLE, visit.language)), ""
    for setting in await reception.desk.settings(visit):
        if setting.name == PERSONA and setting.value:
            persona = setting.value
        else:
            embed.add_field(name=setting.label, value=_value(reception, setting, visit), inline=False)
    hint = say(CommandText.SETTINGS_HINT, visit.language, command=reception.command("/memory settings"))
    embeds = [embed, showing(visit, persona)] if persona else [embed]
    await follow_up(interaction, hint, view=persona_view(visit), embeds=embeds)


def _value(reception: Reception, setting: Setting, visit: Visit) -> str:
    if setting.name in _MENTIONS and setting.value:
        return _MENTIONS[setting.name].format(setting.value)
    if setting.value:
        return cut(setting.value, _MOST_FIELD_CHARACTERS)
    default = guild_settings.default_of(setting.name, visit.language, reception.inside.settings)
    return say(CommandText.SETTING_DEFAULT, visit.language, value=default)


def time_zones(typed: str) -> list[app_commands.Choice[str]]:
    """Return the time zones that hold what was typed, those of that very city first."""
    wanted = typed.strip().casefold().replace(" ", "_")
    found = [zone for zone in _zones() if wanted in zone.casefold()]
    found.sort(key=lambda zone: not zone.casefold().rpartition("/")[2].startswith(wanted))
    return [app_commands.Choice(name=zone, value=zone) for zone in found[:MOST_CHOICES]]


async def text_searches(
    reception: Reception, interaction: discord.Interaction, typed: str
) -> list[app_commands.Choice[str]]:
    """Return the languages of text search that hold what was typed; none for whom the settings are not."""
    try:
        async with asyncio.timeout(SUGGESTING_SECONDS):
            known = await reception.desk.settings(await reception.visits.visit(interaction))
    except Exception as error:
        logger.info("interaction %d got no suggestions: %s", interaction.id, trace(error))
        return []
    choices = next((setting.choices for setting in known if setting.name == TEXT_SEARCH), ())
    found = [choice for choice in choices if typed.strip().casefold() in choice]
    return [app_commands.Choice(name=choice, value=choice) for choice in found[:MOST_CHOICES]]


@cache
def _zones() -> tuple[str, ...]:
    """Return the zones by which people go, in order; the many of the list without a place are names of old."""
    return tuple(sorted(zone for zone in clock.time_zones() if "/" in zone or zone == "UTC"))

"""`/memory settings` and the persona: its form, all settings at a glance, some of them changed, and a
persona heard before it is stored.
"""

import logging
from collections.abc import Mapping
from functools import cache
from typing import Final

import discord

from bot.adapters.discord.commands.buttons import Action, ActionButton, view_of
from bot.adapters.discord.commands.interactions import Form, InteractionHandler, follow_up
from bot.adapters.discord.messages import truncate
from bot.adapters.discord.sentences import language_of
from bot.chat.usecases import guild_settings
from bot.chat.usecases.context import RequestContext, ShownSetting
from bot.chat.usecases.options import Given
from bot.chat.usecases.usecases import MANAGERS_SEE, refusal
from bot.core import clock
from bot.memory.guilds.settings import BASE_ROLE, HEARING, MAX_PERSONA_CHARACTERS, PERSONA
from bot.text.sentences import say

logger = logging.getLogger(__name__)


class UsePersona(Action, word="persona:use"):
    """Stores the persona that its message shows, so that no restart can lose it."""

    style = discord.ButtonStyle.primary

    async def pressed(
        self, reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext
    ) -> None:
        """Store the persona, for managers, and say so in the place of the question."""
        said = await reception.desk.change(visit, PERSONA, persona_in(interaction.message))
        await interaction.edit_original_response(content=said.text, embeds=[], view=None)


class WritePersona(Action, word="persona:write"):
    """Opens the form in which a persona is written, filled in with the one that its message shows."""

    async def click(self, reception: InteractionHandler, interaction: discord.Interaction) -> None:
        """Open the form."""
        form = _PersonaForm(reception, interaction, persona_in(interaction.message))
        await interaction.response.send_modal(form)


class _PersonaForm(Form):
    """A field for a persona; an empty one is none."""

    def __init__(self, reception: InteractionHandler, interaction: discord.Interaction, persona: str) -> None:
        language = language_of(interaction.locale)
        self._field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
            style=discord.TextStyle.paragraph,
            custom_id=PERSONA,
            default=persona or None,
            required=False,
            max_length=MAX_PERSONA_CHARACTERS,
        )
        title, label = say("command.persona_form", language), say("command.persona_field", language)
        super().__init__(reception, title=title, label=label, field=self._field)

    async def submitted(self, interaction: discord.Interaction, visit: RequestContext) -> None:
        """Let the persona be heard."""
        await offer_persona(self.reception, interaction, visit, self._field.value)


async def offer_persona(
    reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext, persona: str
) -> None:
    """Let a manager hear `persona` and decide; no persona needs no decision."""
    persona, desk = persona.strip(), reception.desk
    if not persona or refusal(MANAGERS_SEE, visit):
        await follow_up(interaction, (await desk.change(visit, PERSONA, "")).text)
        return
    heard = await desk.preview(visit, persona)
    undecided = visit.say("command.persona_undecided")
    view = view_of(_write_button(visit), UsePersona().button(visit.say("command.persona_use")))
    await follow_up(
        interaction, f"{heard.text}\n-# {undecided}", view=view, embeds=[shown_persona(visit, persona)]
    )


def shown_persona(visit: RequestContext, persona: str) -> discord.Embed:
    """Return a persona as messages show it; the buttons below take it from there."""
    return discord.Embed(title=visit.say("command.persona_form"), description=persona)


def persona_in(message: discord.Message | None) -> str:
    """Return the persona that `message` shows, "" if it shows none."""
    embeds = message.embeds if message is not None else []
    return next((embed.description for embed in embeds if embed.description), "")


def _write_button(visit: RequestContext) -> ActionButton:
    """Return the button that opens the form."""
    return WritePersona().button(visit.say("command.persona_edit"))


_RENEWING: Final = {BASE_ROLE, HEARING}
"""After these the guild is looked at anew; one that was switched on is told what is kept."""

_MOST_FIELD_CHARACTERS: Final = 1_000


async def change_or_show(
    reception: InteractionHandler, interaction: discord.Interaction, given: Given
) -> None:
    """Change the settings that are given; with none of them show all.

    A persona is only heard: a button stores it.
    """
    wanted = {name: value for name, value in given.values.items() if name != guild_settings.RESET}
    # What is put back is not set as well.
    wanted |= {given.values[guild_settings.RESET]: ""} if guild_settings.RESET in given.values else {}
    visit = await reception.receive(interaction)
    if refused := refusal(MANAGERS_SEE, visit):
        await follow_up(interaction, refused)
    elif wanted:
        await _change(reception, interaction, visit, wanted)
    else:
        await _show(reception, interaction, visit)


async def _change(
    reception: InteractionHandler,
    interaction: discord.Interaction,
    visit: RequestContext,
    wanted: Mapping[str, str],
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
        await offer_persona(reception, interaction, visit, wanted[PERSONA])


async def _show(
    reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext
) -> None:
    embed, persona = discord.Embed(title=visit.say("command.settings_title")), ""
    for setting in (await reception.desk.listed_settings(visit)).settings:
        if setting.name == PERSONA and setting.value:
            persona = setting.value
        else:
            embed.add_field(name=setting.label, value=_value(reception, setting, visit), inline=False)
    hint = visit.say("command.settings_hint", command=reception.command("/memory settings"))
    embeds = [embed, shown_persona(visit, persona)] if persona else [embed]
    await follow_up(interaction, hint, view=view_of(_write_button(visit)), embeds=embeds)


def _value(reception: InteractionHandler, setting: ShownSetting, visit: RequestContext) -> str:
    if setting.value:
        return guild_settings.mentioned(setting.name, truncate(setting.value, _MOST_FIELD_CHARACTERS))
    default = guild_settings.default_value(setting.name, visit.language, reception.inside.settings)
    return visit.say("command.setting_default", value=default)


def time_zones(typed: str) -> list[str]:
    """Return the time zones that hold what was typed, those of that very city first."""
    wanted = typed.strip().casefold().replace(" ", "_")
    found = [zone for zone in _zones() if wanted in zone.casefold()]
    found.sort(key=lambda zone: not zone.casefold().rpartition("/")[2].startswith(wanted))
    return found


@cache
def _zones() -> tuple[str, ...]:
    """Return the zones by which people go, in order; the many of the list without a place are names of old."""
    return tuple(sorted(zone for zone in clock.time_zones() if "/" in zone or zone == "UTC"))

"""`/memory-admin settings` and the persona: its form, all settings at a glance, some of them changed, and a
persona heard before it is stored.
"""

import logging
from collections.abc import Mapping
from functools import cache
from typing import Final

import discord

from bot.adapters.describing import truncate
from bot.adapters.discord.commands.buttons import Action, ActionButton, view_of
from bot.adapters.discord.commands.interactions import Form, InteractionHandler, follow_up
from bot.adapters.discord.sentences import language_of
from bot.chat.commands import written
from bot.chat.personas import persona_text
from bot.chat.usecases import guild_settings
from bot.chat.usecases.context import FormReply, RequestContext, ShownSetting
from bot.chat.usecases.managing import chosen_persona
from bot.chat.usecases.options import Given
from bot.chat.usecases.usecases import MANAGERS_SEE, UseCases, refusal
from bot.core import clock
from bot.memory.guilds.settings import BASE_ROLE, HEARING, MAX_PERSONA_CHARACTERS, PERSONA
from bot.text.sentences import say

logger = logging.getLogger(__name__)


class UsePersona(Action, word="persona:use"):
    """Stores the persona that its message shows, so that no restart can lose it."""

    style = discord.ButtonStyle.primary

    async def pressed(
        self, handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext
    ) -> None:
        """Store the persona, for managers, and say so in the place of the question."""
        said = await self.stored(handler.use_cases, request, persona_in(interaction.message))
        await interaction.edit_original_response(content=said.text, embeds=[], view=None)

    async def stored(self, use_cases: UseCases, request: RequestContext, persona: str) -> FormReply:
        """Store `persona`, and return what is said of that; "" is none."""
        return await use_cases.change(request, PERSONA, persona)


class UsePersonaHere(UsePersona, word="persona:here"):
    """Stores the persona that its message shows for the channel alone."""

    of_channel = True

    async def stored(self, use_cases: UseCases, request: RequestContext, persona: str) -> FormReply:
        """Store `persona` for the channel of the request."""
        return await use_cases.channel(request, persona=persona)


class WritePersona(Action, word="persona:write"):
    """Opens the form in which a persona is written, filled in with the one that its message shows."""

    async def click(self, handler: InteractionHandler, interaction: discord.Interaction) -> None:
        """Open the form."""
        form = _persona_form(handler, interaction, persona_in(interaction.message))
        await interaction.response.send_modal(form)


def _persona_form(handler: InteractionHandler, interaction: discord.Interaction, persona: str) -> Form:
    """Return a field for a persona; an empty one is none."""
    language = language_of(interaction.locale)
    field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
        style=discord.TextStyle.paragraph,
        custom_id=PERSONA,
        default=persona or None,
        required=False,
        max_length=MAX_PERSONA_CHARACTERS,
    )

    async def submitted(interaction: discord.Interaction, request: RequestContext) -> None:
        await offer_persona(handler, interaction, request, field.value)

    title, label = say("command.persona_form", language), say("command.persona_field", language)
    return Form(handler, title=title, label=label, field=field, submitted=submitted)


async def offer_persona(
    handler: InteractionHandler,
    interaction: discord.Interaction,
    request: RequestContext,
    persona: str,
    *,
    here: bool = False,
) -> None:
    """Preview `persona` for a manager, who then decides; removing the persona needs no decision. `here` is for the
    channel only.
    """
    persona, use_cases = chosen_persona(request, persona), handler.use_cases
    use = UsePersonaHere() if here else UsePersona()
    if not persona or refusal(MANAGERS_SEE, request):
        await follow_up(interaction, (await use.stored(use_cases, request, "")).text)
        return
    heard = await use_cases.preview(request, persona)
    undecided = request.say("command.persona_undecided")
    # What is written in the form is for the whole server.
    write = [] if here else [_write_button(request)]
    view = view_of(*write, use.button(request.say("command.persona_use")))
    await follow_up(
        interaction, f"{heard.text}\n-# {undecided}", view=view, embeds=[shown_persona(request, persona)]
    )


async def choose_persona(handler: InteractionHandler, interaction: discord.Interaction, given: Given) -> None:
    """Preview the chosen persona for a manager, who may set it; without a choice list all of them."""
    request = await handler.receive(interaction)
    if (name := given.text("name")) and not refusal(MANAGERS_SEE, request):
        await offer_persona(handler, interaction, request, persona_text(name, request.language))
    else:
        await follow_up(interaction, (await handler.use_cases.persona(request, name)).text)


def shown_persona(request: RequestContext, persona: str) -> discord.Embed:
    """Return a persona as messages show it; the buttons below take it from there."""
    return discord.Embed(title=request.say("command.persona_form"), description=persona)


def persona_in(message: discord.Message | None) -> str:
    """Return the persona that `message` shows, "" if it shows none."""
    embeds = message.embeds if message is not None else []
    return next((embed.description for embed in embeds if embed.description), "")


def _write_button(request: RequestContext) -> ActionButton:
    """Return the button that opens the form."""
    return WritePersona().button(request.say("command.persona_edit"))


_RENEWING: Final = {BASE_ROLE, HEARING}
"""After these the guild is looked at anew; one that was switched on is told what is kept."""

_MOST_FIELD_CHARACTERS: Final = 1_000


async def change_or_show(handler: InteractionHandler, interaction: discord.Interaction, given: Given) -> None:
    """Change the settings that are given; with none of them show all.

    A persona is only heard: a button stores it.
    """
    wanted = {name: value for name, value in given.values.items() if name != guild_settings.RESET}
    # What is put back is not set as well.
    wanted |= {given.values[guild_settings.RESET]: ""} if guild_settings.RESET in given.values else {}
    request = await handler.receive(interaction)
    if refused := refusal(MANAGERS_SEE, request):
        await follow_up(interaction, refused)
    elif wanted:
        await _change(handler, interaction, request, wanted)
    else:
        await _show(handler, interaction, request)


async def _change(
    handler: InteractionHandler,
    interaction: discord.Interaction,
    request: RequestContext,
    wanted: Mapping[str, str],
) -> None:
    told = []
    for name, value in wanted.items():
        if name == PERSONA and value:
            continue
        told.append((await handler.use_cases.change(request, name, value)).text)
        if name in _RENEWING and not request.direct:
            # Which channels are open hangs on it, and holds from the next message on.
            await handler.contexts.renew(request.guild_id)
    if told:
        await follow_up(interaction, "\n".join(told))
    if wanted.get(PERSONA):
        await offer_persona(handler, interaction, request, wanted[PERSONA])


async def _show(
    handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext
) -> None:
    embed, persona = discord.Embed(title=request.say("command.settings_title")), ""
    for setting in (await handler.use_cases.listed_settings(request)).settings:
        if setting.name == PERSONA and setting.value:
            persona = setting.value
        else:
            embed.add_field(name=setting.label, value=_value(handler, setting, request), inline=False)
    hint = request.say("command.settings_hint", command=handler.command(written("settings")))
    embeds = [embed, shown_persona(request, persona)] if persona else [embed]
    await follow_up(interaction, hint, view=view_of(_write_button(request)), embeds=embeds)


def _value(handler: InteractionHandler, setting: ShownSetting, request: RequestContext) -> str:
    if setting.value:
        return guild_settings.mentioned(setting.name, truncate(setting.value, _MOST_FIELD_CHARACTERS))
    default = guild_settings.default_value(setting.name, request.language, handler.dependencies.settings)
    return request.say("command.setting_default", value=default)


def time_zones(typed: str) -> list[str]:
    """Return the time zones that hold what was typed, those of that very city first."""
    wanted = typed.strip().casefold().replace(" ", "_")
    found = [zone for zone in _zones() if wanted in zone.casefold()]
    found.sort(key=lambda zone: not zone.casefold().rpartition("/")[2].startswith(wanted))
    return found


@cache
def _zones() -> tuple[str, ...]:
    """Return the time zones that people use, in order, without the many obsolete names of the IANA list."""
    return tuple(sorted(zone for zone in clock.time_zones() if "/" in zone or zone == "UTC"))

"""`/memory settings` and the persona: its form, all settings at a glance, some of them changed, and a
persona heard before it is stored.
"""

import asyncio
import inspect
import logging
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import discord
from discord import app_commands

from bot.adapters.discord.commands.buttons import Action, ActionButton, view_of
from bot.adapters.discord.commands.interactions import InteractionHandler, follow_up
from bot.adapters.discord.messages import truncate
from bot.adapters.discord.sentences import choice, language_of, localized
from bot.chat.usecases import guild_settings
from bot.chat.usecases.context import RequestContext, ShownSetting
from bot.core import clock
from bot.core.log import trace
from bot.memory.guilds.settings import (
    BASE_ROLE,
    GUILD_SETTINGS,
    HEARING,
    MAX_PERSONA_CHARACTERS,
    PERSONA,
    TEXT_SEARCH,
    TIME_ZONE,
    ChannelId,
    Days,
    GuildSetting,
    OneOf,
    RoleId,
    Switch,
    Text,
)
from bot.text.sentences import say

logger = logging.getLogger(__name__)


_MOST_TITLE_CHARACTERS: Final = 45
"""Of a form's title and of a field's label, as Discord takes them."""


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


class _PersonaForm(discord.ui.Modal):
    """A field for a persona; an empty one is none."""

    def __init__(self, reception: InteractionHandler, interaction: discord.Interaction, persona: str) -> None:
        language = language_of(interaction.locale)
        super().__init__(title=say("command.persona_form", language)[:_MOST_TITLE_CHARACTERS])
        self._reception = reception
        self._field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
            style=discord.TextStyle.paragraph,
            custom_id=PERSONA,
            default=persona or None,
            required=False,
            max_length=MAX_PERSONA_CHARACTERS,
        )
        label = say("command.persona_field", language)[:_MOST_TITLE_CHARACTERS]
        self.add_item(discord.ui.Label(text=label, component=self._field))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Let the persona be heard."""
        persona = self._field.value

        async def handling(visit: RequestContext) -> None:
            await offer_persona(self._reception, interaction, visit, persona)

        await self._reception.receive(interaction, handling)


async def offer_persona(
    reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext, persona: str
) -> None:
    """Let a manager hear `persona` and decide; no persona needs no decision."""
    persona, desk = persona.strip(), reception.desk
    if not persona or desk.refused_settings(visit):
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

MOST_CHOICES: Final = 25
"""What Discord shows of suggestions."""

SUGGESTING_SECONDS: Final = 2.0
"""Real seconds for suggestions; Discord waits for three, and whoever types goes on typing."""

_MOST_FIELD_CHARACTERS: Final = 1_000


async def change_or_show(
    reception: InteractionHandler, interaction: discord.Interaction, wanted: Mapping[str, str]
) -> None:
    """Change the settings in `wanted`, by name, as `Desk.change` takes them; with none of them show all.

    A persona is only heard: a button stores it.
    """

    async def handling(visit: RequestContext) -> None:
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
    for setting in await reception.desk.settings(visit):
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


def time_zones(typed: str) -> list[app_commands.Choice[str]]:
    """Return the time zones that hold what was typed, those of that very city first."""
    wanted = typed.strip().casefold().replace(" ", "_")
    found = [zone for zone in _zones() if wanted in zone.casefold()]
    found.sort(key=lambda zone: not zone.casefold().rpartition("/")[2].startswith(wanted))
    return [app_commands.Choice(name=zone, value=zone) for zone in found[:MOST_CHOICES]]


async def text_searches(
    reception: InteractionHandler, interaction: discord.Interaction, typed: str
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


def _choices(setting: GuildSetting) -> list[app_commands.Choice[str]]:
    """Return what an option offers: both ways of a switch, or the values that an enumeration has."""
    match setting.value:
        case Switch():
            return [choice(f"choice.{value}", value) for value in ("on", "off")]
        case OneOf(values):
            return [choice(f"setting_choice.{setting.name}_{value}", value) for value in values]
        case _:
            return []


def _parameter(setting: GuildSetting) -> inspect.Parameter:
    """Return the option of `setting`, of the type that lets Discord show and check most of it."""
    kind: Any = str
    match setting.value:
        case RoleId():
            kind = discord.Role
        case ChannelId():
            kind = discord.TextChannel
        case Days(most):
            kind = app_commands.Range[int, 0, most]
        case Text(most):
            kind = app_commands.Range[str, 1, most]
    return _optional(setting.name, kind)


def _optional(name: str, kind: type) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=kind | None
    )


def settings_command(reception: InteractionHandler) -> app_commands.Command[Any, ..., None]:
    """Return the command, for a group to take; it has an option for each setting, and one to put one back."""

    async def form(interaction: discord.Interaction, **given: object) -> None:
        """Show the settings, or change those that are given."""
        reset = given.pop("reset", None)
        wanted = {
            name: str(value.id if isinstance(value, discord.Role | discord.TextChannel) else value)
            for name, value in given.items()
            if value is not None
        }
        # What is put back is not set as well.
        await change_or_show(reception, interaction, wanted if reset is None else {**wanted, str(reset): ""})

    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    options = [*(_parameter(setting) for setting in GUILD_SETTINGS.values()), _optional("reset", str)]
    form.__signature__ = inspect.Signature([first, *options])  # type: ignore[attr-defined]
    app_commands.rename(
        **{name: localized(f"option.{name}") for name in GUILD_SETTINGS}, reset=localized("command.reset")
    )(form)
    app_commands.describe(
        **{name: localized(f"option_what.{name}") for name in GUILD_SETTINGS},
        reset=localized("command.reset_what"),
    )(form)
    app_commands.choices(
        **{name: offered for name, setting in GUILD_SETTINGS.items() if (offered := _choices(setting))},
        reset=[choice(f"option.{name}", name) for name in GUILD_SETTINGS],
    )(form)
    command: app_commands.Command[Any, ..., None] = app_commands.command(
        name=localized("command.settings"), description=localized("command.settings_what")
    )(form)

    @command.autocomplete(TIME_ZONE)
    async def _time_zones(_interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return time_zones(typed)

    @command.autocomplete(TEXT_SEARCH)
    async def _text_searches(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await text_searches(reception, interaction, typed)

    return command

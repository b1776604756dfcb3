"""A persona is heard before it is decided on: the preview, the button that stores it, and the form to write it."""

import re
from typing import Final, Self

import discord

from bot.conversation.desk import Visit
from bot.conversation.texts import say
from bot.faces.discord.commands.failing import tell_failure
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.commands.texts import CommandText
from bot.faces.discord.sentences import language_of
from bot.memory.guild_settings import MAX_PERSONA_CHARACTERS

PERSONA: Final = "persona"
"""The name of the setting."""

_MOST_TITLE_CHARACTERS: Final = 45
"""Of a form's title and of a field's label, as Discord takes them."""


class UsePersonaButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"persona:use"):
    """Stores the persona that its message shows, so that no restart can lose it."""

    reception: Reception
    """Set once, before the client starts: Discord hands a click to the class, not to an object of ours."""

    def __init__(self, label: str) -> None:
        super().__init__(
            discord.ui.Button(label=label, style=discord.ButtonStyle.primary, custom_id="persona:use")
        )

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        _item: discord.ui.Item[discord.ui.View],
        _match: re.Match[str],
        /,
    ) -> Self:
        """Return the button that was pressed."""
        return cls(say(CommandText.PERSONA_USE, language_of(interaction.locale)))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Store the persona, for managers, and say so in the place of the question."""

        async def handling(visit: Visit) -> None:
            said = await self.reception.desk.change(visit, PERSONA, shown_in(interaction.message))
            await interaction.edit_original_response(content=said.text, embeds=[], view=None)

        await self.reception.press(interaction, handling)


class WritePersonaButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"persona:write"
):
    """Opens the form in which a persona is written, filled in with the one that its message shows."""

    reception: Reception
    """Set once, before the client starts."""

    def __init__(self, label: str) -> None:
        super().__init__(
            discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id="persona:write")
        )

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        _item: discord.ui.Item[discord.ui.View],
        _match: re.Match[str],
        /,
    ) -> Self:
        """Return the button that was pressed."""
        return cls(say(CommandText.PERSONA_EDIT, language_of(interaction.locale)))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Open the form."""
        try:
            form = _PersonaForm(self.reception, interaction, shown_in(interaction.message))
            await interaction.response.send_modal(form)
        except Exception as error:
            await tell_failure(interaction, error)


class _PersonaForm(discord.ui.Modal):
    """A field for a persona; an empty one is none."""

    def __init__(self, reception: Reception, interaction: discord.Interaction, persona: str) -> None:
        language = language_of(interaction.locale)
        super().__init__(title=say(CommandText.PERSONA_FORM, language)[:_MOST_TITLE_CHARACTERS])
        self._reception = reception
        self._field: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(
            style=discord.TextStyle.paragraph,
            custom_id=PERSONA,
            default=persona or None,
            required=False,
            max_length=MAX_PERSONA_CHARACTERS,
        )
        label = say(CommandText.PERSONA_FIELD, language)[:_MOST_TITLE_CHARACTERS]
        self.add_item(discord.ui.Label(text=label, component=self._field))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Let the persona be heard."""
        persona = self._field.value

        async def handling(visit: Visit) -> None:
            await preview(self._reception, interaction, visit, persona)

        await self._reception.receive(interaction, handling)


async def preview(reception: Reception, interaction: discord.Interaction, visit: Visit, persona: str) -> None:
    """Let a manager hear `persona` and decide; no persona needs no decision."""
    persona, desk = persona.strip(), reception.desk
    if not persona or desk.refused_settings(visit):
        await follow_up(interaction, (await desk.change(visit, PERSONA, "")).text)
        return
    heard = await desk.preview(visit, persona)
    undecided = say(CommandText.PERSONA_UNDECIDED, visit.language)
    view = persona_view(visit)
    view.add_item(UsePersonaButton(say(CommandText.PERSONA_USE, visit.language)))
    await follow_up(interaction, f"{heard.text}\n-# {undecided}", view=view, embeds=[showing(visit, persona)])


def showing(visit: Visit, persona: str) -> discord.Embed:
    """Return a persona as messages show it; the buttons below take it from there."""
    return discord.Embed(title=say(CommandText.PERSONA_FORM, visit.language), description=persona)


def shown_in(message: discord.Message | None) -> str:
    """Return the persona that `message` shows, "" if it shows none."""
    embeds = message.embeds if message is not None else []
    return next((embed.description for embed in embeds if embed.description), "")


def persona_view(visit: Visit) -> discord.ui.View:
    """Return the button that opens the form."""
    view = discord.ui.View(timeout=None)
    view.add_item(WritePersonaButton(say(CommandText.PERSONA_EDIT, visit.language)))
    return view

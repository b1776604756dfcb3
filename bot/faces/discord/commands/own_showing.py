"""Showing what comes of a command about one's own memory: a file, a list of servers to choose from, a button."""

import re
from collections.abc import Sequence
from typing import Any, Self

import discord

from bot.conversation.desk import Visit
from bot.conversation.own_rights.own_answer import OwnAnswer, PlaceToChoose
from bot.conversation.texts import say
from bot.domain import Language
from bot.faces.discord.commands.failing import tell_failure
from bot.faces.discord.commands.own_acts import PATTERN, Act, as_text, from_text
from bot.faces.discord.commands.own_erasing import open_form
from bot.faces.discord.commands.own_names import OwnName
from bot.faces.discord.commands.reception import Reception
from bot.faces.discord.own_hands import as_file
from bot.faces.discord.sentences import language_of
from bot.faces.discord.words import cut

_MOST_LABEL_CHARACTERS = 100


async def receive(reception: Reception, interaction: discord.Interaction, act: Act) -> None:
    """Carry out `act` for whoever gave the command, and show what comes of it."""

    async def handling(visit: Visit) -> None:
        answer = await act.carry_out(reception.desk.own, visit, interaction)
        await show(reception, interaction, answer, act)

    await reception.receive(interaction, handling)


async def show(reception: Reception, interaction: discord.Interaction, answer: OwnAnswer, act: Act) -> None:
    """Show an answer to whoever asked alone."""
    view = view_of(answer, act, language_of(interaction.locale))
    await interaction.followup.send(
        reception.with_mentions(answer.text),
        ephemeral=True,
        allowed_mentions=discord.AllowedMentions.none(),
        view=view or discord.utils.MISSING,
        file=as_file(answer.file) if answer.file is not None else discord.utils.MISSING,
    )


async def erase(reception: Reception, interaction: discord.Interaction, within: Sequence[int] = ()) -> None:
    """Show the form that confirms an erasing, or between which servers is to be chosen first."""
    try:
        answer = await open_form(reception, interaction, within)
        if answer is None:
            return
        await interaction.response.send_message(
            answer.text,
            ephemeral=True,
            view=view_of(answer, Act("erase"), language_of(interaction.locale)) or discord.utils.MISSING,
        )
    except Exception as error:
        await tell_failure(interaction, error)


def view_of(answer: OwnAnswer, act: Act, language: Language) -> discord.ui.View | None:
    """Return what is left to decide below an answer, if anything is."""
    item: discord.ui.Item[Any]
    if answer.places:
        item = OwnPlaceSelect(act=act, language=language, places=answer.places)
    elif answer.erasable_in:
        item = EraseButton(within=as_text(answer.erasable_in), label=say(OwnName.ERASE_BUTTON, language))
    else:
        return None
    view = discord.ui.View(timeout=None)
    view.add_item(item)
    return view


class OwnPlaceSelect(
    discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]], template=rf"own-place:{PATTERN}"
):
    """Carries out a command for the server that is chosen; all that it needs is in its own id."""

    reception: Reception
    """Set once, before the client starts: Discord hands a choice to the class, not to an object of ours."""

    def __init__(self, *, act: Act, language: Language, places: tuple[PlaceToChoose, ...] = ()) -> None:
        options = [
            discord.SelectOption(label=cut(place.label, _MOST_LABEL_CHARACTERS), value=str(place.guild_id))
            for place in places
        ]
        super().__init__(
            discord.ui.Select(
                custom_id=f"own-place:{act.text}",
                placeholder=say(OwnName.PLACE, language),
                # Of a list that was shown before, Discord tells what was chosen and not what else there was.
                options=options or [discord.SelectOption(label="-")],
            )
        )
        self._act = act

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Return the list of which something was chosen."""
        made = cls(act=Act.of(match), language=language_of(interaction.locale))
        if isinstance(item, discord.ui.Select):
            made.item = item
        return made

    async def callback(self, interaction: discord.Interaction) -> None:
        """Carry the command out there, and put what comes of it in the place of the list."""
        within = from_text(".".join(value for value in self.item.values if value.isdigit()))
        if self._act.kind == "erase":
            await erase(self.reception, interaction, within)
            return

        async def handling(visit: Visit) -> None:
            answer = await self._act.carry_out(self.reception.desk.own, visit, interaction, within)
            await interaction.edit_original_response(
                content=self.reception.with_mentions(answer.text),
                view=view_of(answer, self._act, visit.language),
                attachments=[as_file(answer.file)] if answer.file is not None else [],
            )

        await self.reception.press(interaction, handling)


class EraseButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"own-erase:(?P<within>[0-9]{1,19}(?:\.[0-9]{1,19})?)",
):
    """Opens the form that confirms an erasing, in the guilds that its id names."""

    reception: Reception
    """Set once, as above."""

    def __init__(self, *, within: str, label: str) -> None:
        super().__init__(
            discord.ui.Button(label=label, style=discord.ButtonStyle.danger, custom_id=f"own-erase:{within}")
        )
        self._within = within

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        _item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Return the button that was pressed."""
        return cls(within=match["within"], label=say(OwnName.ERASE_BUTTON, language_of(interaction.locale)))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Open the form."""
        await erase(self.reception, interaction, from_text(self._within))

"""Erasing on Discord: a form says what will go, and whoever sends it in has it erased."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

import discord

from bot.conversation.desk import Visit
from bot.conversation.own_rights.own_answer import OwnAnswer
from bot.conversation.own_rights.own_texts import OwnText
from bot.conversation.texts import say
from bot.domain import Language
from bot.errors import DatabaseUnavailableError
from bot.faces.discord.commands.own_names import OwnName
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.sentences import language_of

logger = logging.getLogger(__name__)

_COUNTING_SECONDS: Final = 2.0
"""Real seconds to count what would go: a form is shown within three, or not at all."""

_ON, _OFF = "on", "off"
_MOST_TITLE_CHARACTERS: Final = 45
"""Of a form's title and of a field's label, as Discord takes them."""


async def open_form(
    reception: Reception, interaction: discord.Interaction, within: Sequence[int]
) -> OwnAnswer | None:
    """Show the form that says what erasing takes; returns what is to be said in its place, if there is none to show.

    Raises `DatabaseError`.
    """
    answer = await _erasable(reception, interaction, within)
    if not answer.erasable_in:
        return answer
    form = EraseForm(reception, language_of(interaction.locale), text=answer.text, within=answer.erasable_in)
    await interaction.response.send_modal(form)
    return None


async def _erasable(
    reception: Reception, interaction: discord.Interaction, within: Sequence[int]
) -> OwnAnswer:
    try:
        async with asyncio.timeout(_COUNTING_SECONDS):
            visit = await reception.visits.visit(interaction)
            return await reception.desk.own.erasable(visit, within)
    except TimeoutError as error:
        logger.info("interaction %d: what would be erased was not counted in time", interaction.id)
        here = () if interaction.guild_id is None else (interaction.guild_id,)
        if not (within or here):
            raise DatabaseUnavailableError("it is not known where something would be erased") from error
        language = language_of(interaction.locale)
        where = say(OwnText.HERE if here else OwnText.IN_CHOSEN, language)
        counts = say(OwnText.ERASES_ALL, language)
        text = say(OwnText.ERASES, language, counts=counts, where=where)
        return OwnAnswer(text=text, erasable_in=here or tuple(within))


class EraseForm(discord.ui.Modal):
    """Says what will go, and asks whether anything is to be kept from then on."""

    def __init__(self, reception: Reception, language: Language, *, text: str, within: Sequence[int]) -> None:
        super().__init__(title=say(OwnName.ERASE_FORM, language)[:_MOST_TITLE_CHARACTERS])
        self._reception = reception
        self._within = within
        self._choice: discord.ui.Select[discord.ui.View] = discord.ui.Select(
            custom_id="from-now-on",
            options=[
                discord.SelectOption(label=say(OwnName.ERASE_AND_ON, language), value=_ON, default=True),
                discord.SelectOption(label=say(OwnName.ERASE_AND_OFF, language), value=_OFF),
            ],
        )
        self.add_item(discord.ui.TextDisplay(text))
        label = say(OwnName.ERASE_FIELD, language)[:_MOST_TITLE_CHARACTERS]
        self.add_item(discord.ui.Label(text=label, component=self._choice))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Erase it, and say what went."""
        opt_out = _OFF in self._choice.values

        async def handling(visit: Visit) -> None:
            answer = await self._reception.desk.own.erase(visit, opt_out=opt_out, within=self._within)
            self._reception.erased(visit.user_id)
            await follow_up(interaction, self._reception.with_mentions(answer.text))

        await self._reception.receive(interaction, handling)

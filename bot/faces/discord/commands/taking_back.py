"""The button under what a command stored, which takes it back; it survives a restart."""

import re
from typing import Final, Self

import discord

from bot.conversation.desk import Said, Visit
from bot.conversation.texts import say
from bot.faces.discord.commands.reception import Reception
from bot.faces.discord.commands.texts import CommandText
from bot.faces.discord.sentences import language_of

_MOST_ID_CHARACTERS: Final = 100


class TakeBackButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"take-back:(?P<asked_in>[0-9]{1,19}):(?P<fact_ids>[0-9]{1,19}(?:\.[0-9]{1,19})*)",
):
    """Takes back the facts in its own id. Only whoever gave the command sees it, and so may press it."""

    reception: Reception
    """Set once, before the client starts: Discord hands a click to the class, not to an object of ours."""

    def __init__(self, *, custom_id: str, label: str) -> None:
        super().__init__(
            discord.ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=custom_id)
        )

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        _item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Return the button that was pressed."""
        return cls(custom_id=match[0], label=say(CommandText.TAKE_BACK, language_of(interaction.locale)))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Take the facts back, and put what came of it in the place of the confirmation."""
        _, asked_in, fact_ids = self.custom_id.split(":")
        given = interaction.message.interaction_metadata if interaction.message is not None else None
        # Whoever presses has given the command only if Discord itself says so: an id may be forged.
        is_theirs = given is not None and given.id == int(asked_in) and given.user.id == interaction.user.id

        async def pressed(visit: Visit) -> None:
            said = await self.reception.desk.undo(
                visit,
                [int(fact_id) for fact_id in fact_ids.split(".")],
                asked_in=int(asked_in) if is_theirs else None,
            )
            await interaction.edit_original_response(content=said.text, view=None)

        await self.reception.press(interaction, pressed)


def take_back_view(interaction: discord.Interaction, said: Said) -> discord.ui.View | None:
    """Return the button for what was said in answer to `interaction`, if that stored something."""
    fact_ids = ".".join(map(str, said.undo_ids))
    custom_id = f"take-back:{interaction.id}:{fact_ids}"
    if not fact_ids or len(custom_id) > _MOST_ID_CHARACTERS:
        return None
    view = discord.ui.View(timeout=None)
    label = say(CommandText.TAKE_BACK, language_of(interaction.locale))
    view.add_item(TakeBackButton(custom_id=custom_id, label=label))
    return view

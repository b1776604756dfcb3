"""`/memory waiting`: managers decide on notes of others about erased members, in rooms that those could not read."""

import re
from typing import Any, Final, Self

import discord
from discord import app_commands

from bot.conversation.desk import Visit
from bot.conversation.desk.waiting import WaitingNotes
from bot.conversation.texts import say
from bot.faces.discord.commands.own_names import OwnName
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.commands.texts import named
from bot.faces.discord.words import cut

_MOST_LINES: Final = 5
"""Members on one page, each with a row of buttons; what is decided makes room for more."""

_MOST_LINE_CHARACTERS: Final = 250


class WaitingButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"waiting:(?P<act>erase|keep):(?P<user_id>[0-9]{1,19})",
):
    """Erases or keeps what waits about one member, and shows what is left; rights are looked at when it is pressed."""

    reception: Reception
    """Set once, before the client starts: Discord hands a click to the class, not to an object of ours."""

    def __init__(self, *, erase: bool, user_id: int, label: str, row: int) -> None:
        super().__init__(
            discord.ui.Button(
                label=label,
                style=discord.ButtonStyle.danger if erase else discord.ButtonStyle.secondary,
                custom_id=f"waiting:{'erase' if erase else 'keep'}:{user_id}",
                row=row,
            )
        )
        self._erase = erase
        self._user_id = user_id

    @classmethod
    async def from_custom_id(
        cls,
        _interaction: discord.Interaction,
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Return the button that was pressed."""
        label = getattr(item, "label", None) or match["act"]
        return cls(erase=match["act"] == "erase", user_id=int(match["user_id"]), label=label, row=0)

    async def callback(self, interaction: discord.Interaction) -> None:
        """Do what was decided, and put what is left in the place of the list."""

        async def handling(visit: Visit) -> None:
            own = self.reception.desk.own
            said = await own.settle(visit, self._user_id, erase=self._erase)
            text, view = _page(await own.waiting(visit), visit)
            await interaction.edit_original_response(content=f"{said.text}\n{text}", view=view)

        await self.reception.press(interaction, handling)


def waiting_command(reception: Reception) -> app_commands.Command[Any, ..., None]:
    """Return the command, for a group to take."""

    @app_commands.command(name=named(OwnName.WAITING), description=named(OwnName.WAITING_WHAT))
    async def waiting(interaction: discord.Interaction) -> None:
        """Show what waits, with buttons to decide."""

        async def handling(visit: Visit) -> None:
            text, view = _page(await reception.desk.own.waiting(visit), visit)
            await follow_up(interaction, text, view=view)

        await reception.receive(interaction, handling)

    return waiting


def _page(notes: WaitingNotes, visit: Visit) -> tuple[str, discord.ui.View | None]:
    """Return the first of what waits as text, and its buttons."""
    if not notes.lines:
        return notes.title, None
    view = discord.ui.View(timeout=None)
    written = [notes.title]
    for row, line in enumerate(notes.lines[:_MOST_LINES]):
        written.append(f"{row + 1}. {cut(line.text, _MOST_LINE_CHARACTERS)}")
        for erase, label in ((True, OwnName.WAITING_ERASE), (False, OwnName.WAITING_KEEP)):
            text = say(label, visit.language, number=row + 1)
            view.add_item(WaitingButton(erase=erase, user_id=line.user_id, label=text, row=row))
    return "\n".join(written), view

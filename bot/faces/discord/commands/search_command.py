"""`/memory search`: what fits some words, the best first, a page at a time, with buttons that survive a restart."""

import re
from typing import Any, Final, Self

import discord
from discord import app_commands

from bot.conversation.desk import Shown, Visit
from bot.conversation.texts import say
from bot.faces.discord.commands.paging import pages_of
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.commands.texts import CommandText as Name
from bot.faces.discord.commands.texts import named

MOST_CHARACTERS: Final = 80
"""Of the words: the buttons carry them in their ids, which Discord lets have 100."""


class SearchPageButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=re.compile(r"search:(?P<page>[0-9]{1,4}):(?P<words>.{1,80})", re.DOTALL),
):
    """Turns to a page of what was found, searched for anew at each press."""

    reception: Reception
    """Set once, before the client starts: Discord hands a click to the class, not to an object of ours."""

    def __init__(self, *, words: str, page: int, label: str) -> None:
        super().__init__(
            discord.ui.Button(
                label=label, style=discord.ButtonStyle.secondary, custom_id=f"search:{page}:{words}"
            )
        )
        self._words = words
        self._page = page

    @classmethod
    async def from_custom_id(
        cls,
        _interaction: discord.Interaction,
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Return the button that was pressed."""
        return cls(
            words=match["words"],
            page=int(match["page"]),
            label=getattr(item, "label", None) or match["page"],
        )

    async def callback(self, interaction: discord.Interaction) -> None:
        """Put the page in the place of the one that is shown."""

        async def handling(visit: Visit) -> None:
            shown = await self.reception.desk.search(visit, self._words)
            text, view = page_of(shown, visit, words=self._words, page=self._page)
            await interaction.edit_original_response(content=text, view=view)

        await self.reception.press(interaction, handling)


def search_command(reception: Reception) -> app_commands.Command[Any, ..., None]:
    """Return the command, for a group to take."""

    @app_commands.command(name=named(Name.SEARCH), description=named(Name.SEARCH_WHAT))
    @app_commands.rename(words=named(Name.WORDS))
    @app_commands.describe(words=named(Name.WORDS_WHAT))
    async def search(
        interaction: discord.Interaction, words: app_commands.Range[str, 1, MOST_CHARACTERS]
    ) -> None:
        """Show the first page of what was found."""

        async def handling(visit: Visit) -> None:
            shown = await reception.desk.search(visit, words)
            text, view = page_of(shown, visit, words=words, page=0)
            await follow_up(interaction, text, view=view)

        await reception.receive(interaction, handling)

    return search


def page_of(shown: Shown, visit: Visit, *, words: str, page: int) -> tuple[str, discord.ui.View | None]:
    """Return the text of a page, the last one if there are fewer, and its buttons if there are others."""
    pages = pages_of(shown, visit)
    page = min(page, len(pages) - 1)
    if len(pages) == 1:
        return pages[0], None
    view = discord.ui.View(timeout=None)
    for other, label in ((page - 1, Name.EARLIER), (page + 1, Name.LATER)):
        if 0 <= other < len(pages):
            view.add_item(SearchPageButton(words=words, page=other, label=say(label, visit.language)))
    number = say(Name.PAGE, visit.language, page=page + 1, pages=len(pages))
    return f"{pages[page]}\n-# {number}", view

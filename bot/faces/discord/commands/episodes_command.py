"""What conversations left behind, below `/memory channel`: a page at a time, each with a button to remove it."""

import re
from typing import Final, Self

import discord

from bot.conversation.desk import LeftBehind, Visit
from bot.conversation.texts import say
from bot.faces.discord.commands.answering import say as say_in_private
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.commands.texts import CommandText
from bot.faces.discord.words import cut

_PER_PAGE: Final = 5
"""Buttons that fit into one row."""

_MOST_LINE_CHARACTERS: Final = 340
"""Of one episode, so that five fit into one message."""


class EpisodePageButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"episodes:(?P<page>[0-9]{1,4})"
):
    """Turns to a page of what conversations in its channel left behind, read anew at each press."""

    reception: Reception
    """Set once, before the client starts: Discord hands a click to the class, not to an object of ours."""

    def __init__(self, *, page: int, label: str) -> None:
        super().__init__(
            discord.ui.Button(
                label=label, style=discord.ButtonStyle.secondary, custom_id=f"episodes:{page}", row=1
            )
        )
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
        return cls(page=int(match["page"]), label=getattr(item, "label", None) or match["page"])

    async def callback(self, interaction: discord.Interaction) -> None:
        """Put the page in the place of the one that is shown."""

        async def handling(visit: Visit) -> None:
            await _put(self.reception, interaction, visit, page=self._page, first="")

        await self.reception.press(interaction, handling, of_channel=True)


class RemoveEpisodeButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"episode:(?P<episode_id>[0-9]{1,19}):(?P<page>[0-9]{1,4})",
):
    """Removes one episode of its channel, for moderators: rights are looked at when it is pressed."""

    reception: Reception
    """Set once, as above."""

    def __init__(self, *, episode_id: int, page: int, label: str) -> None:
        super().__init__(
            discord.ui.Button(
                label=label,
                style=discord.ButtonStyle.danger,
                custom_id=f"episode:{episode_id}:{page}",
                row=0,
            )
        )
        self._episode_id = episode_id
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
            episode_id=int(match["episode_id"]),
            page=int(match["page"]),
            label=getattr(item, "label", None) or match["episode_id"],
        )

    async def callback(self, interaction: discord.Interaction) -> None:
        """Remove the episode, and show what is left."""

        async def handling(visit: Visit) -> None:
            said = await self.reception.desk.remove_episode(visit, self._episode_id)
            await _put(self.reception, interaction, visit, page=self._page, first=said.text)

        await self.reception.press(interaction, handling, of_channel=True)


async def channel(reception: Reception, interaction: discord.Interaction) -> None:
    """Tell how the channel stands, and moderators what its conversations left behind."""

    async def handling(visit: Visit) -> None:
        await say_in_private(interaction, await reception.desk.channel(visit))
        if reception.desk.refused_episodes(visit) is None:
            text, view = page_of(await reception.desk.episodes(visit), visit, page=0)
            await follow_up(interaction, text, view=view)

    await reception.receive(interaction, handling, of_channel=True)


async def _put(
    reception: Reception, interaction: discord.Interaction, visit: Visit, *, page: int, first: str
) -> None:
    text, view = page_of(await reception.desk.episodes(visit), visit, page=page)
    await interaction.edit_original_response(content=f"{first}\n{text}" if first else text, view=view)


def page_of(left: LeftBehind, visit: Visit, *, page: int) -> tuple[str, discord.ui.View | None]:
    """Return the text of a page, the last one if there are fewer, and its buttons; none where nothing is shown."""
    if not left.lines:
        return left.title, None
    pages = -(-len(left.lines) // _PER_PAGE)
    page = min(page, pages - 1)
    shown = left.lines[page * _PER_PAGE : (page + 1) * _PER_PAGE]
    view = discord.ui.View(timeout=None)
    written = [left.title]
    for number, line in enumerate(shown, start=page * _PER_PAGE + 1):
        day = discord.utils.format_dt(line.created_at, "D")
        written.append(f"{number}. {cut(' '.join(line.text.split()), _MOST_LINE_CHARACTERS)} · {day}")
        label = say(CommandText.EPISODE_REMOVE, visit.language, number=number)
        view.add_item(RemoveEpisodeButton(episode_id=line.episode_id, page=page, label=label))
    for other, text in ((page - 1, CommandText.EARLIER), (page + 1, CommandText.LATER)):
        if 0 <= other < pages:
            view.add_item(EpisodePageButton(page=other, label=say(text, visit.language)))
    if pages > 1:
        written.append(f"-# {say(CommandText.PAGE, visit.language, page=page + 1, pages=pages)}")
    return "\n".join(written), view

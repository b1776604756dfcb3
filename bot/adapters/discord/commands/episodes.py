"""Lists for those who decide: what conversations in a channel left behind, and notes of others that wait."""

from typing import Final

import discord

from bot.adapters.discord.commands.buttons import Action, page_buttons, page_number, view_of
from bot.adapters.discord.commands.interactions import InteractionHandler, follow_up
from bot.adapters.discord.messages import truncate
from bot.chat.usecases.context import RequestContext
from bot.chat.usecases.own_rights import WaitingListing
from bot.chat.usecases.showing import EpisodeListing

_PER_PAGE: Final = 5
"""Buttons that fit into one row."""

_MOST_EPISODE_CHARACTERS: Final = 340
"""Of one episode, so that five fit into one message."""


class TurnEpisodePage(Action, word="episodes"):
    """Turns to a page of what conversations in its channel left behind, read anew at each press."""

    of_channel = True
    page: int

    async def pressed(
        self, reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext
    ) -> None:
        """Put the page in the place of the one that is shown."""
        await _put(reception, interaction, visit, page=self.page, first="")


class RemoveEpisode(Action, word="episode"):
    """Removes one episode of its channel, for moderators."""

    style = discord.ButtonStyle.danger
    of_channel = True
    episode_id: int
    page: int

    async def pressed(
        self, reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext
    ) -> None:
        """Remove the episode, and show what is left."""
        said = await reception.desk.remove_episode(visit, self.episode_id)
        await _put(reception, interaction, visit, page=self.page, first=said.text)


async def send_episodes(
    reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext
) -> None:
    """Show moderators what conversations in the channel left behind."""
    if reception.desk.refused_episodes(visit) is None:
        text, view = episodes_page(await reception.desk.episodes(visit), visit, page=0)
        await follow_up(interaction, text, view=view)


async def _put(
    reception: InteractionHandler,
    interaction: discord.Interaction,
    visit: RequestContext,
    *,
    page: int,
    first: str,
) -> None:
    text, view = episodes_page(await reception.desk.episodes(visit), visit, page=page)
    await interaction.edit_original_response(content=f"{first}\n{text}" if first else text, view=view)


def episodes_page(
    left: EpisodeListing, visit: RequestContext, *, page: int
) -> tuple[str, discord.ui.View | None]:
    """Return the text of a page, the last one if there are fewer, and its buttons; none where nothing is shown."""
    if not left.lines:
        return left.title, None
    pages = -(-len(left.lines) // _PER_PAGE)
    page = min(page, pages - 1)
    shown = left.lines[page * _PER_PAGE : (page + 1) * _PER_PAGE]
    written, buttons = [left.title], []
    for number, line in enumerate(shown, start=page * _PER_PAGE + 1):
        day = discord.utils.format_dt(line.created_at, "D")
        written.append(f"{number}. {truncate(' '.join(line.text.split()), _MOST_EPISODE_CHARACTERS)} · {day}")
        label = visit.say("command.episode_remove", number=number)
        buttons.append(RemoveEpisode(episode_id=line.episode_id, page=page).button(label, row=0))
    buttons += page_buttons(visit, lambda other: TurnEpisodePage(page=other), page=page, pages=pages, row=1)
    written += page_number(visit, page=page, pages=pages)
    return "\n".join(written), view_of(*buttons)


_MOST_LINES: Final = 5
"""Members on one page, each with a row of buttons; what is decided makes room for more."""

_MOST_NOTE_CHARACTERS: Final = 250


class EraseWaiting(Action, word="waiting:erase"):
    """Erases what waits about one member."""

    style = discord.ButtonStyle.danger
    user_id: int

    async def pressed(
        self, reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext
    ) -> None:
        """Erase it, and put what is left in the place of the list."""
        await _settle(reception, interaction, visit, self.user_id, erase=True)


class KeepWaiting(Action, word="waiting:keep"):
    """Keeps what waits about one member."""

    user_id: int

    async def pressed(
        self, reception: InteractionHandler, interaction: discord.Interaction, visit: RequestContext
    ) -> None:
        """Keep it, and put what is left in the place of the list."""
        await _settle(reception, interaction, visit, self.user_id, erase=False)


async def _settle(
    reception: InteractionHandler,
    interaction: discord.Interaction,
    visit: RequestContext,
    user_id: int,
    *,
    erase: bool,
) -> None:
    own = reception.desk.own
    said = await own.settle(visit, user_id, erase=erase)
    text, view = _page(await own.waiting(visit), visit)
    await interaction.edit_original_response(content=f"{said.text}\n{text}", view=view)


async def send_waiting(
    interaction: discord.Interaction, visit: RequestContext, notes: WaitingListing
) -> None:
    """Show what waits, with buttons to decide."""
    text, view = _page(notes, visit)
    await follow_up(interaction, text, view=view)


def _page(notes: WaitingListing, visit: RequestContext) -> tuple[str, discord.ui.View | None]:
    """Return the first of what waits as text, and its buttons."""
    if not notes.lines:
        return notes.title, None
    written, buttons = [notes.title], []
    for row, line in enumerate(notes.lines[:_MOST_LINES]):
        written.append(f"{row + 1}. {truncate(line.text, _MOST_NOTE_CHARACTERS)}")
        for kind, label in (
            (EraseWaiting, "own_command.waiting_erase"),
            (KeepWaiting, "own_command.waiting_keep"),
        ):
            text = visit.say(label, number=row + 1)
            buttons.append(kind(user_id=line.user_id).button(text, row=row))
    return "\n".join(written), view_of(*buttons)

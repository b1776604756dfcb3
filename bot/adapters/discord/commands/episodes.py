"""Lists for those who decide: what conversations in a channel left behind, and notes of others that wait."""

from typing import ClassVar, Final

import discord

from bot.adapters.discord.commands.buttons import ListAction, Page, page_buttons, page_number, view_of
from bot.adapters.discord.commands.interactions import InteractionHandler, follow_up
from bot.adapters.discord.messages import truncate
from bot.chat.usecases.context import ChoiceListing, RequestContext
from bot.chat.usecases.usecases import MODERATORS_SEE, UseCases, refusal

_PER_PAGE: Final = 5
"""Buttons that fit into one row."""

_MOST_EPISODE_CHARACTERS: Final = 340
"""Of one episode, so that five fit into one message."""


class _OfEpisodes(ListAction):
    of_channel = True
    page: int

    async def shown(self, use_cases: UseCases, request: RequestContext, first: str) -> Page:
        """Return the page, read anew, below what was done."""
        text, view = episodes_page(await use_cases.episodes(request), request, page=self.page)
        return f"{first}\n{text}" if first else text, view


class TurnEpisodePage(_OfEpisodes, word="episodes"):
    """Turns to a page of what conversations in its channel left behind."""

    page: int


class RemoveEpisode(_OfEpisodes, word="episode"):
    """Removes one episode of its channel, for moderators."""

    style = discord.ButtonStyle.danger
    episode_id: int
    page: int

    async def done(self, use_cases: UseCases, request: RequestContext) -> str:
        """Remove the episode."""
        return (await use_cases.remove_episode(request, self.episode_id)).text


async def send_episodes(
    handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext
) -> None:
    """Show moderators what conversations in the channel left behind."""
    if refusal(MODERATORS_SEE, request) is None:
        text, view = episodes_page(await handler.use_cases.episodes(request), request, page=0)
        await follow_up(interaction, text, view=view)


def episodes_page(left: ChoiceListing, request: RequestContext, *, page: int) -> Page:
    """Return the text of a page, the last one if there are fewer, and its buttons; none where nothing is shown."""
    if not left.lines:
        return left.title, None
    pages = -(-len(left.lines) // _PER_PAGE)
    page = min(page, pages - 1)
    shown = left.lines[page * _PER_PAGE : (page + 1) * _PER_PAGE]
    written, buttons = [left.title], []
    for number, line in enumerate(shown, start=page * _PER_PAGE + 1):
        day = discord.utils.format_dt(line.at, "D") if line.at else ""
        written.append(f"{number}. {truncate(' '.join(line.text.split()), _MOST_EPISODE_CHARACTERS)} · {day}")
        label = request.say("command.episode_remove", number=number)
        buttons.append(RemoveEpisode(episode_id=int(line.key), page=page).button(label, row=0))
    buttons += page_buttons(request, lambda other: TurnEpisodePage(page=other), page=page, pages=pages, row=1)
    written += page_number(request, page=page, pages=pages)
    return "\n".join(written), view_of(*buttons)


_MOST_LINES: Final = 5
"""Members on one page, each with a row of buttons; what is decided makes room for more."""

_MOST_NOTE_CHARACTERS: Final = 250


class EraseWaiting(ListAction, word="waiting:erase"):
    """Erases what waits about one member."""

    style = discord.ButtonStyle.danger
    erases: ClassVar[bool] = True
    user_id: int

    async def done(self, use_cases: UseCases, request: RequestContext) -> str:
        """Decide on it."""
        return (await use_cases.settle(request, self.user_id, erase=self.erases)).text

    async def shown(self, use_cases: UseCases, request: RequestContext, first: str) -> Page:
        """Return what is left."""
        text, view = _page(await use_cases.waiting(request), request)
        return f"{first}\n{text}", view


class KeepWaiting(EraseWaiting, word="waiting:keep"):
    """Keeps what waits about one member."""

    style = discord.ButtonStyle.secondary
    erases = False


async def send_waiting(
    interaction: discord.Interaction, request: RequestContext, notes: ChoiceListing
) -> None:
    """Show what waits, with buttons to decide."""
    text, view = _page(notes, request)
    await follow_up(interaction, text, view=view)


def _page(notes: ChoiceListing, request: RequestContext) -> Page:
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
            text = request.say(label, number=row + 1)
            buttons.append(kind(user_id=int(line.key)).button(text, row=row))
    return "\n".join(written), view_of(*buttons)

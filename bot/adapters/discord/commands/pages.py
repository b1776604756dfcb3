"""Long results a page at a time, with buttons that survive a restart: what is known, search, catch-up; and lists
for those who decide: what conversations in a channel left behind, and notes of others that wait.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

import discord

from bot.adapters.describing import truncate
from bot.adapters.discord.commands.buttons import Action, ListAction, Page, paged, view_of
from bot.adapters.discord.commands.interactions import InteractionHandler, follow_up
from bot.adapters.discord.messages import message_link
from bot.chat.commands import MOST_SEARCHED
from bot.chat.usecases.context import ChoiceListing, MemoryLine, MemoryListing, RequestContext
from bot.chat.usecases.usecases import MODERATORS_SEE, UseCases, refusal

MOST_FACTS: Final = 10
"""Facts on one page: more are not read."""

_MOST_CHARACTERS: Final = 1_950
"""Of one page, its number left out; Discord takes 2,000."""

_MOST_LINE_CHARACTERS: Final = 900
"""Of the text of one fact: its 500 with long names put in."""

_MOST_TITLE_CHARACTERS: Final = 300
"""Of a title with facts below it; that of nothing known may take a whole page."""


class TurnPage(ListAction, word="page"):
    """Turns to a page of what is known about a subject, read anew at each press."""

    subject_id: int
    page: int

    async def shown(self, use_cases: UseCases, request: RequestContext, first: str) -> Page:
        """Return the page."""
        listed = await use_cases.show(request, self.subject_id)
        return memory_page(listed, request, subject_id=self.subject_id, page=self.page)


def memory_page(shown: MemoryListing, request: RequestContext, *, subject_id: int, page: int) -> Page:
    """Return the text of a page, the last one if there are fewer, and its buttons if there are others."""
    return _paged(shown, request, lambda other: TurnPage(subject_id=subject_id, page=other), page=page)


def _paged(
    shown: MemoryListing, request: RequestContext, turn_to: Callable[[int], Action], *, page: int
) -> Page:
    pages = pages_of(shown, request)
    page = min(page, len(pages) - 1)
    return paged(request, [pages[page]], turn_to, page=page, pages=len(pages))


def pages_of(shown: MemoryListing, request: RequestContext) -> list[str]:
    """Return what is shown as texts that each fit into one message; at least one."""
    if not shown.lines:
        return [truncate(shown.title, _MOST_CHARACTERS)]
    title = truncate(shown.title, _MOST_TITLE_CHARACTERS)
    pages: list[list[str]] = []
    for line in shown.lines:
        item = linked_line(line, request)
        if not pages or not _fits(pages[-1], item):
            pages.append([title])
        pages[-1].append(item)
    for text in filter(None, (shown.full, shown.lately, shown.profile)):
        below = truncate(text, _MOST_CHARACTERS - len(title) - 1)
        if sum(map(len, pages[-1])) + len(pages[-1]) + len(below) > _MOST_CHARACTERS:
            pages.append([title])
        pages[-1].append(below)
    return ["\n".join(page) for page in pages]


def _fits(page: Sequence[str], line: str) -> bool:
    return len(page) <= MOST_FACTS and sum(map(len, page)) + len(page) + len(line) <= _MOST_CHARACTERS


def linked_line(line: MemoryLine, request: RequestContext, *, mark: str = "-") -> str:
    """Return a line as it is sent: what it says behind its `mark`, the day, and a link to where it was said."""
    text = truncate(" ".join(line.text.split()), _MOST_LINE_CHARACTERS)
    parts = [f"{mark} {text}", discord.utils.format_dt(line.said_at, "D")]
    if line.message_id:
        link = link_in(request, line.guild_id, line.channel_id, line.message_id)
        parts.append(f"[{request.say('command.source')}]({link})")
    return " · ".join(parts)


def link_in(request: RequestContext, guild_id: int, channel_id: int, message_id: int) -> str:
    """Return where a message can be seen by who asks."""
    is_direct = request.direct and guild_id == request.guild_id
    return message_link(None if is_direct else guild_id, channel_id, message_id)


class TurnSearchPage(ListAction, word="search", patterns={"words": f".{{1,{MOST_SEARCHED}}}"}):
    """Turns to a page of what was found, searched for anew at each press."""

    page: int
    words: str

    async def shown(self, use_cases: UseCases, request: RequestContext, first: str) -> Page:
        """Return the page."""
        return search_page(
            await use_cases.search(request, self.words), request, words=self.words, page=self.page
        )


def search_page(shown: MemoryListing, request: RequestContext, *, words: str, page: int) -> Page:
    """Return the text of a page, the last one if there are fewer, and its buttons if there are others."""
    return _paged(shown, request, lambda other: TurnSearchPage(page=other, words=words), page=page)


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
    return paged(
        request, written, lambda other: TurnEpisodePage(page=other), *buttons, page=page, pages=pages, row=1
    )


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
        text, view = _waiting_page(await use_cases.waiting(request), request)
        return f"{first}\n{text}", view


class KeepWaiting(EraseWaiting, word="waiting:keep"):
    """Keeps what waits about one member."""

    style = discord.ButtonStyle.secondary
    erases = False


async def send_waiting(
    interaction: discord.Interaction, request: RequestContext, notes: ChoiceListing
) -> None:
    """Show what waits, with buttons to decide."""
    text, view = _waiting_page(notes, request)
    await follow_up(interaction, text, view=view)


def _waiting_page(notes: ChoiceListing, request: RequestContext) -> Page:
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

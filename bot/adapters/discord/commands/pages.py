"""Long results a page at a time, with buttons that survive a restart: what is known, search, catch-up, and
`/privacy`.
"""

from collections.abc import Callable, Sequence
from typing import Final

import discord

from bot.adapters.discord.commands.buttons import Action, ListAction, Page, page_buttons, page_number, view_of
from bot.adapters.discord.messages import message_link, truncate
from bot.chat.commands import MOST_SEARCHED
from bot.chat.usecases.context import MemoryLine, MemoryListing, RequestContext
from bot.chat.usecases.usecases import UseCases

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
    text = "\n".join([pages[page], *page_number(request, page=page, pages=len(pages))])
    return text, view_of(*page_buttons(request, turn_to, page=page, pages=len(pages)))


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
    for text in filter(None, (shown.lately, shown.profile)):
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
        source = request.say("command.source")
        parts.append(f"[{source}]({_address(line, request)})")
    return " · ".join(parts)


def _address(line: MemoryLine, request: RequestContext) -> str:
    is_direct = request.direct and line.guild_id == request.guild_id
    return message_link(
        guild_id=None if is_direct else line.guild_id, channel_id=line.channel_id, message_id=line.message_id
    )


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

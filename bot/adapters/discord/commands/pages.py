"""Long results a page at a time, with buttons that survive a restart: what is known, search, catch-up; and lists
for those who decide: what conversations in a channel left behind, and notes of others that wait.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

import discord

from bot.adapters.describing import truncate
from bot.adapters.discord.commands.buttons import (
    Action,
    ActionButton,
    ListAction,
    Page,
    chosen_ids,
    paged,
    view_of,
)
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

_MOST_FIRST_CHARACTERS: Final = 400
"""Of what is said above a page once a button was pressed."""

_MOST_LABEL_CHARACTERS: Final = 100
"""Of a line of a list, as Discord takes it."""

_CHOOSING_ROW, _ACTING_ROW, _TURNING_ROW = 0, 1, 2


class _OfMemories(ListAction):
    subject_id: int
    page: int

    async def shown(self, use_cases: UseCases, request: RequestContext, first: str) -> Page:
        """Return the page, read anew, below what was done."""
        listed = await use_cases.show(request, self.subject_id)
        return memory_page(listed, request, subject_id=self.subject_id, page=self.page, first=first)


class TurnPage(_OfMemories, word="page"):
    """Turns to a page of what is known about a subject, read anew at each press."""

    subject_id: int
    page: int


class ForgetMemory(_OfMemories, word="memory-forget"):
    """Forgets a fact that was chosen, for its teller, its subject and moderators."""

    style = discord.ButtonStyle.danger
    subject_id: int
    fact_id: int
    page: int

    async def done(self, use_cases: UseCases, request: RequestContext) -> str:
        """Forget it."""
        return (await use_cases.forget(request, self.fact_id)).text


class DisownMemory(_OfMemories, word="memory-not-me"):
    """ "Not me" for a chosen fact: its subject declares that it is about somebody else."""

    subject_id: int
    fact_id: int
    page: int

    async def done(self, use_cases: UseCases, request: RequestContext) -> str:
        """Forget the fact, which is not about the member."""
        return (await use_cases.disown(request, self.fact_id)).text


class ChooseMemory(Action, word="memory"):
    """Offers what can be done to a fact that is chosen from those on its page."""

    subject_id: int
    page: int

    def list_of(
        self, lines: Sequence[MemoryLine], request: RequestContext, *, chosen_id: int
    ) -> ActionButton:
        """Return the list."""
        texts = {line.fact_id: " ".join(line.text.split()) for line in lines}
        return self.item(
            discord.ui.Select(
                custom_id=self.custom_id,
                placeholder=request.say("command.choose_memory"),
                options=[
                    discord.SelectOption(
                        label=truncate(text, _MOST_LABEL_CHARACTERS),
                        value=str(fact_id),
                        default=fact_id == chosen_id,
                    )
                    for fact_id, text in texts.items()
                ],
                row=_CHOOSING_ROW,
            )
        )

    async def pressed(
        self, handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext
    ) -> None:
        """Show the page again, with buttons for the chosen facts; facts that no longer exist are reported."""
        listed = await handler.use_cases.show(request, self.subject_id)
        [chosen_id] = chosen_ids(interaction) or [0]
        text, view = memory_page(
            listed, request, subject_id=self.subject_id, page=self.page, chosen_id=chosen_id
        )
        await interaction.edit_original_response(content=text, view=view)


def memory_page(
    shown: MemoryListing,
    request: RequestContext,
    *,
    subject_id: int,
    page: int,
    first: str = "",
    chosen_id: int | None = None,
) -> Page:
    """Return the text of a page, the last one if there are fewer, below `first`, and what can be pressed and chosen.

    For the fact that was chosen there are buttons, on the page where it is now.
    """
    chosen = next((one for one in shown.lines if one.fact_id == chosen_id and _is_offered(one)), None)
    if chosen_id is not None and chosen is None:
        first = request.say("command.changed_meanwhile")
    above = [truncate(first, _MOST_FIRST_CHARACTERS)] if first else []
    pages = _split(shown, request, room=_MOST_CHARACTERS - sum(len(text) + 1 for text in above))
    page = min(page, len(pages) - 1)
    if chosen is not None:
        page = next(place for place, one in enumerate(pages) if chosen in one.lines)
    offered = [line for line in pages[page].lines if _is_offered(line)]
    items = []
    if offered:
        choose = ChooseMemory(subject_id=subject_id, page=page)
        items.append(choose.list_of(offered, request, chosen_id=chosen.fact_id if chosen else 0))
    if chosen is not None:
        at = {"subject_id": subject_id, "fact_id": chosen.fact_id, "page": page}
        if chosen.may_forget:
            items.append(ForgetMemory(**at).button(request.say("command.forget_chosen"), row=_ACTING_ROW))
        if chosen.is_own:
            items.append(DisownMemory(**at).button(request.say("command.not_me_chosen"), row=_ACTING_ROW))
    return paged(
        request,
        [*above, pages[page].text],
        lambda other: TurnPage(subject_id=subject_id, page=other),
        *items,
        page=page,
        pages=len(pages),
        row=_TURNING_ROW,
    )


def _is_offered(line: MemoryLine) -> bool:
    return line.may_forget or line.is_own


def pages_of(shown: MemoryListing, request: RequestContext) -> list[str]:
    """Return what is shown as texts that each fit into one message; at least one."""
    return [page.text for page in _split(shown, request, room=_MOST_CHARACTERS)]


@dataclass(slots=True)
class _Listed:
    """One page while it is filled: its texts, and which lines are among them."""

    texts: list[str]
    lines: list[MemoryLine] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    def has_room_for(self, text: str, *, room: int) -> bool:
        return sum(map(len, self.texts)) + len(self.texts) + len(text) <= room


def _split(shown: MemoryListing, request: RequestContext, *, room: int) -> list[_Listed]:
    """Return what is shown as pages of `room` characters at most; at least one."""
    if not shown.lines:
        return [_Listed([truncate(shown.title, room)])]
    title = truncate(shown.title, _MOST_TITLE_CHARACTERS)
    pages: list[_Listed] = []
    for line in shown.lines:
        item = linked_line(line, request)
        is_full = pages and len(pages[-1].lines) == MOST_FACTS
        if not pages or is_full or not pages[-1].has_room_for(item, room=room):
            pages.append(_Listed([title]))
        pages[-1].texts.append(item)
        pages[-1].lines.append(line)
    for text in filter(None, (shown.full, shown.lately, shown.profile)):
        below = truncate(text, room - len(title) - 1)
        if not pages[-1].has_room_for(below, room=room):
            pages.append(_Listed([title]))
        pages[-1].texts.append(below)
    return pages


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
    pages = pages_of(shown, request)
    page = min(page, len(pages) - 1)
    return paged(
        request,
        [pages[page]],
        lambda other: TurnSearchPage(page=other, words=words),
        page=page,
        pages=len(pages),
    )


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

"""The entries in the menus of messages and members, "Why?" among them: what an answer rests on, with
buttons to forget it or to disown it.
"""

from collections.abc import Sequence
from typing import Final

import discord
from discord import app_commands

from bot.adapters.describing import truncate
from bot.adapters.discord.commands.answers import send_result
from bot.adapters.discord.commands.buttons import ActionButton, ListAction, Page, paged
from bot.adapters.discord.commands.interactions import InteractionHandler, follow_up
from bot.adapters.discord.commands.pages import linked_line
from bot.adapters.discord.commands.slash import BY_GUILDS, IN_PRIVATE_TOO, carry_out
from bot.adapters.discord.messages import kind_of, message_of
from bot.adapters.discord.sentences import localized
from bot.chat.usecases.context import MemoryLine, MemoryListing, RequestContext
from bot.chat.usecases.options import Given
from bot.chat.usecases.usecases import UseCases
from bot.core.domain import MessageKind


def menu_entries(handler: InteractionHandler) -> list[app_commands.ContextMenu]:
    """Return what can be asked of the memory by pointing at a message or at a member, for a tree to take."""

    async def remember_this(interaction: discord.Interaction, message: discord.Message) -> None:
        with handler.under_way.busy():
            request = await handler.receive(interaction)
            await _hear(handler, message, request)
            await send_result(interaction, await handler.use_cases.remember_message(request, message.id))

    async def forget_this(interaction: discord.Interaction, message: discord.Message) -> None:
        with handler.under_way.busy():
            request = await handler.receive(interaction)
            await send_result(interaction, await handler.use_cases.forget_message(request, message.id))

    async def why(interaction: discord.Interaction, message: discord.Message) -> None:
        with handler.under_way.busy():
            request = await handler.receive(interaction)
            shown = await handler.use_cases.why(request, message.id)
            text, view = why_page(shown, request, message_id=message.id, page=0)
            await follow_up(interaction, text, view=view)

    async def what_do_you_know(
        interaction: discord.Interaction, member: discord.Member | discord.User
    ) -> None:
        given = Given({"member": str(member.id)})
        with handler.under_way.busy():
            await carry_out("show", handler, interaction, given, people=[member])

    return [
        app_commands.ContextMenu(
            name=localized(name),
            callback=callback,
            allowed_contexts=IN_PRIVATE_TOO,
            allowed_installs=BY_GUILDS,
        )
        for name, callback in (
            ("command.remember_this", remember_this),
            ("command.forget_this", forget_this),
            ("command.why", why),
            ("command.what_do_you_know", what_do_you_know),
        )
    ]


async def _hear(handler: InteractionHandler, message: discord.Message, request: RequestContext) -> None:
    """Hear a message that was said before the bot could hear it, for Discord delivers it with the command."""
    is_here = message.channel.id == request.channel_id
    if request.visitor or not is_here or kind_of(message) is not MessageKind.MEMBER:
        return
    known = await handler.dependencies.library.message(guild_id=request.guild_id, message_id=message.id)
    if known is None:
        await handler.contexts.meet(request, message.author)
        await handler.dependencies.memory.ingest_message(message_of(message, audience=request.audience))


MOST_LINES: Final = 8
"""On one page: with two buttons each they fill four rows, and the fifth turns pages."""

_MOST_CHARACTERS: Final = 1_950
"""Of one page, its number left out; Discord takes 2,000."""

_MOST_TITLE_CHARACTERS: Final = 500
"""Of the title, and of what is said above it once a button was pressed."""

_PER_ROW: Final = 5
_LAST_ROW: Final = 4


class _OfSources(ListAction):
    message_id: int
    page: int

    async def shown(self, use_cases: UseCases, request: RequestContext, first: str) -> Page:
        """Return the page, read anew."""
        listed = await use_cases.why(request, self.message_id)
        return why_page(listed, request, message_id=self.message_id, page=self.page, first=first)


class TurnWhyPage(_OfSources, word="why"):
    """Turns to a page of what an answer rests on."""

    message_id: int
    page: int


class ForgetListed(_OfSources, word="why-forget"):
    """Forgets a fact of the list, for its teller, its subject and moderators."""

    style = discord.ButtonStyle.danger
    message_id: int
    fact_id: int
    page: int

    async def done(self, use_cases: UseCases, request: RequestContext) -> str:
        """Forget it."""
        return (await use_cases.forget(request, self.fact_id)).text


class DisownListed(_OfSources, word="why-not-me"):
    """ "Not me" for a fact of the list: its subject declares that it is about somebody else."""

    message_id: int
    fact_id: int
    page: int

    async def done(self, use_cases: UseCases, request: RequestContext) -> str:
        """Forget the fact, which is not about the member."""
        return (await use_cases.disown(request, self.fact_id)).text


def why_page(
    shown: MemoryListing, request: RequestContext, *, message_id: int, page: int, first: str = ""
) -> Page:
    """Return the text of a page, the last one if there are fewer, and its buttons; `first` stands above it."""
    title = truncate("\n".join(filter(None, (first, shown.title))), _MOST_TITLE_CHARACTERS)
    pages = _pages(shown.lines, request)
    if not pages:
        return title, None
    page = min(page, len(pages) - 1)
    number = 1 + sum(map(len, pages[:page]))
    text = [
        title,
        *(linked_line(line, request, mark=f"{at}.") for at, line in enumerate(pages[page], number)),
    ]
    return paged(
        request,
        text,
        lambda other: TurnWhyPage(message_id=message_id, page=other),
        *_fact_buttons(pages[page], request, message_id=message_id, page=page, number=number),
        page=page,
        pages=len(pages),
        row=_LAST_ROW,
    )


def _pages(lines: Sequence[MemoryLine], request: RequestContext) -> list[list[MemoryLine]]:
    """Return the lines as they fit onto pages, whatever stands above them."""
    pages: list[list[MemoryLine]] = []
    room = 0
    for line in lines:
        # A number takes at most four characters more than the mark that is counted here.
        characters = len(linked_line(line, request)) + 5
        if not pages or len(pages[-1]) == MOST_LINES or characters > room:
            pages.append([])
            room = _MOST_CHARACTERS - _MOST_TITLE_CHARACTERS
        pages[-1].append(line)
        room -= characters
    return pages


def _fact_buttons(
    lines: Sequence[MemoryLine], request: RequestContext, *, message_id: int, page: int, number: int
) -> list[ActionButton]:
    wanted = [
        (kind(message_id=message_id, fact_id=line.fact_id, page=page), request.say(label, number=at))
        for at, line in enumerate(lines, number)
        for kind, label, is_offered in (
            (ForgetListed, "command.forget_number", line.is_forgettable),
            (DisownListed, "command.not_me_number", line.is_own),
        )
        if is_offered
    ]
    return [action.button(label, row=place // _PER_ROW) for place, (action, label) in enumerate(wanted)]

"""The entries in the menus of messages and members, "Why?" among them: what an answer rests on, with
buttons to forget it or to disown it.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Self

import discord
from discord import app_commands

from bot.adapters.discord.commands import pages as commands_pages
from bot.adapters.discord.commands.answers import run_and_send
from bot.adapters.discord.commands.interactions import InteractionHandler, follow_up
from bot.adapters.discord.commands.memory_group import BY_GUILDS, IN_PRIVATE_TOO
from bot.adapters.discord.commands.pages import linked_line
from bot.adapters.discord.messages import kind_of, message_of, truncate
from bot.adapters.discord.sentences import CommandText, localized
from bot.chat.texts import say
from bot.chat.usecases.context import FormReply, MemoryLine, MemoryListing, RequestContext
from bot.core.domain import MessageKind


class Menus:
    """What can be asked of the memory by pointing at a message or at a member."""

    def __init__(self, reception: InteractionHandler) -> None:
        self._reception: Final = reception

    def entries(self) -> list[app_commands.ContextMenu]:
        """Return the entries, for a tree to take."""
        return [
            app_commands.ContextMenu(
                name=localized(name),
                callback=callback,
                allowed_contexts=IN_PRIVATE_TOO,
                allowed_installs=BY_GUILDS,
            )
            for name, callback in (
                (CommandText.REMEMBER_THIS, self.remember_this),
                (CommandText.FORGET_THIS, self.forget_this),
                (CommandText.WHAT_DO_YOU_KNOW, self.what_do_you_know),
            )
        ]

    async def remember_this(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """Store what a message says about its writer."""

        async def work(visit: RequestContext) -> FormReply:
            await self._hear(message, visit)
            return await self._reception.desk.remember_message(visit, message.id)

        await run_and_send(self._reception, interaction, work)

    async def forget_this(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """Forget what a message said or confirmed."""

        async def work(visit: RequestContext) -> FormReply:
            return await self._reception.desk.forget_message(visit, message.id)

        await run_and_send(self._reception, interaction, work)

    async def what_do_you_know(
        self, interaction: discord.Interaction, member: discord.Member | discord.User
    ) -> None:
        """Show what is known about a member."""

        async def handling(visit: RequestContext) -> None:
            await self._reception.visits.meet(visit, member)
            await commands_pages.show_memory(self._reception, interaction, visit, subject_id=member.id)

        await self._reception.receive(interaction, handling)

    async def _hear(self, message: discord.Message, visit: RequestContext) -> None:
        """Hear a message that was said before the bot could hear it, for Discord delivers it with the command."""
        is_here = message.channel.id == visit.channel_id
        if visit.visitor or not is_here or kind_of(message) is not MessageKind.MEMBER:
            return
        known = await self._reception.inside.library.message(guild_id=visit.guild_id, message_id=message.id)
        if known is None:
            await self._reception.visits.meet(visit, message.author)
            await self._reception.inside.memory.ingest_message(message_of(message, audience=visit.audience))


MOST_LINES: Final = 8
"""On one page: with two buttons each they fill four rows, and the fifth turns pages."""

_MOST_CHARACTERS: Final = 1_950
"""Of one page, its number left out; Discord takes 2,000."""

_MOST_TITLE_CHARACTERS: Final = 500
"""Of the title, and of what is said above it once a button was pressed."""

_PER_ROW: Final = 5
_LAST_ROW: Final = 4


class WhyPageButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"why:(?P<message_id>[0-9]{1,19}):(?P<page>[0-9]{1,4})",
):
    """Turns to a page of what an answer rests on, read anew at each press."""

    reception: InteractionHandler
    """Set once, before the client starts: Discord hands a click to the class, not to an object of ours."""

    def __init__(self, *, message_id: int, page: int, label: str) -> None:
        super().__init__(
            discord.ui.Button(
                label=label,
                style=discord.ButtonStyle.secondary,
                custom_id=f"why:{message_id}:{page}",
                row=_LAST_ROW,
            )
        )
        self._message_id = message_id
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
            message_id=int(match["message_id"]),
            page=int(match["page"]),
            label=getattr(item, "label", None) or match["page"],
        )

    async def callback(self, interaction: discord.Interaction) -> None:
        """Put the page in the place of the one that is shown."""

        async def handling(visit: RequestContext) -> None:
            await _put(self.reception, interaction, visit, message_id=self._message_id, page=self._page)

        await self.reception.press(interaction, handling)


class _FactButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"(?!)"):
    """Does something about one fact of the list, and shows what is left; rights are looked at when it is pressed.

    No id is this one's own: each kind of button has its template.
    """

    reception: InteractionHandler
    """Set once, as above."""
    word: str
    """With which its id begins."""
    style: discord.ButtonStyle

    def __init__(self, *, message_id: int, fact_id: int, page: int, label: str, row: int) -> None:
        super().__init__(
            discord.ui.Button(
                label=label,
                style=self.style,
                custom_id=f"{self.word}:{message_id}:{fact_id}:{page}",
                row=row,
            )
        )
        self._message_id = message_id
        self._fact_id = fact_id
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
            message_id=int(match["message_id"]),
            fact_id=int(match["fact_id"]),
            page=int(match["page"]),
            label=getattr(item, "label", None) or match["fact_id"],
            row=0,
        )

    def act(self) -> Callable[[RequestContext, int], Awaitable[FormReply]]:
        """Return what is done about the fact."""
        raise NotImplementedError

    async def callback(self, interaction: discord.Interaction) -> None:
        """Do it, and show the list again below what came of it."""

        async def handling(visit: RequestContext) -> None:
            said = await self.act()(visit, self._fact_id)
            await _put(
                self.reception,
                interaction,
                visit,
                message_id=self._message_id,
                page=self._page,
                first=said.text,
            )

        await self.reception.press(interaction, handling)


_FACT_OF_A_LIST: Final = r"(?P<message_id>[0-9]{1,19}):(?P<fact_id>[0-9]{1,19}):(?P<page>[0-9]{1,4})"


class WhyForgetButton(_FactButton, template=rf"why-forget:{_FACT_OF_A_LIST}"):
    """Forgets a fact, for its teller, its subject and moderators."""

    word = "why-forget"
    style = discord.ButtonStyle.danger

    def act(self) -> Callable[[RequestContext, int], Awaitable[FormReply]]:
        """Return what forgets the fact."""
        return self.reception.desk.forget


class WhyNotMeButton(_FactButton, template=rf"why-not-me:{_FACT_OF_A_LIST}"):
    """Takes a fact off whoever presses it, about whom it is."""

    word = "why-not-me"
    style = discord.ButtonStyle.secondary

    def act(self) -> Callable[[RequestContext, int], Awaitable[FormReply]]:
        """Return what forgets whom the fact is about."""
        return self.reception.desk.disown


def why_entry(reception: InteractionHandler) -> app_commands.ContextMenu:
    """Return the entry, for a tree to take."""

    async def why(interaction: discord.Interaction, message: discord.Message) -> None:
        async def handling(visit: RequestContext) -> None:
            shown = await reception.desk.why(visit, message.id)
            text, view = why_page(shown, visit, message_id=message.id, page=0)
            await follow_up(interaction, text, view=view)

        await reception.receive(interaction, handling)

    return app_commands.ContextMenu(
        name=localized(CommandText.WHY),
        callback=why,
        allowed_contexts=IN_PRIVATE_TOO,
        allowed_installs=BY_GUILDS,
    )


async def _put(
    reception: InteractionHandler,
    interaction: discord.Interaction,
    visit: RequestContext,
    *,
    message_id: int,
    page: int,
    first: str = "",
) -> None:
    shown = await reception.desk.why(visit, message_id)
    text, view = why_page(shown, visit, message_id=message_id, page=page, first=first)
    await interaction.edit_original_response(content=text, view=view)


def why_page(
    shown: MemoryListing, visit: RequestContext, *, message_id: int, page: int, first: str = ""
) -> tuple[str, discord.ui.View | None]:
    """Return the text of a page, the last one if there are fewer, and its buttons; `first` stands above it."""
    title = truncate("\n".join(filter(None, (first, shown.title))), _MOST_TITLE_CHARACTERS)
    pages = _pages(shown.lines, visit)
    if not pages:
        return title, None
    page = min(page, len(pages) - 1)
    number = 1 + sum(map(len, pages[:page]))
    text = [title, *(linked_line(line, visit, mark=f"{at}.") for at, line in enumerate(pages[page], number))]
    view = discord.ui.View(timeout=None)
    buttons = _fact_buttons(pages[page], visit, message_id=message_id, page=page, number=number)
    for item in buttons:
        view.add_item(item)
    for other, label in ((page - 1, CommandText.EARLIER), (page + 1, CommandText.LATER)):
        if 0 <= other < len(pages):
            text_of = say(label, visit.language)
            view.add_item(WhyPageButton(message_id=message_id, page=other, label=text_of))
    if len(pages) > 1:
        text.append(f"-# {say(CommandText.PAGE, visit.language, page=page + 1, pages=len(pages))}")
    return "\n".join(text), view if view.children else None


def _pages(lines: Sequence[MemoryLine], visit: RequestContext) -> list[list[MemoryLine]]:
    """Return the lines as they fit onto pages, whatever stands above them."""
    pages: list[list[MemoryLine]] = []
    room = 0
    for line in lines:
        # A number takes at most four characters more than the mark that is counted here.
        characters = len(linked_line(line, visit)) + 5
        if not pages or len(pages[-1]) == MOST_LINES or characters > room:
            pages.append([])
            room = _MOST_CHARACTERS - _MOST_TITLE_CHARACTERS
        pages[-1].append(line)
        room -= characters
    return pages


def _fact_buttons(
    lines: Sequence[MemoryLine], visit: RequestContext, *, message_id: int, page: int, number: int
) -> list[discord.ui.Item[Any]]:
    wanted = [
        (kind, line.fact_id, say(label, visit.language, number=at))
        for at, line in enumerate(lines, number)
        for kind, label, is_offered in (
            (WhyForgetButton, CommandText.FORGET_NUMBER, line.is_forgettable),
            (WhyNotMeButton, CommandText.NOT_ME_NUMBER, line.is_own),
        )
        if is_offered
    ]
    return [
        kind(message_id=message_id, fact_id=fact_id, page=page, label=label, row=place // _PER_ROW)
        for place, (kind, fact_id, label) in enumerate(wanted)
    ]

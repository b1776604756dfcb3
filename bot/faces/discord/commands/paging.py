"""What is known about somebody, a page at a time, with buttons that survive a restart."""

import re
from collections.abc import Sequence
from typing import Final, Self

import discord

from bot.conversation.desk import Line, Shown, Visit
from bot.conversation.texts import say
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.commands.texts import CommandText
from bot.faces.discord.jumping import address
from bot.faces.discord.words import cut

MOST_FACTS: Final = 10
"""Facts on one page: more are not read."""

_MOST_CHARACTERS: Final = 1_950
"""Of one page, its number left out; Discord takes 2,000."""

_MOST_LINE_CHARACTERS: Final = 900
"""Of the text of one fact: its 500 with long names put in."""

_MOST_TITLE_CHARACTERS: Final = 300
"""Of a title with facts below it; that of nothing known may take a whole page."""


class PageButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"page:(?P<subject_id>[0-9]{1,19}):(?P<page>[0-9]{1,6})",
):
    """Turns to a page of what is known about a subject, read anew at each press."""

    reception: Reception
    """Set once, before the client starts: Discord hands a click to the class, not to an object of ours."""

    def __init__(self, *, subject_id: int, page: int, label: str) -> None:
        super().__init__(
            discord.ui.Button(
                label=label,
                style=discord.ButtonStyle.secondary,
                custom_id=f"page:{subject_id}:{page}",
            )
        )
        self._subject_id = subject_id
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
            subject_id=int(match["subject_id"]),
            page=int(match["page"]),
            label=getattr(item, "label", None) or match["page"],
        )

    async def callback(self, interaction: discord.Interaction) -> None:
        """Put the page in the place of the one that is shown."""

        async def handling(visit: Visit) -> None:
            shown = await self.reception.desk.show(visit, self._subject_id or None)
            text, view = page_of(shown, visit, subject_id=self._subject_id, page=self._page)
            await interaction.edit_original_response(content=text, view=view)

        await self.reception.press(interaction, handling)


async def show(
    reception: Reception, interaction: discord.Interaction, visit: Visit, *, subject_id: int
) -> None:
    """Send the first page of what is known about a subject (0 is the guild itself)."""
    shown = await reception.desk.show(visit, subject_id or None)
    text, view = page_of(shown, visit, subject_id=subject_id, page=0)
    await follow_up(interaction, text, view=view)


def page_of(shown: Shown, visit: Visit, *, subject_id: int, page: int) -> tuple[str, discord.ui.View | None]:
    """Return the text of a page, the last one if there are fewer, and its buttons if there are others."""
    pages = pages_of(shown, visit)
    page = min(page, len(pages) - 1)
    if len(pages) == 1:
        return pages[0], None
    number = say(CommandText.PAGE, visit.language, page=page + 1, pages=len(pages))
    view = discord.ui.View(timeout=None)
    around = ((page - 1, CommandText.EARLIER), (page + 1, CommandText.LATER))
    for other, label in around:
        if 0 <= other < len(pages):
            view.add_item(PageButton(subject_id=subject_id, page=other, label=say(label, visit.language)))
    return f"{pages[page]}\n-# {number}", view


def pages_of(shown: Shown, visit: Visit) -> list[str]:
    """Return what is shown as texts that each fit into one message; at least one."""
    if not shown.lines:
        return [cut(shown.title, _MOST_CHARACTERS)]
    title = cut(shown.title, _MOST_TITLE_CHARACTERS)
    pages: list[list[str]] = []
    for line in shown.lines:
        item = written(line, visit)
        if not pages or not _fits(pages[-1], item):
            pages.append([title])
        pages[-1].append(item)
    for text in filter(None, (shown.lately, shown.profile)):
        below = cut(text, _MOST_CHARACTERS - len(title) - 1)
        if sum(map(len, pages[-1])) + len(pages[-1]) + len(below) > _MOST_CHARACTERS:
            pages.append([title])
        pages[-1].append(below)
    return ["\n".join(page) for page in pages]


def _fits(page: Sequence[str], line: str) -> bool:
    return len(page) <= MOST_FACTS and sum(map(len, page)) + len(page) + len(line) <= _MOST_CHARACTERS


def written(line: Line, visit: Visit, *, mark: str = "-") -> str:
    """Return a line as it is sent: what it says behind its `mark`, the day, and a link to where it was said."""
    text = cut(" ".join(line.text.split()), _MOST_LINE_CHARACTERS)
    parts = [f"{mark} {text}", discord.utils.format_dt(line.said_at, "D")]
    if line.message_id:
        source = say(CommandText.SOURCE, visit.language)
        parts.append(f"[{source}]({_address(line, visit)})")
    return " · ".join(parts)


def _address(line: Line, visit: Visit) -> str:
    is_direct = visit.direct and line.guild_id == visit.guild_id
    return address(
        guild_id=None if is_direct else line.guild_id, channel_id=line.channel_id, message_id=line.message_id
    )

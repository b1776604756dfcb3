"""Commands that are answered with what the desk says."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import discord

from bot.conversation.desk import Said, Visit
from bot.faces.discord.commands.forgotten_buttons import details_view_of
from bot.faces.discord.commands.reception import Reception, follow_up
from bot.faces.discord.commands.taking_back import take_back_view
from bot.faces.discord.sentences import language_of
from bot.faces.discord.splitting import split

_MOST_MESSAGES: Final = 5
"""Of one answer; those that only one member sees push nobody else out of sight."""

Work: TypeAlias = Callable[[Visit], Awaitable[Said]]


async def answer(
    reception: Reception, interaction: discord.Interaction, work: Work, *, of_channel: bool = False
) -> None:
    """Carry out `work` and say what it returns; `of_channel` as in `Visits.visit`."""

    async def handling(visit: Visit) -> None:
        await say(interaction, await work(visit))

    await reception.receive(interaction, handling, of_channel=of_channel)


async def say(interaction: discord.Interaction, said: Said) -> None:
    """Say what came of a command, with a button to undo what it stored, or to look at what it took."""
    language = language_of(interaction.locale)
    view = take_back_view(interaction, said) or details_view_of(interaction, said, language)
    parts = split(said.text, most=_MOST_MESSAGES).messages
    for number, part in enumerate(parts, start=1):
        await follow_up(interaction, part, view=view if number == len(parts) else None)

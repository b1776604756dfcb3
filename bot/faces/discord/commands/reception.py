"""What all commands and buttons share: time is asked for first, failures are told, answers are for one pair of eyes."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

import discord

from bot.conversation.desk import Desk, Visit
from bot.faces.discord.commands.failing import tell_failure
from bot.faces.discord.commands.visits import Visits
from bot.faces.discord.inside import Inside

_COMMAND: Final = re.compile(r"/memory [a-z]+")

Handling: TypeAlias = Callable[[Visit], Awaitable[None]]
"""What is done for somebody who came, the answer included."""


class Reception:
    """Receives interactions."""

    def __init__(self, inside: Inside, visits: Visits, *, erased: Callable[[int], None]) -> None:
        """`erased` is told of users who had erased what is kept of them."""
        self.inside: Final = inside
        self.visits: Final = visits
        self.erased: Final = erased
        self.mentions: dict[str, str] = {}
        """How a command is written so that members can click it, by its English name ("/memory show")."""

    @property
    def desk(self) -> Desk:
        """Whoever carries commands out."""
        return self.inside.desk

    async def receive(
        self, interaction: discord.Interaction, handling: Handling, *, of_channel: bool = False
    ) -> None:
        """Ask for time, then let `handling` answer by `follow_up`; `of_channel` as in `Visits.visit`."""
        try:
            # Without this answer nobody would see what was done, so nothing is done without it.
            await interaction.response.defer(ephemeral=True, thinking=True)
            await handling(await self.visits.visit(interaction, of_channel=of_channel))
        except Exception as error:
            await tell_failure(interaction, error)

    async def press(
        self, interaction: discord.Interaction, handling: Handling, *, of_channel: bool = False
    ) -> None:
        """Take note that a button was pressed, then let `handling` change the message that has it.

        `of_channel` as in `Visits.visit`.
        """
        try:
            await interaction.response.defer()
            await handling(await self.visits.visit(interaction, of_channel=of_channel))
        except Exception as error:
            await tell_failure(interaction, error)

    def command(self, name: str) -> str:
        """Return how the command with this English name is written: as a mention, once Discord told its id."""
        return self.mentions.get(name, name)

    def with_mentions(self, text: str) -> str:
        """Return `text` with the commands in it as members can click them, each in their own language."""
        return _COMMAND.sub(lambda found: self.command(found[0]), text)


async def follow_up(
    interaction: discord.Interaction,
    text: str = "",
    *,
    view: discord.ui.View | None = None,
    embeds: Sequence[discord.Embed] = (),
) -> None:
    """Send one more message to whoever gave a command; it mentions nobody and shows no previews of links."""
    await interaction.followup.send(
        text,
        ephemeral=True,
        embeds=embeds,
        suppress_embeds=not embeds,
        allowed_mentions=discord.AllowedMentions.none(),
        view=discord.utils.MISSING if view is None else view,
    )

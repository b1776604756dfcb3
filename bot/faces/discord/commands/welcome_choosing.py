"""Choosing the base role and the channels to leave out from lists; the lists survive a restart."""

import re
from collections.abc import Sequence
from typing import Final, Self

import discord

from bot.conversation.desk import Visit
from bot.conversation.desk.leaving_out import MOST_CHANNELS
from bot.conversation.texts import say
from bot.domain import Language
from bot.faces.discord.commands.reception import Reception
from bot.faces.discord.commands.settings_command import BASE_ROLE
from bot.faces.discord.commands.welcome_texts import WelcomeText
from bot.faces.discord.sentences import language_of

_HEARD: Final = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
]


class RoleChoice(
    discord.ui.DynamicItem[discord.ui.RoleSelect[discord.ui.View]], template=r"welcome-choice:role"
):
    """Makes the chosen role the base role."""

    reception: Reception
    """Set once, before the client starts: Discord hands a choice to the class, not to an object of ours."""

    def __init__(self, language: Language) -> None:
        super().__init__(
            discord.ui.RoleSelect(
                custom_id="welcome-choice:role",
                placeholder=say(WelcomeText.ROLE_PLACEHOLDER, language),
                min_values=0,
            )
        )

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        _item: discord.ui.Item[discord.ui.View],
        _match: re.Match[str],
        /,
    ) -> Self:
        """Return the list that was chosen from."""
        return cls(language_of(interaction.locale))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Set the role, for managers, and put what was done in the place of the list."""
        role_id = str(self.item.values[0].id) if self.item.values else ""

        async def handling(visit: Visit) -> None:
            said = await self.reception.desk.change(visit, BASE_ROLE, role_id)
            # Which channels are open hangs on it, and holds from the next message on.
            await self.reception.visits.renew(visit.guild_id)
            await interaction.edit_original_response(content=said.text, view=None)

        await self.reception.press(interaction, handling)


class ChannelsChoice(
    discord.ui.DynamicItem[discord.ui.ChannelSelect[discord.ui.View]], template=r"welcome-choice:channels"
):
    """Leaves the chosen channels out, and hears those again that were chosen before and are no longer."""

    reception: Reception
    """Set once, before the client starts."""

    def __init__(self, language: Language, left_out: Sequence[int] = ()) -> None:
        super().__init__(
            discord.ui.ChannelSelect(
                custom_id="welcome-choice:channels",
                channel_types=_HEARD,
                placeholder=say(WelcomeText.CHANNELS_PLACEHOLDER, language),
                min_values=0,
                max_values=MOST_CHANNELS,
                default_values=[discord.Object(one) for one in left_out[:MOST_CHANNELS]],
            )
        )

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        _item: discord.ui.Item[discord.ui.View],
        _match: re.Match[str],
        /,
    ) -> Self:
        """Return the list that was chosen from."""
        return cls(language_of(interaction.locale))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Set the switches of the channels, for managers, and put what was done in the place of the list."""
        chosen = {channel.id for channel in self.item.values}

        async def handling(visit: Visit) -> None:
            said = await self.reception.desk.leave_out(visit, chosen)
            await interaction.edit_original_response(content=said.text, view=None)

        await self.reception.press(interaction, handling)


def role_view(language: Language) -> discord.ui.View:
    """Return the list of roles."""
    view = discord.ui.View(timeout=None)
    view.add_item(RoleChoice(language))
    return view


def channels_view(language: Language, left_out: Sequence[int]) -> discord.ui.View:
    """Return the list of channels, with those chosen that are left out by their ids."""
    view = discord.ui.View(timeout=None)
    view.add_item(ChannelsChoice(language, left_out))
    return view

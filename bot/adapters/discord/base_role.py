"""The base role and the channels to leave out: proposed to guilds, chosen from lists by their managers.
Buttons and lists survive a restart.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Self

import aiohttp
import discord

from bot.adapters.discord.audiences import proposed_base_role
from bot.adapters.discord.commands.interactions import InteractionHandler
from bot.adapters.discord.commands.settings import BASE_ROLE
from bot.adapters.discord.dependencies import DiscordDependencies
from bot.adapters.discord.guilds import place_to_speak
from bot.adapters.discord.sentences import Sentence, WelcomeText, language_of
from bot.chat.texts import say
from bot.chat.usecases.context import RequestContext
from bot.chat.usecases.managing import MOST_CHANNELS
from bot.core.domain import Guild, Language
from bot.core.errors import DatabaseError
from bot.core.log import trace

if TYPE_CHECKING:
    from bot.adapters.discord.guilds import GuildRegistry

logger = logging.getLogger(__name__)


_MOST_LABEL_CHARACTERS = 80
_NOTICE = "base_role"


class BaseRoleButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"base-role:(?P<role_id>[0-9]{1,19})"
):
    """Makes a role the base role of the guild in which it is clicked; it survives a restart."""

    inside: DiscordDependencies
    rooms: "GuildRegistry"
    """Both set once, before the client starts: Discord hands a click to the class, not to an object of ours."""

    def __init__(self, *, role_id: int, label: str) -> None:
        super().__init__(
            discord.ui.Button(
                label=label[:_MOST_LABEL_CHARACTERS],
                style=discord.ButtonStyle.primary,
                custom_id=f"base-role:{role_id}",
            )
        )
        self._role_id = role_id

    @classmethod
    async def from_custom_id(
        cls,
        _interaction: discord.Interaction,
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> Self:
        """Return the button that was clicked."""
        return cls(role_id=int(match["role_id"]), label=getattr(item, "label", None) or "")

    async def callback(self, interaction: discord.Interaction) -> None:
        """Set the role if this member may, and put what was done in the place of the question."""
        language = language_of(interaction.locale)
        if interaction.guild is None or not interaction.permissions.manage_guild:
            await interaction.response.send_message(say(Sentence.ONLY_MANAGERS, language), ephemeral=True)
            return
        role = interaction.guild.get_role(self._role_id)
        if role is None:
            await interaction.response.send_message(say(Sentence.BASE_ROLE_GONE, language), ephemeral=True)
            return
        await interaction.response.defer()
        try:
            await self._set(interaction.guild, role)
        except DatabaseError as error:
            logger.warning("guild %d got no base role: %s", interaction.guild.id, trace(error))
            await interaction.followup.send(say(Sentence.DATABASE_AWAY, language), ephemeral=True)
            return
        told = say(Sentence.BASE_ROLE_SET, language_of(interaction.guild.preferred_locale), role=role.mention)
        await interaction.edit_original_response(content=told, view=None)

    async def _set(self, guild: discord.Guild, role: discord.Role) -> None:
        was = await self.inside.directory.guild(guild.id)
        if was is not None:
            await self.inside.directory.change_guild(was, replace(was, base_role_id=role.id))
        self.rooms.renew(guild.id, whole=True)
        await self.rooms.settled()


async def propose_base_role(guild: discord.Guild, settings: Guild, inside: DiscordDependencies) -> None:
    """Ask the managers of `guild` whether the role that most members hold is its base role, once a day at most.

    Nothing happens where a base role was picked, or @everyone can read enough. Raises `DatabaseError`.
    """
    if settings.base_role_id is not None:
        return
    channel = place_to_speak(guild)
    could_be = proposed_base_role(guild, holders={role.id: 1 for role in guild.roles})
    if could_be is None or channel is None:
        return
    role = proposed_base_role(guild, holders=await _holders(guild))
    if role is None or not await inside.directory.notices.first_today(guild_id=guild.id, kind=_NOTICE):
        return
    language = language_of(guild.preferred_locale)
    try:
        await channel.send(
            say(Sentence.BASE_ROLE, language, role=role.mention),
            view=_view(role, language),
            allowed_mentions=discord.AllowedMentions.none(),
        )
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        logger.warning("guild %d could not be asked for its base role: %s", guild.id, trace(error))


async def _holders(guild: discord.Guild) -> dict[int, int] | None:
    """Return how many members have each role by its id, `None` if Discord does not say.

    The members that the client knows are all only of a small guild.
    """
    if len(guild.members) == guild.member_count:
        return None
    try:
        return {role.id: count for role, count in (await guild.role_member_counts()).items()}
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        logger.info("guild %d does not count its roles: %s", guild.id, trace(error))
        return None


def _view(role: discord.Role, language: Language) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    label = say(Sentence.BASE_ROLE_YES, language, role=f"@{role.name}")
    view.add_item(BaseRoleButton(role_id=role.id, label=label))
    return view


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

    reception: InteractionHandler
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

        async def handling(visit: RequestContext) -> None:
            said = await self.reception.desk.change(visit, BASE_ROLE, role_id)
            # Which channels are open hangs on it, and holds from the next message on.
            await self.reception.visits.renew(visit.guild_id)
            await interaction.edit_original_response(content=said.text, view=None)

        await self.reception.press(interaction, handling)


class ChannelsChoice(
    discord.ui.DynamicItem[discord.ui.ChannelSelect[discord.ui.View]], template=r"welcome-choice:channels"
):
    """Leaves the chosen channels out, and hears those again that were chosen before and are no longer."""

    reception: InteractionHandler
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

        async def handling(visit: RequestContext) -> None:
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

"""The base role and the channels to leave out: proposed to guilds, and chosen by their managers from lists that survive
a restart.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import aiohttp
import discord

from bot.adapters.discord.audiences import proposed_base_role
from bot.adapters.discord.commands.buttons import Action, chosen_ids, view_of
from bot.adapters.discord.commands.interactions import InteractionHandler
from bot.adapters.discord.guilds import place_to_speak
from bot.adapters.discord.sentences import language_of
from bot.chat.keepsake import Keepsake
from bot.chat.usecases.context import RequestContext
from bot.chat.usecases.managing import MOST_CHANNELS
from bot.core.domain import Guild, Language
from bot.core.errors import DatabaseError
from bot.core.log import trace
from bot.memory.guilds.settings import BASE_ROLE
from bot.text.sentences import say

logger = logging.getLogger(__name__)


_MOST_LABEL_CHARACTERS = 80
_NOTICE = "base_role"


class SetBaseRole(Action, word="base-role"):
    """Makes a role the base role of the guild in which it is clicked."""

    style = discord.ButtonStyle.primary
    role_id: int

    async def click(self, handler: InteractionHandler, interaction: discord.Interaction) -> None:
        """Set the role if this member may, and put what was done in the place of the question."""
        language = language_of(interaction.locale)
        if interaction.guild is None or not interaction.permissions.manage_guild:
            await interaction.response.send_message(say("notice.only_managers", language), ephemeral=True)
            return
        role = interaction.guild.get_role(self.role_id)
        if role is None:
            await interaction.response.send_message(say("notice.base_role_gone", language), ephemeral=True)
            return
        await interaction.response.defer()
        directory = handler.dependencies.directory
        try:
            was = await directory.guild(interaction.guild.id)
            if was is not None:
                await directory.change_guild(was, replace(was, base_role_id=role.id))
            await handler.contexts.renew(interaction.guild.id)
        except DatabaseError as error:
            logger.warning("guild %d got no base role: %s", interaction.guild.id, trace(error))
            await interaction.followup.send(say("notice.database_away", language), ephemeral=True)
            return
        told = say("notice.base_role_set", language_of(interaction.guild.preferred_locale), role=role.mention)
        await interaction.edit_original_response(content=told, view=None)


async def propose_base_role(guild: discord.Guild, settings: Guild, dependencies: Keepsake) -> None:
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
    if role is None or not await dependencies.directory.notices.first_today(guild_id=guild.id, kind=_NOTICE):
        return
    language = language_of(guild.preferred_locale)
    label = say("notice.base_role_yes", language, role=f"@{role.name}")
    try:
        await channel.send(
            say("notice.base_role", language, role=role.mention),
            view=view_of(SetBaseRole(role_id=role.id).button(label[:_MOST_LABEL_CHARACTERS]))
            or discord.utils.MISSING,
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


_HEARD: Final = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
]


class ChooseRole(Action, word="welcome-choice:role"):
    """Makes the role that is chosen from a list the base role."""

    async def pressed(
        self, handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext
    ) -> None:
        """Set the role, for managers, and put what was done in the place of the list."""
        role_id = "".join(map(str, chosen_ids(interaction)))
        said = await handler.use_cases.change(request, BASE_ROLE, role_id)
        # Which channels are open hangs on it, and holds from the next message on.
        await handler.contexts.renew(request.guild_id)
        await interaction.edit_original_response(content=said.text, view=None)


class ChooseChannels(Action, word="welcome-choice:channels"):
    """Leaves the chosen channels out, and hears those again that were chosen before and are no longer."""

    async def pressed(
        self, handler: InteractionHandler, interaction: discord.Interaction, request: RequestContext
    ) -> None:
        """Set the switches of the channels, for managers, and put what was done in the place of the list."""
        said = await handler.use_cases.leave_out(request, chosen_ids(interaction))
        await interaction.edit_original_response(content=said.text, view=None)


def role_view(language: Language) -> discord.ui.View | None:
    """Return the list of roles."""
    action = ChooseRole()
    placeholder = say("welcome.role_placeholder", language)
    return view_of(
        action.item(discord.ui.RoleSelect(custom_id=action.custom_id, placeholder=placeholder, min_values=0))
    )


def channels_view(language: Language, left_out: Sequence[int]) -> discord.ui.View | None:
    """Return the list of channels, with those chosen that are left out by their ids."""
    action = ChooseChannels()
    return view_of(
        action.item(
            discord.ui.ChannelSelect(
                custom_id=action.custom_id,
                channel_types=_HEARD,
                placeholder=say("welcome.channels_placeholder", language),
                min_values=0,
                max_values=MOST_CHANNELS,
                default_values=[discord.Object(one) for one in left_out[:MOST_CHANNELS]],
            )
        )
    )

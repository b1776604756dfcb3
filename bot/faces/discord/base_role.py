"""Proposing a base role to guilds that hide most channels from @everyone, and taking it when a manager agrees."""

import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Self

import aiohttp
import discord

from bot.conversation.texts import say
from bot.domain import Guild, Language
from bot.errors import DatabaseError
from bot.faces.discord.audiences import proposed_base_role
from bot.faces.discord.inside import Inside
from bot.faces.discord.leaving import place_to_speak
from bot.faces.discord.sentences import Sentence, language_of
from bot.log import trace

if TYPE_CHECKING:
    from bot.faces.discord.rooms import Rooms

logger = logging.getLogger(__name__)

_MOST_LABEL_CHARACTERS = 80
_NOTICE = "base_role"


class BaseRoleButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"base-role:(?P<role_id>[0-9]{1,19})"
):
    """Makes a role the base role of the guild in which it is clicked; it survives a restart."""

    inside: Inside
    rooms: "Rooms"
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


async def propose_base_role(guild: discord.Guild, settings: Guild, inside: Inside) -> None:
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

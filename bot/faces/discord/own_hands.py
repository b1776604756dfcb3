"""What members can read of a guild, and files for their eyes alone: what only Discord knows and can do."""

import io
import logging
from collections.abc import Collection

import aiohttp
import discord

from bot.conversation.own_rights.hands import CanRead, HandedFile, HandOver, Reads
from bot.faces.discord.audiences import readable_audiences, reads
from bot.faces.discord.rooms import Rooms
from bot.log import trace

logger = logging.getLogger(__name__)


def reads_of(client: discord.Client, rooms: Rooms, user_id: int) -> Reads:
    """Return what tells the audiences that a user can read in a guild; none where they are no member.

    What Discord does not tell counts as closed to them.
    """

    async def reads(guild_id: int) -> tuple[int, ...]:
        guild = client.get_guild(guild_id)
        if guild is None or not rooms.is_known(guild_id):
            return ()
        try:
            member = guild.get_member(user_id) or await guild.fetch_member(user_id)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            logger.info("what member %d of guild %d reads is not known: %s", user_id, guild_id, trace(error))
            return ()
        return readable_audiences(member, base_role_id=rooms.base_role_id(guild_id))

    return reads


def can_read_of(client: discord.Client, guild_id: int | None, user_id: int) -> CanRead | None:
    """Return what tells which channels of a guild a user can read now; `None` in a direct message.

    What Discord does not tell counts as closed to them.
    """
    if guild_id is None:
        return None

    async def can_read(channel_ids: Collection[int]) -> frozenset[int]:
        guild = client.get_guild(guild_id)
        if guild is None:
            return frozenset()
        try:
            member = guild.get_member(user_id) or await guild.fetch_member(user_id)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            logger.info("what member %d of guild %d reads is not known: %s", user_id, guild_id, trace(error))
            return frozenset()
        rooms = {channel_id: guild.get_channel_or_thread(channel_id) for channel_id in channel_ids}
        return frozenset(
            channel_id for channel_id, room in rooms.items() if room is not None and reads(member, room)
        )

    return can_read


def hand_over_to(author: discord.Member | discord.User) -> HandOver:
    """Return what sends `author` a file as a direct message, and tells whether they take such."""

    async def hand_over(file: HandedFile) -> bool:
        try:
            await author.send(file=as_file(file))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            logger.info("member %d got no file: %s", author.id, trace(error))
            return False
        return True

    return hand_over


def as_file(file: HandedFile) -> discord.File:
    """Return a file as Discord takes it."""
    return discord.File(io.BytesIO(file.content), filename=file.name)

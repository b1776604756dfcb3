"""Guilds and channels as Discord tells them become ours, and are taken up when a guild comes into sight."""

from collections.abc import Iterable, Mapping
from typing import Final

import discord

from bot.clock import Clock, SystemClock
from bot.domain import Channel, Guild
from bot.faces.discord.audiences import audience_of, is_hidden
from bot.faces.discord.translate import member_of
from bot.faces.discord.words import kept
from bot.memory.directory import Directory
from bot.settings import Settings

_MEMBERS_AT_ONCE: Final = 1_000
"""Members put into one transaction, so that a large guild leaves room for what is being said meanwhile."""

_WITH_MESSAGES: Final = (
    discord.TextChannel,
    discord.VoiceChannel,
    discord.StageChannel,
    discord.ForumChannel,
)


def guild_of(guild: discord.Guild, settings: Settings) -> Guild:
    """Return `guild` with the settings that a new one begins with."""
    return Guild(guild_id=guild.id, name=kept(guild.name), time_zone=settings.time_zone)


def channel_of(
    channel: discord.abc.GuildChannel | discord.Thread, *, base_role_id: int | None, known_name: str = ""
) -> Channel:
    """Return `channel` with the audience of what is said there now.

    One whose name Discord hides from the bot keeps `known_name`, the one that it had before.
    """
    hidden = isinstance(channel, discord.abc.GuildChannel) and is_hidden(channel)
    return Channel(
        guild_id=channel.guild.id,
        channel_id=channel.id,
        name=known_name if hidden and known_name else kept(channel.name),
        audience=audience_of(channel, base_role_id=base_role_id),
        parent_id=channel.parent_id if isinstance(channel, discord.Thread) else None,
    )


def channels_of(
    guild: discord.Guild, *, base_role_id: int | None, known_names: Mapping[int, str] | None = None
) -> list[Channel]:
    """Return the channels of `guild` that hold messages, then its active threads.

    `known_names`, by channel id, are kept by channels whose names Discord hides from the bot.
    """
    names = known_names or {}
    rooms: list[discord.abc.GuildChannel | discord.Thread] = [
        channel for channel in guild.channels if isinstance(channel, _WITH_MESSAGES)
    ]
    return [
        channel_of(room, base_role_id=base_role_id, known_name=names.get(room.id, ""))
        for room in [*rooms, *guild.threads]
    ]


async def take_up(
    guild: discord.Guild, directory: Directory, settings: Settings, *, clock: Clock | None = None
) -> Guild:
    """Put `guild` into the directory as it is now, and return it with the settings that it has there.

    Channels that are gone are dropped; threads stay as long as their parent, for an archived one is told of no
    more than one that was deleted. Members are those known to the client, the bot among them.
    """
    await directory.add_guild(guild_of(guild, settings))
    taken = await directory.guild(guild.id) or guild_of(guild, settings)
    known = await directory.channels(guild.id)
    now = channels_of(
        guild,
        base_role_id=taken.base_role_id,
        known_names={channel.channel_id: channel.name for channel in known},
    )
    await directory.put_channels(now)
    gone = _gone(known, now)
    if gone:
        await directory.drop_channels(guild_id=guild.id, channel_ids=gone, at=(clock or SystemClock()).now())
    members = [member_of(member, guild_id=guild.id) for member in _known_members(guild)]
    for start in range(0, len(members), _MEMBERS_AT_ONCE):
        await directory.put_members(members[start : start + _MEMBERS_AT_ONCE])
    return taken


def _gone(known: Iterable[Channel], now: Iterable[Channel]) -> list[int]:
    there = {channel.channel_id for channel in now}
    return [
        channel.channel_id
        for channel in known
        if channel.channel_id not in there and (channel.parent_id is None or channel.parent_id not in there)
    ]


def _known_members(guild: discord.Guild) -> list[discord.Member]:
    members = {member.id: member for member in (*guild.members, guild.me)}
    return list(members.values())

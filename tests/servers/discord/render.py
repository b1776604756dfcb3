"""Users, members, roles, channels and guilds as Discord sends them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tests.servers.discord.snowflakes import moment, written
from tests.servers.discord.state import ChannelKind, FakeChannel, FakeMember, FakeRole, FakeUser, Json

if TYPE_CHECKING:
    from tests.servers.discord.guild_base import GuildBase
    from tests.servers.discord.world import World


HIDDEN_NAME = "___hidden___"
"""What a channel is called to a bot that may not see it."""

_OBFUSCATED = 1 << 17


def user_json(user: FakeUser) -> Json:
    """Return a user as everybody sees them."""
    body: Json = {
        "id": str(user.user_id),
        "username": user.name,
        "avatar": None,
        "discriminator": user.discriminator,
        "public_flags": 0,
        "flags": 0,
        "global_name": user.display_name,
        "primary_guild": None,
    }
    if user.is_bot:
        body["bot"] = True
    return body


def self_json(user: FakeUser) -> Json:
    """Return the bot's own user as it sees itself."""
    return {
        **user_json(user),
        "mfa_enabled": True,
        "locale": user.locale,
        "verified": True,
        "email": None,
        "premium_type": 0,
    }


def member_json(member: FakeMember) -> Json:
    """Return a member with the user inside."""
    return {**partial_member_json(member), "user": user_json(member.user)}


def partial_member_json(member: FakeMember) -> Json:
    """Return a member without the user, as it hangs on messages."""
    return {
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None,
        "flags": 0,
        "joined_at": written(member.joined_at),
        "nick": member.nickname,
        "pending": False,
        "premium_since": None,
        "roles": [str(role_id) for role_id in sorted(member.role_ids)],
        "mute": False,
        "deaf": False,
    }


def role_json(role: FakeRole) -> Json:
    """Return a role."""
    body: Json = {
        "id": str(role.role_id),
        "name": role.name,
        "description": None,
        "permissions": str(int(role.permissions)),
        "position": role.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": role.bot_id is not None,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }
    if role.bot_id is not None:
        body["tags"] = {"bot_id": str(role.bot_id)}
    return body


def channel_json(channel: FakeChannel, world: "World") -> Json:
    """Return a channel, a thread or a direct-message channel as the bot may see it."""
    if channel.recipient is not None:
        return {
            "id": str(channel.channel_id),
            "type": int(ChannelKind.DIRECT),
            "flags": 0,
            "last_message_id": _id_or_null(world.unkind.last_id(channel)),
            "recipients": [user_json(channel.recipient)],
        }
    return thread_json(channel, world) if channel.is_thread else _room_json(channel)


def _room_json(channel: FakeChannel) -> Json:
    guild = channel.guild
    if guild is None:
        raise ValueError(f"channel {channel.channel_id} belongs to no guild")
    seen = guild.bot_sees(channel)
    body: Json = {
        "id": str(channel.channel_id),
        "type": int(channel.kind),
        "flags": 0 if seen else _OBFUSCATED,
        "guild_id": str(guild.guild_id),
        "name": channel.name if seen else HIDDEN_NAME,
        "position": channel.position,
        "parent_id": None if channel.parent is None else str(channel.parent.channel_id),
        "permission_overwrites": [
            {
                "id": str(overwrite.target_id),
                "type": int(overwrite.is_member),
                "allow": str(int(overwrite.allow)),
                "deny": str(int(overwrite.deny)),
            }
            for overwrite in channel.overwrites.values()
        ],
        "nsfw": channel.nsfw and seen,
    }
    if channel.kind is ChannelKind.CATEGORY:
        return body
    body |= {
        "last_message_id": _id_or_null(guild.world.unkind.last_id(channel)) if seen else None,
        "topic": channel.topic if seen else None,
        "rate_limit_per_user": 0,
    }
    if channel.kind in (ChannelKind.VOICE, ChannelKind.STAGE):
        body |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
    if channel.kind is ChannelKind.FORUM:
        body |= {
            "available_tags": [],
            "default_reaction_emoji": None,
            "default_sort_order": None,
            "default_forum_layout": 0,
        }
    return body


def thread_json(thread: FakeChannel, world: "World") -> Json:
    """Return a thread; with the bot's membership if it has joined."""
    parent = thread.parent
    body: Json = {
        "id": str(thread.channel_id),
        "type": int(thread.kind),
        "flags": 0,
        "guild_id": str(thread.guild_id),
        "parent_id": None if parent is None else str(parent.channel_id),
        "owner_id": str(thread.owner_id),
        "name": thread.name,
        "last_message_id": _id_or_null(world.unkind.last_id(thread)),
        "rate_limit_per_user": 0,
        "message_count": max(0, thread.total_messages - 1),
        "total_message_sent": max(0, thread.total_messages - 1),
        "member_count": min(50, len(thread.thread_members)),
        "thread_metadata": _thread_metadata(thread),
    }
    if parent is not None and parent.kind is ChannelKind.FORUM:
        body["applied_tags"] = []
    if world.bot.user_id in thread.thread_members:
        body["member"] = thread_member_json(thread, world.bot.user_id)
    if thread.garbled:
        del body["thread_metadata"]
    return body


def _thread_metadata(thread: FakeChannel) -> Json:
    body: Json = {
        "archived": thread.archived,
        "archive_timestamp": written(thread.archived_at or moment(thread.channel_id)),
        "auto_archive_duration": 1440,
        "locked": thread.locked,
        "create_timestamp": written(moment(thread.channel_id)),
    }
    if thread.is_private_thread:
        body["invitable"] = True
    return body


def thread_member_json(thread: FakeChannel, user_id: int) -> Json:
    """Return the membership of a user in a thread."""
    return {
        "id": str(thread.channel_id),
        "user_id": str(user_id),
        "join_timestamp": written(thread.thread_members[user_id]),
        "flags": 0,
    }


def thread_list_json(guild: "GuildBase", parents: Sequence[FakeChannel]) -> Json:
    """Return what tells of the open threads in channels that came into the bot's sight."""
    world, bot_id = guild.world, guild.world.bot.user_id
    threads = [thread for thread in guild.visible_threads() if thread.parent in parents]
    return {
        "guild_id": str(guild.guild_id),
        "channel_ids": [str(parent.channel_id) for parent in parents],
        "threads": [thread_json(thread, world) for thread in threads],
        "members": [
            thread_member_json(thread, bot_id) for thread in threads if bot_id in thread.thread_members
        ],
    }


def guild_json(guild: "GuildBase") -> Json:
    """Return a guild as REST gives it."""
    return {
        "id": str(guild.guild_id),
        "name": guild.name,
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "owner_id": str(guild.owner_id),
        "application_id": None,
        "region": "deprecated",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": next((str(one.channel_id) for one in guild.channels.values()), None),
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 1,
        "roles": [role_json(role) for role in guild.roles.values()],
        "default_message_notifications": 1,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": guild.locale,
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
    }


def guild_create_json(guild: "GuildBase", *, all_members: bool) -> Json:
    """Return a guild as the gateway gives it: with channels, threads, and the bot as the only member.

    Discord adds the other members only to a connection that is told presences.
    """
    world = guild.world
    members = list(guild.members.values()) if all_members else [guild.bot]
    return {
        **guild_json(guild),
        "joined_at": written(guild.bot.joined_at),
        "large": len(guild.members) > 250,
        "unavailable": False,
        "member_count": len(guild.members),
        "voice_states": [],
        "members": [member_json(member) for member in members],
        "channels": [channel_json(channel, world) for channel in guild.channels.values()],
        "threads": [thread_json(thread, world) for thread in guild.visible_threads()],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def _id_or_null(snowflake: int | None) -> str | None:
    return None if snowflake is None else str(snowflake)

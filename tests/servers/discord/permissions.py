"""What somebody may do in a channel, computed as Discord does: roles, then overwrites, then the thread's own rule."""

from enum import IntFlag
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.servers.discord.state import FakeChannel, FakeMember


class Permission(IntFlag):
    """The permissions that matter here, by Discord's bits."""

    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    CONNECT = 1 << 20
    CHANGE_NICKNAME = 1 << 26
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    MODERATE_MEMBERS = 1 << 40


TALKING = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ATTACH_FILES
    | Permission.EMBED_LINKS
    | Permission.ADD_REACTIONS
    | Permission.CONNECT
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.USE_APPLICATION_COMMANDS
)
"""What @everyone may do in a new guild, and what the bot is invited with."""

EVERYTHING = (1 << 53) - 1
"""What the owner and administrators may do."""

MODERATING = Permission.MODERATE_MEMBERS | Permission.MANAGE_MESSAGES | Permission.KICK_MEMBERS
MANAGING = Permission.MANAGE_GUILD | Permission.MANAGE_CHANNELS | Permission.MANAGE_ROLES


def guild_permissions(member: "FakeMember") -> int:
    """Return what `member` may do in the guild, channels aside."""
    guild = member.guild
    if guild.owner_id == member.user_id:
        return EVERYTHING
    allowed = guild.everyone.permissions
    for role in guild.roles.values():
        if role.role_id in member.role_ids:
            allowed |= role.permissions
    return EVERYTHING if allowed & Permission.ADMINISTRATOR else allowed


def permissions_in(channel: "FakeChannel", member: "FakeMember") -> int:
    """Return what `member` may do in `channel`, a thread too; 0 for who cannot see it."""
    allowed = guild_permissions(member)
    if allowed == EVERYTHING:
        return allowed
    room = channel.parent if channel.is_thread and channel.parent is not None else channel
    allowed = _overwritten(allowed, room, member)
    if not allowed & Permission.VIEW_CHANNEL:
        return 0
    if channel.is_private_thread and not (
        member.user_id in channel.thread_members or allowed & Permission.MANAGE_THREADS
    ):
        return 0
    if channel.is_thread:
        in_threads = bool(allowed & Permission.SEND_MESSAGES_IN_THREADS)
        allowed = (
            allowed | Permission.SEND_MESSAGES if in_threads else allowed & ~int(Permission.SEND_MESSAGES)
        )
    return allowed


def _overwritten(allowed: int, room: "FakeChannel", member: "FakeMember") -> int:
    by_target = room.overwrites
    everyone = by_target.get(member.guild.guild_id)
    if everyone is not None:
        allowed = allowed & ~everyone.deny | everyone.allow
    theirs = [by_target[role_id] for role_id in member.role_ids if role_id in by_target]
    for overwrite in theirs:
        allowed &= ~overwrite.deny
    for overwrite in theirs:
        allowed |= overwrite.allow
    own = by_target.get(member.user_id)
    return allowed if own is None else allowed & ~own.deny | own.allow


def may(member: "FakeMember", channel: "FakeChannel", permission: Permission) -> bool:
    """Return whether `member` has `permission` in `channel`, and sees the channel at all."""
    return bool(permissions_in(channel, member) & permission)

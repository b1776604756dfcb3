"""Who can read what on Discord: audiences, visitors, and what the bot itself may do in a channel."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import discord

from bot.core.domain import OPEN

Room: TypeAlias = (
    discord.abc.GuildChannel
    | discord.Thread
    | discord.DMChannel
    | discord.GroupChannel
    | discord.PartialMessageable
)
"""Wherever a message may come from; partial is a channel that Discord has told nothing about."""

HIDDEN_NAME: Final = "___hidden___"
"""What Discord calls a channel that the bot may not view; the rest that it then tells of it is not so."""


def audience_of(channel: Room, *, base_role_id: int | None) -> int:
    """Return the audience of what is said in `channel`: 0 if the base role can read it, else a channel's id.

    `base_role_id` is `None` for @everyone. A public thread, also a forum's post, has its parent's audience, a
    private one its own id. Age-restricted channels, and those of which too little is known, are closed.
    """
    if isinstance(channel, discord.Thread):
        parent = channel.parent
        if parent is None or channel.is_private():
            return channel.id
        return audience_of(parent, base_role_id=base_role_id)
    if isinstance(channel, discord.abc.GuildChannel):
        role = _base_role(channel.guild, base_role_id)
        return OPEN if role is not None and _is_open(channel, role) else channel.id
    if isinstance(channel, discord.PartialMessageable) and channel.guild_id is not None:
        return channel.id
    return OPEN


def is_visitor(member: discord.Member | discord.User, *, base_role_id: int | None) -> bool:
    """Tell whether `member` lacks the guild's base role; if that is @everyone (`None`), nobody does.

    Owners and administrators can read everything in any case. A `User`, whose roles are unknown, is a visitor wherever
    a base role was picked.
    """
    if base_role_id is None:
        return False
    if not isinstance(member, discord.Member):
        return True
    return member.get_role(base_role_id) is None and not member.guild_permissions.administrator


def is_among_visitors(channel: Room, *, base_role_id: int | None) -> bool:
    """Tell whether visitors can read `channel`, so that members are told only as much there as visitors.

    For a private thread that is so if @everyone can read the parent channel, since newcomers may be added to it.
    """
    room = channel.parent if isinstance(channel, discord.Thread) else channel
    if base_role_id is None or not isinstance(room, discord.abc.GuildChannel):
        return False
    return _may_read(room, room.permissions_for(room.guild.default_role))


def readable_audiences(member: discord.Member, *, base_role_id: int | None) -> tuple[int, ...]:
    """Return the audiences of the guild of `member` that they can read.

    Private threads are included if the member is known to be in them, or may manage them.
    """
    guild = member.guild
    found = {OPEN}
    for room in guild.channels:
        if member_reads(member, room):
            found.add(audience_of(room, base_role_id=base_role_id))
    for thread in guild.threads:
        if member_reads(member, thread):
            found.add(audience_of(thread, base_role_id=base_role_id))
    if is_visitor(member, base_role_id=base_role_id):
        found.discard(OPEN)
    return tuple(sorted(found))


def member_reads(member: discord.Member, room: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Tell whether `member` can read what was said in `room`; of a private thread only who is known to be in it."""
    if not isinstance(room, discord.Thread):
        return not is_hidden(room) and _may_read(room, room.permissions_for(member))
    parent = room.parent
    if parent is None or not _may_read(room, granted := parent.permissions_for(member)):
        return False
    is_in = any(one.id == member.id for one in room.members)
    return not room.is_private() or granted.manage_threads or is_in


def wrote_as_visitor(message: discord.Message, *, base_role_id: int | None) -> bool:
    """Tell whether the author of `message` lacks the guild's base role, so that nothing is learned from it.

    If the roles of an old message's author are unknown, that is assumed wherever visitors may write at all.
    """
    if message.guild is None or base_role_id is None:
        return False
    if isinstance(message.author, discord.Member):
        return is_visitor(message.author, base_role_id=base_role_id)
    return is_among_visitors(message.channel, base_role_id=base_role_id)


def proposed_base_role(
    guild: discord.Guild, *, holders: Mapping[int, int] | None = None
) -> discord.Role | None:
    """Return the role to propose as base role, or `None` if @everyone can read half of the text channels or more.

    It is the role with most holders of those that read more of the text channels than @everyone does; roles
    that Discord or an integration manages are none. `holders` counts members by role id; without it the
    members known to the client are counted, bots aside.
    """
    rooms = [room for room in guild.channels if _has_text(room) and not is_hidden(room)]
    read_by_all = _read(rooms, guild.default_role)
    if 2 * read_by_all >= len(rooms):
        return None
    if holders is None:
        holders = Counter(role.id for member in guild.members if not member.bot for role in member.roles)
    held = [
        role
        for role in guild.roles
        if holders.get(role.id) and not role.is_default() and not role.managed
        if _read(rooms, role) > read_by_all
    ]
    # Of two that are held by as many, the one that gives less power.
    return max(held, key=lambda role: (holders[role.id], -role.position, -role.id), default=None)


def bot_can_read(channel: Room) -> bool:
    """Tell whether the bot may view `channel` and read its history; asks nobody.

    Of private threads Discord only tells those that the bot may see.
    """
    if isinstance(channel, discord.DMChannel | discord.GroupChannel):
        return True
    return _may_read(channel, _own_permissions(channel))


def readable_by(member: discord.Member, channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Tell whether `member`, with the roles that this object of theirs has, may view `channel` and its history."""
    room = channel.parent if isinstance(channel, discord.Thread) else channel
    return room is not None and _may_read(channel, room.permissions_for(member))


def bot_can_write(channel: Room) -> bool:
    """Tell whether the bot may view `channel` and send messages there; a forum itself takes none."""
    if isinstance(channel, discord.DMChannel | discord.GroupChannel):
        return True
    granted = _own_permissions(channel)
    if not _may_view(channel, granted):
        return False
    if isinstance(channel, discord.Thread):
        return granted.send_messages_in_threads and (granted.manage_threads or not channel.locked)
    return granted.send_messages and not isinstance(channel, discord.ForumChannel | discord.CategoryChannel)


def is_hidden(channel: discord.abc.GuildChannel) -> bool:
    """Tell whether Discord hides what `channel` is, because the bot may not view it."""
    return channel.name == HIDDEN_NAME


def _base_role(guild: discord.Guild, base_role_id: int | None) -> discord.Role | None:
    """Return the base role, `None` if it was deleted: then nothing is open until a manager picks another."""
    return guild.get_role(guild.id if base_role_id is None else base_role_id)


def _is_open(channel: discord.abc.GuildChannel, role: discord.Role) -> bool:
    return not (is_hidden(channel) or _is_age_restricted(channel)) and _may_read(
        channel, channel.permissions_for(role)
    )


def _is_age_restricted(channel: discord.abc.GuildChannel) -> bool:
    return (
        isinstance(
            channel,
            discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel,
        )
        and channel.is_nsfw()
    )


def _has_text(channel: discord.abc.GuildChannel) -> bool:
    return isinstance(channel, discord.TextChannel | discord.ForumChannel)


def _read(rooms: Iterable[discord.abc.GuildChannel], role: discord.Role) -> int:
    return sum(_may_read(room, room.permissions_for(role)) for room in rooms)


def _own_permissions(
    channel: discord.abc.GuildChannel | discord.Thread | discord.PartialMessageable,
) -> discord.Permissions:
    """Return what the bot may do; nothing where too little is known to tell."""
    room = channel.parent if isinstance(channel, discord.Thread) else channel
    if isinstance(channel, discord.PartialMessageable) or not isinstance(room, discord.abc.GuildChannel):
        return discord.Permissions.none()
    return discord.Permissions.none() if is_hidden(room) else channel.permissions_for(channel.guild.me)


def _may_view(channel: Room, granted: discord.Permissions) -> bool:
    # The text of a voice channel is for those who may go in.
    is_voice = isinstance(channel, discord.VoiceChannel | discord.StageChannel)
    return granted.view_channel and (granted.connect or not is_voice)


def _may_read(channel: Room, granted: discord.Permissions) -> bool:
    return _may_view(channel, granted) and granted.read_message_history

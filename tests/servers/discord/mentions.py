"""Whom a message pings: what it says, what its author may, and what the bot asked to have allowed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tests.servers.discord.permissions import Permission, may
from tests.servers.discord.state import FakeMessage, FakeUser, Json
from tests.servers.discord.world import World

_USER = re.compile(r"<@!?(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_EVERYONE = re.compile(r"@(?:everyone|here)")


@dataclass(frozen=True, slots=True)
class Pinged:
    """Who gets a notification."""

    users: tuple[FakeUser, ...] = ()
    role_ids: tuple[int, ...] = ()
    everyone: bool = False


@dataclass(frozen=True, slots=True)
class _Allowed:
    everyone: bool
    users: frozenset[str] | None
    """`None`: all."""
    roles: frozenset[str] | None
    replied_user: bool


def pinged_by(message: FakeMessage, world: World) -> Pinged:
    """Return whom `message` pings."""
    guild = message.channel.guild
    allowed = _allowed(message.allowed_mentions)
    named = [int(user_id) for user_id in _USER.findall(message.text)]
    ids = [user_id for user_id in named if allowed.users is None or str(user_id) in allowed.users]
    replied = _replied(message, world)
    if replied is not None and allowed.replied_user and replied.user_id in world.users:
        ids.append(replied.user_id)
    users = tuple(world.users[user_id] for user_id in dict.fromkeys(ids) if user_id in world.users)
    if guild is None:
        return Pinged(users)
    author = guild.members.get(message.author.user_id)
    may_all = author is not None and may(author, message.channel, Permission.MENTION_EVERYONE)
    roles = [int(role_id) for role_id in dict.fromkeys(_ROLE.findall(message.text))]
    return Pinged(
        users,
        tuple(
            one
            for one in roles
            if one in guild.roles and (allowed.roles is None or str(one) in allowed.roles)
        ),
        may_all and allowed.everyone and _EVERYONE.search(message.text) is not None,
    )


def _replied(message: FakeMessage, world: World) -> FakeUser | None:
    if message.reply_to_id is None or message.reference is None:
        return None
    channel = world.channels.get(message.reference.channel_id)
    found = None if channel is None else channel.messages.get(message.reply_to_id)
    return None if found is None else found.author


def _allowed(asked: Json | None) -> _Allowed:
    if asked is None:
        return _Allowed(everyone=True, users=None, roles=None, replied_user=True)
    parse = _texts(asked.get("parse"))
    return _Allowed(
        everyone="everyone" in parse,
        users=None if "users" in parse else frozenset(_texts(asked.get("users"))),
        roles=None if "roles" in parse else frozenset(_texts(asked.get("roles"))),
        replied_user=bool(asked.get("replied_user", False)),
    )


def _texts(value: object) -> Sequence[str]:
    return [str(one) for one in value] if isinstance(value, list) else []

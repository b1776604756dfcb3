"""What discord.py makes of what the gateway sends: the real client and parser, without a connection."""

from collections.abc import Mapping
from typing import Any, Final

import discord

BOT_ID: Final = 700000000000000001
APPLICATION_ID: Final = 700000000000000002
ALICE_ID: Final = 800000000000000001
BOB_ID: Final = 800000000000000002
GUILD_ID: Final = 900000000000000001
MEMBER_ROLE_ID: Final = 910000000000000001
GENERAL_ID: Final = 920000000000000001
FORUM_ID: Final = 920000000000000002
VOICE_ID: Final = 920000000000000003
THREAD_ID: Final = 930000000000000001
POST_ID: Final = 930000000000000002
DIRECT_ID: Final = 940000000000000001

VIEW: Final = 1 << 10
SEND: Final = 1 << 11
HISTORY: Final = 1 << 16
CONNECT: Final = 1 << 20
MANAGE_THREADS: Final = 1 << 34
SEND_IN_THREADS: Final = 1 << 38
ADMINISTRATOR: Final = 1 << 3
ALL: Final = VIEW | SEND | HISTORY | CONNECT | SEND_IN_THREADS

Json = dict[str, Any]
"""A body as Discord writes it, which nobody promises a shape for."""


class Sight(discord.Client):
    """A client that hears what a test lets the gateway say."""

    def __init__(self) -> None:
        intents = discord.Intents(guilds=True, members=True, messages=True, message_content=True)
        super().__init__(intents=intents, chunk_guilds_at_startup=False)
        self.messages_heard: list[discord.Message] = []
        state = self._connection
        itself: Any = user(BOT_ID, "keepsake", bot=True)
        state.user = discord.ClientUser(state=state, data=itself)

    def dispatch(self, event: str, /, *args: Any, **_: Any) -> None:
        """Keep the messages among the events."""
        if event == "message":
            self.messages_heard.append(args[0])

    def enter(self, data: Mapping[str, Any]) -> discord.Guild:
        """Return the guild that GUILD_CREATE tells of."""
        told: Any = dict(data)
        self._connection.parse_guild_create(told)
        guild = self.get_guild(int(data["id"]))
        assert guild is not None
        return guild

    def hear(self, data: Mapping[str, Any]) -> discord.Message:
        """Return the message that MESSAGE_CREATE tells of."""
        told: Any = dict(data)
        self._connection.parse_message_create(told)
        return self.messages_heard[-1]


def user(user_id: int, name: str, **fields: Any) -> Json:
    return {
        "id": str(user_id),
        "username": name,
        "avatar": None,
        "discriminator": "0",
        "public_flags": 0,
        "flags": 0,
        "global_name": None,
        "primary_guild": None,
        **fields,
    }


def member(
    user_id: int, name: str, *, roles: tuple[int, ...] = (), nick: str | None = None, **fields: Any
) -> Json:
    return {
        "user": user(user_id, name, **fields),
        "nick": nick,
        "roles": [str(role) for role in roles],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "flags": 0,
    }


def role(role_id: int, name: str, permissions: int = 0, *, position: int = 1, managed: bool = False) -> Json:
    return {
        "id": str(role_id),
        "name": name,
        "permissions": str(permissions),
        "position": position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": managed,
        "mentionable": False,
        "flags": 0,
    }


def overwrite(role_id: int, *, allow: int = 0, deny: int = 0, of_member: bool = False) -> Json:
    return {"id": str(role_id), "type": int(of_member), "allow": str(allow), "deny": str(deny)}


def channel(channel_id: int, name: str, *overwrites: Json, kind: int = 0, **fields: Any) -> Json:
    return {
        "id": str(channel_id),
        "type": kind,
        "guild_id": str(GUILD_ID),
        "name": name,
        "position": 0,
        "flags": 0,
        "permission_overwrites": list(overwrites),
        "bitrate": 64000,
        "user_limit": 0,
        **fields,
    }


def thread(
    thread_id: int, name: str, parent_id: int, *, kind: int = 11, locked: bool = False, **fields: Any
) -> Json:
    return {
        "id": str(thread_id),
        "type": kind,
        "guild_id": str(GUILD_ID),
        "parent_id": str(parent_id),
        "owner_id": str(ALICE_ID),
        "name": name,
        "flags": 0,
        "message_count": 1,
        "member_count": 1,
        "total_message_sent": 1,
        "thread_metadata": {
            "archived": False,
            "auto_archive_duration": 1440,
            "archive_timestamp": "2026-01-01T00:00:00+00:00",
            "locked": locked,
        },
        **fields,
    }


def guild(
    *,
    everyone: int = ALL,
    roles: tuple[Json, ...] = (),
    channels: tuple[Json, ...] = (),
    threads: tuple[Json, ...] = (),
    members: tuple[Json, ...] = (),
    guild_id: int = GUILD_ID,
    name: str = "Harbour",
    owner_id: int = 1,
) -> Json:
    """A GUILD_CREATE; the bot is a member, and nobody is the owner unless a test says who."""
    return {
        "id": str(guild_id),
        "name": name,
        "owner_id": str(owner_id),
        "member_count": len(members) + 1,
        "unavailable": False,
        "roles": [role(guild_id, "@everyone", everyone, position=0), *roles],
        "channels": list(channels),
        "threads": list(threads),
        "members": [member(BOT_ID, "keepsake", bot=True), *members],
    }


def harbour() -> Json:
    """A guild with a channel, a voice channel, a forum, a thread, a post, and two members."""
    return guild(
        channels=(
            channel(GENERAL_ID, "general"),
            channel(FORUM_ID, "ideas", kind=15),
            channel(VOICE_ID, "Lounge", kind=2),
        ),
        threads=(thread(THREAD_ID, "plans", GENERAL_ID), thread(POST_ID, "a bell", FORUM_ID)),
        members=(member(ALICE_ID, "alice", nick="Ali", global_name="Alice"), member(BOB_ID, "bob")),
    )

"""A Discord on the loopback, for the real client: guilds whose members act, a gateway, a REST API, and bad days.

    async with DiscordServer() as server:
        guild = server.add_guild("Friends", members=("alice", "bob"), channels=("general", "games"))
        ...  # a bot with `server.token`, `server.api_url` and `server.gateway_url`
        await server.connected()
        question = await guild.say("alice", "#general", f"{guild.mention('Keepsake')} hello")
        assert "hi" in (await server.answer_to(question)).text
        server.faults.drop_socket()

`python -m tests.servers.discord` runs it alone.
"""

from tests.servers.discord.components import NotOfferedError
from tests.servers.discord.frames import Broken
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction import FakeInteraction, NotAnsweredError
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.permissions import MANAGING, MODERATING, TALKING, Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import (
    ChannelKind,
    FakeAttachment,
    FakeChannel,
    FakeMember,
    FakeMessage,
    FakeRole,
    FakeUser,
    MessageFlag,
    MessageType,
)
from tests.servers.discord.waiting import until

__all__ = [
    "DIRECTLY",
    "MANAGING",
    "MODERATING",
    "TALKING",
    "Broken",
    "ChannelKind",
    "DiscordServer",
    "FakeAttachment",
    "FakeChannel",
    "FakeGuild",
    "FakeInteraction",
    "FakeMember",
    "FakeMessage",
    "FakeRole",
    "FakeUser",
    "MessageFlag",
    "MessageType",
    "NotAnsweredError",
    "NotOfferedError",
    "Permission",
    "until",
]

"""The loopback Discord computes permissions as the real client does."""

import random

from tests.servers.discord.fixtures import discord_server, running
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.permissions import TALKING, Permission, permissions_in
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import Overwrite

__all__ = ["discord_server"]

COMPARED = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.MANAGE_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
)
ROLES = {
    "Verified": int(Permission.VIEW_CHANNEL),
    "Muted": 0,
    "Moderators": int(Permission.MANAGE_MESSAGES | Permission.SEND_MESSAGES),
    "Admins": int(Permission.ADMINISTRATOR),
}


def scattered(server: DiscordServer, dice: random.Random) -> FakeGuild:
    """A guild with 60 channels whose overwrites were thrown with dice."""
    guild = server.add_guild("Scattered", members=(), channels=(), everyone=int(dice.choice([TALKING, 0])))
    for name, permissions in ROLES.items():
        guild.add_role(name, permissions=permissions)
    for number in range(8):
        roles = [name for name in ROLES if dice.random() < (0.1 if name == "Admins" else 0.4)]
        guild.add_member(f"member {number}", roles=roles)
    for number in range(60):
        channel = guild.add_channel(f"channel {number}")
        targets = [*guild.roles, *guild.members]
        for target_id in dice.sample(targets, k=dice.randrange(4)):
            channel.overwrites[target_id] = Overwrite(
                target_id,
                is_member=target_id in guild.members,
                allow=dice.getrandbits(45) & COMPARED,
                deny=dice.getrandbits(45) & COMPARED,
            )
    return guild


async def test_permissions_are_those_that_the_client_computes(discord_server: DiscordServer) -> None:
    guilds = [scattered(discord_server, random.Random(seed)) for seed in range(3)]
    async with running(discord_server) as bot:
        compared, differing = 0, []
        for guild in guilds:
            here = bot.get_guild(guild.guild_id)
            assert here is not None
            for member in await here.chunk():
                known = guild.members[member.id]
                for channel in here.text_channels:
                    mine = permissions_in(guild.channels[channel.id], known) & COMPARED
                    theirs = channel.permissions_for(member).value & COMPARED
                    compared += 1
                    if mine != theirs:
                        differing.append((guild.name, channel.id, known.user.name, mine, theirs))
        assert differing == []
        assert compared == 3 * 10 * 60


async def test_a_thread_asks_its_parent(discord_server: DiscordServer) -> None:
    guild = discord_server.add_guild("Friends")
    public = guild.add_thread("general", "open", author="alice")
    private = guild.add_thread("general", "closed", private=True, members=("alice",))
    alice, bob = guild.member("alice"), guild.member("bob")
    assert permissions_in(public, bob) & Permission.SEND_MESSAGES
    assert permissions_in(private, alice) & Permission.VIEW_CHANNEL
    assert not permissions_in(private, bob)
    guild.forbid("general", "@everyone", Permission.SEND_MESSAGES_IN_THREADS)
    assert not permissions_in(public, bob) & Permission.SEND_MESSAGES
    guild.hide("general")
    assert not permissions_in(public, bob)

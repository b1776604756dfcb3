"""A guild that hides everything but #verify from who is not verified: what its members share stays among them."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from bot.core.domain import OPEN
from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, running_bot
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.permissions import Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until

ASKED = "Bot, what do you know about alice?"


@dataclass
class Gated:
    """The guild, and the bot in it."""

    server: DiscordServer
    guild: FakeGuild
    bot: RunningBot
    proposal: FakeMessage

    async def answer(self, who: str, where: str, text: str) -> str:
        """Return what the bot says to something that is said to it."""
        return (await self.server.answer_to(await self.guild.say(who, where, text))).text

    async def audience(self, where: str) -> int:
        """Return the audience of what is said in a channel now."""
        return (await self.bot.stored(await self.guild.say("bob", where, "and now?"))).audience

    async def open(self) -> None:
        """Let a manager agree to what the bot proposed."""
        label = f"base-role:{self.guild.role('Verified').role_id}"
        await self.guild.click("mona", self.proposal, label)
        await until(lambda: self.proposal.text.startswith("Done"), what="the base role is set")


@pytest.fixture
async def gated(discord_server: DiscordServer, database: Database) -> AsyncIterator[Gated]:
    """Members see every channel, #verify too; who is new sees #verify alone."""
    guild = discord_server.add_guild(
        "Gated",
        members=(),
        channels=(),
        everyone=Permission.SEND_MESSAGES | Permission.READ_MESSAGE_HISTORY,
    )
    guild.add_role("Verified", permissions=Permission.VIEW_CHANNEL)
    for name in ("alice", "bob", "carol"):
        guild.add_member(name, roles=("Verified",))
    guild.add_member("mona", roles=("Verified",), manager=True)
    guild.add_member("newcomer")
    for name in ("general", "games", "art"):
        guild.add_channel(name)
    guild.add_channel("verify", visible_to=("@everyone",))
    async with running_bot(discord_server, database) as bot:
        [proposal] = await discord_server.sent_to(guild.channel("general"))
        yield Gated(discord_server, guild, bot, proposal)


async def test_before_a_manager_has_agreed_every_hidden_channel_is_closed(gated: Gated) -> None:
    told = await gated.answer("alice", "general", "Bot, remember that I like pizza")
    assert told == "Remembered: alice likes pizza."
    assert "pizza" in await gated.answer("bob", "general", ASKED)
    for where in ("games", "verify"):
        assert "pizza" not in await gated.answer("bob", where, ASKED)
    for where in ("general", "games"):
        assert await gated.audience(where) == gated.guild.channel(where).channel_id
    await gated.guild.click("bob", gated.proposal, f"base-role:{gated.guild.role('Verified').role_id}")
    assert (await gated.bot.guild(gated.guild.guild_id)).base_role_id is None
    await gated.open()
    # What was told while the room was closed stays in it.
    assert "pizza" not in await gated.answer("bob", "games", ASKED)


async def test_what_is_told_in_general_is_known_in_games_and_told_to_nobody_else(gated: Gated) -> None:
    await gated.open()
    assert [await gated.audience(where) for where in ("general", "games")] == [OPEN, OPEN]
    await gated.answer("alice", "general", "Bot, remember that I like pizza")
    assert "alice likes pizza" in await gated.answer("bob", "games", ASKED)
    # In #verify whoever is new reads along, so a member is told as little there as they are.
    assert "pizza" not in await gated.answer("newcomer", "verify", ASKED)
    assert "pizza" not in await gated.answer("bob", "verify", ASKED)
    assert "pizza" not in await gated.answer("alice", "verify", "Bot, what do you know about me?")
    # A mistake of the managers': who lacks the base role can read #games, and is told nothing there either.
    newcomer = gated.guild.add_role("Almost")
    gated.guild.give_role("newcomer", newcomer)
    gated.guild.show("games", "Almost")
    assert "pizza" not in await gated.answer("newcomer", "games", ASKED)
    # Who is verified is a member from then on.
    gated.guild.give_role("newcomer", "Verified")
    assert "alice likes pizza" in await gated.answer("newcomer", "games", ASKED)


async def test_nothing_is_kept_of_who_lacks_the_base_role(gated: Gated, database: Database) -> None:
    await gated.open()
    for who in ("newcomer", "bob"):
        said = await gated.answer(who, "verify", "Bot, remember that alice likes plums")
        assert "Remembered" not in said
    facts = await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM facts"))
    assert facts == 0

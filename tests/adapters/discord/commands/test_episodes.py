"""What conversations left behind, below `/memory-admin channel`: listed and removed by moderators, a page at a time."""

from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.commands.acts import changed, grant, is_for_one
from tests.memory.summaries.episodes.kept import keep
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until

PATH = "memory-admin channel"


async def left_behind(guild: FakeGuild, author: str, channel: str) -> FakeMessage:
    """Return the second message with which a moderator is answered."""
    told = await guild.slash(author, channel, PATH)
    await until(lambda: len(told.messages) == 2, what="what conversations left behind is told")
    assert is_for_one(told)
    return told.messages[1]


async def test_moderators_page_through_them_and_remove_what_they_press(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "elsewhere"))
    guild.add_member("mona", moderator=True)
    guild.member("alice").user.locale = "ru"
    grant(guild, "mona", "alice", "bob")
    channel_id = guild.channel("general").channel_id
    async with running_bot(discord_server, database):
        assert "left nothing behind" in (await left_behind(guild, "mona", "general")).text
        for number in range(1, 8):
            await keep(
                database,
                f"Decision{number} of <@{guild.member('bob').user_id}>.",
                guild_id=guild.guild_id,
                channel_id=channel_id,
                number=number,
            )
        for author in ("bob", "alice"):
            told = await guild.slash(author, "general", PATH)
            assert "Decision" not in "".join(message.text for message in told.messages)
        message = await left_behind(guild, "mona", "general")
        assert "1. Decision7 of bob." in message.text
        assert "Decision2" not in message.text
        second = await changed(guild.click("mona", message, "More"), message)
        assert "6. Decision2 of bob." in second
        assert second.endswith("-# Page 2 of 2")
        removed = await changed(guild.click("mona", message, "Remove 7"), message)
        assert removed.startswith("Removed")
        assert "Decision1 " not in removed
        first = await changed(guild.click("mona", message, "Back"), message)
        assert "Decision7" in first
        assert "Decision7" not in await changed(guild.click("mona", message, "Remove 1"), message)
    async with running_bot(discord_server, database):
        assert "1. Decision6 of bob." in (await left_behind(guild, "mona", "general")).text
        assert "left nothing behind" in (await left_behind(guild, "mona", "elsewhere")).text

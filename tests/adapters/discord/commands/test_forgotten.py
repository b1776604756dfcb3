"""Under a forgetting stands a button: what it took, for who asked alone, and the bot's own words about it go."""

from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.commands.acts import changed, is_for_one
from tests.servers.discord.components import labels
from tests.servers.discord.server import DiscordServer


async def test_the_confirmation_says_nothing_the_details_are_for_one_and_the_bots_words_can_go(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database):
        told = await guild.say("bob", "general", "Bot, remember that I collect zeppelins")
        confirmation = await discord_server.answer_to(told)
        other = await guild.say("alice", "general", "I collect zeppelins as well")
        forgotten = await discord_server.answer_to(
            await guild.say("bob", "general", "Bot, forget that I collect zeppelins")
        )
    assert forgotten.text == "Forgotten: I removed 1 fact."
    assert labels(forgotten.components) == ["Details"]
    # The button outlives the process.
    async with running_bot(discord_server, database):
        stranger = await guild.click("alice", forgotten, "Details")
        shown = await guild.click("bob", forgotten, "Details")
        assert is_for_one(stranger)
        assert stranger.text.startswith("There is nothing (any more) that I could tell of that")
        assert is_for_one(shown)
        assert "- facts: 1" in shown.text
        assert "zeppelin" not in shown.text
        assert shown.text.endswith(f"/{other.channel.channel_id}/{other.message_id}")
        [details] = shown.messages
        assert labels(details.components) == ["Delete my messages that told it"]
        done = await changed(guild.click("bob", details, "Delete my messages that told it"), details)
    assert done == "Done: 1 message of mine that told it no longer stand here."
    assert confirmation.deleted

"""What is known, with Forget and Not me for what is chosen: two clicks, for whom that may be, and after a restart."""

import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.commands.acts import changed, facts_of, has_facts, tell_hobbies
from tests.servers.discord.components import NotOfferedError, find, labels
from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until

CHOOSE = "Choose one to have it forgotten…"


def offered(message: FakeMessage) -> list[str]:
    """Return what can be chosen."""
    options: list[dict[str, str]] = find(message.components, CHOOSE)["options"]  # type: ignore[assignment]
    return [one["label"] for one in options]


async def choose(guild: FakeGuild, name: str, message: FakeMessage, word: str) -> None:
    """Choose the fact with a word, and wait until something is offered for it."""
    [text] = [one for one in offered(message) if word in one]
    await guild.choose(name, message, CHOOSE, text)
    await until(lambda: "Forget" in labels(message.components), what=f"{text!r} is chosen")


async def shown(guild: FakeGuild, name: str, about: str) -> FakeMessage:
    [message] = (await guild.slash(name, "general", "memory show", member=about)).messages
    return message


async def test_two_clicks_forget_a_fact_or_take_it_off_oneself_after_a_restart_too(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database):
        await tell_hobbies(guild, by="bob")
        message = await shown(guild, "alice", "alice")
        assert labels(message.components) == [CHOOSE]
    async with running_bot(discord_server, database) as bot:
        await choose(guild, "alice", message, "cello")
        assert labels(message.components) == [CHOOSE, "Forget", "Not me"]
        # Nothing is done by choosing.
        await has_facts(bot, guild, "alice", "cello", "stamps", "orchids")
        forgotten = await changed(guild.click("alice", message, "Forget"), message)
        assert forgotten.startswith("Forgotten: I removed 1 fact")
        assert "cello" not in forgotten
        assert labels(message.components) == [CHOOSE]
        await has_facts(bot, guild, "alice", "stamps", "orchids")
        await choose(guild, "alice", message, "orchids")
        disowned = await changed(guild.click("alice", message, "Not me"), message)
        assert disowned.startswith("Taken off you")
        await has_facts(bot, guild, "alice", "stamps")


async def test_only_what_one_may_have_forgotten_is_offered_and_to_nobody_else(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.add_member("carol")
    async with running_bot(discord_server, database) as bot:
        await guild.slash("bob", "general", "memory remember", text="plays the cello", member="alice")
        await guild.slash("carol", "general", "memory remember", text="collects stamps", member="alice")
        message = await shown(guild, "carol", "alice")
        assert offered(message) == ["carol says alice collects stamps"]
        await choose(guild, "carol", message, "stamps")
        assert labels(message.components) == [CHOOSE, "Forget"]
        with pytest.raises(NotOfferedError):
            await guild.click("alice", message, "Forget")
        await changed(guild.click("carol", message, "Forget"), message)
        assert labels(message.components) == []
        await has_facts(bot, guild, "alice", "cello")


async def test_what_changed_meanwhile_is_told_in_one_sentence(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await tell_hobbies(guild, by="alice")
        early, late = await shown(guild, "alice", "alice"), await shown(guild, "alice", "alice")
        ids = {fact.content.split()[-1]: fact.fact_id for fact in await facts_of(bot, guild, "alice")}
        await choose(guild, "alice", late, "stamps")
        for word in ("cello", "stamps"):
            await guild.slash("alice", "general", "memory forget", fact=str(ids[word]))
        told = await changed(guild.choose("alice", early, CHOOSE, "alice plays the cello"), early)
        assert told.startswith("That has changed or is gone meanwhile; nothing was removed.")
        assert labels(early.components) == [CHOOSE]
        told = await changed(guild.click("alice", late, "Forget"), late)
        assert told.startswith("That is not here (any more), so there was nothing to forget.")
        await has_facts(bot, guild, "alice", "orchids")


async def test_on_a_later_page_and_in_private_it_is_the_same(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        for number in range(12):
            await guild.slash("alice", "general", "memory remember", text=f"I own a boat called Boat{number}")
        [message] = (await guild.slash("alice", DIRECTLY, "memory show")).messages
        await changed(guild.click("alice", message, "More"), message)
        first, second = offered(message)
        await choose(guild, "alice", message, first)
        await changed(guild.click("alice", message, "Forget"), message)
        left = [fact.content for fact in await facts_of(bot, guild, "alice")]
    assert len(left) == 11
    assert [any(one.endswith(boat.split()[-1]) for one in left) for boat in (first, second)] == [False, True]

"""How much is kept, in numbers: of a server for its managers, of oneself for everybody, in words and as a picture."""

import sys

import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.commands.acts import is_for_one
from tests.servers.discord.interaction import FakeInteraction
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.server import DiscordServer

PATH = "memory stats"


def line(answer: FakeInteraction, begins: str) -> str:
    """Return the line of an answer that begins so."""
    [found] = [one for one in answer.text.splitlines() if one.startswith(f"- {begins}")]
    return found.removeprefix("- ")


async def test_managers_are_shown_the_server_and_everybody_themselves_with_a_picture_in_words(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.add_member("olga", manager=True).user.locale = "ru"
    async with running_bot(discord_server, database) as bot:
        for name in ("alice", "alice", "bob"):
            await bot.stored(await guild.say(name, "general", "what a fine day it is"))
        await guild.slash("alice", "general", "memory remember", text="I like pizza")
        of_server = await guild.slash("olga", "general", "память цифры")
        own = await guild.slash("alice", "general", PATH)
        of_manager = await guild.slash("olga", "general", "память цифры", о_ком="me")
        refused = await guild.slash("bob", "general", PATH, about="server")
    assert all(is_for_one(answer) for answer in (of_server, own, of_manager, refused))
    assert line(of_server, "Сообщений").startswith("Сообщений: 3,")
    assert line(own, "Messages").startswith("Messages: 2,")
    assert line(own, "Memories") == "Memories: 1 (preferences 1)"
    assert of_manager.text == "О вас здесь ничего не хранится."
    assert refused.text.startswith("The figures of the server are for those who may manage it")
    for answer, words in (
        (of_server, ("Сообщения по дням", "Память по видам: предпочтения 1.")),
        (own, ("Messages a day", "Memories by kind: preferences 1.")),
    ):
        [picture] = answer.messages[0].attachments
        assert picture.content.startswith(b"\x89PNG")
        assert picture.description is not None
        assert all(one in picture.description for one in words)
    assert not of_manager.messages[0].attachments
    assert not refused.messages[0].attachments


async def test_what_is_in_closed_channels_counts_only_for_whom_may_read_them(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.add_role("Crew")
    crew = guild.add_channel("crew", visible_to=("Crew",))
    guild.add_member("carol", roles=("Crew",))
    guild.add_member("mona", manager=True)
    guild.add_member("mira", manager=True, roles=("Crew",))
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("carol", crew, "we meet at the harbour"))
        await bot.stored(await guild.say("alice", "general", "what a fine day it is"))
        await guild.slash("carol", crew, "memory remember", member="alice", text="alice likes rum")
        outside, inside, carol, alice = [
            await guild.slash(name, "general", PATH) for name in ("mona", "mira", "carol", "alice")
        ]
    assert line(outside, "Messages").startswith("Messages: 1,")
    assert line(outside, "Memories") == "Memories: none"
    assert "closed" not in outside.text
    assert line(inside, "Messages").startswith("Messages: 2,")
    assert line(inside, "In closed").endswith("messages 1, memories 1")
    assert line(carol, "In closed").endswith("messages 1, memories 0")
    assert line(alice, "Memories") == "Memories: none"


async def test_in_private_it_is_what_is_kept_of_you_there_and_on_the_servers_shared(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "what a fine day it is"))
        told = await discord_server.say_directly("alice", "remember that I play chess")
        await discord_server.answer_to(told)
        shown = await guild.slash("alice", DIRECTLY, PATH)
    assert line(shown, "Messages").startswith("Messages: 2,")
    assert line(shown, "Memories").startswith("Memories: 1 ")


async def test_without_what_draws_the_words_come_alone(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    guild = discord_server.add_guild("Home")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "what a fine day it is"))
        own = await guild.slash("alice", "general", PATH)
    assert line(own, "Messages").startswith("Messages: 1,")
    assert not own.messages[0].attachments

"""The commands as Discord has them: in two languages, put up when they changed, never in the way of a start."""

import json
from collections.abc import Iterator

import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.servers.discord.commands import FakeCommand
from tests.servers.discord.components import NotOfferedError
from tests.servers.discord.interaction_acts import DIRECTLY
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import Json


def requests(server: DiscordServer) -> list[str]:
    """Return how the bot asked for or put up its commands, in order."""
    return [one.method for one in server.requests if one.path.endswith("/commands")]


def named_in(thing: Json) -> Iterator[Json]:
    """Yield a command and everything inside of it that has a name."""
    yield thing
    for inner in ("options", "choices"):
        for one in thing.get(inner) or ():  # type: ignore[attr-defined]
            yield from named_in(one)


def known(server: DiscordServer) -> list[FakeCommand]:
    return server.interactions.commands.all_of(None)


async def test_every_name_and_description_is_there_in_russian_too(
    discord_server: DiscordServer, database: Database
) -> None:
    async with running_bot(discord_server, database):
        pass
    assert [command.name for command in known(discord_server)] == [
        "memory",
        "memory-admin",
        "privacy",
        "What do you know?",
        "Forget this",
        "Remember this",
        "Why?",
    ]
    for command in known(discord_server):
        assert command.in_guilds
        assert command.in_direct_messages
        for thing in named_in(command.body | {"name": command.name}):
            names: Json = thing["name_localizations"]  # type: ignore[assignment]
            assert list(names) == ["ru"], thing["name"]
            assert names["ru"] != thing["name"]
            if thing.get("description"):
                descriptions: Json = thing["description_localizations"]  # type: ignore[assignment]
                assert list(descriptions) == ["ru"], thing["name"]


async def test_a_restart_asks_once_and_puts_nothing_up(
    discord_server: DiscordServer, database: Database
) -> None:
    for _ in range(2):
        async with running_bot(discord_server, database):
            pass
    assert requests(discord_server) == ["GET", "PUT", "GET"]


async def test_commands_that_differ_in_one_word_of_one_language_are_put_up_anew(
    discord_server: DiscordServer, database: Database
) -> None:
    async with running_bot(discord_server, database):
        [memory] = [command for command in known(discord_server) if command.name == "memory-admin"]
    right = json.dumps(memory.body)
    old = json.loads(right.replace("Показать или изменить настройки", "Настроить"))
    discord_server.interactions.commands.put(None, {**old, "name": "memory-admin"})
    async with running_bot(discord_server, database):
        pass
    [memory] = [command for command in known(discord_server) if command.name == "memory-admin"]
    assert json.dumps(memory.body) == right


async def test_what_managers_do_is_offered_to_nobody_else_and_stands_nowhere_else(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.add_member("mona", manager=True)
    moved = ["settings", "persona", "channel", "waiting"]
    # As it was put up by an earlier version.
    old = {"type": 1, "description": "Settings", "name": "settings"}
    discord_server.interactions.commands.put(
        None, {"name": "memory", "type": 1, "description": "What I keep", "options": [old]}
    )
    async with running_bot(discord_server, database):
        for path in moved:
            assert (await guild.slash("mona", "general", f"memory-admin {path}")).text
            for user, word in (("bob", "memory-admin"), ("bob", "memory"), ("mona", "memory")):
                with pytest.raises(NotOfferedError):
                    await guild.slash(user, "general", f"{word} {path}")
        member = await guild.slash("bob", "general", "memory help")
        manager = await guild.slash("mona", "general", "memory help")
        alone = await guild.slash("bob", DIRECTLY, "memory-admin settings")
    assert "memory-admin" not in member.text
    assert all(f"</memory-admin {path}:" in manager.text for path in moved)
    # Who writes directly manages their own direct messages.
    assert alone.messages[0].embeds


async def test_a_start_does_not_fail_over_commands_that_discord_refuses(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    discord_server.faults.fail("PUT", "/applications/*/commands", 400, {"code": 50035, "message": "no"})
    async with running_bot(discord_server, database):
        said = await guild.say("alice", "general", "Bot, what do you know about me?")
        await discord_server.answer_to(said)
    assert known(discord_server) == []

"""Everything that Discord tells is heard, and takes effect at once."""

import asyncio
from collections.abc import Callable

import pytest

from bot.core.domain import OPEN, MessageKind, RedactionReason
from bot.db.pool import Database
from tests.adapters.discord.bots import RunningBot, eventually, guild_id_of, running_bot
from tests.servers.discord.permissions import TALKING, Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.faults import Fault
from tests.servers.openai import OpenAIServer

Change = Callable[[], None]


async def test_what_is_said_anywhere_is_kept(discord_server: DiscordServer, database: Database) -> None:
    guild = discord_server.add_guild("Home", channels=("general",))
    guild.add_channel("news", kind="announcement")
    guild.add_channel("lounge", kind="voice")
    guild.add_channel("help", kind="forum")
    guild.add_channel("mods", visible_to=())
    async with running_bot(discord_server, database) as bot:
        thread = guild.add_thread("general", "side talk")
        post = guild.add_thread("help", "my question")
        private = guild.add_thread("general", "just us", private=True, members=("alice",))
        guild.join_thread(private, guild.bot)
        named = {name: guild.channel(name) for name in ("general", "news", "lounge", "mods")}
        places = {**named, "thread": thread, "post": post, "private": private}
        said = {name: await guild.say("alice", place, f"hello {name}") for name, place in places.items()}
        stored = {name: await bot.stored(message) for name, message in said.items()}
        direct = await discord_server.say_directly("alice", "hello you")
        heard = await bot.stored(direct)
        guild_of_direct = await bot.guild(guild_id_of(direct.channel))
    assert {name: message.text for name, message in stored.items()} == {
        name: f"hello {name}" for name in said
    }
    assert {name for name, message in stored.items() if message.audience != OPEN} == {"mods", "private"}
    assert stored["mods"].audience == said["mods"].channel.channel_id
    assert (heard.text, heard.audience, guild_of_direct.direct) == ("hello you", OPEN, True)


async def test_a_new_thread_is_joined(discord_server: DiscordServer, database: Database) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        thread = guild.add_thread("general", "side talk")
        await eventually(lambda: asyncio.sleep(0, discord_server.bot_user_id in thread.thread_members))
        await eventually(lambda: bot.channel(thread))
        kept = await bot.channel(thread)
        assert kept is not None
        assert (kept.name, kept.parent_id) == ("side talk", guild.channel("general").channel_id)


async def test_edits_and_deletions_reach_messages_that_no_cache_holds(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        edited, unfurled, deleted, *bulk = [
            await guild.say("alice", "general", f"message {number}") for number in range(6)
        ]
        await bot.stored(bulk[-1])
        bot.client._connection._messages.clear()  # type: ignore[union-attr]
        await guild.edit(edited, "what I meant")
        await guild.unfurl(unfurled, {"type": "link", "title": "A page", "description": "about cats"})
        await guild.delete(deleted)
        await guild.bulk_delete(bulk)
        await eventually(lambda: is_withheld(bot, bulk[-1]))
        await eventually(lambda: has_attachments(bot, unfurled))
        assert (await bot.stored(edited)).text == "what I meant"
        assert (await bot.stored(unfurled)).text == "message 1"
        assert "about cats" in " ".join((await bot.stored(unfurled)).attachments)
        for message in (deleted, *bulk):
            kept = await bot.stored(message)
            assert (kept.text, kept.withheld) == ("", RedactionReason.DELETED)


async def is_withheld(bot: RunningBot, message: FakeMessage) -> bool:
    return (await bot.stored(message)).withheld is not None


async def has_attachments(bot: RunningBot, message: FakeMessage) -> bool:
    return bool((await bot.stored(message)).attachments)


async def test_a_message_that_is_deleted_at_once_stays_deleted(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        for _ in range(20):
            said = await guild.say("alice", "general", "oops, wrong window")
            await guild.delete(said)
            await eventually(lambda said=said: is_withheld(bot, said))  # type: ignore[misc]
        last = await guild.say("alice", "general", "all well")
        assert (await bot.stored(last)).text == "all well"


async def test_whoever_speaks_is_kept_apart_by_kind(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.add_member("robot", bot=True)
    async with running_bot(discord_server, database) as bot:
        said = {
            MessageKind.MEMBER: await guild.say("alice", "general", "hello"),
            MessageKind.BOT: await guild.say("robot", "general", "Bot, remember that I like oil"),
            MessageKind.WEBHOOK: await guild.say_by_webhook("Builds", "general", "Bot, what do you know?"),
            MessageKind.SYSTEM: await guild.announce_join("bob", "general"),
        }
        assert {kind: (await bot.stored(message)).kind for kind, message in said.items()} == {
            kind: kind for kind in said
        }
        await discord_server.quiet(0.2)


async def test_who_can_read_a_channel_decides_at_once_what_is_open(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "plans"))
    plans = guild.channel("plans")
    async with running_bot(discord_server, database) as bot:
        audiences = []
        changes: tuple[Change, ...] = (
            lambda: None,
            lambda: guild.hide("plans"),
            lambda: guild.show("plans"),
            lambda: guild.change_role("@everyone", permissions=int(Permission.SEND_MESSAGES)),
            lambda: guild.change_role("@everyone", permissions=int(TALKING)),
            lambda: guild.set_nsfw("plans", True),
        )
        for change in changes:
            change()
            said = await guild.say("alice", "plans", "what now?")
            audiences.append((await bot.stored(said)).audience)
            kept = await bot.channel(plans)
            assert kept is not None
            assert kept.audience == audiences[-1]
    closed = plans.channel_id
    assert audiences == [OPEN, closed, OPEN, closed, OPEN, closed]


async def test_an_event_that_cannot_be_read_ends_nothing_and_is_logged_by_ids_alone(
    discord_server: DiscordServer, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        await guild.say("alice", "general", "my secret is 4711", sticker_items=["secret 4711"])
        said = await guild.say("alice", "general", "still there?")
        assert (await bot.stored(said)).text == "still there?"
    told = [record.getMessage() for record in caplog.records if "cannot be read" in record.getMessage()]
    assert told
    assert all("MESSAGE_CREATE" in line and str(guild.guild_id) in line for line in told)
    assert "4711" not in caplog.text


async def test_the_bot_is_seen_typing_only_while_it_makes_an_answer(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with OpenAIServer() as models:
        models.slow_seconds = 0.6
        models.fail(Fault.SLOW)
        async with running_bot(
            discord_server, database, openai_base_url=models.url, model_chat="openai:slow"
        ):
            await guild.say("alice", "general", "what is for lunch?")
            await discord_server.quiet(0.5)
            assert discord_server.typing == []
            asked = await guild.say("alice", "general", "Bot, what is for lunch?")
            await discord_server.answer_to(asked)
            assert {typing.channel.name for typing in discord_server.typing} == {"general"}

"""Answers that stay written are told, and sent once, by this process or the next."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.adapters.discord import delivery, message_handler
from bot.db.pool import Connection, Database
from tests.adapters.discord.bots import RunningBot, bot_process, eventually, running_bot
from tests.adapters.discord.talking import model_that_says
from tests.adapters.discord.test_delivery import LONG, SEND, give_the_shards_back, is_answered, sent_to_owner
from tests.servers.discord import rest_messages
from tests.servers.discord.permissions import TALKING, Permission
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeChannel, FakeMessage
from tests.servers.discord.waiting import until

LONG_BEFORE = timedelta(minutes=20)
"""So old that a process that begins does not hear it again."""


async def make_overdue(connection: Connection) -> None:
    """Let all leases of answers have ended long ago."""
    await connection.execute("UPDATE answers SET leased_until = now() - interval '10 minutes'")


def has_tried(server: DiscordServer) -> bool:
    return any(one.method == "POST" and one.path.endswith("/messages") for one in server.requests)


@pytest.fixture
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the delivery give up at once; its pauses add up to a minute."""
    monkeypatch.setattr(delivery, "_PAUSES_SECONDS", ())


@pytest.fixture
def no_nonces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let so much time have passed that Discord remembers no nonce."""
    monkeypatch.setattr(rest_messages, "NONCE_SECONDS", -1.0)


@pytest.mark.processes
@pytest.mark.parametrize("arrived", [False, True], ids=["lost", "arrived, and nobody knew"])
@pytest.mark.usefixtures("no_nonces")
async def test_what_a_killed_process_left_unsent_comes_once_however_late(
    arrived: bool, discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Home")
        discord_server.faults.drop(*SEND, times=None, afterwards=arrived)
        asked = await guild.say(
            "alice", "general", "Bot, remember that I like tea", said_at=datetime.now(UTC) - LONG_BEFORE
        )
        await until(lambda: has_tried(discord_server), 30, what="it tries to send")
        await process.kill()
    discord_server.faults.heal()
    before = len(discord_server.sent)
    await database.write(give_the_shards_back)
    await database.write(make_overdue)
    async with bot_process(discord_server, dsn) as process:
        await eventually(lambda: is_answered(database, asked))
        assert "not sent for more than" in (await discord_server.sent_to(owner_of(discord_server)))[0].text
        told = [line for line in process.errors if "stay written" in line]
        assert str(asked.message_id) in told[0] and "tea" not in "".join(process.errors)
    answers = [message for message in discord_server.sent if message.reply_to_id == asked.message_id]
    assert [message.text for message in answers] == ["Remembered: alice likes tea."]
    assert before == int(arrived)


def owner_of(server: DiscordServer) -> FakeChannel:
    return server.direct(server.world.owner)


@pytest.mark.usefixtures("one_try")
async def test_what_discord_did_not_take_is_sent_by_the_same_process_later(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        discord_server.faults.drop(*SEND, times=None)
        asked = [
            await guild.say("alice", "general", f"Bot, remember that I like {what}")
            for what in ("tea", "cake")
        ]
        direct = await discord_server.say_directly("bob", "remember that I play chess")
        for message in (*asked, direct):
            await eventually(lambda m=message: is_given_up(bot, database, m))  # type: ignore[misc]
        discord_server.faults.heal()
        await bot.client.watchdog.look()
        assert discord_server.sent == [], "nothing is overdue yet"
        await database.write(make_overdue)
        await bot.client.watchdog.look()
        for message in (*asked, direct):
            assert await is_answered(database, message)
        assert len([one for one in discord_server.sent if one.reply_to_id is not None]) == 3
        await until(lambda: len(sent_to_owner(discord_server)) == 1, what="the owner is told once")
        await database.write(make_overdue)
        await bot.client.watchdog.look()
        await discord_server.quiet(0.3)


async def is_given_up(bot: RunningBot, database: Database, message: FakeMessage) -> bool:
    state = await database.read(
        lambda connection: connection.fetchval(
            "SELECT state FROM answers WHERE message_id = $1", message.message_id
        )
    )
    return state == "written" and not bot.client.message_handler.is_sending(message.message_id)


@pytest.mark.usefixtures("one_try")
async def test_where_the_past_may_not_be_read_it_is_sent_by_the_same_process_all_the_same(
    discord_server: DiscordServer, database: Database
) -> None:
    without = int(TALKING & ~Permission.READ_MESSAGE_HISTORY)
    guild = discord_server.add_guild("Home", everyone=without, bot_permissions=without)
    async with running_bot(discord_server, database) as bot:
        discord_server.faults.drop(*SEND)
        asked = await guild.say("alice", "general", "Bot, remember that I like tea")
        await eventually(lambda: is_given_up(bot, database, asked))
        await database.write(make_overdue)
        await bot.client.watchdog.look()
        assert await is_answered(database, asked)
        [answer] = await discord_server.sent_to("general")
        assert answer.text == "Remembered: alice likes tea."


@pytest.mark.usefixtures("one_try", "no_nonces")
async def test_of_an_answer_that_arrived_in_part_only_the_rest_is_sent(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with (
        model_that_says(LONG) as gemini,
        running_bot(discord_server, database, gemini_api_key="x", gemini_base_url=gemini.url) as bot,
    ):

        def fail(_message: object) -> None:
            discord_server.world.on_sent.clear()
            discord_server.faults.drop(*SEND, times=None)

        discord_server.world.on_sent.append(fail)
        asked = await guild.say("alice", "general", "Bot, show me some code")
        await discord_server.sent_to("general", 1)
        await eventually(lambda: is_given_up(bot, database, asked))
        discord_server.faults.heal()
        await database.write(make_overdue)
        await bot.client.watchdog.look()
        assert await is_answered(database, asked)
        first, second = await discord_server.sent_to("general", 2)
        assert (first.reply_to_id, second.reply_to_id) == (asked.message_id, None)
        assert len(second.attachments) == 1


@pytest.mark.usefixtures("one_try")
async def test_what_was_forgotten_or_deleted_meanwhile_is_not_sent(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database) as bot:
        discord_server.faults.drop(*SEND, times=2)
        forgotten = await guild.say("alice", "general", "Bot, remember that I like tea")
        await eventually(lambda: is_given_up(bot, database, forgotten))
        deleted = await guild.say("alice", "general", "Bot, remember that I like cake")
        await eventually(lambda: is_given_up(bot, database, deleted))
        forgets = await guild.say("alice", "general", "Bot, forget that I like tea")
        await eventually(lambda: is_answered(database, forgets))
        await guild.delete(deleted)
        await database.write(make_overdue)
        await bot.client.watchdog.look()
        assert await has_nothing_to_send(database, deleted), (
            "whether the bot had heard of the deletion or not"
        )
        await database.write(make_overdue)
        await bot.client.watchdog.look()
        replies = [one.reply_to_id for one in discord_server.sent if one.reply_to_id is not None]
        assert replies == [forgets.message_id]


async def has_nothing_to_send(database: Database, message: FakeMessage) -> bool:
    """Tell whether the answer to a message is sent, or has lost its text with what it answered."""
    return await database.read(
        lambda connection: connection.fetchval(
            "SELECT state = 'sent' OR parts = '{}' FROM answers WHERE message_id = $1", message.message_id
        )
    )


async def test_what_is_still_being_sent_is_told_and_not_sent_twice(
    discord_server: DiscordServer,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    guild = discord_server.add_guild("Home")
    may_land = asyncio.Event()
    monkeypatch.setattr(message_handler, "_STUCK_SECONDS", 0.0)
    async with running_bot(discord_server, database) as bot:
        discord_server.faults.hold(*SEND, may_land)
        asked = await guild.say("alice", "general", "Bot, remember that I like tea")
        await until(lambda: has_tried(discord_server), what="it tries to send")
        await database.write(make_overdue)
        await bot.client.watchdog.look()
        may_land.set()
        await eventually(lambda: is_answered(database, asked))
        assert [one.reply_to_id for one in discord_server.sent if one.reply_to_id] == [asked.message_id]
    told = [record.getMessage() for record in caplog.records if record.name == message_handler.logger.name]
    assert any("requests to Discord are under way, the oldest for" in line for line in told)
    assert any(
        f"1 are being sent, 0 are sent again now; messages {asked.message_id}" in line for line in told
    )

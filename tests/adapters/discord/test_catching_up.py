"""Gaps heal: what was said while the bot was away is heard when it is back, and answered only if it is fresh."""

from datetime import timedelta

import asyncpg
import pytest

from bot.core.domain import moment_of
from bot.core.metering import Event, MessagesHeard
from bot.db.pool import Database
from bot.memory.messages import writer
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.gaps import ago, let_claims_run_out, rewind, texts, told, watermark
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until


async def test_a_channel_that_was_never_seen_starts_at_its_newest_message(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef", channels=("general", "empty"))
    old = await guild.say("alice", "#general", "before the bot came")
    async with running_bot(discord_server, database) as bot:
        assert (await texts(database), told(bot)) == ([], [])
        first = await guild.say("bob", "#general", "the bot is here")
        await bot.stored(first)
    assert await watermark(database, guild.channel("general").channel_id) == first.message_id
    assert old.message_id < first.message_id
    await guild.say("alice", "#empty", "first words")
    async with running_bot(discord_server, database) as bot:
        assert await texts(database) == ["the bot is here", "first words"]
        assert told(bot) == ["Reef: caught up 1 message, 0 edits, 0 deletions"]


@pytest.mark.smoke
async def test_what_was_said_meanwhile_is_heard_in_every_kind_of_room(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef", channels=("general", "quiet"))
    guild.add_channel("voice", kind="voice")
    guild.add_channel("posts", kind="forum")
    active = guild.add_thread("general", "active", members=("alice",))
    archived = guild.add_thread("general", "archived", members=("alice",))
    async with running_bot(discord_server, database) as bot:
        for number, room in enumerate((guild.channel("general"), active, archived)):
            await bot.stored(await guild.say("alice", room, f"live {number}"))
        await bot.stored(await guild.say_directly("alice", "hello there"))
    await guild.say("alice", "general", "in general")
    await guild.say("bob", "voice", "in voice")
    await guild.say("bob", active, "in a thread")
    await guild.say("bob", archived, "in a thread that went to sleep")
    guild.archive(archived)
    post = guild.add_thread("posts", "a post", author="bob", text="a new post")
    await guild.say("alice", post, "under it")
    gone = guild.add_thread("posts", "short", author="bob", text="a post that went to sleep")
    guild.archive(gone)
    await guild.say_directly("alice", "anybody home?")
    async with running_bot(discord_server, database) as bot:
        heard = await texts(database)
        assert heard[4:] == [
            "in general",
            "in voice",
            "in a thread",
            "in a thread that went to sleep",
            "a new post",
            "under it",
            "a post that went to sleep",
            "anybody home?",
        ]
        assert len(set(heard)) == len(heard)
        assert "Reef: caught up 7 messages, 0 edits, 0 deletions" in told(bot)


async def test_commands_given_meanwhile_are_carried_out_without_a_word(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "hello", said_at=ago(hours=2)))
    await rewind(database, guild.channel("general").channel_id, ago(hours=2))
    await guild.say("alice", "general", "Bot, remember that movie night is on Friday", said_at=ago(hours=1))
    await guild.say("alice", "general", "Bot, tell me a joke", said_at=ago(minutes=50))
    await guild.say("alice", "general", "Bot, remember that the reef is closed", said_at=ago(minutes=40))
    await guild.say("alice", "general", "Bot, forget that the reef is closed", said_at=ago(minutes=30))
    async with running_bot(discord_server, database) as bot:
        assert discord_server.sent == []
        assert told(bot) == ["Reef: caught up 4 messages, 0 edits, 0 deletions; carried out 3 commands"]
        fresh = await guild.say("bob", "general", "Bot, what do you know about this server?")
        answer = await discord_server.answer_to(fresh)
        assert "movie night" in answer.text
        assert "reef is closed" not in answer.text


async def test_what_is_younger_than_five_minutes_is_answered_and_only_once(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "hello"))
    fresh = await guild.say("alice", "general", "Bot, remember that tea is at five")
    for _ in range(2):
        async with running_bot(discord_server, database):
            answer = await discord_server.answer_to(fresh)
            assert "tea" in answer.text
    assert len(discord_server.sent) == 1


async def test_a_start_hears_once_more_what_was_said_last_in_a_guild_and_nothing_from_before(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef", channels=("general", "quiet"))
    rooms = [guild.channel(name) for name in ("general", "quiet")]
    async with running_bot(discord_server, database):
        pass
    for room in rooms:
        await rewind(database, room.channel_id, ago(days=1))
    async with running_bot(discord_server, database) as bot:
        for minutes, name in ((62, "quiet"), (60, "quiet"), (12, "general"), (10, "general")):
            said = await guild.say("alice", name, f"{minutes} minutes ago", said_at=ago(minutes=minutes))
            await bot.stored(said)
    marks = [await watermark(database, room.channel_id) for room in rooms]
    before = len(discord_server.requests)
    async with running_bot(discord_server, database, catch_up_days=0) as bot:
        assert told(bot) == []
    read = {
        request.path: int(request.query["after"])
        for request in discord_server.requests[before:]
        if "after" in request.query
    }
    general, quiet = (read[f"/channels/{room.channel_id}/messages"] for room in rooms)
    assert moment_of(marks[0]) - moment_of(general) == timedelta(minutes=5)
    assert quiet == marks[1]


async def test_an_answer_that_did_not_go_out_goes_out_after_the_next_start(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "hello"))
        messages = f"/channels/{guild.channel('general').channel_id}/messages"
        discord_server.faults.fail("POST", messages, 400)
        command = await guild.say("alice", "general", "Bot, remember that tea is at five")
        await bot.stored(command)
        await until(lambda: any(one.status == 400 for one in discord_server.requests))
        await bot.stored(await guild.say("bob", "general", "so much for that"))
    assert discord_server.sent == []
    await let_claims_run_out(database)
    async with running_bot(discord_server, database):
        answer = await discord_server.answer_to(command)
        assert "tea" in answer.text
    assert len(discord_server.sent) == 1
    assert await texts(database) == ["hello", "Bot, remember that tea is at five", "so much for that"]


async def test_a_gap_is_bounded_by_retention_and_by_the_setting(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "hello", said_at=ago(days=29)))
    await rewind(database, guild.channel("general").channel_id, ago(days=50))
    await guild.say("alice", "general", "too old", said_at=ago(days=40))
    for number in range(7):
        await guild.say("alice", "general", f"word {number}", said_at=ago(days=7 - number))
    async with running_bot(discord_server, database, retention_days=30, catch_up_messages=5):
        assert await texts(database) == ["hello", *(f"word {number}" for number in range(2, 7))]
    await guild.say("alice", "general", "ignored")
    async with running_bot(discord_server, database, catch_up_messages=0):
        assert (await texts(database))[-1] == "word 6"


async def test_several_pages_of_missed_messages_come_in_order(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "hello"))
    await guild.say_many("alice", "general", [f"word {number}" for number in range(350)])
    async with running_bot(discord_server, database, catch_up_messages=320):
        assert await texts(database) == ["hello", *(f"word {number}" for number in range(30, 350))]


async def test_what_is_read_back_is_written_together(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "hello"))
    words = [f"word {number}" for number in range(199)]
    await guild.say_many("alice", "general", [*words, "Keepsake, remember that I like tea"])
    events: list[Event] = []
    database.meter.attach(events.append)
    async with running_bot(discord_server, database):
        assert (await texts(database))[1:200] == words
    database.meter.detach(events.append)
    written = [event.count for event in events if isinstance(event, MessagesHeard) and event.count]
    assert sum(written) >= 200
    assert len(written) < 20, written


async def test_a_session_that_could_not_be_resumed_leaves_no_gap(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "before"))
        for number in range(3):
            discord_server.faults.refuse_connections()
            discord_server.faults.forget_sessions()
            discord_server.faults.drop_socket()
            await guild.say("alice", "general", f"meanwhile {number}")
            discord_server.faults.refuse_connections(False)
            await discord_server.connected()
            await bot.stored(await guild.say("bob", "general", f"after {number}"))
            await until(lambda: len(told(bot)) > number, what="the gap is read back")  # noqa: B023
        expected = [word for number in range(3) for word in (f"meanwhile {number}", f"after {number}")]
        assert await texts(database) == ["before", *expected]


async def test_a_room_that_comes_into_sight_is_read_from_where_it_was_left(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Reef", channels=("general", "den"))
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "den", "seen"))
        guild.hide_from_bot("den")
        await bot.client.rooms.settled()
        await guild.say("alice", "den", "hidden")
        guild.show_to_bot("den")
        await bot.stored(await guild.say("bob", "den", "seen again"))
        await until(lambda: told(bot), what="the gap is read back")
        assert await texts(database) == ["seen", "hidden", "seen again"]


async def test_what_came_while_the_database_was_behind_is_read_back(
    discord_server: DiscordServer, database: Database, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "QUEUE_ROWS", 20)
    guild = discord_server.add_guild("Reef")
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "hello"))
        blocker = await asyncpg.connect(dsn)
        async with blocker.transaction():
            await blocker.execute("LOCK TABLE chat_history")
            words = [f"word {number}" for number in range(150)]
            said = await guild.say_many("alice", "general", words)
            # The last of them has come when something that was said after it was noticed.
            guild.rename_channel("general", "busy")
            await until(lambda: bot.client.get_channel(said[-1].channel.channel_id).name == "busy")  # type: ignore[union-attr]
        await blocker.close()
        await until(lambda: told(bot), what="the gap is read back")
        await bot.client.catch_up.settled()
        assert await texts(database) == ["hello", *words]
    assert await watermark(database, said[0].channel.channel_id) == said[-1].message_id


async def test_one_of_several_shards_heals_by_itself(
    discord_server: DiscordServer, database: Database
) -> None:
    discord_server.portal.shards = 2
    guilds = [discord_server.add_guild(name) for name in ("Reef", "Lagoon", "Atoll", "Delta")]
    async with running_bot(discord_server, database) as bot:
        for guild in guilds:
            await bot.stored(await guild.say("alice", "general", "before"))
        shard_id = (guilds[0].guild_id >> 22) % 2
        discord_server.faults.refuse_connections()
        discord_server.faults.forget_sessions()
        discord_server.faults.drop_socket(shard_id)
        missed = await guilds[0].say("alice", "general", "meanwhile")
        discord_server.faults.refuse_connections(False)
        await bot.stored(missed)
        await until(lambda: told(bot), what="the gap is told of")
        assert told(bot) == ["Reef: caught up 1 message, 0 edits, 0 deletions"]

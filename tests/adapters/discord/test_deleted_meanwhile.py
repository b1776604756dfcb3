"""What was stored and then deleted while nobody listened goes, and what only cannot be seen yet stays."""

import pytest

from bot.db.pool import Database
from tests.adapters.discord.bots import bot_process, eventually, running_bot
from tests.adapters.discord.gaps import ago, are_kept, column, texts, told, watermark
from tests.adapters.discord.talking import told_of
from tests.servers.discord.server import DiscordServer


async def rewind_below(database: Database, message_id: int) -> None:
    """Let the marks be as they were before this message, as a kill leaves them that comes before they are saved."""
    await database.write(
        lambda connection: connection.execute(
            "UPDATE channels SET watermark = least(watermark, $1), beginning = least(beginning, $1)",
            message_id - 1,
        )
    )


@pytest.mark.processes
async def test_what_was_deleted_after_a_kill_is_found_by_no_search(
    discord_server: DiscordServer, dsn: str, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    async with bot_process(discord_server, dsn) as process:
        await process.told("server Harbour")
        said = [
            await guild.say("alice", "general", text)
            for text in ("good morning", "the heliotrope key is under the mat", "ключ под ковриком")
        ]
        await eventually(lambda: are_kept(database, *(message.text for message in said)))
        await process.kill()
    await rewind_below(database, said[1].message_id)
    for message in said[1:]:
        await guild.delete(message)
    await database.write(lambda connection: connection.execute("DELETE FROM shard_leases"))
    async with bot_process(discord_server, dsn) as process:
        line = await process.told("Harbour: caught up")
        assert "2 deletions" in line
        await eventually(lambda: are_kept(database, "good morning", "", ""))
        asked = await guild.say("bob", "general", "Bot, when did we talk about the heliotrope key?")
        assert "under the mat" not in (await discord_server.answer_to(asked)).text


async def test_an_edit_of_what_lies_above_the_mark_is_heard_as_an_edit(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    async with running_bot(discord_server, database) as bot:
        first = await guild.say("alice", "general", "good morning")
        said = await guild.say("alice", "general", "Bot, remember that my locker is blue")
        await discord_server.answer_to(said)
        await bot.stored(said)
    await rewind_below(database, said.message_id)
    await guild.edit(said, "Bot, remember that my locker is green")
    async with running_bot(discord_server, database) as bot:
        assert told(bot) == ["Harbour: caught up 0 messages, 1 edit, 0 deletions"]
        asked = await guild.say("alice", "general", "Bot, what do you know about me?")
        answer = await discord_server.answer_to(asked)
        assert "green" in answer.text
        assert "blue" not in answer.text
        assert await watermark(database, first.channel.channel_id) >= first.message_id


async def test_what_history_does_not_show_yet_was_not_deleted(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    async with running_bot(discord_server, database) as bot:
        said = [await guild.say("alice", "general", f"word {number}") for number in range(4)]
        for message in said:
            await bot.stored(message)
    await rewind_below(database, said[1].message_id)
    await guild.delete(said[2])
    discord_server.faults.lag_history(1)
    async with running_bot(discord_server, database):
        assert await texts(database) == ["word 0", "word 1", "", "word 3"]


async def test_old_words_behind_one_that_history_does_not_show_yet_are_asked_for_too(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    async with running_bot(discord_server, database) as bot:
        old = [
            await guild.say("alice", "general", f"old {number}", said_at=ago(hours=3 - number))
            for number in range(3)
        ]
        new = await guild.say("bob", "general", "new")
        for message in (*old, new):
            await bot.stored(message)
    await guild.delete(old[1])
    # Discord shows less than it has.
    discord_server.faults.lag_history(2)
    async with running_bot(discord_server, database):
        assert await texts(database) == ["old 0", "", "old 2", "new"]


async def test_live_words_are_never_taken_for_deleted(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour", channels=("general", "games"))
    async with running_bot(discord_server, database) as bot:
        await bot.stored(await guild.say("alice", "general", "before"))
        discord_server.faults.lag_history(3)
        for number in range(3):
            discord_server.faults.refuse_connections()
            discord_server.faults.forget_sessions()
            discord_server.faults.drop_socket()
            await guild.say("bob", "games", f"meanwhile {number}")
            discord_server.faults.refuse_connections(False)
            await discord_server.connected()
            await bot.stored(await guild.say("alice", "general", f"live {number}"))
            await bot.client.catch_up.settled()
        kept = await texts(database)
        assert [text for text in kept if not text.startswith("meanwhile")] == [
            "before",
            "live 0",
            "live 1",
            "live 2",
        ]


async def rewrite_of(database: Database, statement: str, *arguments: object) -> None:
    await database.write(lambda connection: connection.execute(statement, *arguments))


async def test_a_command_that_was_edited_before_anybody_carried_it_out_is_carried_out_as_it_reads(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    async with running_bot(discord_server, database) as bot:
        await guild.say("alice", "general", "good morning")
        said = await guild.say("alice", "general", "Bot, remember that my locker is blue")
        await discord_server.answer_to(said)
        await bot.stored(said)
    # As a kill leaves it that comes when the message is stored, and nothing more.
    await rewrite_of(database, "DELETE FROM answers")
    await rewrite_of(database, "DELETE FROM facts")
    await rewind_below(database, said.message_id)
    await guild.edit(said, "Bot, remember that my locker is green")
    async with running_bot(discord_server, database) as bot:
        assert await told_of(bot, guild, "alice") == [f"{guild.mention('alice')}'s locker is green"]


async def test_an_edit_that_was_stored_and_not_followed_before_a_kill_is_followed(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Harbour")
    async with running_bot(discord_server, database) as bot:
        said = await guild.say("alice", "general", "Bot, remember that my locker is blue")
        confirmed = await discord_server.answer_to(said)
        await bot.stored(said)
    await guild.edit(said, "Bot, remember that my locker is green")
    await rewrite_of(
        database,
        "UPDATE chat_history SET message_text = $2, edited_at = $3 WHERE message_id = $1",
        said.message_id,
        said.text,
        said.edited_at,
    )
    async with running_bot(discord_server, database) as bot:
        assert await told_of(bot, guild, "alice") == [f"{guild.mention('alice')}'s locker is green"]
        assert "green" in confirmed.text


async def test_an_answer_whose_fact_was_forgotten_before_it_was_found_to_have_arrived_is_kept_without_its_text(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home", channels=("general", "games"))
    async with running_bot(discord_server, database) as bot:
        answer = await discord_server.answer_to(
            await guild.say("alice", "general", "Bot, remember that I own a zeppelin")
        )
        await bot.stored(answer)
        # As a process leaves it that is killed before it notes what it sent.
        await database.write(
            lambda connection: connection.execute(
                "WITH unnoted AS (UPDATE answers SET state = 'written', sent_ids = '{}')"
                " DELETE FROM chat_history WHERE message_id = $1",
                answer.message_id,
            )
        )
        forget = await guild.say("alice", "games", "Bot, forget that I own a zeppelin")
        assert "Forgotten" in (await discord_server.answer_to(forget)).text
    async with running_bot(discord_server, database) as bot:
        await bot.stored(answer)
    assert not [text for text in await column(database, "message_text") if "zeppelin" in text]

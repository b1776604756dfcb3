"""Talking with members of whom nothing is kept: they are answered like everybody, and nothing of it stays."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.chat.incoming import IncomingMessage
from bot.core.domain import Member, MessageKind, mention_of
from bot.db.pool import Connection, Database
from tests.chat.guild import BOT_ID, BOT_NAMES, GUILD_ID, NAMES, TalkingGuild
from tests.memory.spoken import queue
from tests.servers.discord.waiting import PATIENCE_SECONDS

ALICE, BOB = NAMES["alice"], NAMES["bob"]
CANARY = "zephyrbird"
TABLES = """
    SELECT table_name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1
"""


async def rows_with(database: Database, word: str) -> dict[str, list[str]]:
    """Return the rows of all tables that hold a word, by table."""

    async def read(connection: Connection) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for table in await connection.fetch(TABLES):
            name = table["table_name"]
            rows = await connection.fetch(f'SELECT t::text AS said FROM "{name}" t')
            if saying := [row["said"] for row in rows if word in row["said"]]:
                found[name] = saying
        return found

    return await database.read(read)


async def opt_out(guild: TalkingGuild, name: str = "bob") -> None:
    await guild.keepsake.memory.consent.opt_out(guild_id=GUILD_ID, user_id=NAMES[name])


async def test_who_opted_out_is_still_answered_and_nothing_of_it_stays(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", f"Bot remember that I sail the {CANARY}")
    await opt_out(guild)
    assert await guild.say("bob", f"I think of the {CANARY} all day, says {CANARY} bob") is None
    told = await guild.say("bob", f"Bot what do you know about {mention_of(ALICE)}")
    assert told is not None and CANARY in told
    own = await guild.say("bob", "Bot what do you know about me?")
    assert own is not None
    await guild.keepsake.work.idle()
    kept = await rows_with(database, CANARY)
    assert all("says" not in row for rows in kept.values() for row in rows)
    answers = [row for row in kept.get("answers", []) if f"{ALICE}" in row]
    assert kept.keys() <= {"facts", "fact_sources", "user_facts", "chat_history", "answers"}
    assert len(kept["answers"]) == len(answers) == 1
    assert len(kept["chat_history"]) == 2
    by_id = await rows_with(database, f",{BOB},")
    assert by_id.keys() == {"members"}


async def test_the_ids_by_which_an_answer_was_sent_are_enough_not_to_answer_twice(
    guild: TalkingGuild,
) -> None:
    await opt_out(guild)
    assert await guild.say("bob", "Bot what do you know about me?") is not None
    assert guild.last is not None
    again = await guild.again(guild.last)
    assert again.text is None


async def test_who_replies_to_the_bot_is_heard_as_before(guild: TalkingGuild) -> None:
    await opt_out(guild)
    await guild.say("bob", "Bot what do you know about me?")
    assert await guild.say("bob", "what do you know about me?", reply_to=guild.answer) is not None


async def test_their_turns_are_not_counted(guild: TalkingGuild, database: Database) -> None:
    await guild.say("bob", "Bot, how are you?")
    before = await turns(database)
    await opt_out(guild)
    await guild.say("bob", "Bot, how are you?")
    assert before == await turns(database) == 1


async def turns(database: Database) -> int:
    count: int = await database.read(
        lambda connection: connection.fetchval("SELECT turns FROM members WHERE user_id = $1", BOB)
    )
    return count


async def test_others_are_told_nothing_about_them(guild: TalkingGuild) -> None:
    await guild.say("bob", f"Bot remember that I sail the {CANARY}")
    await guild.say("alice", f"Bot remember that {mention_of(BOB)} is my captain")
    assert len(await guild.known("bob", asker="alice")) == 2
    await opt_out(guild)
    for question in (
        f"Bot what do you know about {mention_of(BOB)}",
        f"Bot, who sails the {CANARY}?",
        "Bot search for sail",
    ):
        told = await guild.say("alice", question) or ""
        assert "captain" not in told and CANARY not in told.replace(question, ""), question


async def test_nothing_is_remembered_about_them_on_anybodys_word(
    guild: TalkingGuild, database: Database
) -> None:
    await opt_out(guild)
    for author, subject in (("alice", mention_of(BOB)), ("bob", "I")):
        told = await guild.say(author, f"Bot remember that {subject} won the regatta")
        assert told is not None
        assert "Remembered" not in told
    count = await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM facts"))
    assert count == 0


async def test_who_replies_to_what_they_said_before_quotes_nothing_of_it(guild: TalkingGuild) -> None:
    await guild.say("bob", f"the {CANARY} is mine")
    said = guild.last
    assert said is not None
    await opt_out(guild)
    await guild.say("alice", "Bot remember this", reply_to=said)
    message = guild.last
    assert message is not None
    circumstances = await guild.keepsake.memory.answers.circumstances(message, with_question=False)
    assert circumstances.replied_to is not None
    assert CANARY not in circumstances.replied_to.text
    assert await guild.known("alice") == []


@pytest.mark.parametrize("name", ["alice", "bob"])
async def test_an_answer_that_refers_to_nothing_is_kept_as_what_it_answers(
    guild: TalkingGuild, database: Database, name: str
) -> None:
    await guild.say("alice", f"Bot remember that I sail the {CANARY}")
    await opt_out(guild)
    await guild.say(name, "hello everybody")
    said = guild.last
    assert said is not None
    asking = replace(
        said, message_id=said.message_id + 1, text=f"Bot what do you know about {mention_of(ALICE)}"
    )
    hearing = IncomingMessage(message=asking, bot_id=BOT_ID, bot_names=BOT_NAMES)
    outcome = await guild.keepsake.conversation.hear(hearing)
    assert outcome.text is not None
    sent = replace(said, message_id=said.message_id + 2, user_id=BOT_ID, kind=MessageKind.BOT)
    before = len((await rows_with(database, CANARY)).get("chat_history", []))
    await guild.keepsake.conversation.delivered(outcome, sent=[sent])
    after = len((await rows_with(database, CANARY)).get("chat_history", []))
    assert after - before == (1 if name == "alice" else 0)


async def test_no_question_left_open_no_late_command_and_no_answer_that_never_arrived_keeps_them(
    guild: TalkingGuild, database: Database
) -> None:
    await opt_out(guild)
    await guild.keepsake.directory.put_members(
        [
            Member(guild_id=GUILD_ID, user_id=user_id, user_name=f"a{user_id}", nickname="Sam")
            for user_id in (71, 72)
        ]
    )
    asked = await guild.say("bob", f"Bot, remember that Sam owns a {CANARY}")
    assert asked is not None and "1." in asked
    for late, text in (
        (True, f"Bot, remember that I own a {CANARY}"),
        (False, f"Bot, what do you know about the {CANARY}?"),
    ):
        await guild.say("bob", "hello")
        assert guild.last is not None
        message = replace(guild.last, message_id=guild.last.message_id + 7, text=text)
        if late:
            guild.clock.advance(timedelta(minutes=6))
        await guild.keepsake.conversation.hear(
            IncomingMessage(message=message, bot_id=BOT_ID, bot_names=BOT_NAMES, late=late)
        )
    guild.clock.advance(timedelta(days=1))
    await guild.keepsake.retention.on_a_new_day(GUILD_ID)
    await guild.keepsake.work.idle()
    assert await rows_with(database, CANARY) == {}
    assert (await rows_with(database, f",{BOB},")).keys() == {"members"}


async def test_the_question_that_they_answered_is_nobodys(guild: TalkingGuild, database: Database) -> None:
    await opt_out(guild)
    await guild.keepsake.directory.put_members(
        [
            Member(guild_id=GUILD_ID, user_id=user_id, user_name=f"a{user_id}", nickname="Sam")
            for user_id in (71, 72)
        ]
    )
    asked = await guild.say("bob", "Bot, what do you know about Sam?")
    assert asked is not None and "1." in asked
    await guild.say("bob", "1")
    assert (await rows_with(database, f",{BOB},")).keys() == {"members"}


async def test_where_nothing_is_heard_the_bot_is_silent_and_nothing_new_is_kept(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", f"Bot remember that I sail the {CANARY}")
    known = await guild.keepsake.directory.guild(GUILD_ID)
    assert known is not None
    await guild.keepsake.directory.change_guild(known, replace(known, hearing=False))
    # What was said before is read for facts, and told, behind.
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await queue(database):
            await asyncio.sleep(0.01)
    await guild.keepsake.work.idle()
    before = await rows_with(database, CANARY)
    assert await guild.say("alice", "Bot what do you know about me?") is None
    assert await guild.say("alice", f"Bot remember that I sold the {CANARY}") is None
    assert await rows_with(database, CANARY) == before

"""Forgetting by words: the right facts go, the count is said, and nothing is repeated."""

from dataclasses import replace

import pytest

from bot.core.domain import RedactionReason
from bot.db.pool import Database
from tests.chat.guild import GUILD_ID, TalkingGuild


async def remember(guild: TalkingGuild, author: str, *statements: str) -> None:
    for statement in statements:
        assert (await guild.say(author, f"Bot, remember that {statement}") or "").startswith("Remembered")


@pytest.mark.smoke
async def test_the_answer_says_how_many_and_never_what(guild: TalkingGuild) -> None:
    await remember(guild, "alice", "gruzilkin likes pizza")
    answer = await guild.say("alice", "Bot forget that gruzilkin likes pizza")
    assert answer == "Forgotten: I removed 1 fact."
    assert await guild.known("gruzilkin") == []


async def test_what_was_said_with_the_bots_name_behind_it_goes_whole(guild: TalkingGuild) -> None:
    assert (await guild.say("alice", "I hate mushrooms bot, dont forget it!") or "").startswith("Remembered")
    await guild.settle()
    assert len(await guild.known("alice")) == 1
    assert (await guild.say("alice", "bot forget that i hate mushrooms") or "").startswith("Forgotten")
    assert await guild.known("alice") == []


@pytest.mark.parametrize(
    ("said", "order", "answer"),
    [
        (
            "our parrot swears at the postman",
            "Bot, forget that our parrot swears at the postman",
            "Forgotten: I removed the text of 1 message.",
        ),
        (
            "наш попугай ругает почтальона",
            "Бот, забудь, что наш попугай ругает почтальона",
            "Готово: удалён текст 1 сообщения.",
        ),
    ],
)
async def test_what_was_only_said_goes_though_nothing_was_noted_of_it(
    guild: TalkingGuild, database: Database, said: str, order: str, answer: str
) -> None:
    await guild.say("alice", said)
    await guild.say("bob", f"{said}, too")
    assert await guild.say("alice", order) == answer
    word = said.split()[1]
    [left] = [row for row in await rows_of(database, "chat_history") if word in row]
    assert f"{said}, too" in left


async def test_an_order_that_only_itself_says_keeps_its_text(guild: TalkingGuild, database: Database) -> None:
    await guild.say("bob", "our parrot swears at the postman")
    for _ in range(2):
        answer = await guild.say("alice", "Bot, forget that our parrot swears at the postman")
        assert answer == "I found nothing that says that, so there was nothing to forget."
    assert len([row for row in await rows_of(database, "chat_history") if "parrot" in row]) == 3


async def test_what_holds_but_the_one_word_of_an_order_is_asked_about_first(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Lisbon is too hot in August")
    await guild.say("bob", "Lisbon is never too hot")
    asked = await guild.say("alice", "Bot, forget about Lisbon")
    assert asked == (
        "I have no note that says so, but the words of 1 message of yours. Answer “yes” within 5 minutes and I remove "
        "them."
    )
    assert await guild.say("alice", "yes") == "Forgotten: I removed the text of 1 message."
    [left] = [row for row in await rows_of(database, "chat_history") if "Lisbon" in row]
    assert "Lisbon is never too hot" in left


async def test_nothing_found_is_said(guild: TalkingGuild) -> None:
    await remember(guild, "alice", "I like pizza")
    answer = await guild.say("alice", "Bot, forget that I like ramen")
    assert answer == "I found nothing that says that, so there was nothing to forget."
    assert await guild.known("alice") == ["alice likes pizza"]


@pytest.mark.parametrize(
    "order",
    [
        "Bot forget everything but my name",
        "bot, forget all but my name",
        "Бот, забудь всё обо мне кроме имени",
    ],
)
async def test_what_is_excepted_stays_and_the_order_is_answered(guild: TalkingGuild, order: str) -> None:
    await remember(guild, "alice", "my name is Liddell")
    answer = await guild.say("alice", order)
    assert answer is not None
    assert not answer.startswith(("Forgotten", "Забыто"))
    assert await guild.known("alice") == ["alice's name is Liddell"]


@pytest.mark.parametrize(
    ("known", "forget", "left"),
    [
        (["my mail is alice@acme.io", "my mail is alice.smith@acme.io"], "my mail is alice@acme.io",
         ["alice's mail is alice.smith@acme.io"]),
        (["I own TKT-100", "I own TKT-1000"], "TKT-100", ["alice owns TKT-1000"]),
        (["I own cats", "I don't own cats"], "I don't own cats", ["alice owns cats"]),
        (["I like pizza", "I like pineapple pizza"], "I like pineapple pizza", ["alice likes pizza"]),
    ],
)  # fmt: skip
async def test_only_what_says_it_goes(
    guild: TalkingGuild, known: list[str], forget: str, left: list[str]
) -> None:
    await remember(guild, "alice", *known)
    assert await guild.say("alice", f"Bot, forget {forget}") == "Forgotten: I removed 1 fact."
    assert await guild.known("alice") == left


async def test_forget_that_takes_back_what_the_confirmation_replied_to_says(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    confirmation = guild.answer
    await remember(guild, "alice", "I like ramen")
    answer = await guild.say("alice", "forget that", reply_to=confirmation)
    assert answer == "Forgotten: I removed 1 fact."
    assert await guild.known("alice") == ["alice likes ramen"]


async def test_do_not_remember_this_withholds_the_askers_previous_message(guild: TalkingGuild) -> None:
    await guild.say("alice", "my pin is 4711")
    said = guild.last
    assert said is not None
    answer = await guild.say("alice", "Bot, don't remember this")
    assert answer == "Forgotten: I removed the text of 1 message."
    kept = await guild.keepsake.library.message(guild_id=GUILD_ID, message_id=said.message_id)
    assert kept is not None
    assert (kept.text, kept.withheld) == ("", RedactionReason.FORGOTTEN)


@pytest.mark.parametrize("is_deleted", [True, False])
async def test_what_told_a_learned_fact_that_holds_no_more_goes_with_the_message_that_said_it(
    guild: TalkingGuild, database: Database, is_deleted: bool
) -> None:
    await guild.say("alice", "I live in Vienna")
    said = guild.last
    assert said is not None
    assert "lives in Vienna" in (await guild.say("bob", "Bot, what do you know about alice?") or "")
    await guild.say("alice", "I live in Oslo")
    assert "lives in Oslo" in (await guild.say("bob", "Bot, what do you know about alice?") or "")
    if is_deleted:
        await guild.keepsake.memory.ingest_deletion(
            guild_id=GUILD_ID, channel_id=said.channel_id, message_ids=[said.message_id]
        )
    else:
        await guild.say("alice", "Bot, forget this", reply_to=said)
    for table in ("answers", "chat_history"):
        assert [row for row in await rows_of(database, table) if "Vienna" in row] == []
        assert [row for row in await rows_of(database, table) if "lives in Oslo" in row]


async def test_somebody_elses_message_keeps_its_text_when_one_says_forget_that(guild: TalkingGuild) -> None:
    await guild.say("bob", "I like tea")
    said = guild.last
    assert said is not None
    await guild.say("alice", "Bot, forget that", reply_to=said)
    kept = await guild.keepsake.library.message(guild_id=GUILD_ID, message_id=said.message_id)
    assert kept is not None
    assert kept.text == "I like tea"


async def test_everything_about_somebody_is_asked_about_first(guild: TalkingGuild) -> None:
    await remember(guild, "alice", "I like pizza", "I like ramen")
    asked = await guild.say("alice", "Bot, forget everything about me")
    assert asked == (
        "That would remove 2 facts about alice and the text of 4 messages. Answer “yes” within 5 minutes and it is "
        "done."
    )
    assert await guild.say("bob", "yes") is None
    assert await guild.say("alice", "no") == "All right, nothing was removed."
    assert len(await guild.known("alice")) == 2
    await guild.say("alice", "Bot, forget everything about me")
    assert await guild.say("alice", "yes") == "Forgotten: I removed 2 facts."
    assert await guild.known("alice") == []


async def test_what_was_forgotten_is_in_no_column_whoever_told_it(
    guild: TalkingGuild, database: Database
) -> None:
    await remember(guild, "alice", "I collect zeppelins")
    await guild.say("alice", "Bot, remember that I collect zeppelins")
    await guild.known("alice")
    await guild.say("alice", "I collect zeppelins since I was five")
    await guild.say("alice", "Bot, forget that I collect zeppelins")
    await guild.keepsake.work.idle()
    for table in ("chat_history", "facts", "user_facts", "answers", "tombstones"):
        assert not [row for row in await rows_of(database, table) if "zeppelin" in row.lower()], table


async def rows_of(database: Database, table: str) -> list[str]:
    """Return every row of a table as text."""
    rows = await database.read(lambda connection: connection.fetch(f"SELECT t::text AS whole FROM {table} t"))
    return [row["whole"] for row in rows]


async def test_an_answer_that_is_under_way_while_its_fact_is_forgotten_keeps_no_text(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "hello there")
    assert guild.last is not None
    asked = replace(
        guild.last, message_id=guild.last.message_id + 1, text="Bot, remember that I own a zeppelin"
    )
    outcome = await guild.again(asked, deliver=False)
    assert "zeppelin" in (outcome.text or "")
    await guild.say("alice", "Bot, forget that I own a zeppelin")
    await guild.deliver(outcome, asked)
    kept = await database.read(
        lambda connection: connection.fetch("SELECT FROM chat_history WHERE message_text LIKE '%zeppelin%'")
    )
    assert kept == []


async def test_the_answer_to_a_message_that_was_deleted_before_it_was_answered_keeps_no_text(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "hello there")
    assert guild.last is not None
    said = replace(
        guild.last, message_id=guild.last.message_id + 1, text="Bot, what do you know about zeppelins?"
    )
    await guild.keepsake.memory.ingest_deletion(
        guild_id=GUILD_ID, channel_id=said.channel_id, message_ids=[said.message_id]
    )
    assert "zeppelins" in ((await guild.again(said)).text or "")
    for table in ("answers", "chat_history"):
        assert [row for row in await rows_of(database, table) if "zeppelins" in row] == []


async def test_in_russian_the_numeral_fits(guild: TalkingGuild) -> None:
    for number in range(5):
        await guild.say("Маша", f"Бот, запомни, что у меня есть книга {number}")
    await guild.say("Маша", "Бот, забудь всё обо мне")
    assert await guild.say("Маша", "да") == "Готово, удалено: 5 фактов."


async def test_everything_about_one_of_two_namesakes_goes_after_both_questions(guild: TalkingGuild) -> None:
    for name in ("gruzilkin", "florent"):
        await guild.say("alice", f"Bot, remember that {name} is also known as Sam")
    await guild.say("alice", "Bot, forget everything about Sam")
    assert await guild.say("alice", "2") == (
        "That would remove 1 fact about florent and the text of 2 messages. Answer “yes” within 5 minutes and it is "
        "done."
    )
    assert await guild.say("alice", "yes please") == "Forgotten: I removed 1 fact."
    assert await guild.known("florent") == []
    assert await guild.known("gruzilkin") == ["alice says gruzilkin is also known as Sam"]


@pytest.mark.parametrize(
    "command", ["Bot forget what you know about me", "Бот, забудь, что ты знаешь обо мне", "Bot forget me"]
)
async def test_what_it_knows_about_somebody_is_everything(guild: TalkingGuild, command: str) -> None:
    await guild.say("alice", "Bot, remember that I like tea")
    await guild.say("alice", command)
    await guild.say("alice", "yes")
    assert await guild.known("alice") == []

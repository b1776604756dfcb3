"""One message, several commands, one answer; and what is asked back before it is done."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.core.domain import OPEN, snowflake_at
from bot.db.pool import Database
from tests.chat.guild import MODS, TalkingGuild


async def test_each_command_of_a_message_is_carried_out_in_one_answer(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like coffee")
    told = await guild.say("alice", "Bot, remember that I like tea and forget that I like coffee")
    assert told == "Remembered: alice likes tea.\nForgotten: I removed 1 fact."
    known = await guild.say("alice", "Bot, what do you know about me?")
    assert known is not None
    assert "tea" in known
    assert "coffee" not in known


async def test_two_lines_are_two_memories(guild: TalkingGuild) -> None:
    told = await guild.say("alice", "Bot, remember that I like pizza\nBot, remember that I hate mushrooms")
    assert told == "Remembered: alice likes pizza.\nRemembered: alice hates mushrooms."


async def test_what_is_asked_after_an_order_sees_what_it_wrote(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like coffee")
    told = await guild.say("alice", "Bot, forget that I like coffee. Bot, what do you know about me?")
    assert told is not None
    assert told.startswith("Forgotten: I removed 1 fact.")
    assert "coffee" not in told


async def test_what_is_asked_before_something_is_forgotten_does_not_tell_it_once_more(
    guild: TalkingGuild, database: Database
) -> None:
    for thing in ("coffee", "tea"):
        await guild.say("alice", f"Bot, remember that I like {thing}")
    told = await guild.say("alice", "Bot, what do you know about me? And forget that I like coffee.")
    assert told is not None
    assert "tea" in told
    assert told.endswith("Forgotten: I removed 1 fact.")
    assert "coffee" not in told
    kept = await database.read(
        lambda connection: connection.fetchval("SELECT string_agg(answers::text, ' ') FROM answers")
    )
    assert "coffee" not in kept


async def test_what_is_taken_back_beside_a_question_is_taken_back_once(guild: TalkingGuild) -> None:
    for thing in ("figs", "tea", "rum"):
        await guild.say("alice", f"Bot, remember that I like {thing}")
    told = await guild.say("alice", "Bot, undo. Bot, what do you know about me?")
    assert told is not None
    assert told.startswith("Taken back, and no longer kept: alice likes rum.")
    assert "alice likes tea" in told
    assert "alice likes figs" in told


async def test_a_refused_command_does_not_undo_the_others(guild: TalkingGuild) -> None:
    told = await guild.say(
        "alice", "Bot, remember that I like tea\nBot, remember that my password is hunter2hunter2"
    )
    assert told is not None
    known = await guild.say("alice", "Bot, what do you know about me?")
    assert known is not None
    assert "hunter2" not in known


async def test_several_commands_that_are_heard_again_are_carried_out_once(guild: TalkingGuild) -> None:
    heard = await guild.hear("alice", "Bot, remember that I like tea and remember that I hate figs")
    assert heard.text == "Remembered: alice likes tea.\nRemembered: alice hates figs."
    assert len(heard.undo_ids) == 2
    assert guild.last is not None
    again = await guild.again(guild.last)
    assert again.text is None
    assert (
        await guild.say("alice", "Bot, undo")
        == "Taken back, and no longer kept: alice likes tea; alice hates figs."
    )
    known = await guild.say("alice", "Bot, what do you know about me?")
    assert known is not None
    assert "tea" not in known
    assert "figs" not in known


async def test_an_edit_replaces_all_that_a_message_of_several_commands_wrote(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like tea and remember that I hate figs")
    assert guild.last is not None
    edited = await guild.edit(guild.last, "Bot, remember that I like tea and remember that I hate plums")
    assert edited.text is not None
    assert "plums" in edited.text
    known = await guild.say("alice", "Bot, what do you know about me?")
    assert known is not None
    assert "figs" not in known
    assert "tea" in known


async def test_what_is_not_sure_is_asked_back_and_done_on_a_yes(guild: TalkingGuild) -> None:
    asked = await guild.say("alice", "bot remember vegan")
    assert asked == "Shall I remember “I'm vegan”? Answer “yes” or “no”."
    assert await guild.say("alice", "yes") == "Remembered: alice is vegan."


async def test_what_was_asked_about_in_a_closed_room_is_kept_there_if_the_room_is_open_by_the_yes(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "bot remember vegan", channel_id=MODS)
    assert guild.last is not None
    guild.clock.advance(timedelta(seconds=5))
    now = guild.clock.now()
    agreed = replace(guild.last, message_id=snowflake_at(now), timestamp=now, text="yes", audience=OPEN)
    assert (await guild.again(agreed)).text is None
    assert "alice is vegan" not in await guild.known("alice")
    assert "alice is vegan" in await guild.known("alice", channel_id=MODS)


async def test_what_is_not_sure_is_not_done_on_a_no_nor_without_an_answer(guild: TalkingGuild) -> None:
    await guild.say("alice", "bot remember vegan")
    assert await guild.say("alice", "no") == "All right, I leave it at that; nothing was stored."
    await guild.say("alice", "bot remember vegan")
    assert await guild.say("alice", "yes", after=timedelta(minutes=6)) is None
    known = await guild.say("alice", "Bot, what do you know about me?")
    assert known is not None
    assert "is vegan" not in known


async def test_several_that_are_not_sure_are_asked_one_after_the_other(guild: TalkingGuild) -> None:
    first = await guild.say("alice", "Bot, remember vegan\nremember pizza night on the beach")
    assert first == "Shall I remember “I'm vegan”? Answer “yes” or “no”."
    second = await guild.say("alice", "yes")
    assert (
        second
        == "Remembered: alice is vegan.\nShall I remember “pizza night on the beach”? Answer “yes” or “no”."
    )
    third = await guild.say("alice", "no")
    assert third == "All right, I leave it at that; nothing was stored."


async def test_who_wants_to_be_reminded_is_offered_a_note(guild: TalkingGuild) -> None:
    told = await guild.say("alice", "Bot, remember to buy milk")
    assert told is not None
    assert told.startswith("I cannot remind anybody")
    assert await guild.say("alice", "yes") == "Remembered: alice has to buy milk."


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("I live in Bergen", "I moved to Oslo"),
        ("I take the bus in Bergen to work", "I take the train in Oslo to work"),
    ],
)
async def test_what_goes_by_the_same_message_is_not_told_as_replaced(
    guild: TalkingGuild, database: Database, before: str, now: str
) -> None:
    await guild.say("alice", f"Bot, remember that {before}")
    told = await guild.say("alice", f"Bot, remember that {now} and forget that {before}")
    assert told is not None
    assert "Oslo" in told and "Forgotten: I removed 1 fact." in told
    kept = await database.read(
        lambda connection: connection.fetch(
            "SELECT parts::text FROM answers WHERE parts::text LIKE '%Bergen%' UNION ALL"
            " SELECT message_text FROM chat_history WHERE message_text LIKE '%Bergen%'"
        )
    )
    assert kept == []


async def test_undo_after_a_forgetting_says_what_it_would_take_back(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like coffee")
    await guild.say("alice", "Bot, remember that I like tea")
    await guild.say("alice", "Bot, forget that I like tea")
    told = await guild.say("alice", "Bot, undo")
    assert told is not None
    assert told.startswith("What was forgotten is gone for good")
    await guild.say("alice", "no")
    await guild.say("alice", "Bot, remember that I like jazz")
    await guild.say("alice", "Bot, forget that I like coffee")
    told = await guild.say("alice", "Bot, undo")
    assert told is not None
    assert "alice likes jazz" in told
    assert await guild.say("alice", "yes") == "Taken back, and no longer kept: alice likes jazz."


async def test_a_question_and_a_joke_are_not_remembered_by_pointing_at_them(guild: TalkingGuild) -> None:
    for text, told in (
        ("who wants pizza tonight?", "That is a question"),
        ("haha lol", "I take that for a joke"),
        ("I eat cats for breakfast, just kidding", "I take that for a joke"),
    ):
        await guild.say("bob", text)
        answer = await guild.say("alice", "Bot, remember this", reply_to=guild.last)
        assert answer is not None
        assert answer.startswith(told)


async def test_what_was_misspelt_waits_as_it_was_understood(guild: TalkingGuild) -> None:
    await guild.say("Саша", "привет")
    asked = await guild.say("alice", "bot remmeber vegan")
    assert asked == "Shall I remember “I'm vegan”? Answer “yes” or “no”."
    assert await guild.say("alice", "yes") == "Remembered: alice is vegan."


async def test_who_erases_everything_about_themselves_is_told_how_to_erase_all(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like coffee")
    asked = await guild.say("alice", "Bot, erase everything you know about me")
    assert asked is not None
    assert "“Bot, erase me”" in asked
    plain = await guild.say("alice", "Bot, forget everything about me")
    assert plain is not None
    assert "erase me" not in plain

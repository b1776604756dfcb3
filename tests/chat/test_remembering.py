"""Remembering: at once, about the right one, once, and said only after the write."""

from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import Member, MessageKind
from bot.db.pool import Database
from tests.chat.guild import BOT_ID, GUILD_ID, MODS, NAMES, TalkingGuild

TELLER, TELLER_RU = " I will say that it comes from you.", " Скажу, что это с ваших слов."


@pytest.mark.parametrize(
    ("author", "text", "confirmed", "about"),
    [
        ("alice", "Bot, remember that I like pizza", "Remembered: alice likes pizza.", "alice"),
        ("alice", "Bot remember that gruzilkin is Sergey", "Remembered: gruzilkin is Sergey." + TELLER, "gruzilkin"),
        ("Маша", "Бот, запомни, что я люблю суши", "Записано: Маша любит суши.", "Маша"),
        ("Маша", "Бот, запомни, что Саша играет на гитаре", "Записано: Саша играет на гитаре." + TELLER_RU, "Саша"),
        ("bob", f"<@{BOT_ID}> remember that <@11> is allergic to nuts",
         "Remembered: alice is allergic to nuts." + TELLER, "alice"),
    ],
)  # fmt: skip
async def test_a_fact_is_kept_about_whom_it_names(
    guild: TalkingGuild, author: str, text: str, confirmed: str, about: str
) -> None:
    assert await guild.say(author, text) == confirmed
    (line,) = await guild.known(about)
    content = confirmed.partition(": ")[2].partition(".")[0]
    assert line == (content if author == about else f"{author} says {content}")


async def test_what_names_nobody_is_the_guilds_and_dated_when_it_is_stored(guild: TalkingGuild) -> None:
    confirmed = await guild.say("bob", "Bot remember movie night is on Friday")
    assert confirmed == "Remembered: movie night is on Friday 2026-03-06."
    assert await guild.say("alice", "Bot, what do you know about this server?") == (
        "What I know about this server:\n- [2026-03-01] bob says movie night is on Friday 2026-03-06"
    )


@pytest.mark.smoke
async def test_the_same_thing_twice_is_one_fact_and_is_said_to_be_known(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    assert (
        await guild.say("alice", "Bot, remember I like pizza!") == "I have that already: alice likes pizza."
    )
    assert await guild.known("alice") == ["alice likes pizza"]


async def test_the_message_replied_to_is_remembered_in_its_writers_name(guild: TalkingGuild) -> None:
    await guild.say("florent", "I've just moved to Lyon")
    confirmed = await guild.say("bob", "Bot, remember this", reply_to=guild.last)
    assert confirmed == "Remembered: florent has just moved to Lyon."
    assert await guild.known("florent") == ["florent has just moved to Lyon"]


async def test_remember_this_about_somebody_takes_their_last_messages_of_this_conversation(
    guild: TalkingGuild,
) -> None:
    await guild.say("florent", "olives are horrid")
    await guild.say("florent", "I've just moved to Lyon", after=timedelta(hours=1))
    await guild.say("alice", "congratulations!")
    await guild.say("bob", "Bot, remember this about Florent")
    assert await guild.known("florent") == ["florent has just moved to Lyon"]


async def test_with_nothing_to_remember_nothing_is_claimed(guild: TalkingGuild) -> None:
    answer = await guild.say("bob", "Bot, remember this about Florent")
    assert answer is not None
    assert answer.startswith("There is nothing here that I could remember.")


async def test_a_long_statement_is_refused_with_its_length(guild: TalkingGuild) -> None:
    answer = await guild.say("bob", "Bot, remember that we say " + "x" * 494)
    assert answer is not None
    assert "501 characters long, and one memory holds 500" in answer
    assert await guild.say("bob", "Bot, what do you know?") == "I have nothing noted about this server yet."


async def test_the_bot_itself_is_never_a_subject(guild: TalkingGuild, database: Database) -> None:
    for text in (f"Bot, remember that <@{BOT_ID}> is stupid", "Bot, remember that you are a cat"):
        assert (await guild.say("bob", text) or "").startswith("I keep no memories about myself.")
    assert await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM facts")) == 0


async def test_two_of_one_name_are_asked_about_and_the_number_settles_it(
    guild: TalkingGuild, keepsake: Keepsake
) -> None:
    twin = Member(guild_id=GUILD_ID, user_id=99, user_name="alice_2", nickname="alice")
    await keepsake.directory.put_members([twin])
    asked = await guild.say("bob", "Bot, remember that alice plays chess")
    assert asked == "Which one do you mean? Answer with the number.\n1. alice\n2. alice (alice_2)"
    assert await guild.say("florent", "2") is None
    assert await guild.say("bob", "2") == "Remembered: alice plays chess." + TELLER
    assert await guild.say("bob", "2") is None
    assert await guild.say("bob", "Bot, what do you know about <@99>?") == (
        "What I know about alice:\n- [2026-03-01] bob says alice plays chess"
    )


async def test_after_five_minutes_a_number_settles_nothing(
    guild: TalkingGuild, keepsake: Keepsake, database: Database
) -> None:
    twin = Member(guild_id=GUILD_ID, user_id=99, user_name="alice_2", nickname="alice")
    await keepsake.directory.put_members([twin])
    await guild.say("bob", "Bot, remember that alice plays chess")
    assert await guild.say("bob", "2", after=timedelta(minutes=6)) is None
    assert await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM facts")) == 0


async def test_what_is_said_of_a_name_that_nobody_bears_is_kept(guild: TalkingGuild) -> None:
    assert await guild.say("bob", "Bot, remember that Zoltan likes tea") == "Remembered: Zoltan likes tea."
    assert await guild.say("bob", "Bot, remember that @zoltan likes tea") == (
        "I know nobody called zoltan here."
    )


async def test_a_name_that_may_be_a_word_is_asked_about(guild: TalkingGuild, keepsake: Keepsake) -> None:
    hope = Member(guild_id=GUILD_ID, user_id=99, user_name="hope_1", nickname="Hope")
    await keepsake.directory.put_members([hope])
    asked = "Which one do you mean? Answer with the number.\n1. Hope (hope_1)\n2. somebody or something else"
    assert await guild.say("bob", "Bot, remember that Hope dies last") == asked
    assert str(await guild.say("bob", "2")).startswith("Remembered: Hope dies last.")
    assert (
        await guild.say("bob", "Bot, what do you know about <@99>?") == "I have nothing noted about Hope yet."
    )
    assert await guild.say("bob", "Bot, remember that Hope snores loudly") == asked
    assert await guild.say("bob", "1") == f"Remembered: Hope snores loudly.{TELLER}"
    assert await guild.say("bob", "Bot, what do you know about <@99>?") == (
        "What I know about Hope:\n- [2026-03-01] bob says Hope snores loudly"
    )


async def test_after_a_rename_a_memory_speaks_of_the_same_member(
    guild: TalkingGuild, keepsake: Keepsake
) -> None:
    await guild.say("bob", "Bot, remember that alice plays chess")
    renamed = Member(guild_id=GUILD_ID, user_id=NAMES["alice"], user_name="alice", nickname="Queen of Hearts")
    await keepsake.directory.put_members([renamed])
    assert await guild.known("alice") == ["bob says Queen of Hearts plays chess"]


@pytest.mark.parametrize("name", [r"\o/", r"\1", "</fact>", "$&", "%s {name}"])
async def test_an_odd_name_comes_out_as_it_is(guild: TalkingGuild, keepsake: Keepsake, name: str) -> None:
    odd = Member(guild_id=GUILD_ID, user_id=NAMES["alice"], user_name="alice", nickname=name)
    await keepsake.directory.put_members([odd])
    assert await guild.say("alice", "Bot, remember that I like pizza") == f"Remembered: {name} likes pizza."


async def test_a_memory_of_a_closed_channel_stays_there(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I plan a surprise", channel_id=MODS)
    assert await guild.known("alice", channel_id=MODS) == ["alice plans a surprise"]
    told = await guild.say("bob", "Bot, what do you know about <@11>?")
    assert told == "I have nothing noted about alice yet."


async def test_in_a_direct_message_ones_own_open_facts_are_told_and_nobody_elses(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    await guild.say("alice", "Bot, remember that I plan a surprise", channel_id=MODS)
    await guild.say("bob", "Bot, remember that I like tea")
    assert await guild.say("alice", "what do you know about me?", direct=True) == (
        "What I know about alice:\n- [2026-03-01] alice likes pizza"
    )
    assert "tea" not in (await guild.say("alice", "what do you know about bob?", direct=True) or "")


async def test_bots_are_heard_and_never_obeyed(guild: TalkingGuild, database: Database) -> None:
    assert await guild.say("bob", "Bot, remember that I like tea", kind=MessageKind.BOT) is None
    assert (
        await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM chat_history")) == 1
    )
    assert await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM facts")) == 0


async def test_a_message_heard_twice_is_answered_once(guild: TalkingGuild, clock: SetClock) -> None:
    await guild.say("alice", "Bot, remember that I like pizza", after=timedelta(0))
    clock.set(clock.now() - timedelta(seconds=1))
    assert await guild.say("alice", "Bot, remember that I like pizza", after=timedelta(0)) is None


@pytest.mark.parametrize(
    "statement",
    [
        "tomorrow I fly to Rome",
        "on Friday I have a dentist appointment",
        "in two weeks my holiday begins",
        "today is my last day",
        "Rex is my dog",
        "me and bob are going to Paris",
        "it's my birthday tomorrow",
        "завтра я лечу в Рим",
        "через две недели у меня отпуск",
        "Рекс — моя собака",
    ],
)
async def test_what_begins_with_a_time_or_ends_in_mine_is_the_authors(
    guild: TalkingGuild, statement: str
) -> None:
    await guild.say("alice", f"Bot, remember: {statement}")
    assert len(await guild.known("alice")) == 1


async def test_remember_this_about_somebody_leaves_out_what_was_said_to_the_bot(guild: TalkingGuild) -> None:
    await guild.say("florent", "I keep bees")
    await guild.say("florent", "Bot, what do you know about me?")
    await guild.say("florent", "Bot, when did we talk about ramen?")
    assert await guild.say("alice", "Bot, remember this about florent") == "Remembered: florent keeps bees."


@pytest.mark.parametrize("answer", ["the second", "number 2", "2nd", "второй", "bob", "<@12>"])
async def test_which_one_is_said_in_many_ways(guild: TalkingGuild, answer: str) -> None:
    for name in ("alice", "bob"):
        await guild.say("alice", f"Bot, remember that {name} is also known as Sam")
    asked = await guild.say("alice", "Bot, remember that Sam likes tea")
    assert asked is not None
    assert asked.splitlines()[1:] == ["1. alice", "2. bob"]
    assert await guild.say("alice", answer) == "Remembered: bob likes tea." + TELLER


async def test_in_a_direct_message_people_of_the_guild_have_their_names(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that bob likes tea")
    told = await guild.say("bob", "what do you know about me?", direct=True)
    assert told is not None
    assert told.endswith("alice says bob likes tea")


async def test_the_examples_call_the_bot_by_its_name_in_their_language(guild: TalkingGuild) -> None:
    told = await guild.say("Маша", "Бот, помоги")
    assert told is not None
    assert "Бот, запомни, что" in told
    assert "Bot" not in told

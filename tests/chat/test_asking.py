"""Asking: what is known, by whom it was told and when, and what was said."""

from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.core.domain import GUILD_SUBJECT, Fact
from bot.db.pool import Database
from tests.chat.guild import MODS, TalkingGuild


async def test_a_member_is_found_by_a_remembered_name_and_a_declined_one(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot remember that gruzilkin is Sergey")
    expected = "What I know about gruzilkin:\n- [2026-03-01] alice says gruzilkin is Sergey"
    assert await guild.say("bob", "Bot, what do you know about Sergey?") == expected
    await guild.say("Маша", "Бот, запомни, что я люблю суши")
    assert await guild.say("bob", "Бот, что ты знаешь о Маше?") == (
        "Что я знаю о Маше:\n- [2026-03-01] Маша любит суши"
    )


async def test_a_forgotten_name_no_longer_finds_anybody(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot remember that gruzilkin is Sergey")
    await guild.say("alice", "Bot, forget that gruzilkin is Sergey")
    assert (
        await guild.say("bob", "Bot, what do you know about Sergey?") == "I know nobody called Sergey here."
    )


async def test_who_has_no_facts_is_told_by_how_much_they_wrote_and_to_themselves_by_what(
    guild: TalkingGuild,
) -> None:
    for number in range(5):
        await guild.say("florent", f"message {number}")
    await guild.say("florent", "among us", channel_id=MODS)
    assert await guild.say("bob", "Bot, what do you know about florent?") == (
        "I have nothing noted about florent yet.\nflorent has written 5 messages here since 2026-03-01."
    )
    for number in range(2):
        await guild.say("gruzilkin", f"message {number}")
    assert await guild.say("gruzilkin", "Bot, what do you know about me?") == (
        "I have nothing noted about gruzilkin yet.\n"
        "gruzilkin has written 2 messages here since 2026-03-01. The latest:\n"
        "- [2026-03-01 09:00] message 0\n- [2026-03-01 09:00] message 1"
    )


async def test_a_word_that_is_no_name_finds_the_facts_that_hold_it(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that the wifi is called KeepOut")
    assert await guild.say("bob", "Bot, what do you know about the wifi?") == (
        "What I know about “the wifi”:\n- [2026-03-01] alice says the wifi is called KeepOut"
    )


async def test_when_did_we_talk_about_names_the_message(guild: TalkingGuild) -> None:
    await guild.say("florent", "the ramen place on 5th street is great")
    await guild.say("alice", "secret ramen", channel_id=MODS)
    assert await guild.say("bob", "Bot, when did we talk about ramen?", after=timedelta(days=2)) == (
        "What I found about “ramen”:\n- [2026-03-01 09:00] florent: the ramen place on 5th street is great"
    )
    assert await guild.say("bob", "Bot, when did we talk about sushi?") == (
        "I find nothing about “sushi” in what I have heard here."
    )


async def test_without_a_model_chat_gets_one_sentence_in_ten_minutes_and_channel(guild: TalkingGuild) -> None:
    first = await guild.hear("bob", "Bot, how are you?")
    assert (first.text or "").startswith("I cannot chat without a language model")
    assert (first.route, first.degraded) == ("chat", False)
    assert await guild.say("bob", "Bot, tell me a joke") is None
    assert await guild.say("bob", "Bot, tell me a joke", channel_id=2_002) is not None
    later = await guild.say("Маша", "Бот, как дела?", after=timedelta(minutes=11))
    assert (later or "").startswith("Без языковой модели")


async def test_a_mention_without_a_word_and_a_call_for_help_get_three_examples(guild: TalkingGuild) -> None:
    for text in ("<@77>", "Bot help", "Bot, what can you do?", "Bot,"):
        answer = await guild.say("bob", text)
        assert answer is not None
        assert answer.count("\n- Bot, ") == 3
    assert "запомни" in (await guild.say("Маша", "Бот, помощь") or "")


async def test_what_is_not_for_the_bot_is_heard_and_not_answered(
    guild: TalkingGuild, database: Database
) -> None:
    outcome = await guild.hear("bob", "Bot lane is feeding again")
    assert (outcome.route, outcome.text) == ("none", None)
    assert (
        await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM chat_history")) == 1
    )


async def test_every_fact_says_who_said_it_in_which_message_and_when(
    guild: TalkingGuild, keepsake: Keepsake
) -> None:
    await guild.say("alice", "Bot, remember that movie night is on Friday")
    assert guild.last is not None
    view = await keepsake.directory.view(guild_id=guild.last.guild_id, channel_audience=0, user_id=11)
    fact: Fact
    (fact,) = await keepsake.library.facts_about(GUILD_SUBJECT, view, asker_id=11)
    assert (fact.author_id, fact.source_message_id, fact.said_at, fact.cause) == (
        11,
        guild.last.message_id,
        guild.last.timestamp,
        f"m:{guild.last.message_id}",
    )


@pytest.mark.parametrize(
    "question",
    ["Bot what do you know about yourself", "Bot, what do you know about you?", "Бот, что ты знаешь о себе?"],
)
async def test_asked_about_itself_it_points_to_its_persona(guild: TalkingGuild, question: str) -> None:
    told = await guild.say("alice", question)
    assert told is not None
    assert told.startswith(("I keep no memories about myself.", "О себе я ничего не записываю."))


async def test_a_question_to_the_bot_is_no_talk_about_its_topic(guild: TalkingGuild) -> None:
    for direct in (False, True):
        for _ in range(2):
            answer = await guild.say("alice", "Bot, when did we talk about unicorns?", direct=direct)
            assert answer == "I find nothing about “unicorns” in what I have heard here."
    for _ in range(2):
        answer = await guild.say("bob", "when did we talk about unicorns?", direct=True)
        assert answer == "I find nothing about “unicorns” in what I have heard here."


async def test_the_bot_is_nobodys_closest_name(guild: TalkingGuild) -> None:
    assert await guild.say("bob", "what do you know about Keepsak?", direct=True) == (
        "I know nobody called Keepsak here."
    )


async def test_an_error_of_the_database_is_never_told_as_nothing_known(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    await database.write(lambda connection: connection.execute("ALTER TABLE facts RENAME TO elsewhere"))
    answer = await guild.say("bob", "Bot, what do you know about alice?")
    assert answer is not None
    assert answer.startswith("Something broke on my side.")
    await database.write(lambda connection: connection.execute("ALTER TABLE elsewhere RENAME TO facts"))
    assert await guild.known("alice") == ["alice likes pizza"]


async def test_what_somebody_said_lately_is_told_to_themselves_below_the_facts(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pizza")
    await guild.say("alice", "the kitten sleeps in the piano")
    own = await guild.say("alice", "Bot, what do you know about me")
    facts = ["What I know about alice:", "- [2026-03-01] alice likes pizza"]
    assert (own or "").splitlines() == [*facts, "Lately:", "alice: “the kitten sleeps in the piano”"]
    told = await guild.say("bob", "Bot, what do you know about alice")
    assert (told or "").splitlines() == [*facts, "alice has written 1 message here since 2026-03-01."]


async def test_what_was_said_in_a_closed_channel_lately_is_told_there_alone(guild: TalkingGuild) -> None:
    await guild.say("alice", "I adopted a kitten named Miso", channel_id=MODS)
    assert "kitten" not in str(await guild.say("alice", "Bot, what do you know about me"))
    assert "kitten" in str(await guild.say("alice", "Bot, what do you know about me", channel_id=MODS))


async def test_what_is_noted_in_other_words_is_told_too(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I collect old films")
    answer = await guild.say("bob", "Bot, what do you know about movies?")
    assert "alice collects old films" in str(answer)

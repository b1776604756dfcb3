"""Asked "how do you know that?": what an answer rests on, as far as whoever asks may see it."""

import pytest

from bot.text.commands import AskWhy
from bot.text.grammar.parser import parse
from tests.chat.guild import GAMES, MODS, TalkingGuild


@pytest.mark.parametrize(
    "asked",
    [
        "how do you know that?",
        "how do you know?",
        "How did you know that about me",
        "where did you get that from?",
        "who told you that?",
        "откуда ты знаешь?",
        "откуда ты это знаешь?",
        "а откуда ты это взял?",
        "кто тебе это сказал?",
    ],
)
def test_it_is_asked_in_many_ways(asked: str) -> None:
    assert parse(asked) == AskWhy()


@pytest.mark.parametrize(
    "said", ["how do you know Bob?", "where did you get that hat", "откуда ты?", "откуда ты знаешь Машу?"]
)
def test_other_questions_are_no_such_question(said: str) -> None:
    assert parse(said) != AskWhy()


async def test_an_answer_names_who_said_what_it_tells_and_when(guild: TalkingGuild) -> None:
    await guild.say("bob", "Bot, remember that @alice plays the cello")
    await guild.say("alice", "Bot, what do you know about me?", channel_id=GAMES)
    why = await guild.say("alice", "Bot, how do you know that?", channel_id=GAMES, reply_to=guild.answer)
    assert why is not None
    assert "cello" in why
    assert "said by bob" in why


async def test_without_a_reply_the_answer_just_before_is_meant(guild: TalkingGuild) -> None:
    await guild.say("alice", "Бот, запомни, что я играю на виолончели")
    await guild.say("alice", "Бот, что ты знаешь обо мне?")
    why = await guild.say("alice", "Бот, откуда ты это знаешь?")
    assert why is not None
    assert "виолончели" in why
    assert "со слов: alice" in why


async def test_what_may_not_be_seen_here_is_no_part_of_it(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I am planning a coup", channel_id=MODS)
    await guild.say("alice", "Bot, what do you know about me?", channel_id=MODS)
    told = guild.answer
    here = await guild.say("alice", "Bot, how do you know that?", channel_id=MODS, reply_to=told)
    assert here is not None
    assert "coup" in here
    elsewhere = await guild.say("bob", "Bot, how do you know that?", reply_to=told)
    assert elsewhere is not None
    assert "coup" not in elsewhere


async def test_what_was_forgotten_since_is_not_told_again(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like anchovies")
    await guild.say("alice", "Bot, what do you know about me?")
    told = guild.answer
    await guild.say("alice", "Bot, forget that I like anchovies")
    why = await guild.say("alice", "Bot, how do you know that?", reply_to=told)
    assert why is not None
    assert "anchovies" not in why


async def test_a_message_that_was_found_is_named_with_its_author_and_read_back_to_them_alone(
    guild: TalkingGuild,
) -> None:
    await guild.say("bob", "the bakery on Elm Street sells sourdough")
    await guild.say("alice", "Bot, when did we talk about sourdough?")
    why = await guild.say("alice", "Bot, how do you know that?")
    assert why is not None
    assert why.splitlines()[1:] == ["- [2026-03-01 09:00] bob"]
    await guild.say("bob", "Bot, when did we talk about sourdough?")
    assert "bob: the bakery" in (await guild.say("bob", "Bot, how do you know that?") or "")


async def test_asked_of_nothing_it_says_what_to_do(guild: TalkingGuild) -> None:
    said = await guild.say("alice", "Bot, how do you know that?")
    assert said is not None
    assert "Reply to the answer" in said

"""Whoever calls the bot is answered, or shown that it heard; what is not for it gets nothing."""

from datetime import timedelta

import pytest

from tests.chat.guild import GAMES, TalkingGuild

APOLOGY = "I cannot chat without a language model"


async def test_the_long_apology_comes_once_in_ten_minutes_and_a_sign_in_between(guild: TalkingGuild) -> None:
    assert (await guild.say("bob", "Bot, nice weather today") or "").startswith(APOLOGY)
    heard = await guild.hear("bob", "Bot, thanks anyway")
    assert (heard.text, heard.is_noticed) == (None, True)
    assert (await guild.say("bob", "Bot, thanks", channel_id=GAMES) or "").startswith(APOLOGY)
    later = await guild.say("bob", "Bot, still nice weather", after=timedelta(minutes=11))
    assert (later or "").startswith(APOLOGY)


@pytest.mark.parametrize("author", ["bob"])
async def test_a_direct_message_and_a_reply_are_noticed_too(guild: TalkingGuild, author: str) -> None:
    await guild.say(author, "hello there", direct=True)
    assert (await guild.hear(author, "so it goes", direct=True)).is_noticed
    await guild.say(author, "Bot, remember that I like tea")
    told = guild.answer
    await guild.say(author, "Bot, nice weather")
    assert (await guild.hear(author, "lovely", reply_to=told)).is_noticed


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("Bot, remember me", "remember that I like pizza"),
        ("Bot remember Bob", "remember that I like pizza"),
        ("Bot, forget it", "forget that"),
        ("Bot, you never forget anything, do you?", "forget that"),
        ("Bot, why is the sky blue?", "what do you know about me?"),
        ("Bot, vergiss alles über mich", "/memory"),
        ("Bot vergiss alles über mich", "/memory"),
        ("Бот, забудь об этом", "забудь, что"),
        ("Бот, запомни меня", "запомни, что я люблю пиццу"),
        ("Бот, почему небо синее?", "что ты знаешь обо мне?"),
    ],
)
async def test_an_order_or_a_question_is_answered_in_words_each_time(
    text: str, nearest: str, guild: TalkingGuild
) -> None:
    await guild.say("bob", "Bot, nice weather today")
    for _ in range(2):
        assert nearest in (await guild.say("alice", text) or "")


@pytest.mark.parametrize(
    "text",
    [
        "Bot lane is feeding again",
        "bot died again",
        "the bot is great",
        "nice weather",
        "bot remember when we met",
    ],
)
async def test_what_is_not_said_to_the_bot_gets_no_sign(text: str, guild: TalkingGuild) -> None:
    heard = await guild.hear("bob", text)
    assert (heard.text, heard.is_noticed) == (None, False)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Bot, who are you?", "I am Bot, the memory of this server"),
        ("bot what r u", "I am Bot, the memory of this server"),
        ("Бот, кто ты?", "Я Бот, память этого сервера"),
    ],
)
async def test_who_asks_the_bot_who_it_is_is_told(text: str, told: str, guild: TalkingGuild) -> None:
    assert told in (await guild.say("bob", text) or "")

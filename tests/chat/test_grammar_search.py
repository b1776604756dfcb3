"""Asked when something was talked about: the topic, and the time with it."""

import pytest

from bot.text.commands import Search
from bot.text.grammar.parser import parse


@pytest.mark.parametrize(
    "text",
    [
        "when did we talk about ramen?",
        "when did we last talk about ramen?",
        "when did we discuss ramen?",
        "did we ever talk about ramen?",
        "do you remember when we talked about ramen?",
        "find where we talked about ramen",
        "search for ramen",
        "find msgs about ramen",
        "what did we say about ramen?",
    ],
)
def test_a_search_names_its_topic(text: str) -> None:
    assert parse(text) == Search("ramen")


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("what did we say about ramen last week?", "ramen last week"),
        ("what did we say last week about ramen?", "ramen last week"),
        ("when did we talk about ramen in March?", "ramen in March"),
        ("did we talk yesterday about ramen?", "ramen yesterday"),
        ("что мы говорили о рамене на прошлой неделе?", "рамене на прошлой неделе"),
        ("что мы на прошлой неделе говорили о рамене?", "рамене на прошлой неделе"),
        ("что говорили вчера про рамен?", "рамен вчера"),
    ],
)
def test_a_search_names_its_time_with_its_topic(text: str, topic: str) -> None:
    assert parse(text) == Search(topic)


@pytest.mark.parametrize("text", ["what did you say about me?", "что ты сказал о рамене?", "what did I say?"])
def test_what_the_bot_said_is_not_searched_for(text: str) -> None:
    assert not isinstance(parse(text), Search)


@pytest.mark.parametrize(
    "text",
    [
        "когда мы говорили про рамен?",
        "когда мы последний раз обсуждали рамен",
        "мы говорили про рамен?",
        "поищи рамен",
    ],
)
def test_a_search_names_its_topic_in_russian(text: str) -> None:
    assert parse(text) == Search("рамен")

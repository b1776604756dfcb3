"""The bot's name at the end of what is said to others as well is no part of it, unless the sentence needs it."""

import pytest

from bot.text.vocatives import without_calls

NAMES = ("Bot", "Бот", "Keepsake", "Old Alice")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I hate mushrooms bot, dont forget it!", "I hate mushrooms, dont forget it!"),
        ("my favorite food is ramen BOT!", "my favorite food is ramen!"),
        ("i love sushi @keepsake", "i love sushi"),
        ("I like tea keepsake. I like rum bot", "I like tea. I like rum"),
        ("I hate fog old  alice", "I hate fog"),
        ("я люблю пиццу бот\nправда", "я люблю пиццу\nправда"),
        ("мёд люблю бот", "мёд люблю"),
        # A clause of its own.
        ("I hate mushrooms, bot", "I hate mushrooms, bot"),
        # What the sentence speaks of.
        ("I love Keepsake", "I love Keepsake"),
        ("my brother wrote a bot", "my brother wrote a bot"),
        ("I play mid and bot", "I play mid and bot"),
        ("это мой бот", "это мой бот"),
        # Another word.
        ("I own a robot", "I own a robot"),
        ("I hate fog bots", "I hate fog bots"),
        ("I hate bot lane", "I hate bot lane"),
        ("", ""),
    ],
)
def test_a_call_at_the_end_of_a_clause_is_left_out(text: str, left: str) -> None:
    assert without_calls(text, NAMES) == left


def test_without_names_nothing_is_left_out() -> None:
    assert without_calls("I hate mushrooms bot", (" ",)) == "I hate mushrooms bot"

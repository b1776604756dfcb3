"""Promises about keys: the same thing said anew, by whomever and however, stands under the same key."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.extraction import event_key, key_and_value_of

KEYED = [
    ("<@7>'s name is José", "name", "José"),
    ("<@7>'s name is Juan Carlos Ruiz", "name", "Juan Carlos Ruiz"),
    ("<@7> wants to be called Al", "alias:al", "Al"),
    ("<@7>'s favorite food is ramen", "favorite:food", "ramen"),
    ("<@!7>'s favorite food is ramen.", "favorite:food", "ramen"),
    ("<@7>'s favourite colour is blue", "favorite:color", "blue"),
    ("<@7>'s favorite colors are blue and red", "favorite:color", "blue and red"),
    ("Ramen is <@7>'s favorite food", "favorite:food", "Ramen"),
    ("<@7> likes pizza", "likes:pizza", "likes"),
    ("<@7> loves the ocean", "likes:ocean", "likes"),
    ("<@7> doesn't like pizza", "likes:pizza", "dislikes"),
    ("<@7> really hates Pizza", "likes:pizza", "dislikes"),
    ("<@7> no longer likes pizza", "likes:pizza", "dislikes"),
    ("<@7> is not a fan of pizza", "likes:pizza", "dislikes"),
    ("<@7> lives in Lyon", "lives_in", "Lyon"),
    ("<@7> lives in Lyon, France", "lives_in", "Lyon, France"),
    ("<@7> works as a nurse", "works_as", "nurse"),
    ("<@7> is a software engineer", "works_as", "software engineer"),
    ("<@7> works at Google", "works_at", "Google"),
    ("<@7> studies physics", "studies", "physics"),
    ("<@7>'s birthday is June 5", "birthday", "06-05"),
    ("<@7> was born on 5 June 1990", "birthday", "1990-06-05"),
    ("<@7>'s pronouns are she / her", "pronouns", "she/her"),
    ("<@7> зовут Анна Мария", "name", "Анна Мария"),
    ("у <@7> любимый цвет — синий", "favorite:цвет", "синий"),
    ("у <@7> любимый цвет синий", "favorite:цвет", "синий"),
    ("<@7> любит пиццу", "likes:пицца", "likes"),
    ("<@7> нравится пицца", "likes:пицца", "likes"),
    ("<@7> не любит пиццу", "likes:пицца", "dislikes"),
    ("<@7> терпеть не может пиццу", "likes:пицца", "dislikes"),
    ("<@7> живёт в Берлине", "lives_in", "Берлине"),
    ("<@7> работает программистом", "works_as", "программист"),
    ("<@7> программист", "works_as", "программист"),
    ("у <@7> день рождения 5 июня", "birthday", "06-05"),
    ("у <@7> др 5-го июня", "birthday", "06-05"),
    ("день рождения <@7> 5 июня", "birthday", "06-05"),
    ("5 июня у <@7> день рождения", "birthday", "06-05"),
    ("<@7>'s bday is june 5th", "birthday", "06-05"),
    ("it's <@7>'s birthday on 5 June", "birthday", "06-05"),
    ("5 June is <@7>'s birthday", "birthday", "06-05"),
    ("<@7> has a dog", "pet:dog", "a dog"),
    ("у <@7> есть кот", "pet:кот", "кот"),
]

WITHOUT_KEY = """
movie night is on Friday
<@7> likes how Bob likes tea
<@7> likes pizza more than pasta
<@7> likes pizza because Bob made it once and it was good and everyone there was happy
<@7> likes <@8>
<@7>'s brother likes pizza
<@7>'s favorite game is crashing
<@7>'s favorite team is winning
<@7>'s favourite streamer is offline
у <@7> любимая игра лагает
у <@7> любимый стример — онлайн
<@7>'s name is not important
<@7> is tired
<@7> went to Rome
<@7> lives in a small town
<@7> likes pizza and lives in Rome
<@7> любит, когда дождь
<@7> устала
likes pizza
""".strip().splitlines()


@pytest.mark.parametrize(("content", "key", "value"), KEYED)
def test_a_sentence_that_says_one_thing_has_its_key(content: str, key: str, value: str) -> None:
    assert key_and_value_of(content) == (key, value)


@pytest.mark.parametrize("content", [*WITHOUT_KEY, ""])
def test_any_other_sentence_has_none(content: str) -> None:
    assert key_and_value_of(content) is None


def test_an_event_replaces_nothing_but_itself() -> None:
    assert event_key("<@7> went to Rome") == event_key("<@7> went  to rome.")
    assert event_key("<@7> went to Rome") != event_key("<@7> went to Paris")


@given(st.lists(st.sampled_from([word for content, _, _ in KEYED for word in content.split()]), max_size=9))
@settings(max_examples=200, deadline=None)
def test_no_sentence_is_too_odd(words: list[str]) -> None:
    found = key_and_value_of(" ".join(words))
    assert found is None or (found[0] and found[1])

"""Topics: words that share nothing but what they are about."""

import pytest

from bot.text.topics import Topic, bits_of, stems_by_bit, topics_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what should I eat tonight?", {Topic.FOOD}),
        ("I'm hungry", {Topic.FOOD}),
        ("что мне сегодня приготовить?", {Topic.FOOD}),
        ("готовлю на всех в субботу", {Topic.FOOD}),
        ("<@7> likes pizza", {Topic.FOOD}),
        ("<@7> любит пельмени", {Topic.FOOD}),
        ("кем ты работаешь? в офисе?", {Topic.WORK}),
        ("my boss cancelled the meeting", {Topic.WORK, Topic.GAMES}),
        ("recommend a movie", {Topic.SCREEN}),
        ("посоветуй фильм", {Topic.SCREEN}),
        ("what is my dog called?", {Topic.PETS}),
        ("у <@7> две кошки", {Topic.PETS}),
        ("where do your parents live?", {Topic.FAMILY, Topic.HOME}),
        ("what's on tomorrow?", {Topic.DATES}),
        ("какие планы на выходные?", {Topic.DATES}),
        ("how's it going", set()),
        ("как дела?", set()),
        ("show me the server", set()),
        ("of course", set()),
        ("", set()),
    ],
)
def test_a_text_is_about_what_its_words_are_about(text: str, expected: set[Topic]) -> None:
    assert topics_of(text) == expected


def test_time_is_a_topic_only_where_there_is_no_other() -> None:
    assert topics_of("plans for friday") == {Topic.DATES}
    assert topics_of("pizza on friday?") == {Topic.FOOD}


def test_every_topic_but_time_has_a_bit_of_its_own() -> None:
    bits = [bits_of([topic]) for topic in Topic if topic is not Topic.DATES]
    assert bits_of(Topic) == sum(bits) == 2 ** len(bits) - 1
    assert bits_of([Topic.DATES]) == 0
    assert sorted(stems_by_bit()) == sorted(bits)
    assert "pizza" in stems_by_bit()[bits_of([Topic.FOOD])]

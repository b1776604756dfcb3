"""Promises about keys of what was asked to be remembered: what can be so in one way only is replaced by what is new."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.memory.facts.statements import key_and_value
from bot.text.attributes import attribute_of, same_topic

REPLACING = [
    ("<@7> lives in Vienna", "<@7> moved to Oslo"),
    ("<@7> lives in Vienna", "<@7> moved back to Oslo last month"),
    ("<@7> lives in Vienna", "<@7> moved from Leeds to Bristol in the week of 2026-11-16"),
    ("<@7> живёт в Вене", "<@7> переехала из Твери в Осло"),
    ("<@7> is from Porto", "<@7> comes from Lisbon"),
    ("<@7> is 30", "<@7> is 31"),
    ("<@7> is 30 years old", "<@7> just turned 31"),
    ("<@7> is married", "<@7> got divorced"),
    ("<@7> is single", "<@7> is dating Tom"),
    ("<@7> works at Google", "<@7> started working at Equinor"),
    ("<@7> works at Google", "<@7> got a new job at Siemens last week"),
    ("<@7> works as a baker", "<@7> is retired"),
    ("<@7> is a nurse", "<@7> became a teacher"),
    ("<@7> drives a Honda", "<@7> drives a Tesla now"),
    ("<@7>'s car is a Honda", "<@7> drives a Skoda"),
    ("<@7> is vegan", "<@7> eats meat again"),
    ("<@7>'s phone number is 030 5550 17", "<@7>'s new phone number is +49 30 5550 18"),
    ("<@7>'s exam is on 20 June", "<@7>'s exam is on the 21st of june"),
    ("the raid is on July 3", "the raid is on July 4"),
    ("<@7>'s dog is called Rex", "<@7>'s dog's name is Max"),
    ("<@7>'s cat's name is Tom", "<@7>'s cats name is Dot now"),
    ("<@7>'s boss is called Tom", "<@7>'s boss's name is now Dot"),
    ("the raid is on Friday", "the raid is now on Saturday"),
    ("the raid is on 2026-03-06", "raid starts on 2026-03-07 at 21:00"),
    ("the raid is on Friday 2026-03-06", "the raid is now on Saturday 2026-03-07 at 9pm"),
    ("рейд в пятницу 2026-03-06", "рейд в субботу 2026-03-07"),
    ("movie night is at 8pm", "movie night starts at 21:30"),
    ("our guild leader is Bob", "our guild leader is now <@9>"),
    ("<@7>'s rent is 900 euros", "<@7>'s rent is 950 euros"),
    ("<@7>'s sister is 12", "<@7>'s sister is 13"),
    ("<@7> живёт в Вене", "<@7> переехала в Осло"),
    ("<@7> живёт в Вене", "<@7> недавно переехал жить в Осло"),
    ("<@7> из Казани", "<@7> родом из Самары"),
    ("<@7> 30 лет", "<@7> уже 31 год"),
    ("<@7> замужем", "<@7> развелась"),
    ("<@7> холост", "<@7> женился на Оле"),
    ("<@7> работает в Сбере", "<@7> устроилась в Яндекс"),
    ("<@7> работает врачом", "<@7> на пенсии"),
    ("<@7> ездит на Ладе", "<@7> теперь ездит на Тесле"),
    ("<@7> веган", "<@7> больше не веган"),
    ("кота <@7> зовут Тофу", "кота <@7> зовут Рекс"),
    ("кошку <@7> зовут Мурка", "кошку <@7> теперь зовут Дот"),
    ("рейд в пятницу", "рейд теперь в субботу"),
    ("кино в 20:00", "кино будет в 21:30"),
    ("у <@7> рост 180", "у <@7> рост 181"),
    ("у <@7> начальник — Иван", "у <@7> начальник теперь — Олег"),
]

STANDING_BESIDE = [
    ("<@7> is 30", "<@7>'s brother is 30"),
    ("<@7>'s dog is called Rex", "<@7>'s cat is called Max"),
    ("the raid is on Friday", "the raid is at 9pm"),
    ("the raid is on Friday", "movie night is on Saturday"),
    ("<@7> works as a nurse", "<@7> works at Charité"),
    ("<@7> is from Porto", "<@7> lives in Lisbon"),
    ("<@7>'s brother is a doctor", "<@7>'s brother is tall"),
    ("<@7>'s car is a Volvo", "<@7>'s car is red"),
    ("<@7> is a teacher", "<@7> became a mother"),
    ("<@7>'s brother is German", "<@7>'s brother is Tom"),
    ("<@7> из Казани", "<@7> живёт в Москве"),
    ("рейд в пятницу", "рейд в 21:00"),
    ("<@7> работает учителем", "<@7> стала мамой"),
]

WITHOUT = """
<@7> drives a lot
<@7> drives to work
<@7> moved to a new flat
<@7> moved on
<@7> is from a small town
<@7> is 31 and lives in Oslo
<@7> is married but unhappy
<@7> is 5 minutes late
<@7> got engaged in a discussion
the raid is fun
the raid is on fire
<@7>'s brother is hungry
<@7> ездит на работу
<@7> стала мамой
<@7> переехала в другую квартиру
рейд сложный
""".strip().splitlines()


@pytest.mark.parametrize(("before", "after"), REPLACING)
def test_what_is_new_stands_under_the_key_of_what_was(before: str, after: str) -> None:
    (key, value), (new_key, new_value) = key_and_value(before), key_and_value(after)
    assert key == new_key
    assert value.casefold() != new_value.casefold()


@pytest.mark.parametrize(("one", "other"), STANDING_BESIDE)
def test_what_can_both_be_so_stands_under_two_keys(one: str, other: str) -> None:
    assert key_and_value(one)[0] != key_and_value(other)[0]


@pytest.mark.parametrize("content", [*WITHOUT, ""])
def test_what_may_be_so_beside_other_things_has_no_key(content: str) -> None:
    assert attribute_of(content) is None


_WORDS = sorted({word for pair in (*REPLACING, *STANDING_BESIDE) for said in pair for word in said.split()})


@given(st.lists(st.sampled_from(_WORDS), max_size=9))
@settings(max_examples=200, deadline=None)
def test_no_sentence_is_too_odd(words: list[str]) -> None:
    found = attribute_of(" ".join(words))
    assert found is None or (found[0] and found[1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<@7> takes the bus to work", "<@7> takes the train to work"),
        ("<@7> has two cats", "<@7> has three cats"),
        ("<@7> has a dog named Rex", "<@7> has a dog named Max"),
        ("the minecraft server runs version 1.20", "the minecraft server runs version 1.21"),
        ("<@7> sleeps until noon on Sundays", "<@7> sleeps until ten on Sundays"),
        ("<@7> ездит на работу автобусом", "<@7> ездит на работу трамваем"),
        ("у <@7> две кошки", "у <@7> три кошки"),
    ],
)
def test_what_says_nearly_the_same_may_not_both_hold(one: str, other: str) -> None:
    assert same_topic(one, other)
    assert same_topic(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<@7> likes tea in the morning", "<@7> likes coffee in the morning"),
        ("<@7> plays chess on Mondays", "<@7> plays football on Mondays"),
        ("<@7>'s brother is a doctor", "<@7>'s brother is tall"),
        ("<@7> has two cats", "<@7> has two cats and loves both"),
        ("<@7> takes the bus to work", "<@7> takes sugar in tea"),
        ("<@7> has two cats", "<@7> has two dogs"),
        ("<@7> любит чай с мёдом", "<@7> любит кофе с мёдом"),
    ],
)
def test_what_may_be_so_beside_the_other_is_not_asked_about(one: str, other: str) -> None:
    assert not same_topic(one, other)
    assert not same_topic(other, one)

"""A fact counts as told only where its content stands; what a prompt gets is short and whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.domain import Language
from bot.memory.facts.narrative import dated, for_prompt, is_foreign, is_told, names_the_same
from tests.memory.known import fact


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<@7> likes pizza", "<@7> lives in Lyon and likes pizza."),
        ("<@7> is allergic to nuts", "There is an allergy: nuts. Likes tea."),
        ("<@7> likes ramen", "Likes pizza.\nAlso ramen; likes tea."),
        ("<@7>'s exam is on 2026-06-20", "The exam is on 2026-06-20."),
        ("<@7> owes <@8> 5 euros", "<@7> owes <@8> 5 euros."),
        ("<@7> любит пиццу", "Живёт в Лионе, любит пиццу и чай."),
        ("<@7> mag Tee", "<@7> wohnt in Köln und mag Tee."),
        ("<@7>はピザが好き", "<@7>はピザが好きで、東京に住んでいる。"),
    ],
)
def test_what_stands_in_a_sentence_in_any_form_is_told(content: str, text: str) -> None:
    assert is_told(fact(1, content), text)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<@7> likes pizza", "<@7> likes ramen."),
        ("<@7> likes tea", "Likes pizza. Lives in Lyon. Grows tea."),
        ("<@7>'s exam is on 2026-06-20", "The exam is on 2026-06-21."),
        ("<@7> owns TKT-100", "<@7> owns TKT-1000."),
        ("<@7> owes <@8> 5 euros", "<@7> owes <@9> 5 euros."),
        ("<@7> lives in Paris", "<@7> lives in a Parisian suburb."),
        ("<@7> does not eat meat", "<@7> eats meat."),
        ("<@7> likes pizza", ""),
    ],
)
def test_what_is_said_of_something_else_is_not_told(content: str, text: str) -> None:
    assert not is_told(fact(1, content), text)


def test_in_another_alphabet_only_what_no_translation_changes_can_be_held_against_a_text() -> None:
    russian = fact(1, "<@7> должен <@8> 500 рублей")
    assert is_foreign(russian, Language.ENGLISH)
    assert names_the_same(russian, "<@7> owes <@8> 500 roubles")
    assert not names_the_same(russian, "<@7> owes <@8> 600 roubles")


@given(
    st.lists(st.tuples(st.integers(0, 100), st.text("ab ", max_size=60)), max_size=20), st.integers(0, 300)
)
def test_a_prompt_gets_whole_facts_and_never_more_than_it_may(
    told: list[tuple[int, str]], limit: int
) -> None:
    facts = [
        fact(number, f"<@7> likes {text}.", importance=importance)
        for number, (importance, text) in enumerate(told, start=1)
    ]
    text = for_prompt(None, facts, limit=limit)
    assert len(text) <= limit
    assert set(text.splitlines()) <= {dated(one) for one in facts}


def test_the_most_important_come_first_and_a_short_narrative_stands_for_them() -> None:
    facts = [fact(1, "likes tea", importance=10), fact(2, "is called Al", importance=90)]
    assert for_prompt(None, facts).index("Al") < for_prompt(None, facts).index("tea")
    assert for_prompt("Al likes tea.", facts) == "Al likes tea."
    assert for_prompt("x" * 3_000, facts) == for_prompt(None, facts)

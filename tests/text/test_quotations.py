"""Promises about quotations: what is not surely right in the third person stays as it was said."""

import pytest

from bot.text.phrasing import is_quoted_from, quotation, told


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("у сестры моей день рождения", "<@1>: «у сестры моей день рождения»"),
        ("  I yeet on weekends. ", "<@1>: “I yeet on weekends”"),
        ("my list:\n- tea\n- milk", "<@1>: “my list: / - tea / - milk”"),
        ("он поёт «Мой путь» мне", "<@1>: «он поёт „Мой путь“ мне»"),
        ("my dog “Rex” and you", "<@1>: “my dog ‘Rex’ and you”"),
    ],
)
def test_a_quotation_has_its_teller_and_the_marks_of_its_language(said: str, kept: str) -> None:
    assert quotation(said, teller_id=1) == kept
    assert is_quoted_from(kept, 1)
    assert not is_quoted_from(kept, 2)
    assert told(kept, author_id=1) == (kept, True)
    assert told(kept, author_id=2) == (kept, True)


def test_what_is_told_is_no_quotation() -> None:
    assert not is_quoted_from("<@1> likes tea", 1)
    assert not is_quoted_from("movie night: “Alien”", 1)


@pytest.mark.parametrize(
    ("said", "sure"),
    [
        ("I live in St. Louis", True),
        ("I work for Dr. Smith", True),
        ("I live on 5th St. I hate it", False),
        ("I like rain. Bob hates it", False),
        ("я фанатею от аниме", True),
        ("I'm vegan and make me a sandwich", False),
        ("im vegan and suggest a recipe", False),
        ("I'm allergic to nuts and please tell me what to eat", False),
        ("my dog is sick and recommend a vet", False),
        ("I play guitar and make me happy", False),
        ("i study and work", False),
        ("I study physics and work", False),
        ("I like tea and water", True),
        ("I gave the purse away, too much work", True),
        ("I keep bees and coach a team", True),
        ("I live in Oslo and work at a school", True),
        ("I'm a nurse and work at night", True),
        ("я не знаю где мои ключи", False),
        ("я люблю когда моя жена готовит", False),
        ("я хочу чтобы мои дети учились", False),
        ("я купил мою машину", True),
        ("я люблю мой дом и мой сад", True),
    ],
)
def test_the_dot_of_an_abbreviation_ends_no_statement_and_a_verb_may_be_new(said: str, sure: bool) -> None:
    assert told(said, author_id=1).sure is sure

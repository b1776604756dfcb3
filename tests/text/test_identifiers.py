"""Identifiers are whole, and the same in whatever spelling."""

import pytest

from bot.text.tokens import possible_identifiers, sure_identifiers, without_identifiers


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TKT-100", "tkt_100"),
        ("TKT-100", "Tkt100"),
        ("I own TKT-100", "I own TKT 100"),
        ("+1 (555) 010-9999", "1 555 010 9999"),
        ("alice@acme.io", "ALICE@acme.IO"),
        ("https://www.acme.io/x/", "www.acme.io/x"),
        ("C++", "c++"),
        ("ТКТ-100", "ткт100"),
    ],
)
def test_one_identifier_has_one_spelling(one: str, other: str) -> None:
    assert sure_identifiers(one) == sure_identifiers(other) != frozenset()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TKT-100", "TKT-1000"),
        ("TKT-100-2", "TKT-1002"),
        ("alice@acme.io", "bob.alice@acme.io"),
        ("10.0.0.1", "10.0.0.11"),
        ("192.168.0.1", "192.16.80.1"),
        ("v2.3.1", "v23.1"),
        ("4711", "47110"),
        ("C", "C++"),
    ],
)
def test_no_identifier_is_part_of_another(one: str, other: str) -> None:
    assert sure_identifiers(one) != sure_identifiers(other)
    assert not sure_identifiers(one) & possible_identifiers(other)


@pytest.mark.parametrize("text", ["at 5pm on the 30th", "10km and 3 cats", "<@12345> and <#67890>", "room 7"])
def test_numbers_that_count_and_mentions_name_nothing(text: str) -> None:
    assert sure_identifiers(text) == frozenset()


def test_a_blank_in_a_code_may_be_one_and_is_taken_for_one_where_it_is_known() -> None:
    assert sure_identifiers("my tkt 100") == frozenset()
    assert possible_identifiers("my tkt 100") >= {"tkt100"}
    assert without_identifiers("my TKT-100 and <@7>").split() == ["my", "and", "<@7>"]

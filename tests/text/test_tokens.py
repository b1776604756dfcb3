"""Promises about matching: whole tokens, whatever the words' endings, in two languages."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.concepts import Relation, concepts_of, relation_of
from bot.text.tokens import content_stems, is_negated, normalised, stem_of


def says(statement: str, content: str) -> bool:
    """Return whether `content` says what `statement` says, or more, or less of it."""
    return relation_of(concepts_of(statement), concepts_of(content)) >= Relation.LESS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<@1> likes Pizza.", "<@1>  likes pizza"),
        ("Ёлка!", "елка"),
        ("ＡＢＣ", "abc"),
        ('"quoted"', "quoted"),
        ("STRASSE", "straße"),
        ("a\n b", "a b"),
    ],
)
def test_what_makes_no_difference_is_no_difference(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


@pytest.mark.parametrize(
    ("one", "other"), [("C++", "C"), ("C#", "C"), ("<@1>", "<@2>"), ("TKT-100", "TKT-1000"), ("1.5", "15")]
)
def test_what_makes_a_difference_stays(one: str, other: str) -> None:
    assert normalised(one) != normalised(other)


@pytest.mark.parametrize(
    "identifier",
    [
        "alice@acme.io", "alice.smith@acme.io", "tkt-100", "192.168.0.1", "c++", "c#", "<@123>", "2026-03-06", "1,000",
        "9:00", "3.14", "node.js", "https://example.org/a?b=c", "/etc/passwd", "v1.2.3", "🍕", "covid-19", "a_b",
    ],
)  # fmt: skip
def test_an_identifier_is_one_token(identifier: str) -> None:
    assert content_stems(f"The {identifier.upper()}, is.") == {identifier}


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("<@1> likes pizzas", {"<@1>", "like", "pizza"}),
        ("<@1>'s dogs", {"<@1>", "dog"}),
        ("O'Brien's ice-cream", {"o'brien", "ice", "cream"}),
        ("<@1> doesn't eat", {"<@1>", "not", "eat"}),
        ("у <@1> есть кот и собаки", {"<@1>", "кот", "собак"}),
        ("<@1> не любит котов", {"<@1>", "not", "люб", "кот"}),
        ("ещё", {"ещ"}),
        ("the a and of", set()),
        ("", set()),
    ],
)
def test_other_words_are_stemmed_and_small_ones_left_out(text: str, stems: set[str]) -> None:
    assert content_stems(text) == stems


@pytest.mark.parametrize(
    "text",
    [
        "<@1> doesn't eat meat", "<@1> does not eat meat", "<@1> never eats meat", "<@1> no longer eats meat",
        "<@1> isn’t here", "<@1> cannot swim", "<@1> has no car", "nobody came", "i dont know", "<@1> не ест мясо",
        "у <@1> нет кота", "<@1> никогда не был в Риме", "нельзя",
    ],
)  # fmt: skip
def test_a_denial_is_recognised(text: str) -> None:
    assert is_negated(text)


@pytest.mark.parametrize("text", ["<@1> eats meat", "a note on knots", "<@1> ест мясо", "нетто", "небо", ""])
def test_what_only_looks_like_a_denial_is_none(text: str) -> None:
    assert not is_negated(text)


@pytest.mark.parametrize(
    ("statement", "content"),
    [
        ("<@1> likes pizza", "<@1> likes pizza"),
        ("likes pizza", "<@1> likes pizza"),
        ("<@1> likes pizza", "<@1> likes pizza with olives"),
        ("<@1> likes pizza a great deal", "<@1> likes pizza"),
        ("<@1> doesn't eat meat", "<@1> never eats meat"),
        ("alice@acme.io", "<@1>'s email is alice@acme.io"),
        ("TKT-100", "<@1> works on tkt-100."),
        ("movie night is on friday", "movie night is on Friday 2026-03-06"),
        ("<@1> likes <@2>", "<@1> likes <@2>"),
        ("<@1> любит пиццу", "<@1> любит пиццу с оливками"),
        ("у <@1> есть кот", "у <@1> кот Барсик"),
        ("кошёлка", "у <@1> есть кошелка"),
    ],
)
def test_a_fact_says_what_it_says(statement: str, content: str) -> None:
    assert says(statement, content)
    assert says(content, statement)


@pytest.mark.parametrize(
    ("statement", "content"),
    [
        ("<@1>'s email is alice@acme.io", "<@1>'s email is alice.smith@acme.io"),
        ("alice@acme.io", "alice.smith@acme.io"),
        ("alice", "alice@acme.io"),
        ("TKT-100", "<@1> works on TKT-1000"),
        ("192.168.0.1", "192.168.0.10"),
        ("C", "<@1> writes C++"),
        ("<@1> likes pizza", "<@1> doesn't like pizza"),
        ("<@1> любит пиццу", "<@1> не любит пиццу"),
        ("<@1> likes pizza", "<@1> likes pasta"),
        ("<@1> likes <@2>", "<@1> likes <@3>"),
        ("<@1> likes 🍕", "<@1> likes tea"),
        ("<@1>", "<@1> likes pizza"),
        ("<@1> is", "<@1> is a nurse"),
        ("", "<@1> likes pizza"),
        ("", ""),
    ],
)
def test_a_fact_does_not_say_what_only_resembles_it(statement: str, content: str) -> None:
    assert not says(statement, content)
    assert not says(content, statement)


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_is_too_odd(one: str, other: str) -> None:
    normalised(one)
    assert says(one, other) == says(other, one)
    assert is_negated(one) == ("not" in content_stems(one))


def test_words_are_stemmed_alike_by_many_threads_at_once() -> None:
    words = [f"{letter * number}ования" for number in range(1, 40) for letter in "бвгджз"]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            told = list(threads.map(stem_of, words * 8, chunksize=3))
    finally:
        sys.setswitchinterval(interval)
    assert told == [word.removesuffix("ования") + "ован" for word in words] * 8

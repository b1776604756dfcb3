"""Promises of what is so no longer: it is read of its author alone, and ends nothing that is not meant."""

import pytest

from bot.text.extraction import endings, is_ended_by
from bot.text.extraction_rules import ExtractionInput


def ended(text: str, *, after: str = "") -> set[tuple[str, str]]:
    """Return the kinds and values that a message ends."""
    return {
        (kind, one.value.removeprefix("¬").strip())
        for one in endings(ExtractionInput(text, 7, "", after))
        for kind in one.kinds
    }


@pytest.mark.parametrize(
    ("said", "kind", "value"),
    [
        ("I don't live in Cork anymore", "lives_in", "Cork"),
        ("i dont live in cork any more", "lives_in", "cork"),
        ("bot i no longer live in cork", "lives_in", "cork"),
        ("i moved out of cork", "lives_in", "cork"),
        ("ive moved away from leeds last year", "lives_in", "leeds"),
        ("I quit Valve", "works_at", "Valve"),
        ("i don't work at valve anymore", "works_at", "valve"),
        ("i just left valve", "works_at", "valve"),
        ("i got laid off last week", "works_at", ""),
        ("i quit my job", "works_as", ""),
        ("im not a nurse anymore", "works_as", "nurse"),
        ("i dont have a dog anymore, he died", "pet", "dog"),
        ("my cat passed away", "pet", "cat"),
        ("we broke up", "relationship", ""),
        ("i broke up with my gf last week", "relationship", ""),
        ("im not married anymore", "relationship", "married"),
        ("i stopped playing chess", "plays", "chess"),
        ("i dont play the bass anymore", "plays", "bass"),
        ("im no longer vegan", "diet", "vegan"),
        ("я больше не живу в Казани", "lives_in", "Казани"),
        ("не живу в казани больше", "lives_in", "казани"),
        ("съехала из Казани в мае", "lives_in", "Казани"),
        ("я уже не работаю в Яндексе", "works_at", "Яндексе"),
        ("уволилась из Яндекса", "works_at", "Яндекса"),
        ("у меня больше нет собаки", "pet", "собаки"),
        ("мы расстались", "relationship", ""),
        ("больше не играю в шахматы", "plays", "в шахматы"),
    ],
)
def test_what_is_so_no_longer_is_read_however_it_is_typed(said: str, kind: str, value: str) -> None:
    assert (kind, value) in ended(said)


@pytest.mark.parametrize(
    "said",
    [
        "bob doesn't live in Cork anymore",
        "if i don't live in cork anymore i'll tell you",
        "i might not live in cork anymore",
        "do i no longer live in cork?",
        "she said i no longer work at valve",
        "i don't live in Cork anymore lol",
        "> I don't live in Cork anymore",
        "we split up at the mall",
        "i don't work at valve after 6pm",
        "Петя больше не живёт в Казани",
        "я, наверное, больше не живу в Казани",
    ],
)
def test_talk_of_others_and_of_what_may_be_ends_nothing(said: str) -> None:
    assert ended(said) == set()


def test_what_the_next_message_takes_back_ends_nothing() -> None:
    assert ended("i quit valve", after="jk") == set()


@pytest.mark.parametrize(
    ("value", "key", "known", "means"),
    [
        ("¬ cork", "lives_in", "Cork", True),
        ("¬ cork ireland", "lives_in", "Cork", True),
        ("¬ Казани", "lives_in", "Казань", True),
        ("¬ dog", "pet:dog named rex", "a dog named Rex", True),
        ("¬", "works_at", "Valve", True),
        ("¬ leeds", "lives_in", "Cork", False),
        ("¬ chess with bob", "plays:chess", "chess", False),
        ("¬ discord for a week", "works_at", "Discord", False),
        ("¬ dog", "pet:two dogs", "two dogs", False),
        ("¬ cork", "lives_in", "¬ Cork", False),
        ("¬", "relationship", "is married", True),
        ("¬", "relationship", "is single", False),
    ],
)
def test_an_ending_means_that_of_which_it_speaks_and_nothing_beside_it(
    value: str, key: str, known: str, means: bool
) -> None:
    assert is_ended_by(value, key=key, known=known) is means

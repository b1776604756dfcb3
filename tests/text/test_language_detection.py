"""A language is named only where its commonest words give it away."""

import pytest

from bot.text.language_detection import detect_language, has_known_word


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("<@7> lives in Lyon and has a cat", "English"),
        ("у <@7> есть кот, и он не любит чай", "Russian"),
        ("у <@7> є кіт, і він не любить чай", "Ukrainian"),
        ("<@7> wohnt in Köln und hat eine Katze", "German"),
        ("a <@7> le gusta el té y vive en la costa", "Spanish"),
        ("<@7> habite à Lyon et n'aime pas le thé", "French"),
        ("<@7> mieszka w Krakowie i nie lubi herbaty", "Polish"),
    ],
)
def test_a_sentence_gives_its_language_away(text: str, name: str) -> None:
    found = detect_language(text)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<@7> pizza",
        "https://example.org/the/and/of",
        "https://example.org/2026/the/and",
        "kumbuka kwamba napenda pizza",
    ],
)
def test_what_is_unclear_stays_so(text: str) -> None:
    assert detect_language(text) is None
    assert not has_known_word(text)


@pytest.mark.parametrize(
    "text", ["2d6, 3d8, d10 and d20", "x28ce, 5d3a and 77ce", "commit d41d8cd fixes 3d and 2d"]
)
def test_letters_in_numbers_and_codes_are_no_words(text: str) -> None:
    assert detect_language(text) is None

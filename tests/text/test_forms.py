"""The tables of forms and synonyms: every row says something, and no form belongs to two words."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

import bot.text
from bot.core.domain import Language
from bot.text.forms import forms_of, same_word, synonyms_of
from bot.text.tokens import stem_of


def groups(language: Language, table: str) -> list[list[str]]:
    path = Path(bot.text.__path__[0]) / language.value / "forms.toml"
    return [line.split() for line in tomllib.loads(path.read_text("utf-8"))[table].splitlines() if line]


@pytest.mark.parametrize("language", Language)
def test_a_form_is_of_one_word_and_no_group_is_of_one_stem(language: Language) -> None:
    stems = [{stem_of(word) for word in group} for group in groups(language, "forms")]
    assert [group for group in stems if len(group) < 2] == []
    assert [
        stem for stem, times in Counter(stem for group in stems for stem in group).items() if times > 1
    ] == []


@pytest.mark.parametrize("language", Language)
def test_the_first_form_of_a_word_stands_for_all(language: Language) -> None:
    assert [
        form
        for group in groups(language, "forms")
        for form in group
        if same_word(stem_of(form)) != stem_of(group[0])
    ] == []


@pytest.mark.parametrize("language", Language)
def test_synonyms_are_words_of_more_than_one_stem(language: Language) -> None:
    assert [
        group for group in groups(language, "synonyms") if len({stem_of(word) for word in group}) < 2
    ] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("teaches", "taught"),
        ("going", "went"),
        ("Children", "child"),
        ("person", "people"),
        ("шёл", "идёт"),
        ("людей", "человеку"),
        ("дети", "ребёнка"),
        ("пса", "пёс"),
    ],
)
def test_irregular_forms_are_one_word(one: str, other: str) -> None:
    assert stem_of(one) != stem_of(other)
    assert stem_of(other) in {stem_of(form) for form in forms_of(one)}
    assert same_word(stem_of(one)) == same_word(stem_of(other))


def test_a_word_without_other_forms_is_itself() -> None:
    assert forms_of("zeppelin") == synonyms_of("zeppelin") == ()
    assert same_word(stem_of("zeppelins")) == stem_of("zeppelin")
    assert forms_of("") == ()


@pytest.mark.parametrize("sign", ["_", "__", "...", "**", "'"])
def test_a_sign_in_the_place_of_a_word_is_no_word(sign: str) -> None:
    assert stem_of(sign) == ""
    assert forms_of(sign) == synonyms_of(sign) == ()


def test_words_that_mean_the_same_stand_for_each_other() -> None:
    assert "film" in synonyms_of("movies")
    assert "movie" in synonyms_of("films")
    assert "кино" in synonyms_of("фильма")
    assert "taught" not in synonyms_of("teach")

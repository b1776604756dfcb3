"""What somebody else may read of a member's day, by sentences whose expectation was written before the rules."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.memory.policy.disclosure import DisclosureLevel, told_openly
from bot.text.dangers import Plan

_HERE = Path(__file__).parent
_LANGUAGES = ("en", "ru", "de", "es")
_TUNED = ("told_of_a_day.toml", "told_of_a_day_more.toml")
_UNSEEN = ("told_of_a_day_unseen.toml",)


def sentences(column: str, language: str, files: tuple[str, ...]) -> Iterator[str]:
    for name in files:
        yield from tomllib.loads((_HERE / name).read_text(encoding="utf-8"))[language][column]


def is_told(sentence: str) -> bool:
    return told_openly(sentence, DisclosureLevel.SAID) == sentence


@pytest.mark.parametrize("language", _LANGUAGES)
def test_nothing_private_of_a_day_is_told_to_others(language: str) -> None:
    assert [one for one in sentences("kept", language, (*_TUNED, *_UNSEEN)) if is_told(one)] == []


@pytest.mark.parametrize("language", _LANGUAGES)
def test_plans_and_events_of_a_day_are_told_to_others(language: str) -> None:
    harmless = [*sentences("told", language, (*_TUNED, *_UNSEEN))]
    # Too little is told rather than too much: one in ten may be missed.
    assert sum(map(is_told, harmless)) >= 0.9 * len(harmless)


@pytest.mark.parametrize("language", _LANGUAGES)
def test_beside_what_is_private_nothing_becomes_harmless(language: str) -> None:
    """One text may hold both: what is told of it is what would be told of each sentence alone."""
    told, kept = (next(sentences(column, language, _TUNED)) for column in ("told", "kept"))
    assert told_openly(f"{kept} {told}", DisclosureLevel.SAID) == told
    assert not is_told(f"{told[:-1]}; {kept}")


@pytest.mark.parametrize(
    "said",
    [
        "<@12> reserved a table with Tom.",
        "<@12> a commencé à la boulangerie.",
        "<@12> painted Tom.",
        "<@12> zgromił rywala na turnieju.",
        "<@12> started with İİİİ Tom",
    ],
)
def test_what_names_a_stranger_or_is_in_no_known_language_is_not_told(said: str) -> None:
    assert not is_told(said)


def test_what_may_harm_somebody_is_told_of_their_day_to_who_plans_it() -> None:
    told = "<@12> is allergic to nuts."
    day = f"{told} <@12> quarrelled with Tom. <@13> is allergic to eggs."
    assert told_openly(day, DisclosureLevel.SAID, subject_id=12, plans=[Plan.FOOD]) == told
    assert told_openly(day, DisclosureLevel.SAID, subject_id=12, plans=[Plan.WATER]) == ""
    assert told_openly(day, DisclosureLevel.SAID, subject_id=12) == ""
    assert told_openly(day, DisclosureLevel.NOTHING, subject_id=12, plans=[Plan.FOOD]) == ""

"""Numbers, units, months and weekdays mean the same wherever they are read, in each language."""

import re
from datetime import timedelta
from types import ModuleType

import pytest

from bot.core.domain import Language
from bot.text import calendar
from bot.text.languages import in_each_language


@pytest.mark.parametrize("lexicon", in_each_language("words"), ids=list(Language))
def test_each_language_names_all_there_is(lexicon: ModuleType) -> None:
    numbers, units = lexicon.NUMBERS, lexicon.UNITS
    assert set(numbers.values()) == set(range(1, 13))
    assert set(units) == {*calendar.LENGTHS, "weekend"}
    assert (len(lexicon.MONTHS), len(lexicon.WEEKDAYS)) == (12, 7)


@pytest.mark.parametrize(
    ("said", "length"),
    [
        ("a couple of weeks", timedelta(weeks=2)),
        ("A  few days", timedelta(days=3)),
        ("eleven hours", timedelta(hours=11)),
        ("21 days", timedelta(days=21)),
        ("одиннадцать часов", timedelta(hours=11)),
        ("несколько дней", timedelta(days=3)),
        ("пару минут", timedelta(minutes=2)),
        ("неделю", timedelta(weeks=1)),
    ],
)
def test_a_number_with_its_unit_is_a_length(said: str, length: timedelta) -> None:
    pattern = rf"(?:(?P<number>{calendar.NUMBER})\s+)?(?P<unit>{calendar.unit_words(*calendar.LENGTHS)})"
    found = re.fullmatch(pattern, said, re.IGNORECASE)
    assert found is not None
    assert calendar.length_of(found["number"], found["unit"]) == length


@pytest.mark.parametrize(
    ("word", "month"), [("March", 3), ("марта", 3), ("May", 5), ("мае", 5), ("sept", 9), ("Сентябрь", 9)]
)
def test_a_month_is_known_in_every_form(word: str, month: int) -> None:
    assert calendar.month_of(word) == month


@pytest.mark.parametrize(("word", "day"), [("Tues", 1), ("вторника", 1), ("Sunday", 6), ("воскресенье", 6)])
def test_a_weekday_is_known_in_every_form(word: str, day: int) -> None:
    assert calendar.weekday_of(word) == day


def test_another_word_is_none() -> None:
    with pytest.raises(ValueError, match="no word of the calendar"):
        calendar.month_of("mum")

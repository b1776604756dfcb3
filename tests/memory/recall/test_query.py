"""Taking a question apart: its words, its identifiers, whom it names, and whether a time narrows it."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.recall.lexicon import Nearness
from bot.memory.recall.plan import words_to_look_up
from bot.memory.recall.query import Query, identifiers_in, pattern_of, query_of

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


def query(text: str) -> Query:
    return query_of(text, now=NOW, time_zone="UTC")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("what about TKT-1000?", ("TKT-1000",)),
        ("mail alice@acme.io, please", ("alice@acme.io",)),
        ("see https://example.org/a?b=1.", ("https://example.org/a?b=1",)),
        ("#42 and v1.2.3 (and C++)", ("#42", "v1.2.3", "C++")),
        ("tkt-7 TKT-7", ("tkt-7",)),
        ("snake_case in ~/notes/a.txt", ("snake_case", "~/notes/a.txt")),
        ("заявка ЗНК-17", ("ЗНК-17",)),
        ("on 5 May 2024 at 10:30, 3rd time, 2026-03-01, 12.5", ()),
        ("well-known half-baked ideas, AC/DC? no: rock'n'roll", ()),
        ("<@12> said hi in <#13>", ()),
    ],
)
def test_identifiers_are_what_is_no_plain_word_number_or_date(text: str, found: tuple[str, ...]) -> None:
    assert query(text).identifiers == found


@given(st.text())
def test_identifiers_are_pieces_of_the_text_and_make_a_pattern(text: str) -> None:
    for identifier in identifiers_in(text):
        assert identifier in text
        assert re.escape(identifier)[0] in pattern_of(identifier)


@given(st.text())
def test_any_text_is_a_question(text: str) -> None:
    query(text)


@pytest.mark.parametrize(
    "text", ["how are you", "lol nice", "hi!", "", "привет, как дела", "спасибо", "что было вчера?", "yes"]
)
def test_small_talk_asks_for_no_words(text: str) -> None:
    # What is left are stop words, which the index drops.
    assert set(query(text).words) <= {"how", "are", "you", "как", "было"}


def test_who_is_mentioned_is_named_by_id_once() -> None:
    assert query("what did <@12> and <@!13> tell <@12>?").named_ids == (12, 13)
    assert query_of("and pizza?", now=NOW, time_zone="UTC", named_ids=[9]).named_ids == (9,)
    for text in ("what did I say about pizza?", "что я говорил о пицце?"):
        assert query_of(text, now=NOW, time_zone="UTC", asker_id=9).named_ids == (9,)
    assert query_of("how do I install it?", now=NOW, time_zone="UTC", asker_id=9).named_ids == ()


@pytest.mark.parametrize(
    ("text", "narrows", "words"),
    [
        ("what did we say about pizza last week?", True, {"pizza"}),
        ("когда мы говорили о пицце в марте?", True, {"пицце"}),
        ("pizza yesterday", True, {"pizza"}),
        ("where did Bob travel last week?", False, {"bob", "travel", "week"}),
        ("what did we say about pizza?", False, {"pizza"}),
    ],
)
def test_a_time_narrows_questions_about_talk_alone(text: str, narrows: bool, words: set[str]) -> None:
    asked = query(text)
    assert asked.narrows is narrows
    assert words <= set(asked.words)
    assert not narrows or "week" not in asked.words


def test_a_date_of_an_event_counts_as_words() -> None:
    dates = query("where did Bob travel on 5 May 2025?").dates
    assert {(one.month, one.day, one.year) for one in dates} == {
        (5, None, None),
        (None, 5, None),
        (None, None, 2025),
    }


def test_a_question_without_its_mark_is_not_narrowed_to_the_day_that_it_names() -> None:
    text = "hiking on friday, do i come along"
    assert query(text).narrows
    asked = query_of(text, now=NOW, time_zone="UTC", asks=True)
    assert asked.span == query(text).span
    assert not asked.narrows
    assert query_of("what did we talk about on friday", now=NOW, time_zone="UTC", asks=True).narrows


@given(st.text(alphabet="_'a1 ²…-"))
def test_whatever_stands_in_a_question_can_be_looked_up(text: str) -> None:
    asked = query(text)
    assert [one.word for one in words_to_look_up(asked) if one.nearness is Nearness.SAID] == [*asked.words]

"""Promises of extraction: what members surely say about themselves is read, and nothing else ever is."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.domain import MAX_FACT_CHARACTERS, FactCategory
from bot.text.attributes import attribute_of
from bot.text.extraction import extract, key_and_value_of
from bot.text.extraction_rules import Extracted, ExtractionInput
from tests.text.extraction import english_cases, place_cases, play_cases, russian_cases

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
TOLD = [*english_cases.TOLD, *russian_cases.TOLD]
EVENTS = [*english_cases.EVENTS, *russian_cases.EVENTS]


def blocks(table: str) -> list[str]:
    """One message a line, but for a block of code."""
    return [block.strip("\n") for block in re.findall(r"```.*?```|[^\n]+", table, re.DOTALL)]


NOTHING = [*blocks(english_cases.NOTHING), *blocks(russian_cases.NOTHING)]


def told(text: str, *, before: str = "", after: str = "") -> dict[str, str]:
    return {one.key: one.value for one in extract(ExtractionInput(text, 7, before, after))}


def the_one(text: str, *, before: str = "") -> Extracted:
    (one,) = extract(ExtractionInput(text, 7, before))
    return one


@pytest.mark.parametrize(("said", "expected"), TOLD)
def test_what_is_surely_said_is_read(said: str, expected: dict[str, str]) -> None:
    assert told(said) == expected


@pytest.mark.parametrize(("said", "place"), [*place_cases.TUNED, *place_cases.FRESH])
def test_a_place_is_heard_however_it_is_typed_and_nothing_else_is_one(said: str, place: str) -> None:
    found = {key: value for key, value in told(said).items() if key in {"lives_in", "from"}}
    assert [value.lower() for value in found.values()] == ([place.lower()] if place else [])


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("i moved to york", "<@7> moved to York"),
        ("im from the uk", "<@7> is from the UK"),
        ("i live in kuala lumpur", "<@7> lives in Kuala Lumpur"),
        ("мы переехали в нижний новгород", "у <@7> переезд в Нижний Новгород"),
    ],
)
def test_a_place_in_small_letters_is_kept_as_names_are_written(said: str, written: str) -> None:
    assert the_one(said).content == written


@pytest.mark.parametrize(("said", "content"), EVENTS)
def test_an_event_is_told_without_its_time(said: str, content: str) -> None:
    one = the_one(said)
    assert (one.content, one.value) == (content, content)
    assert re.fullmatch(r"event:[0-9a-f]{16}", one.key)


@pytest.mark.parametrize(
    ("said", "key", "value"),
    [
        ("I've just moved to Berlin", "lives_in", "Berlin"),
        ("we talked, and I finally got married", "relationship", "got married"),
    ],
)
def test_what_an_event_changed_for_good_is_known_for_good(said: str, key: str, value: str) -> None:
    one = the_one(said)
    assert (one.key, one.value, one.lasts) == (key, value, None)


@pytest.mark.parametrize("said", NOTHING)
def test_what_is_not_sure_not_own_or_private_tells_nothing(said: str) -> None:
    assert told(said) == {}


@pytest.mark.parametrize(
    "said",
    [
        "I like cooking and run marathons",
        "I don't like cats and love dogs",
        "I can't stand cats and love dogs",
        "я купила машину и еду домой",
    ],
)
def test_what_is_not_surely_right_in_the_third_person_tells_nothing(said: str) -> None:
    assert told(said) == {}


@pytest.mark.parametrize("said", play_cases.IRONIC)
def test_irony_and_play_tell_nothing(said: str) -> None:
    assert told(said) == {}


def test_the_tables_are_as_long_as_promised() -> None:
    assert len({said for said, _ in (*TOLD, *EVENTS)} | set(NOTHING)) >= 180
    assert len(set(play_cases.IRONIC)) >= 30


@pytest.mark.parametrize("after", play_cases.TAKEN_BACK)
def test_a_joke_that_is_owned_up_to_takes_everything_back(after: str) -> None:
    assert told("my name is john and I like pizza", after=after) == {}
    assert told("меня зовут Маша", after=after) == {}


@pytest.mark.parametrize("after", play_cases.NOT_TAKEN_BACK)
def test_what_comes_after_takes_nothing_back_otherwise(after: str) -> None:
    assert told("I like pizza", after=after) == {"likes:pizza": "likes"}


@pytest.mark.parametrize(
    ("before", "said", "expected"),
    [
        ("my favorite food is pizza", "actually it's ramen", {"favorite:food": "ramen"}),
        (
            "My favourite ice cream flavour is mint!",
            "Actually, it's vanilla.",
            {"favorite:ice cream flavor": "vanilla"},
        ),
        ("my favorite food is pizza", "no wait, ramen", {"favorite:food": "ramen"}),
        ("my favorite food is pizza", "no, it's ramen", {"favorite:food": "ramen"}),
        ("my favorite food is pizza", "I meant ramen", {"favorite:food": "ramen"}),
        ("I'm tired. My favorite food is pizza. I like tea.", "actually ramen", {"favorite:food": "ramen"}),
        ("my name is John", "actually it's Jon", {"name": "Jon"}),
        ("моя любимая еда — пицца", "на самом деле рамен", {"favorite:еда": "рамен"}),
        ("моя любимая еда — пицца", "нет, это рамен", {"favorite:еда": "рамен"}),
        ("меня зовут Вася", "точнее, Василий", {"name": "Василий"}),
        ("my favorite food is pizza", "actually it's raining", {}),
        ("my favorite food is pizza", "actually it's true", {}),
        ("my favorite food is pizza", "actually, never mind", {}),
        ("my favorite food is pizza", "actually you are right", {}),
        ("my favorite food is pizza", "actually it's ramen?", {}),
        ("my favorite food is pizza", "actually maybe ramen", {}),
        ("my favorite food is pizza", "actually it's ramen lol", {}),
        ("my favorite food is pizza", "ramen", {}),
        ("maybe my favorite food is pizza", "actually it's ramen", {}),
        ("my favorite food is pizza lol", "actually it's ramen", {}),
        ("I like pizza", "actually it's ramen", {}),
        ("my favorite food is pizza", "sorry, sushi", {"favorite:food": "sushi"}),
        ("my favorite food is pizza", "actually hungry now", {}),
        ("my favorite food is pizza", "actually nvm", {}),
        ("my favorite food is pizza", "i mean whatever", {}),
        ("my favorite food is pizza", "i mean come on", {}),
        ("my favorite food is pizza", "sorry typo", {}),
        ("my name is John", "sorry it's Jon", {"name": "Jon"}),
        ("my name is John", "sorry guys", {}),
        ("my name is John", "actually brb", {}),
        ("my name is John", "sorry lag", {}),
        ("my name is John", "sorry afk", {}),
        ("my name is John", "sorry mum", {}),
        ("my name is John", "i mean hi", {}),
        ("my name is John", "actually idk", {}),
        ("", "actually it's ramen", {}),
        ("моя любимая еда — пицца", "на самом деле дождь", {}),
        ("моя любимая еда — пицца", "вообще-то мне пора", {}),
        ("моя любимая еда — пицца", "вообще-то привет", {}),
        ("моя любимая еда — пицца", "вообще-то обед", {}),
        ("моя любимая еда — пицца", "вообще-то лаги", {}),
    ],
)
def test_a_correction_puts_another_value_in_the_place_of_what_was_just_said(
    before: str, said: str, expected: dict[str, str]
) -> None:
    assert told(said, before=before) == expected


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("my name is john and i like pizza", ["<@7>'s name is john", "<@7> likes pizza"]),
        ("my favourite colour is blue", ["<@7>'s favourite colour is blue"]),
        ("my favorite movie is “Alien”", ['<@7>\'s favorite movie is "Alien"']),
        ("I like pizza and hate olives", ["<@7> likes pizza", "<@7> hates olives"]),
        ("I really don't like olives", ["<@7> really doesn't like olives"]),
        ("I'm so tired today", ["<@7> is so tired"]),
        ("please call me Al", ["<@7> wants to be called Al"]),
        ("меня зовут Маша, я живу в Берлине", ["<@7> зовут Маша", "<@7> живёт в Берлине"]),
        ("мой любимый цвет синий", ["у <@7> любимый цвет — синий"]),
        ("терпеть не могу оливки", ["<@7> терпеть не может оливки"]),
        ("я очень устала сегодня", ["<@7> очень устала"]),
    ],
)
def test_contents_are_in_the_third_person_and_in_the_language_of_the_speaker(
    said: str, content: list[str]
) -> None:
    assert [one.content for one in extract(ExtractionInput(said, 7))] == content


@pytest.mark.parametrize(
    ("said", "category", "importance", "confidence", "lasts"),
    [
        ("my name is john", FactCategory.FACT, 90, 0.9, None),
        ("my favorite food is ramen", FactCategory.PREFERENCE, 80, 0.8, None),
        ("I like pizza", FactCategory.PREFERENCE, 75, 0.7, None),
        ("не люблю оливки", FactCategory.PREFERENCE, 75, 0.7, None),
        ("I'm tired", FactCategory.FEELING, 70, 0.5, timedelta(hours=6)),
        ("I went to Rome", FactCategory.EVENT, 60, 0.6, timedelta(days=7)),
        ("I live in Lyon", FactCategory.FACT, 85, 0.85, None),
    ],
)
def test_each_kind_has_its_worth_and_its_life(
    said: str, category: FactCategory, importance: int, confidence: float, lasts: timedelta | None
) -> None:
    one = the_one(said)
    assert (one.category, one.importance, one.confidence, one.lasts) == (
        category,
        importance,
        confidence,
        lasts,
    )


def test_a_message_that_is_too_long_is_about_something_else() -> None:
    assert told("I like pizza. " + "x" * 4000) == {}


WORDS = sorted(
    {word for said, _ in TOLD for word in said.split()}
    | {word for said in (*NOTHING, *play_cases.IRONIC) for word in said.split()}
    | {"\n", "> ", "```", '"', "«", "»", "[secret]", "{value}", "\\", "\x00", "\x02\ue000", "(", "*", "||"}
)
SENTENCES = [said for said, _ in (*TOLD, *EVENTS)]
texts = st.one_of(
    st.text(max_size=120),
    st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join),
    st.lists(st.one_of(st.sampled_from(SENTENCES), st.text(max_size=20)), max_size=3).map(" ".join),
)


@given(text=texts, before=texts, after=st.one_of(st.just(""), texts))
@settings(max_examples=400, deadline=None)
def test_no_text_is_too_odd_and_a_key_finds_its_content_again(text: str, before: str, after: str) -> None:
    found = extract(ExtractionInput(text, 7, before, after))
    assert len({one.key for one in found}) == len(found)
    for one in found:
        assert one.content.count("<@7>") >= 1
        assert len(one.content) <= MAX_FACT_CHARACTERS
        assert "[secret]" not in one.content
        if not one.key.startswith(("feeling", "event:")):
            assert (one.key, one.value) in (key_and_value_of(one.content), attribute_of(one.content))


@given(texts, st.sampled_from(["?", " ?", "?!", "??", "？", "? :)"]))
@settings(max_examples=400, deadline=None)
def test_a_question_tells_nothing(text: str, mark: str) -> None:
    asked = re.sub(r"[.!?…\n。！？\u2028\u2029]", " ", text) + mark
    assert told(asked) == {}
    assert told(asked, before="my favorite food is pizza") == {}


@given(st.sampled_from(SENTENCES), st.sampled_from(["lol", "jk", "/s", "🙃", "шучу", "ахаха", "*winks*"]))
@settings(max_examples=100, deadline=None)
def test_a_mark_of_play_takes_the_sense_from_any_sentence(said: str, mark: str) -> None:
    assert told(f"{said} {mark}") == {}
    assert told(f"{mark} {said}") == {}


@pytest.mark.skipif(not DATA.is_dir(), reason="the chat logs are not here")
def test_a_channel_that_helps_with_computers_tells_next_to_nothing() -> None:
    said = [
        message["content"]
        for name in ("irc-ubuntu.json", "irc-ubuntu-2006.json")
        for message in json.loads((DATA / name).read_text(encoding="utf-8"))["messages"]
    ]
    assert 0 < sum(len(extract(ExtractionInput(text, 7))) for text in said) < len(said) / 200

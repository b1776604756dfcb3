"""What models write in place of the lines that they were asked for is read as those lines, and nothing else is."""

from enum import StrEnum
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from bot.llm.lines import PARAGRAPHS, Line, answer_in, lines_of

NAMES = {"Anna": "u1", "Bob Smith": "u2", "u1": "u2"}
TWO = [Line("u1", "", "likes tea."), Line("u2", "", "moved to Lyon.")]


class Told(BaseModel):
    member: str
    text: str
    mood: str = ""


class Day(BaseModel):
    texts: list[Told]


class Route(BaseModel):
    kind: Literal["remember", "ask_memory", "chat"]
    confident: bool = False
    facts: list[Told] = Field(default_factory=list)
    subjects: list[str] = Field(default_factory=list)
    new_subject: str | None = None
    what: str = ""


class Verdict(StrEnum):
    FINE = "fine"
    INSULT = "insult"


class Judged(BaseModel):
    verdict: Verdict


class Chosen(BaseModel):
    facts: list[str] = Field(default_factory=list)


class Pair(BaseModel):
    older: str
    newer: str = ""


class Merged(BaseModel):
    narrative: Annotated[str, PARAGRAPHS]
    told: list[str] = Field(default_factory=list)
    contradicted: list[Pair] = Field(default_factory=list)


class Episode(BaseModel):
    text: str
    importance: int = Field(default=3, ge=0, le=10)
    tags: list[str] = Field(default_factory=list)


class Reply(BaseModel):
    text: str


@pytest.mark.parametrize(
    "written",
    [
        "u1: likes tea.\nu2: moved to Lyon.",
        "```\nu1: likes tea.\nu2: moved to Lyon.\n```",
        "**u1**: likes tea.\n**u2:** moved to Lyon.",
        "- u1: likes tea.\n- u2: moved to Lyon.",
        "1. @u1: likes tea.\n2. <@u2>: moved to Lyon.",
        "Sure, here are the texts:\n\nu1: likes tea.\n\nu2: moved to Lyon.\n\nLet me know if you need more!",
        "Anna: likes tea.\nBob Smith (u2): moved to Lyon.",
        "[u1] — likes tea.\n[u2] — moved to Lyon.",
        'u1: "likes tea."\nu2: «moved to Lyon.»',
        "u1:\nlikes tea.\nu2:\nmoved to\nLyon.",
        "| u1: likes tea. |\n| u2: moved to Lyon. |",
        "u1：likes tea.\nu2 = moved to Lyon.",
        "u1: likes tea.\nu9 and u2: met.\nZoe: stole a bike.\nand hid it.\nu2: moved to Lyon.",
    ],
)
def test_lines_are_found_however_they_are_dressed(written: str) -> None:
    assert [
        Line(one.key, one.field, " ".join(one.text.split())) for one in lines_of(written, names=NAMES)
    ] == TWO


def test_a_field_has_a_line_of_its_own() -> None:
    written = "u1: likes tea.\nu1 mood: tired.\nmood: better later.\nAnna, mood: none"
    told = answer_in(Day, "u1: likes tea.\nu1 mood: tired.", names=NAMES)
    assert told == Day(texts=[Told(member="u1", text="likes tea.", mood="tired.")])
    assert [(one.key, one.field) for one in lines_of(written, ["mood"], names=NAMES)] == [
        ("u1", ""),
        ("u1", "mood"),
        ("", "mood"),
        ("u1", "mood"),
    ]


@pytest.mark.parametrize(
    "written",
    [
        '{"texts": [{"member": "u1", "text": "likes tea."}, {"member": "@u2", "text": "moved to Lyon."}]}',
        '```json\n[{"member": "Anna", "text": "likes tea."}, {"member": "u2", "text": "moved to Lyon."}]\n```',
        'Here it is: {"texts": [{"member": "u1", "text": "likes tea."}, {"member": "u2", "text": "moved to Lyon."}]}.',
        '{"u1": "likes tea.", "u2": {"text": "moved to Lyon."}}',
        '{"texts": [{"member": "u1", "text": "likes tea."}, {"text": 3}, {"member": "u2", "text": "moved to Lyon."}]}',
    ],
)
def test_json_is_read_too_and_one_bad_thing_in_it_costs_no_other(written: str) -> None:
    told = answer_in(Day, written, names=NAMES)
    assert [(one.member, one.text) for one in told.texts] == [(one.key, one.text) for one in TWO]


@pytest.mark.parametrize(
    "written", ['{"texts": [{"member": "u1", "te', '```json\n{"texts": [', '{"texts": [{"a": 1}]}']
)
def test_half_of_an_object_is_no_answer(written: str) -> None:
    with pytest.raises(ValueError, match=r"whole|texts"):
        answer_in(Day, written)


def test_who_is_called_like_an_id_is_not_taken_for_its_bearer() -> None:
    assert lines_of("u1: likes tea.", names=NAMES) == [TWO[0]]


def test_a_sentence_with_a_colon_is_no_label() -> None:
    written = "u1: said this:\nthen they all went home and said: fine.\nalways the same: no time"
    (line,) = lines_of(written, names=NAMES)
    assert line.text.splitlines() == written.removeprefix("u1: ").splitlines()


@pytest.mark.parametrize(
    ("written", "route"),
    [
        ("kind: chat", Route(kind="chat")),
        (
            "**Kind:** ask_memory\n**Subjects:** u1, u2\nConfident: Yes",
            {"subjects": ["u1", "u2"], "confident": True},
        ),
        (
            "kind: remember\nu2: owes @u1 money\nconfident: no",
            {"facts": [Told(member="u2", text="owes @u1 money")]},
        ),
        (
            "kind: remember\nfacts:\n- u2: a\n- u2: b",
            {"facts": [Told(member="u2", text=one) for one in "ab"]},
        ),
        ("kind: ask_memory\nnew_subject: none\nsubjects: none\nwhat: null", Route(kind="ask_memory")),
        ("kind: ask_memory\nnew subject: u3", {"new_subject": "u3"}),
    ],
)
def test_fields_are_read_by_their_kinds(written: str, route: Route | dict[str, object]) -> None:
    read = answer_in(Route, written, names=NAMES)
    expected = (
        route.model_dump() if isinstance(route, Route) else {name: getattr(read, name) for name in route}
    )
    assert (
        {**read.model_dump(), **expected} == read.model_dump()
        if isinstance(route, Route)
        else expected == route
    )


@pytest.mark.parametrize(
    "written", ["fine", "verdict: fine", "**Verdict:** **fine**.", "`fine` - no insult", "It is fine."]
)
def test_one_word_is_found_with_a_label_and_without(written: str) -> None:
    assert answer_in(Judged, written).verdict is Verdict.FINE


@pytest.mark.parametrize("written", ["neither fine nor an insult", "harmless", "verdict: I cannot say"])
def test_no_word_is_no_answer(written: str) -> None:
    with pytest.raises(ValueError, match="verdict"):
        answer_in(Judged, written)


@pytest.mark.parametrize(
    ("written", "facts"),
    [
        ("facts: f1, f2", ["f1", "f2"]),
        ("f1 and f2", ["f1", "f2"]),
        ('["f1", "f2"]', ["f1", "f2"]),
        ("facts:\n- f1\n- f2", ["f1", "f2"]),
        ("facts: none", []),
        ("None.", []),
    ],
)
def test_ids_are_found_in_a_row(written: str, facts: list[str]) -> None:
    assert answer_in(Chosen, written).facts == facts


@pytest.mark.parametrize(
    "pair", ["contradicted: f4 by f1", "contradicted: f4: f1", "f4: f1", "- contradicted: f4 -> f1"]
)
def test_pairs_of_ids_are_read(pair: str) -> None:
    merged = answer_in(Merged, f"narrative: likes tea.\n\nLives in Lyon.\ntold: f1, f2\n{pair}")
    assert merged.narrative == "likes tea.\n\nLives in Lyon."
    assert merged.contradicted == [Pair(older="f4", newer="f1")]
    assert answer_in(Merged, "narrative: a\ncontradicted: none").contradicted == []


def test_numbers_and_topics_are_read() -> None:
    episode = answer_in(Episode, "text: They went to Lyon.\nimportance: 6/10\ntags: travel, board games")
    assert episode == Episode(text="They went to Lyon.", importance=6, tags=["travel", "board games"])


def test_a_refusal_in_prose_is_no_text_that_is_kept() -> None:
    for answer in (Episode, Merged, Reply):
        with pytest.raises(ValueError, match=r"required|Field"):
            answer_in(answer, "I'm sorry, but I can't help with that.")
    assert answer_in(Day, "I'm sorry, but I can't help with that.").texts == []


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Hi!\n\nHow are you: fine?", "Hi!\n\nHow are you: fine?"),
        ("```\nHi!\n```", "Hi!"),
        ("```text\nHi!\n```", "Hi!"),
        ('{"text": "Hi!"}', "Hi!"),
        ('```json\n{"text": "Hi!"}\n```', "Hi!"),
        ("text: Hi!", "Hi!"),
        ("**Text:** Hi!", "Hi!"),
        ("```python\nprint()\n```", "```python\nprint()\n```"),
        ("Try this:\n```\nprint()\n```", "Try this:\n```\nprint()\n```"),
    ],
)
def test_a_text_is_all_that_was_written(written: str, said: str) -> None:
    assert answer_in(Reply, written, is_text=True) == Reply(text=said)


@given(st.text(alphabet='u12: ab\n*`-{}"[]:|'))
def test_whatever_is_written_is_an_answer_or_a_value_error(written: str) -> None:
    for answer in (Day, Route, Judged, Chosen, Merged, Episode):
        try:
            read = answer_in(answer, written, names=NAMES)
        except ValueError:
            continue
        assert isinstance(read, answer)
    assert all(one.key in {"", "u1", "u2"} or one.key[0] in "uab" for one in lines_of(written, names=NAMES))

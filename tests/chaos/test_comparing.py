"""What a comparison lets pass, and that it lets nothing pass besides."""

from dataclasses import replace

import pytest

from tests.chaos.comparing import Answer, Left, strictly_compared, violations
from tests.chaos.kept import Fact, Row
from tests.chaos.script import Edits, Says, Script
from tests.chaos.stories import ASKED, Kind, Step

OLD, NEW = "bababaquazk", "dadadaquazk"


def told(word: str) -> str:
    return f"Bot, remember that I like {word}"


def says(kind: Kind, text: str) -> Says:
    return Says(guild="Attic", who="bob", where="games", text=text, step=Step(kind=kind, text=text))


SCRIPT = Script(
    seed=1,
    per_second=1,
    acts=(says(Kind.REMEMBER, told(OLD)), Edits(of=0, text=told(NEW)), says(Kind.ASK, ASKED["en"])),
    ended={},
)


def fact(word: str) -> Fact:
    return ("Attic", "bob", "open", f"bob likes {word}", "0")


def left(*facts: Fact, leaps_at: int | None, answered_after: int | None = None) -> Left:
    """Return what is left where the edit comes before or after the clock moved on; the question is answered."""
    remembered = {} if answered_after is None else {0: [answer(after_act=answered_after)]}
    return Left(
        said={0: told(NEW), 2: ASKED["en"]},
        ids={0: 100, 2: 102},
        rows={
            number: Row(where="Attic #games", who="bob", text=text)
            for number, text in {0: told(NEW), 2: ASKED["en"]}.items()
        },
        facts=list(facts),
        answers={**remembered, 2: [answer(after_act=3)]},
        unasked=[],
        kept_answers={0, 2},
        revived={},
        late=frozenset() if remembered else frozenset({0}),
        leaps_at=leaps_at,
    )


def answer(*, after_act: int, edited_after_act: int = 0) -> Answer:
    return Answer(text="Noted.", words=frozenset(), after_act=after_act, edited_after_act=edited_after_act)


@pytest.mark.parametrize(
    ("facts", "passes"),
    [((OLD,), True), ((NEW,), True), ((OLD, NEW), False), ((NEW, NEW), False), ((), False)],
)
def test_a_late_command_that_is_edited_too_late_is_kept_once_in_either_version(
    facts: tuple[str, ...], passes: bool
) -> None:
    calm = left(fact(OLD), leaps_at=1, answered_after=1)
    assert (violations(SCRIPT, left(*map(fact, facts), leaps_at=1), calm) == []) == passes


@pytest.mark.parametrize(("word", "passes"), [(OLD, True), (NEW, False)])
def test_a_command_that_was_answered_follows_no_edit_that_comes_too_late(word: str, passes: bool) -> None:
    calm = left(fact(OLD), leaps_at=1, answered_after=1)
    stormy = left(fact(word), leaps_at=1, answered_after=1)
    assert (violations(SCRIPT, stormy, calm) == []) == passes


@pytest.mark.parametrize("leaps_at", [None, 2])
@pytest.mark.parametrize(("word", "passes"), [(OLD, False), (NEW, True)])
def test_an_edit_in_time_is_followed_however_late_it_is_heard(
    leaps_at: int | None, word: str, passes: bool
) -> None:
    calm = left(fact(NEW), leaps_at=leaps_at, answered_after=1)
    stormy = left(fact(word), leaps_at=leaps_at, answered_after=None if leaps_at else 1)
    assert (violations(SCRIPT, stormy, calm) == []) == passes


def test_an_answer_is_compared_word_by_word_once_all_said_before_it_was_dealt_with() -> None:
    unedited = left(leaps_at=None, answered_after=1)
    assert strictly_compared(SCRIPT, unedited) == {0}
    for first in (answer(after_act=1, edited_after_act=2), answer(after_act=2)):
        assert strictly_compared(SCRIPT, replace(unedited, answers={**unedited.answers, 0: [first]})) >= {2}
    assert strictly_compared(SCRIPT, left(leaps_at=None)) == set()

"""Every kind knows its own examples, in both languages, and lets pass what only looks like them."""

import pytest

from bot.text.kinds import HARMLESS, KINDS, Kind, Nature, is_harmless, plain

_ALL = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


@_ALL
def test_a_kind_knows_its_examples_in_both_languages(kind: Kind) -> None:
    assert {said.isascii() for said in kind.says} == {True, False}
    assert [said for said in kind.says if not kind.is_in(plain(said))] == []


@_ALL
def test_what_only_looks_like_a_kind_is_not_taken_for_it(kind: Kind) -> None:
    is_taken = is_harmless if kind in HARMLESS else lambda said: kind.is_in(plain(said))
    assert {said.isascii() for said in kind.passes} == {True, False}
    assert [said for said in kind.passes if is_taken(said)] == []


@pytest.mark.parametrize("kind", HARMLESS, ids=lambda kind: kind.name)
def test_what_is_harmless_is_of_no_other_kind(kind: Kind) -> None:
    assert [said for said in kind.says if not is_harmless(said)] == []


def test_whom_it_is_said_of_is_known() -> None:
    insult = next(kind for kind in KINDS if kind.name == "insult")
    assert insult.nature is Nature.UNKIND
    assert list(insult.said_of(plain("<@13> thinks that <@12> is an idiot"))) == [12]

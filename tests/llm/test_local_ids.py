"""Local ids: short on the way in, checked on the way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.domain import MAX_ID
from bot.llm.framing import LocalIds


@given(st.lists(st.integers(1, MAX_ID)))
def test_every_id_that_was_offered_finds_its_way_back(longs: list[int]) -> None:
    ids = LocalIds("u")
    shorts = [ids.short(long) for long in longs]
    assert [ids.long(short) for short in shorts] == longs
    assert set(shorts) == {f"u{number + 1}" for number in range(len(set(longs)))}


@pytest.mark.parametrize("made_up", ["u2", "m1", "u01", "1", "", "123456789012345678"])
def test_an_id_that_was_not_offered_is_refused_and_the_offered_ones_are_named(made_up: str) -> None:
    ids = LocalIds("u")
    ids.short(123456789012345678)
    with pytest.raises(ValueError, match=r"must be one of u1$"):
        ids.long(made_up)


def test_only_what_was_asked_for_counts_as_offered() -> None:
    ids = LocalIds("u")
    assert 5 not in ids
    ids.short(5)
    assert 5 in ids

"""What models and providers say is read in whatever form it comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.calling import delay_in, json_in
from tests.llm.questions import PARIS, City


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Please retry in 25.443s.", 25.443),
        ("Please retry in 843.2ms.", 0.8432),
        ("Please retry in 1m30s", 90),
        ("Please retry in 14h32m10.5s.", 52_330.5),
        ("Please retry in a while", None),
        ("Please retry in 7", None),
        ("", None),
    ],
)
def test_a_delay_told_in_words_is_understood(text: str, seconds: float | None) -> None:
    assert delay_in(text) == (pytest.approx(seconds) if seconds is not None else None)


@given(st.text(alphabet="ab {}`\n"), st.text(alphabet="ab `\n"))
def test_an_object_is_found_in_whatever_is_put_around_it(before: str, after: str) -> None:
    assert (
        City.model_validate_json(json_in(f"{before.replace('{', '')}{PARIS.model_dump_json()}{after}"))
        == PARIS
    )

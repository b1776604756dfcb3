"""What providers say of a delay is read in whatever form it comes."""

import pytest

from bot.llm.calling import delay_in


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

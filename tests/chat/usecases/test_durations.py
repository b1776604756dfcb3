"""Durations are read as people write them, between a minute and seven days."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.usecases.managing import LONGEST, SHORTEST, duration_in

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@given(st.integers(1, 7 * 24 * 60), st.sampled_from(["", " "]), st.booleans())
def test_every_duration_that_may_be_is_read_in_its_parts(
    minutes: int, between: str, is_russian: bool
) -> None:
    days, rest = divmod(minutes, 24 * 60)
    units = "дчм" if is_russian else "dhm"
    parts = zip((days, *divmod(rest, 60)), units, strict=True)
    text = between.join(f"{number}{unit}" for number, unit in parts if number)
    assert duration_in(text) == timedelta(minutes=minutes)


@given(st.text(max_size=20))
def test_whatever_is_typed_is_a_duration_within_bounds_off_or_nothing(text: str) -> None:
    found = duration_in(text)
    assert found is None or found == timedelta(0) or SHORTEST <= found <= LONGEST


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("1h", HOUR),
        (" 90 MIN ", 90 * MINUTE),
        ("1h30m", 90 * MINUTE),
        ("1 hour 30 minutes", 90 * MINUTE),
        ("2 часа", 2 * HOUR),
        ("21 минуту", 21 * MINUTE),
        ("5 дней", 5 * DAY),
        ("1 week", 7 * DAY),
        ("7d", 7 * DAY),
        ("off", timedelta(0)),
        ("Выкл", timedelta(0)),
        ("45s", None),
        ("", None),
        ("h", None),
        ("30", None),
        ("0m", None),
        ("7d 1m", None),
        ("8d", None),
        ("99999w", None),
        ("-1h", None),
        ("1h tomorrow", None),
        ("1.5h", None),
        ("forever", None),
    ],
)
def test_durations_that_people_write(text: str, duration: timedelta | None) -> None:
    assert duration_in(text) == duration

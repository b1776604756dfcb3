"""A clock that differs a little is put right; one that is far off is not believed."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.core.clock import MOST_PUT_RIGHT, AlignedClock

_SECOND = timedelta(seconds=1)


def difference(clock: AlignedClock) -> timedelta:
    return clock.now() - datetime.now(UTC)


@pytest.mark.parametrize("minutes", [8, -8])
def test_it_is_put_right_and_follows_when_the_difference_is_gone(minutes: int) -> None:
    clock = AlignedClock()
    ahead = timedelta(minutes=minutes)
    clock.align(datetime.now(UTC) + ahead)
    assert abs(difference(clock) - ahead) < 5 * _SECOND
    clock.align(datetime.now(UTC))
    assert abs(difference(clock)) < _SECOND


def test_the_way_of_an_answer_is_no_difference() -> None:
    clock = AlignedClock()
    clock.align(datetime.now(UTC) - _SECOND)
    assert abs(difference(clock)) < _SECOND


def test_a_clock_that_is_far_off_is_not_believed() -> None:
    clock = AlignedClock()
    clock.align(datetime.now(UTC) + MOST_PUT_RIGHT * 2)
    assert abs(difference(clock)) < _SECOND

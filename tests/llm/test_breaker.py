"""The breaker: a dead model costs a few callers their patience, and then nobody."""

from hypothesis import given
from hypothesis import strategies as st

from bot.llm.models import FAILURES_TO_OPEN, FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, Breaker
from tests.llm.questions import Time


def opened(time: Time) -> Breaker:
    breaker = Breaker(time.monotonic)
    for _ in range(FAILURES_TO_OPEN):
        assert breaker.admit()
        breaker.failed()
    return breaker


def test_a_model_that_failed_often_enough_is_left_alone() -> None:
    assert not opened(Time()).admit()


def test_a_success_in_between_begins_the_count_anew() -> None:
    breaker = Breaker(Time().monotonic)
    for _ in range(FAILURES_TO_OPEN * 2):
        breaker.failed()
        breaker.succeeded()
    assert breaker.admit()


def test_after_the_pause_one_caller_finds_out_and_the_others_wait() -> None:
    time = Time()
    breaker = opened(time)
    time.now += FIRST_PAUSE_SECONDS
    assert [breaker.admit() for _ in range(3)] == [True, False, False]
    breaker.succeeded()
    assert [breaker.admit() for _ in range(3)] == [True, True, True]


def test_each_pause_in_vain_is_longer_up_to_a_limit() -> None:
    time = Time()
    breaker, pauses = opened(time), []
    for _ in range(8):
        before = time.now
        while not breaker.admit():
            time.now += 5
        pauses.append(time.now - before)
        breaker.failed()
    assert pauses[:3] == [30, 60, 120]
    assert pauses[-1] == LONGEST_PAUSE_SECONDS


def test_a_caller_that_went_away_leaves_the_finding_out_to_the_next() -> None:
    time = Time()
    breaker = opened(time)
    time.now += FIRST_PAUSE_SECONDS
    assert breaker.admit()
    breaker.gave_up()
    assert breaker.admit()


def test_callers_that_fail_late_do_not_lengthen_the_pause() -> None:
    time = Time()
    breaker = opened(time)
    time.now += FIRST_PAUSE_SECONDS - 1
    breaker.failed()
    time.now += 1
    assert breaker.admit()


@given(st.lists(st.sampled_from(["succeeded", "failed", "gave_up", "wait"]), max_size=60))
def test_whatever_happens_a_model_that_lives_again_is_found(events: list[str]) -> None:
    time = Time()
    breaker = Breaker(time.monotonic)
    for event in events:
        if event == "wait":
            time.now += FIRST_PAUSE_SECONDS
        elif breaker.admit():
            getattr(breaker, event)()
    time.now += LONGEST_PAUSE_SECONDS
    assert breaker.admit()
    breaker.succeeded()
    assert breaker.admit()

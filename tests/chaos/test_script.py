"""What members do is told by the seed alone, and tells by itself what is to be left in the end."""

import itertools

from tests.chaos.script import Deletes, Edits, Says, drawn, last_questions
from tests.chaos.stories import Kind
from tests.chaos.weather import Fault, forecast
from tests.leaks.canaries import canaries_in


def test_a_seed_is_a_script_and_a_forecast() -> None:
    first, again, other = (drawn(seed, seconds=30, per_second=50) for seed in (7, 7, 8))
    assert first == again
    assert first != other
    assert forecast(7, 1_000, faults=30) == forecast(7, 1_000, faults=30) != forecast(8, 1_000, faults=30)


def test_every_kind_of_fault_comes_once_where_there_is_room() -> None:
    coming = [one.fault for one in forecast(3, 1_000, faults=len(Fault) + 10)]
    assert set(coming) == set(Fault)
    assert coming.count(Fault.LONG_OUTAGE) == 1


def test_nobody_gives_commands_faster_than_the_bot_answers_and_every_kind_is_among_them() -> None:
    script = drawn(7, seconds=60, per_second=100)
    assert {act.step.kind for act in script.commands.values() if act.step} == set(Kind)
    for numbers in script.chains.values():
        gaps = [after - before for before, after in itertools.pairwise(numbers)]
        assert min(gaps, default=400) >= 4 * script.per_second
    assert set(script.chains) <= {(one.guild, one.who) for one in last_questions()}


def test_words_that_end_are_said_before_and_never_after() -> None:
    script = drawn(7, seconds=60, per_second=100)
    assert len(script.ended) > 50
    for word, ended in script.ended.items():
        said = [
            number
            for number, act in enumerate(script.acts)
            if isinstance(act, Says | Edits) and word in canaries_in(act.text)
        ]
        change = script.acts[ended]
        last = change.of if isinstance(change, Deletes) else ended
        assert said[-1] == last

"""What people type is understood: the right person, the right words, and an answer to every question."""

import pytest

from tests.databases import Servers
from tests.understanding.judging import DATA, Verdict, read_cases
from tests.understanding.measuring import counted, harmful, results_of, sample

LEAST_RIGHT = 0.97


@pytest.mark.skipif(not DATA.is_file(), reason=f"{DATA} is not here: nothing to measure with")
@pytest.mark.parametrize(
    "every",
    [
        pytest.param(3, id="one of three of each kind"),
        pytest.param(1, id="all", marks=pytest.mark.soak),
    ],
)
async def test_of_the_sentences_that_people_typed_nearly_all_are_understood(
    servers: Servers, every: int
) -> None:
    results = [result async for result in results_of(servers, sample(read_cases(), of=every))]
    wrong = [result for result in results if result.verdict is not Verdict.RIGHT]
    said = "\n\n".join(map(str, [*wrong, counted(results)]))
    assert len(results) - len(wrong) >= LEAST_RIGHT * len(results), said
    assert not harmful(results), said

"""With a model what people type goes the same way as without, or a better one, whether it answers or not."""

from typing import Final

import pytest

from tests.databases import Servers
from tests.understanding.judging import DATA, read_cases
from tests.understanding.measuring import counted, harmful, results_with, sample, worse
from tests.understanding.minds import Mind

EVERY: Final = {Mind.HONEST: 24, Mind.KNOWING: 32, Mind.AWAY: 32}
"""One case of so many of each kind is played here; `python -m tests.understanding --model ...` plays all."""

MOST_WORSE: Final = 0.03
"""So many are not right without a model either."""


@pytest.mark.skipif(not DATA.is_file(), reason=f"{DATA} is not here: nothing to measure with")
@pytest.mark.parametrize("mind", EVERY)
async def test_with_a_model_the_same_sentences_go_the_same_way_or_a_better_one(
    servers: Servers, mind: Mind
) -> None:
    played = sample(read_cases(), of=EVERY[mind])
    results = [result async for result in results_with(servers, played, mind)]
    wrong = worse(results, mind)
    said = "\n\n".join(map(str, [*wrong, counted(results)]))
    assert len(wrong) <= MOST_WORSE * len(results), said
    assert not harmful(wrong), said

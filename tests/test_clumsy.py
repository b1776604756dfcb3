"""A model that knows what to say and not how to write it down costs little more than a good one, and spoils nothing."""

from collections.abc import Sequence

import pytest

from bench.clumsy import MOST, SEEDS, asked_of
from bot.db.pool import Database
from tests.databases import Shared
from tests.servers.clumsy import ClumsyModel


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(SEEDS[:3], id="some"),
        pytest.param(SEEDS[3:], id="others", marks=pytest.mark.soak),
    ],
)
async def test_a_clumsy_model_is_asked_little_more_and_stores_nothing_false_or_foreign(
    database: Database, shared: Shared, seeds: Sequence[int]
) -> None:
    good = await asked_of(database, ClumsyModel(share=0))
    assert (good.false, good.foreign) == ([], [])
    asked = 0
    for seed in seeds:
        await database.write(lambda connection: connection.execute(shared.emptying))
        clumsy = await asked_of(database, ClumsyModel(seed=seed))
        assert (clumsy.false, clumsy.foreign) == ([], [])
        asked += clumsy.calls.total()
    assert asked <= MOST * good.calls.total() * len(seeds)

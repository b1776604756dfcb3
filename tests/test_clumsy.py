"""A model that knows what to say and not how to write it down costs little more than a good one, and spoils nothing."""

import pytest

from bench.clumsy import MOST, asked_of
from bot.db.pool import Database
from tests.databases import Shared
from tests.servers.clumsy import ClumsyModel


@pytest.mark.parametrize("seed", [1, 3])
async def test_a_clumsy_model_is_asked_little_more_and_stores_nothing_false_or_foreign(
    database: Database, shared: Shared, seed: int
) -> None:
    good = await asked_of(database, ClumsyModel(share=0))
    await database.write(lambda connection: connection.execute(shared.emptying))
    clumsy = await asked_of(database, ClumsyModel(seed=seed))
    assert (good.false, clumsy.false) == ([], [])
    assert (good.foreign, clumsy.foreign) == ([], [])
    assert clumsy.calls.total() <= MOST * good.calls.total(), (clumsy.calls, good.calls)

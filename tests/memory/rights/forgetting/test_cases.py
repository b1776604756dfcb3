"""What is forgotten is gone from facts, messages, profile, summary, episode and day, and nothing else is."""

import pytest

from bot.app import Keepsake
from bot.db.pool import Database
from tests.memory.rights.forgetting.cases import KINDS
from tests.memory.rights.forgetting.scenes import failing


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_meant_goes_and_what_is_not_meant_stays(
    keepsake: Keepsake, database: Database, kind: str
) -> None:
    wrong = [failed for case in KINDS[kind] if (failed := await failing(keepsake, database, case))]
    assert not wrong, "\n".join(wrong)


def test_there_are_sixty_cases_at_least() -> None:
    assert sum(map(len, KINDS.values())) >= 60

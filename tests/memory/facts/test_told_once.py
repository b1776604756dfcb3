"""What a reply is told of somebody without asking a model: nothing twice, and how well they are known."""

import pytest

from bot.memory.facts.relevance import Acquaintance, acquaintance_of, untold
from tests.memory.known import fact


def test_how_well_two_know_each_other_is_counted() -> None:
    levels = [acquaintance_of(turns) for turns in (0, 9, 10, 99, 100, 5_000)]
    assert levels == [
        *[Acquaintance.NEW] * 2,
        *[Acquaintance.ACQUAINTED] * 2,
        *[Acquaintance.FAMILIAR] * 2,
    ]


@pytest.mark.parametrize(
    ("content", "context", "is_told"),
    [
        ("<@7> likes pizza", "She likes pizza and rain.", True),
        ("<@7> likes pizza", "She likes rain. Bob made a pizza.", False),
        ("<@7> likes pizza", "She doesn't like pizza.", False),
        ("<@7> doesn't like pizza", "She does not like pizza.", True),
        ("<@7> is married to <@8>", "She is married to <@8>.", True),
        ("<@7> is married to <@8>", "She is married to <@9>.", False),
        ("<@7> любит борщ", "Вчера она снова любила борщи.", True),
        ("<@7> has ticket TKT-100", "She has the ticket TKT-1000.", False),
        ("<@7>", "She likes pizza.", False),
        ("<@7> likes pizza", "", False),
    ],
)
def test_what_the_context_says_is_not_said_twice(content: str, context: str, is_told: bool) -> None:
    one = fact(1, content)
    assert untold([one], context) == (() if is_told else (one,))

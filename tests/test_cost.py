"""Answers and memories stay cheap: counted as the page on costs counts them, memories in a small guild for two days
in place of a large one's week.
"""

from bench import turn
from bench.days import MOST_CALLS_EACH, MOST_OFTEN_SENT, MOST_SHARE_OF_EPISODES, MOST_TOKENS_EACH, count_week
from bot.db.pool import Database


async def test_a_turn_takes_three_quarters_of_what_it_took_at_the_most(database: Database) -> None:
    taken = await turn.turns_of(database)
    assert [one.name for one in taken] == list(turn.BEFORE)
    for one in taken:
        assert one.calls == 1
        assert one.tokens <= turn.MOST_OF_BEFORE * turn.BEFORE[one.name], one.name


async def test_remembering_stays_within_the_calls_and_tokens_that_are_allowed(database: Database) -> None:
    week = await count_week(database, messages_a_day=400, questions_a_day=6, days=2)
    counted = week.counted
    assert counted.heard == 800
    assert counted.calls_each <= MOST_CALLS_EACH
    assert counted.tokens_each <= MOST_TOKENS_EACH
    assert 1 <= counted.most_often_sent <= MOST_OFTEN_SENT
    assert counted.every_call["make_episode"] >= 2
    # A small guild has fewer replies for each conversation that ends; the page counts a large one's week.
    assert counted.share_of_episodes <= 1.2 * MOST_SHARE_OF_EPISODES
    # What is counted is the work, not its failure: models told everything.
    degraded = await database.read(
        lambda connection: connection.fetchval("SELECT count(*) FROM distillations WHERE degraded")
    )
    assert degraded == 0
    for other in (week.whole_days_again, week.member_by_member):
        assert week.otherwise(other).tokens > 1.1 * counted.tokens.total()

"""What models took, added up by day: nothing is lost, and what has no price is named."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.llm.budget import Price, Spent
from bot.llm.chain import parse_model
from bot.llm.spending import Spending, spending_by_day

PRICED, FREE = parse_model("gemini-flash-latest"), parse_model("gemma-3-27b-it")
PRICES = {PRICED: Price(input=0.3, output=2.5, cached=0.03)}

USED = st.builds(
    Spent,
    guild_id=st.just(1),
    day=st.integers(0, 3).map(lambda days: date(2026, 3, 1) + timedelta(days=days)),
    operation=st.sampled_from(["reply", "day"]),
    model=st.sampled_from([str(PRICED), str(FREE)]),
    calls=st.integers(0, 5),
    failures=st.integers(0, 5),
    input_tokens=st.integers(1_000, 10**6),
    output_tokens=st.integers(0, 10**6),
    cached_tokens=st.integers(0, 1_000),
)


@given(st.lists(USED))
def test_every_row_of_the_ledger_is_in_one_day(usage: list[Spent]) -> None:
    by_day = spending_by_day(usage, PRICES)
    assert list(by_day) == sorted({one.day for one in usage})
    together = sum(by_day.values(), Spending())
    assert together.calls == sum(one.calls for one in usage)
    assert together.failures == sum(one.failures for one in usage)
    assert together.tokens == sum(one.input_tokens + one.output_tokens for one in usage)
    assert together.unpriced == {one.model for one in usage if one.model == str(FREE)}
    assert together.is_priced == any(one.model == str(PRICED) for one in usage)


def test_what_was_cached_costs_less_and_what_has_no_price_costs_nothing() -> None:
    used = Spent(
        guild_id=1,
        day=date(2026, 3, 1),
        operation="reply",
        model=str(PRICED),
        calls=1,
        failures=0,
        input_tokens=1_000_000,
        output_tokens=1_000_000,
        cached_tokens=500_000,
    )
    [spent] = spending_by_day([used], PRICES).values()
    assert round(spent.money, 6) == round(0.15 + 0.015 + 2.5, 6)
    [spent] = spending_by_day([used], {}).values()
    assert (spent.money, spent.is_priced, spent.unpriced) == (0.0, False, frozenset({str(PRICED)}))

"""What models were asked and what that cost, added up by day: pure functions over rows of the ledger."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from bot.llm.budget import Price, Spent
from bot.llm.chain import ModelName


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What some questions to models took together."""

    calls: int = 0
    failures: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Those of `input_tokens` that a provider still had from an earlier prompt."""
    money: float = 0.0
    """Of the models that have a price, in the currency of the prices."""
    is_priced: bool = False
    """Whether any of them has a price."""
    unpriced: frozenset[str] = field(default_factory=frozenset)
    """The models that have none, so that `money` leaves them out."""

    @property
    def tokens(self) -> int:
        """All tokens, read and written."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Spending") -> "Spending":
        return Spending(
            calls=self.calls + other.calls,
            failures=self.failures + other.failures,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            money=self.money + other.money,
            is_priced=self.is_priced or other.is_priced,
            unpriced=self.unpriced | other.unpriced,
        )


def spending_of(used: Spent, prices: Mapping[ModelName, Price]) -> Spending:
    """Return what one row of the ledger took, at these prices."""
    price = next((price for model, price in prices.items() if str(model) == used.model), None)
    return Spending(
        calls=used.calls,
        failures=used.failures,
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cached_tokens=used.cached_tokens,
        money=0.0 if price is None else price.of(used),
        is_priced=price is not None,
        unpriced=frozenset() if price is not None else frozenset({used.model}),
    )


def spending_by_day(usage: Iterable[Spent], prices: Mapping[ModelName, Price]) -> dict[date, Spending]:
    """Return what was spent on each day on which anything was, earliest first; days are those of the quotas."""
    by_day: dict[date, Spending] = {}
    for used in sorted(usage, key=lambda one: one.day):
        by_day[used.day] = by_day.get(used.day, Spending()) + spending_of(used, prices)
    return by_day

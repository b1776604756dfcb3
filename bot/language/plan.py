"""The limits of an installation as its settings write them: quotas, prices, shares and the month's money."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.language.chain import ModelName, parse_model

FULL: Final = 100
"""Percent: all of something, and the energy of a model that nothing limits."""

_UNLIMITED: Final = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """How many requests a model answers; `None` is as many as one likes."""

    per_minute: int | None = None
    per_day: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a million tokens cost, in the currency of the monthly budget."""

    input: float
    output: float

    def of(self, *, input_tokens: int, output_tokens: int) -> float:
        """Return what these tokens cost."""
        return (self.input * input_tokens + self.output * output_tokens) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The installation's limits, from its settings. Shares are percent of a model's quota of the day."""

    quotas: Mapping[ModelName, Quota] = field(default_factory=dict)
    prices: Mapping[ModelName, Price] = field(default_factory=dict)
    monthly_budget: float | None = None
    member_share: int = 100
    guild_share: int = 100


def parse_quotas(text: str) -> dict[ModelName, Quota]:
    """Return the quotas in `text`: `name=per_minute/per_day`, with commas between, and `-` for no limit.

    Raises `ValueError` with one sentence that names the wrong part and says what is allowed.
    """
    quotas = {}
    for part, model, left, right in _pairs(text):
        if not all(
            number == _UNLIMITED or re.fullmatch("[1-9][0-9]{0,11}", number) for number in (left, right)
        ):
            raise ValueError(
                f"{part!r} is no quota: write name=per_minute/per_day with whole numbers from 1 on,"
                " or - for no limit, such as gemini-flash-latest=10/250"
            )
        quotas[model] = Quota(per_minute=_count(left), per_day=_count(right))
    return quotas


def parse_prices(text: str) -> dict[ModelName, Price]:
    """Return the prices in `text`: `name=in/out` for a million tokens, with commas between.

    Raises `ValueError` with one sentence that names the wrong part and says what is allowed.
    """
    prices = {}
    for part, model, left, right in _pairs(text):
        if not all(re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", number) for number in (left, right)):
            raise ValueError(
                f"{part!r} is no price: write name=in/out, what a million tokens in and out cost,"
                " such as gemini-flash-latest=0.30/2.50"
            )
        prices[model] = Price(input=float(left), output=float(right))
    return prices


def _pairs(text: str) -> Iterator[tuple[str, ModelName, str, str]]:
    """Yield each part of `text` with its model and the two values of it; missing ones are empty."""
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, values = part.rpartition("=")
        left, _, right = values.partition("/")
        yield part, parse_model(name or values), left.strip(), right.strip()


def _count(number: str) -> int | None:
    return None if number == _UNLIMITED else int(number)

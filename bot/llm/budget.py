"""How much the models may still be used, by the limits in the settings: quotas, prices, shares and the monthly budget,
in real time.
"""

import logging
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, Protocol
from zoneinfo import ZoneInfo

from bot.core.clock import Clock, SystemClock
from bot.core.errors import DatabaseError
from bot.llm.chain import CallHeld, Held, ModelName, parse_model
from bot.llm.limits import FULL, ServiceLimits
from bot.llm.operation import Asker, Patience

logger = logging.getLogger(__name__)


_UNLIMITED: Final = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """How many requests a model answers; `None` is as many as one likes."""

    per_minute: int | None = None
    per_day: int | None = None


class TokenCounts(Protocol):
    """Whatever says how many tokens a model took."""

    @property
    def input_tokens(self) -> int:
        """Those that it read."""

    @property
    def output_tokens(self) -> int:
        """Those that it wrote."""

    @property
    def cached_tokens(self) -> int:
        """Those of `input_tokens` that the provider still had from an earlier prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a million tokens cost, in the currency of the monthly budget."""

    input: float
    output: float
    cached: float | None = None
    """Of those in which the provider still had from an earlier prompt; `None`: as much as the others."""

    def of(self, used: "TokenCounts") -> float:
        """Return what these tokens cost; the cached ones are among those that went in."""
        cached = self.input if self.cached is None else self.cached
        fresh = used.input_tokens - used.cached_tokens
        return (
            self.input * fresh + cached * used.cached_tokens + self.output * used.output_tokens
        ) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageLimits:
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
    return {
        model: Quota(per_minute=_count(left), per_day=_count(right))
        for model, (left, right) in _values(
            text,
            f"({_UNLIMITED}|[1-9][0-9]{{0,11}})",
            {2},
            "is no quota: write name=per_minute/per_day with whole numbers from 1 on,"
            " or - for no limit, such as gemini-flash-latest=10/250",
        )
    }


def parse_prices(text: str) -> dict[ModelName, Price]:
    """Return the prices in `text`: `name=in/out` or `name=in/out/cached` for a million tokens, with commas between.

    Raises `ValueError` with one sentence that names the wrong part and says what is allowed.
    """
    return {
        model: Price(input=float(left), output=float(right), cached=float(cached[0]) if cached else None)
        for model, (left, right, *cached) in _values(
            text,
            r"[0-9]{1,9}(\.[0-9]{1,9})?",
            {2, 3},
            "is no price: write name=in/out, what a million tokens in and out cost, or name=in/out/cached,"
            " such as gemini-flash-latest=0.30/2.50/0.03",
        )
    }


def _values(
    text: str, number: str, counts: Collection[int], refusal: str
) -> Iterator[tuple[ModelName, list[str]]]:
    """Yield the models that `text` names, each with its values: as many as `counts` allow, of the pattern `number`."""
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, values = part.rpartition("=")
        model = parse_model(name or values)
        told = [value.strip() for value in values.split("/")]
        if len(told) not in counts or not all(re.fullmatch(number, value) for value in told):
            raise ValueError(f"{part!r} {refusal}")
        yield model, told


def _count(number: str) -> int | None:
    return None if number == _UNLIMITED else int(number)


BACKGROUND_FLOOR: Final = 20
"""Percent of energy below which nothing is done behind, so that those who talk to the bot get an answer."""

WARNING_SHARE: Final = 0.8
"""The part of the month's money after which the log warns."""

_SPENT_SECONDS: Final = 30.0
"""How long to go by what was read of the month's costs; what this process spends is added at once."""

_QUOTA_ZONE: Final = ZoneInfo("America/Los_Angeles")
"""Where the day of the Gemini API's quotas, and of its bills, turns at midnight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """One request that wants to be sent, and up to which count of each kind it may be; `None` is any."""

    model: str
    guild_id: int
    user_id: int
    minute: datetime
    """When the minute that it counts in began."""
    day: datetime
    """When the day that it counts in began, where quotas turn."""
    per_minute: int | None
    per_day: int | None
    per_guild: int | None
    """Of the day's requests, for this guild."""
    per_member: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one question to one model took, in the end."""

    guild_id: int
    day: date
    operation: str
    model: str
    calls: int
    failures: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    """Those of `input_tokens` that the provider still had from an earlier prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """What a model read and wrote."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """Requests of a model so far."""

    minute: int = 0
    day: int = 0


class Ledger(Protocol):
    """Where it is kept what the models were used for, by all processes together."""

    async def reserve(self, reservation: Reservation) -> Held | None:
        """Count one request in, by one statement, unless that would exceed a limit: then say which kind."""

    async def record(self, spent: Spent) -> None:
        """Add `spent` to the usage of its day."""

    async def used(self, models: Collection[str], *, minute: datetime, day: datetime) -> Mapping[str, Used]:
        """Return the requests of these models in the minute and the day that began then."""

    async def tokens_since(self, day: date) -> Mapping[str, Tokens]:
        """Return the tokens by model since `day`."""


class Budget:
    """Decides before each request whether it may be sent, and keeps the account of what it cost."""

    def __init__(
        self,
        ledger: Ledger,
        plan: UsageLimits,
        *,
        clock: Clock | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        limits: ServiceLimits | None = None,
    ) -> None:
        self._limits = limits or ServiceLimits(monotonic=monotonic)
        self._ledger = ledger
        self._plan = plan
        self._clock = clock or SystemClock()
        self._monotonic = monotonic
        self._spent = 0.0
        self._spent_read_at: float | None = None
        self._warned_of: date | None = None

    async def admit(self, model: ModelName, asker: Asker) -> None:
        """Count one request to `model` in, or raise `CallHeld` if its money, quota or share is used up.

        Background work leaves a fifth of every quota to those who wait; of a model whose quota the settings do not
        write, a fifth of what its service says is left. Raises `DatabaseError`.
        """
        if model in self._plan.prices and await self._is_spent():
            raise CallHeld("over_budget")
        quota = self._plan.quotas.get(model)
        if quota is None:
            if asker.patience is Patience.BACKGROUND and self._limits.left(model) <= BACKGROUND_FLOOR:
                raise CallHeld("no_quota")
            return
        usable = FULL if asker.patience is Patience.FOREGROUND else FULL - BACKGROUND_FLOOR
        minute, day = self._spans()
        held = await self._ledger.reserve(
            Reservation(
                model=str(model),
                guild_id=asker.guild_id,
                user_id=asker.user_id,
                minute=minute,
                day=day,
                per_minute=_part(quota.per_minute, usable),
                per_day=_part(quota.per_day, usable),
                per_guild=_part(quota.per_day, self._plan.guild_share),
                per_member=_part(quota.per_day, self._plan.member_share),
            )
        )
        if held is not None:
            raise CallHeld(held)

    def refused(self, model: ModelName, *, seconds: float) -> None:
        """Take note that the service of `model` refused a request, and wants so many seconds to pass."""
        self._limits.refused(model, seconds=seconds)

    async def account(
        self,
        model: ModelName,
        asker: Asker,
        *,
        operation: str,
        calls: int,
        failures: int,
        took: TokenCounts,
    ) -> None:
        """Enter what a question to `model` took. A database that is away loses the entry, not the answer."""
        spent = Spent(
            guild_id=asker.guild_id,
            day=self._spans()[1].date(),
            operation=operation,
            model=str(model),
            calls=calls,
            failures=failures,
            input_tokens=took.input_tokens,
            output_tokens=took.output_tokens,
            cached_tokens=took.cached_tokens,
        )
        if price := self._plan.prices.get(model):
            self._spent += price.of(spent)
        try:
            await self._ledger.record(spent)
        except DatabaseError:
            logger.warning("the usage of %s in guild %d was not recorded", model, asker.guild_id)

    async def energies(self, models: Collection[ModelName]) -> dict[ModelName, float]:
        """Return what is left of each of `models`, in percent.

        A model without a quota has what its service says, 100 % if that says nothing; else it is the lesser of what
        its minute and its day have left.
        Raises `DatabaseError`.
        """
        limited = [str(model) for model in models if model in self._plan.quotas]
        minute, day = self._spans()
        used = await self._ledger.used(limited, minute=minute, day=day) if limited else {}
        return {
            model: _left(quota, used.get(str(model), Used()))
            if (quota := self._plan.quotas.get(model))
            else self._limits.left(model)
            for model in models
        }

    def _spans(self) -> tuple[datetime, datetime]:
        now = self._clock.now()
        day = now.astimezone(_QUOTA_ZONE).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
        return now.replace(second=0, microsecond=0), day

    async def _is_spent(self) -> bool:
        budget = self._plan.monthly_budget
        if budget is None:
            return False
        month = self._spans()[1].date().replace(day=1)
        now = self._monotonic()
        if self._spent_read_at is None or now - self._spent_read_at >= _SPENT_SECONDS:
            self._spent = await self._read_spent(month)
            self._spent_read_at = now
        if self._spent >= WARNING_SHARE * budget and self._warned_of != month:
            self._warned_of = month
            logger.warning(
                "the models have cost %.2f of the %.2f that MONTHLY_BUDGET allows; at 100 %% paid ones rest",
                self._spent,
                budget,
            )
        return self._spent >= budget

    async def _read_spent(self, month: date) -> float:
        tokens = await self._ledger.tokens_since(month)
        return sum(
            price.of(tokens[str(model)]) for model, price in self._plan.prices.items() if str(model) in tokens
        )


def _part(limit: int | None, percent: int) -> int | None:
    """Return this part of a limit, rounded up: what is left of it is below the rest only once it is reached."""
    return None if limit is None else -(-limit * percent // 100)


def _left(quota: Quota, used: Used) -> float:
    shares = (
        FULL * max(0, limit - count) / limit
        for limit, count in ((quota.per_minute, used.minute), (quota.per_day, used.day))
        if limit is not None
    )
    return min(shares, default=float(FULL))

"""Quotas, shares and money: never more than allowed, by all processes together, and who waits goes first."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.core.clock import SetClock
from bot.db.pool import Database
from bot.llm import ledger as llm_ledger
from bot.llm.budget import Budget, Price, Quota, Tokens, UsageLimits, Used, parse_prices, parse_quotas
from bot.llm.chain import CallHeld, parse_model
from bot.llm.ledger import DatabaseLedger
from bot.llm.operation import Asker, Patience
from tests.llm.questions import FLASH, GEMMA_3, GEMMA_4, MemoryLedger, Time

NOON = datetime(2026, 3, 1, 12, 0, 30, tzinfo=UTC)


def member(user_id: int = 2, *, guild_id: int = 1, patience: Patience = Patience.FOREGROUND) -> Asker:
    return Asker(guild_id=guild_id, user_id=user_id, patience=patience)


BEHIND = Asker(guild_id=1, patience=Patience.BACKGROUND)


def plan(per_minute: int | None = None, per_day: int | None = None, **shares: int) -> UsageLimits:
    return UsageLimits(quotas={FLASH: Quota(per_minute=per_minute, per_day=per_day)}, **shares)  # type: ignore[arg-type]


@pytest.fixture
def real_time() -> SetClock:
    return SetClock(NOON)


@pytest.fixture
async def ledgers(dsn: str) -> AsyncIterator[Sequence[DatabaseLedger]]:
    """The ledgers of four processes on one database."""
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(4):
            database = await Database.open(dsn, pool_size=5)
            stack.push_async_callback(database.close)
            found.append(DatabaseLedger(database))
        yield found


async def admitted(budget: Budget, askers: Sequence[Asker]) -> int:
    """Return how many of these requests, all made at once, may be sent."""
    outcomes = await asyncio.gather(*(one_admitted(budget, asker) for asker in askers))
    return sum(outcomes)


async def one_admitted(budget: Budget, asker: Asker) -> bool:
    try:
        await budget.admit(FLASH, asker)
    except CallHeld:
        return False
    return True


@pytest.mark.parametrize(
    ("per_minute", "per_day"), [(37, None), (None, 37), (37, 1000), (1000, 37), (37, 37)]
)
async def test_processes_together_never_exceed_a_quota(
    per_minute: int | None, per_day: int | None, ledgers: Sequence[DatabaseLedger], real_time: SetClock
) -> None:
    budgets = [Budget(ledger, plan(per_minute, per_day), clock=real_time) for ledger in ledgers]
    sent = await asyncio.gather(
        *(admitted(budget, [member(user) for user in range(50)]) for budget in budgets)
    )
    assert sum(sent) == 37
    assert await budgets[0].energies([FLASH]) == {FLASH: 0}


async def test_what_was_held_back_by_one_limit_does_not_count_for_another(
    ledgers: Sequence[DatabaseLedger], real_time: SetClock
) -> None:
    budget = Budget(ledgers[0], plan(2, 10), clock=real_time)
    assert await admitted(budget, [member()] * 7) == 2
    real_time.advance(timedelta(minutes=1))
    assert await budget.energies([FLASH]) == {FLASH: 80}


@pytest.mark.smoke
async def test_a_minute_later_there_is_energy_again(
    ledgers: Sequence[DatabaseLedger], real_time: SetClock
) -> None:
    budget = Budget(ledgers[0], plan(2), clock=real_time)
    assert await admitted(budget, [member()] * 3) == 2
    real_time.set(datetime(2026, 3, 1, 12, 1, tzinfo=UTC))
    assert await budget.energies([FLASH]) == {FLASH: 100}
    assert await admitted(budget, [member()] * 3) == 2


async def test_the_day_turns_at_midnight_in_los_angeles(
    ledgers: Sequence[DatabaseLedger], real_time: SetClock
) -> None:
    budget = Budget(ledgers[0], plan(per_day=2), clock=real_time)
    assert await admitted(budget, [member()] * 3) == 2
    real_time.set(datetime(2026, 3, 2, 7, 59, tzinfo=UTC))
    assert not await one_admitted(budget, member())
    real_time.set(datetime(2026, 3, 2, 8, 0, tzinfo=UTC))
    assert await one_admitted(budget, member())


async def test_background_work_leaves_a_fifth_to_those_who_wait(
    ledgers: Sequence[DatabaseLedger], real_time: SetClock
) -> None:
    budget = Budget(ledgers[0], plan(10, 100), clock=real_time)
    assert await admitted(budget, [BEHIND] * 20) == 8
    assert await budget.energies([FLASH]) == {FLASH: 20}
    assert await admitted(budget, [member()] * 20) == 2


async def test_one_member_cannot_spend_all_of_a_guilds_day(
    ledgers: Sequence[DatabaseLedger], real_time: SetClock
) -> None:
    budget = Budget(ledgers[0], plan(per_day=10, member_share=30, guild_share=80), clock=real_time)
    assert await admitted(budget, [member(2)] * 9) == 3
    assert await admitted(budget, [member(3)] * 9) == 3
    assert await admitted(budget, [member(4)] * 9) == 2
    assert await admitted(budget, [member(2, guild_id=7)] * 9) == 2


async def test_a_share_is_of_one_day_and_is_not_kept_for_long(
    ledgers: Sequence[DatabaseLedger], real_time: SetClock, database: Database
) -> None:
    budget = Budget(ledgers[0], plan(per_day=10, member_share=30), clock=real_time)
    assert await admitted(budget, [member()] * 9) == 3
    real_time.advance(timedelta(days=1))
    assert await admitted(budget, [member()] * 9) == 3
    real_time.advance(timedelta(days=4))
    await budget.admit(FLASH, member(9))
    members = "SELECT user_id FROM quota WHERE user_id <> 0"
    assert [row["user_id"] for row in await database.read(lambda c: c.fetch(members))] == [9]


async def test_the_energy_of_a_model_is_the_least_of_its_quotas() -> None:
    ledger = MemoryLedger()
    quotas = {GEMMA_3: Quota(per_minute=10, per_day=100), GEMMA_4: Quota(per_minute=10)}
    budget = Budget(ledger, UsageLimits(quotas=quotas))
    ledger.counted = {str(GEMMA_3): Used(minute=1, day=75), str(GEMMA_4): Used(minute=6)}
    assert await budget.energies([GEMMA_3, GEMMA_4, FLASH]) == {GEMMA_3: 25, GEMMA_4: 40, FLASH: 100}


async def test_a_model_without_a_quota_is_never_held_back() -> None:
    ledger = MemoryLedger()
    ledger.held = "no_quota"
    await Budget(ledger, UsageLimits()).admit(FLASH, BEHIND)
    assert not ledger.reserved


async def spend(budget: Budget, *, tokens: int) -> None:
    await budget.account(
        FLASH, member(), operation="reply", calls=1, failures=0, took=Tokens(input_tokens=tokens)
    )


async def test_paid_models_rest_when_the_months_money_is_gone_and_the_log_warns_before(
    ledgers: Sequence[DatabaseLedger], real_time: SetClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    money = UsageLimits(prices={FLASH: Price(input=1.0, output=2.0)}, monthly_budget=10.0)
    time = Time()
    budget = Budget(ledgers[0], money, clock=real_time, monotonic=time.monotonic)
    other = Budget(ledgers[1], money, clock=real_time, monotonic=time.monotonic)
    await budget.admit(FLASH, member())
    await spend(budget, tokens=8_000_000)
    for _ in range(3):
        await budget.admit(FLASH, member())
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    await spend(budget, tokens=2_000_000)
    for process in (budget, other):
        with pytest.raises(CallHeld, match="over_budget"):
            await process.admit(FLASH, member())
        await process.admit(GEMMA_4, member())
    time.now += 60
    real_time.set(datetime(2026, 4, 2, tzinfo=UTC))
    await budget.admit(FLASH, member())


async def test_usage_is_kept_by_day_guild_operation_and_model(
    ledgers: Sequence[DatabaseLedger], real_time: SetClock, database: Database
) -> None:
    budget = Budget(ledgers[0], UsageLimits(), clock=real_time)
    await asyncio.gather(*(spend(budget, tokens=10) for _ in range(20)))
    await budget.account(
        FLASH,
        BEHIND,
        operation="route",
        calls=2,
        failures=1,
        took=Tokens(input_tokens=5, output_tokens=6, cached_tokens=4),
    )
    kept = await database.read(llm_ledger.usage_since, date(2026, 3, 1))
    assert [
        (one.operation, one.calls, one.failures, one.input_tokens, one.output_tokens, one.cached_tokens)
        for one in kept
    ] == [
        ("reply", 20, 0, 200, 0, 0),
        ("route", 2, 1, 5, 6, 4),
    ]
    since = await database.read(llm_ledger.tokens_since, date(2026, 3, 1))
    assert since == {str(FLASH): Tokens(input_tokens=205, output_tokens=6, cached_tokens=4)}
    assert {(one.guild_id, one.day, one.model) for one in kept} == {(1, date(2026, 3, 1), str(FLASH))}


def test_quotas_and_prices_are_read_as_written() -> None:
    local = parse_model("ollama:gemma3:4b")
    assert parse_quotas("gemini-flash-latest=10/250, ollama:gemma3:4b = 5/-,") == {
        FLASH: Quota(per_minute=10, per_day=250),
        local: Quota(per_minute=5),
    }
    assert parse_prices("gemini-flash-latest=0.30/2.5") == {FLASH: Price(input=0.3, output=2.5)}
    cached = parse_prices("gemini-flash-latest=1/2/0.25")[FLASH]
    assert cached == Price(input=1, output=2, cached=0.25)
    took = Tokens(input_tokens=1_000_000, cached_tokens=400_000)
    assert cached.of(took) == pytest.approx(0.7)
    assert Price(input=1, output=2).of(took) == pytest.approx(1)
    assert (parse_quotas(""), parse_prices(" ")) == ({}, {})


@pytest.mark.parametrize(
    "wrong", ["gemini-x=10", "gemini-x=0/5", "gemini-x=a/b", "gemini-x=1/2/3", "gemini-x"]
)
def test_a_wrong_quota_is_refused_in_one_sentence(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no quota: write name=per_minute/per_day") as refused:
        parse_quotas(f"gemini-flash-latest=1/2, {wrong}")
    assert str(refused.value).startswith(repr(wrong))


@pytest.mark.parametrize(
    "wrong", ["gemini-x=10", "gemini-x=-1/5", "gemini-x=1/-", "gemini-x=1,5/2", "gemini-x=1/2/3/4"]
)
def test_a_wrong_price_is_refused_in_one_sentence(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no price: write name=in/out"):
        parse_prices(wrong)

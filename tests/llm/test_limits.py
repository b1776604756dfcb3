"""Where the settings write no quota, background work leaves a fifth of what the service itself says is left."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from bot.core.clock import SetClock
from bot.core.errors import ModelError
from bot.core.settings import Settings
from bot.llm.budget import BACKGROUND_FLOOR, Budget, Quota, UsageLimits
from bot.llm.chain import CallHeld
from bot.llm.limits import ServiceLimits, ToldLimit, told_in
from bot.llm.models import ConfiguredModels
from bot.llm.operation import Asker, Patience
from bot.llm.providers import build_models
from tests.llm.questions import FLASH, GEMMA_4, PARIS, MemoryLedger, Time, question
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer

BEHIND = Asker(guild_id=1, patience=Patience.BACKGROUND)
WAITING = Asker(guild_id=1, patience=Patience.FOREGROUND)


@pytest.mark.parametrize(
    ("headers", "percent", "seconds"),
    [
        ({"x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "15"}, 25, 60),
        (
            {
                "x-ratelimit-limit-requests": "60",
                "x-ratelimit-remaining-requests": "59",
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-limit-tokens": "150000",
                "x-ratelimit-remaining-tokens": "15000",
                "x-ratelimit-reset-tokens": "6m0s",
            },
            10,
            360,
        ),
        (
            {"x-ratelimit-limit": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767225600"},
            0,
            60,
        ),
        (
            {"ratelimit-limit": "100, 100;w=60", "ratelimit-remaining": "50", "ratelimit-reset": "30"},
            50,
            30,
        ),
        (
            {
                "ratelimit-policy": '"burst";q=100;w=60, "daily";q=1000;w=86400',
                "ratelimit": '"burst";r=90;t=20, "daily";r=100;t=7200',
            },
            10,
            3_600,
        ),
        (
            {
                "x-ratelimit-limit-requests": "5",
                "x-ratelimit-remaining-requests": "9",
                "x-ratelimit-reset-requests": "20ms",
            },
            100,
            0.02,
        ),
    ],
)
def test_what_headers_tell_is_read(headers: dict[str, str], percent: float, seconds: float) -> None:
    assert told_in(headers) == ToldLimit(percent=percent, seconds=seconds)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-ratelimit-remaining-requests": "3"},
        {"x-ratelimit-limit-requests": "0", "x-ratelimit-remaining-requests": "0"},
        {"ratelimit-limit": "many", "ratelimit-remaining": "few"},
        {"ratelimit": '"burst";r=90;t=20'},
    ],
)
def test_what_cannot_be_read_tells_nothing(headers: dict[str, str]) -> None:
    assert told_in(headers) is None


@given(
    st.dictionaries(
        st.sampled_from(["ratelimit", "ratelimit-policy", "ratelimit-limit", "x-ratelimit-remaining"]),
        st.text(max_size=80),
    )
)
def test_no_header_breaks_a_call(headers: dict[str, str]) -> None:
    told_in(headers)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def limits(time: Time) -> ServiceLimits:
    return ServiceLimits(monotonic=time.monotonic)


def budget_of(limits: ServiceLimits, quota: Quota | None = None) -> Budget:
    plan = UsageLimits(quotas={} if quota is None else {FLASH: quota})
    clock = SetClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    return Budget(MemoryLedger(), plan, clock=clock, limits=limits)


async def test_a_fifth_is_left_to_those_who_wait_until_it_is_full_again(
    limits: ServiceLimits, time: Time
) -> None:
    budget = budget_of(limits)
    limits.told(FLASH, ToldLimit(percent=BACKGROUND_FLOOR + 1, seconds=30))
    await budget.admit(FLASH, BEHIND)
    limits.told(FLASH, ToldLimit(percent=BACKGROUND_FLOOR, seconds=30))
    with pytest.raises(CallHeld, match="no_quota"):
        await budget.admit(FLASH, BEHIND)
    await budget.admit(FLASH, WAITING)
    await budget.admit(GEMMA_4, BEHIND)
    assert await budget.energies([FLASH, GEMMA_4]) == {FLASH: BACKGROUND_FLOOR, GEMMA_4: 100}
    time.now += 30
    await budget.admit(FLASH, BEHIND)
    assert await budget.energies([FLASH]) == {FLASH: 100}


async def test_after_a_refusal_there_is_no_energy_for_as_long_as_the_service_asks(
    limits: ServiceLimits, time: Time
) -> None:
    budget = budget_of(limits)
    budget.refused(FLASH, seconds=25)
    assert await budget.energies([FLASH]) == {FLASH: 0}
    time.now += 20
    # What is told with an answer that was under way does not let work behind go earlier.
    limits.told(FLASH, ToldLimit(percent=90, seconds=1))
    with pytest.raises(CallHeld, match="no_quota"):
        await budget.admit(FLASH, BEHIND)
    time.now += 5
    await budget.admit(FLASH, BEHIND)
    assert await budget.energies([FLASH]) == {FLASH: 100}


async def test_a_quota_of_the_settings_goes_before_what_a_service_says(limits: ServiceLimits) -> None:
    budget = budget_of(limits, Quota(per_minute=10))
    limits.told(FLASH, ToldLimit(percent=0, seconds=30))
    await budget.admit(FLASH, BEHIND)
    assert await budget.energies([FLASH]) == {FLASH: 100}


def models_on(gemini: GeminiServer, local: OpenAIServer, model: str) -> ConfiguredModels:
    settings = Settings(
        _env_file=None,
        gemini_api_key=SecretStr("key"),
        gemini_base_url=gemini.url,
        openai_base_url=local.url,
        model_memory=model,
    )
    models = build_models(settings, MemoryLedger())
    assert models is not None
    return models


async def test_the_headers_of_a_real_answer_hold_background_work_back(
    gemini: GeminiServer, local: OpenAIServer
) -> None:
    models = models_on(gemini, local, "openai:mine")
    local.limit_headers = {
        "x-ratelimit-limit-requests": "60",
        "x-ratelimit-remaining-requests": "3",
        "x-ratelimit-reset-requests": "45s",
    }
    assert (await models.ask(question())).value == PARIS
    assert (await models.energies())["openai:mine"] == 5
    with pytest.raises(ModelError, match="no_quota"):
        await models.ask(question())
    assert (await models.ask(question(patience=Patience.FOREGROUND))).value == PARIS
    await models.close()


async def test_a_refusal_of_the_gemini_api_leaves_no_energy(
    gemini: GeminiServer, local: OpenAIServer
) -> None:
    models = models_on(gemini, local, "google:gemini-flash-latest")
    gemini.fail(Fault.MINUTE_QUOTA)
    with pytest.raises(ModelError, match=r"rate_limited|none was in time"):
        await models.ask(question(patience=Patience.FOREGROUND, deadline_seconds=2))
    assert (await models.energies())["google:gemini-flash-latest"] == 0
    await models.close()

"""`keepsake doctor` says in one line each what is wrong and what to do, and shows no secret."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot import doctor
from bot.cli import main
from bot.db import migrations
from bot.db.pool import Database, DatabaseState
from bot.doctor import Finding, examined, of_clock, of_condition, of_disk, of_space
from bot.llm.budget import Spent
from bot.llm.ledger import add_usage
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer

KEY = "AIza-the-secret-key"
PASSWORD = "the-secret-word"
NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
STATE = DatabaseState(
    server_version=180001,
    name="keepsake",
    address="10.0.0.1",
    size_bytes=9_000_000,
    now=NOW,
    revision=migrations.revisions()[0],
)


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer(api_key=KEY) as server:
        yield server


@pytest.fixture(autouse=True)
def _settings(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", dsn)
    monkeypatch.setenv("KEEPSAKE_HOME", str(tmp_path))


@pytest.fixture
def _with_gemini(gemini: GeminiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    monkeypatch.setenv("GEMINI_BASE_URL", gemini.url)


async def findings(*, model_seconds: float = 10.0) -> list[Finding]:
    found = [finding async for finding in examined(model_seconds=model_seconds)]
    for finding in found:
        assert "\n" not in str(finding)
        assert KEY not in str(finding)
        assert PASSWORD not in str(finding)
    return found


async def models_found(*, model_seconds: float = 10.0) -> dict[str, Finding]:
    found = await findings(model_seconds=model_seconds)
    return {found.about.split()[1]: found for found in found if found.about.startswith("model ")}


async def test_without_a_model_all_is_well_and_the_way_to_one_is_told() -> None:
    found = {finding.about: finding for finding in await findings()}
    assert list(found) == [
        "settings", "database", "services", "work", "answers", "backups", "models", "clock", "disk"
    ]  # fmt: skip
    assert all(found[about].is_well for about in ("settings", "database", "models", "clock"))
    assert "GEMINI_API_KEY" in found["models"].told
    assert "up to date" in found["database"].told


async def test_what_models_were_used_for_this_month_is_told_with_what_was_cached(database: Database) -> None:
    today = datetime.now(UTC).date()
    spent = Spent(
        guild_id=1,
        day=today,
        operation="reply",
        model="google:gemini-flash-latest",
        calls=3,
        failures=0,
        input_tokens=12_000,
        output_tokens=345,
        cached_tokens=4_200,
    )
    earlier = replace(spent, day=today.replace(day=1) - timedelta(days=1))
    for one in (spent, earlier):
        await database.write(lambda connection, one=one: add_usage(connection, one))  # type: ignore[misc]
    (use,) = (finding for finding in await findings() if finding.about == "use")
    assert str(use) == (
        f"ok use: since {today.replace(day=1)}: google:gemini-flash-latest 12,000 tokens in (35% cached), 345 out."
    )


@pytest.mark.smoke
@pytest.mark.usefixtures("_with_gemini")
async def test_every_configured_model_is_asked_once(gemini: GeminiServer) -> None:
    found = await models_found()
    assert all(one.is_well for one in found.values())
    assert sorted(found) == sorted(f"google:{call.model}" for call in gemini.calls)
    assert len(found) == 4
    assert found["google:gemini-flash-latest"].about.endswith("(chat, summary)")


@pytest.mark.usefixtures("_with_gemini")
async def test_a_refused_key_is_told_without_the_key(
    gemini: GeminiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", PASSWORD)
    for one in (await models_found()).values():
        assert not one.is_well
        assert "check GEMINI_API_KEY" in one.told
    assert gemini.calls


@pytest.mark.usefixtures("_with_gemini")
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (Fault.MINUTE_QUOTA, "over its quota for the next 25 seconds"),
        (Fault.DAY_QUOTA, "quota of the day, or the credit, is used up"),
        (Fault.UNAVAILABLE, "overloaded or broken"),
        (Fault.DROPPED_BEFORE, "cannot be reached: check the network"),
        (Fault.HTML_PAGE, "cannot be reached: check the network"),
        (Fault.BLOCKED_PROMPT, "refuses even a harmless question"),
        (Fault.HANG, "no answer within 1 seconds"),
    ],
)
async def test_what_is_wrong_with_one_model_is_told_of_that_one(
    fault: Fault, told: str, gemini: GeminiServer
) -> None:
    gemini.fail(fault, model="gemma-4-31b-it")
    found = await models_found(model_seconds=1 if fault is Fault.HANG else 10)
    assert [name for name, one in found.items() if not one.is_well] == ["google:gemma-4-31b-it"]
    assert told in found["google:gemma-4-31b-it"].told


@pytest.mark.usefixtures("_with_gemini")
async def test_a_model_that_nobody_knows_is_a_name_to_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_CHAT", "gemini-flush-latest")
    found = await models_found()
    assert "no model of this name: mend the name" in found["google:gemini-flush-latest"].told
    assert not found["google:gemini-flush-latest"].is_well


async def test_a_model_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    async with OpenAIServer() as server:
        monkeypatch.setenv("OLLAMA_BASE_URL", server.url)
        for name in ("MODEL_CHAT", "MODEL_SUMMARY", "MODEL_MEMORY"):
            monkeypatch.setenv(name, "ollama:qwen3:8b")
        assert (await models_found())["ollama:qwen3:8b"].is_well
        server.fail(Fault.UNKNOWN_MODEL)
        assert "ollama pull qwen3:8b" in (await models_found())["ollama:qwen3:8b"].told
    assert "ollama serve" in (await models_found())["ollama:qwen3:8b"].told


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("LOG_LEVEL", "loud", "LOG_LEVEL: 'loud' cannot be used"),
        ("MODEL_CHAT", "gpt", "MODEL_CHAT: 'gpt' names no model"),
        ("MODEL_QUOTAS", "gemini-flash-latest=many", "is no quota"),
    ],
)
async def test_a_wrong_setting_ends_the_examination(
    name: str, value: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    (found,) = await findings()
    assert not found.is_well
    assert told in found.told


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://somebody:{PASSWORD}@127.0.0.1:1/nothing",
        f"postgresql://somebody:{PASSWORD}@127.0.0.1:port/nothing",
    ],
)
async def test_an_unreachable_database_is_told_and_the_rest_is_examined(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", address)
    monkeypatch.setenv("DATABASE_DIRECT_URL", address)
    found = await findings()
    assert [one.about for one in found if not one.is_well][:2] == ["database", "direct database"]
    assert found[-1].about == "disk"


def test_a_database_that_this_version_cannot_use_is_told() -> None:
    assert of_condition(STATE).is_well
    assert of_condition(replace(STATE, revision=None)).is_well
    old = of_condition(replace(STATE, revision=migrations.revisions()[-1]))
    assert old.is_well
    assert "the next start" in old.told
    for state in (replace(STATE, revision="9999"), replace(STATE, server_version=150004)):
        assert not of_condition(state).is_well
    assert "Postgres 15.4" in of_condition(replace(STATE, server_version=150004)).told


def test_a_clock_that_is_wrong_is_told() -> None:
    assert of_clock(NOW, timedelta(seconds=2)).is_well
    assert not of_clock(datetime(1970, 1, 1, tzinfo=UTC)).is_well
    assert not of_clock(NOW, timedelta(hours=-1)).is_well


@pytest.mark.parametrize(
    ("free_gb", "total_gb", "is_well"), [(50, 100, True), (0.5, 2, False), (9, 100, False), (0, 0, False)]
)
def test_a_disk_that_fills_up_is_told(free_gb: float, total_gb: float, is_well: bool) -> None:
    found = of_space(
        Path("/data"), free_bytes=int(free_gb * 1_000_000_000), total_bytes=int(total_gb * 1_000_000_000)
    )
    assert found.is_well is is_well


def test_the_status_says_whether_something_must_be_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "_LEAST_FREE_BYTES", 0)
    monkeypatch.setattr(doctor, "_LEAST_FREE_SHARE", 0.0)
    assert main(["doctor"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert all(line.startswith("ok ") for line in told)
    monkeypatch.setenv("LOG_LEVEL", "loud")
    assert main(["doctor"]) == 1
    assert capsys.readouterr().out.startswith("!  settings: LOG_LEVEL")


def test_a_restore_that_was_not_finished_is_told_as_that() -> None:
    found = of_condition(replace(STATE, revision=migrations.UNFINISHED))
    assert not found.is_well
    assert "keepsake restore" in found.told


def test_of_a_database_elsewhere_nobody_claims_to_see_the_disk(tmp_path: Path) -> None:
    assert "another machine" not in of_disk(tmp_path, is_of_database=True).told
    assert "another machine" in of_disk(tmp_path, is_of_database=False).told

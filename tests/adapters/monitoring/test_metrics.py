"""Figures count what happened, and name nobody and nothing that was said."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.adapters.monitoring.exporting import READ_SECONDS, Figures, figures_of
from bot.adapters.monitoring.metrics import INSTRUMENTS
from bot.app import assembled
from bot.core.clock import SetClock
from bot.core.metering import DatabaseAsked, ModelCalled, TextMade, TextsServed
from bot.core.settings import Settings
from bot.db import jobs
from bot.db.pool import Database
from bot.memory.facts.narrative import MERGE
from bot.memory.profiles.learning import LEARN_PROFILE
from bot.memory.summaries.episode_builder import COMPACT_EPISODES
from bot.memory.summaries.episode_prompt import MAKE_EPISODE
from tests.adapters.discord.talking import chatting_bot
from tests.servers.discord.fixtures import discord_server
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import PATIENCE_SECONDS

__all__ = ["discord_server"]

OPERATING: Final = (Path(__file__).parents[3] / "docs" / "operating.md").read_text(encoding="utf-8")

ATTRIBUTES: Final = {"operation", "model", "outcome", "reason", "kind", "by", "queue", "route", "degraded"}
"""All that a figure may be told apart by: none of them is somebody, or a place."""

LE: Final = "le"
"""What Prometheus adds to buckets."""


def settings(**given: str) -> Settings:
    return Settings(_env_file=None, **given)  # type: ignore[arg-type]


def values(scraped: bytes) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Return what was scraped, by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(scraped.decode())
        for sample in family.samples
    }


def value(scraped: bytes, name: str, **labels: str) -> float:
    return values(scraped)[name, tuple(sorted(labels.items()))]


def called(ending: str = "answered", **given: int | bool) -> ModelCalled:
    return ModelCalled(operation="reply", model="google:flash", ending=ending, seconds=1.0, **given)  # type: ignore[arg-type]


def test_instruments_are_told_apart_by_what_names_nobody() -> None:
    assert len({one.name for one in INSTRUMENTS}) == len(INSTRUMENTS)
    assert {attribute for one in INSTRUMENTS for attribute in one.attributes} == ATTRIBUTES


def test_the_page_tells_of_every_instrument() -> None:
    rows = [
        f"| `{one.name}` | {one.kind}, {one.unit.strip('{}')} | {one.description}"
        f" | {', '.join(one.attributes)} |"
        for one in INSTRUMENTS
    ]
    told = [line for line in OPERATING.splitlines() if line.startswith("| `keepsake.")]
    assert told == rows, "\n" + "\n".join(rows)


async def test_a_lively_talk_is_counted_and_nobody_and_nothing_said_is_in_the_figures(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Walnut Home")
    async with (
        chatting_bot(discord_server, database, "Crackers go well with it.") as (bot, _),
        figures_of(bot.keepsake) as figures,
    ):
        for said in ("Bot, remember that I like walnuts", "Bot, what goes well with cheese?"):
            await discord_server.answer_to(await guild.say("alice", "general", said))
        await guild.say("bob", "general", "I live in Lisbon")
        await bot.keepsake.memory.settled()
        # A reply is counted when it has arrived, which Discord knows before the bot does.
        await bot.client.under_way.finish(PATIENCE_SECONDS)
        scraped = await figures.scraped()
    found = values(scraped)
    assert value(scraped, "keepsake_messages_heard_total") >= 3
    routes = {dict(labels)["route"] for name, labels in found if name == "keepsake_replies_total"}
    assert routes == {"remember", "chat"}
    assert value(scraped, "keepsake_operations_total", operation="reply", outcome="model") == 1
    assert found["keepsake_database_duration_seconds_count", ()] > 0
    told = scraped.decode().casefold()
    for word in ("walnut", "cheese", "cracker", "lisbon", "alice", "bob", "general", "home"):
        assert word not in told
    given = [pair for _, labels in found for pair in labels]
    assert {name for name, _ in given} <= ATTRIBUTES | {LE}
    assert not [value for _, value in given if re.search(r"\d{15}", value)], "an id"


@pytest.fixture
async def figures(database: Database, clock: SetClock) -> AsyncIterator[Figures]:
    async with (
        assembled(settings(model_prices="google:flash=1/2/0.5"), clock, database) as keepsake,
        figures_of(keepsake) as figures,
    ):
        yield figures


async def test_calls_tokens_and_money_are_counted_and_what_was_put_off(
    figures: Figures, database: Database
) -> None:
    note = database.meter.note
    note(called(input_tokens=1_000_000, output_tokens=500_000, cached_tokens=400_000))
    note(called("timeout"))
    note(called("no_quota", is_put_off=True))
    which = {"operation": "reply", "model": "google:flash"}
    scraped = await figures.scraped()
    assert value(scraped, "keepsake_model_calls_total", **which, outcome="answered") == 1
    assert value(scraped, "keepsake_model_calls_total", **which, outcome="timeout") == 1
    assert value(scraped, "keepsake_model_put_off_total", **which, reason="no_quota") == 1
    assert value(scraped, "keepsake_model_tokens_total", **which, kind="in") == 1_000_000
    assert value(scraped, "keepsake_model_tokens_total", **which, kind="cached") == 400_000
    assert value(scraped, "keepsake_model_cost_total", **which) == pytest.approx(0.6 + 0.2 + 1.0)
    assert value(scraped, "keepsake_model_duration_seconds_count", **which) == 2


async def test_what_was_read_as_it_is_stored_is_an_operation_that_was_cached(
    figures: Figures, database: Database
) -> None:
    database.meter.note(TextsServed(kind="day", count=3))
    scraped = await figures.scraped()
    assert value(scraped, "keepsake_operations_total", operation="summarise_day", outcome="cached") == 3


async def test_learnings_episodes_and_compactions_are_counted_apart(
    figures: Figures, database: Database
) -> None:
    assert value(await figures.scraped(), "keepsake_learnings_total") == 0
    for operation in (LEARN_PROFILE, MAKE_EPISODE, COMPACT_EPISODES, MERGE):
        for by_model in (True, False):
            database.meter.note(TextMade(operation=operation.name, by_model=by_model))
    scraped = await figures.scraped()
    # By rules nothing is learned, and no episode is made.
    assert value(scraped, "keepsake_learnings_total") == 1
    assert value(scraped, "keepsake_episodes_made_total") == 1
    for by in ("model", "rules"):
        assert value(scraped, "keepsake_episodes_compacted_total", by=by) == 1
        assert value(scraped, "keepsake_texts_made_total", operation="merge_facts", by=by) == 1


async def test_what_waits_is_shown_with_its_age_and_read_seldom(database: Database, clock: SetClock) -> None:
    now = 1_000.0
    async with assembled(settings(), clock, database) as keepsake:
        figures = Figures(keepsake, monotonic=lambda: now)
        await keepsake.work.idle()
        await keepsake.work.stop()
        assert value(await figures.scraped(), "keepsake_queue_length", queue="work") == 0
        await database.write(jobs.enqueue, guild_id=7, kind="narrative", work_key="1")
        assert value(await figures.scraped(), "keepsake_queue_length", queue="work") == 0
        now += READ_SECONDS
        assert value(await figures.scraped(), "keepsake_queue_length", queue="work") == 1


async def test_who_counts_no_more_is_told_nothing(database: Database, clock: SetClock) -> None:
    async with assembled(settings(), clock, database) as keepsake:
        async with figures_of(keepsake) as figures:
            pass
        before = await figures.scraped()
        database.meter.note(DatabaseAsked(seconds=1.0))
        assert await figures.scraped() == before

"""The worked example: a week of messages, and what a reply is given of it; what it costs, and what it does not."""

import html
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime

import pytest
from pydantic import SecretStr

from bot.adapters.console.session import Session, open_session
from bot.core.settings import Settings
from tests.adapters.console.sessions import TRANSCRIPTS, play, play_on
from tests.memory.diary import tell_day, tell_members
from tests.servers.asked import Asked
from tests.servers.gemini import GeminiServer

BEGINS = datetime(2026, 3, 2, 8)
MEMORIES = ("summarise_day", "historical", "merge_context", "merge_facts")


def tell_facts(asked: Asked) -> Mapping[str, object]:
    """Tell the facts one after the other, as they stand in the prompt."""
    told = re.findall(r"<fact[^>]*>(.*?)</fact>", asked.prompt, re.DOTALL)
    return {"narrative": " ".join(f"{html.unescape(fact).strip()}." for fact in told)}


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        server.answer("summarise_day", lambda asked: tell_day(asked.prompt))
        server.answer("historical", lambda asked: tell_members(asked.prompt))
        server.answer("merge_context", lambda asked: tell_members(asked.prompt))
        server.answer("merge_facts", tell_facts)
        server.answer("route", {"kind": "chat", "confident": True})
        server.answer("reply", {"text": "Ask her about the project."})
        yield server


@asynccontextmanager
async def session_on(address: str, gemini: GeminiServer, begins: datetime) -> AsyncIterator[Session]:
    settings = Settings(
        _env_file=None,
        database_url=SecretStr(address),
        gemini_api_key=SecretStr("x"),
        gemini_base_url=gemini.url,
    )
    async with open_session(settings, begins=begins) as session:
        yield session


def asked(gemini: GeminiServer) -> Mapping[str, int]:
    """Return how often each of the operations of the memory was asked since the last look."""
    counts = {name: len(gemini.requests_of(name)) for name in MEMORIES}
    gemini.calls.clear()
    return {name: count for name, count in counts.items() if count}


def days_of(gemini: GeminiServer) -> list[str]:
    """Return which days were told, by the dates in the prompts."""
    prompts = [call.prompt for call in gemini.requests_of("summarise_day")]
    return sorted(re.findall(r"<day>(\d{4}-\d\d-\d\d), \w+</day>", "\n".join(prompts)))


async def test_a_week_becomes_one_text_that_the_reply_is_given(address: str, gemini: GeminiServer) -> None:
    lines = (TRANSCRIPTS / "week.txt").read_text().splitlines()
    restart = lines.index("/restart")
    async with session_on(address, gemini, BEGINS) as session:
        await play_on(session, "\n".join(lines[:restart]))
        # Every day is told once, in one call for all who spoke on it; nobody asked before the last day.
        assert days_of(gemini) == [f"2026-03-0{day}" for day in range(2, 9)]
        (merge,) = [call.prompt for call in gemini.requests_of("merge_context")][-1:]
        assert "TechCorp" in merge and "Berlin" in merge and "hiking" in merge
        assert re.search(r"<today>[^<]*so excited I can hardly sit still", merge)
        assert re.search(r"<week>[^<]*release slips again[^<]*slept the whole afternoon", merge)
        gemini.calls.clear()

        (told,) = await play_on(session, "\n".join(lines[restart:]))
        assert told.reply == "Ask her about the project." and not told.degraded
        (reply,) = gemini.requests_of("reply")
        (memory,) = re.findall(
            r'<member[^>]*name="alice".*?<context>(.*?)</context>', reply.prompt, re.DOTALL
        )
        for known in ("TechCorp", "Berlin", "hiking", "project"):
            assert known in memory
        # Somebody else asks: how she felt is for herself.
        assert "stressed" not in memory and "excited" not in memory
        assert asked(gemini) == {}


async def test_an_edit_of_a_day_a_month_ago_costs_that_day_alone(address: str, gemini: GeminiServer) -> None:
    week = (TRANSCRIPTS / "week.txt").read_text()
    question = "#general bob: Bot, what should I ask @alice about?"
    async with session_on(address, gemini, BEGINS) as session:
        await play_on(session, week)
        asked(gemini)
        await play_on(
            session, "[2026-04-06T10:00] #general alice: morning\n/edit 11 too tired for the gym today"
        )
        assert asked(gemini) == {}
        await play_on(session, question)
        # The new day is told since it is read, and nothing of what was edited: nobody reads that any more.
        assert days_of(gemini) == ["2026-04-06"]
        gemini.calls.clear()
    async with session_on(address, gemini, datetime(2026, 3, 8, 10, 30)) as session:
        await play_on(session, f"{question}\n{question}")
        assert days_of(gemini) == ["2026-03-05"]
        (told,) = gemini.requests_of("summarise_day")
        assert "too tired for the gym" in told.prompt and "that's four days in a row" not in told.prompt
        reply = gemini.requests_of("reply")[-1].prompt
        assert "too tired for the gym" in reply and "four days in a row" not in reply


async def test_messages_go_when_the_clock_of_a_transcript_has_passed_them_and_facts_stay(
    address: str,
) -> None:
    told = await play(address, """
        /member alice manager
        [2026-03-01T09:00] #general alice: the harbour cafe has the best ramen
        #general alice: Bot, remember that I like pizza
        #general alice: /memory set retention_days 7
        [2026-03-07T09:00] #general bob: Bot, when did we talk about ramen?
        [2026-03-09T09:00] #general bob: Bot, when did we talk about ramen?
        #general bob: Bot, what do you know about alice?
    """)  # fmt: skip
    before, after, known = (one.reply or "" for one in told[-3:])
    assert "best ramen" in before
    assert "best ramen" not in after
    assert "alice likes pizza" in known

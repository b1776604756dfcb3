"""Members whose text cannot be kept are asked about once more, with what concerns them: days are long."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.domain import Member, Message, mention_of
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.llm.ledger import DatabaseLedger
from bot.llm.operation import Asker, Operations
from bot.llm.providers import build_models
from bot.memory.summaries.day_prompt import DayPart, tell_part
from tests.memory.diary import ALICE, BOB, GENERAL, GUILD_ID, MODS, NAMES
from tests.said import said_in
from tests.servers.gemini import GeminiServer

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
KITTEN = "the kitten named Miso came home"
INVENTED = {
    "texts": [
        {"member": "u1", "text": "@u1 told that a kitten named Miso came home."},
        {"member": "u2", "text": "@u2 robbed a bank in Vienna."},
    ]
}


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        server.answer("summarise_day", INVENTED)
        yield server


@pytest.fixture
async def operations(gemini: GeminiServer, database: Database) -> AsyncIterator[Operations]:
    settings = Settings(_env_file=None, gemini_api_key="key", gemini_base_url=gemini.url)
    models = build_models(settings, DatabaseLedger(database))
    assert models is not None
    yield Operations(models)
    await models.close()


def said(number: int, user_id: int, text: str, *, channel_id: int = GENERAL, reply_to: int = 0) -> Message:
    return Message(
        guild_id=GUILD_ID,
        channel_id=channel_id,
        message_id=number,
        user_id=user_id,
        text=text,
        timestamp=NOON + timedelta(minutes=number),
        reply_to_id=reply_to or None,
    )


def part_of(messages: Sequence[Message]) -> DayPart:
    return DayPart(
        day=NOON.date(),
        messages=messages,
        wanted=(ALICE, BOB),
        earlier={BOB: "<@12> baked a cake."},
        members={
            user_id: Member(guild_id=GUILD_ID, user_id=user_id, user_name=name)
            for user_id, name in NAMES.items()
        },
    )


async def test_a_text_that_is_refused_twice_is_told_by_the_fallback_whatever_other_models_there_are(
    gemini: GeminiServer, operations: Operations
) -> None:
    part = part_of([said(1, ALICE, KITTEN), said(2, BOB, "good morning everyone")])
    told = await tell_part(operations, part, asker=Asker(guild_id=GUILD_ID))
    assert len(gemini.requests_of("summarise_day")) == 2
    assert "Miso" in told.texts[ALICE].text
    assert told.texts[BOB].text == "<@12> baked a cake."
    assert not told.degraded, "the day itself was told by a model"


async def test_an_answer_that_was_written_a_second_time_is_the_last(
    gemini: GeminiServer, operations: Operations
) -> None:
    answers = iter([{"texts": INVENTED["texts"][1:]}, INVENTED])
    gemini.answer("summarise_day", lambda _: next(answers))
    part = part_of([said(1, ALICE, KITTEN), said(2, BOB, "good morning everyone")])
    told = await tell_part(operations, part, asker=Asker(guild_id=GUILD_ID))
    assert "Miso" in told.texts[ALICE].text
    assert told.texts[BOB].text == "<@12> baked a cake."
    assert next(answers, None) is None and len(gemini.requests_of("summarise_day")) == 2


async def test_asking_again_sends_what_concerns_those_who_were_left_out(
    gemini: GeminiServer, operations: Operations
) -> None:
    messages = [said(number, ALICE, f"{KITTEN} for time {number}") for number in range(1, 101)]
    messages[39] = said(40, BOB, "the tram to the harbour was late", reply_to=5)
    messages[49] = said(50, ALICE, "the ferry was late too", channel_id=MODS)
    messages[69] = said(70, ALICE, "was it raining there?", reply_to=40)
    messages[89] = said(90, ALICE, f"{mention_of(BOB)} plays chess on Friday")
    await tell_part(operations, part_of(messages), asker=Asker(guild_id=GUILD_ID))
    whole, again = (said_in(asked.prompt) for asked in gemini.requests_of("summarise_day"))
    assert len(whole) == 100
    texts = [one.text for one in again]
    numbers = [5, 37, 38, 39, 41, 42, 43, 87, 88, 89, 91, 92, 93]
    assert {*texts} == {
        *(f"{KITTEN} for time {number}" for number in numbers),
        "the tram to the harbour was late",
        "was it raining there?",
        "@u1 plays chess on Friday",
    }

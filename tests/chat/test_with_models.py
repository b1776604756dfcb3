"""The whole bot with models: the real client talks to a loopback Gemini on its best and on its worst days."""

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import asyncpg
import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import Guild, Language
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.llm.models import RETRY_LIMITS
from bot.llm.operation import Patience
from bot.memory.manager import MemoryManager
from bot.text.sentences import say
from tests.chat.guild import GUILD_ID, MODS, NAMES, TalkingGuild, member
from tests.patience import pace_for
from tests.servers.base import ModelServer
from tests.servers.faults import REFUSAL, Fault
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer

KEY = "AIza-the-secret-key"
SAID = "Ramen, obviously."

# After these the model's answer is still a whole one: an answer to a chat message names no ids.
STILL_ANSWERED = [Fault.SLOW, Fault.FENCED_JSON, Fault.WRONG_IDS, Fault.REFUSAL]


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.setitem(RETRY_LIMITS, Patience.FOREGROUND, pace_for(request))


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer(api_key=KEY) as server:
        server.slow_seconds = 0.05
        server.answer("route", {"kind": "chat", "confident": True})
        server.answer("reply", {"text": SAID})
        yield server


@pytest.fixture
async def keepsake(database: Database, clock: SetClock, gemini: GeminiServer) -> AsyncIterator[Keepsake]:
    settings = Settings(
        _env_file=None,
        gemini_api_key=KEY,
        gemini_base_url=gemini.url,
        model_chat="gemini-flash-latest,gemma-4-31b-it",
        model_memory="gemma-4-31b-it",
    )
    async with assembled(settings, clock, database) as keepsake:
        yield keepsake


@pytest.fixture
async def guild(keepsake: Keepsake, clock: SetClock) -> TalkingGuild:
    """The guild, without waiting in the end for work that no model will ever do."""
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
    await keepsake.directory.put_members([member(name) for name in NAMES])
    return TalkingGuild(keepsake, clock)


def the_prompt(gemini: GeminiServer) -> str:
    (asked,) = gemini.requests_of("reply")
    return asked.prompt


def asked_while_waiting(gemini: GeminiServer) -> Sequence[object]:
    """Return the requests for which somebody waited; narratives are made behind."""
    return [*gemini.requests_of("route"), *gemini.requests_of("reply")]


async def stored(database: Database) -> list[tuple[object, ...]]:
    rows = await database.read(
        lambda connection: connection.fetch("SELECT content, status FROM facts ORDER BY fact_id")
    )
    return [tuple(row) for row in rows]


async def test_a_chat_reply_is_the_models(guild: TalkingGuild) -> None:
    outcome = await guild.hear("bob", "Bot, ramen or udon?")
    assert (outcome.text, outcome.degraded) == (SAID, False)


@pytest.mark.smoke
async def test_the_prompt_holds_what_is_known_and_what_was_said(
    guild: TalkingGuild, gemini: GeminiServer
) -> None:
    await guild.say("alice", "Bot, remember that I'm allergic to peanuts")
    await guild.say("bob", "the harbour cafe has new ramen")
    await guild.say("alice", "Bot, what should I eat there?")
    prompt = the_prompt(gemini)
    for part in (
        "allergic to peanuts",
        "the harbour cafe has new ramen",
        "what should I eat there?",
        "alice",
    ):
        assert part in prompt
    assert str(NAMES["alice"]) + '"' not in prompt, "ids in a prompt are short ones"


async def test_the_prompt_of_an_open_channel_holds_nothing_of_a_closed_one(
    guild: TalkingGuild, gemini: GeminiServer
) -> None:
    await guild.say("alice", "Bot, remember that bob gets a surprise cake", channel_id=MODS)
    await guild.say("bob", "Bot, anything new?")
    assert "cake" not in the_prompt(gemini)


async def test_a_reply_thinks_little_and_what_is_kept_is_made_at_temperature_0(
    guild: TalkingGuild, gemini: GeminiServer
) -> None:
    await guild.say("alice", "Bot, remember that I like tea")
    await guild.say("alice", "Bot, remember that I like jazz")
    await guild.say("bob", "Bot, ramen or udon?")
    await guild.keepsake.work.idle()
    (reply,) = gemini.requests_of("reply")
    assert (reply.model, reply.temperature) == ("gemini-flash-latest", None)
    assert reply.thinking["thinkingLevel"] == "LOW"
    merges = gemini.requests_of("merge_facts")
    assert merges
    for merge in merges:
        assert (merge.model, merge.temperature) == ("gemma-4-31b-it", 0)
        assert merge.thinking["thinkingLevel"] == "MINIMAL"


@pytest.mark.parametrize(
    ("claimed", "sent"),
    [
        ("Got it, I'll remember that! Peanuts are dangerous.", "Peanuts are dangerous."),
        ("Записал! Арахис опасен.", "Арахис опасен."),
    ],
)
async def test_a_claim_without_a_write_is_not_sent(
    claimed: str, sent: str, guild: TalkingGuild, gemini: GeminiServer, database: Database
) -> None:
    gemini.answer("reply", {"text": claimed})
    assert await guild.say("alice", "Bot, peanuts make me sick") == sent
    assert await stored(database) == []


async def test_a_reply_that_is_nothing_but_a_claim_is_no_claim(
    guild: TalkingGuild, gemini: GeminiServer
) -> None:
    gemini.answer("reply", {"text": "Noted!"})
    assert await guild.say("alice", "Bot, peanuts make me sick") == say("chat.heard", Language.ENGLISH)


@pytest.mark.parametrize("fault", sorted(GeminiServer.faults))
async def test_whatever_goes_wrong_the_user_gets_an_answer_and_nothing_is_stored(
    fault: Fault, guild: TalkingGuild, gemini: GeminiServer, database: Database
) -> None:
    await guild.say("alice", "Bot, remember that I like tea")
    before = await stored(database)
    gemini.fail(fault)
    outcome = await guild.hear("bob", "Bot, ramen or udon?")
    answered = fault in STILL_ANSWERED
    # A model that says in chat that it will not talk of something has answered.
    said = REFUSAL if fault is Fault.REFUSAL else SAID
    assert outcome.text == (said if answered else say("chat.model_failed", Language.ENGLISH, bot="Bot"))
    assert outcome.degraded is not answered
    assert gemini.requests_of("reply")
    assert await stored(database) == before


@pytest.mark.parametrize("fault", sorted(GeminiServer.faults))
async def test_a_plain_command_is_carried_out_whatever_the_models_do_and_asks_none(
    fault: Fault, guild: TalkingGuild, gemini: GeminiServer
) -> None:
    gemini.fail(fault)
    said = [
        await guild.say("alice", "Bot, remember movie night is on Thursday"),
        await guild.say("alice", "Bot, no, I said Friday"),
        await guild.say("Маша", "Бот, запомни, что я люблю пиццу"),
        await guild.say("alice", "Бот, что ты знаешь о Маше?"),
        await guild.say("Маша", "Бот, забудь, что я люблю пиццу"),
        await guild.say("alice", "Bot, what do you know about this server?"),
        await guild.say("alice", "Bot, search for ramen"),
    ]
    assert [text and text.split()[0].rstrip(":") for text in said] == [
        "Remembered", "Corrected", "Записано", "Что", "Готово,", "What", "I",
    ]  # fmt: skip
    assert "Friday" in (said[5] or "")
    assert asked_while_waiting(gemini) == []


async def test_once_the_models_are_well_again_they_reply(guild: TalkingGuild, gemini: GeminiServer) -> None:
    gemini.fail(Fault.INTERNAL, times=1, operation="reply")
    gemini.fail(Fault.SAFETY, times=1, operation="reply")
    assert (await guild.hear("bob", "Bot, ramen or udon?")).degraded
    assert await guild.say("bob", "Bot, so?") == SAID


async def test_a_memory_that_is_late_is_left_out_of_the_reply(
    guild: TalkingGuild, gemini: GeminiServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def late(*_: object, **__: object) -> None:
        await database.read(lambda connection: connection.execute("SELECT pg_sleep(60)"))
        raise AssertionError("nobody waits so long")

    await guild.say("alice", "Bot, remember that I'm allergic to peanuts")
    monkeypatch.setattr(MemoryManager, "relevant", late)
    async with asyncio.timeout(30):
        outcome = await guild.hear("alice", "Bot, what should I eat?")
    assert (outcome.text, outcome.degraded) == (SAID, False)
    assert "what should I eat?" in the_prompt(gemini)
    assert "<member " in the_prompt(gemini)
    assert "<fact" not in the_prompt(gemini).partition("<data>")[2]


async def test_no_read_of_a_reply_waits_for_facts(guild: TalkingGuild, dsn: str) -> None:
    slow = await asyncpg.connect(dsn)
    try:
        async with slow.transaction():
            await slow.execute("LOCK TABLE facts IN ACCESS EXCLUSIVE MODE")
            # The lock is held until the answer is there: whatever waits for a fact waits in vain.
            async with asyncio.timeout(12):
                outcome = await guild.hear("alice", "Bot, what should I eat?")
    finally:
        await slow.close()
    assert (outcome.text, outcome.degraded) == (SAID, False)


@pytest.mark.parametrize("fault", [None, Fault.BAD_KEY, Fault.SAFETY, Fault.TRUNCATED_JSON, Fault.INJECTED])
async def test_the_log_holds_nothing_of_what_was_said(
    fault: Fault | None, guild: TalkingGuild, gemini: GeminiServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="bot")
    if fault is not None:
        gemini.fail(fault)
    await guild.say("alice", "Bot, remember that I collect zeppelins")
    await guild.say("bob", "Bot, marzipan or nougat?")
    assert "reply asked google:gemini-flash-latest" in caplog.text
    for secret in ("zeppelin", "marzipan", SAID, "thief", "Answer in the language", KEY):
        assert secret not in caplog.text


async def test_a_mute_channel_gets_the_fixed_sentence_once(guild: TalkingGuild, gemini: GeminiServer) -> None:
    gemini.fail(Fault.BAD_KEY)
    heard = [await guild.hear("bob", "Bot, ramen is lovely") for _ in range(3)]
    assert [bool(one.text) for one in heard] == [True, False, False]
    assert [one.is_noticed for one in heard] == [False, True, True]
    assert "The language model did not answer" in (await guild.say("bob", "Bot, ramen or udon?") or "")


async def test_each_guild_member_is_named_in_a_reply_and_kept_by_id(
    guild: TalkingGuild, gemini: GeminiServer
) -> None:
    gemini.answer("reply", {"text": "alice had it yesterday."})
    outcome = await guild.hear("bob", "Bot, did alice try the ramen?")
    assert outcome.text == "alice had it yesterday."
    assert outcome.kept_text == f"<@{NAMES['alice']}> had it yesterday."


@pytest.mark.processes
@pytest.mark.parametrize("service", [GeminiServer, OpenAIServer])
async def test_even_at_debug_no_library_writes_a_prompt_or_the_key_to_the_log(
    service: type[ModelServer], dsn: str, tmp_path: Path
) -> None:
    async with service() as server:
        server.answer("route", {"kind": "chat", "confident": True})
        server.answer("reply", {"text": SAID})
        google = service is GeminiServer
        ended = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "chat",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={
                **os.environ,
                "DATABASE_URL": dsn,
                "KEEPSAKE_HOME": str(tmp_path),
                "LOG_LEVEL": "DEBUG",
                "GEMINI_API_KEY" if google else "OPENAI_API_KEY": KEY,
                "GEMINI_BASE_URL" if google else "OPENAI_BASE_URL": server.url,
                "MODEL_CHAT": "gemini-flash-latest" if google else "openai:local-model",
                "MODEL_MEMORY": "gemma-3-27b-it" if google else "openai:local-model",
            },
        )  # fmt: skip
        told, logged = await ended.communicate(b"#general bob: Bot, marzipan or nougat?\n")
    assert SAID in told.decode(), logged.decode()
    assert "reply asked" in logged.decode()
    below = [line for line in logged.decode().splitlines() if " DEBUG " in line or " INFO " in line]
    assert [line for line in below if " bot." not in line] == []
    for secret in ("marzipan", SAID, "Answer in the language", KEY):
        assert secret not in logged.decode()

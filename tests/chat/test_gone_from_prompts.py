"""What is deleted or forgotten stands in no prompt from then on, of whatever operation, whatever told of it before."""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import timedelta

import pytest
from pydantic import SecretStr

from bot.app import assembled
from bot.core.clock import SetClock
from bot.core.domain import Channel, Guild
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.chat.guild import GENERAL, GUILD_ID, NAMES, TalkingGuild, member
from tests.servers.asked import Asked
from tests.servers.gemini import GeminiServer

SECRET = "Zorgblat"
_MEMBER = re.compile(r'<member id="(u\d+)"')
_WANTED = re.compile(r"tell what each of these members did: ([u\d, ]*)\.")


def told(asked: Asked) -> str:
    """Tell the secret wherever the prompt does."""
    return (
        f"They made plans. The rocket is called {SECRET}." if SECRET in asked.prompt else "They made plans."
    )


def told_of_each(asked: Asked) -> Mapping[str, object]:
    wanted = _WANTED.search(asked.prompt)
    ids = wanted[1].split(", ") if wanted else _MEMBER.findall(asked.prompt)
    return {"texts": [{"member": one, "text": told(asked)} for one in dict.fromkeys(ids)]}


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        for operation in ("summarise_day", "historical", "merge_context"):
            server.answer(operation, told_of_each)
        server.answer("merge_facts", lambda asked: {"narrative": told(asked)})
        server.answer("roll_summary", lambda asked: {"text": told(asked)})
        server.answer("make_episode", lambda asked: {"text": told(asked), "importance": 5, "tags": ["plans"]})
        server.answer("learn_profile", lambda asked: {"profile": told(asked), "facts": []})
        server.answer("route", {"kind": "chat", "confident": True})
        server.answer("reply", {"text": "Hm."})
        yield server


@pytest.fixture
async def guild(database: Database, clock: SetClock, gemini: GeminiServer) -> AsyncIterator[TalkingGuild]:
    settings = Settings(
        _env_file=None,
        gemini_api_key=SecretStr("x"),
        gemini_base_url=gemini.url,
        learn_every_turns=5,
    )
    async with assembled(settings, clock, database) as keepsake:
        await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
        await keepsake.directory.put_members([member(name) for name in NAMES])
        await keepsake.directory.put_channel(
            Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general", audience=0)
        )
        yield TalkingGuild(keepsake, clock)


async def talk_on(guild: TalkingGuild, count: int = 45) -> None:
    """Let others talk for a while, ask the bot something, and let all be told that is to be told."""
    await guild.chatter(count, "step {number} of the plan is fine", authors=("gruzilkin", "bob"))
    await ask(guild)
    await guild.settle()


async def ask(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, what do you think of the plans for the rocket?")


def telling(gemini: GeminiServer) -> set[str | None]:
    """Return the operations whose prompts hold the secret."""
    return {call.operation for call in gemini.calls if SECRET in call.prompt}


def asked(gemini: GeminiServer) -> Sequence[str | None]:
    return [call.operation for call in gemini.calls]


@pytest.mark.parametrize("is_over", [False, True], ids=["while the talk runs", "after it"])
@pytest.mark.parametrize("is_forgotten", [False, True], ids=["deleted", "forgotten"])
async def test_what_is_taken_back_stands_in_no_prompt_from_then_on(
    guild: TalkingGuild, gemini: GeminiServer, is_over: bool, is_forgotten: bool
) -> None:
    if is_forgotten:
        await guild.say("alice", f"Bot, remember that my rocket is called {SECRET}")
    await guild.say("alice", f"my rocket is called {SECRET}")
    secret = guild.last
    assert secret is not None
    await talk_on(guild)
    await talk_on(guild)
    assert telling(gemini) >= {"roll_summary", "reply"}
    if is_over:
        guild.clock.advance(timedelta(hours=1))
        await guild.settle()
        assert "make_episode" in telling(gemini)
        await ask(guild)
    if is_forgotten:
        await guild.say("alice", f"Bot, forget that my rocket is called {SECRET}")
    else:
        await guild.keepsake.memory.ingest_deletion(
            guild_id=GUILD_ID, channel_id=GENERAL, message_ids=[secret.message_id]
        )
    gemini.calls.clear()
    await ask(guild)
    assert "reply" in asked(gemini)
    await guild.settle()
    for pause in (timedelta(0), timedelta(hours=1), timedelta(days=1), timedelta(0)):
        guild.clock.advance(pause)
        await guild.settle()
        await talk_on(guild)
    assert {"reply", "roll_summary", "make_episode", "summarise_day"} <= set(asked(gemini))
    assert telling(gemini) == set()


async def test_what_was_put_right_stands_in_no_prompt_from_then_on(
    guild: TalkingGuild, gemini: GeminiServer
) -> None:
    await guild.say("alice", f"Bot, remember that my rocket is called {SECRET}")
    await guild.say("alice", "Bot, no, I said Heron")
    await guild.say("bob", "nice name")
    await guild.settle()
    gemini.calls.clear()
    await ask(guild)
    await talk_on(guild)
    assert {"reply", "roll_summary"} <= set(asked(gemini))
    assert telling(gemini) == set()
    assert any("Heron" in call.prompt for call in gemini.calls if call.operation == "reply")

"""What counts as a turn: a chat reply to a member where everybody reads it, delivered; and twenty are learned from."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import Guild, Member, MessageKind
from bot.core.settings import Settings
from bot.db.pool import Database
from tests.chat.guild import BOT_ID, GUILD_ID, MODS, NAMES, TalkingGuild, member
from tests.servers.gemini import GeminiServer

ALICE = NAMES["alice"]


@pytest.fixture
async def gemini() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        server.answer("route", {"kind": "chat", "confident": True})
        server.answer("reply", {"text": "Ramen, obviously."})
        server.answer("learn_profile", {"profile": "@u1 thinks about ramen a lot."})
        yield server


@pytest.fixture
async def keepsake(database: Database, clock: SetClock, gemini: GeminiServer) -> AsyncIterator[Keepsake]:
    settings = Settings(
        _env_file=None,
        gemini_api_key="key",
        gemini_base_url=gemini.url,
        model_chat="gemini-flash-latest",
        model_memory="gemma-4-31b-it",
        answer_bots=True,
    )
    async with assembled(settings, clock, database) as keepsake:
        yield keepsake


@pytest.fixture
async def guild(keepsake: Keepsake, clock: SetClock) -> TalkingGuild:
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
    bot = Member(guild_id=GUILD_ID, user_id=BOT_ID, user_name="Keepsake", is_bot=True)
    await keepsake.directory.put_members([*(member(name) for name in NAMES), bot])
    return TalkingGuild(keepsake, clock)


async def turns(database: Database) -> dict[int, int]:
    """Return how many turns each member had, those with none left out."""
    rows = await database.read(
        lambda connection: connection.fetch("SELECT user_id, turns FROM members WHERE turns > 0")
    )
    return {row["user_id"]: row["turns"] for row in rows}


async def test_a_chat_reply_counts_and_nothing_else_does(guild: TalkingGuild, database: Database) -> None:
    await guild.hear("alice", "Bot, ramen or udon?", visitor=True)
    await guild.hear("alice", "Bot, ramen or udon?", channel_id=MODS)
    await guild.hear("alice", "ramen or udon?", direct=True)
    await guild.hear("alice", "nobody is asked whether ramen is good")
    await guild.hear("alice", "Bot, remember that I like ramen")
    await guild.hear("alice", "Bot, what do you know about me?")
    await guild.hear("alice", "Bot, help")
    await guild.hear("somebot", "Bot, ramen or udon?", kind=MessageKind.BOT)
    assert await turns(database) == {}
    outcome = await guild.hear("alice", "Bot, ramen or udon?")
    assert outcome.text == "Ramen, obviously."
    assert await turns(database) == {ALICE: 1}
    await guild.hear("bob", "Bot, ramen or udon?")
    assert await turns(database) == {ALICE: 1, NAMES["bob"]: 1}


async def test_a_reply_that_is_sent_twice_is_one_turn(guild: TalkingGuild, database: Database) -> None:
    outcome = await guild.hear("alice", "Bot, ramen or udon?")
    assert guild.last is not None
    for _ in range(2):
        await guild.deliver(outcome, guild.last)
        await guild.again(guild.last)
    assert await turns(database) == {ALICE: 1}


async def test_a_reply_that_was_not_delivered_is_no_turn_until_it_is(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.hear("alice", "nobody is asked")
    assert guild.last is not None
    asked = replace(guild.last, message_id=guild.last.message_id + 1, text="Bot, ramen or udon?")
    outcome = await guild.again(asked, deliver=False)
    assert await turns(database) == {}
    await guild.deliver(outcome, asked)
    assert await turns(database) == {ALICE: 1}


async def test_twenty_turns_are_learned_from_once_and_told_to_whom_they_are_about(
    guild: TalkingGuild, gemini: GeminiServer
) -> None:
    for number in range(19):
        await guild.hear("alice", f"Bot, is ramen number {number} good?", paced=False)
    await guild.hear("bob", "Bot, is ramen good?", visitor=True)
    await guild.keepsake.work.idle()
    assert gemini.requests_of("learn_profile") == []
    await guild.hear("alice", "Bot, is ramen number 19 good?", paced=False)
    await guild.keepsake.work.idle()
    (asked,) = gemini.requests_of("learn_profile")
    assert asked.model == "gemma-4-31b-it"
    assert asked.temperature == 0
    told = await guild.say("alice", "Bot, what do you know about me?")
    assert told is not None
    assert told.splitlines()[-2:] == ["What I learned from our talks:", "alice thinks about ramen a lot."]
    others = await guild.say("bob", "Bot, what do you know about alice?")
    assert others is not None
    assert "thinks about" not in others
    visiting = await guild.say("alice", "Bot, what do you know about me?", visitor=True)
    assert "thinks about" not in (visiting or "")
    in_russian = await guild.say("alice", "Бот, что ты знаешь обо мне?")
    assert "Что стало понятно из наших разговоров:\nalice thinks" in (in_russian or "")
    directly = await guild.say("alice", "what do you know about me?", direct=True)
    assert "alice thinks about ramen" in (directly or "")

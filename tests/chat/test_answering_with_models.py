"""With a model: what surely answers a question is told without it; topics and all else are talked about."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.core.clock import SetClock
from bot.db.pool import Database
from tests.chat.guild import TalkingGuild, guild_with
from tests.scripted_models import ScriptedModels

SAID = "Hmm, long story."
"""Too short to be in a language: a reply in another one than the question is refused."""


@pytest.fixture
async def guild(database: Database, clock: SetClock) -> AsyncIterator[TalkingGuild]:
    async with guild_with(ScriptedModels(reply={"text": SAID}), clock, database) as guild:
        yield guild


async def test_a_sure_answer_about_a_member_needs_no_model(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that my birthday is on 4 July")
    told = await guild.say("bob", "Bot, when is alice's birthday?")
    assert told == "alice's birthday is on 4 July (alice said so on 1 March)."
    assert "4 July" in (await guild.say("bob", "Bot, who has a birthday in July?") or "")


@pytest.mark.parametrize(
    "question",
    [
        "when is bob's birthday?",
        "what should I eat?",
        "what is the capital of France?",
        "who is Napoleon?",
        "tell me about the Roman Empire",
        "what do you know about the moon?",
        "кто такой Наполеон?",
        "что ты знаешь о луне?",
        "почему небо синее?",
    ],
)
async def test_what_nothing_kept_surely_answers_is_left_to_the_reply(
    guild: TalkingGuild, question: str
) -> None:
    await guild.say("alice", "Bot, remember that my birthday is on 4 July")
    assert await guild.say("bob", f"Bot, {question}") == SAID


async def test_of_a_topic_about_which_something_is_known_that_is_told(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that the moon raid is on Friday")
    assert "moon raid" in (await guild.say("bob", "Bot, what do you know about the moon raid?") or "")


async def test_what_may_be_otherwise_by_now_is_told_by_the_model_that_reads_what_was_said_since(
    guild: TalkingGuild, clock: SetClock
) -> None:
    await guild.say("alice", "Bot, remember that I live in Oslo")
    assert "Oslo" in (await guild.say("bob", "Bot, where does alice live?") or "")
    clock.advance(timedelta(days=3))
    assert await guild.say("bob", "Bot, where does alice live?") == SAID

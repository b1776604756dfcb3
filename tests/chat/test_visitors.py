"""Somebody without the base role: nothing from elsewhere is used for them, and nothing is kept of them."""

from collections.abc import AsyncIterator

import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import Language
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.text.sentences import say
from tests.chat.guild import GENERAL, MODS, TalkingGuild
from tests.scripted_models import ScriptedModels

KEPT_NOTHING = say("chat.nothing_of_visitors", Language.ENGLISH)
NOTHING_FOUND = say("chat.nothing_to_forget", Language.ENGLISH)


async def facts(database: Database) -> int:
    count: int = await database.read(
        lambda connection: connection.fetchval("SELECT count(*) FROM facts WHERE status = 'active'")
    )
    return count


async def test_nothing_that_is_known_elsewhere_is_told_to_a_visitor(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that I like pepper")
    await guild.say("alice", "the harbour is closed")
    for text in (
        "Bot, what do you know about alice?",
        "Bot, what do you know?",
        "Bot, what do you know about pepper?",
        "Bot, when did we talk about the harbour?",
    ):
        answer = await guild.say("bob", text, channel_id=MODS, visitor=True)
        assert answer is not None
        assert "likes pepper" not in answer
        assert "closed" not in answer


@pytest.mark.parametrize(
    "text",
    ["Bot, remember that I like tea", "Bot, remember that alice likes tea", "Bot, remember this", "scratch that",
     "no, plums"],
)  # fmt: skip
async def test_nothing_is_kept_or_changed_at_a_visitors_word(
    guild: TalkingGuild, database: Database, text: str
) -> None:
    await guild.say("alice", "Bot, remember that I like pepper", channel_id=MODS)
    answer = await guild.say("bob", text, channel_id=MODS, reply_to=guild.answer, visitor=True)
    assert answer == KEPT_NOTHING
    assert await facts(database) == 1
    assert await guild.known("alice", channel_id=MODS) == ["alice likes pepper"]


async def test_a_visitor_takes_away_only_their_own_words(guild: TalkingGuild, database: Database) -> None:
    await guild.say("alice", "Bot, remember that I like pepper", channel_id=MODS)
    confirmed = guild.answer
    for text, reply_to in (
        ("Bot, forget that", confirmed),
        ("Bot, forget that alice likes pepper", None),
        ("Bot, forget everything about alice", None),
    ):
        answer = await guild.say("bob", text, channel_id=MODS, reply_to=reply_to, visitor=True)
        assert answer == NOTHING_FOUND
    assert await facts(database) == 1
    await guild.say("bob", "my phone is 555", channel_id=MODS, visitor=True)
    answer = await guild.say("bob", "Bot, forget that", channel_id=MODS, reply_to=guild.last, visitor=True)
    assert answer == "Forgotten: I removed the text of 1 message."


async def test_a_late_command_of_a_visitor_writes_nothing(guild: TalkingGuild, database: Database) -> None:
    await guild.hear("bob", "Bot, remember that I like tea", late=True, visitor=True)
    assert await facts(database) == 0


@pytest.fixture
def models() -> ScriptedModels:
    return ScriptedModels(route={"kind": "chat", "confident": True}, reply={"text": "Hello."})


@pytest.fixture
async def talking(
    guild: TalkingGuild, models: ScriptedModels, clock: SetClock, database: Database
) -> AsyncIterator[TalkingGuild]:
    """The guild with a model that answers."""
    async with assembled(Settings(_env_file=None), clock, database, models=models) as keepsake:
        yield TalkingGuild(keepsake, clock)


async def test_a_visitors_prompt_holds_this_channel_and_nothing_else(
    talking: TalkingGuild, models: ScriptedModels, keepsake: Keepsake
) -> None:
    await talking.say("alice", "Bot, remember that I like pepper")
    await talking.say("alice", "Bot, remember that I like salt", channel_id=MODS)
    await talking.say("alice", "the harbour is closed")
    await talking.say("alice", "welcome to the gate", channel_id=MODS)
    asked = await talking.say("bob", "Bot, what now?", channel_id=MODS, visitor=True)
    assert asked == "Hello."
    prompt = models.prompts[-1]
    assert "welcome to the gate" in prompt
    for secret in ("<fact", "harbour", "pepper"):
        assert secret not in prompt
    assert "harbour" not in models.prompts[-2]
    assert "pepper" not in models.prompts[-2]
    await talking.say("bob", "Bot, what now?", channel_id=GENERAL)
    assert "harbour" in models.prompts[-1], "as a member they are told"


async def test_a_model_cannot_be_talked_into_keeping_something_of_a_visitor(
    talking: TalkingGuild, models: ScriptedModels, database: Database
) -> None:
    models.script["route"] = {
        "kind": "remember",
        "confident": True,
        "facts": [{"subject": "u1", "text": "@u1 mag Pizza"}],
    }
    text = "Bot, merk dir bitte, dass ich Pizza mag"
    assert await talking.say("bob", text, channel_id=MODS, visitor=True) == say(
        "chat.nothing_of_visitors", "de"
    )
    assert await facts(database) == 0

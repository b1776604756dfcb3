"""When a model is there and does not answer: that is what is said, with what memory knows, in the asker's language."""

from collections.abc import AsyncIterator

import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import Language
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.text.sentences import say
from tests.chat.guild import TalkingGuild
from tests.scripted_models import ScriptedModels


@pytest.fixture
async def keepsake(database: Database, clock: SetClock) -> AsyncIterator[Keepsake]:
    """Return a bot whose models fail at everything."""
    async with assembled(Settings(_env_file=None), clock, database, models=ScriptedModels()) as keepsake:
        yield keepsake


ENGLISH, RUSSIAN = (
    say("chat.model_failed_known", language) for language in (Language.ENGLISH, Language.RUSSIAN)
)


@pytest.mark.parametrize(
    ("kept", "question", "told", "known"),
    [
        (
            "Bot, remember that Anna is allergic to peanuts",
            "Bot, any idea about peanuts for Anna?",
            ENGLISH,
            "peanuts",
        ),
        ("Bot, remember that movie night is on Friday", "Bot, so when is movie night?", ENGLISH, "Friday"),
        ("Бот, запомни, что киносеанс в пятницу", "Бот, а что у нас с киносеансом?", RUSSIAN, "пятницу"),
    ],
)
async def test_a_question_gets_what_memory_knows(
    kept: str, question: str, told: str, known: str, guild: TalkingGuild
) -> None:
    await guild.say("alice", kept)
    outcome = await guild.hear("bob", question)
    assert (outcome.text or "").startswith(told)
    assert known in (outcome.text or "").removeprefix(told)
    assert outcome.degraded


async def test_a_question_to_which_nothing_is_known_is_not_left_alone(guild: TalkingGuild) -> None:
    for _ in range(2):
        said = await guild.say("bob", "Bot, ramen or udon?")
        assert said == say("chat.model_failed", Language.ENGLISH, bot="Bot")
    said = await guild.say("bob", "Бот, рамен или удон?")
    assert said == say("chat.model_failed", Language.RUSSIAN, bot="Бот")


async def test_nobody_is_told_that_there_is_no_model_where_there_is_one(guild: TalkingGuild) -> None:
    for text in ("Bot, nice weather", "Bot, hello", "Bot, why is the sky blue?", "Бот, как погода?"):
        said = (await guild.hear("bob", text)).text or ""
        assert "without a language model" not in said
        assert "Без языковой модели" not in said

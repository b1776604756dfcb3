"""Personas: a default one, ten to hear and pick, and one of a channel's own, with a model of its own."""

import html
import re
from dataclasses import replace

import pytest
from pydantic import SecretStr

from bot.chat.commands import COMMANDS
from bot.chat.personas import PERSONAS, persona_named, persona_text, sample_of
from bot.chat.prompting.prompt import default_persona
from bot.chat.usecases.usecases import UseCases
from bot.core.clock import SetClock
from bot.core.domain import Channel, Language
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.llm import framing
from bot.llm.operation import ModelAnswer, Operations, Question
from tests.chat.guild import GAMES, GENERAL, GUILD_ID, TalkingGuild, guild_with
from tests.chat.usecases.visits import desk_of, manager, visit
from tests.scripted_models import AnswerT, ScriptedModels

MOST_TOKENS = 120


def desk_with(guild: TalkingGuild, *, models: ScriptedModels | None = None, **settings: object) -> UseCases:
    bot = guild.keepsake
    return UseCases(
        bot.memory,
        bot.directory,
        bot.library,
        clock=bot.clock,
        settings=Settings.model_validate({**bot.settings.model_dump(), **settings}),
        operations=Operations(models),
    )


async def channel_of(guild: TalkingGuild) -> Channel:
    known = await guild.keepsake.directory.channel(guild_id=GUILD_ID, channel_id=GENERAL)
    assert known is not None
    return known


@pytest.fixture
async def general(guild: TalkingGuild) -> None:
    for channel_id, name in ((GENERAL, "general"), (GAMES, "games")):
        await guild.keepsake.directory.put_channel(
            Channel(guild_id=GUILD_ID, channel_id=channel_id, name=name)
        )


@pytest.mark.parametrize("language", Language)
def test_ten_personas_are_short_and_each_has_a_sample_of_its_own(language: Language) -> None:
    texts = [persona_text(name, language) for name in PERSONAS]
    assert len(set(texts)) == len(texts) == 10
    assert all(framing.estimated_tokens(text) <= MOST_TOKENS for text in texts)
    samples = [sample_of(text) for text in texts]
    assert len({*samples, ""}) == 11
    assert all(Language.of(sample) is language for sample in samples)


def test_the_default_persona_is_short() -> None:
    assert 40 <= framing.estimated_tokens(default_persona()) <= MOST_TOKENS


@pytest.mark.parametrize(("written", "name"), [("cat", "cat"), (" Кот ", "cat"), ("POET", "poet"), ("x", "")])
def test_a_persona_is_named_in_either_language(written: str, name: str) -> None:
    assert persona_named(written) == name


async def test_managers_are_listed_all_and_hear_one_before_they_take_it(guild: TalkingGuild) -> None:
    listed = (await desk_of(guild).persona(manager(guild), "")).text
    assert all(f"({name})" in listed for name in PERSONAS)
    models = ScriptedModels(preview={"text": "I noticed you."})
    heard = (await desk_with(guild, models=models).persona(manager(guild), "cat")).text
    assert "I noticed you." in heard
    assert "/memory set persona cat" in heard
    assert persona_text("cat", Language.ENGLISH) in models.prompts[0]
    assert (await desk_of(guild).persona(visit(guild, "alice"), "cat")).text.startswith(
        "The settings are for"
    )
    assert "There is no persona" in (await desk_of(guild).persona(manager(guild), "dragon")).text


async def test_without_a_model_its_written_sample_is_heard(guild: TalkingGuild) -> None:
    text = persona_text("captain", Language.ENGLISH)
    heard = (await desk_of(guild).persona(manager(guild), "captain")).text
    assert sample_of(text) in heard
    assert sample_of(text) in (await desk_of(guild).preview(manager(guild), text)).text


async def test_a_name_is_taken_for_the_persona_and_a_text_for_itself(guild: TalkingGuild) -> None:
    for value, stored in (("Poet", persona_text("poet", Language.ENGLISH)), ("A pirate.", "A pirate.")):
        await desk_of(guild).change(manager(guild), "persona", value)
        known = await guild.keepsake.directory.guild(GUILD_ID)
        assert known is not None
        assert known.persona == stored


@pytest.mark.usefixtures("general")
async def test_the_persona_of_a_channel_goes_before_the_guilds(guild: TalkingGuild) -> None:
    desk = desk_of(guild)
    told = (await desk.channel(manager(guild), persona="cat")).text
    assert "The persona of this channel: A cat that" in told
    assert (await channel_of(guild)).persona == persona_text("cat", Language.ENGLISH)
    # Others see whether they are heard, and nothing of what managers set.
    assert "persona" not in (await desk.channel_state(visit(guild, "alice"))).text
    await desk.channel(manager(guild), hearing=False)
    assert (await channel_of(guild)).persona.startswith("A cat")
    await desk.channel(manager(guild), persona="off")
    assert (await channel_of(guild)).persona == ""
    too_long = (await desk.channel(manager(guild), persona="x" * 1_001)).text
    assert too_long.startswith("That persona has 1001 characters")
    refused = (await desk.channel(visit(guild, "alice"), persona="cat")).text
    assert refused.startswith("Only those who may manage")
    assert (await channel_of(guild)).persona == ""


@pytest.mark.usefixtures("general")
async def test_a_channel_takes_a_model_that_the_operator_configured_and_no_other(guild: TalkingGuild) -> None:
    desk = desk_with(guild, openai_api_key=SecretStr("k"), model_chat="openai:big,openai:small")
    told = (await desk.channel(manager(guild), model="openai:small")).text
    assert "openai:small is asked first here." in told
    refused = (await desk.channel(manager(guild), model="openai:expensive")).text
    assert refused.startswith(
        "“openai:expensive” is not configured here. There are: openai:big, openai:small"
    )
    assert (await channel_of(guild)).model == "openai:small"
    await desk.channel(manager(guild), model="off")
    assert (await channel_of(guild)).model == ""


async def test_a_thread_speaks_as_its_channel_does(guild: TalkingGuild) -> None:
    directory = guild.keepsake.directory
    await directory.put_channel(Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general"))
    await directory.put_channel(Channel(guild_id=GUILD_ID, channel_id=999, name="thread", parent_id=GENERAL))
    await directory.change_channel(
        await channel_of(guild),
        Channel(
            guild_id=GUILD_ID, channel_id=GENERAL, name="general", persona="A cat.", model="openai:small"
        ),
    )
    thread = await directory.channel(guild_id=GUILD_ID, channel_id=999)
    assert thread is not None
    assert (thread.persona, thread.model) == ("A cat.", "openai:small")


class Listening(ScriptedModels):
    """Models that note which of them is wanted first."""

    def __init__(self) -> None:
        super().__init__(reply={"text": "Hm."})
        self.wanted: list[str] = []
        self.replies: list[str] = []
        """The prompts of replies: other things are asked meanwhile."""

    async def ask(self, question: Question[AnswerT]) -> ModelAnswer[AnswerT]:
        if question.operation == "reply":
            self.wanted.append(question.asker.model)
            self.replies.append(question.prompt)
        return await super().ask(question)


async def test_a_reply_speaks_as_its_channel_says_then_as_the_guild_then_as_the_default(
    database: Database, clock: SetClock
) -> None:
    models = Listening()
    async with guild_with(models, clock, database) as guild:
        keepsake = guild.keepsake
        home = await keepsake.directory.guild(GUILD_ID)
        assert home is not None
        general = Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general")
        await keepsake.directory.put_channel(general)

        async def prompted() -> str:
            await guild.say("bob", "Bot, nice weather")
            return models.replies[-1]

        assert default_persona() in html.unescape(await prompted())
        assert models.wanted[-1] == ""
        await keepsake.directory.change_guild(home, replace(home, persona="A pirate."))
        prompt = await prompted()
        assert "A pirate." in prompt
        assert default_persona() not in html.unescape(prompt)
        await keepsake.directory.change_channel(
            general, replace(general, persona="A cat.", model="openai:small")
        )
        prompt = await prompted()
        assert "A cat." in prompt
        assert "A pirate." not in prompt
        assert models.wanted[-1] == "openai:small"


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("persona off model off", {"persona": "off", "model": "off"}),
        ("persona a grumpy cook", {"persona": "a grumpy cook"}),
        ("answers always model openai:small", {"answers": "always", "model": "openai:small"}),
        (
            "hearing on persona cat model openai:small",
            {"hearing": "on", "persona": "cat", "model": "openai:small"},
        ),
        ("model off persona off", None),
    ],
)
def test_a_channels_voice_is_typed_in_one_line(typed: str, values: dict[str, str] | None) -> None:
    found = re.fullmatch(COMMANDS["channel"].pattern, typed)
    told = found and {name: value for name, value in found.groupdict().items() if value}
    assert told == values

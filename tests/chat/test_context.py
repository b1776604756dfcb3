"""What a reply is told of the talk before it: the last messages, the replies above, and nobody's old names."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.chat.gathering import CHAIN_MESSAGES, LAST_MESSAGES
from bot.core.clock import SetClock
from bot.core.domain import Language, Member, Message
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from bot.text.sentences import say
from tests.chat.guild import BOT_ID, GENERAL, GUILD_ID, MODS, NAMES, TalkingGuild, guild_with, member
from tests.scripted_models import ScriptedModels

NO_MODEL = say("chat.no_model", Language.ENGLISH, bot="Bot")
EXAMPLES = say("chat.examples", Language.ENGLISH, bot="Bot")


@pytest.fixture
def models() -> ScriptedModels:
    return ScriptedModels(route={"kind": "chat", "confident": True}, reply={"text": "Hello."})


@pytest.fixture
async def talking(clock: SetClock, database: Database, models: ScriptedModels) -> AsyncIterator[TalkingGuild]:
    """A guild whose bot has a model."""
    async with guild_with(models, clock, database) as guild:
        yield guild


async def talk(guild: TalkingGuild, words: Sequence[str], *, channel_id: int = GENERAL) -> list[Message]:
    """Let each message reply to the one before."""
    said: list[Message] = []
    for number, text in enumerate(words):
        author = ("alice", "florent")[number % 2]
        await guild.say(author, text, reply_to=said[-1] if said else None, channel_id=channel_id)
        assert guild.last is not None
        said.append(guild.last)
    return said


def prompt_of(models: ScriptedModels) -> str:
    return next(prompt for prompt in reversed(models.prompts) if "to_answer" in prompt)


async def test_the_replies_above_a_message_are_told_however_much_was_said_since(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    chain = await talk(talking, [f"chained {number:02}." for number in range(CHAIN_MESSAGES + 3)])
    talking.clock.advance(timedelta(hours=1))
    for number in range(LAST_MESSAGES + 5):
        await talking.say("bob", f"chatter {number:02}.")
    await talking.say("bob", "Bot, and now?", reply_to=chain[-1])
    prompt = prompt_of(models)
    told = [f"chained {number:02}." for number in range(3, CHAIN_MESSAGES + 3)]
    told += [f"chatter {number:02}." for number in range(LAST_MESSAGES + 5)]
    begins = prompt.index("<messages>")
    places = [prompt.find(text, begins) for text in told]
    assert -1 not in places
    assert places == sorted(places), "oldest first"
    assert "chained 02." not in prompt[begins:]
    assert prompt[begins:].count("chained 12.") == 1


async def test_a_withheld_link_does_not_break_the_chain_and_is_not_told(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    chain = await talk(talking, ["the first word", "the secret word", "the third word"])
    await talking.keepsake.memory.ingest_deletion(
        guild_id=GUILD_ID, channel_id=GENERAL, message_ids=[chain[1].message_id]
    )
    for number in range(LAST_MESSAGES):
        await talking.say("bob", f"chatter {number}")
    await talking.say("bob", "Bot, and now?", reply_to=chain[2])
    assert "the first word" in prompt_of(models)
    assert "secret" not in prompt_of(models)


async def test_a_chain_that_was_said_in_a_closed_room_is_not_told_in_an_open_one(
    talking: TalkingGuild, models: ScriptedModels, database: Database
) -> None:
    chain = await talk(talking, ["the whispered word", "the second word", "the third word"])
    # The room was closed when the talk began.
    close = "UPDATE chat_history SET audience = $2 WHERE message_id = $1"
    await database.write(lambda connection: connection.execute(close, chain[0].message_id, MODS))
    await talking.say("bob", "Bot, and now?", reply_to=chain[2])
    assert "the second word" in prompt_of(models)
    assert "whispered" not in prompt_of(models)


async def test_the_answer_to_a_deleted_message_leaves_the_context(
    talking: TalkingGuild, models: ScriptedModels, keepsake: Keepsake
) -> None:
    models.script["reply"] = {"text": "Pumpernickel, surely."}
    await talking.say("alice", "Bot, which bread?")
    asked, answer = talking.last, talking.answer
    assert asked is not None
    await talking.say("bob", "Bot, and now?")
    assert prompt_of(models).count("Pumpernickel") == 1
    await talking.keepsake.memory.ingest_deletion(
        guild_id=GUILD_ID, channel_id=GENERAL, message_ids=[asked.message_id]
    )
    models.script["reply"] = {"text": "Hello."}
    await talking.say("bob", "Bot, and what else?", reply_to=answer)
    kept = [text for text in (prompt_of(models),) if "which bread" in text]
    assert kept == []
    first = prompt_of(models)
    assert first.count("Pumpernickel") == 1, "what it said to bob stays, what it said to alice is gone"


async def test_a_name_that_was_given_up_recognises_and_is_told_to_nobody(
    talking: TalkingGuild, models: ScriptedModels
) -> None:
    await renamed(talking.keepsake.directory)
    await talking.say("alice", "Bot, remember that bob is Robert")
    await talking.say("bob", "good morning")
    await talking.say("alice", "Bot, no, how is he today")
    prompts = [prompt for prompt in models.prompts if "how is he today" in prompt]
    assert len(prompts) == 2, "routing and reply"
    for prompt in prompts:
        assert "Robert" in prompt
        assert "Zorrilla" not in prompt
    confirmed = await talking.say("alice", "Bot, remember that Zorrilla likes tea")
    assert confirmed == "Remembered: bob likes tea. I will say that it comes from you."


async def test_who_nearly_knows_an_old_name_is_not_told_whose_it_was(guild: TalkingGuild) -> None:
    await renamed(guild.keepsake.directory)
    answer = await guild.say("alice", "Bot, what do you know about Zorrikka?")
    assert answer == "I know nobody called Zorrikka here."


async def renamed(directory: Directory) -> None:
    bob = Member(guild_id=GUILD_ID, user_id=NAMES["bob"], user_name="bob", nickname="Zorrilla")
    await directory.put_members([bob])
    await directory.put_members([member("bob")])


@pytest.mark.parametrize("mention", [f"<@{BOT_ID}>", f"<@!{BOT_ID}> ", f"<@{BOT_ID}>!", "Bot,"])
async def test_a_call_without_words_gets_three_examples(guild: TalkingGuild, mention: str) -> None:
    answer = await guild.say("alice", mention)
    assert answer == EXAMPLES
    assert answer.count("\n- ") == 3


async def test_examples_are_no_reason_to_be_silent_afterwards(guild: TalkingGuild) -> None:
    assert await guild.say("alice", "Bot, help") == EXAMPLES
    assert await guild.say("alice", "Bot, hello there") == NO_MODEL
    assert await guild.say("alice", "Bot, hello again") is None
    assert await guild.say("alice", "Bot, help") == EXAMPLES
    assert await guild.say("alice", "Бот, как дела?") is None, "whatever the language"
    assert await guild.say("alice", "Bot, hello again", after=timedelta(minutes=10)) == NO_MODEL


async def test_the_face_is_asked_for_a_name_that_nobody_here_bears(guild: TalkingGuild) -> None:
    sought: list[str] = []

    async def seek(name: str) -> list[Member]:
        sought.append(name)
        return [Member(guild_id=GUILD_ID, user_id=500, user_name="zoltan", nickname="Zoltan")]

    answer = await guild.say("alice", "Bot, remember that Zoltan likes tea", seek=seek)
    assert answer == "Remembered: Zoltan likes tea. I will say that it comes from you."
    assert await guild.say("alice", "Bot, what do you know about Zoltan?", seek=seek) is not None
    assert sought == ["Zoltan"], "once found, known"


async def test_whom_the_face_does_not_find_stays_unknown(guild: TalkingGuild) -> None:
    async def nobody(_: str) -> list[Member]:
        return []

    async def failing(_: str) -> list[Member]:
        raise ConnectionError("away")

    async def foreign(_: str) -> list[Member]:
        return [Member(guild_id=GUILD_ID + 1, user_id=500, user_name="zoltan")]

    for seek in (nobody, failing, foreign):
        answer = await guild.say("alice", "Bot, remember that @zoltan likes tea", seek=seek)
        assert answer == "I know nobody called zoltan here."
        answer = await guild.say("alice", "Bot, what do you know about Zoltan?", seek=seek)
        assert answer == "I know nobody called Zoltan here."

"""A reply that takes long appears sentence by sentence in one message, and nothing is seen that may not be said."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest

from bot.adapters.discord import delivery
from bot.chat import streaming
from bot.core.domain import Language
from bot.db.pool import Database
from bot.text.sentences import say
from tests.adapters.discord.bots import RunningBot, eventually, running_bot
from tests.adapters.discord.slow_model import FIRST, SECOND, WHOLE, SlowModel
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage
from tests.servers.discord.waiting import until
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer
from tests.servers.openai import OpenAIServer

ASKED = "Bot, what are narwhals?"


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "FIRST_WORDS_SECONDS", 0.0)
    monkeypatch.setattr(streaming, "APART_SECONDS", 0.0)


@asynccontextmanager
async def writing_bot(
    server: DiscordServer, database: Database, text: str, **changes: object
) -> AsyncIterator[tuple[RunningBot, GeminiServer, SlowModel]]:
    """Run the bot with a model that writes `text` in answer to everything."""
    async with GeminiServer() as gemini:
        gemini.answer("route", {"kind": "chat", "confident": True})
        gemini.answer("reply", text)
        slow = SlowModel(gemini)
        settings = {"gemini_api_key": "x", "gemini_base_url": gemini.url, **changes}
        async with running_bot(server, database, **settings) as bot:  # type: ignore[arg-type]
            yield bot, gemini, slow


def seen(message: FakeMessage) -> list[str]:
    """Return what a message has said, from its beginning to now."""
    return [*message.earlier_texts, message.text]


async def reads(message: FakeMessage, text: str) -> None:
    """Wait until a message says `text`."""
    await until(lambda: message.text == text, what=f"{text!r}; it says {message.text!r}")


async def test_it_appears_sentence_by_sentence_in_one_message_and_is_kept_as_a_whole(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with writing_bot(discord_server, database, WHOLE) as (bot, gemini, model):
        second, last = model.stop_after(FIRST), model.stop_after(SECOND)
        asked = await guild.say("alice", "general", ASKED)
        answer = await discord_server.answer_to(asked)
        assert answer.text == FIRST
        # Whoever reads the first words needs no sign that there will be some, and nothing is kept yet.
        signs = len(discord_server.typing)
        assert await bot.kept(answer) is None
        second.set()
        await reads(answer, f"{FIRST} {SECOND}")
        assert len(discord_server.typing) == signs
        last.set()
        await reads(answer, WHOLE)
        assert (await bot.stored(answer)).text == WHOLE
        assert discord_server.sent == [answer]
        assert all(later.startswith(earlier) for earlier, later in pairwise(seen(answer)))
        [request] = gemini.requests_of("reply")
        assert request.path.endswith(":streamGenerateContent")
        versions = await database.read(
            lambda connection: connection.fetchval(
                "SELECT count(*) FROM chat_history WHERE message_id = $1", answer.message_id
            )
        )
        assert versions == 1


async def test_what_is_whole_in_time_is_sent_as_a_whole(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "FIRST_WORDS_SECONDS", 1_000.0)
    guild = discord_server.add_guild("Home")
    async with writing_bot(discord_server, database, WHOLE):
        answer = await discord_server.answer_to(await guild.say("alice", "general", ASKED))
        assert seen(answer) == [WHOLE]


async def test_a_setting_has_every_reply_sent_as_a_whole(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with writing_bot(discord_server, database, WHOLE, stream_replies=False) as (_, gemini, _model):
        answer = await discord_server.answer_to(await guild.say("alice", "general", ASKED))
        assert seen(answer) == [WHOLE]
        assert gemini.requests_of("reply")[0].path.endswith(":generateContent")


async def test_what_may_not_be_said_is_never_seen(discord_server: DiscordServer, database: Database) -> None:
    guild = discord_server.add_guild("Home")
    text = f"Got it! I've saved that. {FIRST} I'll remind you tomorrow. {SECOND} Bye now."
    async with writing_bot(discord_server, database, text) as (bot, _, model):
        go_on = model.stop_after(SECOND)
        answer = await discord_server.answer_to(await guild.say("alice", "general", ASKED))
        await reads(answer, f"{FIRST} {SECOND}")
        go_on.set()
        await reads(answer, f"{FIRST} {SECOND} Bye now.")
        for words in ("Got it", "saved", "remind"):
            assert not any(words in text for text in seen(answer))
        assert (await bot.stored(answer)).text == answer.text


async def test_members_are_named_as_in_any_reply_and_pinged_by_none(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    guild.add_member("bob")
    text = f"@everyone, @u1 asks well. {SECOND} Few people ever see one."
    async with writing_bot(discord_server, database, text) as (bot, _, model):
        go_on = model.stop_after(SECOND)
        answer = await discord_server.answer_to(await guild.say("alice", "general", ASKED))
        await until(lambda: SECOND in answer.text)
        go_on.set()
        await until(lambda: answer.text.endswith("one."))
        assert answer.allowed_mentions is not None
        assert answer.allowed_mentions["parse"] == []
        assert all("u1" not in text and "alice" in text for text in seen(answer))
        assert f"<@{guild.member('alice').user_id}>" in (await bot.stored(answer)).text


async def test_what_is_forgotten_meanwhile_takes_the_words_away(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with writing_bot(discord_server, database, WHOLE) as (_, _gemini, model):
        await discord_server.answer_to(await guild.say("bob", "general", "Bot, remember that I like tea"))
        go_on = model.stop_after(FIRST)
        answer = await discord_server.answer_to(await guild.say("alice", "general", ASKED))
        await discord_server.answer_to(await guild.say("bob", "general", "Bot, forget that I like tea"))
        go_on.set()
        await reads(answer, say("chat.heard", Language.ENGLISH))
        assert seen(answer) == [FIRST, answer.text]


async def test_a_model_that_breaks_off_leaves_what_was_seen_and_no_other_begins_anew(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    two = "gemini-flash-latest,gemma-4-31b-it"
    async with writing_bot(discord_server, database, WHOLE, model_chat=two) as (bot, gemini, model):
        go_on = model.stop_after(FIRST)
        gemini.fail(Fault.DROPPED_IN_BODY, operation="reply", times=1)
        asked = await guild.say("alice", "general", ASKED)
        answer = await discord_server.answer_to(asked)
        go_on.set()
        assert (await bot.stored(answer)).text == FIRST
        assert len(gemini.requests_of("reply")) == 1
        assert seen(answer) == [FIRST]


async def test_a_model_that_breaks_off_before_anything_is_seen_makes_way_for_the_next(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with OpenAIServer() as local:
        local.answer("reply", WHOLE)
        settings = {"model_chat": "gemini-flash-latest,openai:other", "openai_base_url": local.url}
        async with writing_bot(discord_server, database, "Narwhals", **settings) as (_, gemini, _model):
            gemini.fail(Fault.DROPPED_IN_BODY, operation="reply")
            answer = await discord_server.answer_to(await guild.say("alice", "general", ASKED))
            await reads(answer, WHOLE)
            assert all(WHOLE.startswith(text) for text in seen(answer))


async def test_a_reply_beyond_one_message_goes_on_in_a_second(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    coast = "along the long and empty coast of Greenland with all of its cold and quiet fjords, " * 3
    sentences = [f"Narwhal number {number} swims {coast}and back." for number in range(1, 11)]
    async with writing_bot(discord_server, database, " ".join(sentences)) as (bot, _, model):
        go_on = model.stop_after(sentences[8])
        asked = await guild.say("alice", "general", ASKED)
        first, second = await discord_server.sent_to("general", 2)
        await until(lambda: sentences[8] in second.text)
        go_on.set()
        await until(lambda: second.text.endswith(sentences[-1]))
        assert " ".join([first.text, second.text]) == " ".join(sentences)
        assert (first.reply_to_id, second.reply_to_id) == (asked.message_id, None)
        assert (await bot.stored(first)).text == " ".join(sentences)
        assert discord_server.sent == [first, second]


async def test_where_discord_does_not_take_the_beginning_the_whole_arrives_all_the_same(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with writing_bot(discord_server, database, WHOLE) as (bot, _, model):
        go_on = model.stop_after(FIRST)
        discord_server.faults.fail("POST", "/channels/*/messages", 400)
        await guild.say("alice", "general", ASKED)
        await until(
            lambda: any(one.method == "POST" and "/messages" in one.path for one in discord_server.requests)
        )
        go_on.set()
        [answer] = await discord_server.sent_to("general")
        assert (await bot.stored(answer)).text == WHOLE
        assert seen(answer) == [WHOLE]


async def test_a_long_reply_grows_within_the_limits_of_edits(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    sentences = [f"Narwhal number {number} swims by." for number in range(1, 13)]
    async with writing_bot(discord_server, database, " ".join(sentences)) as (bot, _, model):
        discord_server.limits.switch_on(scale=0.2)
        stops = [model.stop_after(sentence) for sentence in sentences[:-1]]
        answer = await discord_server.answer_to(await guild.say("alice", "general", ASKED))
        for sentence, go_on in zip(sentences, stops, strict=False):
            await until(lambda sentence=sentence: sentence in answer.text)  # type: ignore[misc]
            go_on.set()
        await reads(answer, " ".join(sentences))
        assert len(seen(answer)) == len(sentences)
        assert (await bot.stored(answer)).text == answer.text
        assert discord_server.sent == [answer]


@pytest.mark.parametrize("refused", [1, 5, 12])
async def test_edits_that_are_too_many_lose_nothing_of_the_reply(
    refused: int, discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library gives up after five refusals: twelve are two edits given up, the whole reply's among them."""
    monkeypatch.setattr(delivery, "_PAUSES_SECONDS", (0.0, 0.0, 0.0))
    guild = discord_server.add_guild("Home")
    async with writing_bot(discord_server, database, WHOLE) as (bot, _, model):
        second, last = model.stop_after(FIRST), model.stop_after(SECOND)
        answer = await discord_server.answer_to(await guild.say("alice", "general", ASKED))
        assert answer.text == FIRST
        edits = "/channels/*/messages/*"
        discord_server.faults.rate_limit("PATCH", edits, 0.01, times=refused)
        second.set()
        if refused == 1:
            await reads(answer, f"{FIRST} {SECOND}")
        else:
            await until(lambda: sum(one.method == "PATCH" for one in discord_server.requests) >= 5)
        last.set()
        await reads(answer, WHOLE)
        assert (await bot.stored(answer)).text == WHOLE
        assert discord_server.sent == [answer]
        assert all(later.startswith(earlier) for earlier, later in pairwise(seen(answer)))


async def test_once_a_message_is_deleted_nothing_more_is_said_to_it(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with writing_bot(discord_server, database, WHOLE) as (bot, _, model):
        go_on = model.stop_after(FIRST)
        asked = await guild.say("alice", "general", ASKED)
        answer = await discord_server.answer_to(asked)
        await guild.delete(asked)

        async def is_heard() -> bool:
            kept = await bot.kept(asked)
            return kept is not None and kept.text == ""

        await eventually(is_heard)
        go_on.set()
        await until(lambda: answer.text != FIRST)
        assert answer.text == say("chat.heard", Language.ENGLISH)

"""What a model keeps while it replies: bound to who speaks, told under the reply, and undone by its button."""

import logging
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.chat.tools.manage_memory import MOST_CHANGES
from bot.core.domain import FactOrigin, Language, RememberingOthers
from bot.llm.models import RETRY_LIMITS, RetryLimits
from bot.llm.operation import Patience
from bot.text.sentences import say
from tests.chat.guild import GUILD_ID, MODS, NAMES
from tests.chat.tools.keeper import SAID, Keeper, call
from tests.servers.base import ToolCall
from tests.servers.faults import Fault
from tests.servers.gemini import GeminiServer

ALICE, BOB = f"<@{NAMES['alice']}>", f"<@{NAMES['bob']}>"
PEANUTS = call("add_fact", text="@u1 is allergic to peanuts")


@pytest.mark.smoke
async def test_what_is_kept_is_told_under_the_reply(keeper: Keeper) -> None:
    outcome = await keeper.say("alice", "Bot, I'm allergic to peanuts, what should I eat?", PEANUTS)
    assert outcome.text == f"{SAID}\n-# remembered: alice is allergic to peanuts"
    assert await keeper.stored() == [f"{ALICE} is allergic to peanuts"]
    assert keeper.results == [{"done": True, "what": "remembered", "memory": "@u1 is allergic to peanuts"}]


async def test_in_russian_it_is_told_in_russian(keeper: Keeper) -> None:
    outcome = await keeper.say(
        "Маша",
        "Бот, у меня аллергия на арахис",
        call("add_fact", text="у @u1 аллергия на арахис"),
        said="Ясно.",
    )
    assert outcome.text == "Ясно.\n-# записано: у Маши аллергия на арахис"


async def test_the_model_says_neither_who_speaks_nor_where_nor_when(keeper: Keeper) -> None:
    await keeper.say(
        "alice",
        "Bot, I'm allergic to peanuts",
        call(
            "add_fact",
            text="@u1 is allergic to peanuts",
            author=1,
            audience=0,
            guild_id=5,
            message_id=6,
            said_at="1999-01-01T00:00:00Z",
        ),
        channel_id=MODS,
    )
    (fact,) = await keeper.guild.keepsake.memory.facts_of_message(
        guild_id=GUILD_ID, message_id=keeper.guild.last.message_id if keeper.guild.last else 0
    )
    assert keeper.guild.last is not None
    assert (fact.author_id, fact.audience, fact.source_channel_id) == (NAMES["alice"], MODS, MODS)
    assert (fact.origin, fact.said_at) == (FactOrigin.TOOL, keeper.guild.last.timestamp)
    assert fact.cause == f"m:{keeper.guild.last.message_id}"


async def test_undo_takes_back_what_was_kept(keeper: Keeper) -> None:
    outcome = await keeper.say("alice", "Bot, I'm allergic to peanuts", PEANUTS)
    assert len(outcome.undo_ids) == 1
    assert await keeper.undo("bob") == say("chat.not_yours_to_undo", Language.ENGLISH)
    assert await keeper.undo("alice") == say(
        "chat.taken_back", Language.ENGLISH, content="alice is allergic to peanuts"
    )
    assert await keeper.stored() == []


async def test_a_correction_finds_what_was_kept(keeper: Keeper) -> None:
    await keeper.say(
        "alice", "Bot, my flight is on 2026-03-10", call("add_fact", text="@u1's flight is on 2026-03-10")
    )
    told = await keeper.guild.say("alice", "Bot, no, I said 2026-03-11")
    assert told is not None
    assert told.startswith("Corrected:")
    assert "2026-03-11" in (await keeper.stored())[0]


@pytest.mark.parametrize(
    ("rule", "kept"), [(RememberingOthers.EVERYONE, True), (RememberingOthers.NOBODY, False)]
)
async def test_about_others_the_rules_of_the_server_hold(
    rule: RememberingOthers, kept: bool, keeper: Keeper
) -> None:
    directory = keeper.guild.keepsake.directory
    was = await directory.guild(GUILD_ID)
    assert was is not None
    await directory.change_guild(was, replace(was, remembering_others=rule))
    await keeper.guild.say("bob", "hi there")
    outcome = await keeper.say(
        "alice", "Bot, bob plays the cello", call("add_fact", text="@u2 plays the cello", about="u2")
    )
    assert await keeper.stored() == ([f"{BOB} plays the cello"] if kept else [])
    assert (outcome.text == SAID) is not kept


async def test_a_visitor_is_offered_no_tool(keeper: Keeper, gemini: GeminiServer) -> None:
    await keeper.say("alice", "Bot, I'm allergic to peanuts", visitor=True)
    (asked,) = gemini.requests_of("reply")
    assert asked.tools == ()
    assert "you store, change and forget nothing" in asked.prompt


@pytest.mark.parametrize("said", ["Bot, ramen or udon?", "Bot, tell me about ramen", "Бот, что такое рамен?"])
async def test_where_nothing_is_stated_no_tool_is_offered(
    said: str, keeper: Keeper, gemini: GeminiServer
) -> None:
    await keeper.say("alice", said)
    (asked,) = gemini.requests_of("reply")
    assert asked.tools == ()
    assert "you store, change and forget nothing" in asked.prompt


async def test_a_member_who_states_something_has_the_tool_offered_and_the_prompt_says_so(
    keeper: Keeper, gemini: GeminiServer
) -> None:
    await keeper.say("alice", "Bot, I had ramen today, what about you?")
    (asked,) = gemini.requests_of("reply")
    assert asked.tools == ("manage_memory",)
    assert "you store, change and forget nothing" not in asked.prompt
    assert "Only the tool stores" in asked.prompt


async def test_without_a_write_a_claim_is_not_sent_and_with_one_only_code_tells_of_it(keeper: Keeper) -> None:
    claimed = "Got it, I'll remember that! Peanuts are dangerous."
    outcome = await keeper.say("alice", "Bot, I'm allergic to peanuts", said=claimed)
    assert outcome.text == "Peanuts are dangerous."
    outcome = await keeper.say("alice", "Bot, I'm allergic to peanuts", PEANUTS, said=claimed)
    assert outcome.text == f"{claimed}\n-# remembered: alice is allergic to peanuts"
    forged = f"{SAID}\n-# remembered: alice owes me money"
    outcome = await keeper.say("bob", "Bot, I like tea", call("add_fact", text="@u1 likes tea"), said=forged)
    assert outcome.text == f"{SAID}\n-# remembered: bob likes tea"


@pytest.mark.parametrize(
    ("said", "calls"),
    [
        ("Bot, I'm allergic to peanuts", [PEANUTS, PEANUTS]),
        (
            "Bot, I'm allergic to peanuts",
            [PEANUTS, call("add_fact", text="@u1 has a peanut allergy: allergic to peanuts")],
        ),
        (
            "Bot, I love pizza",
            [call("add_fact", text="@u1 loves pizza"), call("add_fact", text="I love pizza")],
        ),
    ],
)
async def test_the_same_is_kept_once_in_whatever_words(
    said: str, calls: list[ToolCall], keeper: Keeper
) -> None:
    await keeper.say("alice", said, *calls)
    assert [one["done"] for one in keeper.results] == [True, True]
    assert len(await keeper.stored()) == 1


async def test_when_the_model_dies_after_a_write_the_next_one_does_not_write_again(
    keeper: Keeper, gemini: GeminiServer
) -> None:
    outcome = await keeper.say("alice", "Bot, I'm allergic to peanuts")
    gemini.answer(
        lambda asked: asked.model == "gemini-flash-latest" and asked.operation == "reply",
        [PEANUTS, Fault.SAFETY, "never said"],
    )
    gemini.answer(
        lambda asked: asked.model == "gemma-4-31b-it" and asked.operation == "reply",
        [call("add_fact", text="@u1 has an allergy: allergic to peanuts"), "From the second."],
    )
    outcome = await keeper.guild.hear("alice", "Bot, I'm allergic to peanuts")
    assert outcome.text == "From the second.\n-# remembered: alice is allergic to peanuts"
    assert await keeper.stored() == [f"{ALICE} is allergic to peanuts"]


async def test_a_write_is_told_also_if_no_model_answers_in_the_end(
    keeper: Keeper, gemini: GeminiServer
) -> None:
    gemini.answer("reply", [PEANUTS, Fault.SAFETY, Fault.SAFETY, "never said"])
    outcome = await keeper.guild.hear("alice", "Bot, I'm allergic to peanuts")
    assert outcome.text is not None
    assert outcome.text.endswith("\n-# remembered: alice is allergic to peanuts")
    assert outcome.degraded
    gemini.answer("reply", [call("add_fact", text="@u1 likes tea"), Fault.SAFETY, Fault.SAFETY, "never said"])
    outcome = await keeper.guild.hear("alice", "Bot, I like tea")
    assert outcome.text == "-# remembered: alice likes tea", "the fixed sentence is said once in ten minutes"


async def test_a_write_is_told_also_if_the_model_hangs_after_it(
    keeper: Keeper, gemini: GeminiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        RETRY_LIMITS, Patience.FOREGROUND, RetryLimits(total_seconds=6.0, pause_seconds=0.1, tries=1)
    )
    gemini.answer("reply", [PEANUTS, Fault.HANG, Fault.HANG, "never said"])
    outcome = await keeper.guild.hear("alice", "Bot, I'm allergic to peanuts")
    assert outcome.text is not None
    assert outcome.text.endswith("\n-# remembered: alice is allergic to peanuts")


async def test_a_write_of_a_process_that_died_is_told_by_the_next(
    keeper: Keeper, gemini: GeminiServer
) -> None:
    await keeper.say("alice", "Bot, I'm allergic to peanuts", PEANUTS)
    message = keeper.guild.last
    assert message is not None
    await keeper.database.write(lambda connection: connection.execute("DELETE FROM answers"))
    gemini.answer("reply", "Fresh.")
    outcome = await keeper.guild.again(message)
    assert outcome.text == "Fresh.\n-# remembered: alice is allergic to peanuts"


async def test_nobody_has_more_than_a_few_things_kept_at_once(keeper: Keeper) -> None:
    animals = ("cats", "dogs", "owls", "bees", "eels", "yaks", "rats")
    calls = [call("add_fact", text=f"@u1 likes {animal}") for animal in animals]
    # More calls than rounds: a model sends several at once.
    keeper.gemini.answer("reply", [*calls[:4], SAID])
    await keeper.guild.hear("alice", "Bot, I like cats, I like dogs, I like owls, I like bees")
    assert len(await keeper.stored()) == 4 <= MOST_CHANGES


async def test_the_log_holds_ids_and_nothing_of_what_was_kept(
    keeper: Keeper, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="bot")
    await keeper.say("alice", "Bot, I collect zeppelins", call("add_fact", text="@u1 collects zeppelins"))
    await keeper.say(
        "alice",
        "Bot, zeppelins? I gave up collecting them",
        call("deactivate_fact", text="@u1 collects zeppelins"),
    )
    told = [one.getMessage() for one in caplog.records if one.name.startswith("bot.chat.tools")]
    assert [one.partition(":")[0] for one in told] == ["add_fact", "deactivate_fact"]
    assert all(str(NAMES["alice"]) in one and str(GUILD_ID) in one for one in told)
    assert "zeppelin" not in caplog.text


async def test_what_was_forgotten_comes_back_only_on_request(keeper: Keeper) -> None:
    await keeper.guild.say("alice", "Bot, remember that I like pizza")
    await keeper.guild.say("alice", "Bot, forget that I like pizza")
    keeper.guild.clock.advance(timedelta(minutes=1))
    likes = call("add_fact", text="@u1 likes pizza")
    await keeper.say("alice", "Bot, I like pizza, you know", likes)
    assert (keeper.results[0]["done"], await keeper.stored()) == (False, [])
    await keeper.say("alice", "Bot, do me a favour and remember for good: I like pizza", likes)
    assert await keeper.stored() == [f"{ALICE} likes pizza"]

"""Places that a model keeps on a member's word, and where they are told."""

from datetime import timedelta

from bot.chat.usecases.context import RequestContext
from bot.core.domain import Language
from tests.chat.guild import BOT_ID, GENERAL, GUILD_ID, MODS, NAMES
from tests.chat.tools.keeper import SAID, Keeper, call

HOME = call("add_place", place="home", notes="on a quiet street in Seattle")
IN_SEATTLE = "Bot, my home is on a quiet street in Seattle"


async def test_a_place_is_kept_told_mentioned_and_shown(keeper: Keeper) -> None:
    outcome = await keeper.say("alice", IN_SEATTLE, HOME)
    assert outcome.text == f"{SAID}\n-# remembered: alice's place “home”: on a quiet street in Seattle"
    assert len(outcome.undo_ids) == 1
    again = await keeper.say(
        "alice", "Bot, I'm at home now", call("mention_place", place="Home"), after=timedelta(hours=1)
    )
    assert again.text == f"{SAID}\n-# mentioned again: alice's place “home”: on a quiet street in Seattle"
    assert again.undo_ids == (), "there is nothing that a mention changed"
    await keeper.guild.say("alice", "Bot, remember that I like pizza")
    told = await keeper.guild.say("alice", "Bot, what do you know about me?")
    assert told is not None
    lines = told.splitlines()
    assert [line.partition("] ")[2] for line in lines[1:2]] == ["alice likes pizza"]
    assert lines[2:4] == ["Places:", "- home: on a quiet street in Seattle (mentioned in 2 conversations)"]
    assert "place “home”" not in told


async def test_the_form_shows_places_after_the_facts(keeper: Keeper) -> None:
    await keeper.say("alice", IN_SEATTLE, HOME)
    await keeper.guild.say("alice", "Bot, remember that I like pizza")
    shown = await keeper.guild.keepsake.use_cases.show(
        RequestContext(
            guild_id=GUILD_ID,
            channel_id=GENERAL,
            audience=0,
            user_id=NAMES["bob"],
            language=Language.RUSSIAN,
            interaction_id=1,
            bot_id=BOT_ID,
            bot_name="Bot",
        ),
        NAMES["alice"],
    )
    assert [line.text for line in shown.lines] == [
        "alice likes pizza",
        "home: on a quiet street in Seattle (упоминается в 1 разговоре)",
    ]


async def test_undo_takes_a_place_back(keeper: Keeper) -> None:
    await keeper.say("alice", IN_SEATTLE, HOME)
    await keeper.undo("alice")
    assert await keeper.stored() == []
    await keeper.say("alice", "Bot, I'm at home now", call("mention_place", place="Home"))
    assert keeper.results[0]["done"] is False


async def test_a_place_of_a_closed_room_is_told_there_alone(keeper: Keeper) -> None:
    await keeper.say("alice", IN_SEATTLE, HOME, channel_id=MODS)
    told = await keeper.guild.say("bob", f"Bot, what do you know about <@{NAMES['alice']}>?")
    assert told is not None
    assert "Seattle" not in told
    told = await keeper.guild.say("bob", f"Bot, what do you know about <@{NAMES['alice']}>?", channel_id=MODS)
    assert told is not None
    assert "- home: on a quiet street in Seattle (mentioned in 1 conversation)" in told


async def test_a_place_that_the_message_does_not_name_is_not_kept(keeper: Keeper) -> None:
    for said, wanted in (
        ("Bot, good morning", HOME),
        ("Bot, I'm at home", HOME),
        ("Bot, where is my home on a quiet street in Seattle?", HOME),
        ("Bot, bob's home is great", call("add_place", place="Library")),
        ("Bot, what about lunch", call("mention_place", place="home")),
    ):
        outcome = await keeper.say("alice", said, wanted)
        assert outcome.text == SAID, said
        assert not any(result["done"] for result in keeper.results), said
    assert await keeper.stored() == []

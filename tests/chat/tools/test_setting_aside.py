"""What a member says is so no longer: set aside on their word, never forgotten, and back by Undo."""

from bot.core.domain import Language
from bot.text.sentences import say
from tests.chat.guild import NAMES
from tests.chat.tools.keeper import SAID, Keeper, call

ALICE, BOB = f"<@{NAMES['alice']}>", f"<@{NAMES['bob']}>"


async def test_what_holds_no_longer_is_set_aside_and_comes_back_by_undo(keeper: Keeper) -> None:
    await keeper.guild.say("alice", "Bot, remember that I like pizza")
    outcome = await keeper.say(
        "alice",
        "Bot, pizza and I are through, I can't stand it by now",
        call("deactivate_fact", text="@u1 likes pizza"),
    )
    assert outcome.text == f"{SAID}\n-# no longer so: alice likes pizza"
    assert (await keeper.stored(), await keeper.stored(status="inactive")) == ([], [f"{ALICE} likes pizza"])
    assert await keeper.guild.known("alice") == []
    assert keeper.guild.last is not None
    await keeper.say(
        "alice",
        "Bot, pizza and I are through, I can't stand it by now",
        call("deactivate_fact", text="@u1 likes pizza"),
    )
    assert keeper.results[0]["done"] is False, "there is nothing left to set aside"


async def test_an_undo_of_a_correction_by_the_tool_brings_the_old_fact_back(keeper: Keeper) -> None:
    await keeper.guild.say("alice", "Bot, remember that my cat is called Tom")
    (before,) = await keeper.stored()
    outcome = await keeper.say(
        "alice",
        "Bot, we gave Tom another name, so my cat is called Felix by now",
        call("deactivate_fact", text=before.replace(ALICE, "@u1")),
        call("add_fact", text="@u1's cat is called Felix"),
    )
    assert outcome.text is not None
    assert outcome.text.splitlines()[1:] == [
        "-# remembered: alice's cat is called Felix",
        "-# no longer so: alice's cat is called Tom",
    ]
    assert await keeper.stored() == [f"{ALICE}'s cat is called Felix"]
    assert await keeper.undo("alice") == (
        "Taken back, and no longer kept: alice's cat is called Felix.\n"
        "This holds again: alice's cat is called Tom."
    )
    assert await keeper.stored() == [before]
    assert await keeper.undo("alice") == say("chat.undone_already", Language.ENGLISH)


async def test_facts_are_named_by_the_ids_that_were_shown(keeper: Keeper) -> None:
    await keeper.guild.say("alice", "Bot, remember that I like pizza")
    await keeper.guild.say("alice", "Bot, remember that I like sushi")
    await keeper.say("alice", "Bot, I hate sushi now", call("get_memory"))
    document = keeper.results[0]["document"]
    assert isinstance(document, dict)
    shown = {one["content"]: one["id"] for one in document["facts"]}
    assert set(shown) == {"@u1 likes pizza", "@u1 likes sushi"}
    assert str(NAMES["alice"]) not in str(document)
    await keeper.say(
        "alice",
        "Bot, I hate sushi now",
        call("get_memory"),
        call("deactivate_fact", fact=shown["@u1 likes sushi"]),
        call("deactivate_fact", fact="f99"),
    )
    assert await keeper.stored() == [f"{ALICE} likes pizza"]
    assert keeper.results[2]["done"] is False


async def test_others_facts_are_not_set_aside(keeper: Keeper) -> None:
    await keeper.guild.say("bob", "Bot, remember that I like pizza")
    await keeper.say(
        "alice", "Bot, bob doesn't like pizza any more", call("deactivate_fact", text="@u2 likes pizza")
    )
    assert keeper.results[0]["done"] is False
    assert await keeper.stored() == [f"{BOB} likes pizza"]

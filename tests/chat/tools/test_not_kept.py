"""What a model wants to keep about somebody who does not want it: one sentence for the model, nothing stored."""

from tests.chat.guild import GUILD_ID, NAMES
from tests.chat.tools.keeper import Keeper, call

PEANUTS = call("add_fact", text="@u1 is allergic to peanuts")
ALICE = NAMES["alice"]


async def test_nothing_is_kept_of_who_opted_out_and_the_model_is_told_in_words(keeper: Keeper) -> None:
    consent = keeper.guild.keepsake.memory.consent
    await consent.opt_out(guild_id=GUILD_ID, user_id=ALICE)
    outcome = await keeper.say("alice", "Bot, I'm allergic to peanuts", PEANUTS)
    assert outcome.text == "Good to know."
    assert keeper.results == [
        {
            "done": False,
            "problem": "I keep nothing about you, as long as you have not agreed to it: “Bot, you may remember me” "
            "or /memory on changes that.",
        }
    ]
    assert await keeper.stored() == []


async def test_nothing_is_kept_of_a_kind_that_is_switched_off(keeper: Keeper) -> None:
    consent = keeper.guild.keepsake.memory.consent
    for category in ("fact", "preference", "other"):
        await consent.keep_category(guild_id=GUILD_ID, user_id=ALICE, category=category, kept=False)
    await keeper.say("alice", "Bot, I'm allergic to peanuts", PEANUTS)
    (result,) = keeper.results
    assert result["done"] is False
    assert str(result["problem"]).startswith("You chose that I keep no ")
    assert str(ALICE) not in str(result["problem"])
    assert await keeper.stored() == []

"""Not me: a fact is taken off its subject for good, and what was said stays said."""

from datetime import timedelta

import pytest

from bot.app import Keepsake
from bot.core.domain import FactStatus
from bot.db.pool import Database
from tests.chat.guild import GUILD_ID, NAMES, TalkingGuild
from tests.memory.facts.test_facts import NOON, contents
from tests.memory.living import learn, picked_up
from tests.memory.policy.test_forgetting import message, remembered


async def test_the_fact_is_gone_and_the_message_that_told_it_keeps_its_text(keepsake: Keepsake) -> None:
    fact = await remembered(keepsake, "I like anchovies")
    other = await remembered(keepsake, "I like olives", 101)
    assert await keepsake.memory.disown(guild_id=1, fact_ids=[fact.fact_id]) == 1
    assert await contents(keepsake) == [other.content]
    (gone,) = await keepsake.memory.facts_with_ids(guild_id=1, fact_ids=[fact.fact_id])
    assert (gone.status, gone.content) == (FactStatus.FORGOTTEN, "")
    heard = await keepsake.library.message(guild_id=1, message_id=100)
    assert heard is not None
    assert (heard.text, heard.withheld) == ("Bot, remember that I like anchovies", None)


async def test_it_is_not_learned_of_them_again_but_of_others_it_is(
    keepsake: Keepsake, database: Database
) -> None:
    await keepsake.memory.ingest_message(message(200, "my favorite food is ramen"))
    first = picked_up("ramen", message_id=200, said_at=NOON)
    fact_ids = await learn(database, first)
    assert await keepsake.memory.disown(guild_id=1, fact_ids=fact_ids) == 1
    again = picked_up("ramen", message_id=201, said_at=NOON + timedelta(days=2))
    assert await learn(database, again) == []
    assert await contents(keepsake) == []
    of_bob = picked_up("ramen", message_id=202, said_at=NOON + timedelta(days=2), subject_id=8)
    assert len(await learn(database, of_bob)) == 1


async def test_said_anew_with_remember_it_is_there_again(keepsake: Keepsake) -> None:
    fact = await remembered(keepsake, "I like anchovies")
    await keepsake.memory.disown(guild_id=1, fact_ids=[fact.fact_id])
    again = await remembered(keepsake, "I like anchovies", 102)
    assert again.status is FactStatus.ACTIVE
    assert await contents(keepsake) == [fact.content]


async def test_an_answer_that_told_it_is_wiped_with_what_stands_in_the_channel(guild: TalkingGuild) -> None:
    await guild.say("bob", "Bot, remember that @alice plays the cello")
    said = guild.last
    await guild.say("gruzilkin", "Bot, what do you know about alice?")
    told, asked = guild.answer, guild.last
    assert said is not None
    assert told is not None
    assert asked is not None
    memory, library = guild.keepsake.memory, guild.keepsake.library
    answer = await memory.answers.to_message(guild_id=GUILD_ID, message_id=asked.message_id)
    assert answer is not None
    view = await guild.keepsake.directory.view(guild_id=GUILD_ID, channel_audience=0, user_id=NAMES["alice"])
    (fact,) = await library.facts_about(NAMES["alice"], view, asker_id=NAMES["alice"])
    assert await memory.disown(guild_id=GUILD_ID, fact_ids=[fact.fact_id]) == 1
    wiped = await memory.answers.to_message(guild_id=GUILD_ID, message_id=asked.message_id)
    assert wiped is not None
    assert ("cello" in "".join(answer.parts), wiped.parts) == (True, ())
    kept = await library.messages(guild_id=GUILD_ID, message_ids=[said.message_id, told.message_id])
    assert ["cello" in one.text for one in kept] == [True, False]


async def test_disowned_twice_it_goes_once(keepsake: Keepsake) -> None:
    fact = await remembered(keepsake, "I like anchovies")
    assert await keepsake.memory.disown(guild_id=1, fact_ids=[fact.fact_id]) == 1
    assert await keepsake.memory.disown(guild_id=1, fact_ids=[fact.fact_id]) == 0


@pytest.mark.parametrize("erased", [False, True])
async def test_a_direct_message_that_told_it_is_wiped_as_well(
    guild: TalkingGuild, database: Database, erased: bool
) -> None:
    """Whether its subject disowns it, or its teller is erased with it."""
    await guild.say("bob", "Bot, remember that @alice plays the cello")
    told = await guild.say("alice", "what do you know about me?", direct=True)
    assert told is not None
    assert "cello" in told
    memory = guild.keepsake.memory
    if erased:
        await memory.erasing.erase_member(
            guild_id=GUILD_ID, user_id=NAMES["bob"], audiences=None, opted_out=False
        )
    else:
        view = await guild.keepsake.directory.view(
            guild_id=GUILD_ID, channel_audience=0, user_id=NAMES["alice"]
        )
        (fact,) = await guild.keepsake.library.facts_about(NAMES["alice"], view, asker_id=NAMES["alice"])
        await memory.disown(guild_id=GUILD_ID, fact_ids=[fact.fact_id])
    kept = await database.read(
        lambda connection: connection.fetchval(
            "SELECT (SELECT string_agg(parts::text, ' ') FROM answers WHERE guild_id <> $1)"
            " || (SELECT string_agg(message_text, ' ') FROM chat_history WHERE guild_id <> $1)",
            GUILD_ID,
        )
    )
    assert kept is not None
    assert "cello" not in kept

"""What members say of themselves becomes facts without an order, holds as long as it should, and is asked about."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.core.clock import SetClock
from bot.core.domain import mention_of
from bot.memory.policy.permissions import scope_of
from tests.chat.guild import GAMES, GUILD_ID, MODS, NAMES, TalkingGuild, member

ALICE = mention_of(NAMES["alice"])


@pytest.fixture
def clock() -> SetClock:
    return SetClock(datetime(2026, 6, 1, 12, tzinfo=UTC))


async def test_liking_something_twice_is_one_fact(guild: TalkingGuild) -> None:
    await guild.say("alice", "I like pizza")
    await guild.say("alice", "as I said, I like pizza!", after=timedelta(minutes=20))
    (told,) = await guild.known("alice")
    assert "pizza" in told


async def test_what_was_just_said_is_corrected_by_an_afterthought(guild: TalkingGuild) -> None:
    await guild.say("alice", "my favorite food is pizza")
    assert [told for told in await guild.known("alice", asker="bob") if "pizza" in told]
    await guild.say("alice", "actually it's ramen")
    (told,) = await guild.known("alice", asker="bob")
    assert "ramen" in told
    assert "pizza" not in told


async def test_a_feeling_is_gone_after_six_hours(guild: TalkingGuild, clock: SetClock) -> None:
    await guild.say("alice", "I'm feeling tired")
    (told,) = await guild.known("alice")
    assert "tired" in told
    clock.advance(timedelta(hours=6))
    assert not [told for told in await guild.known("alice") if "tired" in told]


async def test_a_joke_is_taken_back_by_the_next_line(guild: TalkingGuild) -> None:
    await guild.say("alice", "I love olives")
    assert await facts_of(guild, "alice") == [f"{ALICE} loves olives"]
    await guild.say("alice", "jk")
    assert await facts_of(guild, "alice") == []


async def test_a_deleted_message_takes_its_fact_along_and_an_edited_one_is_read_anew(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "my favorite color is teal")
    said = guild.last
    assert said is not None
    assert await facts_of(guild, "alice") == [f"{ALICE}'s favorite color is teal"]
    await guild.edit(said, "my favorite color is plum")
    assert await facts_of(guild, "alice") == [f"{ALICE}'s favorite color is plum"]
    await guild.keepsake.memory.ingest_deletion(
        guild_id=GUILD_ID, channel_id=said.channel_id, message_ids=[said.message_id]
    )
    assert await facts_of(guild, "alice") == []


async def test_what_is_learned_in_one_channel_is_known_in_another_even_after_a_rename(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "my name is Alicia", channel_id=GAMES)
    await guild.say("alice", "my favourite ice cream flavour is mint", channel_id=GAMES)
    await guild.keepsake.directory.put_members([replace(member("alice"), nickname="Queen of Mint")])
    told = await guild.known("alice")
    assert len(told) == 2
    assert "mint" in " ".join(told)
    assert "Alicia" in " ".join(told)


async def test_what_is_learned_in_a_closed_channel_stays_there(guild: TalkingGuild) -> None:
    await guild.say("alice", "my favorite food is borscht", channel_id=MODS)
    assert "borscht" in " ".join(await guild.known("alice", channel_id=MODS))
    assert "borscht" not in " ".join(await guild.known("alice"))


async def test_nothing_is_learned_from_visitors_bots_and_orders_to_forget(guild: TalkingGuild) -> None:
    await guild.say("alice", "I like sushi", visitor=True)
    await guild.say("bob", "Bot, forget that I like tea")
    assert await facts_of(guild, "alice") == []
    assert await facts_of(guild, "bob") == []


async def test_what_was_forgotten_is_not_picked_up_again_until_somebody_says_remember(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "I like anchovies")
    assert await facts_of(guild, "alice")
    await guild.say("alice", "Bot, forget that I like anchovies")
    assert await facts_of(guild, "alice") == []
    await guild.say("alice", "I like anchovies", after=timedelta(days=1))
    assert await facts_of(guild, "alice") == []
    await guild.say("alice", "Bot, remember that I like anchovies")
    assert await facts_of(guild, "alice") == [f"{ALICE} likes anchovies"]


async def test_another_favourite_may_be_learned_after_one_was_forgotten(guild: TalkingGuild) -> None:
    await guild.say("alice", "my favorite food is pizza")
    await guild.say("alice", "Bot, forget that my favorite food is pizza")
    await guild.say("alice", "my favorite food is ramen", after=timedelta(days=1))
    assert await facts_of(guild, "alice") == [f"{ALICE}'s favorite food is ramen"]


async def test_who_says_something_else_than_they_had_remembered_is_asked_once_which_holds(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "Bot, remember that my favorite food is pizza")
    await guild.say("alice", "my favorite food is ramen", after=timedelta(days=1))
    assert await facts_of(guild, "alice") == [f"{ALICE}'s favorite food is pizza"]
    asked = await guild.say("alice", "Bot, what do you know about me?")
    assert asked is not None
    assert "1. " in asked
    assert "2. " in asked
    settled = await guild.say("alice", "2")
    assert settled is not None
    assert "ramen" in settled
    assert await facts_of(guild, "alice") == [f"{ALICE}'s favorite food is ramen"]
    again = await guild.say("alice", "Bot, what do you know about me?")
    assert again is not None
    assert "2. " not in again


async def test_a_contradiction_is_not_asked_of_anybody_else(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, remember that my favorite food is pizza")
    await guild.say("alice", "my favorite food is ramen", after=timedelta(days=1))
    told = await guild.say("bob", f"Bot, what do you know about {ALICE}?")
    assert told is not None
    assert "1. " not in told


async def facts_of(guild: TalkingGuild, name: str) -> list[str]:
    """Return what is known of a member once everything that was said has been read."""
    noticed = await guild.keepsake.memory.extractor.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=20)
    assert noticed
    view = scope_of(guild_id=GUILD_ID, channel_audience=MODS)
    known = await guild.keepsake.library.facts_about(NAMES[name], view, asker_id=NAMES[name])
    return [fact.content for fact in known]


async def test_what_was_said_just_before_is_read_before_it_is_forgotten(guild: TalkingGuild) -> None:
    await guild.say("alice", "I like anchovies")
    assert await guild.say("alice", "Bot, forget that I like anchovies") == "Forgotten: I removed 1 fact."
    await guild.say("alice", "I like olives")
    await guild.say("alice", "Bot, forget everything about me")
    assert await guild.say("alice", "yes") == "Forgotten: I removed 1 fact."
    assert await facts_of(guild, "alice") == []

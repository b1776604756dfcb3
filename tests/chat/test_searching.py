"""Asked when something was talked about: the best of messages, facts and past talks, with who, when and where."""

from datetime import timedelta

import pytest

from bot.core.clock import SetClock
from bot.core.domain import Message
from bot.db.pool import Database
from tests.chat.guild import GAMES, GENERAL, GUILD_ID, MODS, NAMES, TalkingGuild
from tests.memory.summaries.episodes.kept import keep


def lines_of(told: str | None) -> list[str]:
    """Return what was found, without the day of each."""
    assert told is not None
    return [line.partition("] ")[2] for line in told.splitlines() if line.startswith("- [")]


async def test_what_fits_best_comes_first_and_what_has_half_of_the_words_is_told_too(
    guild: TalkingGuild,
) -> None:
    await guild.say("florent", "the ramen place on 5th street is great")
    await guild.say("bob", "I parked in a bad place", after=timedelta(hours=2))
    await guild.say("gruzilkin", "ramen again for lunch?", after=timedelta(hours=2))
    told = await guild.say("bob", "Bot, when did we talk about the ramen place on 5th street?")
    assert lines_of(told) == ["florent: the ramen place on 5th street is great"]
    told = await guild.say("bob", "Bot, when did we talk about ramen?")
    assert {line.partition(":")[0] for line in lines_of(told)} == {"florent", "gruzilkin"}


async def test_what_the_bot_is_told_is_found_like_anything_that_was_said(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, my aunt has a new trombone")
    await guild.say("bob", "Bot what did I say about the trombone")
    told = await guild.say("alice", "Bot, when did we talk about the trombone?")
    assert lines_of(told) == ["alice: Bot, my aunt has a new trombone"]


async def test_what_the_bot_is_asked_is_no_talk(guild: TalkingGuild) -> None:
    await guild.say("alice", "Bot, what do you think of unicorns?")
    await guild.say("alice", "Bot, what do you know about me?")
    await guild.say("alice", "and unicorns are my thing", reply_to=guild.answer)
    told = await guild.say("alice", "Bot, when did we talk about unicorns?")
    assert told == "I find nothing about “unicorns” in what I have heard here."
    await guild.say("bob", "unicorns are back in fashion")
    told = await guild.say("alice", "Bot, when did we talk about unicorns?")
    assert lines_of(told) == ["bob: unicorns are back in fashion"]


@pytest.mark.smoke
async def test_facts_and_past_talks_are_marked_as_such(guild: TalkingGuild, database: Database) -> None:
    await guild.say("bob", "Bot, remember that @alice plays the cello")
    await keep(
        database,
        f"<@{NAMES['florent']}> and <@{NAMES['bob']}> agreed to buy a cello.",
        guild_id=GUILD_ID,
        channel_id=GAMES,
    )
    english = await guild.say("gruzilkin", "Bot, when did we talk about the cello?")
    assert set(lines_of(english)) == {
        "noted: bob says alice plays the cello",
        "a past talk: florent and bob agreed to buy a cello.",
    }
    russian = await guild.say("gruzilkin", "Бот, найди сообщения о cello")
    assert "из прошлого разговора: florent and bob" in (russian or "")


async def test_a_fact_whose_message_is_told_is_not_told_twice(guild: TalkingGuild) -> None:
    await guild.say("alice", "my favorite food is ramen")
    await guild.keepsake.memory.extractor.noticed(guild_id=GUILD_ID, up_to_id=2**62)
    told = await guild.say("bob", "Bot, when did we talk about ramen?")
    assert lines_of(told) == ["alice: my favorite food is ramen"]


async def test_what_had_something_remembered_or_put_right_is_found_by_its_fact_alone(
    guild: TalkingGuild,
) -> None:
    await guild.say("alice", "Bot, remember that I work at the Kestrel bakery")
    await guild.say("alice", "Bot, no, I said the Heron bakery")
    told = await guild.say("alice", "Bot, when did we talk about the bakery?")
    assert lines_of(told) == ["noted: alice works at the Heron bakery"]
    told = await guild.say("alice", "Bot, when did we talk about the Kestrel?")
    assert told == "I find nothing about “the Kestrel” in what I have heard here."


@pytest.mark.parametrize(
    "asked",
    [
        "Bot, what did we say about ramen last week?",
        "Bot, when did we talk about ramen last week?",
        "Бот, что мы говорили о ramen на прошлой неделе?",
    ],
)
async def test_a_time_in_the_question_narrows_the_range(guild: TalkingGuild, asked: str) -> None:
    await guild.say("alice", "ramen was good")
    await guild.say("bob", "ramen was bad", after=timedelta(days=7))
    told = await guild.say("florent", asked, after=timedelta(days=7))
    assert lines_of(told) == ["bob: ramen was bad"]


async def test_asked_for_a_time_before_what_is_kept_it_says_since_when_that_is(guild: TalkingGuild) -> None:
    await guild.say("alice", "ramen was good")
    told = await guild.say("bob", "Bot, what did we say about ramen in January?", after=timedelta(days=1))
    assert told == (
        "I find nothing about “ramen in January” in what I have heard here.\n"
        "What I keep here begins on 2026-03-01; I have nothing older."
    )
    told = await guild.say("Маша", "Бот, что мы говорили про ramen в январе?")
    assert "начинается с 2026-03-01" in (told or "")
    told = await guild.say("bob", "Bot, what did we say about ramen yesterday?")
    assert lines_of(told) == ["alice: ramen was good"]


async def test_what_is_said_in_a_closed_channel_is_found_there_alone(guild: TalkingGuild) -> None:
    await guild.say("alice", "secret ramen", channel_id=MODS)
    nothing = "I find nothing about “ramen” in what I have heard here."
    assert await guild.say("bob", "Bot, when did we talk about ramen?") == nothing
    told = await guild.say("bob", "Bot, when did we talk about ramen?", channel_id=MODS)
    assert lines_of(told) == ["alice: secret ramen"]
    assert await guild.say("bob", "Bot, when did we talk about ramen?", visitor=True) != told


async def test_what_was_found_can_be_explained_and_goes_with_what_is_forgotten(
    guild: TalkingGuild, database: Database
) -> None:
    await guild.say("bob", "Bot, remember that I collect stamps")
    await keep(
        database,
        f"<@{NAMES['bob']}> collects stamps. The weather was fine.",
        guild_id=GUILD_ID,
        channel_id=GENERAL,
    )
    await guild.say("alice", "Bot, when did we talk about stamps?")
    told = guild.answer
    assert told is not None
    assert told.text.count("stamps") == 3
    why = await guild.say("alice", "Bot, how do you know that?", reply_to=told)
    assert (why or "").count("stamps") == 2
    await guild.say("bob", "Bot, forget that I collect stamps")
    assert await words_kept(guild, told) == ""
    why = await guild.say("alice", "Bot, how do you know that?", reply_to=told)
    assert "stamps" not in (why or "")
    assert "The weather was fine." in (why or "")


async def test_an_answer_goes_that_told_what_is_forgotten_from_a_past_talk_alone(
    guild: TalkingGuild, database: Database
) -> None:
    await keep(
        database,
        f"<@{NAMES['bob']}> collects stamps. The trip is on Friday.",
        guild_id=GUILD_ID,
        channel_id=GENERAL,
    )
    await guild.say("alice", "Bot, when did we talk about stamps?")
    told = guild.answer
    await guild.say("bob", "Bot, remember that I collect stamps")
    await guild.say("bob", "Bot, forget that I collect stamps")
    assert told is not None
    assert "stamps" in told.text
    assert await words_kept(guild, told) == ""


async def words_kept(guild: TalkingGuild, told: Message) -> str:
    kept = await guild.keepsake.library.message(guild_id=GUILD_ID, message_id=told.message_id)
    assert kept is not None
    return kept.text


async def test_small_talk_that_is_searched_for_is_found(guild: TalkingGuild, clock: SetClock) -> None:
    clock.advance(timedelta(hours=1))
    await guild.say("alice", "lol")
    assert lines_of(await guild.say("bob", "Bot, search for lol")) == ["alice: lol"]

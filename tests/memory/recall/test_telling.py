"""What somebody said that tells most is told though it shares no word with a question."""

from datetime import timedelta

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import ANYBODY, OPEN, Channel
from bot.memory.policy.permissions import scope_of
from bot.memory.recall.query import query_of
from bot.memory.recall.telling import LOOKED_BACK
from tests.memory.recall.talk import ALICE, BOB, CAROL, GUILD_ID, MODS, MONDAY, OTHER, Talk, begin

NOW = MONDAY + timedelta(days=20)


async def telling(talk: Talk, asked: str, *user_ids: int, limit: int = 2) -> list[str]:
    last = await talk.say("and now?", at=NOW)
    said = await talk.keepsake.library.telling(
        view=scope_of(guild_id=GUILD_ID, channel_audience=OPEN),
        limits=dict.fromkeys(user_ids, limit),
        query=query_of(asked, now=NOW, time_zone="UTC"),
        before_message_id=last.message_id,
    )
    return [one.text for messages in said.values() for one in messages]


async def test_what_somebody_said_of_themselves_goes_before_chatter(
    keepsake: Keepsake, clock: SetClock
) -> None:
    clock.set(NOW)
    talk = await begin(keepsake)
    for number, text in enumerate(
        ("haha ok", "good morning", "see you later", "that was fun", "who is there?")
    ):
        await talk.say(text, at=MONDAY + timedelta(minutes=number), by=ALICE)
        await talk.say(text, at=MONDAY + timedelta(minutes=number, seconds=30), by=BOB)
    await talk.say("I sold the van, from now on I bike everywhere", at=MONDAY + timedelta(hours=2), by=ALICE)
    await talk.say("my shift begins at six on Saturdays", at=MONDAY + timedelta(hours=3), by=ALICE)
    await talk.say("I took up the violin in March", at=MONDAY + timedelta(hours=4), by=BOB)
    found = await telling(talk, "how do I get to the lake?", ALICE)
    assert set(found) == {
        "I sold the van, from now on I bike everywhere",
        "my shift begins at six on Saturdays",
    }


async def test_of_what_is_long_ago_closed_or_withheld_nothing_is_told(
    keepsake: Keepsake, clock: SetClock
) -> None:
    clock.set(NOW)
    talk = await begin(keepsake)
    await talk.say("I keep seven goats behind the mill", at=NOW - LOOKED_BACK - timedelta(days=1), by=ALICE)
    await talk.say("I want to leave the committee in May", channel_id=MODS, by=ALICE)
    gone = await talk.say("I broke the green lamp on Friday", by=ALICE)
    await keepsake.memory.ingest_deletion(
        guild_id=GUILD_ID, channel_id=gone.channel_id, message_ids=[gone.message_id]
    )
    assert await telling(talk, "how do I get to the lake?", ALICE) == []


async def test_the_talk_of_a_day_is_told_and_of_the_channel_that_is_named(
    keepsake: Keepsake, clock: SetClock
) -> None:
    clock.set(NOW)
    talk = await begin(keepsake)
    day = MONDAY + timedelta(days=2)
    await talk.say("the pump is broken since Tuesday", at=day, by=BOB)
    await talk.say("the piano arrives at noon", at=day + timedelta(hours=1), by=BOB, channel_id=OTHER)
    await talk.say("the fence was painted blue", at=day + timedelta(days=1), by=BOB)
    asked = f"what did we talk about on {day.day} {day:%B}?"
    assert set(await telling(talk, asked)) == {
        "the pump is broken since Tuesday",
        "the piano arrives at noon",
    }
    await keepsake.directory.put_channel(Channel(guild_id=GUILD_ID, channel_id=OTHER, name="music"))
    asked = f"what did we talk about in #music on {day.day} {day:%B}?"
    assert await telling(talk, asked) == ["the piano arrives at noon"]


async def test_what_others_said_of_somebody_is_told_as_their_own_words_are(
    keepsake: Keepsake, clock: SetClock
) -> None:
    clock.set(NOW)
    talk = await begin(keepsake)
    await talk.say("для Бори без молока, у него непереносимость", at=NOW - timedelta(days=9), by=ALICE)
    await talk.say(f"<@{BOB}> starts at the mill on Monday", at=NOW - timedelta(days=8), by=CAROL)
    await talk.say("Боря is to be voted out of the committee", channel_id=MODS, by=ALICE)
    await talk.say("the mill sells flour", at=NOW - timedelta(days=7), by=CAROL)
    assert set(await telling(talk, "could I have a cake?", BOB)) == {
        "для Бори без молока, у него непереносимость",
        f"<@{BOB}> starts at the mill on Monday",
    }


async def test_of_who_opted_out_nobody_s_words_are_looked_for(keepsake: Keepsake, clock: SetClock) -> None:
    clock.set(NOW)
    talk = await begin(keepsake)
    await talk.say("Боря sold the van", at=NOW - timedelta(days=9), by=ALICE)
    await keepsake.memory.consent.opt_out(guild_id=GUILD_ID, user_id=BOB)
    assert await telling(talk, "who has a van?", BOB) == []


async def test_a_talk_that_is_asked_for_is_told_with_what_was_asked_in_it(
    keepsake: Keepsake, clock: SetClock
) -> None:
    clock.set(NOW)
    talk = await begin(keepsake)
    day = MONDAY + timedelta(days=2)
    await talk.say("who has the long rope?", at=day, by=BOB)
    await talk.say("it is in the cellar", at=day, by=CAROL)
    asked = f"what did we talk about on {day.day} {day:%B}?"
    assert set(await telling(talk, asked)) == {"it is in the cellar", "who has the long rope?"}


async def test_whoever_said_it_what_states_something_is_told_and_no_formula(
    keepsake: Keepsake, clock: SetClock
) -> None:
    clock.set(NOW)
    talk = await begin(keepsake)
    for number, by in enumerate((ALICE, BOB, CAROL)):
        await talk.say("see you all there then", at=NOW - timedelta(days=8 + number), by=by)
    await talk.say("the budget was cut to forty thousand", at=NOW - timedelta(days=7), by=CAROL)
    await talk.say("who took the green umbrella home?", at=NOW - timedelta(days=6), by=CAROL)
    await talk.say("the treasurer is to be voted out", at=NOW - timedelta(days=5), channel_id=MODS, by=CAROL)
    asked = "how much money is left?"
    assert await telling(talk, asked, ANYBODY, limit=9) == ["the budget was cut to forty thousand"]
    assert await telling(talk, asked, ALICE, BOB, limit=9) == []

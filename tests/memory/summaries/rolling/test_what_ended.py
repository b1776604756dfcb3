"""Promises about what ended: it goes on to be known until an episode or a newer summary tells of it."""

from datetime import timedelta

import pytest

from bot.core.clock import SetClock
from bot.db.jobs import Job, JobWorkers
from bot.db.pool import Database
from bot.memory.summaries.rolling import ConversationWindow
from tests.memory.diary import GUILD_ID, close, open_diary
from tests.memory.summaries.rolling.channel import DECISION, Channel
from tests.scripted_models import ScriptedModels

PLACE = "Lisbon on 14 May"
LONGEST = 300
"""Messages after which a conversation is over."""


async def leave(_: Job) -> None:
    """Leave other work undone."""


async def talked(channel: Channel, count: int) -> ConversationWindow:
    """Have so many messages said, a decision at the fifth, with all the work that they ask for."""
    await channel.say(4)
    await channel.say(text=DECISION)
    await channel.say(from_bot=True, text="Lisbon it is.")
    while len(channel.messages) < count:
        await channel.say(min(10, count - len(channel.messages)))
        await channel.roll()
    return await channel.window()


@pytest.mark.parametrize("count", [LONGEST, LONGEST + 1, LONGEST + 30, LONGEST + 90, 2 * LONGEST + 1])
@pytest.mark.parametrize("has_models", [True, False])
async def test_a_long_talk_keeps_its_beginning(
    database: Database, clock: SetClock, models: ScriptedModels, has_models: bool, count: int
) -> None:
    diary = await open_diary(database, clock, models=models, has_models=has_models)
    channel = Channel(diary, database)
    window = await talked(channel, count)
    assert PLACE in window.summary
    shown = {message.message_id for message in window.messages}
    assert all(one.message_id <= window.covers_up_to or one.message_id in shown for one in channel.messages)
    await close(diary)


@pytest.mark.parametrize(
    ("count", "since"), [(LONGEST - 1, 130), (LONGEST + 5, 100)], ids=["running", "ended"]
)
async def test_who_waits_is_told_the_last_of_a_long_talk_that_nothing_sums_up_yet(
    channel: Channel, count: int, since: int
) -> None:
    await channel.say(text=DECISION)
    await channel.say(count - since - 2)
    await channel.say(text="We decided to meet at noon")
    await channel.say(since)
    window = await channel.window()
    assert "noon" in window.summary
    assert PLACE not in window.summary, "what was said more than 120 messages before is too far away"
    shown = {message.message_id for message in window.messages}
    assert all(one.message_id <= window.covers_up_to or one.message_id in shown for one in channel.messages)


@pytest.mark.parametrize("ending", ["silence", "words"])
async def test_after_a_pause_it_is_known_until_an_episode_tells_of_it(
    database: Database, clock: SetClock, models: ScriptedModels, ending: str
) -> None:
    models.script["make_episode"] = {"text": "They decided on Lisbon.", "importance": 5, "tags": []}
    diary = await open_diary(database, clock, models=models)
    channel = Channel(diary, database)
    await talked(channel, 80)
    if ending == "silence":
        clock.advance(timedelta(minutes=31))
    else:
        await channel.close()
    await channel.say(text="good morning, what a day")
    assert PLACE in (await channel.window()).summary

    await diary.memory.episodes.settled(GUILD_ID)
    work = JobWorkers(database, {**diary.memory.makers, "narrative": leave})
    work.start()
    await work.idle()
    await work.stop()
    told: int = await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM episodes"))
    assert told == 1
    assert (await channel.window()).summary == ""
    await close(diary)


async def test_what_is_taken_back_of_it_is_gone(channel: Channel) -> None:
    assert PLACE in (await talked(channel, LONGEST + 5)).summary
    await channel.delete(4)
    window = await channel.window()
    assert PLACE not in window.summary
    assert window.covers_up_to >= channel.messages[LONGEST - 20].message_id


async def test_what_is_taken_back_is_gone_from_the_summary_that_carried_it_on(channel: Channel) -> None:
    assert PLACE in (await talked(channel, LONGEST + 90)).summary
    await channel.delete(4)
    await channel.roll()
    assert PLACE not in (await channel.window()).summary


async def test_it_is_known_where_it_may_be_read_alone(channel: Channel) -> None:
    await talked(channel, LONGEST + 5)
    assert (await channel.window(audiences=(999,))).summary == ""


async def test_a_short_talk_that_is_over_is_not_told_again(channel: Channel) -> None:
    await channel.say(30)
    await channel.say(from_bot=True)
    channel.diary.clock.advance(timedelta(minutes=31))
    await channel.say()
    assert (await channel.window()).summary == ""

"""When a conversation is over, and that every end is noticed: at once, once, and after any absence."""

import asyncio
from datetime import timedelta
from unittest.mock import AsyncMock

import pytest

from bot.core.clock import SetClock
from bot.core.domain import snowflake_at
from bot.core.settings import Settings
from bot.db.pool import Database
from bot.memory.messages.conversations import BotConversations, conversations_with_bot
from bot.memory.messages.repository import answered_channels
from bot.memory.summaries import episodes
from bot.memory.summaries.episodes import LOOK_SECONDS
from tests.memory.summaries.episodes.talks import GAP, GENERAL, GUILD, RANDOM, RunningClock, Talks

OFF = Settings(_env_file=None, episodes=False)


async def until_kept(talks: Talks, count: int) -> None:
    async with asyncio.timeout(60):
        while len(await talks.kept()) < count:
            await asyncio.sleep(0.02)


async def test_silence_ends_a_conversation_and_a_later_message_does_not_bring_it_back(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        await talks.end(timedelta(minutes=29))
        assert await talks.kept() == []
        await talks.say("still here")
        await talks.end(timedelta(minutes=29))
        assert await talks.kept() == []
        await talks.end(timedelta(minutes=2))
        assert len(await talks.kept()) == 1
        await talks.say("nobody asks the bot any more")
        await talks.end()
        assert len(await talks.kept()) == 1


async def test_who_says_that_is_all_ends_it_at_once_and_nobody_has_to_look(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        await talks.say("so that's all")
        await talks.done()
        assert await talks.kept() == []
        await talks.answer(await talks.say("that's all, thanks"), "bye")
        await until_kept(talks, 1)


async def test_silence_ends_it_as_soon_as_it_is_long_enough_and_nobody_has_to_look(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, RunningClock(clock.now())) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        talks.clock.advance(timedelta(minutes=29, seconds=56))
        await talks.answer(await talks.say("who is there?", channel_id=RANDOM), "nobody")
        assert await talks.kept() == []
        # Sooner than all channels are looked at for ends that nobody noticed.
        async with asyncio.timeout(LOOK_SECONDS - 5):
            await until_kept(talks, 1)
        assert await talks.kept(RANDOM) == []


async def test_what_runs_while_all_channels_are_looked_at_again_and_again_ends_nothing_but_itself(
    database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(episodes, "LOOK_SECONDS", 0.05)
    async with Talks(database, RunningClock(clock.now())) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        await talks.answer(await talks.say("who is there?", channel_id=RANDOM), "nobody")
        await asyncio.sleep(1)
        talks.clock.advance(GAP)
        await until_kept(talks, 1)
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


async def test_an_answer_that_comes_late_to_that_is_all_ends_it(
    database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(episodes, "_ANSWERED_SECONDS", 0.0)
    async with Talks(database, clock) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        last = await talks.say("that's all, thanks")
        await asyncio.sleep(0.1)
        await talks.done()
        assert await talks.kept() == []
        await talks.answer(last, "bye")
        await until_kept(talks, 1)


async def test_who_comes_back_before_anybody_saw_the_silence_begins_another(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        await talks.done()
        await talks.say("here I am again", after=GAP)
        await until_kept(talks, 1)


async def test_answers_in_a_talk_that_goes_on_have_nothing_looked_at(
    database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look reads some 1,500 messages of the channel where people talk without a pause."""
    looks = AsyncMock(wraps=conversations_with_bot)
    monkeypatch.setattr(episodes, "conversations_with_bot", looks)
    async with Talks(database, clock) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        await talks.done()
        looks.reset_mock()
        for number in range(10):
            await talks.answer(await talks.say(f"question {number}"), "yes")
            await talks.done()
        assert looks.await_count == 0
        await talks.end()
        assert len(await talks.kept()) == 1


async def test_the_300th_message_ends_it_at_once(database: Database, clock: SetClock) -> None:
    async with Talks(database, clock) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        await talks.say_together([str(number) for number in range(297)])
        await talks.done()
        assert await talks.kept() == []
        last = await talks.say("the last of them")
        await until_kept(talks, 1)
        (episode,) = await talks.kept()
        assert episode.last_message_id == last.message_id


async def test_ends_that_came_while_nobody_was_there_are_noticed_at_the_start(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        await talks.answer(await talks.say("hello", channel_id=RANDOM), "hi")
    clock.advance(timedelta(days=2))
    async with Talks(database, clock) as talks:
        await talks.work.idle()
        assert (len(await talks.kept()), len(await talks.kept(RANDOM))) == (1, 1)


async def test_conversations_that_began_before_it_was_switched_on_leave_none(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock, settings=OFF) as talks:
        await talks.talk("while it is off")
        await talks.answer(await talks.say("it begins while it is off", channel_id=RANDOM), "so it does")
    async with Talks(database, clock) as talks:
        await talks.answer(await talks.say("and goes on", channel_id=RANDOM), "so it does")
        await talks.end()
        assert (await talks.kept(), await talks.kept(RANDOM)) == ([], [])
        await talks.talk("now it is on")
        assert len(await talks.kept()) == 1
        await talks.talk("and still is", channel_id=RANDOM)
        assert len(await talks.kept(RANDOM)) == 1
    async with Talks(database, clock, settings=OFF) as talks:
        await talks.talk("off again")
    async with Talks(database, clock) as talks:
        await talks.end()
        assert len(await talks.kept()) == 1


async def test_a_clock_that_is_ahead_ends_nothing_in_guilds_that_it_does_not_play_in(
    database: Database, clock: SetClock
) -> None:
    ahead = SetClock(clock.now().replace(year=2060))
    async with Talks(database, clock) as talks, Talks(database, ahead, guild_id=GUILD + 1) as other:
        await talks.answer(await talks.say("we are still talking"), "so we are")
        await other.talk("hello from the future")
        await other.end(GAP)
        assert len(await other.kept()) == 1
        assert await talks.kept() == []


async def test_messages_that_come_late_make_no_second_episode_of_what_was_told(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock) as talks:
        first = await talks.talk("hello")
        early = SetClock(first.timestamp - timedelta(minutes=5))
        now = clock.now()
        clock.set(early.now())
        await talks.say("what came before it, read back later")
        clock.set(now)
        assert snowflake_at(now) > first.message_id
        await talks.answer(await talks.say("go on"), "yes")
        await talks.end()
        told = [episode.first_message_id for episode in await talks.kept(GENERAL)]
        assert len(told) == len(set(told)) == 2


async def test_messages_that_come_late_between_two_talks_leave_no_end_to_be_looked_for(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock) as talks:
        first = await talks.talk("hello")
        await talks.answer(await talks.say("go on"), "yes")
        between = clock.now()
        # What was said meanwhile is read back: now both are one conversation, which was told of.
        clock.set(first.timestamp + timedelta(minutes=15))
        await talks.say("read back later")
        clock.set(between)
        await talks.say("one more")
        await talks.end()
        (kept,) = await talks.kept()
        assert kept.first_message_id == first.message_id
        left = await database.read(
            conversations_with_bot, now=clock.now(), gap=GAP, since=first.timestamp - timedelta(days=1)
        )
        assert left == BotConversations(over=[], running=[])


async def test_all_channels_are_looked_at_while_conversations_run(
    database: Database,
    clock: SetClock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(episodes, "LOOK_SECONDS", 0.05)
    looks: list[None] = []
    look = episodes.ConversationEnds._look_everywhere

    async def counted(self: episodes.ConversationEnds, back: timedelta, *, are_silent: bool) -> None:
        await look(self, back, are_silent=are_silent)
        looks.append(None)

    monkeypatch.setattr(episodes.ConversationEnds, "_look_everywhere", counted)
    async with Talks(database, RunningClock(clock.now())) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        await talks.answer(await talks.say("who is there?", channel_id=RANDOM), "nobody")
        looks.clear()
        async with asyncio.timeout(60):
            while len(looks) < 3:
                await asyncio.sleep(0.01)
    assert not [record for record in caplog.records if "ends of conversations failed" in record.getMessage()]


async def test_a_look_at_all_channels_reads_none_in_which_people_talk(
    database: Database, clock: SetClock
) -> None:
    """Each process looks at the channels of all: it would read the end of each every half minute."""
    async with Talks(database, clock, settings=OFF) as talks:
        await talks.answer(await talks.say("hello"), "hi")
        await talks.answer(await talks.say("who is there?", channel_id=RANDOM), "nobody")
        clock.advance(GAP / 2)
        last = await talks.say("nobody answers me")

        async def answered() -> set[int]:
            found = await database.read(
                answered_channels, since=clock.now() - timedelta(days=1), silent_since=clock.now() - GAP
            )
            return {one.channel_id for one in found}

        assert await answered() == set()
        clock.set(last.timestamp + GAP / 2)
        assert await answered() == {RANDOM}
        clock.advance(GAP / 2)
        assert await answered() == {GENERAL, RANDOM}

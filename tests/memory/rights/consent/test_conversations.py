"""Rolling summaries, windows and episodes: what members of whom nothing is kept said, and were answered, is in none."""

from collections.abc import AsyncIterator

import pytest

from bot.core.clock import SetClock
from bot.db.pool import Database
from tests.memory.diary import BOB, GUILD_ID, Diary, close, open_diary
from tests.memory.summaries.episodes import talks as episodes
from tests.memory.summaries.episodes.talks import Talks
from tests.memory.summaries.rolling.channel import Channel, sum_up
from tests.scripted_models import ScriptedModels

LISBON = f"We decided on Lisbon. We decided that <@{BOB}> books the flights."


@pytest.fixture
async def diary(database: Database, clock: SetClock) -> AsyncIterator[Diary]:
    diary = await open_diary(database, clock, models=ScriptedModels(roll_summary=sum_up))
    yield diary
    await close(diary)


async def opt_out(diary: Diary | Talks, *, guild_id: int, user_id: int) -> None:
    await diary.memory.consent.opt_out(guild_id=guild_id, user_id=user_id)


async def talked(diary: Diary, database: Database) -> Channel:
    """Have 60 messages said by both, in which something is decided, and the first of them summed up."""
    channel = Channel(diary, database)
    await channel.say(4)
    await channel.say(text=LISBON)
    await channel.say(from_bot=True, text="Lisbon it is.")
    await channel.say(54)
    await channel.window()
    await channel.roll()
    return channel


async def test_a_summary_of_what_they_said_goes_and_the_next_is_without_them(
    diary: Diary, database: Database
) -> None:
    channel = await talked(diary, database)
    assert "books the flights" in (await channel.window()).summary
    await opt_out(diary, guild_id=GUILD_ID, user_id=BOB)
    assert await channel.summaries() == []
    assert await _tells_nothing_of_bob(channel)
    await channel.say(60)
    await channel.window()
    await channel.roll()
    ((_, _, _, _, content),) = await channel.summaries()
    assert "Talk of" in content and f"<@{BOB}>" not in content
    assert await _tells_nothing_of_bob(channel)


async def _tells_nothing_of_bob(channel: Channel) -> bool:
    window = await channel.window()
    return f"<@{BOB}>" not in window.summary and all(one.user_id != BOB for one in window.messages)


async def test_a_summary_without_a_model_is_without_them_too(database: Database, clock: SetClock) -> None:
    diary = await open_diary(database, clock, has_models=False)
    await opt_out(diary, guild_id=GUILD_ID, user_id=BOB)
    channel = await talked(diary, database)
    contents = [row[-1] for row in await channel.summaries()]
    fine = await _tells_nothing_of_bob(channel)
    await close(diary)
    assert fine
    assert all(f"<@{BOB}>" not in content for content in contents)


async def test_no_episode_tells_of_them(database: Database, clock: SetClock) -> None:
    async with Talks(database, clock) as talks:
        await opt_out(talks, guild_id=episodes.GUILD, user_id=episodes.BOB)
        await talks.answer(await talks.say("shall we sail on Friday?"), "why not")
        await talks.answer(await talks.say("I am ill on Friday", by=episodes.BOB), "get well soon")
        await talks.say(f"<@{episodes.BOB}> is ill")
        await talks.end()
        (episode,) = await talks.kept()
        (prompt,) = talks.asked("make")
        assert "sail on Friday" in episode.content and "why not" in episode.content
        assert f"<@{episodes.BOB}>" not in episode.content
        assert "ill on Friday" not in prompt and "get well" not in prompt


async def test_episodes_from_before_are_told_without_the_sentences_that_name_them(
    database: Database, clock: SetClock
) -> None:
    async with Talks(database, clock) as talks:
        await talks.answer(await talks.say("shall we sail on Friday?"), "why not")
        await talks.say("I bring the anchor", by=episodes.BOB)
        await talks.end()
        (before,) = await talks.kept()
        await opt_out(talks, guild_id=episodes.GUILD, user_id=episodes.BOB)
        (after,) = await talks.kept()
        assert "anchor" in before.content
        assert "anchor" not in after.content and "sail on Friday" in after.content
        found = await talks.memory.recall(
            guild_id=episodes.GUILD, query="who brings the anchor?", audiences=[0], limit=10
        )
        assert not any("anchor" in hit.text for hit in found)
        (again,) = await talks.episodes.with_ids(
            guild_id=episodes.GUILD, episode_ids=[before.episode_id], audiences=[0]
        )
        assert again.content == after.content


async def test_making_room_shows_no_model_what_is_known_of_them(database: Database, clock: SetClock) -> None:
    async with Talks(database, clock) as talks:
        for number in range(10):
            await talks.answer(await talks.say(f"talk number {number}", by=episodes.BOB), "indeed")
            await talks.answer(await talks.say(f"talk of others {number}"), "indeed")
            await talks.end()
        await opt_out(talks, guild_id=episodes.GUILD, user_id=episodes.BOB)
        await talks.answer(await talks.say("one more talk"), "indeed")
        await talks.end()
        all_notes, both = talks.asked("compact")
        assert "talk of others 3" in all_notes
        assert "talk number" not in all_notes and "talk number" not in both
        assert not any(f"<@{episodes.BOB}>" in text for text in await talks.texts())


async def test_no_profile_is_learned_of_them(database: Database, clock: SetClock) -> None:
    async with Talks(database, clock) as talks:
        await talks.answer(await talks.say("hello", by=episodes.BOB), "hello")
        await opt_out(talks, guild_id=episodes.GUILD, user_id=episodes.BOB)
        due = await database.read(
            lambda connection: connection.fetchrow(
                "SELECT turns, unlearned, (SELECT count(*) FROM answers WHERE turn = 'due') AS due"
                " FROM members WHERE user_id = $1",
                episodes.BOB,
            )
        )
        assert due is not None
        assert (due["unlearned"], due["due"]) == (0, 0)

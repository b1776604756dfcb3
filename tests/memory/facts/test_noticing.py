"""Facts are read out of what members say behind the writer: whatever comes, in any order, it ends the same."""

import asyncio
import itertools
from dataclasses import replace
from datetime import timedelta

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import Guild, Member, Message, MessageKind
from bot.db.pool import Connection, Database
from bot.memory.facts import extractor
from bot.memory.facts.extractor import QueuedExtraction
from tests.memory.diary import GUILD_ID as DIARY_ID
from tests.memory.diary import close, open_diary
from tests.memory.spoken import (
    ALICE,
    BOB,
    CHANNEL_ID,
    GUILD_ID,
    NOON,
    deleted,
    edited,
    hear,
    noticed,
    said,
    values,
)

_guild_ids = itertools.count(5_000)


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON)


@pytest.mark.smoke
async def test_nobody_waits_for_what_was_said_after_the_question(keepsake: Keepsake) -> None:
    await keepsake.memory.extractor.stop()
    question = said("what do you know about me?")
    await keepsake.memory.ingest_message(said("I like pizza", 1))
    up_to_id = question.message_id
    assert await keepsake.memory.extractor.noticed(guild_id=GUILD_ID, up_to_id=up_to_id, seconds=0.1)


async def test_who_waits_goes_on_when_the_last_message_has_been_read(
    keepsake: Keepsake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not at the next look, which is for what other processes read."""
    may_read = asyncio.Event()
    claim = extractor.claim_newest

    async def held(connection: Connection, *, limit: int) -> dict[QueuedExtraction, bool]:
        await may_read.wait()
        return await claim(connection, limit=limit)

    monkeypatch.setattr(extractor, "claim_newest", held)
    monkeypatch.setattr(extractor, "_LOOK_AGAIN_SECONDS", 3_600)
    told = said("I like pizza")
    await keepsake.memory.ingest_message(told)
    waiting = asyncio.create_task(
        keepsake.memory.extractor.noticed(guild_id=GUILD_ID, up_to_id=told.message_id, seconds=10)
    )
    await asyncio.sleep(0.1)
    may_read.set()
    assert await waiting


async def test_talk_without_facts_asks_for_no_work(database: Database, clock: SetClock) -> None:
    """Else every few messages all workers would look for some."""
    asked = 0

    def count() -> None:
        nonlocal asked
        asked += 1

    diary = await open_diary(database, clock, notify=count)
    weather = await diary.say(ALICE, "good morning, what a rain")
    assert await diary.memory.extractor.noticed(guild_id=DIARY_ID, up_to_id=weather.message_id)
    assert asked == 0
    told = await diary.say(ALICE, "my favorite food is pizza")
    assert await diary.memory.extractor.noticed(guild_id=DIARY_ID, up_to_id=told.message_id)
    await diary.memory.extractor.stop()
    assert asked > 0
    await close(diary)


TEXTS = (
    "my favorite food is pizza",
    "actually it's ramen",
    "jk",
    "I like tea",
    "I don't like tea",
    "my name is Alice",
    "good morning",
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
async def test_in_whatever_order_messages_edits_and_deletions_come_it_ends_the_same(
    keepsake: Keepsake, database: Database, data: st.DataObject
) -> None:
    spoken = data.draw(
        st.lists(
            st.tuples(
                st.sampled_from(TEXTS),
                st.sampled_from([0.5, 2, 4, 6]),
                st.sampled_from([None, *TEXTS]),
                st.sampled_from([False, False, False, True]),
            ),
            min_size=2,
            max_size=6,
        )
    )
    in_order, mixed = next(_guild_ids), next(_guild_ids)
    versions: list[Message] = []
    minutes = 0.0
    for text, pause, edit, is_deleted in spoken:
        minutes += pause
        message = said(text, minutes)
        versions.append(message)
        versions += [] if edit is None else [edited(message, edit)]
        versions += [deleted(message)] if is_deleted else []
    for version in versions:
        await hear(keepsake, replace(version, guild_id=in_order))
    for version in data.draw(st.permutations(versions)):
        given_now = replace(version, guild_id=mixed)
        if data.draw(st.booleans()):
            await hear(keepsake, given_now)
        else:
            await keepsake.memory.ingest_message(given_now)
    await noticed(keepsake, guild_id=mixed)
    assert await values(keepsake, database, guild_id=mixed) == await values(
        keepsake, database, guild_id=in_order
    )


async def test_an_afterthought_that_comes_first_ends_the_same(keepsake: Keepsake, database: Database) -> None:
    await hear(keepsake, said("actually it's ramen", 1))
    assert await values(keepsake, database) == []
    await hear(keepsake, said("my favorite food is pizza"))
    assert await values(keepsake, database) == ["favorite:food = ramen"]
    await hear(keepsake, said("jk", 31))
    await hear(keepsake, said("I love olives", 30))
    assert await values(keepsake, database) == ["favorite:food = ramen"]


async def test_an_afterthought_is_found_however_many_talk_in_between(
    keepsake: Keepsake, database: Database
) -> None:
    talk = [said(f"line {number}", number / 50, user_id=BOB) for number in range(1, 50)]
    await hear(keepsake, said("my favorite food is pizza"), *talk, said("actually it's ramen", 1))
    assert await values(keepsake, database) == ["favorite:food = ramen"]


@pytest.mark.parametrize(
    ("text", "learned"),
    [
        ("I hate mushrooms bot, dont forget it!", ["likes:mushrooms = dislikes"]),
        ("my favorite food is ramen bot", ["favorite:food = ramen"]),
        ("call me Bot", ["alias:bot = Bot"]),
    ],
)
async def test_the_name_that_calls_the_bot_is_no_part_of_what_is_learned(
    keepsake: Keepsake, database: Database, text: str, learned: list[str]
) -> None:
    await hear(keepsake, said(text))
    assert await values(keepsake, database) == learned


async def test_what_is_said_later_takes_nothing_from_a_correction(
    keepsake: Keepsake, database: Database
) -> None:
    await hear(keepsake, said("my favorite food is pizza"), said("actually it's ramen", 4))
    await hear(keepsake, said("good night", 8))
    assert await values(keepsake, database) == ["favorite:food = ramen"]


async def test_somebody_elses_joke_and_another_rooms_take_nothing_back(
    keepsake: Keepsake, database: Database
) -> None:
    await hear(keepsake, said("I love olives"))
    await hear(keepsake, said("jk", 1, user_id=BOB), replace(said("jk", 2), channel_id=CHANNEL_ID + 5))
    assert await values(keepsake, database) == ["likes:olives = likes"]


async def test_a_value_of_a_closed_room_is_no_ones_correction_in_the_open(
    keepsake: Keepsake, database: Database
) -> None:
    closed = replace(said("my favorite food is pizza"), audience=CHANNEL_ID)
    await hear(keepsake, closed, said("actually it's ramen", 1))
    assert await values(keepsake, database) == ["favorite:food = pizza"]


async def test_deleting_the_joke_brings_back_what_it_took_back(
    keepsake: Keepsake, database: Database
) -> None:
    joke = said("jk", 1)
    await hear(keepsake, said("I love olives"), joke)
    assert await values(keepsake, database) == []
    await hear(keepsake, deleted(joke))
    assert await values(keepsake, database) == ["likes:olives = likes"]


async def test_an_edited_message_is_read_anew_and_a_deleted_one_no_more(
    keepsake: Keepsake, database: Database
) -> None:
    message = said("I like tea and my name is Alice")
    await hear(keepsake, message)
    assert await values(keepsake, database) == ["likes:tea = likes", "name = Alice"]
    await hear(keepsake, edited(message, "I like coffee and my name is Alice"))
    assert await values(keepsake, database) == ["likes:coffee = likes", "name = Alice"]
    await hear(keepsake, deleted(message))
    assert await values(keepsake, database) == []


async def test_of_old_messages_what_lasts_is_learned_and_what_has_passed_is_not(
    keepsake: Keepsake, database: Database, clock: SetClock
) -> None:
    clock.advance(timedelta(days=400))
    await hear(keepsake, said("I'm feeling tired"), said("I went to Rome", 10), said("I like pizza", 20))
    assert await values(keepsake, database) == ["likes:pizza = likes"]
    counted = await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM facts"))
    assert counted == 1


async def known(keepsake: Keepsake) -> None:
    await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Test"))
    await keepsake.directory.put_members([Member(guild_id=GUILD_ID, user_id=ALICE, user_name="alice")])


async def test_nothing_is_learned_from_visitors_bots_and_who_opted_out(
    keepsake: Keepsake, database: Database
) -> None:
    await known(keepsake)
    await database.write(
        lambda connection: connection.execute(
            "UPDATE members SET opted_out_at = $2 WHERE user_id = $1", ALICE, NOON
        )
    )
    await hear(keepsake, said("I like pizza"))
    await hear(keepsake, replace(said("I like tea", user_id=BOB), from_visitor=True))
    await hear(keepsake, replace(said("I like rust", user_id=13), kind=MessageKind.BOT))
    await hear(keepsake, replace(said("I like webs", user_id=14), kind=MessageKind.WEBHOOK))
    assert await values(keepsake, database) == []


async def test_who_switches_learning_off_keeps_what_was_learned_and_nothing_comes_to_it(
    keepsake: Keepsake, database: Database
) -> None:
    await known(keepsake)
    tea = said("I like tea")
    await hear(keepsake, tea)
    assert await keepsake.memory.profiles.switch(guild_id=GUILD_ID, user_id=ALICE, on=False)
    await hear(keepsake, said("I like pizza", 1))
    assert await values(keepsake, database) == ["likes:tea = likes"]
    await hear(keepsake, edited(tea, "I like coffee"))
    assert await values(keepsake, database) == []

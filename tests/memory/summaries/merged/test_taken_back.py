"""What was taken back stays away: from texts stored and cached, here and elsewhere, and from those under way."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.core.clock import SetClock
from bot.core.domain import Channel
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.memory.derived.reading import GuildSituation
from bot.memory.summaries import day_builder
from bot.memory.summaries import repository as summaries_repository
from bot.memory.summaries.repository import DerivedKind
from tests.memory.diary import ALICE, BOB, GENERAL, GUILD_ID, MODS, Diary, close, open_diary
from tests.memory.summaries.merged.test_reading import IN_TIME, SlowModels

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


async def texts_with(database: Database, word: str) -> int:
    """Return how many stored texts hold a word."""
    return int(
        await database.read(
            lambda c: c.fetchval("SELECT count(*) FROM distillations WHERE strpos(content, $1) > 0", word)
        )
    )


async def move_to(diary: Diary, time_zone: str) -> None:
    guild = await diary.directory.guild(GUILD_ID)
    assert guild is not None
    await diary.directory.change_guild(guild, replace(guild, time_zone=time_zone))


async def test_what_was_deleted_in_another_time_zone_does_not_come_back_with_the_old_one(
    diary: Diary,
) -> None:
    evening = datetime(2026, 3, 2, 23, tzinfo=UTC)
    secret = await diary.say(ALICE, "my word is xylophone", at=evening)
    await diary.say(ALICE, "good night")
    assert "xylophone" in (await diary.of(ALICE))[ALICE]
    await move_to(diary, "Asia/Tokyo")
    await diary.delete(secret)
    assert await texts_with(diary.database, "xylophone") == 0
    await move_to(diary, "UTC")
    diary.models.script.clear()
    for seconds in (0.0, 20.0):
        assert "xylophone" not in (await diary.of(ALICE, seconds=seconds)).get(ALICE, "")


async def test_a_text_of_last_week_does_not_bring_back_what_was_deleted_since(
    database: Database, clock: SetClock
) -> None:
    diary = await open_diary(database, clock, models=SlowModels(0.0))
    await diary.remember(ALICE, "I work at TechCorp")
    secret = await diary.say(ALICE, "my word is xylophone", at=MONDAY)
    assert "xylophone" in (await diary.of(ALICE))[ALICE]
    await diary.delete(secret)
    assert isinstance(diary.models, SlowModels)
    diary.models.may_answer.clear()
    # As many days as before, of none of which anything was deleted.
    for number in (8, 9):
        await diary.say(ALICE, "hello again", at=MONDAY + timedelta(days=number))
    told = await diary.of(ALICE, seconds=IN_TIME)
    assert "TechCorp" in told[ALICE] and "xylophone" not in told[ALICE]
    await close(diary)


async def test_what_was_deleted_while_a_day_is_told_is_not_stored(
    database: Database, clock: SetClock
) -> None:
    diary = await open_diary(database, clock, models=SlowModels(0.3))
    secret = await diary.say(ALICE, "my word is xylophone", at=MONDAY)
    await diary.say(ALICE, "and hello")
    reading = asyncio.create_task(diary.of(ALICE))
    while not diary.models.prompts:
        await asyncio.sleep(0.01)
    await diary.delete(secret)
    await reading
    await diary.memory.memories.settled()
    assert await texts_with(database, "xylophone") == 0
    assert await diary.of(ALICE) == {ALICE: "and hello"}
    await close(diary)


async def test_a_deletion_waits_for_a_text_that_is_just_being_stored_and_takes_it(diary: Diary) -> None:
    secret = await diary.say(ALICE, "my word is xylophone", at=MONDAY)
    await diary.of(ALICE)
    told = await diary.database.read(
        summaries_repository.texts_of_periods,
        GuildSituation(
            guild_id=GUILD_ID,
            time_zone="UTC",
            memory_epoch=0,
            model_chain=Settings(_env_file=None).model_summary,
            now=MONDAY,
        ),
        kinds=[DerivedKind.DAY],
        audiences=[0],
        periods=["2026-03-02"],
    )
    assert told
    may_go_on = asyncio.Event()
    has_looked = asyncio.Event()

    async def store(connection: Connection) -> None:
        assert await day_builder.may_store_day(
            connection,
            guild_id=GUILD_ID,
            audience=0,
            day=MONDAY.date(),
            version=1,
            time_zone="UTC",
        )
        has_looked.set()
        await may_go_on.wait()
        await summaries_repository.put_texts(
            connection, [replace(row, content="xylophone again") for row in told]
        )

    storing = asyncio.create_task(diary.database.write(store))
    async with asyncio.timeout(60):
        await has_looked.wait()
    deleting = asyncio.create_task(diary.delete(secret))
    await asyncio.wait([deleting], timeout=0.3)
    may_go_on.set()
    await asyncio.gather(storing, deleting)
    assert await texts_with(diary.database, "xylophone") == 0


async def test_an_edit_that_closed_a_message_takes_it_out_of_open_texts_at_once(diary: Diary) -> None:
    said = await diary.say(ALICE, "my word is xylophone", at=MONDAY)
    await diary.say(ALICE, "and hello")
    assert "xylophone" in (await diary.of(ALICE))[ALICE]
    diary.clock.set(MONDAY + timedelta(minutes=5))
    closed = replace(said, text="xylophone, I said", audience=MODS, edited_at=diary.clock.now())
    await diary.memory.ingest_message(closed)
    diary.models.prompts.clear()
    assert await diary.of(ALICE) == {ALICE: "and hello"}
    assert not [prompt for prompt in diary.models.prompts if "xylophone" in prompt]
    assert "xylophone" in (await diary.of(ALICE, channel_id=MODS))[ALICE]


async def test_an_embed_that_unfurls_in_a_channel_closed_since_takes_the_message_out_as_well(
    diary: Diary,
) -> None:
    said = await diary.say(ALICE, "xylophone", at=MONDAY)
    await diary.of(ALICE)
    await diary.memory.ingest_message(replace(said, text="xylophone [a page]", audience=MODS))
    assert await diary.of(ALICE) == {}


async def test_another_process_serves_nothing_that_was_taken_back_here(
    diary: Diary, dsn: str, clock: SetClock
) -> None:
    elsewhere = await Database.open(dsn)
    other = await open_diary(elsewhere, clock)
    fact_id = await diary.remember(ALICE, "my locker code is Zanzibar")
    secret = await diary.say(ALICE, "my word is xylophone", at=MONDAY)
    assert {"Zanzibar", "xylophone"} <= set((await other.of(ALICE))[ALICE].replace(":", " ").split())
    await diary.delete(secret)
    assert "xylophone" not in (await other.of(ALICE))[ALICE]
    await diary.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id], author_ids=[ALICE])
    for seconds in (0.0, 20.0):
        assert "Zanzibar" not in (await other.of(ALICE, seconds=seconds)).get(ALICE, "")
    await close(other)
    await elsewhere.close()


async def test_after_a_forgetting_even_texts_of_the_same_sources_are_told_anew(diary: Diary) -> None:
    """One call tells several members: what a model put into the wrong text must go as well."""
    mixed = {
        "texts": [
            {"member": "u1", "text": "works at TechCorp, zanzibar"},
            {"member": "u2", "text": "has a code Zanzibar"},
        ]
    }
    await diary.remember(ALICE, "I work at TechCorp")
    fact_id = await diary.remember(BOB, "my locker code is Zanzibar")
    await diary.say(ALICE, "hello there", at=MONDAY)
    await diary.say(BOB, "hello too")
    script = diary.models.script["merge_context"]
    diary.models.script["merge_context"] = mixed
    assert "zanzibar" in (await diary.of(ALICE, BOB))[ALICE]
    diary.models.script["merge_context"] = script
    await diary.memory.forget(guild_id=GUILD_ID, fact_ids=[fact_id], author_ids=[BOB])
    assert "zanzibar" not in "".join((await diary.of(ALICE, BOB)).values()).lower()


async def test_of_whom_nothing_is_known_any_more_no_last_good_text_is_told(diary: Diary) -> None:
    await diary.say(ALICE, "hello there", at=MONDAY)
    assert "hello there" in (await diary.of(ALICE))[ALICE]
    await diary.say(BOB, "hello too", at=MONDAY + timedelta(days=7))
    for seconds in (20.0, 0.0, 20.0):
        assert await diary.of(ALICE, seconds=seconds) == {}


async def test_a_channel_that_was_closed_keeps_its_later_words_to_itself(diary: Diary) -> None:
    channel = Channel(guild_id=GUILD_ID, channel_id=GENERAL, name="general")
    await diary.directory.put_channel(channel)
    said = await diary.say(ALICE, "open words", at=MONDAY)
    assert await diary.of(ALICE) == {ALICE: "open words"}
    await diary.directory.put_channel(replace(channel, audience=GENERAL))
    later = replace(
        said, message_id=said.message_id + 9, text="closed words", audience=GENERAL,
        timestamp=MONDAY + timedelta(minutes=1),
    )  # fmt: skip
    await diary.memory.ingest_message(later)
    diary.clock.set(MONDAY + timedelta(hours=2))
    assert await diary.of(ALICE) == {ALICE: "open words"}
    told = await diary.memory.get_memories(GUILD_ID, ALICE, audience=GENERAL, seconds=20)
    assert told == "open words\nclosed words"


async def test_no_stored_text_of_any_kind_holds_what_was_deleted(diary: Diary) -> None:
    await diary.remember(ALICE, "I work at TechCorp")
    secret = await diary.say(ALICE, "my word is xylophone", at=MONDAY - timedelta(days=1))
    await diary.say(ALICE, "and today I sing", at=MONDAY)
    assert "xylophone" in (await diary.of(ALICE))[ALICE]
    assert await texts_with(diary.database, "xylophone") > 1
    await diary.delete(secret)
    assert await texts_with(diary.database, "xylophone") == 0
    assert "sing" in (await diary.of(ALICE))[ALICE]

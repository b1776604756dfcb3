"""Forgetting means forgetting: facts, messages, narratives, answers, and what would bring them back."""

import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import Fact, Guild, Message, RedactionReason
from bot.db.embedded.files import find_install
from bot.db.pool import Database
from bot.memory.policy import repository as policy_repository
from bot.memory.policy.permissions import scope_of
from bot.memory.policy.tombstones import Hasher
from bot.memory.rights.forgetting.meant import facts_that_say
from bot.memory.rights.forgetting.repository import Forgotten
from tests.memory.facts.test_facts import NOON, VIEW, contents, note


def message(message_id: int, text: str, *, user_id: int = 7) -> Message:
    return Message(
        guild_id=1, channel_id=2, message_id=message_id, user_id=user_id, text=text, timestamp=NOON
    )


async def remembered(keepsake: Keepsake, statement: str, message_id: int = 100) -> Fact:
    await keepsake.memory.ingest_message(message(message_id, f"Bot, remember that {statement}"))
    stored = await keepsake.memory.remember(note(statement, message_id=message_id))
    assert stored.fact_id is not None
    (fact,) = await keepsake.memory.facts_with_ids(guild_id=1, fact_ids=[stored.fact_id])
    return fact


async def test_an_address_is_not_another_that_begins_like_it(keepsake: Keepsake) -> None:
    short = await remembered(keepsake, "my mail is alice@acme.io")
    long = await remembered(keepsake, "my mail is alice.smith@acme.io", 101)
    assert facts_that_say("my mail is alice@acme.io", [short, long], author_id=7) == [short]
    assert facts_that_say("alice.smith@acme.io", [short, long], author_id=7) == [long]
    ticket, other = (
        await remembered(keepsake, "I own TKT-100", 102),
        await remembered(keepsake, "I own TKT-1000", 103),
    )
    assert facts_that_say("TKT-100", [ticket, other], author_id=7) == [ticket]


async def test_a_forgotten_fact_leaves_no_word_in_the_whole_database(
    keepsake: Keepsake, dsn: str, database: Database
) -> None:
    await remembered(keepsake, "my name is Zanzibarus")
    fact = await remembered(keepsake, "my name is Xylophonius", 101)
    await keepsake.memory.ingest_message(message(102, "by the way, my real name is Xylophonius"))
    await keepsake.work.idle()
    assert "Xylophonius" in await dumped(dsn)
    forgotten = await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id], author_ids=[7])
    await keepsake.work.idle()
    assert forgotten == Forgotten(facts=1, messages=3)
    dump = await dumped(dsn)
    for word in ("Xylophonius", "xylophonius", "Zanzibarus", "zanzibarus"):
        assert word not in dump
    assert await contents(keepsake) == []


async def dumped(dsn: str) -> str:
    """Return the whole database as text."""
    pg_dump = find_install(18) / "bin" / "pg_dump"
    return subprocess.run([pg_dump, "--dbname", dsn], check=True, capture_output=True, text=True).stdout


async def test_a_forgotten_message_stays_without_text_whatever_comes_late(keepsake: Keepsake) -> None:
    fact = await remembered(keepsake, "I hide the key under the mat")
    await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id])
    late = replace(
        message(100, "Bot, remember that I hide the key under the blue mat"),
        edited_at=datetime.now(UTC) + timedelta(days=1),
    )
    await keepsake.memory.ingest_message(late)
    kept = await keepsake.library.message(guild_id=1, message_id=100)
    assert kept is not None
    assert (kept.text, kept.withheld) == ("", RedactionReason.FORGOTTEN)


async def test_a_tombstone_recognises_without_telling(keepsake: Keepsake, database: Database) -> None:
    fact = await remembered(keepsake, "I like pizza")
    await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id])
    rows = await database.read(lambda connection: connection.fetch("SELECT * FROM tombstones"))
    assert rows
    assert all(len(stem) == 32 for row in rows for stem in row["stem_hashes"])


async def test_remembering_explicitly_lifts_the_tombstone(keepsake: Keepsake, database: Database) -> None:
    fact = await remembered(keepsake, "I like pizza")
    await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id])
    await remembered(keepsake, "I like pizza", 105)
    assert await contents(keepsake) == ["<@7> likes pizza"]
    assert await database.read(lambda connection: connection.fetchval("SELECT count(*) FROM tombstones")) == 0


async def test_what_others_and_other_facts_say_is_left_alone(keepsake: Keepsake) -> None:
    fact = await remembered(keepsake, "I like pizza")
    await remembered(keepsake, "I like ramen", 101)
    await keepsake.memory.ingest_message(message(102, "I like pizza too", user_id=8))
    await keepsake.memory.ingest_message(message(103, "pizza is on Friday"))
    await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id])
    assert await contents(keepsake) == ["<@7> likes ramen"]
    for message_id in (101, 102, 103):
        kept = await keepsake.library.message(guild_id=1, message_id=message_id)
        assert kept is not None
        assert kept.withheld is None


async def test_forgetting_begins_a_new_epoch(keepsake: Keepsake, database: Database) -> None:
    await keepsake.directory.add_guild(Guild(guild_id=1, name="Test"))
    fact = await remembered(keepsake, "I like pizza")
    epoch = "SELECT coalesce(max(memory_epoch), 0) FROM guilds WHERE guild_id = 1"
    before: int = await database.read(lambda connection: connection.fetchval(epoch))
    await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id])
    assert await database.read(lambda connection: connection.fetchval(epoch)) == before + 1


async def test_forgetting_twice_finds_nothing_the_second_time(keepsake: Keepsake) -> None:
    fact = await remembered(keepsake, "I like pizza")
    assert (await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id])).facts == 1
    assert (await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id])).facts == 0


async def test_two_installations_hash_the_same_differently(database: Database) -> None:
    secret = await database.read(policy_repository.hash_secret)
    ours, theirs = Hasher(secret), Hasher(bytes(32))
    assert ours.subject(guild_id=1, subject_id=7) != theirs.subject(guild_id=1, subject_id=7)
    assert ours.stems(["pizza"], guild_id=1) != ours.stems(["pizza"], guild_id=2)
    assert ours.stems(["pizza"], guild_id=1) == Hasher(secret).stems(["pizza"], guild_id=1)


async def test_another_value_of_the_same_key_stays_buried(keepsake: Keepsake, database: Database) -> None:
    async def buried() -> int:
        count: int = await database.read(
            lambda connection: connection.fetchval("SELECT count(*) FROM tombstones")
        )
        return count

    fact = await remembered(keepsake, "my name is Xavierus")
    await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id])
    before = await buried()
    await remembered(keepsake, "my name is Roberto", 105)
    assert await buried() == before > 0


async def test_nobody_elses_message_and_no_other_room_loses_a_word(keepsake: Keepsake) -> None:
    fact = await remembered(keepsake, "I love strong coffee in the morning")
    others = [
        message(102, "I love strong coffee in the morning", user_id=8),
        replace(message(103, "I love strong coffee in the morning"), audience=55),
        message(104, "coffee"),
    ]
    for other in others:
        await keepsake.memory.ingest_message(other)
    mine = message(105, "in the morning I love my coffee strong")
    await keepsake.memory.ingest_message(mine)
    await keepsake.memory.forget(guild_id=1, fact_ids=[fact.fact_id], author_ids=[7])
    for other in others:
        kept = await keepsake.library.message(guild_id=1, message_id=other.message_id)
        assert kept is not None
        assert kept.text == other.text
    gone = await keepsake.library.message(guild_id=1, message_id=mine.message_id)
    assert gone is not None
    assert gone.withheld is RedactionReason.FORGOTTEN


async def test_a_fact_of_a_closed_channel_is_not_seen_in_an_open_one(
    keepsake: Keepsake, clock: SetClock
) -> None:
    closed = replace(note("I plan a surprise"), audience=55)
    await keepsake.memory.remember(closed)
    assert await keepsake.library.facts_about(7, VIEW, asker_id=7) == []
    inside = await keepsake.library.facts_about(7, scope_of(guild_id=1, channel_audience=55), asker_id=7)
    assert [fact.content for fact in inside] == ["<@7> plans a surprise"]

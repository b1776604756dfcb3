"""Counts of what is kept: as far as audiences reach, by the days of a time zone, and of one guild alone."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import OPEN, Guild
from bot.db.pool import Connection, Database
from bot.llm.budget import Spent
from bot.llm.ledger import add_usage
from bot.memory.facts.statements import Note
from bot.memory.rights.counting import counting, repository
from bot.memory.rights.counting.counting import KeptCounts, counts_together, last_days
from tests.memory.spoken import ALICE, BOB, CHANNEL_ID, GUILD_ID, deleted, hear, said

CLOSED = 3_000
OTHER_GUILD = 1_001
NOW = datetime(2026, 6, 1, 20, tzinfo=UTC)


@pytest.fixture
async def heard(keepsake: Keepsake, clock: SetClock) -> Keepsake:
    """Two messages of alice, one of them closed; one of bob's two days before; one deleted; one elsewhere."""
    for guild_id in (GUILD_ID, OTHER_GUILD):
        await keepsake.directory.add_guild(Guild(guild_id=guild_id, name="Home"))
    clock.set(NOW)
    gone = said("and that is wrong", 3)
    await hear(
        keepsake,
        said("the weather is fine", 1),
        replace(said("the boss is late", 2), channel_id=CLOSED, audience=CLOSED),
        gone,
        said("two days before", -60 * 48, user_id=BOB),
    )
    await hear(keepsake, said("elsewhere it rains", 1, guild_id=OTHER_GUILD))
    await keepsake.memory.ingest_message(deleted(gone))
    return keepsake


async def remember(keepsake: Keepsake, text: str, *, subject_id: int, audience: int = OPEN) -> None:
    await keepsake.memory.remember(
        Note(
            guild_id=GUILD_ID,
            subject_id=subject_id,
            author_id=ALICE,
            statement=text,
            audience=audience,
            channel_id=CHANNEL_ID,
            message_id=0,
            cause=f"i:{text}",
            said_at=NOW,
            time_zone="UTC",
            speaker_id=ALICE,
        )
    )


async def counted(
    keepsake: Keepsake, *, user_id: int | None = None, audiences: tuple[int, ...] | None = (OPEN,)
) -> KeptCounts:
    if user_id is not None:
        return await keepsake.memory.counting.of_member(
            guild_id=GUILD_ID, audiences=audiences, user_id=user_id, now=NOW, time_zone="UTC"
        )
    counts = await keepsake.memory.counting.of_guild(
        guild_id=GUILD_ID, audiences=audiences, now=NOW, time_zone="UTC"
    )
    return counts.kept


async def test_messages_are_counted_as_far_as_the_audiences_reach(heard: Keepsake) -> None:
    for audiences, messages, closed in (((OPEN,), 2, 0), ((OPEN, CLOSED), 3, 1), (None, 3, 1), ((), 0, 0)):
        kept = await counted(heard, audiences=audiences)
        assert (kept.messages.messages, kept.messages.closed) == (messages, closed)
        assert sum(kept.by_day.values()) == messages
    assert kept.messages.first_at is None


async def test_of_a_member_only_their_own_messages_count(heard: Keepsake) -> None:
    alice = await counted(heard, user_id=ALICE, audiences=(OPEN, CLOSED))
    bob = await counted(heard, user_id=BOB, audiences=(OPEN, CLOSED))
    assert [alice.messages.messages, bob.messages.messages] == [2, 1]
    assert bob.messages.first_at == datetime(2026, 5, 30, 12, tzinfo=UTC)
    assert {day: many for day, many in bob.by_day.items() if many} == {date(2026, 5, 30): 1}


async def test_a_day_is_that_of_the_time_zone_and_every_day_has_a_count(heard: Keepsake) -> None:
    late = said("it is late", 60 * 7 + 59)
    await hear(heard, late)
    for zone, day in (("UTC", date(2026, 6, 1)), ("Asia/Tokyo", date(2026, 6, 2))):
        kept = await heard.memory.counting.of_member(
            guild_id=GUILD_ID, audiences=(OPEN,), user_id=ALICE, now=NOW, time_zone=zone, days=5
        )
        assert list(kept.by_day) == last_days(NOW, zone, 5)
        assert kept.by_day[day] == (2 if zone == "UTC" else 1), zone


async def test_facts_are_counted_by_kind_and_only_those_that_hold(
    heard: Keepsake, database: Database
) -> None:
    await remember(heard, "likes tea", subject_id=ALICE)
    await remember(heard, "likes rum", subject_id=BOB, audience=CLOSED)
    everything = await counted(heard, audiences=(OPEN, CLOSED))
    assert (everything.all_facts, sum(one.closed for one in everything.facts.values())) == (2, 1)
    assert (await counted(heard)).all_facts == 1
    assert (await counted(heard, user_id=BOB)).all_facts == 0
    await database.write(
        lambda connection: connection.execute("UPDATE facts SET expires_at = $1", NOW - timedelta(hours=1))
    )
    assert (await counted(heard, audiences=(OPEN, CLOSED))).all_facts == 0


@pytest.mark.usefixtures("heard")
async def test_messages_by_day_of_a_guild_are_counted_out_of_an_index_alone(database: Database) -> None:
    """However long they are, and however many others lie between them."""
    asked: list[tuple[str, tuple[object, ...]]] = []

    async def plans(connection: Connection) -> list[str]:
        with connection.query_logger(lambda one: asked.append((one.query, one.args))):
            await repository.messages_by_day(
                connection, guild_id=GUILD_ID, audiences=[OPEN], user_id=None, since=NOW, time_zone="UTC"
            )
        # What is left is taken wherever an index has all that is asked for; how large the table is decides else.
        for other in ("seqscan", "bitmapscan", "indexscan"):
            await connection.execute(f"SET LOCAL enable_{other} = off")
        return [
            "\n".join(row[0] for row in await connection.fetch(f"EXPLAIN {query}", *values))
            for query, values in asked
            if "chat_history" in query
        ]

    told = await database.write(plans)
    (plan,) = told
    assert "Index Only Scan" in plan
    assert "Index Scan" not in plan


async def test_however_many_messages_there_are_all_of_them_count(
    heard: Keepsake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "MOST_COUNTED", 1)
    assert (await counted(heard)).messages.messages == 2
    everywhere = await heard.memory.counting.of_all(now=NOW, time_zone="UTC")
    assert (everywhere.messages.messages, everywhere.messages.closed) == (4, 1)


async def test_a_guild_is_told_what_models_took_for_it_and_for_nobody_else(
    heard: Keepsake, database: Database
) -> None:
    for guild_id, day in ((GUILD_ID, 1), (GUILD_ID, 31), (OTHER_GUILD, 1)):
        used = Spent(
            guild_id=guild_id,
            day=NOW.date() - timedelta(days=day),
            operation="reply",
            model="google:gemini-flash-latest",
            calls=day,
            failures=0,
            input_tokens=10,
            output_tokens=1,
        )
        await database.write(add_usage, used)
    counts = await heard.memory.counting.of_guild(guild_id=GUILD_ID, audiences=(), now=NOW, time_zone="UTC")
    assert [one.calls for one in counts.usage] == [1]


async def test_counts_of_several_guilds_are_added_up(heard: Keepsake) -> None:
    one, other = await counted(heard, user_id=ALICE), await counted(heard, user_id=BOB)
    both = counts_together([one, other])
    assert both.messages.messages == one.messages.messages + other.messages.messages
    assert both.messages.first_at == other.messages.first_at
    assert sum(both.by_day.values()) == both.messages.messages
    assert counts_together([one]) == one

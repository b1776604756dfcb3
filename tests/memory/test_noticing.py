"""Facts are read out of what members say behind the writer: each message once, in any order, whatever goes wrong."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from bot.app import Keepsake, assembled
from bot.clock import SetClock
from bot.domain import Guild, Member, Message, MessageKind, Withheld, snowflake_at
from bot.errors import DatabaseUnavailableError
from bot.memory import lifecycle, noticing
from bot.memory.extraction import Extracted, Said, extract
from bot.memory.ingest import deletion
from bot.settings import Settings
from bot.store import unextracted
from bot.store.database import Connection, Database
from bot.store.unextracted import Queued

GUILD_ID, CHANNEL_ID, MODS = 1_000, 2_000, 2_001
ALICE, BOB = 11, 12
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
_guild_ids = itertools.count(5_000)


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON)


def said(text: str, minutes: float = 0, *, user_id: int = ALICE, guild_id: int = GUILD_ID) -> Message:
    moment = NOON + timedelta(minutes=minutes)
    return Message(
        guild_id=guild_id,
        channel_id=CHANNEL_ID,
        message_id=snowflake_at(moment) + user_id,
        user_id=user_id,
        text=text,
        timestamp=moment,
    )


def edited(message: Message, text: str, *, minutes: float = 1) -> Message:
    return replace(message, text=text, edited_at=message.timestamp + timedelta(minutes=minutes))


def deleted(message: Message) -> Message:
    return deletion(guild_id=message.guild_id, channel_id=message.channel_id, message_id=message.message_id)


async def hear(keepsake: Keepsake, *messages: Message) -> None:
    """Hear messages, and wait until they have been read out."""
    await keepsake.memory.ingest_messages(messages)
    await noticed(keepsake, guild_id=messages[0].guild_id)


async def noticed(keepsake: Keepsake, *, guild_id: int = GUILD_ID) -> None:
    assert await keepsake.memory.noticer.noticed(guild_id=guild_id, up_to_id=2**62, seconds=20)


async def values(keepsake: Keepsake, database: Database, *, guild_id: int = GUILD_ID) -> list[str]:
    """Return what holds, as keys and values."""

    async def read(connection: Connection) -> list[str]:
        rows = await connection.fetch(
            "SELECT key || ' = ' || value AS said FROM facts "
            "WHERE guild_id = $1 AND status = 'active' AND (expires_at IS NULL OR expires_at > $2) ORDER BY 1",
            guild_id, keepsake.clock.now(),
        )  # fmt: skip
        return [row["said"] for row in rows]

    return await database.read(read)


async def queue(database: Database) -> int:
    count: int = await database.read(
        lambda connection: connection.fetchval("SELECT count(*) FROM unextracted")
    )
    return count


@asynccontextmanager
async def another_process(dsn: str, clock: SetClock) -> AsyncIterator[Keepsake]:
    database = await Database.open(dsn)
    try:
        async with assembled(Settings(_env_file=None), clock, database) as keepsake:
            yield keepsake
    finally:
        await database.close()


async def test_two_processes_read_each_message_once(
    keepsake: Keepsake, database: Database, dsn: str, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Queued] = []
    claim = unextracted.claim

    async def noted(connection: Connection, queued: Sequence[Queued]) -> list[Queued]:
        claimed = await claim(connection, queued)
        read.extend(claimed)
        return claimed

    monkeypatch.setattr(unextracted, "claim", noted)
    messages = [said(f"I like dish{number}", number / 100) for number in range(300)]
    async with another_process(dsn, clock) as other:
        await asyncio.gather(
            keepsake.memory.ingest_messages(messages[::2]), other.memory.ingest_messages(messages[1::2])
        )
        await asyncio.gather(noticed(keepsake), noticed(other))
    assert sorted(one.message_id for one in read) == [one.message_id for one in messages]
    assert len(await values(keepsake, database)) == 300


async def test_an_afterthought_that_another_process_reads_meanwhile_is_not_missed(
    keepsake: Keepsake, database: Database, dsn: str, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice = lifecycle.notice
    begun, go = asyncio.Event(), asyncio.Event()

    async def slowly(*given: object, **named: object) -> int:
        if not begun.is_set():
            begun.set()
            await go.wait()
        return await notice(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(lifecycle, "notice", slowly)
    first = said("I love doing taxes")
    await keepsake.memory.ingest_message(first)
    await asyncio.wait_for(begun.wait(), 20)
    async with another_process(dsn, clock) as other:
        await other.memory.ingest_message(said("jk", 1))
        # The other has it in hand, or would be done with it.
        await other.memory.noticer.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=0.3)
        go.set()
        await noticed(other)
    assert await values(keepsake, database) == []


async def test_what_another_process_has_in_hand_is_waited_for(
    keepsake: Keepsake, database: Database, dsn: str
) -> None:
    await keepsake.memory.noticer.stop()
    await keepsake.memory.ingest_message(said("I like pizza"))
    other = await Database.open(dsn)
    held, go = asyncio.Event(), asyncio.Event()

    async def claimed(connection: Connection) -> None:
        assert await unextracted.claim(connection, await unextracted.newest(connection, limit=10))
        held.set()
        await go.wait()

    holding = asyncio.create_task(other.write(claimed))
    await asyncio.wait_for(held.wait(), 20)
    noticer = keepsake.memory.noticer
    assert not await noticer.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=0.1)
    assert await noticer.noticed(guild_id=GUILD_ID + 1, up_to_id=2**62, seconds=0.1)
    go.set()
    await holding
    assert await noticer.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=20)
    await other.close()


async def test_nobody_waits_for_what_was_said_after_the_question(keepsake: Keepsake) -> None:
    await keepsake.memory.noticer.stop()
    question = said("what do you know about me?")
    await keepsake.memory.ingest_message(said("I like pizza", 1))
    up_to_id = question.message_id
    assert await keepsake.memory.noticer.noticed(guild_id=GUILD_ID, up_to_id=up_to_id, seconds=0.1)


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
    await hear(keepsake, said("I love doing taxes", 30))
    assert await values(keepsake, database) == ["favorite:food = ramen"]


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


def failing(on: str) -> Callable[[Said], tuple[Extracted, ...]]:
    """Return a reader that fails over every text with this word in it."""

    def read(given: Said) -> tuple[Extracted, ...]:
        if on in given.text:
            raise RuntimeError("this text cannot be read")
        return extract(given)

    return read


async def test_a_message_that_cannot_be_read_keeps_nobody_else_from_being_read(
    keepsake: Keepsake, database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(noticing, "extract", failing("poison"))
    messages = [said(f"I like dish{number}", 10 * number) for number in range(12)]
    bad = [said("poison", 25), said("more poison", 65)]
    await hear(keepsake, *messages, *bad)
    await hear(keepsake, said("I like pizza", 200))
    assert len(await values(keepsake, database)) == 13
    assert await queue(database) == 0
    for message in bad:
        assert f"no facts are read out of message {message.message_id}" in caplog.text
    assert "more poison" not in caplog.text


async def test_what_cannot_be_learned_is_left_out_alone_whatever_comes_meanwhile(
    keepsake: Keepsake, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    drop, notice = unextracted.drop, lifecycle.notice
    bad = said("I like poison", 100)

    async def spoiled(*given: object, **named: object) -> int:
        if bad.message_id in named["wanted"]:  # type: ignore[operator]
            raise RuntimeError("no database takes this")
        return await notice(*given, **named)  # type: ignore[arg-type]

    async def late(connection: Connection, queued: Sequence[Queued]) -> list[Queued]:
        if [one.message_id for one in queued] == [bad.message_id]:
            await keepsake.memory.ingest_message(said("I like pizza", 130))
        return await drop(connection, queued)

    monkeypatch.setattr(lifecycle, "notice", spoiled)
    await keepsake.memory.noticer.stop()
    await keepsake.memory.ingest_messages([said("I like tea"), bad, said("I like rice", 120)])
    keepsake.memory.noticer.start()
    monkeypatch.setattr(unextracted, "drop", late)
    await noticed(keepsake)
    assert await values(keepsake, database) == [
        "likes:pizza = likes",
        "likes:rice = likes",
        "likes:tea = likes",
    ]


async def test_an_outage_ends_no_reading(
    keepsake: Keepsake, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = unextracted.newest
    away = [RuntimeError("strange"), DatabaseUnavailableError("away"), DatabaseUnavailableError("away")]

    async def now_and_then(connection: Connection, *, limit: int) -> list[Queued]:
        if away:
            raise away.pop()
        return await newest(connection, limit=limit)

    monkeypatch.setattr(unextracted, "newest", now_and_then)
    await hear(keepsake, said("I like pizza"))
    assert not away
    assert await values(keepsake, database) == ["likes:pizza = likes"]


async def test_what_was_not_read_before_the_end_is_read_after_a_restart(
    database: Database, dsn: str, clock: SetClock
) -> None:
    async with another_process(dsn, clock) as stopping:
        await stopping.memory.noticer.stop()
        await stopping.memory.ingest_message(said("I like pizza"))
    assert await queue(database) == 1
    async with another_process(dsn, clock) as starting:
        await noticed(starting)
        assert await values(starting, database) == ["likes:pizza = likes"]


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


async def test_a_message_that_was_forgotten_says_nothing_however_late_it_is_read(
    keepsake: Keepsake, database: Database
) -> None:
    await keepsake.memory.noticer.stop()
    message = said("I like pizza")
    await keepsake.memory.ingest_message(message)
    await keepsake.memory.forget(guild_id=GUILD_ID, fact_ids=[], message_ids=[message.message_id])
    kept = await keepsake.library.message(guild_id=GUILD_ID, message_id=message.message_id)
    assert kept is not None
    assert kept.withheld is Withheld.FORGOTTEN
    keepsake.memory.noticer.start()
    await noticed(keepsake)
    assert await values(keepsake, database) == []


async def test_deletions_that_race_with_the_reading_leave_nothing(
    keepsake: Keepsake, database: Database
) -> None:
    messages = [said(f"I like dish{number}", number / 10) for number in range(40)]
    await asyncio.gather(
        *(keepsake.memory.ingest_message(message) for message in messages),
        *(keepsake.memory.ingest_message(deleted(message)) for message in reversed(messages)),
        *(keepsake.memory.ingest_message(edited(message, "I like tea")) for message in messages),
    )
    await noticed(keepsake)
    assert await values(keepsake, database) == []

"""Each message is read out once, by whichever process, whatever fails and whoever changes it meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import RedactionReason
from bot.core.errors import DatabaseUnavailableError
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from bot.memory.facts import extractor, lifecycle
from bot.memory.facts.extractor import QueuedExtraction
from bot.text.extraction import extract
from bot.text.extraction_rules import Extracted, ExtractionInput
from tests.adapters.discord.bots import eventually
from tests.memory.spoken import (
    GUILD_ID,
    NOON,
    another_process,
    deleted,
    edited,
    hear,
    noticed,
    queue,
    said,
    values,
)


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON)


async def test_two_processes_read_each_message_once(
    keepsake: Keepsake, database: Database, dsn: str, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[QueuedExtraction] = []
    claim = extractor.claim_newest

    async def noted(connection: Connection, *, limit: int) -> dict[QueuedExtraction, bool]:
        claimed = await claim(connection, limit=limit)
        read.extend(one for one, is_mine in claimed.items() if is_mine)
        return claimed

    monkeypatch.setattr(extractor, "claim_newest", noted)
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
    notice = lifecycle.update_extracted
    begun, go = asyncio.Event(), asyncio.Event()

    async def slowly(*given: object, **named: object) -> int:
        if not begun.is_set():
            begun.set()
            await go.wait()
        return await notice(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(lifecycle, "update_extracted", slowly)
    # The other takes the newer message and has not come to the older one.
    monkeypatch.setattr(extractor, "BATCH", 1)
    first = said("I love olives")
    await keepsake.memory.ingest_message(first)
    await asyncio.wait_for(begun.wait(), 20)
    async with another_process(dsn, clock) as other:
        await other.memory.extractor.stop()
        await other.memory.ingest_message(said("jk", 1))
        other.memory.extractor.start()
        # The other has it in hand, or would be done with it.
        await other.memory.extractor.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=0.3)
        go.set()
        await noticed(other)
    assert await values(keepsake, database) == []


@asynccontextmanager
async def in_hand_elsewhere(keepsake: Keepsake, dsn: str) -> AsyncIterator[None]:
    """Have a message claimed by another process, which reads it until the end of this; our own reader has stopped."""
    await keepsake.memory.extractor.stop()
    await keepsake.memory.ingest_message(said("I like pizza"))
    other = await Database.open(dsn)
    held, go = asyncio.Event(), asyncio.Event()

    async def claimed(connection: Connection) -> None:
        assert any((await extractor.claim_newest(connection, limit=10)).values())
        held.set()
        await go.wait()

    holding = asyncio.create_task(other.write(claimed))
    await asyncio.wait_for(held.wait(), 20)
    try:
        yield
        assert not holding.done()
    finally:
        go.set()
        await holding
        await other.close()


async def test_what_another_process_has_in_hand_is_waited_for(keepsake: Keepsake, dsn: str) -> None:
    reader = keepsake.memory.extractor
    async with in_hand_elsewhere(keepsake, dsn):
        assert not await reader.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=0.1)
        assert await reader.noticed(guild_id=GUILD_ID + 1, up_to_id=2**62, seconds=20)
    assert await reader.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=20)


async def test_a_guild_that_another_process_reads_holds_up_no_other(keepsake: Keepsake, dsn: str) -> None:
    reader = keepsake.memory.extractor
    async with in_hand_elsewhere(keepsake, dsn):
        await keepsake.memory.ingest_message(replace(said("I like tea", 1), guild_id=GUILD_ID + 1))
        reader.start()
        assert await reader.noticed(guild_id=GUILD_ID + 1, up_to_id=2**62, seconds=20)


async def test_where_much_is_said_it_is_read_together_unless_somebody_waits_for_it(
    database: Database, clock: SetClock, defaults: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extractor, "_APART_SECONDS", 60.0)
    async with assembled(defaults, clock, database) as keepsake:
        reader = keepsake.memory.extractor
        await keepsake.memory.ingest_messages([said(f"I like dish{number}", number) for number in range(30)])
        assert await reader.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=20)
        await keepsake.memory.ingest_message(said("I like tea", 40))
        await asyncio.sleep(0.1)
        assert len(await values(keepsake, database)) == 30
        assert await reader.noticed(guild_id=GUILD_ID, up_to_id=2**62, seconds=20)
        assert len(await values(keepsake, database)) == 31


async def test_what_several_guilds_say_is_read_with_one_statement(
    keepsake: Keepsake, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Sequence[QueuedExtraction]] = []
    look_up = extractor.with_neighbours

    async def noted(
        connection: Connection, queued: Sequence[QueuedExtraction], *, within: timedelta
    ) -> list[extractor.MessageWithNeighbours]:
        asked.append(queued)
        return await look_up(connection, queued, within=within)

    monkeypatch.setattr(extractor, "with_neighbours", noted)
    await keepsake.memory.extractor.stop()
    # Of two guilds each says its own, and takes back nothing of another.
    said_there = [
        replace(one, guild_id=GUILD_ID + place)
        for place, one in enumerate([said("I like pizza"), said("I like tea"), said("I like rice")])
    ]
    await keepsake.memory.ingest_messages([*said_there, replace(said("jk", 1), guild_id=GUILD_ID + 1)])
    keepsake.memory.extractor.start()
    for one in said_there:
        assert await keepsake.memory.extractor.noticed(guild_id=one.guild_id, up_to_id=2**62, seconds=20)
    assert [{one.guild_id for one in queued} for queued in asked] == [{GUILD_ID, GUILD_ID + 1, GUILD_ID + 2}]
    kept = await database.read(
        lambda connection: connection.fetch(
            "SELECT guild_id, key FROM facts WHERE status = 'active' ORDER BY 1"
        )
    )
    assert [tuple(row) for row in kept] == [(GUILD_ID, "likes:pizza"), (GUILD_ID + 2, "likes:rice")]


def failing(on: str) -> Callable[[ExtractionInput], tuple[Extracted, ...]]:
    """Return a reader that fails over every text with this word in it."""

    def read(given: ExtractionInput) -> tuple[Extracted, ...]:
        if on in given.text:
            raise RuntimeError("this text cannot be read")
        return extract(given)

    return read


async def test_a_message_that_cannot_be_read_keeps_nobody_else_from_being_read(
    keepsake: Keepsake, database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(extractor, "extract", failing("poison"))
    messages = [said(f"I like dish{number}", 10 * number) for number in range(12)]
    bad = [said("poison", 25), said("more poison", 65)]
    await hear(keepsake, *messages, *bad)
    await hear(keepsake, said("I like pizza", 200))
    assert len(await values(keepsake, database)) == 13
    assert await queue(database) == 0
    for message in bad:
        assert f"no facts are read out of message {message.message_id}" in caplog.text
    assert "more poison" not in caplog.text


async def test_what_cannot_be_learned_waits_alone_and_is_learned_once_that_is_mended(
    keepsake: Keepsake, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    postpone, notice = extractor.postpone_queued, lifecycle.update_extracted
    bad = said("I like poison", 100)

    async def spoiled(*given: object, **named: object) -> int:
        if bad.message_id in named["wanted"]:  # type: ignore[operator]
            raise RuntimeError("no database takes this")
        return await notice(*given, **named)  # type: ignore[arg-type]

    async def late(connection: Connection, queued: Sequence[QueuedExtraction], *, longest: timedelta) -> None:
        if [one.message_id for one in queued] == [bad.message_id]:
            await keepsake.memory.ingest_message(said("I like pizza", 130))
        await postpone(connection, queued, longest=longest)

    monkeypatch.setattr(lifecycle, "update_extracted", spoiled)
    await keepsake.memory.extractor.stop()
    await keepsake.memory.ingest_messages([said("I like tea"), bad, said("I like rice", 120)])
    keepsake.memory.extractor.start()
    monkeypatch.setattr(extractor, "postpone_queued", late)
    await noticed(keepsake)
    assert await values(keepsake, database) == [
        "likes:pizza = likes",
        "likes:rice = likes",
        "likes:tea = likes",
    ]
    monkeypatch.setattr(lifecycle, "update_extracted", notice)
    await keepsake.memory.extractor.stop()
    keepsake.memory.extractor.start()
    await eventually(lambda: _is_liked(keepsake, database, "poison"))


async def _is_liked(keepsake: Keepsake, database: Database, what: str) -> bool:
    return f"likes:{what} = likes" in await values(keepsake, database)


async def test_an_outage_ends_no_reading(
    keepsake: Keepsake, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = extractor.claim_newest
    away = [RuntimeError("strange"), DatabaseUnavailableError("away"), DatabaseUnavailableError("away")]

    async def now_and_then(connection: Connection, *, limit: int) -> dict[QueuedExtraction, bool]:
        if away:
            raise away.pop()
        return await claim(connection, limit=limit)

    monkeypatch.setattr(extractor, "claim_newest", now_and_then)
    await hear(keepsake, said("I like pizza"))
    assert not away
    assert await values(keepsake, database) == ["likes:pizza = likes"]


async def test_what_was_not_read_before_the_end_is_read_after_a_restart(
    database: Database, dsn: str, clock: SetClock
) -> None:
    async with another_process(dsn, clock) as stopping:
        await stopping.memory.extractor.stop()
        await stopping.memory.ingest_message(said("I like pizza"))
    assert await queue(database) == 1
    async with another_process(dsn, clock) as starting:
        await noticed(starting)
        assert await values(starting, database) == ["likes:pizza = likes"]


async def test_a_message_that_was_forgotten_says_nothing_however_late_it_is_read(
    keepsake: Keepsake, database: Database
) -> None:
    await keepsake.memory.extractor.stop()
    message = said("I like pizza")
    await keepsake.memory.ingest_message(message)
    await keepsake.memory.forget(guild_id=GUILD_ID, fact_ids=[], message_ids=[message.message_id])
    kept = await keepsake.library.message(guild_id=GUILD_ID, message_id=message.message_id)
    assert kept is not None
    assert kept.withheld is RedactionReason.FORGOTTEN
    keepsake.memory.extractor.start()
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

"""What was being written when an erasing began does not outlive it."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import asyncpg
import pytest

from bot.app import Keepsake
from bot.core.clock import SetClock
from bot.core.domain import OPEN
from bot.db.pool import Connection, Database
from bot.memory.facts.lifecycle import FactRules, rules_for
from bot.memory.facts.repository import NewFact
from bot.memory.messages import repository_writing
from bot.memory.policy.tombstones import Hasher
from bot.memory.rights.erasing import repository as erasing_repository
from tests.memory.rights.erasing.lived import CAROL, GUILD_ID, columns_with, note, said, settle_in


async def begun(database: Database) -> None:
    """Return when an erasing has begun, and everybody can see it."""
    async with asyncio.timeout(60):
        while not await database.read(lambda connection: connection.fetchval("SELECT 1 FROM erased")):
            await asyncio.sleep(0.01)


async def erase(keepsake: Keepsake) -> None:
    await keepsake.memory.erasing.erase_member(
        guild_id=GUILD_ID, user_id=CAROL, audiences=[OPEN], opted_out=False
    )


async def test_a_message_that_another_process_is_writing_when_it_begins_goes_too(
    keepsake: Keepsake, database: Database, dsn: str, clock: SetClock
) -> None:
    await settle_in(keepsake)
    clock.advance(timedelta(hours=1))
    is_written, may_end = asyncio.Event(), asyncio.Event()

    async def slowly(connection: Connection) -> None:
        await repository_writing.write_messages(connection, [said("my island is zanzibarus", 1)])
        is_written.set()
        await may_end.wait()

    another = await Database.open(dsn)
    try:
        writing = asyncio.create_task(another.write(slowly))
        await asyncio.wait_for(is_written.wait(), 60)
        is_erased = asyncio.create_task(erase(keepsake))
        await begun(database)
        await asyncio.sleep(0.2)
        may_end.set()
        await asyncio.wait_for(asyncio.gather(writing, is_erased), 60)
    finally:
        await another.close()
    assert await columns_with(database, "zanzibarus") == []


async def test_a_fact_that_is_being_stored_when_it_begins_goes_too(
    keepsake: Keepsake, database: Database, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await settle_in(keepsake)
    clock.advance(timedelta(hours=1))
    message = said("Bot, remember that I live in zanzibarus", 1)
    await keepsake.memory.ingest_message(message)
    is_allowed, has_begun = asyncio.Event(), asyncio.Event()

    async def slow(
        connection: Connection,
        hasher: Hasher,
        given: Sequence[NewFact],
        *,
        guild_id: int,
        since: datetime | None,
    ) -> FactRules:
        rules = await rules_for(connection, hasher, given, guild_id=guild_id, since=since)
        is_allowed.set()
        await has_begun.wait()
        return rules

    monkeypatch.setattr("bot.memory.manager.rules_for", slow)
    remembering = asyncio.create_task(
        keepsake.memory.remember(note(message, "I live in zanzibarus", subject_id=CAROL))
    )
    await asyncio.wait_for(is_allowed.wait(), 60)
    is_erased = asyncio.create_task(erase(keepsake))
    await begun(database)
    await asyncio.sleep(0.2)
    has_begun.set()
    await asyncio.wait_for(is_erased, 60)
    await asyncio.gather(remembering, return_exceptions=True)
    await keepsake.work.idle()
    assert await columns_with(database, "zanzibarus") == []


async def test_nobody_waits_for_who_only_copies_the_database(database: Database, dsn: str) -> None:
    copying = await asyncpg.connect(dsn, server_settings={"application_name": "pg_dump"})
    try:
        await copying.execute("BEGIN")
        _, found = await database.read(erasing_repository.open_transactions)
        assert found == frozenset()
    finally:
        await copying.close()

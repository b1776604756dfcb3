"""Notices: each kind is told once a day, whichever process meets the trouble."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID, uuid4

import pytest

from bot.db.pool import Database
from bot.memory.guilds import notices as stored
from bot.memory.guilds.notices import Notices


@pytest.fixture
async def second_database(dsn: str) -> AsyncIterator[Database]:
    database = await Database.open(dsn, statement_cache=0)
    yield database
    await database.close()


async def test_of_all_who_ask_one_is_the_first_of_the_day(
    database: Database, second_database: Database
) -> None:
    first = await asyncio.gather(
        *(
            Notices(used).first_today(guild_id=0, kind="key refused")
            for _ in range(8)
            for used in (database, second_database)
        )
    )
    assert sum(first) == 1


async def test_each_guild_each_kind_and_each_day_is_told_for_itself(database: Database) -> None:
    notices = Notices(database)
    for guild_id, kind in [(0, "quota gone"), (0, "disk full"), (1, "quota gone")]:
        assert await notices.first_today(guild_id=guild_id, kind=kind)
        assert not await notices.first_today(guild_id=guild_id, kind=kind)
    await database.write(lambda connection: connection.execute("UPDATE notices SET day = day - 1"))
    assert await notices.first_today(guild_id=0, kind="quota gone")
    assert not await notices.first_today(guild_id=0, kind="quota gone")


async def test_who_asks_again_since_the_answer_was_lost_is_still_the_first(database: Database) -> None:
    async def ask(told_by: UUID) -> bool:
        return await database.write(stored.first_today, guild_id=0, kind="disk full", told_by=told_by)

    one, other = uuid4(), uuid4()
    assert [await ask(told_by) for told_by in (one, one, other, one)] == [True, True, False, True]

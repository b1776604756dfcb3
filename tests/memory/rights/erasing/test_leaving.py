"""Who leaves is erased after a grace, members and guilds alike; who is back in time is not."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from bot.app import Keepsake, assembled
from bot.core.clock import SetClock
from bot.core.domain import Guild, Member
from bot.core.settings import Settings
from bot.db.pool import Connection, Database
from tests.memory.rights.erasing.lived import (
    BOB,
    CAROL,
    GUILD_ID,
    NAMES,
    OWN_WORDS,
    columns_with,
    live,
    said,
    settle_in,
)

BACK = Member(guild_id=GUILD_ID, user_id=CAROL, user_name="carolinga")


@asynccontextmanager
async def running(database: Database, clock: SetClock, **settings: object) -> AsyncIterator[Keepsake]:
    chosen = Settings(_env_file=None, retention_days=0, **settings)  # type: ignore[arg-type]
    async with assembled(chosen, clock, database) as keepsake:
        yield keepsake


async def after(keepsake: Keepsake, clock: SetClock, days: float) -> None:
    """Let days go by, with the sweep that comes with each new one."""
    clock.set(clock.now() + timedelta(days=days))
    await keepsake.retention.on_a_new_day(GUILD_ID)
    await keepsake.work.idle()


async def is_there(database: Database) -> bool:
    return bool(await columns_with(database, OWN_WORDS[0]))


async def test_a_member_who_left_is_erased_after_the_grace_and_not_before(
    database: Database, clock: SetClock
) -> None:
    async with running(database, clock, left_member_grace_days=10) as keepsake:
        await live(keepsake, database)
        await keepsake.directory.member_left(guild_id=GUILD_ID, user_id=CAROL, at=clock.now())
        await after(keepsake, clock, 9)
        assert await is_there(database)
        await after(keepsake, clock, 2)
        assert await columns_with(database, *OWN_WORDS, *NAMES) == []
        assert [one.user_id for one in await keepsake.memory.erasing.waiting(guild_id=GUILD_ID)] == [CAROL]
        assert "pizza" in str(await columns_with(database, "pizza"))


async def test_who_is_back_in_time_is_not_erased(database: Database, clock: SetClock) -> None:
    async with running(database, clock, left_member_grace_days=10) as keepsake:
        await live(keepsake, database)
        await keepsake.directory.member_left(guild_id=GUILD_ID, user_id=CAROL, at=clock.now())
        await after(keepsake, clock, 9)
        await keepsake.directory.put_members([BACK])
        await after(keepsake, clock, 20)
        assert await is_there(database)


async def test_who_is_only_read_of_in_the_past_is_not_back(database: Database, clock: SetClock) -> None:
    async with running(database, clock, left_member_grace_days=10) as keepsake:
        await live(keepsake, database)
        await keepsake.directory.member_left(guild_id=GUILD_ID, user_id=CAROL, at=clock.now())
        await keepsake.directory.put_members([BACK], are_here=False)
        await after(keepsake, clock, 11)
        assert not await is_there(database)


async def test_who_comes_back_between_the_asking_and_the_erasing_is_not_erased(
    database: Database, clock: SetClock
) -> None:
    async with running(database, clock) as keepsake:
        await live(keepsake, database)
        await keepsake.work.stop()
        await keepsake.directory.member_left(guild_id=GUILD_ID, user_id=CAROL, at=clock.now())
        await keepsake.memory.erasing.ask_for_who_left(GUILD_ID, clock.now() + timedelta(days=31))
        await keepsake.directory.put_members([BACK])
        keepsake.work.start()
        await keepsake.work.idle()
        assert await is_there(database)
        assert await columns_with(database, "left_before") == []


async def test_a_guild_that_removed_the_bot_is_erased_after_the_grace(
    database: Database, clock: SetClock
) -> None:
    async with running(database, clock) as keepsake:
        await live(keepsake, database)
        await keepsake.memory.consent.opt_out(guild_id=GUILD_ID, user_id=BOB)
        await keepsake.memory.ingest_messages([said("of another guild", 1, guild_id=GUILD_ID + 1)])
        await keepsake.directory.guild_left(GUILD_ID, clock.now())
        await after(keepsake, clock, 29)
        assert await is_there(database)
        await after(keepsake, clock, 2)
        assert await columns_with(database, *OWN_WORDS, *NAMES, "pizza", "Home", str(BOB)) == []
        assert await columns_with(database, "of another guild")
        standing = await keepsake.memory.consent.of(guild_id=GUILD_ID, user_id=BOB)
        assert standing.opted_out


async def test_of_an_erased_guild_hashes_stay_and_nothing_else(
    keepsake: Keepsake, database: Database
) -> None:
    await live(keepsake, database)

    async def filled(connection: Connection) -> set[str]:
        rows = await connection.fetch(
            "SELECT table_name FROM information_schema.columns"
            " WHERE table_schema = 'public' AND column_name = 'guild_id'"
        )
        return {
            row["table_name"]
            for row in rows
            if await connection.fetchval(
                f'SELECT EXISTS (SELECT FROM "{row["table_name"]}" WHERE guild_id = $1)', GUILD_ID
            )
        }

    assert len(await database.read(filled)) > 20
    erased = await keepsake.memory.erasing.erase_guild(guild_id=GUILD_ID)
    await keepsake.work.idle()
    assert await database.read(filled) == {"decisions", "tombstones"}
    assert erased.messages == 16


async def test_a_guild_that_takes_the_bot_back_in_time_is_kept(database: Database, clock: SetClock) -> None:
    async with running(database, clock) as keepsake:
        await live(keepsake, database)
        await keepsake.directory.guild_left(GUILD_ID, clock.now())
        await after(keepsake, clock, 29)
        await keepsake.directory.add_guild(Guild(guild_id=GUILD_ID, name="Home"))
        await after(keepsake, clock, 29)
        assert await is_there(database)


async def test_guilds_stay_if_the_operator_keeps_them(database: Database, clock: SetClock) -> None:
    async with running(database, clock, keep_left_guilds=True) as keepsake:
        await live(keepsake, database)
        await keepsake.directory.guild_left(GUILD_ID, clock.now())
        await after(keepsake, clock, 400)
        assert await is_there(database)


async def test_what_a_guild_cost_is_still_counted_when_it_is_erased(
    keepsake: Keepsake, database: Database
) -> None:
    await settle_in(keepsake)

    async def spend(connection: Connection) -> None:
        for guild_id in (0, GUILD_ID):
            await connection.execute(
                "INSERT INTO usage (guild_id, day, operation, model, calls) VALUES ($1, '2026-03-01', 'x', 'y', 2)",
                guild_id,
            )

    await database.write(spend)
    await keepsake.memory.erasing.erase_guild(guild_id=GUILD_ID)
    rows = await database.read(
        lambda connection: connection.fetch("SELECT guild_id, calls FROM usage ORDER BY guild_id")
    )
    assert [(row["guild_id"], row["calls"]) for row in rows] == [(0, 4)]

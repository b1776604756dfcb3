"""Two processes never answer for the same shards."""

import asyncio
from uuid import uuid4

import asyncpg
import pytest

from bot.adapters.discord.running import ShardLeaseHolder, connected_bot
from bot.app import assembled
from bot.core.clock import SystemClock
from bot.core.errors import ShardsTakenError
from bot.core.settings import Shards
from bot.db.pool import Database
from bot.memory.members.directory import Directory
from tests.adapters.discord.bots import eventually, running_bot, settings_for
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import until

ALL = Shards(range(1), 1)


async def test_a_second_bot_on_the_same_shards_is_refused_and_the_first_answers_on(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    async with running_bot(discord_server, database):
        async with assembled(settings_for(discord_server), SystemClock(), database) as keepsake:
            with pytest.raises(ShardsTakenError, match="shards 0/1 already"):
                async with connected_bot(keepsake, tell=lambda _line: None, patience_seconds=0.1):
                    raise AssertionError("two bots answer for the same shards")
        said = await guild.say("alice", "general", "Bot, remember that I like pizza")
        await discord_server.answer_to(said)
    assert len([message for message in discord_server.sent if message.reply_to_id]) == 1


async def test_the_next_bot_need_not_wait_for_one_that_ended(
    discord_server: DiscordServer, database: Database
) -> None:
    guild = discord_server.add_guild("Home")
    for _ in range(2):
        async with running_bot(discord_server, database):
            said = await guild.say("alice", "general", "Bot, what do you know about me?")
            await discord_server.answer_to(said)


async def test_a_bot_waits_for_the_lease_of_one_that_was_killed(database: Database) -> None:
    directory = Directory(database)
    killed = uuid4()
    assert await directory.shards.take([0], 1, killed)
    shift = ShardLeaseHolder(directory)
    begun = asyncio.create_task(shift.begin(ALL, patience_seconds=20))
    done, _ = await asyncio.wait({begun}, timeout=0.3)
    assert not done
    # What time does to the lease of a dead process, only sooner.
    await directory.shards.give_back(killed)
    async with asyncio.timeout(60):
        await begun
    assert not await directory.shards.take([0], 1, uuid4())
    await shift.end()
    assert await directory.shards.take([0], 1, uuid4())


async def test_a_bot_whose_lease_was_lost_falls_silent(
    discord_server: DiscordServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    guild = discord_server.add_guild("Home")
    monkeypatch.setattr("bot.adapters.discord.running.RENEWAL_SECONDS", 0.05)
    async with running_bot(discord_server, database) as bot:
        await database.write(lambda connection: connection.execute("DELETE FROM shard_leases"))
        assert await bot.keepsake.directory.shards.take([0], 1, uuid4())
        with pytest.raises(ShardsTakenError, match="taken over"):
            async with asyncio.timeout(60):
                await bot.serving.until_ended()
        await bot.serving.finish()
        await guild.say("alice", "general", "Bot, remember that I like pizza")
        await discord_server.quiet(0.2)


async def test_a_lease_is_kept_while_the_bot_runs(database: Database) -> None:
    directory = Directory(database)
    shift = ShardLeaseHolder(directory, renewal_seconds=0.02)
    await shift.begin(ALL)
    await database.write(
        lambda connection: connection.execute("UPDATE shard_leases SET leased_until = '2026-01-01+00'")
    )
    # Renewed, though late: nobody else wanted them meanwhile.
    await eventually(lambda: _is_leased(database))
    assert not shift.lost.is_set()
    await shift.end()


async def _is_leased(database: Database) -> bool:
    return bool(
        await database.read(
            lambda connection: connection.fetchval(
                "SELECT bool_and(leased_until > clock_timestamp()) FROM shard_leases"
            )
        )
    )


async def test_an_outage_longer_than_the_lease_is_no_reason_to_end(
    database: Database, dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    shift = ShardLeaseHolder(Directory(database), renewal_seconds=0.05, lease_seconds=0.5)
    await shift.begin(ALL)
    name = await database.read(lambda connection: connection.fetchval("SELECT current_database()"))
    admin = await asyncpg.connect(dsn.replace(f"/{name}?", "/postgres?"))
    await _renamed(admin, name, f"{name}_away")
    await until(lambda: any("lease of shards waits" in record.getMessage() for record in caplog.records))
    await asyncio.sleep(1)
    assert not shift.lost.is_set()
    await _renamed(admin, f"{name}_away", name)
    await database.write(
        lambda connection: connection.execute("UPDATE shard_leases SET leased_until = '2026-01-01+00'")
    )
    await eventually(lambda: _is_leased(database))
    assert not shift.lost.is_set()
    await shift.end()
    await admin.close()


async def _renamed(admin: "asyncpg.Connection[asyncpg.Record]", old: str, new: str) -> None:
    """Rename a database, which nobody may be connected to for a moment."""
    async with asyncio.timeout(60):
        while True:
            await admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", old
            )
            try:
                await admin.execute(f"ALTER DATABASE {old} RENAME TO {new}")
            except asyncpg.ObjectInUseError:
                continue
            return

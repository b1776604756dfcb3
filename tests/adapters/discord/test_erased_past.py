"""The past that is read back on Discord leaves out whoever was erased since: words, id and names."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from bot.adapters.discord.backfill.past import Backfill, BackfillRequest
from bot.adapters.discord.rest import logged_in
from bot.app import Keepsake, assembled
from bot.core.clock import SystemClock
from bot.db.pool import Database
from tests.adapters.discord.bots import settings_for
from tests.memory.rights.erasing.lived import columns_with
from tests.servers.discord.server import DiscordServer


@pytest.fixture
async def keepsake(discord_server: DiscordServer, database: Database) -> AsyncIterator[Keepsake]:
    async with assembled(settings_for(discord_server), SystemClock(), database) as keepsake:
        yield keepsake


async def read_back(keepsake: Keepsake) -> None:
    async with logged_in(keepsake.settings) as client:
        backfill = Backfill(client, keepsake)
        assert [str(report) async for report in backfill.read(BackfillRequest())]


@pytest.mark.parametrize("is_erased", [False, True])
async def test_reading_back_brings_nothing_of_who_was_erased(
    discord_server: DiscordServer, database: Database, keepsake: Keepsake, is_erased: bool
) -> None:
    guild = discord_server.add_guild("Reef", channels=("general",))
    at = datetime.now(UTC) - timedelta(days=2)
    zaphod = guild.add_member("zaphodella")
    await guild.say("zaphodella", "general", "I keep a zanzibarus", said_at=at)
    await guild.say("bob", "general", f"hello <@{zaphod.user_id}>", said_at=at + timedelta(minutes=1))
    if is_erased:
        await keepsake.memory.erasing.erase_member(
            guild_id=guild.guild_id, user_id=zaphod.user_id, audiences=None, opted_out=False
        )
    await read_back(keepsake)
    found = await columns_with(database, str(zaphod.user_id), "zanzibarus", "zaphodella")
    assert found == [] if is_erased else len(found) > 3
    assert await columns_with(database, "hello <@0>" if is_erased else f"hello <@{zaphod.user_id}>")

"""What may be read from a standby is read from it: figures, exports, and a backup of all that is kept."""

from pathlib import Path

import asyncpg
import pytest

from bot.adapters import stats
from bot.app import assembled, open_database
from bot.core.clock import SetClock
from bot.core.domain import Guild
from bot.core.errors import DatabaseError, DatabaseVersionError
from bot.core.settings import Settings
from bot.db import copying, migrations
from bot.db.pool import Database
from bot.memory.guilds import repository as guilds
from bot.memory.members.directory import Directory
from bot.memory.rights.counting.counting import Counting
from bot.ops import owner
from bot.ops.restoring import Restore
from tests.memory.rights.erasing.lived import live
from tests.ops.conftest import home
from tests.ops.reading import everything
from tests.servers.standby import caught_up, standby_of

pytestmark = pytest.mark.processes


async def test_a_standby_gives_figures_and_a_whole_backup_and_is_told_of_none(
    defaults: Settings, clock: SetClock, database: Database, dsn: str, there: Settings, second: str,
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    async with assembled(defaults, clock, database) as keepsake:
        await live(keepsake, database)
        await keepsake.work.idle()
    async with standby_of(dsn) as address:
        await caught_up(dsn, address)
        standby = home(address, tmp_path / "standby")
        async with open_database(standby) as read:
            shown = await stats.show_stats(
                Counting(read), Directory(read), standby, guild_id=None, days=30, as_json=False, now=clock.now()
            )  # fmt: skip
        assert shown == 0
        assert "Messages: " in capsys.readouterr().out
        with pytest.raises(DatabaseVersionError, match="keepsake migrate"):
            await migrations.migrate(address, revision="0001")
        path = tmp_path / "keepsake.backup"
        assert await owner.back_up(standby, path) == 0
        assert "could not note it" in capsys.readouterr().out
    await Restore(there, path, decision_path=None, replace=False, despite_gaps=False).run(told=lambda _: None)
    assert await everything(second) == await everything(dsn)


async def test_a_backup_that_a_standby_gives_up_says_what_to_set(database: Database, dsn: str) -> None:
    await database.write(guilds.add_guild, Guild(guild_id=1, name="Aquarium"))
    async with standby_of(dsn, max_standby_streaming_delay="0") as address:
        await caught_up(dsn, address)
        with pytest.raises(DatabaseError, match="hot_standby_feedback"):
            async with (
                copying.session(address) as connection,
                connection.transaction(isolation="repeatable_read", readonly=True),
            ):
                await connection.fetchval("SELECT count(*) FROM guilds")
                primary = await asyncpg.connect(dsn)
                await primary.execute("DELETE FROM guilds")
                await primary.execute("VACUUM guilds")
                await primary.close()
                while True:
                    await connection.fetchval("SELECT count(*) FROM guilds, pg_sleep(0.1)")

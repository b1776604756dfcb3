"""A backup holds all that is kept, from one moment; a restore brings all of it back, or changes nothing."""

import asyncio
import zipfile
from pathlib import Path

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.app import Keepsake, assembled, open_database
from bot.core.clock import SetClock, SystemClock
from bot.core.errors import InvalidInputError
from bot.core.settings import Settings
from bot.db import copying, migrations
from bot.db.embedded.files import find_install
from bot.db.pool import Database
from bot.ops.backup_file import opened
from bot.ops.backups import write_backup
from bot.ops.restoring import Restore, Restored
from tests.memory.rights.erasing.lived import BOB, live, said
from tests.ops.reading import everything


async def restored(
    settings: Settings,
    path: Path,
    *,
    decisions: Path | None = None,
    replace: bool = False,
    despite_gaps: bool = False,
) -> Restored:
    restore = Restore(settings, path, decision_path=decisions, replace=replace, despite_gaps=despite_gaps)
    return await restore.run(told=lambda _: None)


@pytest.fixture
async def backup(
    defaults: Settings, clock: SetClock, database: Database, here: Settings, tmp_path: Path
) -> Path:
    """A backup of a home in which somebody has lived."""
    async with assembled(defaults, clock, database) as keepsake:
        await live(keepsake, database)
        await keepsake.work.idle()
    path = tmp_path / "keepsake.backup"
    await write_backup(here, SystemClock(), path)
    return path


@pytest.mark.parametrize("second_version", [18, 16])
async def test_a_restored_backup_has_every_row_of_every_table(
    backup: Path, dsn: str, second: str, there: Settings
) -> None:
    before = await everything(dsn)
    await restored(there, backup)
    assert sum(map(len, before.values())) > 50
    assert await everything(second) == {
        **before,
        "installation": [line.rpartition(",")[0] + ",)" for line in before["installation"]],
    }


async def test_a_restored_home_goes_on(
    backup: Path, there: Settings, clock: SetClock, second: str, defaults: Settings
) -> None:
    await restored(there, backup)
    async with open_database(there) as database, assembled(defaults, clock, database) as keepsake:
        await keepsake.memory.ingest_messages([said("Bob grows walnuts", 60, user_id=BOB)])
        await keepsake.work.idle()
    assert "walnuts" in "".join((await everything(second))["chat_history"])


async def test_a_backup_is_of_one_moment_while_messages_are_written(
    keepsake: Keepsake, database: Database, here: Settings, there: Settings, second: str, tmp_path: Path
) -> None:
    """Each message moves the mark of its day in the same transaction: in no moment is there one without the other."""
    await live(keepsake, database)
    path, has_begun, is_over = tmp_path / "keepsake.backup", asyncio.Event(), False

    async def talk() -> None:
        minute = 100
        while not is_over:
            keepsake.memory.offer([said(f"message {minute}", minute, user_id=BOB)])
            await keepsake.memory.settled()
            has_begun.set()
            minute += 1

    async with asyncio.TaskGroup() as group:
        talking = group.create_task(talk())
        await has_begun.wait()
        await write_backup(here, SystemClock(), path)
        is_over = True
        await talking
    await restored(there, path)
    connection = await asyncpg.connect(second)
    row = await connection.fetchrow(
        """
        SELECT (SELECT count(*) FROM chat_history WHERE message_text LIKE 'message %') AS messages,
               (SELECT sum(version) FROM day_marks) AS version
        """
    )
    await connection.close()
    assert row is not None and row["messages"] > 0
    assert row["messages"] <= row["version"]


async def test_a_backup_is_its_owners_alone_and_is_noted(backup: Path, database: Database) -> None:
    def modes() -> dict[str, int]:
        return {path.name: path.stat().st_mode & 0o777 for path in backup.parent.iterdir() if path.is_file()}

    assert await asyncio.to_thread(modes) == {backup.name: 0o600}
    assert await database.read(copying.last_backup) is not None


async def test_a_backup_takes_the_place_of_no_file(backup: Path, here: Settings) -> None:
    with pytest.raises(InvalidInputError, match="there already"):
        await write_backup(here, SystemClock(), backup)


async def test_a_database_that_is_not_empty_is_left_alone_unless_it_is_to_be_replaced(
    backup: Path, there: Settings, second: str, clock: SetClock, defaults: Settings
) -> None:
    async with open_database(there) as database, assembled(defaults, clock, database) as keepsake:
        await keepsake.memory.ingest_messages([said("something else", 1, user_id=BOB)])
    before = await everything(second)
    with pytest.raises(InvalidInputError, match="--replace"):
        await restored(there, backup)
    assert await everything(second) == before
    await restored(there, backup, replace=True)
    assert "something else" not in str(await everything(second))


async def test_nothing_is_restored_while_somebody_is_connected(
    backup: Path, there: Settings, second: str
) -> None:
    other = await asyncpg.connect(second, server_settings={"application_name": "some bot"})
    try:
        # As a pooler keeps it for whoever comes next.
        with pytest.raises(InvalidInputError, match=r"some bot.*idle.*PAUSE on its console"):
            await restored(there, backup)
        async with other.transaction():
            await other.execute("SELECT 1")
            with pytest.raises(InvalidInputError, match=r"before a backup is restored$"):
                await restored(there, backup)
        await migrations.migrate(second)
        await other.execute(
            """
            INSERT INTO shard_leases (shard_id, shard_count, holder, leased_until)
            VALUES (0, 1, gen_random_uuid(), now() + interval '1 minute')
            """
        )
        with pytest.raises(InvalidInputError, match="a bot has leased its shards there"):
            await restored(there, backup)
    finally:
        await other.close()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_file_that_is_damaged_anywhere_is_refused(backup: Path, data: st.DataObject) -> None:
    whole = backup.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1), "place")
    is_cut = data.draw(st.booleans(), "cut off")
    flipped = whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :]
    broken = backup.with_name("broken.backup")
    broken.write_bytes(whole[:place] if is_cut else flipped)
    try:
        # What a zip says twice, or says of no entry, may be damaged and do no harm.
        with opened(broken) as read, opened(backup) as right:
            assert read.manifest == right.manifest
    except InvalidInputError as error:
        assert "\n" not in str(error)


async def test_a_damaged_file_changes_nothing(backup: Path, there: Settings, second: str) -> None:
    broken = backup.with_name("broken.backup")
    whole = await asyncio.to_thread(backup.read_bytes)
    await asyncio.to_thread(broken.write_bytes, whole[: len(whole) // 2])
    with pytest.raises(InvalidInputError, match="cut off or damaged"):
        await restored(there, broken)
    assert await everything(second) == {}


@pytest.mark.parametrize("form", ["custom", "plain"])
async def test_a_dump_by_pg_dump_is_told_from_a_backup(
    dsn: str, tmp_path: Path, form: str, there: Settings
) -> None:
    path = tmp_path / "keepsake.dump"
    program = find_install(18) / "bin" / "pg_dump"
    process = await asyncio.create_subprocess_exec(program, "-F", form[0], "-f", path, dsn)
    assert await process.wait() == 0
    with pytest.raises(InvalidInputError, match=r"dump of Postgres 18 .*Postgres 18 or newer"):
        await restored(there, path)


async def test_a_backup_of_a_newer_keepsake_is_refused(backup: Path, there: Settings) -> None:
    newer = backup.with_name("newer.backup")
    with zipfile.ZipFile(backup) as was, zipfile.ZipFile(newer, "w") as becomes:
        for name in was.namelist():
            content = was.read(name).replace(migrations.revisions()[0].encode(), b"9999", 1)
            becomes.writestr(name, content)
    with pytest.raises(InvalidInputError, match="newer Keepsake"):
        await restored(there, newer)


async def test_a_backup_of_an_older_revision_is_brought_to_the_newest(
    second: str, there: Settings, here: Settings, dsn: str, tmp_path: Path
) -> None:
    """What the newer tables are for is not in it, and the bot begins with them as after any migration."""
    await migrations.migrate(second, revision=migrations.revisions()[1])
    path = tmp_path / "older.backup"
    written = await write_backup(there, SystemClock(), path)
    assert written.manifest.revision != migrations.revisions()[0]
    await restored(here.model_copy(update={"database_url": there.database_url}), path, replace=True)
    assert set(await everything(second)) == set(await everything(dsn))


async def test_what_others_keep_in_the_same_database_is_left_alone(
    backup: Path, there: Settings, second: str
) -> None:
    async with copying.session(second) as connection:
        await connection.execute(
            "CREATE TABLE of_others (one serial); INSERT INTO of_others DEFAULT VALUES;"
            " CREATE FUNCTION of_others() RETURNS int LANGUAGE sql AS 'SELECT 1'"
        )
    await restored(there, backup)
    await restored(there, backup, replace=True)
    async with copying.session(second) as connection:
        assert await connection.fetchval("SELECT one + of_others() FROM of_others") == 2

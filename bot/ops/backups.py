"""Writes a backup of a database in use, from one snapshot, without blocking anybody."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot import __version__
from bot.app import database_address
from bot.core.clock import Clock
from bot.core.errors import DatabaseVersionError
from bot.core.settings import Settings
from bot.db import copying, migrations
from bot.db.pool import Connection, read_state
from bot.memory.policy import decisions
from bot.memory.policy.decisions import fingerprint_of
from bot.memory.policy.repository import hash_secret
from bot.ops.backup_file import FORMAT, BackupWriter, Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenBackup:
    """A backup that was written."""

    manifest: Manifest
    size_bytes: int
    is_noted: bool
    """Whether the database knows of it, which `keepsake status` asks; a standby cannot note it."""


async def write_backup(settings: Settings, clock: Clock, path: Path) -> WrittenBackup:
    """Write all that is kept into the new file `path`, and note in the database that it was done.

    A standby notes nothing. The bot may run meanwhile. Raises `InvalidInputError` if the file is there already or
    cannot be written, and `DatabaseError` if the database cannot be read.
    """
    with BackupWriter(path) as writer:
        async with (
            database_address(settings) as (address, _),
            copying.session(direct_address(settings, address)) as connection,
        ):
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                manifest = await _copy_all(connection, writer, clock)
            size_bytes = writer.finish(manifest)
            is_noted = manifest.revision == migrations.revisions()[0] and not await copying.is_standby(
                connection
            )
            if is_noted:
                await copying.note_backup(connection, manifest.made_at)
            return WrittenBackup(manifest=manifest, size_bytes=size_bytes, is_noted=is_noted)


def direct_address(settings: Settings, address: str) -> str:
    """Return the address of the database without a pooler in front, where one is set."""
    direct = settings.database_direct_url
    return direct.get_secret_value() if direct is not None else address


async def _copy_all(connection: Connection, writer: BackupWriter, clock: Clock) -> Manifest:
    state = await read_state(connection)
    if state.revision is None:
        raise DatabaseVersionError("the database has no tables yet: there is nothing to back up")
    if state.revision not in migrations.revisions():
        raise DatabaseVersionError(
            f"the database is at revision {state.revision}, which this version of Keepsake does not know:"
            " “keepsake doctor” says what that is"
        )
    for table in await copying.copied_tables(connection):
        await writer.put_table(table, partial(copying.copy_out, connection, table))
    return Manifest(
        format=FORMAT,
        made_at=clock.now(),
        keepsake=__version__,
        postgres=state.version,
        revision=state.revision,
        installation=fingerprint_of(await hash_secret(connection)),
        decisions=await decisions.last_number(connection) if "decisions" in writer.tables else 0,
        tables=writer.tables,
        sequences=await copying.read_sequences(connection),
    )

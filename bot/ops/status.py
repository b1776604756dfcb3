"""`keepsake status`: whether all is well, in a few lines or as JSON, read only from the database and the disk."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot import __version__
from bot.app import database_address
from bot.core.clock import SystemClock
from bot.core.domain import Waiting
from bot.core.errors import DatabaseError, SettingsError
from bot.core.settings import Settings
from bot.db import migrations, pool
from bot.db.jobs import WaitingWork
from bot.db.pool import Connection, Database
from bot.db.rows import json_of
from bot.db.service import ServiceFailure
from bot.doctor import (
    Finding,
    disk_folder,
    existing_folder,
    of_backup,
    of_condition,
    of_disk,
    of_quarantine,
    of_services,
    of_waiting_answers,
    of_waiting_work,
)
from bot.memory.messages.repository_quarantine import QuarantineCount
from bot.memory.policy import decisions
from bot.memory.rights.inspecting.inspecting import read_health


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseStatus:
    """The database, as far as it could be reached."""

    reachable: bool
    postgres: str | None = None
    address: str | None = None
    size_bytes: int | None = None
    schema: str | None = None
    schema_expected: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupStatus:
    """The last backup, and what was decided in all."""

    last_at: datetime | None
    age_seconds: float | None
    decisions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskStatus:
    """The disk of the database if it is on this machine, else that of `KEEPSAKE_HOME`."""

    folder: str
    is_of_database: bool
    free_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkStatus:
    """What the processes that run tell of their work."""

    backup: BackupStatus
    services: Sequence[ServiceFailure]
    work: WaitingWork
    answers: Waiting
    messages: QuarantineCount


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Everything that is reported."""

    version: str
    is_well: bool
    problems: Sequence[str]
    """What must be done, a sentence each."""
    database: DatabaseStatus
    tables: WorkStatus | None
    """`None` if the database cannot be reached, or its tables are not of this version."""
    disk: DiskStatus | None


async def run(*, as_json: bool) -> int:
    """Print the status of the installation that the environment names, and return 1 if something must be done."""
    try:
        found, findings = await examined(Settings.load())
    except SettingsError as error:
        findings = [Finding(about="settings", told=str(error), is_well=False)]
        found = Status(
            version=__version__,
            is_well=False,
            problems=[str(findings[0])],
            database=DatabaseStatus(reachable=False, schema_expected=migrations.revisions()[0]),
            tables=None,
            disk=None,
        )
    print(json_of(found) if as_json else "\n".join(map(str, findings)))
    return 0 if found.is_well else 1


async def examined(settings: Settings) -> tuple[Status, Sequence[Finding]]:
    """Return how the installation is, and the same in words; nothing is changed."""
    findings: list[Finding] = []
    database = DatabaseStatus(reachable=False, schema_expected=migrations.revisions()[0])
    tables = None
    folder, is_of_database = settings.keepsake_home, False
    try:
        async with database_address(settings) as (address, server):
            opened = await Database.open(address, pool_size=2, statement_cache=0)
            try:
                state = await opened.read(pool.read_state)
                findings.append(of_condition(state, server))
                database = DatabaseStatus(
                    reachable=True,
                    postgres=state.version,
                    address=state.address,
                    size_bytes=state.size_bytes,
                    schema=state.revision,
                    schema_expected=database.schema_expected,
                )
                data = server.folder if server is not None else await opened.read(pool.local_data_folder)
                folder, is_of_database = disk_folder(data, settings)
                if state.revision == database.schema_expected:
                    tables, told = await opened.read(_of_tables, settings)
                    findings += told
            finally:
                await opened.close()
    except DatabaseError as error:
        findings.append(Finding(about="database", told=str(error).rstrip("."), is_well=False))
    usage = shutil.disk_usage(existing_folder(folder))
    findings.append(of_disk(folder, is_of_database=is_of_database))
    problems = [f"{one.about}: {one.told}." for one in findings if not one.is_well]
    status = Status(
        version=__version__,
        is_well=not problems,
        problems=problems,
        database=database,
        tables=tables,
        disk=DiskStatus(
            folder=str(folder), is_of_database=is_of_database, free_bytes=usage.free, total_bytes=usage.total
        ),
    )
    return status, findings


async def _of_tables(connection: Connection, settings: Settings) -> tuple[WorkStatus, list[Finding]]:
    now = SystemClock().now()
    health = await read_health(connection)
    last_at = health.last_backup_at
    found = WorkStatus(
        backup=BackupStatus(
            last_at=last_at,
            age_seconds=None if last_at is None else (now - last_at).total_seconds(),
            decisions=await decisions.last_number(connection),
        ),
        services=health.services,
        work=health.work,
        answers=health.answers,
        messages=health.messages,
    )
    findings = [
        await of_backup(connection, now=now, alert_days=settings.backup_alert_days),
        of_services(found.services),
        of_waiting_work(found.work),
        of_waiting_answers(found.answers),
    ]
    return found, findings + ([of_quarantine(found.messages)] if found.messages.messages else [])

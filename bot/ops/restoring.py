"""Restores a backup in one transaction, and then carries out the decisions made since.

Until the last decision is carried out the database is marked, so that no process works on it. If a restore is
interrupted, either the old database is left, or one that says that the restore must be repeated.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Final

import asyncpg

from bot.app import database_address
from bot.core.errors import DatabaseError, InvalidInputError
from bot.core.settings import Settings
from bot.db import copying, migrations
from bot.db.copying import OtherConnection
from bot.db.pool import Connection, Database, read_state
from bot.memory.policy import decisions
from bot.memory.policy.decisions import Decision, fingerprint_of
from bot.memory.policy.repository import hash_secret
from bot.memory.policy.tombstones import Hasher
from bot.memory.rights.replay import DecisionReplay
from bot.ops.backup_file import BackupReader, Manifest, opened
from bot.ops.backups import direct_address
from bot.ops.decision_file import DecisionFile, read_decisions

_DECIDED: Final = "decided_"
"""What the names of triggers begin with that note decisions."""

_TIMEOUT_SECONDS: Final = 600.0
"""The longest that one statement of carrying decisions out may take: it may look through all that was said."""

_MOST: Final = 10_000_000
"""Decisions that are read at once; the log has a few dozen bytes each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What a restore did."""

    manifest: Manifest
    carried_out: int
    """Decisions since the backup that were carried out."""
    knew_decisions: bool
    """Whether there was a file of decisions that goes on where the backup ends, or a database that knew more."""
    missing: Sequence[range]
    """Numbers of decisions since the backup that are known no longer, while later ones are."""
    known_until: datetime | None
    """When the last decision was made that is known."""


class Restore:
    """One restore of the backup at `path`, into the database of the settings.

    With `despite_gaps` also of one that is older than the decisions that are known, so that some are not obeyed.
    """

    def __init__(
        self,
        settings: Settings,
        path: Path,
        *,
        decision_path: Path | None,
        replace: bool,
        despite_gaps: bool = False,
    ) -> None:
        self._settings = settings
        self._path = path
        self._decision_path = decision_path
        self._replace = replace
        self._despite_gaps = despite_gaps
        self._missing: Sequence[range] = ()
        self._since: Sequence[Decision] = ()
        self._knew_decisions = False

    async def run(self, *, told: Callable[[str], None]) -> Restored:
        """Restore; `told` is told what goes on.

        Raises `InvalidInputError`, before anything is changed, if a file cannot be used, the database is not empty and
        is not to be replaced, or anything else is connected to it.
        """
        file = None if self._decision_path is None else read_decisions(self._decision_path)
        with opened(self._path) as backup:
            manifest = backup.manifest
            _check_together(self._path, manifest, file)
            async with database_address(self._settings) as (found, _):
                address = direct_address(self._settings, found)
                await self._rebuild(address, backup, file, told=told)
                await self._carry_out(address, told=told)
        return Restored(
            manifest=manifest,
            carried_out=len(self._since),
            knew_decisions=self._knew_decisions,
            missing=self._missing,
            known_until=self._since[-1].made_at if self._since else None,
        )

    async def _rebuild(
        self, address: str, backup: BackupReader, file: DecisionFile | None, *, told: Callable[[str], None]
    ) -> None:
        """Put the backup in the place of what is there, with all decisions that are known, and mark it."""
        manifest = backup.manifest

        async def clear(connection: Connection) -> None:
            await self._check_free(connection)
            here = await self._decisions_here(connection, manifest)
            known = (here[-1].number if here else 0, -1 if file is None else file.last)
            # A database that has decided nothing more may be one into which the same backup was restored before.
            self._knew_decisions = known[0] > manifest.decisions or known[1] >= manifest.decisions
            self._since = _joined(here, () if file is None else file.decisions, after=manifest.decisions - 1)
            self._check_whole(manifest)
            await copying.drop_all(connection)

        async def fill(connection: Connection) -> None:
            await copying.switch_triggers(connection, on=False)
            if {*backup.tables()} != {*await copying.copied_tables(connection)}:
                raise InvalidInputError(
                    f"{self._path} is damaged: it does not have the tables of its revision, nothing was changed"
                )
            for table in backup.tables():
                if manifest.tables[table.name].rows:
                    told(f"{table.name}: {manifest.tables[table.name].rows:,} rows")
                await copying.copy_in(connection, table, backup.pieces(table))
            await copying.put_sequences(connection, manifest.sequences)
            await copying.switch_triggers(connection, on=True)

        async def settle(connection: Connection) -> None:
            # From here on decisions are made once more, and stand in the log already.
            await copying.switch_triggers(connection, prefix=_DECIDED, on=False)
            last = await decisions.decisions_after(connection, manifest.decisions - 1, limit=1)
            self._since = _joined(last, self._since, after=manifest.decisions)
            await decisions.put_decisions(connection, self._since)

        try:
            await migrations.rebuild(address, manifest.revision, clear=clear, fill=fill, settle=settle)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            # Its text may quote a row.
            raise DatabaseError(
                f"the database refused the backup ({type(error).__name__}), and is as it was before"
            ) from error

    def _check_whole(self, manifest: Manifest) -> None:
        """Refuse what would leave decisions out, unless that is wanted."""
        self._missing = _missing([one.number for one in self._since], after=manifest.decisions)
        if self._missing and not self._despite_gaps:
            raise InvalidInputError(
                f"{self._path} knows the decisions up to {manifest.decisions}, and later ones are known, but not"
                f" {spans(self._missing)}: look for a file that has them, or say --despite-gaps if what was decided by"
                " these may be undone"
            )

    async def _check_free(self, connection: Connection) -> None:
        if others := await copying.others_connected(connection):
            raise InvalidInputError(_told_of(others, serves_a_bot=await copying.serves_a_bot(connection)))
        state = await read_state(connection)
        is_unfinished = state.revision == migrations.UNFINISHED
        if not (self._replace or is_unfinished or await copying.is_empty(connection)):
            raise InvalidInputError(
                "the database is not empty, and nothing of it was changed: restore into an empty one, or say --replace"
                " if all that it holds may go"
            )

    async def _decisions_here(self, connection: Connection, manifest: Manifest) -> Sequence[Decision]:
        """Return the decisions of the database that is to be replaced, if it is an earlier life of the same."""
        tables = {table.name for table in await copying.copied_tables(connection)}
        if not tables.issuperset({"decisions", "installation"}):
            return ()
        if fingerprint_of(await hash_secret(connection)) != manifest.installation:
            return ()
        return await decisions.decisions_after(connection, 0, limit=_MOST)

    async def _carry_out(self, address: str, *, told: Callable[[str], None]) -> None:
        database = await Database.open(address, pool_size=4, timeout_seconds=_TIMEOUT_SECONDS)
        try:
            if self._since:
                told(f"{len(self._since):,} decisions since the backup are carried out")
            hasher = Hasher(await database.read(hash_secret))
            await DecisionReplay(database, hasher, self._settings).carry_out(self._since)
        finally:
            await database.close()
        async with copying.session(address) as connection, connection.transaction():
            if self._missing:
                # A log has no gaps.
                await decisions.drop_below(connection, self._missing[-1].stop)
            await decisions.drop_unnumbered(connection)
            await copying.switch_triggers(connection, prefix=_DECIDED, on=True)
            await migrations.finish_rebuilding(connection)


def _told_of(others: Sequence[OtherConnection], *, serves_a_bot: bool) -> str:
    """Return what is to be done about others who are connected: a pooler keeps connections that nobody uses."""
    names = ", ".join(sorted({one.name for one in others}))
    told = (
        f"{len(others)} other connections to the database are open ({names}): stop the bot, and whatever else uses this"
        " database, before a backup is restored"
    )
    if serves_a_bot:
        return f"{told} (a bot has leased its shards there)"
    idle = [one.idle_seconds for one in others if one.idle_seconds is not None]
    if len(idle) < len(others):
        return told
    return (
        f"{told}; if nothing does (they have been idle for {min(idle):.0f} seconds), a pooler such as PgBouncer keeps"
        " them open, and PAUSE on its console closes them (RESUME when this is done)"
    )


def _check_together(path: Path, manifest: Manifest, file: DecisionFile | None) -> None:
    """Refuse a file of decisions that is of another installation."""
    if file is not None and file.installation != manifest.installation:
        raise InvalidInputError(f"{file.path} has the decisions of another installation than {path}")


def _missing(numbers: Sequence[int], *, after: int) -> Sequence[range]:
    """Return which numbers behind `after` are not among ascending ones, though higher ones are."""
    return [
        range(before + 1, number)
        for before, number in pairwise((after, *(one for one in numbers if one > after)))
        if number > before + 1
    ]


def spans(missing: Sequence[range]) -> str:
    """Return spans of numbers as they are written."""
    return ", ".join(f"{one.start} to {one.stop - 1}" for one in missing)


def _joined(here: Sequence[Decision], others: Sequence[Decision], *, after: int) -> Sequence[Decision]:
    """Return all decisions behind the number `after` that either knows.

    Raises `InvalidInputError` if they tell of two lives: of one number there can be but one decision.
    """
    known = {one.number: one for one in here if one.number >= after}
    for one in others:
        if known.setdefault(one.number, one) != one and one.number >= after:
            raise InvalidInputError(
                f"decision {one.number} is another one in the file than in the database: they come from two lives of"
                " one installation; restore into an empty database"
            )
    return [known[number] for number in sorted(known) if number > after]

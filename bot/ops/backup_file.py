"""The backup file: a zip with one entry per table, in Postgres' text format, and a manifest.

It is read to its end before anything is written: checksums reveal entries that are truncated, damaged or missing.
"""

import fcntl
import hashlib
import os
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.core.errors import InvalidInputError
from bot.db import migrations
from bot.db.copying import CopiedTable
from bot.db.embedded.files import sync_folder

FORMAT: Final = 1
"""Which form the file has; a file of a higher one is of a newer Keepsake."""

_UNFINISHED: Final = ".keepsake-backup-"
"""What the name of a file begins with that is being written."""

_MANIFEST: Final = "manifest.json"
_PIECE_BYTES: Final = 1 << 18
_COMPRESSION: Final = 6
_DUMPS: Final = (b"PGDMP", b"--\n-- PostgreSQL database dump")
_HEAD_BYTES: Final = 4_096
_VERSION: Final = re.compile(rb"\b(\d\d)\.\d+\b")


_DAMAGES: Final = (
    OSError,
    EOFError,
    KeyError,
    ValueError,
    RuntimeError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What reading a zip raises that is not as it was written: its own errors are not the only ones."""

Write: TypeAlias = Callable[[bytes], Coroutine[object, object, None]]
"""Takes a piece of what is written."""


class TableEntry(BaseModel):
    """One table in a backup."""

    model_config = ConfigDict(frozen=True)

    columns: tuple[str, ...]
    rows: int
    sha256: str


class Manifest(BaseModel):
    """What a backup holds."""

    model_config = ConfigDict(frozen=True)

    format: int
    made_at: datetime
    keepsake: str
    """The version that wrote it."""
    postgres: str
    """The version of the server that it was read from."""
    revision: str
    """Which form its tables have."""
    installation: str
    """The fingerprint of the installation."""
    decisions: int
    """The number of the last decision that it knows."""
    tables: Mapping[str, TableEntry]
    sequences: Mapping[str, int]
    """The next value of each."""

    @property
    def rows(self) -> int:
        """How many rows all tables have."""
        return sum(table.rows for table in self.tables.values())


class _FormatOnly(BaseModel):
    """All that can be asked of a manifest of any version."""

    format: int
    revision: str
    keepsake: str


class BackupWriter:
    """Writes a backup under another name first, so that it is there completely or not at all."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.tables: dict[str, TableEntry] = {}

    def __enter__(self) -> Self:
        """Begin the file, which only its owner can read."""
        if self._path.exists():
            raise InvalidInputError(f"{self._path} is there already: name a new file, or move that one away")
        try:
            _remove_abandoned(self._path.parent)
            descriptor, name = tempfile.mkstemp(prefix=_UNFINISHED, dir=self._path.parent)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError as error:
            raise InvalidInputError(f"{self._path} cannot be written: {error.strerror}") from error
        self._unfinished = Path(name)
        self._file: IO[bytes] = os.fdopen(descriptor, "w+b")
        self._zip = zipfile.ZipFile(
            self._file, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESSION, allowZip64=True
        )
        return self

    async def put_table(self, table: CopiedTable, copy: Callable[[Write], Awaitable[int]]) -> None:
        """Write the rows of a table, which `copy` gives to what it is given."""
        digest = hashlib.sha256()
        with self._zip.open(_entry(table.name), "w", force_zip64=True) as entry:

            async def write(piece: bytes) -> None:
                digest.update(piece)
                entry.write(piece)

            rows = await copy(write)
        self.tables[table.name] = TableEntry(columns=table.columns, rows=rows, sha256=digest.hexdigest())

    def finish(self, manifest: Manifest) -> int:
        """Write the manifest, put the file in its place, and return how many bytes it has."""
        self._zip.writestr(_MANIFEST, manifest.model_dump_json(indent=1))
        self._zip.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        size = self._file.tell()
        self._unfinished.replace(self._path)
        sync_folder(self._path.parent)
        return size

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove what was not finished."""
        with suppress(Exception):
            self._zip.close()
        self._file.close()
        self._unfinished.unlink(missing_ok=True)


def _remove_abandoned(folder: Path) -> None:
    """Remove unfinished files of killed processes, which nobody holds locked any more."""
    for found in folder.glob(f"{_UNFINISHED}*"):
        with suppress(OSError), found.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            found.unlink()


class BackupReader:
    """A backup that is whole, and of a form that this version knows."""

    def __init__(self, archive: zipfile.ZipFile, manifest: Manifest) -> None:
        self._zip = archive
        self.manifest: Final = manifest

    def tables(self) -> list[CopiedTable]:
        """Return the tables whose rows it has."""
        return [CopiedTable(name=name, columns=entry.columns) for name, entry in self.manifest.tables.items()]

    async def pieces(self, table: CopiedTable) -> AsyncIterator[bytes]:
        """Give the rows of a table, piece by piece."""
        with self._zip.open(_entry(table.name)) as entry:
            while piece := entry.read(_PIECE_BYTES):
                yield piece


@contextmanager
def opened(path: Path) -> Iterator[BackupReader]:
    """Open a backup, and look through all of it first.

    Raises `InvalidInputError`, in one sentence, for what is no backup, damaged, cut off, or of a newer version.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise InvalidInputError(f"{path} cannot be read: {error.strerror}") from error
    with file:
        try:
            _refuse_dump(path, file.read(_HEAD_BYTES))
            archive = zipfile.ZipFile(file)
            manifest = _manifest_in(path, archive)
            _look_through(path, archive, manifest)
        except _DAMAGES as error:
            raise InvalidInputError(
                f"{path} is no backup of Keepsake, or it is cut off or damaged: nothing was changed"
            ) from error
        yield BackupReader(archive, manifest)


def _refuse_dump(path: Path, head: bytes) -> None:
    if not head.startswith(_DUMPS):
        return
    found = _VERSION.search(head)
    version = f" {found[1].decode()}" if found else ""
    program = "pg_restore" if head.startswith(_DUMPS[0]) else "psql"
    raise InvalidInputError(
        f"{path} is a dump of Postgres{version} by pg_dump and no backup of Keepsake: only {program} can read it, into"
        f" a server that is not older ({f'Postgres{version} or newer' if version else 'than the one it is from'})"
    )


def _manifest_in(path: Path, archive: zipfile.ZipFile) -> Manifest:
    told = archive.read(_MANIFEST)
    try:
        known = _FormatOnly.model_validate_json(told)
        if known.format > FORMAT or known.revision not in migrations.revisions():
            raise InvalidInputError(
                f"{path} was written by a newer Keepsake ({known.keepsake}, revision {known.revision}): install that"
                " version"
            )
        return Manifest.model_validate_json(told)
    except ValidationError as error:
        raise InvalidInputError(
            f"{path} is no backup of Keepsake: it has no list of what is in it"
        ) from error


def _look_through(path: Path, archive: zipfile.ZipFile, manifest: Manifest) -> None:
    for name, table in manifest.tables.items():
        digest = hashlib.sha256()
        with archive.open(_entry(name)) as entry:
            while piece := entry.read(_PIECE_BYTES):
                digest.update(piece)
        if digest.hexdigest() != table.sha256:
            raise InvalidInputError(
                f"{path} is damaged: its table {name} is not what it was, nothing was changed"
            )


def _entry(table: str) -> str:
    return f"tables/{table}"

"""Imports files that DiscordChatExporter wrote into the message log, in batches; whatever is there already
is left as it is.
"""

import asyncio
import json
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final, Self, TextIO, TypeAlias

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bot.adapters.archive.records import (
    ArchivedMessage,
    BrokenRecord,
    JsonObject,
    id_of,
    object_of,
    read_record,
    text_of,
)
from bot.app import open_keepsake
from bot.chat.keepsake import Keepsake
from bot.core.clock import SystemClock
from bot.core.domain import OPEN, Channel, Guild, Member
from bot.core.errors import ArchiveError, InvalidInputError
from bot.core.settings import Settings

logger = logging.getLogger(__name__)


_CHUNK_CHARACTERS: Final = 1 << 20
_MAX_VALUE_CHARACTERS: Final = 1 << 26
"""The longest single value: a message with all its reactions takes some megabytes, and a damaged file must
not be read into memory as a whole in search of the end of a value."""

_MAX_DIGITS: Final = 4000
"""Python refuses to read longer integers; they stay text, and are no id of anything."""


class JsonError(Exception):
    """The document is no JSON object; the text completes a sentence that begins with its name."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the document; the value of the streamed list is always empty, its elements follow."""

    name: str
    value: object


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the streamed list; positions count from 1."""

    position: int
    value: object


def read(file: TextIO, *, streamed: str) -> Iterator[Field | Element]:
    """Yield the fields of the one object in `file`, and each element of its list `streamed` by itself.

    Raises `JsonError` where the text stops to be the JSON of an object.
    """
    source = _Source(file)
    if source.peek() != "{":
        raise JsonError('does not begin with "{"')
    source.skip("{")
    while source.peek() != "}":
        name = source.value()
        if not isinstance(name, str):
            raise JsonError("has a field without a name")
        source.skip(":")
        if name == streamed and source.peek() == "[":
            yield Field(name, [])
            yield from _elements(source)
        else:
            yield Field(name, source.value())
        if source.peek() != "}":
            source.skip(",")
    source.skip("}")
    if source.peek():
        raise JsonError("goes on after its end")


def _elements(source: "_Source") -> Iterator[Element]:
    source.skip("[")
    position = 0
    while source.peek() != "]":
        position += 1
        yield Element(position, source.value())
        if source.peek() != "]":
            source.skip(",")
    source.skip("]")


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MAX_DIGITS else digits


# Not strict: a stray control character in somebody's words is no reason to lose a whole channel.
_DECODER: Final = json.JSONDecoder(strict=False, parse_int=_integer)


class _Source:
    """The text of a file from the place that has been read up to."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._text = ""
        self._position = 0

    def peek(self) -> str:
        """Return the next character that is no white space, or "" at the end of the file."""
        while True:
            while self._position < len(self._text):
                if self._text[self._position] not in " \t\r\n":
                    return self._text[self._position]
                self._position += 1
            if not self._read_on(_CHUNK_CHARACTERS):
                return ""

    def skip(self, sign: str) -> None:
        """Go past `sign`, which must come next."""
        found = self.peek()
        if not found:
            raise JsonError("ends in the middle")
        if found != sign:
            raise JsonError(f"has {found!r} where {sign!r} should be")
        self._position += 1

    def value(self) -> object:
        """Go past the value that comes next and return it."""
        self.peek()
        while True:
            value, end, reason = self._decode()
            # A number may go on in the part that has not been read yet.
            if reason is None and end < len(self._text):
                self._position = end
                return value
            held = len(self._text) - self._position
            if held > _MAX_VALUE_CHARACTERS:
                raise JsonError(reason or "has a value that is too long")
            if not self._read_on(held + _CHUNK_CHARACTERS):
                if reason is not None:
                    raise JsonError(reason)
                self._position = end
                return value

    def _decode(self) -> tuple[object, int, str | None]:
        """Return the next value, where it ends, and `None`; or why there is none in what has been read."""
        try:
            value, end = _DECODER.raw_decode(self._text, self._position)
        except json.JSONDecodeError:
            return None, self._position, "is cut off or damaged"
        except RecursionError:
            raise JsonError("is nested too deeply") from None
        return value, end, None

    def _read_on(self, characters: int) -> bool:
        """Read more and discard what is already processed; tell whether there was more."""
        try:
            more = self._file.read(characters)
        except UnicodeDecodeError:
            raise JsonError("is not written in UTF-8") from None
        self._text = self._text[self._position :] + more
        self._position = 0
        return bool(more)


_NO_GUILD: Final = "0"
"""The exporter's guild of all direct messages."""

_PRIVATE_THREAD: Final = "GuildPrivateThread"
_OPEN_THREADS: Final = frozenset({"GuildPublicThread", "GuildNewsThread"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFile:
    """An export that was read through once and found to be whole; its messages are read again as needed."""

    file: Path
    guild: Guild
    channel: Channel
    records: int
    """How many records it holds, broken ones too."""
    private: bool = False
    """Whether it is of a private thread, which only its members can read."""
    parent_id: int | None = None
    """For a public thread, the channel that it belongs to."""

    @classmethod
    def open(cls, file: Path) -> Self:
        """Read `file` through; raises `ArchiveError` if it is no whole export, in one line that says why."""
        header: dict[str, object] = {}
        records = 0
        with _refusals(file):
            for part in _parts(file):
                match part:
                    case Field():
                        header[part.name] = part.value
                    case Element():
                        records = part.position
            return cls._from_header(file, header, records=records)

    @classmethod
    def _from_header(cls, file: Path, header: JsonObject, *, records: int) -> Self:
        for name in ("guild", "channel"):
            if not isinstance(header.get(name), dict):
                raise JsonError(f'has no object "{name}"')
        if not isinstance(header.get("messages"), list):
            raise JsonError('has no list "messages"')
        guild, channel = object_of(header, "guild"), object_of(header, "channel")
        channel_id = id_of(channel, "id")
        if channel_id is None:
            raise JsonError("names no channel by its id")
        direct = guild.get("id") == _NO_GUILD
        guild_id = channel_id if direct else id_of(guild, "id")
        if guild_id is None:
            raise JsonError("names no guild by its id")
        name, kind_of_channel = text_of(channel, "name"), text_of(channel, "type")
        return cls(
            file=file,
            guild=Guild(guild_id=guild_id, name=name if direct else text_of(guild, "name"), direct=direct),
            channel=Channel(guild_id=guild_id, channel_id=channel_id, name=name),
            records=records,
            private=kind_of_channel == _PRIVATE_THREAD,
            parent_id=id_of(channel, "categoryId") if kind_of_channel in _OPEN_THREADS else None,
        )

    def messages(self, *, audience: int) -> Iterator[ArchivedMessage | BrokenRecord]:
        """Yield each record in the order of the file, as a message for `audience` or as broken.

        Raises `ArchiveError` if the file is no longer the one that was opened.
        """
        channel = replace(self.channel, audience=audience)
        with _refusals(self.file):
            for part in _parts(self.file):
                if isinstance(part, Element):
                    yield read_record(part.position, part.value, channel=channel)


def shown_name(file: Path) -> str:
    """Return the name of `file` for a line of output, whatever bytes it is made of."""
    name = file.name or str(file)
    return name if name.isprintable() else ascii(name)


def _parts(file: Path) -> Iterator[Field | Element]:
    if not file.is_file():
        raise OSError("it is no ordinary file" if file.exists() else "there is no such file")
    with file.open(encoding="utf-8-sig", newline="") as text:
        yield from read(text, streamed="messages")


@contextmanager
def _refusals(file: Path) -> Iterator[None]:
    """Turn whatever keeps `file` from being read into one sentence."""
    try:
        yield
    except JsonError as error:
        raise ArchiveError(
            f"{shown_name(file)} is no JSON export of DiscordChatExporter that can be read: it {error}"
        ) from None
    except OSError as error:
        # The place matters here, not only the name.
        place = str(file) if str(file).isprintable() else ascii(str(file))
        raise ArchiveError(f"{place} cannot be read: {error.strerror or error}") from None


BATCH_RECORDS: Final = 500
"""As many as the writer of messages takes in one transaction."""

_FOR_EVER: Final = 0
_MAX_RETENTION_DAYS: Final = 36_500
_BROKEN_NAMED: Final = 10

ProgressListener: TypeAlias = Callable[[ExportFile, int], None]
"""Is told, after each batch, how many records of an export have been dealt with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What became of the records of one file."""

    file: Path
    new: int
    known: int
    broken: tuple[BrokenRecord, ...] = ()

    @property
    def messages(self) -> int:
        """How many records there were, broken ones too."""
        return self.new + self.known + len(self.broken)

    def __str__(self) -> str:
        line = (
            f"{shown_name(self.file)}: {self.messages} messages: "
            f"{self.new} new, {self.known} known, {len(self.broken)} broken"
        )
        if not self.broken:
            return line
        named = ", ".join(str(broken) for broken in self.broken[:_BROKEN_NAMED])
        more = len(self.broken) - _BROKEN_NAMED
        return f"{line}: {named}, and {more} more" if more > 0 else f"{line}: {named}"


async def import_files(
    keepsake: Keepsake,
    files: Sequence[Path],
    *,
    retention_days: int | None = None,
    progress: ProgressListener | None = None,
) -> list[ImportReport]:
    """Take `files` into the log, as `import_exports` does.

    Raises `ArchiveError` before anything is written if one of them is no export.
    """
    exports = [ExportFile.open(file) for file in files]
    return await import_exports(keepsake, exports, retention_days=retention_days, progress=progress)


async def import_exports(
    keepsake: Keepsake,
    exports: Sequence[ExportFile],
    *,
    retention_days: int | None = None,
    progress: ProgressListener | None = None,
) -> list[ImportReport]:
    """Take `exports` into the log and return one report for each; broken records are left out.

    A guild that is not known yet is made, and keeps its messages for `retention_days`, for ever if that is 0
    or `None`; a known one stays as it is. What was killed in the middle is completed by the same call.
    Raises `InvalidInputError` for an impossible number of days, `ArchiveError` if a file changes meanwhile.
    """
    if retention_days is not None and not 0 <= retention_days <= _MAX_RETENTION_DAYS:
        raise InvalidInputError(
            f"messages cannot be kept for {retention_days} days: 0 (for ever) to {_MAX_RETENTION_DAYS} are allowed"
        )
    return [await _import(keepsake, export, retention_days, progress) for export in exports]


def run(settings: Settings, files: Sequence[Path], retention_days: int | None) -> int:
    """Import `files` for somebody at a terminal: a report on standard output, the rest on standard error.

    Returns the exit status: 0, or 1 if a file could not be read while others were imported, or that of
    `ArchiveError` if none could be read, in which case no database is opened.
    """
    exports = []
    for file in files:
        try:
            exports.append(ExportFile.open(file))
        except ArchiveError as error:
            print(error, file=sys.stderr)
    if not exports:
        return ArchiveError.exit_status
    for report in asyncio.run(_import_with_progress_bar(settings, exports, retention_days)):
        print(report)
    return 0 if len(exports) == len(files) else 1


async def _import_with_progress_bar(
    settings: Settings, exports: Sequence[ExportFile], retention_days: int | None
) -> list[ImportReport]:
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    # What others print meanwhile goes where it was meant to, not to the bar's standard error.
    bar = Progress(*columns, console=console, disable=not console.is_terminal, redirect_stdout=False)
    with bar:
        tasks = {
            export.file: bar.add_task(shown_name(export.file), total=export.records) for export in exports
        }
        async with open_keepsake(settings, SystemClock()) as keepsake:
            return await import_exports(
                keepsake,
                exports,
                retention_days=retention_days,
                progress=lambda export, done: bar.update(tasks[export.file], completed=done),
            )


async def _import(
    keepsake: Keepsake, export: ExportFile, retention_days: int | None, progress: ProgressListener | None
) -> ImportReport:
    audience = await _take_up(keepsake, export, retention_days)
    new = known = 0
    broken: list[BrokenRecord] = []
    names: dict[int, Member] = {}
    done = 0
    for batch in _batches(export.messages(audience=audience)):
        heard = [record for record in batch if isinstance(record, ArchivedMessage)]
        broken += [record for record in batch if isinstance(record, BrokenRecord)]
        await _meet(keepsake, heard, names)
        ingested = await keepsake.memory.ingest_messages([record.message for record in heard])
        new += ingested.new
        known += ingested.known
        done += len(batch)
        if progress is not None:
            progress(export, done)
    return ImportReport(file=export.file, new=new, known=known, broken=tuple(broken))


async def _take_up(keepsake: Keepsake, export: ExportFile, retention_days: int | None) -> int:
    """Make the guild and the channel known, and return the audience of the channel's messages.

    A known channel keeps its audience, and a public thread has its parent's. A private thread is closed:
    what was said there stays there.
    """
    directory = keepsake.directory
    guild = replace(
        export.guild, retention_days=retention_days or _FOR_EVER, time_zone=keepsake.settings.time_zone
    )
    known = await directory.guild(guild.guild_id)
    if known is None or guild.name:
        await directory.add_guild(guild)
    if known is not None and retention_days is not None and known.retention_days != retention_days:
        logger.warning(
            "guild %d is known and keeps its own retention, not %d days", guild.guild_id, retention_days
        )
    channel = replace(export.channel, audience=export.channel.channel_id if export.private else OPEN)
    if export.parent_id is not None:
        parent = await directory.channel(guild_id=guild.guild_id, channel_id=export.parent_id)
        channel = replace(channel, audience=parent.audience) if parent is not None else channel
    before = await directory.channel(guild_id=guild.guild_id, channel_id=channel.channel_id)
    if before is not None:
        channel = replace(channel, audience=before.audience, name=channel.name or before.name)
    await directory.put_channel(channel)
    return channel.audience


async def _meet(keepsake: Keepsake, heard: Sequence[ArchivedMessage], names: dict[int, Member]) -> None:
    """Take up the members in `heard` whose names are not yet those in `names`; the last name seen holds."""
    met: dict[int, Member] = {}
    for record in heard:
        author, *mentioned = record.members
        met[author.user_id] = author
        for member in mentioned:
            if member.user_id not in names:
                met.setdefault(member.user_id, member)
    erased = await _erased(keepsake, heard)
    await keepsake.directory.put_members(
        [member for user_id, member in met.items() if names.get(user_id) != member and user_id not in erased],
        are_here=False,
    )
    names.update(met)


async def _erased(keepsake: Keepsake, heard: Sequence[ArchivedMessage]) -> frozenset[int]:
    """Return the members whom these messages made known and who were erased after the last of them."""
    if not heard:
        return frozenset()
    in_order = sorted(heard, key=lambda record: record.message.timestamp)
    seen_at = {member.user_id: record.message.timestamp for record in in_order for member in record.members}
    return await keepsake.memory.erasing.erased_since(guild_id=heard[0].message.guild_id, seen_at=seen_at)


def _batches(
    records: Iterator[ArchivedMessage | BrokenRecord],
) -> Iterator[list[ArchivedMessage | BrokenRecord]]:
    while batch := list(islice(records, BATCH_RECORDS)):
        yield batch

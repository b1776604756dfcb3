"""One file that DiscordChatExporter wrote: the guild and the channel it is of, and the messages in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from bot.domain import Channel, Guild
from bot.errors import ArchiveError
from bot.faces.archive import json_stream
from bot.faces.archive.fields import JsonObject, id_of, object_of, text_of
from bot.faces.archive.json_stream import Element, Field, JsonError
from bot.faces.archive.records import Broken, Heard, read_record

_NO_GUILD: Final = "0"
"""The exporter's guild of all direct messages."""

_PRIVATE_THREAD: Final = "GuildPrivateThread"
_OPEN_THREADS: Final = frozenset({"GuildPublicThread", "GuildNewsThread"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
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

    def messages(self, *, audience: int) -> Iterator[Heard | Broken]:
        """Yield each record in the order of the file, as a message for `audience` or as broken.

        Raises `ArchiveError` if the file is no longer the one that was opened.
        """
        channel = replace(self.channel, audience=audience)
        with _refusals(self.file):
            for part in _parts(self.file):
                if isinstance(part, Element):
                    yield read_record(part.position, part.value, channel=channel)


def shown(file: Path) -> str:
    """Return the name of `file` for a line of output, whatever bytes it is made of."""
    name = file.name or str(file)
    return name if name.isprintable() else ascii(name)


def _parts(file: Path) -> Iterator[Field | Element]:
    if not file.is_file():
        raise OSError("it is no ordinary file" if file.exists() else "there is no such file")
    with file.open(encoding="utf-8-sig", newline="") as text:
        yield from json_stream.read(text, streamed="messages")


@contextmanager
def _refusals(file: Path) -> Iterator[None]:
    """Turn whatever keeps `file` from being read into one sentence."""
    try:
        yield
    except JsonError as error:
        raise ArchiveError(
            f"{shown(file)} is no JSON export of DiscordChatExporter that can be read: it {error}"
        ) from None
    except OSError as error:
        # The place matters here, not only the name.
        place = str(file) if str(file).isprintable() else ascii(str(file))
        raise ArchiveError(f"{place} cannot be read: {error.strerror or error}") from None

"""`keepsake export`: writing all that is kept about one member into a file."""

import asyncio
import os
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from bot.domain import OPEN
from bot.errors import InvalidInputError
from bot.memory.exporting import Exporting

Print = Callable[[str], None]

_ARCHIVE: Final = ".zip"
_FOR_THE_OWNER_ALONE: Final = 0o600


@dataclass(frozen=True, slots=True)
class Wanted:
    """Of whom what is wanted."""

    user_id: int
    guild_id: int | None
    """`None`: of every guild."""
    everything: bool
    """What belongs to closed rooms as well, whether the member can read them or not; else what is open."""


async def export_member(exporting: Exporting, wanted: Wanted, file: Path, *, show: Print) -> int:
    """Write what is kept about a member into `file`, which must be new, say how long it is, and return the exit status.

    An archive (`.zip`) holds one file for each guild. Nothing is left of a file that could not be written whole.
    Raises `InvalidInputError` if `file` is there or cannot be made, or nothing is kept of the member.
    """
    guild_ids = await _guilds(exporting, wanted)
    if len(guild_ids) > 1 and file.suffix.lower() != _ARCHIVE:
        raise InvalidInputError(
            f"{len(guild_ids)} guilds keep something of member {wanted.user_id}: name one by --guild, or a file that"
            f" ends in {_ARCHIVE} for all of them, instead of {str(file)!r}"
        )
    if await asyncio.to_thread(file.exists):
        raise InvalidInputError(f"{str(file)!r} exists already: name a file that is to be made")
    part = file.with_name(f".{file.name}.part")
    try:
        await _write(exporting, wanted, guild_ids, file, part)
    except OSError as error:
        raise InvalidInputError(f"{str(file)!r} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            await asyncio.to_thread(part.unlink, missing_ok=True)
    size = (await asyncio.to_thread(file.stat)).st_size
    show(f"{size:,} bytes about member {wanted.user_id} were written to {file}, which only you can read.")
    return 0


async def _guilds(exporting: Exporting, wanted: Wanted) -> Sequence[int]:
    """Return the guilds that are wanted and keep anything of the member."""
    known = await exporting.guilds_of(wanted.user_id)
    if wanted.guild_id is None and known:
        return known
    if wanted.guild_id in known:
        return [wanted.guild_id]
    where = "any guild" if wanted.guild_id is None else f"guild {wanted.guild_id}"
    raise InvalidInputError(f"nothing is kept of member {wanted.user_id} in {where}")


async def _write(
    exporting: Exporting, wanted: Wanted, guild_ids: Sequence[int], file: Path, part: Path
) -> None:
    """Write the file under the name `part`, and give it its own only when it is whole."""
    with await asyncio.to_thread(_made, part) as into:
        if file.suffix.lower() == _ARCHIVE:
            with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
                for guild_id in guild_ids:
                    with archive.open(f"memory-{guild_id}.json", "w", force_zip64=True) as entry:
                        await _fill(entry, exporting, wanted, guild_id)
        else:
            await _fill(into, exporting, wanted, guild_ids[0])
    await asyncio.to_thread(part.rename, file)


async def _fill(into: IO[bytes], exporting: Exporting, wanted: Wanted, guild_id: int) -> None:
    audiences = None if wanted.everything else (OPEN,)
    async for piece in exporting.pieces(guild_id=guild_id, user_id=wanted.user_id, audiences=audiences):
        await asyncio.to_thread(into.write, piece)


def _made(part: Path) -> IO[bytes]:
    """Return a new file that nobody else can read, in the place of what a killed run left of it."""
    part.unlink(missing_ok=True)
    return os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FOR_THE_OWNER_ALONE), "wb")

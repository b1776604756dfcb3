"""What whoever runs the installation does from its command line: listing and removing episodes, erasing a
member, and exporting what is kept about one.
"""

import asyncio
import os
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import IO, Final

from bot.core.domain import OPEN, Episode
from bot.core.errors import InvalidInputError
from bot.memory.members.directory import Directory
from bot.memory.members.subjects import rendered
from bot.memory.rights.erasing.batches import Erased
from bot.memory.rights.erasing.erasing import Erasing
from bot.memory.rights.exporting.exporting import Exporting
from bot.memory.summaries.episodes import KeptEpisodes

Print = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class EpisodeSelection:
    """Which episodes are meant; `None` leaves it open."""

    guild_id: int | None = None
    channel_id: int | None = None
    episode_id: int | None = None


async def list_episodes(
    kept: KeptEpisodes, directory: Directory, chosen: EpisodeSelection, *, show: Print
) -> int:
    """Show the chosen episodes by guild and channel, newest first, and return the exit status."""
    found = await _found(kept, chosen)
    for (guild_id, channel_id), episodes in groupby(found, lambda one: (one.guild_id, one.channel_id)):
        show(await _heading(directory, guild_id, channel_id))
        names = {member.user_id: member.name for member in await directory.members(guild_id)}
        for episode in episodes:
            show(_line(episode, rendered(episode.content, names)))
    show(f"{_counted(len(found))} found.")
    return 0


async def purge_episodes(kept: KeptEpisodes, chosen: EpisodeSelection, *, show: Print) -> int:
    """Remove one episode, or all of a channel, say how many went, and return the exit status.

    Raises `InvalidInputError` if it is not said which, or nothing of the kind is kept.
    """
    if (chosen.episode_id is None) == (chosen.channel_id is None):
        raise InvalidInputError(
            "it must be said what is to be removed: one episode by its id, as in 'keepsake episodes purge 17', or all"
            " of a channel, as in 'keepsake episodes purge --channel 1200000000000000001'"
        )
    found = await _found(kept, chosen)
    if not found:
        what = (
            f"episode {chosen.episode_id}" if chosen.episode_id else f"episode of channel {chosen.channel_id}"
        )
        raise InvalidInputError(f"no {what} is kept; 'keepsake episodes list' shows those that are")
    removed = 0
    for guild_id, channel_id in dict.fromkeys((one.guild_id, one.channel_id) for one in found):
        removed += await kept.purge(guild_id=guild_id, channel_id=channel_id, episode_id=chosen.episode_id)
    show(f"{_counted(removed)} removed.")
    return 0


async def _found(kept: KeptEpisodes, chosen: EpisodeSelection) -> Sequence[Episode]:
    return await kept.everywhere(
        guild_id=chosen.guild_id, channel_id=chosen.channel_id, episode_id=chosen.episode_id
    )


async def _heading(directory: Directory, guild_id: int, channel_id: int) -> str:
    place = await directory.place(guild_id=guild_id, channel_id=channel_id)
    guild = place.guild.name if place.guild is not None and place.guild.name else "unnamed"
    channel = f"#{place.channel.name}" if place.channel is not None and place.channel.name else "unnamed"
    return f"guild {guild_id} ({guild}), channel {channel_id} ({channel}):"


def _line(episode: Episode, text: str) -> str:
    return f"  {episode.episode_id}  {episode.created_at:%Y-%m-%d}  importance {episode.importance}  {text}"


def _counted(count: int) -> str:
    return "1 episode was" if count == 1 else f"{count} episodes were"


Ask = Callable[[str], str]
"""Puts a question and returns the line that was typed; raises `EOFError` where nobody can type."""

_NOT_MEANT = 1
_UNFINISHED = 3
_MEANT = frozenset({"y", "yes"})


@dataclass(frozen=True, slots=True, kw_only=True)
class EraseRequest:
    """Whom to erase, and from where."""

    user_id: int
    guild_id: int | None = None
    everywhere: bool = False
    """Also what others keep in closed channels; without a guild in all of them."""
    confirmed: bool = False


async def erase_member(erasing: Erasing, chosen: EraseRequest, *, show: Print, ask: Ask) -> int:
    """Show what would go, ask whether it is meant, erase, and show what went. Returns the exit status.

    It is 1, and nothing is erased, if it is not meant; 3 if older transactions must end first. Raises
    `InvalidInputError` if it is not said where, or nobody is there to be asked.
    """
    guild_ids = await _guild_ids(erasing, chosen)
    audiences = None if chosen.everywhere else ()
    if not chosen.confirmed:
        there = Erased()
        for guild_id in guild_ids:
            there += await erasing.counted(guild_id=guild_id, user_id=chosen.user_id, audiences=audiences)
        show(f"Of member {chosen.user_id} there is: {_told(there)}.")
        if not _is_meant(ask):
            show("Nothing was erased.")
            return _NOT_MEANT
    erased = Erased()
    for guild_id in guild_ids:
        erased += await erasing.erase_member(
            guild_id=guild_id, user_id=chosen.user_id, audiences=audiences, opted_out=False
        )
    if replace(erased, unfinished=0) or not erased.unfinished:
        show(f"Erased: {_told(erased)}.")
    if erased.waiting:
        show(
            "What waits was told by others in closed channels: a manager of the server decides about it;"
            " --all erases it now."
        )
    if erased.unfinished:
        where = "1 server" if erased.unfinished == 1 else f"{erased.unfinished:,} servers"
        show(
            f"Still waiting in {where}: transactions of others that began before are open in the database, and could"
            " write something back. The bot goes on by itself within a minute after they end, or when it is started."
        )
        return _UNFINISHED
    return 0


async def _guild_ids(erasing: Erasing, chosen: EraseRequest) -> Sequence[int]:
    if chosen.guild_id is None:
        if not chosen.everywhere:
            raise InvalidInputError(
                "it must be said where: in one server, as in --guild 1200000000000000001, or everywhere by --all"
            )
        return await erasing.guild_ids()
    known = await erasing.guild_ids()
    if chosen.guild_id not in known:
        raise InvalidInputError(
            f"nothing is kept of a guild {chosen.guild_id}: it must be the id of a server that the bot has heard"
        )
    return [chosen.guild_id]


def _is_meant(ask: Ask) -> bool:
    try:
        return ask("It cannot be brought back. Erase it? [y/N] ").strip().lower() in _MEANT
    except EOFError:
        raise InvalidInputError("nobody is there to be asked: --yes erases without a question") from None


def _told(erased: Erased) -> str:
    counts = (
        (erased.messages, "message", "messages"),
        (erased.answers, "answer of the bot", "answers of the bot"),
        (erased.facts, "fact", "facts"),
        (erased.profiles, "version of a profile", "versions of a profile"),
        (erased.texts, "summary", "summaries"),
        (erased.episodes, "episode", "episodes"),
        (erased.mentions, "mention by others", "mentions by others"),
        (erased.waiting, "fact that waits", "facts that wait"),
    )
    told = [f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count]
    return ", ".join(told) or "nothing"


_ARCHIVE: Final = ".zip"
_FOR_THE_OWNER_ALONE: Final = 0o600


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """Of whom what is wanted."""

    user_id: int
    guild_id: int | None
    """`None`: of every guild."""
    everything: bool
    """What belongs to closed rooms as well, whether the member can read them or not; else what is open."""


async def export_member(exporting: Exporting, wanted: ExportRequest, file: Path, *, show: Print) -> int:
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


async def _guilds(exporting: Exporting, wanted: ExportRequest) -> Sequence[int]:
    """Return the guilds that are wanted and keep anything of the member."""
    known = await exporting.guilds_of(wanted.user_id)
    if wanted.guild_id is None and known:
        return known
    if wanted.guild_id in known:
        return [wanted.guild_id]
    where = "any guild" if wanted.guild_id is None else f"guild {wanted.guild_id}"
    raise InvalidInputError(f"nothing is kept of member {wanted.user_id} in {where}")


async def _write(
    exporting: Exporting, wanted: ExportRequest, guild_ids: Sequence[int], file: Path, part: Path
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


async def _fill(into: IO[bytes], exporting: Exporting, wanted: ExportRequest, guild_id: int) -> None:
    audiences = None if wanted.everything else (OPEN,)
    async for piece in exporting.pieces(guild_id=guild_id, user_id=wanted.user_id, audiences=audiences):
        await asyncio.to_thread(into.write, piece)


def _made(part: Path) -> IO[bytes]:
    """Return a new file that nobody else can read, in the place of what a killed run left of it."""
    part.unlink(missing_ok=True)
    return os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FOR_THE_OWNER_ALONE), "wb")

"""The operator's commands: listing and removing episodes, erasing a member, exporting what is kept about one, and the
tokens of the admin API.
"""

import asyncio
import os
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import IO, Final

from bot.core.domain import OPEN, Episode
from bot.core.errors import InvalidInputError
from bot.memory.members.directory import Directory
from bot.memory.members.subjects import rendered
from bot.memory.rights.access.access import OperatorAccess
from bot.memory.rights.access.records import AccessScope
from bot.memory.rights.erasing.batches import Erased
from bot.memory.rights.erasing.erasing import Erasing
from bot.memory.rights.exporting.exporting import Exporting
from bot.memory.summaries.episodes import KeptEpisodes


async def list_episodes(
    kept: KeptEpisodes, directory: Directory, guild_id: int | None, channel_id: int | None
) -> int:
    """Show the episodes of a guild or of a channel, or all, newest first, and return the exit status."""
    found = await kept.everywhere(guild_id=guild_id, channel_id=channel_id)
    for place, episodes in groupby(found, lambda one: (one.guild_id, one.channel_id)):
        print(await _heading(directory, *place))
        told = list(episodes)
        names = await directory.names(place[0], [episode.content for episode in told])
        for episode in told:
            print(_line(episode, rendered(episode.content, names)))
    print(f"{_counted(len(found))} found.")
    return 0


async def purge_episodes(
    kept: KeptEpisodes, guild_id: int | None, channel_id: int | None, episode_id: int | None
) -> int:
    """Remove one episode, or all of a channel, say how many went, and return the exit status.

    Raises `InvalidInputError` if it is not said which, or nothing of the kind is kept.
    """
    if (episode_id is None) == (channel_id is None):
        raise InvalidInputError(
            "it must be said what is to be removed: one episode by its id, as in 'keepsake episodes purge 17', or all"
            " of a channel, as in 'keepsake episodes purge --channel 1200000000000000001'"
        )
    found = await kept.everywhere(guild_id=guild_id, channel_id=channel_id, episode_id=episode_id)
    if not found:
        what = f"episode {episode_id}" if episode_id else f"episode of channel {channel_id}"
        raise InvalidInputError(f"no {what} is kept; 'keepsake episodes list' shows those that are")
    removed = 0
    for guild, channel in dict.fromkeys((one.guild_id, one.channel_id) for one in found):
        removed += await kept.purge(guild_id=guild, channel_id=channel, episode_id=episode_id)
    print(f"{_counted(removed)} removed.")
    return 0


async def _heading(directory: Directory, guild_id: int, channel_id: int) -> str:
    place = await directory.place(guild_id=guild_id, channel_id=channel_id)
    guild = place.guild.name if place.guild is not None and place.guild.name else "unnamed"
    channel = f"#{place.channel.name}" if place.channel is not None and place.channel.name else "unnamed"
    return f"guild {guild_id} ({guild}), channel {channel_id} ({channel}):"


def _line(episode: Episode, text: str) -> str:
    return f"  {episode.episode_id}  {episode.created_at:%Y-%m-%d}  importance {episode.importance}  {text}"


def _counted(count: int) -> str:
    return "1 episode was" if count == 1 else f"{count} episodes were"


_NOT_MEANT = 1
_UNFINISHED = 3
_MEANT = frozenset({"y", "yes"})


async def erase_member(
    erasing: Erasing, user_id: int, guild_id: int | None, *, everywhere: bool, confirmed: bool
) -> int:
    """Show what would go, ask whether it is meant unless `confirmed`, erase, and show what went.

    `everywhere` takes also what others keep in closed channels; without a guild in all of them. Returns the exit
    status: 1, with nothing erased, if it is not meant; 3 if older transactions must end first. Raises
    `InvalidInputError` if it is not said where, or nobody is there to be asked.
    """
    guild_ids = await _guild_ids(erasing, guild_id, everywhere=everywhere)
    audiences = None if everywhere else ()
    if not confirmed:
        there = Erased()
        for one in guild_ids:
            there += await erasing.counted(guild_id=one, user_id=user_id, audiences=audiences)
        print(f"Of member {user_id} there is: {_told(there)}.")
        if not _is_meant():
            print("Nothing was erased.")
            return _NOT_MEANT
    erased = Erased()
    for one in guild_ids:
        erased += await erasing.erase_member(
            guild_id=one, user_id=user_id, audiences=audiences, opted_out=False
        )
    if replace(erased, unfinished=0) or not erased.unfinished:
        print(f"Erased: {_told(erased)}.")
    if erased.waiting:
        print(
            "What waits was told by others in closed channels: a manager of the server decides about it;"
            " --all erases it now."
        )
    if erased.unfinished:
        where = "1 server" if erased.unfinished == 1 else f"{erased.unfinished:,} servers"
        print(
            f"Still waiting in {where}: transactions of others that began before are open in the database, and could"
            " write something back. The bot goes on by itself within a minute after they end, or when it is started."
        )
        return _UNFINISHED
    return 0


async def _guild_ids(erasing: Erasing, guild_id: int | None, *, everywhere: bool) -> Sequence[int]:
    known = await erasing.guild_ids()
    if guild_id is None:
        if not everywhere:
            raise InvalidInputError(
                "it must be said where: in one server, as in --guild 1200000000000000001, or everywhere by --all"
            )
        return known
    if guild_id not in known:
        raise InvalidInputError(
            f"nothing is kept of a guild {guild_id}: it must be the id of a server that the bot has heard"
        )
    return [guild_id]


def _is_meant() -> bool:
    try:
        return input("It cannot be brought back. Erase it? [y/N] ").strip().lower() in _MEANT
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


async def export_member(
    exporting: Exporting, user_id: int, guild_id: int | None, file: Path, *, everything: bool
) -> int:
    """Write what is kept about a member into `file`, which must be new, say how long it is, and return the exit status.

    Without a guild it is that of every guild; an archive (`.zip`) holds one file for each. With `everything` it is also
    what belongs to closed rooms, whether the member can read them or not; else what is open. Nothing is left of a
    file that could not be written whole. Raises `InvalidInputError` if `file` is there or cannot be made, or nothing
    is kept of the member.
    """
    guild_ids = await _guilds(exporting, user_id, guild_id)
    if len(guild_ids) > 1 and file.suffix.lower() != _ARCHIVE:
        raise InvalidInputError(
            f"{len(guild_ids)} guilds keep something of member {user_id}: name one by --guild, or a file that"
            f" ends in {_ARCHIVE} for all of them, instead of {str(file)!r}"
        )
    if await asyncio.to_thread(file.exists):
        raise InvalidInputError(f"{str(file)!r} exists already: name a file that is to be made")
    part = file.with_name(f".{file.name}.part")
    try:
        await _write(exporting, user_id, guild_ids, file, part, None if everything else (OPEN,))
    except OSError as error:
        raise InvalidInputError(f"{str(file)!r} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):
            await asyncio.to_thread(part.unlink, missing_ok=True)
    size = (await asyncio.to_thread(file.stat)).st_size
    print(f"{size:,} bytes about member {user_id} were written to {file}, which only you can read.")
    return 0


async def _guilds(exporting: Exporting, user_id: int, guild_id: int | None) -> Sequence[int]:
    """Return the guilds that are wanted and keep anything of the member."""
    known = await exporting.guilds_of(user_id)
    if guild_id is None and known:
        return known
    if guild_id in known:
        return [guild_id]
    where = "any guild" if guild_id is None else f"guild {guild_id}"
    raise InvalidInputError(f"nothing is kept of member {user_id} in {where}")


async def _write(
    exporting: Exporting,
    user_id: int,
    guild_ids: Sequence[int],
    file: Path,
    part: Path,
    audiences: Sequence[int] | None,
) -> None:
    """Write the file under the name `part`, and give it its own only when it is whole."""

    async def fill(into: IO[bytes], guild_id: int) -> None:
        async for piece in exporting.pieces(guild_id=guild_id, user_id=user_id, audiences=audiences):
            await asyncio.to_thread(into.write, piece)

    with await asyncio.to_thread(_made, part) as into:
        if file.suffix.lower() == _ARCHIVE:
            with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
                for guild_id in guild_ids:
                    with archive.open(f"memory-{guild_id}.json", "w", force_zip64=True) as entry:
                        await fill(entry, guild_id)
        else:
            await fill(into, guild_ids[0])
    await asyncio.to_thread(part.rename, file)


def _made(part: Path) -> IO[bytes]:
    """Return a new file that nobody else can read, in the place of what a killed run left of it."""
    part.unlink(missing_ok=True)
    return os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FOR_THE_OWNER_ALONE), "wb")


async def create_token(access: OperatorAccess, name: str, scope: str) -> int:
    """Make a token, print it, and return the exit status."""
    token = await access.create_token(name, AccessScope(scope))
    print(token)
    print("It is shown this once: only a hash of it is kept.")
    return 0


async def list_tokens(access: OperatorAccess) -> int:
    """Show all tokens, those that were revoked too, and return the exit status."""
    found = await access.tokens()
    for one in found:
        used = f"last used {_minute(one.last_used_at)}" if one.last_used_at else "never used"
        state = f"revoked {_minute(one.revoked_at)}" if one.revoked_at else used
        print(f"{one.name}  {one.scope}  created {_minute(one.created_at)}, {state}")
    if not found:
        print("There is no token; 'keepsake token create NAME --scope read' makes one.")
    return 0


async def revoke_token(access: OperatorAccess, name: str) -> int:
    """Revoke a token, and return the exit status."""
    await access.revoke_token(name)
    print(f"{name} lets nobody in any more, and the sessions that it opened have ended.")
    return 0


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"

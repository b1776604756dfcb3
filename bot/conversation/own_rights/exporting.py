"""Handing members what is kept about them, as a file for themselves alone."""

import asyncio
import io
import zipfile
from collections.abc import Sequence
from typing import Final

from bot.conversation.own_rights.hands import MOST_BYTES, HandedFile
from bot.conversation.own_rights.own_answer import OwnAnswer
from bot.conversation.own_rights.own_texts import OwnText
from bot.conversation.own_rights.places import audiences_in, places_of, told_where, which_place
from bot.conversation.texts import say
from bot.conversation.turn import Doors, Turn
from bot.errors import ExportTooLargeError

_BYTES_IN_A_MEGABYTE: Final = 1_048_576


async def export(turn: Turn, doors: Doors, *, most_bytes: int = MOST_BYTES) -> OwnAnswer:
    """Return a file of what is kept about the asker, packed where it is larger than `most_bytes` or more than one."""
    places = await places_of(turn, doors)
    if places.choices:
        return which_place(turn, places.choices)
    day = turn.day(turn.message.timestamp)
    try:
        files = [
            HandedFile(f"memory-{guild_id}-{day}.json", await _of_guild(guild_id, turn, doors))
            for guild_id in places.guild_ids
        ]
    except ExportTooLargeError as error:
        return _too_large(turn, error.allowed_bytes)
    file = await asyncio.to_thread(packed, files, f"memory-{day}", most_bytes=most_bytes)
    if len(file.content) > most_bytes:
        return _too_large(turn, len(file.content))
    where = await told_where(places.guild_ids, turn, doors)
    return OwnAnswer(text=say(OwnText.EXPORTED, turn.language, where=where), file=file)


async def _of_guild(guild_id: int, turn: Turn, doors: Doors) -> bytes:
    return await doors.memory.exporting.export(
        guild_id=guild_id, user_id=turn.message.user_id, audiences=await audiences_in(guild_id, turn)
    )


def _too_large(turn: Turn, size_bytes: int) -> OwnAnswer:
    megabytes = size_bytes // _BYTES_IN_A_MEGABYTE
    return OwnAnswer(text=say(OwnText.EXPORT_TOO_LARGE, turn.language, megabytes=megabytes))


def packed(files: Sequence[HandedFile], name: str, *, most_bytes: int) -> HandedFile:
    """Return the one file as it is if it has at most `most_bytes`, else an archive called `name` of them all."""
    if len(files) == 1 and len(files[0].content) <= most_bytes:
        return HandedFile(f"{name}.json", files[0].content)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as into:
        for file in files:
            into.writestr(file.name, file.content)
    return HandedFile(f"{name}.zip", archive.getvalue())

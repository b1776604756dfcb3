"""What was edited and deleted while nobody listened: what is kept is compared with what Discord still has."""

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.errors import HistoryUnreadableError
from bot.faces.discord.audiences import can_read
from bot.faces.discord.reading_back import PAGE, Pace, Room, page_after
from bot.memory.library import Version

_UNKNOWN_MESSAGE: Final = 10008
"""Discord's code for a message that is gone, or never was."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What a part of a channel's history says otherwise than what is kept."""

    edited: tuple[discord.Message, ...] = ()
    deleted_ids: tuple[int, ...] = ()


def compared(kept: Sequence[Version], found: Iterable[discord.Message]) -> Differences:
    """Compare what is kept of a range of ids with all that Discord has there now.

    What is kept without its text stays so, and what is not kept was left out on purpose.
    """
    now = {message.id: message for message in found}
    told = [version for version in kept if version.withheld is None]
    return Differences(
        edited=tuple(
            message
            for version in told
            if (message := now.get(version.message_id)) is not None and _is_newer(message, version)
        ),
        deleted_ids=tuple(version.message_id for version in told if version.message_id not in now),
    )


async def differences(
    room: Room, kept: Sequence[Version], *, to_id: int, pace: Pace
) -> AsyncIterator[Differences]:
    """Read `room` from the oldest of `kept` up to `to_id`, and give what differs, page by page.

    Absence means deletion only where a page was really read. Raises `HistoryUnreadableError` if an answer
    cannot be trusted, since the bot may no longer read the room, and whatever the library raises.
    """
    told = [version for version in kept if version.withheld is None]
    after_id = told[0].message_id - 1 if told else to_id
    while after_id < to_id:
        page = await page_after(room, after_id, pace)
        read_to = to_id if len(page) < PAGE else min(page[-1].id, to_id)
        part = [version for version in told if after_id < version.message_id <= read_to]
        difference = compared(part, page)
        if difference.deleted_ids:
            await _trust(room, page, difference.deleted_ids)
        yield difference
        after_id = read_to


async def _trust(room: Room, page: Sequence[discord.Message], deleted_ids: Sequence[int]) -> None:
    """Raise `HistoryUnreadableError` unless these absences are deletions.

    To who lacks Read Message History everything is empty, which may hold a moment before the client hears of it.
    """
    if not can_read(room):
        raise HistoryUnreadableError(f"channel {room.id} may no longer be read")
    if page:
        return
    try:
        await room.fetch_message(deleted_ids[-1])
    except discord.NotFound as error:
        if error.code == _UNKNOWN_MESSAGE:
            return
        raise
    raise HistoryUnreadableError(f"channel {room.id} has messages that its history leaves out")


def _is_newer(message: discord.Message, version: Version) -> bool:
    edited_at = message.edited_at
    return edited_at is not None and (version.edited_at is None or edited_at > version.edited_at)

"""What was edited and deleted while nobody listened: what is kept is compared with what Discord still has."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import discord

from bot.domain import moment_of
from bot.errors import HistoryUnreadableError
from bot.faces.discord.audiences import can_read
from bot.faces.discord.pages import ask_for
from bot.faces.discord.reading_back import Pace, Page, Room, page_after
from bot.memory.library import Version

_UNKNOWN_MESSAGE: Final = 10008
"""Discord's code for a message that is gone, or never was."""

_LAG: Final = timedelta(minutes=1)
"""By how much what history shows may lag behind what was said: far more than was ever seen."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What a part of a channel's history says otherwise than what is kept."""

    edited: tuple[discord.Message, ...] = ()
    deleted_ids: tuple[int, ...] = ()


def compared(kept: Sequence[Version], page: Page) -> Differences:
    """Compare what is kept of a range of ids with all that Discord has there now.

    What is kept without its text stays so, and what is not kept was left out on purpose. What cannot be read is
    there all the same.
    """
    now = {message.id: message for message in page.messages}
    there = frozenset(page.ids)
    told = [version for version in kept if version.withheld is None]
    return Differences(
        edited=tuple(
            message
            for version in told
            if (message := now.get(version.message_id)) is not None and _is_newer(message, version)
        ),
        deleted_ids=tuple(version.message_id for version in told if version.message_id not in there),
    )


async def differences(room: Room, kept: Sequence[Version], *, pace: Pace) -> AsyncIterator[Differences]:
    """Read `room` from the oldest of `kept` to the newest, and give what differs, page by page.

    Absence means deletion only where a page was really read, and not where history may lag behind. Raises
    `HistoryUnreadableError` if an answer cannot be trusted, since the bot may no longer read the room, and
    whatever the library raises.
    """
    told = [version for version in kept if version.withheld is None]
    if not told:
        return
    after_id, to_id = told[0].message_id - 1, told[-1].message_id
    while after_id < to_id:
        page = await page_after(room, after_id, pace)
        read_to = to_id if page.is_last else min(page.newest_id, to_id)
        part = [version for version in told if after_id < version.message_id <= read_to]
        difference = compared(part, page)
        if difference.deleted_ids:
            gone = await _gone(room, page, difference.deleted_ids, pace)
            difference = Differences(edited=difference.edited, deleted_ids=gone)
        yield difference
        after_id = read_to


async def _gone(room: Room, page: Page, absent_ids: Sequence[int], pace: Pace) -> tuple[int, ...]:
    """Return those of `absent_ids`, oldest first, that were deleted.

    What is absent amid others was. What is absent behind all that history shows may only not be shown yet: of the
    newest of it, of all of it if one of these is there, each is asked for. To who lacks Read Message History
    everything is empty, which may hold a moment before the client hears of it: then nothing is believed.
    """
    if not can_read(room):
        raise HistoryUnreadableError(f"channel {room.id} may no longer be read")
    behind = [one for one in absent_ids if one > page.newest_id]
    if not behind:
        return tuple(absent_ids)
    newest_at = moment_of(behind[-1])
    fresh = [one for one in behind if newest_at - moment_of(one) <= _LAG]
    there = {one for one in reversed(fresh) if await _is_there(room, one, pace)}
    if there and not page.ids:
        raise HistoryUnreadableError(f"channel {room.id} has messages that its history leaves out")
    if there:
        there |= {one for one in behind[: -len(fresh)] if await _is_there(room, one, pace)}
    return tuple(one for one in absent_ids if one not in there)


async def _is_there(room: Room, message_id: int, pace: Pace) -> bool:
    """Ask for one message; raises what the library raises."""
    await pace.turn()
    try:
        await ask_for(room, message_id)
    except discord.NotFound as error:
        if error.code == _UNKNOWN_MESSAGE:
            return False
        raise
    return True


def _is_newer(message: discord.Message, version: Version) -> bool:
    edited_at = message.edited_at
    return edited_at is not None and (version.edited_at is None or edited_at > version.edited_at)

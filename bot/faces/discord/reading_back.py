"""Reading the history of a channel in pages, at a pace that leaves room for everything else."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Final

from bot.domain import snowflake_at
from bot.faces.discord.pages import PAGE, Page, Room, history_after, history_before

__all__ = ["LATE", "PAGE", "Pace", "Page", "Room", "joined_id", "missing", "page_after", "page_before"]

logger = logging.getLogger(__name__)

LATE: Final = timedelta(minutes=5)
"""A message older than this is no longer answered; commands in it are carried out without a word."""

_HELD: Final = 1_000
"""Messages held in memory while it is not known yet whether more are missing than may be read."""

_APART_SECONDS: Final = 0.05
"""Between two requests: twenty of the fifty that Discord allows in a second, the rest is for what goes on."""


def joined_id(room: Room) -> int:
    """Return the last id before the bot joined the guild of `room`, 0 in direct messages.

    Nothing before it is ever caught up: who removed the bot did not let it hear. Only who asks for the past gets it.
    """
    guild = room.guild
    if guild is None or guild.me is None or guild.me.joined_at is None:
        return 0
    return snowflake_at(guild.me.joined_at) - 1


class Pace:
    """Keeps the requests of all readers apart."""

    def __init__(self, seconds: float = _APART_SECONDS) -> None:
        self._seconds = seconds
        self._next = 0.0

    async def turn(self) -> None:
        """Wait until another request may be made."""
        now = asyncio.get_running_loop().time()
        mine = max(now, self._next)
        self._next = mine + self._seconds
        await asyncio.sleep(mine - now)


async def page_after(room: Room, after_id: int, pace: Pace) -> Page:
    """Return the first messages after `after_id`, oldest first."""
    await pace.turn()
    return await history_after(room, after_id)


async def page_before(room: Room, before_id: int | None, pace: Pace) -> Page:
    """Return the last messages before `before_id` (`None`: of all), newest first."""
    await pace.turn()
    return await history_before(room, before_id)


async def missing(room: Room, *, after_id: int, at_most: int, pace: Pace) -> AsyncIterator[Page]:
    """Give what was said after `after_id` in pages, oldest first; of more than `at_most` messages the newest."""
    held: list[Page] = []
    count = 0
    while count <= min(at_most, _HELD):
        page = await page_after(room, held[-1].newest_id if held else after_id, pace)
        held.append(page)
        count += len(page.ids)
        if page.is_last:
            if count > at_most:
                _tell_cut(room, at_most)
            for part in _newest(held, count, at_most):
                yield part
            return
    held.clear()
    last_id = await _start_of_newest(room, after_id=after_id, at_most=at_most, pace=pace)
    while True:
        page = await page_after(room, last_id, pace)
        if page.ids:
            last_id = page.newest_id
            yield page
        if page.is_last:
            return


def _newest(held: Sequence[Page], count: int, at_most: int) -> list[Page]:
    """Return what is left of pages of `count` messages if only the newest `at_most` are wanted."""
    ids = [one for page in held for one in page.ids]
    first_id = ids[max(0, count - at_most)] if ids else 0
    return [part for page in held if (part := page.since(first_id)).ids]


async def _start_of_newest(room: Room, *, after_id: int, at_most: int, pace: Pace) -> int:
    """Return the id after which the newest messages lie, `at_most` of them, or all since `after_id`."""
    first_id: int | None = None
    count = 0
    while count < at_most:
        page = await page_before(room, first_id, pace)
        ids = [one for one in page.ids if one > after_id][: at_most - count]
        count += len(ids)
        if ids:
            first_id = ids[-1]
        if (page.is_last or len(ids) < len(page.ids)) and count < at_most:
            return after_id
    _tell_cut(room, at_most)
    return after_id if first_id is None else first_id - 1


def _tell_cut(room: Room, at_most: int) -> None:
    logger.warning(
        "channel %d: more was missed than CATCH_UP_MESSAGES allows; the newest %d messages are read",
        room.id,
        at_most,
    )

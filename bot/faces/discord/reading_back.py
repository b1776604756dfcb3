"""Reading the history of a channel in pages, at a pace that leaves room for everything else."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Final, TypeAlias

import discord

logger = logging.getLogger(__name__)

Room: TypeAlias = (
    discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread | discord.DMChannel
)
"""A channel or thread that has a history."""

LATE: Final = timedelta(minutes=5)
"""A message older than this is no longer answered; commands in it are carried out without a word."""

PAGE: Final = 100
"""Messages in a page: as many as Discord gives at once."""

_HELD: Final = 1_000
"""Messages held in memory while it is not known yet whether more are missing than may be read."""

_APART_SECONDS: Final = 0.05
"""Between two requests: twenty of the fifty that Discord allows in a second, the rest is for what goes on."""


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


async def page_after(room: Room, after_id: int, pace: Pace) -> list[discord.Message]:
    """Return the first messages after `after_id`, oldest first; fewer than `PAGE` means that no more follow."""
    await pace.turn()
    after = discord.Object(after_id)
    return [message async for message in room.history(limit=PAGE, after=after, oldest_first=True)]


async def page_before(room: Room, before_id: int | None, pace: Pace) -> list[discord.Message]:
    """Return the last messages before `before_id` (`None`: of all), newest first; fewer than `PAGE` is the end."""
    await pace.turn()
    before = None if before_id is None else discord.Object(before_id)
    return [message async for message in room.history(limit=PAGE, before=before, oldest_first=False)]


async def missing(
    room: Room, *, after_id: int, at_most: int, pace: Pace
) -> AsyncIterator[list[discord.Message]]:
    """Give what was said after `after_id` in pages, oldest first; of more than `at_most` messages the newest."""
    held: list[discord.Message] = []
    while len(held) <= min(at_most, _HELD):
        page = await page_after(room, held[-1].id if held else after_id, pace)
        held += page
        if len(page) < PAGE:
            if len(held) > at_most:
                _tell_cut(room, at_most)
            newest = held[max(0, len(held) - at_most) :]
            for start in range(0, len(newest), PAGE):
                yield newest[start : start + PAGE]
            return
    held.clear()
    last_id = await _start_of_newest(room, after_id=after_id, at_most=at_most, pace=pace)
    while page := await page_after(room, last_id, pace):
        last_id = page[-1].id
        yield page
        if len(page) < PAGE:
            return


async def _start_of_newest(room: Room, *, after_id: int, at_most: int, pace: Pace) -> int:
    """Return the id after which the newest messages lie, `at_most` of them, or all since `after_id`."""
    first_id: int | None = None
    count = 0
    while count < at_most:
        page = await page_before(room, first_id, pace)
        page = [message for message in page if message.id > after_id][: at_most - count]
        count += len(page)
        if page:
            first_id = page[-1].id
        if len(page) < PAGE and count < at_most:
            return after_id
    _tell_cut(room, at_most)
    return after_id if first_id is None else first_id - 1


def _tell_cut(room: Room, at_most: int) -> None:
    logger.warning(
        "channel %d: more was missed than CATCH_UP_MESSAGES allows; the newest %d messages are read",
        room.id,
        at_most,
    )

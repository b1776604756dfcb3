"""The history of a channel in pages, parsed item by item and read at a pace that leaves room for other requests."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypeAlias

import discord

from bot.core.domain import snowflake_at
from bot.core.log import trace

logger = logging.getLogger(__name__)


Room: TypeAlias = (
    discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.Thread | discord.DMChannel
)
"""A channel or thread that has a history."""

Parent: TypeAlias = discord.TextChannel | discord.ForumChannel
"""A channel that has threads."""

PAGE: Final = 100
"""Items in a page: as many as Discord gives at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A part of a channel's history without holes: all ids that Discord has there, and the messages it could read."""

    ids: tuple[int, ...]
    """In the order that was asked for, those of messages that cannot be read among them."""
    messages: tuple[discord.Message, ...]
    is_last: bool
    """Whether no more follow."""

    @property
    def newest_id(self) -> int:
        """The largest id, 0 of an empty page."""
        return max(self.ids, default=0)

    @property
    def oldest_id(self) -> int:
        """The smallest id, 0 of an empty page."""
        return min(self.ids, default=0)

    def since(self, message_id: int) -> "Page":
        """Return what is left of the page from `message_id` on."""
        return Page(
            ids=tuple(one for one in self.ids if one >= message_id),
            messages=tuple(message for message in self.messages if message.id >= message_id),
            is_last=self.is_last,
        )


async def history_after(room: Room, after_id: int) -> Page:
    """Return the first messages after `after_id`, oldest first. Raises what the library raises."""
    raw = await room._state.http.logs_from(room.id, PAGE, after=after_id)
    return _page(room, reversed(raw), is_last=len(raw) < PAGE)


async def history_before(room: Room, before_id: int | None) -> Page:
    """Return the last messages before `before_id` (`None`: of all), newest first. Raises what the library raises."""
    raw = await room._state.http.logs_from(room.id, PAGE, before=before_id)
    return _page(room, raw, is_last=len(raw) < PAGE)


async def ask_for_message(room: Room, message_id: int) -> None:
    """Ask whether a message is there, be it readable or not. Raises what the library raises if it is not."""
    await room._state.http.get_message(room.id, message_id)


async def archived_threads(
    parent: Parent, *, joined: bool = False, turn: Callable[[], Awaitable[None]]
) -> AsyncIterator[discord.Thread]:
    """Give the archived threads of `parent`, the one archived last first; those that cannot be read are left out.

    With `joined`, the private ones in which the bot is, the newest first. `turn` is waited for before each page.
    Raises what the library raises.
    """
    http = parent._state.http
    ask = http.get_joined_private_archived_threads if joined else http.get_public_archived_threads
    before: Any = None
    while True:
        await turn()
        page: Mapping[str, Any] = await ask(parent.id, before=before, limit=PAGE)
        for raw in page["threads"]:
            try:
                yield discord.Thread(guild=parent.guild, state=parent._state, data=raw)
            except Exception as error:
                # Whatever it is, the other threads are read.
                logger.error(
                    "thread %s of channel %d cannot be read: %s", _id_of(raw), parent.id, trace(error)
                )
        last = page["threads"][-1] if page["threads"] else {}
        before = last.get("id") if joined else last.get("thread_metadata", {}).get("archive_timestamp")
        if not page.get("has_more") or before is None:
            return


def _page(room: Room, raw: Iterable[Mapping[str, object]], *, is_last: bool) -> Page:
    ids, messages = [], []
    for data in raw:
        message_id = _id_of(data)
        if message_id is not None:
            ids.append(message_id)
        try:
            messages.append(room._state.create_message(channel=room, data=data))  # type: ignore[arg-type]
        except Exception as error:
            # Whatever it is, those before and behind it are read.
            logger.error(
                "message %s of channel %d cannot be read, and is left out: %s",
                message_id,
                room.id,
                trace(error),
            )
    # Where no message has an id there is nothing to go on from.
    return Page(ids=tuple(ids), messages=tuple(messages), is_last=is_last or not ids)


def _id_of(data: object) -> int | None:
    value = data.get("id") if isinstance(data, Mapping) else None
    return int(value) if isinstance(value, str) and value.isdigit() else None


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


class RequestPace:
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


async def page_after(room: Room, after_id: int, pace: RequestPace) -> Page:
    """Return the first messages after `after_id`, oldest first."""
    await pace.turn()
    return await history_after(room, after_id)


async def page_before(room: Room, before_id: int | None, pace: RequestPace) -> Page:
    """Return the last messages before `before_id` (`None`: of all), newest first."""
    await pace.turn()
    return await history_before(room, before_id)


async def missing_pages(room: Room, *, after_id: int, at_most: int, pace: RequestPace) -> AsyncIterator[Page]:
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


async def _start_of_newest(room: Room, *, after_id: int, at_most: int, pace: RequestPace) -> int:
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

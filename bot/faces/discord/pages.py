"""Pages of history and of archives, taken apart item by item: what the library cannot parse spoils nothing else.

The library's own iterators parse a page while they give it, and end at the first item that they cannot read: at
the same one every time. So here alone the page is asked for as the library asks for it, by its own client with all
of its limits, and each message and each thread is made by itself.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import discord

from bot.log import trace

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


async def ask_for(room: Room, message_id: int) -> None:
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

"""Threads that were archived while nobody listened: of them only the archives of their channels tell."""

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import discord

from bot.domain import Channel
from bot.faces.discord.audiences import can_read
from bot.faces.discord.pages import Parent, archived_threads
from bot.faces.discord.reading_back import Pace
from bot.log import trace

logger = logging.getLogger(__name__)

_MOST: Final = 200
"""Archived threads that are looked at in a channel, those archived last first."""

_MARGIN: Final = timedelta(days=1)
"""How much further back threads are looked for, since a guild is read back channel by channel."""


@dataclass(slots=True)
class _Unread:
    since: datetime
    parent_ids: set[int]


class Archives:
    """Knows of each guild which archives are still to be looked through, and since when."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace
        self._unread: dict[int, _Unread] = {}

    def want(self, guild: discord.Guild, *, since: datetime) -> None:
        """Have all archives of `guild` looked through for threads that were archived after `since` (aware)."""
        since -= _MARGIN
        before = self._unread.get(guild.id)
        if before is not None:
            since = min(since, before.since)
        self._unread[guild.id] = _Unread(since, {parent.id for parent in _parents_of(guild)})

    async def read(
        self, guild: discord.Guild, known: Iterable[Channel]
    ) -> tuple[list[discord.Thread], Exception | None]:
        """Return the threads in those archives, and why some could not be read: they are by the next call.

        `known` channels and threads tell where there may be private ones.
        """
        unread = self._unread.get(guild.id)
        if unread is None:
            return [], None
        found: list[discord.Thread] = []
        failed: Exception | None = None
        with_private = _with_private_threads(guild, known)
        for parent in _parents_of(guild):
            if parent.id not in unread.parent_ids or not can_read(parent):
                continue
            try:
                found += await self._read(parent, unread.since, with_private)
            except Exception as error:
                # Whatever it is, the other archives are read, and this one is again.
                failed = error
                logger.warning("the archive of channel %d could not be read: %s", parent.id, trace(error))
            else:
                unread.parent_ids.discard(parent.id)
        if failed is None:
            del self._unread[guild.id]
        return found, failed

    async def _read(
        self, parent: Parent, since: datetime, with_private: Collection[int]
    ) -> list[discord.Thread]:
        found: list[discord.Thread] = []
        async for thread in archived_threads(parent, turn=self._pace.turn):
            if thread.archive_timestamp < since or len(found) >= _MOST:
                break
            found.append(thread)
        if parent.id in with_private:
            # These come by their age, whenever they were archived.
            seen = 0
            async for thread in archived_threads(parent, joined=True, turn=self._pace.turn):
                seen += 1
                if thread.archive_timestamp >= since:
                    found.append(thread)
                if seen >= _MOST:
                    break
        return found


def _parents_of(guild: discord.Guild) -> list[Parent]:
    return [*guild.text_channels, *guild.forums]


def _with_private_threads(guild: discord.Guild, known: Iterable[Channel]) -> frozenset[int]:
    """Return the channels that are known to have a private thread that is not active."""
    active = {thread.id for thread in guild.threads}
    return frozenset(
        channel.parent_id
        for channel in known
        if channel.parent_id is not None
        and channel.audience == channel.channel_id
        and channel.channel_id not in active
    )

"""The log of removals: a line in the guild's log channel for whatever was removed about somebody else.

It is noted in the transaction that removes, and posted behind it by the face that runs: no crash loses a line, and a
command that is tried again adds none. Who, about whom and how many is kept until then; what it said never is.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final, Protocol

from bot.errors import DatabaseError, KeepsakeError
from bot.log import trace
from bot.store import guilds, removals, work
from bot.store.database import Connection, Database
from bot.store.removals import Share
from bot.store.work import Task

__all__ = ["KIND", "LogPort", "NotPostedError", "Removal", "RemovalLog", "Remover", "Share", "note"]

logger = logging.getLogger(__name__)

KIND: Final = "removals"
"""The kind of background work that posts what is still to be noted in a guild."""


class NotPostedError(KeepsakeError):
    """No face of this process can post in the guild's log channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remover:
    """Who has something removed, and by which command."""

    user_id: int
    cause: str
    """The same command, tried again, has the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """What one command removed that was about others, or by them."""

    shares: tuple[Share, ...]
    """By whom it concerns; one at least."""

    @property
    def guild_id(self) -> int:
        """Where it was removed."""
        return self.shares[0].guild_id

    @property
    def by_id(self) -> int:
        """Who had it removed."""
        return self.shares[0].by_id


class LogPort(Protocol):
    """How a face posts in a log channel."""

    async def post(self, removal: Removal, *, channel_id: int) -> bool:
        """Post one line, once however often it is tried; `False` if this face does not speak in that guild.

        What can never be posted, since the channel is gone or closed to the bot, counts as posted. Raises whatever
        stands in the way for now: then it is tried again.
        """


async def note(
    connection: Connection,
    by: Remover | None,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    message_ids: Sequence[int] = (),
    at: datetime,
) -> None:
    """Note, in the transaction that is about to remove these facts and messages, what of them is about others.

    Without a remover nothing is: nobody asked for it.
    """
    if by is None:
        return
    to_post = await removals.note(
        connection,
        guild_id=guild_id,
        cause=by.cause,
        by_id=by.user_id,
        fact_ids=fact_ids,
        message_ids=message_ids,
        at=at,
    )
    if to_post:
        await work.ask(connection, guild_id=guild_id, kind=KIND, work_key="")


class RemovalLog:
    """Posts what was noted, through whichever face is attached."""

    def __init__(self, database: Database, *, notify: Callable[[], None]) -> None:
        self._database = database
        self._notify = notify
        self._port: LogPort | None = None

    async def attach(self, port: LogPort) -> None:
        """Post through `port` from now on; what was noted before is posted at once, if the database can be read."""
        self._port = port

        async def ask(connection: Connection) -> None:
            for guild_id in await removals.guilds_waiting(connection):
                await work.ask(connection, guild_id=guild_id, kind=KIND, work_key="")

        try:
            await self._database.write(ask)
        except DatabaseError as error:
            logger.warning("what waits for the log channels is posted later: %s", trace(error))
        self._notify()

    async def post(self, task: Task) -> None:
        """Post what waits in a guild. Raises `NotPostedError` where nobody can, so that it is tried again."""
        guild_id = task.guild_id
        guild = await self._database.read(lambda connection: guilds.guild(connection, guild_id=guild_id))
        for removal in await self._waiting(guild_id):
            if guild is not None and guild.log_channel_id is not None:
                await self._posted(removal, channel_id=guild.log_channel_id)
            await self._settle(removal)

    async def _posted(self, removal: Removal, *, channel_id: int) -> None:
        if self._port is None or not await self._port.post(removal, channel_id=channel_id):
            raise NotPostedError(f"nobody here speaks in the log channel of guild {removal.guild_id}")

    async def _waiting(self, guild_id: int) -> list[Removal]:
        shares = await self._database.read(lambda connection: removals.waiting(connection, guild_id=guild_id))
        return [Removal(shares=tuple(of_one)) for _, of_one in groupby(shares, lambda share: share.cause)]

    async def _settle(self, removal: Removal) -> None:
        async def settle(connection: Connection) -> None:
            for share in removal.shares:
                await removals.posted(connection, share)

        await self._database.write(settle)

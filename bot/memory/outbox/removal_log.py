"""The log of removals: one line in the log channel of a guild for each removal about somebody else, with ids and
counts, never a text.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final, Protocol

from bot.core.errors import DatabaseError, KeepsakeError
from bot.core.log import trace
from bot.db import jobs
from bot.db.jobs import Job
from bot.db.pool import Connection, Database
from bot.db.rows import rows_as
from bot.memory.guilds import repository as guilds_repository

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovalShare:
    """What one command removed that was about one member, or by them."""

    guild_id: int
    cause: str
    by_id: int
    about_id: int
    facts: int
    """That were about the member."""
    messages: int
    """That the member wrote."""
    removed_at: datetime


async def add_removals(
    connection: Connection,
    *,
    guild_id: int,
    cause: str,
    by_id: int,
    fact_ids: Sequence[int],
    message_ids: Sequence[int],
    at: datetime,
) -> bool:
    """Note, before they are removed, how many of these facts and messages are about or by others than `by_id`.

    Tells whether there is anything to post: nothing is kept where the guild has no log channel.
    """
    noted = await connection.fetch(
        """
        WITH gone AS (
            SELECT subject_id AS about_id, 1 AS facts, 0 AS messages FROM facts
            WHERE guild_id = $1 AND fact_id = ANY($4::bigint[]) AND status = 'active' AND subject_id NOT IN (0, $3)
            UNION ALL
            SELECT user_id, 0, 1 FROM chat_history
            WHERE guild_id = $1 AND message_id = ANY($5::bigint[]) AND withheld IS NULL
              AND kind = 'member' AND user_id NOT IN (0, $3)
        )
        INSERT INTO removals (guild_id, cause, about_id, by_id, facts, messages, removed_at)
        SELECT $1, $2, about_id, $3, sum(facts), sum(messages), $6 FROM gone
        WHERE EXISTS (SELECT FROM guilds WHERE guild_id = $1 AND rights ->> 'log_channel' IS NOT NULL)
        GROUP BY about_id
        ON CONFLICT (guild_id, cause, about_id) DO UPDATE
            SET facts = removals.facts + excluded.facts, messages = removals.messages + excluded.messages
        RETURNING true
        """,
        guild_id, cause, by_id, list(fact_ids), list(message_ids), at,
    )  # fmt: skip
    return bool(noted)


async def waiting_removals(connection: Connection, *, guild_id: int) -> list[RemovalShare]:
    """Return what is still to be noted in a guild, by command, the oldest first."""
    rows = await connection.fetch(
        """
        SELECT guild_id, cause, by_id, about_id, facts, messages, removed_at FROM removals
        WHERE guild_id = $1 ORDER BY min(removed_at) OVER (PARTITION BY cause), cause, facts = 0, about_id
        """,
        guild_id,
    )
    return rows_as(RemovalShare, rows)


async def guilds_with_removals(connection: Connection) -> list[int]:
    """Return the guilds in which something is still to be noted."""
    rows = await connection.fetch("SELECT DISTINCT guild_id FROM removals ORDER BY guild_id")
    return [row["guild_id"] for row in rows]


async def drop_posted(connection: Connection, share: RemovalShare) -> None:
    """Keep nothing of what was noted, or has nowhere to be noted; what came to it meanwhile stays."""
    gone = await connection.fetchval(
        """
        DELETE FROM removals
        WHERE guild_id = $1 AND cause = $2 AND about_id = $3 AND facts = $4 AND messages = $5 RETURNING true
        """,
        share.guild_id, share.cause, share.about_id, share.facts, share.messages,
    )  # fmt: skip
    if not gone:
        await connection.execute(
            """
            UPDATE removals SET facts = facts - $4, messages = messages - $5
            WHERE guild_id = $1 AND cause = $2 AND about_id = $3
            """,
            share.guild_id, share.cause, share.about_id, share.facts, share.messages,
        )  # fmt: skip


OPERATOR: Final = 0
"""Stands for whoever runs the bot, in the place of a member who had something removed."""

REMOVAL_LOG_JOB: Final = "removals"
"""The kind of background work that posts what is still to be noted in a guild."""


class NotPostedError(KeepsakeError):
    """No face of this process can post in the guild's log channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remover:
    """Who has something removed, and by which command."""

    user_id: int
    """`OPERATOR` for whoever runs the bot."""
    cause: str
    """The same command, tried again, has the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """What one command removed that was about others, or by them."""

    shares: tuple[RemovalShare, ...]
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


async def note_removal(
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
    if by is None or not (fact_ids or message_ids):
        return
    to_post = await add_removals(
        connection,
        guild_id=guild_id,
        cause=by.cause,
        by_id=by.user_id,
        fact_ids=fact_ids,
        message_ids=message_ids,
        at=at,
    )
    if to_post:
        await jobs.enqueue(connection, guild_id=guild_id, kind=REMOVAL_LOG_JOB, work_key="")


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
            for guild_id in await guilds_with_removals(connection):
                await jobs.enqueue(connection, guild_id=guild_id, kind=REMOVAL_LOG_JOB, work_key="")

        try:
            await self._database.write(ask)
        except DatabaseError as error:
            logger.warning("what waits for the log channels is posted later: %s", trace(error))
        self._notify()

    async def post(self, task: Job) -> None:
        """Post what waits in a guild. Raises `NotPostedError` where nobody can, so that it is tried again."""
        guild_id = task.guild_id
        guild = await self._database.read(guilds_repository.guild, guild_id=guild_id)
        for removal in await self._waiting(guild_id):
            if guild is not None and guild.log_channel_id is not None:
                await self._posted(removal, channel_id=guild.log_channel_id)
            await self._settle(removal)

    async def _posted(self, removal: Removal, *, channel_id: int) -> None:
        if self._port is None or not await self._port.post(removal, channel_id=channel_id):
            raise NotPostedError(f"nobody here speaks in the log channel of guild {removal.guild_id}")

    async def _waiting(self, guild_id: int) -> list[Removal]:
        shares = await self._database.read(waiting_removals, guild_id=guild_id)
        return [Removal(shares=tuple(of_one)) for _, of_one in groupby(shares, lambda share: share.cause)]

    async def _settle(self, removal: Removal) -> None:
        async def settle(connection: Connection) -> None:
            for share in removal.shares:
                await drop_posted(connection, share)

        await self._database.write(settle)

"""What an installation has to do and has done, over all guilds: counts and ages, for health metrics."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.domain import Waiting, moment_of
from bot.db import jobs
from bot.db.jobs import WaitingWork
from bot.db.pool import Connection, Database
from bot.db.rows import row_as
from bot.llm.ledger import tokens_by_operation
from bot.memory.outbox import repository as outbox_repository

TOKEN_DAYS: Final = 7
"""Days of which tokens are counted by operation, today included."""

MOST_COUNTED: Final = 100_000
"""Rows of a table that are counted: more are told as so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryShares:
    """Where there are memories, of where there might be."""

    channels: int
    channels_with: int
    """Those in which a conversation left an episode."""
    conversations: int
    """With the bot, that have ended and of which it is decided."""
    conversations_with: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationCounts:
    """The counts of one moment."""

    work: WaitingWork
    """Background work that is due, and that nobody does."""
    unread: Waiting
    """Messages that are yet to be read for facts."""
    answers: Waiting
    """Answers that were not sent yet."""
    shares: MemoryShares
    tokens: Mapping[str, int]
    """In and out, of the last days, by operation."""


class InstallationCounting:
    """Counts over all guilds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def counts(self, *, now: datetime) -> InstallationCounts:
        """Return the counts. Raises `DatabaseError`."""
        return await self._database.read(read_counts, now=now)


async def read_counts(connection: Connection, *, now: datetime) -> InstallationCounts:
    """Return the counts, by one bounded statement for each group of them."""
    return InstallationCounts(
        work=await jobs.waiting(connection),
        unread=await _unread(connection, now=now),
        answers=await outbox_repository.all_unsent(connection, now=now),
        shares=await _shares(connection),
        tokens=await tokens_by_operation(connection, (now - timedelta(days=TOKEN_DAYS - 1)).date()),
    )


async def _unread(connection: Connection, *, now: datetime) -> Waiting:
    row = await connection.fetchrow(
        """
        SELECT (SELECT count(*) FROM (SELECT FROM unextracted LIMIT $1) waiting) AS count,
               (SELECT min(message_id) FROM unextracted) AS oldest_id
        """,
        MOST_COUNTED,
    )
    if row is None or row["oldest_id"] is None:
        return Waiting()
    age = now - moment_of(row["oldest_id"])
    return Waiting(count=row["count"], oldest_seconds=max(0.0, age.total_seconds()))


async def _shares(connection: Connection) -> MemoryShares:
    row = await connection.fetchrow(
        """
        WITH standing AS (
            SELECT EXISTS (
                SELECT FROM episodes e WHERE e.guild_id = c.guild_id AND e.channel_id = c.channel_id
            ) AS has_any
            FROM channels c WHERE c.deleted_at IS NULL LIMIT $1
        ), ended AS (
            SELECT episode_id FROM ended_conversations WHERE settled LIMIT $1
        )
        SELECT (SELECT count(*) FROM standing) AS channels,
               (SELECT count(*) FROM standing WHERE has_any) AS channels_with,
               (SELECT count(*) FROM ended) AS conversations,
               (SELECT count(episode_id) FROM ended) AS conversations_with
        """,
        MOST_COUNTED,
    )
    return row_as(MemoryShares, row) or MemoryShares(
        channels=0, channels_with=0, conversations=0, conversations_with=0
    )

"""Indexing anew what a guild keeps, messages, facts and episodes, in batches after it chose another text
search.
"""

from enum import StrEnum
from typing import Final

from bot.core.domain import MAX_ID
from bot.db import jobs
from bot.db.jobs import Job
from bot.db.pool import Connection, Database


async def index_messages(connection: Connection, *, guild_id: int, before_id: int, limit: int) -> int | None:
    """Index the last `limit` messages before this id by the guild's text search, as it is now.

    Returns the oldest of them, or `None` if none is left before it.
    """
    oldest: int | None = await connection.fetchval(
        """
        WITH batch AS (
            SELECT message_id FROM chat_history
            WHERE guild_id = $1 AND message_id < $2 ORDER BY message_id DESC LIMIT $3
        ), indexed AS (
            UPDATE chat_history kept SET lexemes = lexemes_of(g.text_search, kept.message_text, kept.attachments)
            FROM guilds g
            WHERE kept.guild_id = $1 AND g.guild_id = $1 AND kept.withheld IS NULL
              AND kept.message_id IN (SELECT message_id FROM batch)
        )
        SELECT min(message_id) FROM batch
        """,
        guild_id, before_id, limit,
    )  # fmt: skip
    return oldest


async def index_facts(connection: Connection, *, guild_id: int, before_id: int, limit: int) -> int | None:
    """Index the last `limit` facts before this id by the guild's text search, as it is now.

    Returns the oldest of them, or `None` if none is left before it.
    """
    oldest: int | None = await connection.fetchval(
        """
        WITH batch AS (
            SELECT fact_id FROM facts
            WHERE guild_id = $1 AND fact_id < $2 ORDER BY fact_id DESC LIMIT $3
        ), indexed AS (
            UPDATE facts SET lexemes = to_tsvector(g.text_search, content)
            FROM guilds g
            WHERE facts.guild_id = $1 AND g.guild_id = $1 AND facts.status <> 'forgotten'
              AND facts.fact_id IN (SELECT fact_id FROM batch)
        )
        SELECT min(fact_id) FROM batch
        """,
        guild_id, before_id, limit,
    )  # fmt: skip
    return oldest


async def index_episodes(connection: Connection, *, guild_id: int, before_id: int, limit: int) -> int | None:
    """Index the last `limit` episodes before this id by the guild's text search, as it is now.

    Returns the oldest of them, or `None` if none is left before it.
    """
    oldest: int | None = await connection.fetchval(
        """
        WITH batch AS (
            SELECT episode_id FROM episodes
            WHERE guild_id = $1 AND episode_id < $2 ORDER BY episode_id DESC LIMIT $3
        ), indexed AS (
            UPDATE episodes SET lexemes = to_tsvector(g.text_search, content)
            FROM guilds g
            WHERE episodes.guild_id = $1 AND g.guild_id = $1
              AND episodes.episode_id IN (SELECT episode_id FROM batch)
        )
        SELECT min(episode_id) FROM batch
        """,
        guild_id, before_id, limit,
    )  # fmt: skip
    return oldest


REINDEX_JOB: Final = "relex"
"""The kind of background work that indexes a batch; its key is `<table>:<id below which it goes on>`."""

BATCH_ROWS: Final = 1_000
"""Rows that one transaction indexes: few enough that it ends well before its time is up."""


class _Table(StrEnum):
    MESSAGES = "messages"
    FACTS = "facts"
    EPISODES = "episodes"


_INDEXING: Final = {
    _Table.MESSAGES: index_messages,
    _Table.FACTS: index_facts,
    _Table.EPISODES: index_episodes,
}


async def ask_for_reindexing(connection: Connection, *, guild_id: int) -> None:
    """Ask, in the transaction that changes a guild's text search, for all that it keeps to be indexed anew."""
    for table in _Table:
        await _ask(connection, guild_id, table, MAX_ID)


async def _ask(connection: Connection, guild_id: int, table: _Table, below: int) -> None:
    await jobs.enqueue(connection, guild_id=guild_id, kind=REINDEX_JOB, work_key=f"{table}:{below}")


class Reindexer:
    """Indexes one batch at a time, the newest first, and asks for the next in the same transaction.

    Whoever comes after a crash goes on where the last batch ended.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def relex(self, task: Job) -> None:
        """Index the batch that `task` names by the text search that its guild has now."""
        name, below = task.work_key.split(":")
        table = _Table(name)
        index = _INDEXING[table]

        async def batch(connection: Connection) -> None:
            oldest = await index(connection, guild_id=task.guild_id, before_id=int(below), limit=BATCH_ROWS)
            if oldest is not None:
                await _ask(connection, task.guild_id, table, oldest)

        await self._database.write(batch)

"""Re-indexes a guild in batches: after it chose another text search, or after a migration changed what a word is."""

from typing import Final

from bot.core.domain import MAX_ID
from bot.db import jobs
from bot.db.jobs import Job
from bot.db.pool import Connection, Database

REINDEX_JOB: Final = "relex"
"""The kind of background work that indexes a batch; its key is `<table>:<id below which it goes on>`."""

BATCH_ROWS: Final = 1_000
"""Rows that one transaction indexes: few enough that it ends well before its time is up."""


def _statement(table: str, key: str, *, column: str, words: str, index: str = "", which: str = "true") -> str:
    """Return what indexes the last `$3` rows below `$2`, and returns the lowest; it writes only what changes."""
    return f"""
        WITH batch AS (
            SELECT {key} FROM {table} WHERE guild_id = $1 AND {key} < $2 ORDER BY {key} DESC LIMIT $3
        ), indexed AS (
            UPDATE {table} kept SET {index or f"{column} = {words}"} FROM guilds g
            WHERE kept.guild_id = $1 AND g.guild_id = $1 AND {which}
              AND kept.{key} IN (SELECT {key} FROM batch) AND kept.{column} <> {words}
        )
        SELECT min({key}) FROM batch
    """


_INDEXING: Final = {
    "messages": _statement(
        "chat_history", "message_id", column="lexemes", which="kept.withheld IS NULL",
        words="lexemes_of(g.text_search, kept.message_text, kept.attachments)",
    ),
    "facts": _statement(
        "facts", "fact_id", column="lexemes", which="kept.status <> 'forgotten'",
        words="lexemes_of(g.text_search, kept.content)",
    ),
    "episodes": _statement(
        "episodes", "episode_id", column="lexemes", words="lexemes_of(g.text_search, kept.content)"
    ),
    # This column is generated, whenever one of those is written from which it is made.
    "members": _statement(
        "members", "user_id", column="name_words", index="user_name = kept.user_name",
        words="name_words(kept.user_name, kept.display_name, kept.nickname, kept.old_names)",
    ),
}  # fmt: skip
"""How each table is indexed, by the name that the keys of the jobs have for it."""


async def ask_for_reindexing(connection: Connection, *, guild_id: int) -> None:
    """Request, in the transaction that changes a guild's text search, that everything it keeps is re-indexed."""
    for table in _INDEXING:
        await _ask(connection, guild_id, table, MAX_ID)


async def _ask(connection: Connection, guild_id: int, table: str, below: int) -> None:
    await jobs.enqueue(connection, guild_id=guild_id, kind=REINDEX_JOB, work_key=f"{table}:{below}")


class Reindexer:
    """Indexes one batch at a time, newest first, and requests the next in the same transaction.

    After a crash it continues where the last batch ended.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def relex(self, task: Job) -> None:
        """Index the batch that `task` names by the text search that its guild has now."""
        table, below = task.work_key.split(":")

        async def batch(connection: Connection) -> None:
            oldest: int | None = await connection.fetchval(
                _INDEXING[table], task.guild_id, int(below), BATCH_ROWS
            )
            if oldest is not None:
                await _ask(connection, task.guild_id, table, oldest)

        await self._database.write(batch)

"""Indexing anew what a guild's messages, facts and episodes say, after it chose another text search."""

from enum import StrEnum
from typing import Final

from bot.domain import MAX_ID
from bot.store import lexemes, work
from bot.store.database import Connection, Database
from bot.store.work import Task

KIND: Final = "relex"
"""The kind of background work that indexes a batch; its key is `<table>:<id below which it goes on>`."""

BATCH_ROWS: Final = 1_000
"""Rows that one transaction indexes: few enough that it ends well before its time is up."""


class _Table(StrEnum):
    MESSAGES = "messages"
    FACTS = "facts"
    EPISODES = "episodes"


_INDEXING: Final = {
    _Table.MESSAGES: lexemes.index_messages,
    _Table.FACTS: lexemes.index_facts,
    _Table.EPISODES: lexemes.index_episodes,
}


async def ask(connection: Connection, *, guild_id: int) -> None:
    """Ask, in the transaction that changes a guild's text search, for all that it keeps to be indexed anew."""
    for table in _Table:
        await _ask(connection, guild_id, table, MAX_ID)


async def _ask(connection: Connection, guild_id: int, table: _Table, below: int) -> None:
    await work.ask(connection, guild_id=guild_id, kind=KIND, work_key=f"{table}:{below}")


class Relexer:
    """Indexes one batch at a time, the newest first, and asks for the next in the same transaction.

    Whoever comes after a crash goes on where the last batch ended.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def relex(self, task: Task) -> None:
        """Index the batch that `task` names by the text search that its guild has now."""
        name, below = task.work_key.split(":")
        table = _Table(name)
        index = _INDEXING[table]

        async def batch(connection: Connection) -> None:
            oldest = await index(connection, guild_id=task.guild_id, before_id=int(below), limit=BATCH_ROWS)
            if oldest is not None:
                await _ask(connection, task.guild_id, table, oldest)

        await self._database.write(batch)

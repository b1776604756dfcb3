"""However many members a guild has, what is said there is answered by reading a few of them."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, cast

import pytest

from bot.core.domain import Member
from bot.db.pool import Connection, Database, P, Row, Statement, T
from tests.chat.guild import GUILD_ID, TalkingGuild
from tests.databases import Shared

if TYPE_CHECKING:
    import asyncpg

MEMBERS = 3_000
MOST_READ = 450
"""Rows: the first 200 members, and of those who are called alike a few for each name."""


class CountingConnection:
    """A connection that notes the most rows that any one statement brings."""

    def __init__(self, connection: Connection, counts: list[int]) -> None:
        self._connection = connection
        self._counts = counts

    async def fetch(self, query: str, *args: object) -> "list[Row]":
        rows = await self._connection.fetch(query, *args)
        self._counts.append(len(rows))
        return rows

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)


class CountingDatabase(Database):
    """A database that notes how many rows each statement brings."""

    def __init__(self, pool: "asyncpg.Pool[Row]") -> None:
        super().__init__(pool)
        self.counts: list[int] = []

    async def read(self, query: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await super().read(self._counted(query), *args, **kwargs)

    async def write(self, change: Statement[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await super().write(self._counted(change), *args, **kwargs)

    def _counted(self, work: Statement[P, T]) -> Statement[P, T]:
        async def counted(connection: Connection, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return await work(
                cast("Connection", CountingConnection(connection, self.counts)), *args, **kwargs
            )

        return counted


@pytest.fixture
async def database(shared: Shared) -> AsyncIterator[CountingDatabase]:
    yield CountingDatabase(shared.pool)


@pytest.fixture
async def crowded(guild: TalkingGuild) -> TalkingGuild:
    """A guild with thousands, hundreds of whom are called Sam, Samantha, or Sam and something else."""
    names = ("Sam", "Samantha", "Sam Jones", "Samuel", "Маша", "Maria")
    await guild.keepsake.directory.put_members(
        [
            Member(
                guild_id=GUILD_ID,
                user_id=10_000 + number,
                user_name=f"name{number}",
                display_name=names[number % 50] if number % 50 < len(names) else "",
            )
            for number in range(MEMBERS)
        ]
    )
    return guild


SAID = {
    "Bot, remember that name2999 likes tea": "Remembered: name2999 likes tea",
    "Bot, what do you know about name2999?": "name2999 likes tea",
    "Bot, what does name2999 like?": "name2999 likes tea",
    "Bot, forget that name2999 likes tea": "1 fact",
    "Bot, remember that Sam likes coffee": "Which one do you mean",
    "Bot, what do you know about nmae2999?": "name2999",
    "Bot, remember that I like salt": "salt",
    "Bot, what do you know about me?": "salt",
    "Bot, keep what you know about me private": "",
    "Bot, ramen or udon?": "",
    "lunch with Sam, Maria and name2999": "",
}


async def test_no_statement_of_a_turn_reads_all_members_of_a_large_guild(
    crowded: TalkingGuild, database: CountingDatabase
) -> None:
    for text, told in SAID.items():
        database.counts.clear()
        answer = (await crowded.hear("alice", text)).text or ""
        assert told in answer, text
        await crowded.keepsake.memory.settled()
        await crowded.keepsake.work.idle()
        assert max(database.counts) <= MOST_READ, text
    database.counts.clear()
    assert "salt" in (await crowded.say("alice", "what do you know about me?", direct=True) or "")
    assert max(database.counts) <= MOST_READ

"""Looking everywhere: every text column of the database, a whole dump of it, and whatever a process holds."""

import asyncio
import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cachetools import Cache

from bot.db.embedded.files import find_install
from bot.db.pool import Connection, Database
from tests.leaks.canaries import PATTERN, Room, canaries_in

_TEXTS: Final = """
SELECT c.table_name, array_agg(c.column_name::text ORDER BY c.column_name) AS columns
FROM information_schema.columns c
JOIN information_schema.tables t USING (table_schema, table_name)
WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
  AND (c.udt_name IN ('text', 'varchar', 'bpchar', 'json', 'jsonb', 'xml', 'name', 'tsvector')
       OR c.udt_name IN ('_text', '_varchar', '_bpchar', '_json', '_jsonb', '_xml'))
GROUP BY 1 ORDER BY 1
"""
_HELD_APART: Final = (str, bytes, int, float, bool, type(None))


@dataclass(frozen=True, slots=True)
class Found:
    """A row that holds canaries."""

    table: str
    columns: tuple[str, ...]
    row: Mapping[str, object]
    words: frozenset[str]

    @property
    def room(self) -> Room | None:
        """Where the row belongs, if it says so."""
        audience = self.row.get("audience")
        guild_id = self.row["guild_id"]
        return Room(int(str(guild_id)), int(str(audience))) if audience is not None else None

    def number(self, column: str) -> int:
        """Return an id in the row."""
        return int(str(self.row[column]))


async def text_columns(connection: Connection) -> dict[str, list[str]]:
    """Return the columns by table that can hold words."""
    return {row["table_name"]: row["columns"] for row in await connection.fetch(_TEXTS)}


async def rows_with_canaries(database: Database) -> list[Found]:
    """Return every row of every table in which a canary stands, by one statement over all columns with words."""

    async def read(connection: Connection) -> list[Found]:
        tables = await text_columns(connection)
        rows = await connection.fetch(" UNION ALL ".join(map(_selected, tables, tables.values())), PATTERN)
        return [_found(row["table_name"], row["columns"], json.loads(row["row"])) for row in rows]

    return await database.read(read)


async def rooms_of_messages(database: Database) -> dict[int, Room]:
    """Return where each message stands that was ever heard."""

    async def read(connection: Connection) -> dict[int, Room]:
        rows = await connection.fetch("SELECT message_id, guild_id, audience FROM chat_history")
        return {row["message_id"]: Room(row["guild_id"], row["audience"]) for row in rows}

    return await database.read(read)


def _selected(table: str, columns: Sequence[str]) -> str:
    quoted = [f'"{column}"' for column in columns]
    words = " || ' ' || ".join(f"coalesce(t.{column}::text, '')" for column in quoted)
    names = ", ".join(f"'{column}'" for column in columns)
    return (
        f"SELECT '{table}' AS table_name, ARRAY[{names}]::text[] AS columns, to_jsonb(t)::text AS row"
        f' FROM "{table}" t WHERE {words} ~* $1'
    )


def _found(table: str, columns: Sequence[str], row: Mapping[str, object]) -> Found:
    said = {column: canaries_in(json.dumps(row[column], ensure_ascii=False)) for column in columns}
    return Found(
        table,
        tuple(column for column, words in said.items() if words),
        row,
        frozenset().union(*said.values()),
    )


async def dumped(dsn: str) -> str:
    """Return the whole database as text."""
    program = find_install(18) / "bin" / "pg_dump"
    process = await asyncio.create_subprocess_exec(
        program, "--dbname", dsn, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    said, wrong = await process.communicate()
    assert process.returncode == 0, wrong.decode()
    return said.decode()


def held_with_canaries(root: object, name: str) -> Iterator[tuple[str, set[str]]]:
    """Yield where a process holds text with canaries in its memory, and which.

    Whatever is reached from `root` is looked at: attributes of the bot's own objects, containers and caches.
    """
    seen: set[int] = set()
    waiting = deque([(name, root)])
    while waiting:
        path, one = waiting.popleft()
        if isinstance(one, str):
            if words := canaries_in(one):
                yield path, words
            continue
        if isinstance(one, _HELD_APART) or id(one) in seen:
            continue
        seen.add(id(one))
        waiting.extend(_parts(path, one))


def _parts(path: str, one: object) -> Iterator[tuple[str, object]]:
    if isinstance(one, dict | Cache):
        for number, (key, value) in enumerate(list(one.items())):
            yield f"{path}[key {number}]", key
            yield f"{path}[{number}]", value
    elif isinstance(one, list | tuple | set | frozenset | deque):
        for number, item in enumerate(list(one)):
            yield f"{path}[{number}]", item
    elif isinstance(one, asyncio.Queue):
        yield f"{path}.queued", one._queue  # type: ignore[attr-defined]
    if type(one).__module__.partition(".")[0] == "bot":
        for attribute in _attributes(one):
            yield f"{path}.{attribute}", getattr(one, attribute, None)


def _attributes(one: object) -> set[str]:
    slots = (getattr(kind, "__slots__", ()) for kind in type(one).__mro__)
    named = {slot for names in slots for slot in ((names,) if isinstance(names, str) else names)}
    return {*named, *getattr(one, "__dict__", {})} - {"__dict__", "__weakref__"}

"""Copies all rows of a database by COPY, table by table: out of one snapshot, and into tables made by migrations.

A Postgres dump would need programs of the same version on both sides, and could not be read by an older version. COPY
in text format is the same in every version, and the schema revision says which tables exist.
"""

from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final, cast

import asyncpg

from bot.core.errors import DatabaseError, DatabaseUnavailableError
from bot.db import migrations
from bot.db.leases import is_free
from bot.db.pool import Connection
from bot.db.rows import rows_as

NOT_COPIED: Final = frozenset({"shard_leases", "services", "web_sessions", "web_tokens"})
"""Tables about processes that run, which in another database would tell of none; and who gets into the web part: a
token that was revoked since would get in again."""

_NEEDED: Final = frozenset({"installation"})
"""Tables that a migrated database without memories has rows in."""

_GIVEN_UP: Final = (asyncpg.SerializationError, asyncpg.PostgresConnectionError, asyncpg.InterfaceError)
"""What reading on a standby ends by that cannot keep it up: the statement, or the connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedTable:
    """A table, and its columns that are written: those that are generated are not."""

    name: str
    columns: tuple[str, ...]


@asynccontextmanager
async def session(dsn: str) -> AsyncIterator[Connection]:
    """Open a connection for work that takes as long as it takes. Raises `DatabaseUnavailableError`."""
    try:
        connection = cast("Connection", await asyncpg.connect(dsn, timeout=30))
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
        raise DatabaseUnavailableError(
            f"the database cannot be reached ({type(error).__name__}): 'keepsake doctor' says more"
        ) from error
    of_standby = False
    try:
        await connection.execute("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0")
        of_standby = await is_standby(connection)
        yield connection
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        if of_standby and isinstance(error, _GIVEN_UP):
            raise DatabaseError(
                "the standby ended what was being read, as it does when the server that it follows has cleaned that"
                " up: set hot_standby_feedback = on there, or max_standby_streaming_delay to more than this takes"
            ) from error
        # Its text may quote a row.
        raise DatabaseError(f"the database refused ({type(error).__name__})") from error
    finally:
        await connection.close(timeout=10)


async def copied_tables(connection: Connection) -> list[CopiedTable]:
    """Return the tables of ours whose rows are copied, by name."""
    rows = await connection.fetch(
        """
        SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname = ANY($1::text[])
          AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        GROUP BY c.relname ORDER BY c.relname
        """,
        sorted(migrations.made("TABLE") - NOT_COPIED),
    )
    return [CopiedTable(name=row["name"], columns=tuple(row["columns"])) for row in rows]


async def copy_out(
    connection: Connection, table: CopiedTable, write: Callable[[bytes], Coroutine[object, object, None]]
) -> int:
    """Give all rows of a table to `write`, piece by piece, and return how many they are."""
    columns = ", ".join(f'"{name}"' for name in table.columns)
    told = await connection.copy_from_query(f'SELECT {columns} FROM "{table.name}"', output=write)
    return int(told.split()[-1])


async def copy_in(connection: Connection, table: CopiedTable, pieces: AsyncIterator[bytes]) -> int:
    """Replace the rows of a table by those that `copy_out` gave; return their number."""
    await connection.execute(f'DELETE FROM "{table.name}"')
    told = await connection.copy_to_table(table.name, source=pieces, columns=table.columns)
    return int(told.split()[-1])


async def read_sequences(connection: Connection) -> dict[str, int]:
    """Return the next value of each sequence of our tables, by its name."""
    names = await connection.fetch(
        """
        SELECT s.relname FROM pg_class s
        JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i')
        JOIN pg_class t ON d.refclassid = 'pg_class'::regclass AND t.oid = d.refobjid
        WHERE s.relnamespace = current_schema()::regnamespace AND s.relkind = 'S' AND t.relname = ANY($1::text[])
        """,
        sorted(migrations.made("TABLE")),
    )
    return {
        row["relname"]: await connection.fetchval(
            f'SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END FROM "{row["relname"]}"'
        )
        for row in names
    }


async def put_sequences(connection: Connection, following: Mapping[str, int]) -> None:
    """Set the sequences to these values."""
    for name, value in following.items():
        await connection.execute("SELECT setval($1::text::regclass, $2, false)", f'"{name}"', value)


async def is_empty(connection: Connection) -> bool:
    """Tell whether nothing of ours is kept in the database: no tables, or only what migrations put into them."""
    for table in await copied_tables(connection):
        if table.name not in _NEEDED and await connection.fetchval(
            f'SELECT EXISTS (SELECT FROM "{table.name}")'
        ):
            return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherConnection:
    """Somebody else who is connected to the database."""

    name: str
    """As the client calls itself."""
    idle_seconds: float | None
    """How long nothing was asked of it; `None` while something is, or if that may not be known."""


async def others_connected(connection: Connection) -> list[OtherConnection]:
    """Return what else is connected to the database, the oldest first."""
    rows = await connection.fetch(
        """
        SELECT coalesce(nullif(application_name, ''), 'a client without a name') AS name,
               CASE WHEN state = 'idle' THEN extract(epoch FROM clock_timestamp() - state_change)::float8
               END AS idle_seconds
        FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
        ORDER BY backend_start
        """
    )
    return rows_as(OtherConnection, rows)


async def serves_a_bot(connection: Connection) -> bool:
    """Tell whether a process has shards of Discord leased by this database."""
    if await connection.fetchval("SELECT to_regclass('shard_leases')") is None:
        return False
    found: bool = await connection.fetchval(
        f"SELECT EXISTS (SELECT FROM shard_leases l WHERE NOT {is_free('l')})"
    )
    return found


async def drop_all(connection: Connection) -> None:
    """Drop every table and function that migrations made, and nothing else; a rollback brings them back."""
    rows = await connection.fetch(
        """
        SELECT 'TABLE' AS kind, oid::regclass::text AS name FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname = ANY($1::text[])
        UNION ALL
        SELECT 'FUNCTION', oid::regprocedure::text FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace AND proname = ANY($2::text[])
        ORDER BY kind DESC, name
        """,
        ["alembic_version", *migrations.made("TABLE")], [*migrations.made("FUNCTION")],
    )  # fmt: skip
    for row in rows:
        await connection.execute(f"DROP {row['kind']} IF EXISTS {row['name']} CASCADE")


async def switch_triggers(connection: Connection, *, prefix: str = "", on: bool) -> None:
    """Switch triggers of our tables on or off: all of them, or those whose names begin with `prefix`."""
    rows = await connection.fetch(
        """
        SELECT tgrelid::regclass::text AS name, tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY($2::text[]) AND NOT tgisinternal
          AND starts_with(tgname, $1)
        """,
        prefix, [*migrations.made("TABLE")],
    )  # fmt: skip
    for row in rows:
        await connection.execute(
            f'ALTER TABLE {row["name"]} {"ENABLE" if on else "DISABLE"} TRIGGER "{row["tgname"]}"'
        )


async def is_standby(connection: Connection) -> bool:
    """Tell whether the server follows another one, and takes no writes."""
    standby: bool = await connection.fetchval("SELECT pg_is_in_recovery()")
    return standby


async def note_backup(connection: Connection, at: datetime) -> None:
    """Note when the last backup was made."""
    await connection.execute("UPDATE installation SET backed_up_at = $1 WHERE guild_id = 0", at)


async def last_backup(connection: Connection) -> datetime | None:
    """Return when the last backup was made; `None`: never."""
    at: datetime | None = await connection.fetchval(
        "SELECT backed_up_at FROM installation WHERE guild_id = 0"
    )
    return at

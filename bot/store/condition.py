"""What the database says of itself, for whoever wants to know whether it is well."""

from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """The state of a database, as it sees it."""

    server_version: int
    """As Postgres counts: 180001 is 18.1."""
    name: str
    address: str | None
    """Of the server; `None` for a local socket."""
    size_bytes: int
    now: datetime
    revision: str | None
    """Which form the tables have; `None` before there are any."""

    @property
    def version(self) -> str:
        """The server's version as people write it."""
        return f"{self.server_version // 10_000}.{self.server_version % 10_000}"


async def is_there(connection: Connection) -> None:
    """Return if the database answers at all."""
    await connection.fetchval("SELECT 1")


async def read(connection: Connection) -> Condition:
    """Return the condition of the database behind `connection`, whatever form its tables have."""
    row = await connection.fetchrow(
        """
        SELECT current_setting('server_version_num')::int AS server_version,
               current_database()::text AS name,
               host(inet_server_addr()) AS address,
               pg_database_size(current_database()) AS size_bytes,
               clock_timestamp() AS now,
               to_regclass('alembic_version') IS NOT NULL AS has_tables
        """
    )
    if row is None:
        raise AssertionError("a SELECT without FROM gave no row")
    told = dict(row)
    has_tables = told.pop("has_tables")
    revision = await connection.fetchval("SELECT version_num FROM alembic_version") if has_tables else None
    return Condition(**told, revision=revision)

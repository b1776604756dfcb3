"""Which loops of which process fail, as reported by each."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class FailingService:
    """A loop that is started again and again."""

    name: str
    failures: int
    seconds: float
    """Real seconds since the first of the failures."""
    error: str
    """The type of the last error."""


async def put(connection: Connection, *, process_id: UUID, failing: Sequence[FailingService]) -> None:
    """Let `failing` be all that fails in a process; and forget what the dead reported."""
    await connection.execute(
        """
        DELETE FROM services
        WHERE guild_id = 0 AND (process_id = $1 OR reported_at < clock_timestamp() - interval '1 hour')
        """,
        process_id,
    )
    await connection.execute(
        """
        INSERT INTO services (process_id, name, failures, since, error, reported_at)
        SELECT $1, name, failures, clock_timestamp() - make_interval(secs => seconds), error, clock_timestamp()
        FROM unnest($2::text[], $3::integer[], $4::double precision[], $5::text[])
            AS failing (name, failures, seconds, error)
        """,
        process_id,
        [one.name for one in failing],
        [one.failures for one in failing],
        [one.seconds for one in failing],
        [one.error for one in failing],
    )  # fmt: skip


async def failing(connection: Connection) -> list[FailingService]:
    """Return what fails in any process that reported within three minutes, the longest first."""
    rows = await connection.fetch(
        """
        SELECT name, failures, error, extract(epoch FROM clock_timestamp() - since)::double precision AS seconds
        FROM services
        WHERE guild_id = 0 AND reported_at > clock_timestamp() - interval '3 minutes'
        ORDER BY since, name
        """
    )
    return [
        FailingService(name=row["name"], failures=row["failures"], seconds=row["seconds"], error=row["error"])
        for row in rows
    ]

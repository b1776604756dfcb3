"""Leases of shards in real time: which process listens to which part of the guilds, so that no two listen
to the same.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from bot.db.pool import Connection

_LOCK: Final = 0x73686172
"""The advisory lock under which leases are taken and renewed, one transaction at a time; "shar" in ASCII."""


async def take(
    connection: Connection, *, shard_ids: Sequence[int], shard_count: int, holder: UUID, lease: timedelta
) -> bool:
    """Lease these shards to `holder` for `lease` of real time, in place of what it held.

    `False`, and nothing changed, if another's lease lives for one of them, or for another number of shards.
    """
    await _lock(connection)
    taken: bool = await connection.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM shard_leases
            WHERE guild_id = 0 AND holder <> $3 AND leased_until > clock_timestamp()
              AND (shard_id = ANY($1::integer[]) OR shard_count <> $2)
        )
        """,
        list(shard_ids), shard_count, holder,
    )  # fmt: skip
    if taken:
        return False
    # What is in the way was left behind by the dead. It goes as a whole, so that whoever renews has all of its
    # shards or none.
    await connection.execute(
        """
        DELETE FROM shard_leases
        WHERE guild_id = 0 AND holder IN (
            SELECT holder FROM shard_leases
            WHERE holder = $3 OR shard_id = ANY($1::integer[]) OR shard_count <> $2
        )
        """,
        list(shard_ids), shard_count, holder,
    )  # fmt: skip
    await connection.execute(
        """
        INSERT INTO shard_leases (shard_id, shard_count, holder, leased_until)
        SELECT shard_id, $2, $3, until
        FROM unnest($1::integer[]) AS shard_id, (SELECT clock_timestamp() + $4::interval AS until OFFSET 0) AS lease
        """,
        list(shard_ids), shard_count, holder, lease,
    )  # fmt: skip
    return True


async def renew(connection: Connection, *, holder: UUID, lease: timedelta) -> bool:
    """Lengthen the leases of `holder` to `lease` from now; `False` if it has none any more."""
    await _lock(connection)
    renewed = await connection.fetch(
        """
        UPDATE shard_leases SET leased_until = lease.until
        FROM (SELECT clock_timestamp() + $2::interval AS until OFFSET 0) AS lease
        WHERE guild_id = 0 AND holder = $1
        RETURNING shard_id
        """,
        holder, lease,
    )  # fmt: skip
    return bool(renewed)


async def give_back(connection: Connection, *, holder: UUID) -> None:
    """End the leases of `holder`, so that another can take its shards at once."""
    await _lock(connection)
    await connection.execute("DELETE FROM shard_leases WHERE guild_id = 0 AND holder = $1", holder)


async def _lock(connection: Connection) -> None:
    await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)

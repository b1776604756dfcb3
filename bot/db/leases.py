"""Leases in real time: who holds a row, so that no two processes do the same work. A dead process loses its lease by
time alone.

A lease is the pair of columns `holder` and `leased_until` of the row that is held. Shards and builds have tables of
their own. Answers and jobs are claimed in their own rows, by the statement that reads them, under the same condition.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Final
from uuid import UUID

from bot.core.errors import InvalidInputError
from bot.db.pool import Connection, Database


def is_free(row: str) -> str:
    """Return the SQL condition that `row` has no running lease."""
    return f"({row}.leased_until IS NULL OR {row}.leased_until < clock_timestamp())"


async def take_build(
    connection: Connection, guild_id: int, build_key: str, holder: UUID, lease: timedelta
) -> bool:
    """Claim a build for `holder`, or renew its lease; `False` while another holder's runs."""
    taken = await connection.fetchval(
        f"""
        INSERT INTO builds AS known (guild_id, build_key, holder, leased_until)
        VALUES ($1, $2, $3, clock_timestamp() + $4)
        ON CONFLICT (guild_id, build_key) DO UPDATE
            SET holder = excluded.holder, leased_until = excluded.leased_until
        WHERE known.holder = excluded.holder OR {is_free("known")}
        RETURNING true
        """,
        guild_id, build_key, holder, lease,
    )  # fmt: skip
    return bool(taken)


async def release_build(connection: Connection, guild_id: int, build_key: str, holder: UUID) -> None:
    """Give a build back, if it is still `holder`'s."""
    await connection.execute(
        "DELETE FROM builds WHERE guild_id = $1 AND build_key = $2 AND holder = $3",
        guild_id, build_key, holder,
    )  # fmt: skip


SHARD_LEASE: Final = timedelta(seconds=30)
"""Real time after which the shards of a process that died may be taken over; renew well within it."""

_LOCK: Final = 0x73686172
"""The advisory lock under which leases are taken and renewed, one transaction at a time; "shar" in ASCII."""


class ShardLeases:
    """Which process listens to which shards. A process names itself by a UUID of its own making, the holder."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, shard_ids: Collection[int], shard_count: int, holder: UUID) -> bool:
        """Lease these shards, of `shard_count` in all, to `holder` in place of those that it had.

        `False`, and nothing changed, if another process has one of them, or counts the shards differently.
        Raises `InvalidInputError` for shards that cannot be, `DatabaseUnavailableError` if nobody can tell.
        """
        wanted = sorted(set(shard_ids))
        if not wanted or not 0 <= wanted[0] <= wanted[-1] < shard_count:
            raise InvalidInputError(
                f"shards {wanted} of {shard_count} cannot be: they must be one or more, from 0 to {shard_count - 1}"
            )
        return await self._database.write(_take, wanted, shard_count, holder)

    async def renew(self, holder: UUID) -> bool:
        """Keep the shards of `holder` for another 30 s; `False` if they are no longer its own: stop listening.

        A process that was late keeps them if nobody wanted them meanwhile.
        Raises `DatabaseUnavailableError`, after which the lease runs on as it was.
        """
        return await self._database.write(_renew, holder)

    async def give_back(self, holder: UUID) -> None:
        """Free the shards of `holder` at once; nothing happens if it has none."""
        await self._database.write(_give_back, holder)


async def _take(connection: Connection, shard_ids: list[int], shard_count: int, holder: UUID) -> bool:
    await _lock(connection)
    taken: bool = await connection.fetchval(
        f"""
        SELECT EXISTS (
            SELECT FROM shard_leases AS other
            WHERE guild_id = 0 AND holder <> $3 AND NOT {is_free("other")}
              AND (shard_id = ANY($1::integer[]) OR shard_count <> $2)
        )
        """,
        shard_ids, shard_count, holder,
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
        shard_ids, shard_count, holder,
    )  # fmt: skip
    await connection.execute(
        """
        INSERT INTO shard_leases (shard_id, shard_count, holder, leased_until)
        SELECT shard_id, $2, $3, until
        FROM unnest($1::integer[]) AS shard_id, (SELECT clock_timestamp() + $4::interval AS until OFFSET 0) AS lease
        """,
        shard_ids, shard_count, holder, SHARD_LEASE,
    )  # fmt: skip
    return True


async def _renew(connection: Connection, holder: UUID) -> bool:
    await _lock(connection)
    renewed = await connection.fetch(
        """
        UPDATE shard_leases SET leased_until = lease.until
        FROM (SELECT clock_timestamp() + $2::interval AS until OFFSET 0) AS lease
        WHERE guild_id = 0 AND holder = $1
        RETURNING shard_id
        """,
        holder, SHARD_LEASE,
    )  # fmt: skip
    return bool(renewed)


async def _give_back(connection: Connection, holder: UUID) -> None:
    await _lock(connection)
    await connection.execute("DELETE FROM shard_leases WHERE guild_id = 0 AND holder = $1", holder)


async def _lock(connection: Connection) -> None:
    await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)

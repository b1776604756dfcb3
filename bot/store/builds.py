"""Who is building a text at the moment, across processes: by a short lease in real time."""

from datetime import timedelta
from uuid import UUID

from bot.store.database import Connection


async def take(
    connection: Connection, *, guild_id: int, build_key: str, holder: UUID, lease: timedelta
) -> bool:
    """Claim a build for `holder`; `False` while another holder's lease runs."""
    taken = await connection.fetchval(
        """
        INSERT INTO builds AS known (guild_id, build_key, holder, leased_until)
        VALUES ($1, $2, $3, clock_timestamp() + $4)
        ON CONFLICT (guild_id, build_key) DO UPDATE
            SET holder = excluded.holder, leased_until = excluded.leased_until
        WHERE known.holder = excluded.holder OR known.leased_until < clock_timestamp()
        RETURNING true
        """,
        guild_id, build_key, holder, lease,
    )  # fmt: skip
    return bool(taken)


async def release(connection: Connection, *, guild_id: int, build_key: str, holder: UUID) -> None:
    """Give a build back, if it is still `holder`'s."""
    await connection.execute(
        "DELETE FROM builds WHERE guild_id = $1 AND build_key = $2 AND holder = $3",
        guild_id, build_key, holder,
    )  # fmt: skip

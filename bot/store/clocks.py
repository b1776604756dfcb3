"""What time others say it is: the database server, and Discord as it was last heard."""

from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Moments to compare the clock of a machine with."""

    database: datetime
    discord: datetime | None
    """The newest moment that Discord told any process of this installation; `None` if it told none."""


async def read(connection: Connection) -> Clocks:
    """Return what the database server's clock shows, and the newest moment that Discord told."""
    row = await connection.fetchrow(
        "SELECT clock_timestamp() AS database, discord_told_at AS discord FROM installation WHERE guild_id = 0"
    )
    if row is None:
        raise AssertionError("every database has its installation")
    return Clocks(**row)


async def told_by_discord(connection: Connection, moment: datetime) -> None:
    """Keep `moment` as the newest that Discord told, unless a newer one is kept."""
    await connection.execute(
        """
        UPDATE installation SET discord_told_at = $1
        WHERE guild_id = 0 AND (discord_told_at IS NULL OR discord_told_at < $1)
        """,
        moment,
    )

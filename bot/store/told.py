"""What guilds were told once, whichever process tells it and however often one is killed over it."""

from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """A message that is to be sent, or perhaps was."""

    channel_id: int
    """Where it is sent: where the first try sent it."""
    begun_at: datetime
    """Real time of the first try, aware."""
    is_repeated: bool
    """Somebody tried before, and nobody knows what became of that."""


async def begin(
    connection: Connection, *, guild_id: int, kind: str, channel_id: int, joined_at: datetime
) -> Telling | None:
    """Note that a guild is about to be told something in a channel; `None` if it was told.

    Who was told before the bot joined at `joined_at` is told again. Whoever dies between this and `done` leaves the
    telling to be repeated.
    """
    row = await connection.fetchrow(
        """
        INSERT INTO told AS known (guild_id, kind, channel_id, joined_at, begun_at)
        VALUES ($1, $2, $3, $4, clock_timestamp())
        ON CONFLICT (guild_id, kind) DO UPDATE SET
            joined_at = greatest(known.joined_at, excluded.joined_at),
            channel_id = CASE WHEN known.joined_at < excluded.joined_at
                              THEN excluded.channel_id ELSE known.channel_id END,
            begun_at   = CASE WHEN known.joined_at < excluded.joined_at
                              THEN excluded.begun_at ELSE known.begun_at END,
            tries      = CASE WHEN known.joined_at < excluded.joined_at THEN 1 ELSE known.tries + 1 END,
            message_id = NULL,
            told_at    = NULL
        WHERE known.message_id IS NULL OR known.joined_at < excluded.joined_at
        RETURNING channel_id, begun_at, tries > 1 AS is_repeated
        """,
        guild_id, kind, channel_id, joined_at,
    )  # fmt: skip
    return None if row is None else Telling(**row)


async def move(connection: Connection, *, guild_id: int, kind: str, channel_id: int) -> None:
    """Note that it is sent to another channel: the one before is gone, and so is whatever stood there."""
    await connection.execute(
        """
        UPDATE told SET channel_id = $3, begun_at = clock_timestamp()
        WHERE guild_id = $1 AND kind = $2 AND message_id IS NULL
        """,
        guild_id, kind, channel_id,
    )  # fmt: skip


async def done(connection: Connection, *, guild_id: int, kind: str, message_id: int) -> None:
    """Note that a guild was told something, by this message."""
    await connection.execute(
        """
        UPDATE told SET message_id = $3, told_at = clock_timestamp()
        WHERE guild_id = $1 AND kind = $2 AND message_id IS NULL
        """,
        guild_id, kind, message_id,
    )  # fmt: skip

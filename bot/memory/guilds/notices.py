"""Once-only notices: what guilds, members and the operator have already been told, by any process."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from bot.db.pool import Connection, Database
from bot.db.rows import row_as


async def first_today(connection: Connection, *, guild_id: int, kind: str, told_by: UUID) -> bool:
    """Tell whether `told_by` is the first to tell this today, a day of real time in UTC.

    The same `told_by` is the first whenever it asks that day, so a transaction may be tried again.
    """
    first = await connection.fetchval(
        """
        INSERT INTO notices AS known (guild_id, kind, day, told_by)
        VALUES ($1, $2, (clock_timestamp() AT TIME ZONE 'UTC')::date, $3)
        ON CONFLICT (guild_id, kind) DO UPDATE SET day = excluded.day, told_by = excluded.told_by
        WHERE known.day < excluded.day OR (known.day = excluded.day AND known.told_by = excluded.told_by)
        RETURNING true
        """,
        guild_id, kind, told_by,
    )  # fmt: skip
    return bool(first)


async def first_to_member(
    connection: Connection, *, guild_id: int, user_id: int, kind: str, told_by: UUID
) -> bool:
    """Tell whether `told_by` is the first ever to tell this to a member, who stands there as a keyed hash."""
    first = await connection.fetchval(
        """
        INSERT INTO notices AS known (guild_id, kind, day, told_by)
        VALUES (
            $1, $3 || ':' || encode(user_hash($1, $2), 'hex'),
            (clock_timestamp() AT TIME ZONE 'UTC')::date, $4
        )
        ON CONFLICT (guild_id, kind) DO UPDATE SET day = known.day WHERE known.told_by = excluded.told_by
        RETURNING true
        """,
        guild_id, user_id, kind, told_by,
    )  # fmt: skip
    return bool(first)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildNotice:
    """A message that is to be sent, or perhaps was."""

    channel_id: int
    """Where it is sent: where the first try sent it."""
    begun_at: datetime
    """Real time of the first try, aware."""
    is_repeated: bool
    """Somebody tried before, and nobody knows what became of that."""


async def begin_guild_notice(
    connection: Connection, *, guild_id: int, kind: str, channel_id: int, joined_at: datetime
) -> GuildNotice | None:
    """Note that a guild is about to be told something in a channel; `None` if it was told already.

    Notices from before the bot joined at `joined_at` are repeated. If the process dies between this and
    `guild_notice_done`, the notice is sent again.
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
    return row_as(GuildNotice, row)


async def move_guild_notice(connection: Connection, *, guild_id: int, kind: str, channel_id: int) -> None:
    """Note that it is sent to another channel: the one before is gone, and so is whatever stood there."""
    await connection.execute(
        """
        UPDATE told SET channel_id = $3, begun_at = clock_timestamp()
        WHERE guild_id = $1 AND kind = $2 AND message_id IS NULL
        """,
        guild_id, kind, channel_id,
    )  # fmt: skip


async def guild_notice_done(connection: Connection, *, guild_id: int, kind: str, message_id: int) -> None:
    """Note that a guild was told something, by this message."""
    await connection.execute(
        """
        UPDATE told SET message_id = $3, told_at = clock_timestamp()
        WHERE guild_id = $1 AND kind = $2 AND message_id IS NULL
        """,
        guild_id, kind, message_id,
    )  # fmt: skip


class Notices:
    """What was told already."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def first_today(self, *, guild_id: int, kind: str) -> bool:
        """Tell whether to tell this now: true once for a guild, a kind and a day in UTC, over all processes.

        Guild 0 is the installation itself. Raises `DatabaseUnavailableError`.
        """
        told_by = uuid4()
        return await self._database.write(first_today, guild_id=guild_id, kind=kind, told_by=told_by)

    async def first_to_member(self, *, guild_id: int, user_id: int, kind: str) -> bool:
        """Tell whether to tell this to a member now: true once for each, over all processes.

        What is kept of that is no id. Raises `DatabaseUnavailableError`.
        """
        told_by = uuid4()
        return await self._database.write(
            first_to_member, guild_id=guild_id, user_id=user_id, kind=kind, told_by=told_by
        )


class GuildNotices:
    """What guilds were told. Every method may raise `DatabaseError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(
        self, *, guild_id: int, kind: str, channel_id: int, joined_at: datetime
    ) -> GuildNotice | None:
        """Return how a notice is to be sent to a guild, in a channel; `None` if it was sent.

        Notices from before the bot joined at `joined_at` (aware) are repeated. One that was begun and not noted as
        `done` is repeated in its channel; the caller must find out whether it was sent.
        """
        return await self._database.write(
            begin_guild_notice, guild_id=guild_id, kind=kind, channel_id=channel_id, joined_at=joined_at
        )

    async def move(self, *, guild_id: int, kind: str, channel_id: int) -> None:
        """Note that it is sent to another channel, since the one before is gone."""
        await self._database.write(move_guild_notice, guild_id=guild_id, kind=kind, channel_id=channel_id)

    async def done(self, *, guild_id: int, kind: str, message_id: int) -> None:
        """Note that a guild was told something, by this message."""
        await self._database.write(guild_notice_done, guild_id=guild_id, kind=kind, message_id=message_id)

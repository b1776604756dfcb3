"""Messages whose facts are yet to be read out of them: queued by the statement that writes the message."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.domain import Message
from bot.store.database import Connection, Row
from bot.store.history import COLUMNS, message_of

_SEARCHED: Final = 30
"""Messages of a channel that are looked through, on either side, for the nearest of the same author."""


@dataclass(frozen=True, slots=True, order=True)
class Queued:
    """A message in the queue."""

    guild_id: int
    message_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A message between its author's nearest two around it."""

    message: Message
    before: Message | None
    after: Message | None


async def newest(connection: Connection, *, limit: int) -> list[Queued]:
    """Return the newest messages of the queue: whoever talks now goes before what is read back."""
    rows = await connection.fetch(
        """
        SELECT guild_id, message_id FROM unextracted WHERE due_at <= clock_timestamp()
        ORDER BY message_id DESC LIMIT $1
        """,
        limit,
    )
    return [_queued(row) for row in rows]


async def hold_guilds(connection: Connection, guild_ids: Iterable[int]) -> None:
    """Let nobody else read messages of these guilds out until commit.

    Two that read a message and its afterthought at once would each know only one of them.
    """
    await connection.execute(
        "SELECT pg_advisory_xact_lock(guild) FROM unnest($1::bigint[]) AS guild",
        sorted({_number(guild_id) for guild_id in guild_ids}),
    )


async def claim(connection: Connection, queued: Sequence[Queued]) -> list[Queued]:
    """Take these out of the queue, and return those that were still in it.

    They are back in it if the transaction fails, and again if a later version of one is written meanwhile: until
    commit nobody writes one.
    """
    guild_ids, message_ids = [one.guild_id for one in queued], [one.message_id for one in queued]
    # In the order in which the writer takes them; who waited for it must find its version in the queue.
    await connection.fetch(
        """
        SELECT FROM chat_history JOIN unnest($1::bigint[], $2::bigint[]) AS wanted (guild_id, message_id)
            USING (guild_id, message_id)
        ORDER BY guild_id, message_id FOR SHARE OF chat_history
        """,
        guild_ids, message_ids,
    )  # fmt: skip
    return await drop(connection, queued)


async def drop(connection: Connection, queued: Sequence[Queued]) -> list[Queued]:
    """Take these out of the queue unread, and return those that were still in it."""
    rows = await connection.fetch(
        """
        DELETE FROM unextracted u USING unnest($1::bigint[], $2::bigint[]) AS wanted (guild_id, message_id)
        WHERE u.guild_id = wanted.guild_id AND u.message_id = wanted.message_id
        RETURNING u.guild_id, u.message_id
        """,
        [one.guild_id for one in queued], [one.message_id for one in queued],
    )  # fmt: skip
    return sorted(map(_queued, rows))


async def postpone(connection: Connection, queued: Sequence[Queued], *, longest: timedelta) -> None:
    """Leave these in the queue for later, since they cannot be read: a minute, doubled each time, up to `longest`."""
    await connection.execute(
        """
        UPDATE unextracted u
        SET failures = failures + 1,
            due_at = clock_timestamp() + least($3, interval '1 minute' * 2 ^ least(failures, 20))
        FROM unnest($1::bigint[], $2::bigint[]) AS failed (guild_id, message_id)
        WHERE u.guild_id = failed.guild_id AND u.message_id = failed.message_id
        """,
        [one.guild_id for one in queued], [one.message_id for one in queued], longest,
    )  # fmt: skip


async def hurry(connection: Connection) -> None:
    """Let all that could not be read be due now."""
    await connection.execute("UPDATE unextracted SET due_at = '-infinity' WHERE due_at > '-infinity'")


async def is_waiting(connection: Connection, *, guild_id: int, up_to_id: int) -> bool:
    """Tell whether a message of the guild, up to this one, is to be read out now."""
    waiting: bool = await connection.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM unextracted
            WHERE guild_id = $1 AND message_id <= $2 AND due_at <= clock_timestamp()
        )
        """,
        guild_id, up_to_id,
    )  # fmt: skip
    return waiting


async def lines(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], within: timedelta
) -> list[Line]:
    """Return these messages, each with its author's nearest before and after it in the channel.

    Those are no further than `within` in time, and stand where the same people read. Of two, each is the other's
    neighbour. Withheld ones are none, but are returned themselves, without text.
    """
    rows = await connection.fetch(
        f"""
        WITH asked AS (
            SELECT channel_id AS asked_channel, message_id AS asked_id, user_id AS asked_user, timestamp AS asked_at,
                   audience AS asked_audience
            FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2::bigint[])
        )
        SELECT asked_id, said.* FROM asked CROSS JOIN LATERAL (
            (SELECT * FROM (
                SELECT {COLUMNS} FROM chat_history
                WHERE guild_id = $1 AND channel_id = asked_channel AND message_id < asked_id
                ORDER BY message_id DESC LIMIT $4
            ) before
            WHERE user_id = asked_user AND audience = asked_audience AND withheld IS NULL
              AND timestamp >= asked_at - $3::interval
            ORDER BY message_id DESC LIMIT 1)
            UNION ALL
            (SELECT {COLUMNS} FROM chat_history WHERE guild_id = $1 AND message_id = asked_id)
            UNION ALL
            (SELECT * FROM (
                SELECT {COLUMNS} FROM chat_history
                WHERE guild_id = $1 AND channel_id = asked_channel AND message_id > asked_id
                ORDER BY message_id LIMIT $4
            ) after
            WHERE user_id = asked_user AND audience = asked_audience AND withheld IS NULL
              AND timestamp <= asked_at + $3::interval
            ORDER BY message_id LIMIT 1)
        ) said
        """,
        guild_id, list(message_ids), within, _SEARCHED,
    )  # fmt: skip
    found: dict[int, dict[int, Message]] = {}
    for row in rows:
        message = message_of(row)
        found.setdefault(row["asked_id"], {})[message.message_id] = message
    return [_line(message_id, near) for message_id, near in sorted(found.items())]


async def not_learned_from(connection: Connection, *, guild_id: int, user_ids: Sequence[int]) -> set[int]:
    """Return which of these members want nothing to be learned from them."""
    rows = await connection.fetch(
        """
        SELECT user_id FROM members
        WHERE guild_id = $1 AND user_id = ANY($2::bigint[]) AND (is_bot OR NOT learning)
        """,
        guild_id, list(user_ids),
    )  # fmt: skip
    return {row["user_id"] for row in rows}


def _queued(row: Row) -> Queued:
    return Queued(row["guild_id"], row["message_id"])


def _line(message_id: int, near: dict[int, Message]) -> Line:
    before = [one for one in near if one < message_id]
    after = [one for one in near if one > message_id]
    return Line(
        message=near[message_id],
        before=near[before[0]] if before else None,
        after=near[after[0]] if after else None,
    )


def _number(guild_id: int) -> int:
    """Return the number of the lock that stands for reading a guild's messages out."""
    return int.from_bytes(hashlib.sha256(f"noticing:{guild_id}".encode()).digest()[:8], signed=True)

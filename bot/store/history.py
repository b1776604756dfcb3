"""Reading the message log: windows, counts and words. Withheld messages have no text and are left out.

So are, but where one message is asked for by its id, those of members of whom nothing is kept, and what answers
them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.domain import Message, MessageKind, Origin, Withheld
from bot.store.database import Connection, Row
from bot.store.presence import of_present, said_by_present

COLUMNS = """guild_id, channel_id, message_id, user_id, audience, kind, message_text, attachments,
    timestamp, edited_at, reply_to_id, withheld, from_visitor, forwarded_guild_id, forwarded_message_id"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How much a member has said where the asker may look."""

    messages: int
    first_at: datetime | None
    last_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WroteIn:
    """How much a member has said in one channel, and which message of it is the latest."""

    channel_id: int
    messages: int
    last_message_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """Which version of a message is kept."""

    message_id: int
    edited_at: datetime | None
    withheld: Withheld | None
    """Why it is kept without its text; `None` if it has one."""


def message_of(row: Row) -> Message:
    """Return the message in a row of `COLUMNS`."""
    return Message(
        guild_id=row["guild_id"],
        channel_id=row["channel_id"],
        message_id=row["message_id"],
        user_id=row["user_id"],
        audience=row["audience"],
        kind=MessageKind(row["kind"]),
        text=row["message_text"],
        attachments=tuple(row["attachments"]),
        timestamp=row["timestamp"],
        edited_at=row["edited_at"],
        reply_to_id=row["reply_to_id"],
        withheld=Withheld(row["withheld"]) if row["withheld"] else None,
        from_visitor=row["from_visitor"],
        forwarded=None
        if row["forwarded_message_id"] is None
        else Origin(guild_id=row["forwarded_guild_id"], message_id=row["forwarded_message_id"]),
    )


async def message(connection: Connection, *, guild_id: int, message_id: int) -> Message | None:
    """Return one message, also a withheld one, or `None` if it was never heard."""
    row = await connection.fetchrow(
        f"SELECT {COLUMNS} FROM chat_history WHERE guild_id = $1 AND message_id = $2", guild_id, message_id
    )
    return message_of(row) if row else None


async def messages(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> list[Message]:
    """Return these messages, also withheld ones, oldest first; but for those of members of whom nothing is kept."""
    rows = await connection.fetch(
        f"""
        SELECT {COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND message_id = ANY($2::bigint[]) AND {said_by_present("chat_history")}
        ORDER BY message_id
        """,
        guild_id, list(message_ids),
    )  # fmt: skip
    return [message_of(row) for row in rows]


async def latest_in_channel(
    connection: Connection, *, guild_id: int, channel_id: int, before_message_id: int, limit: int
) -> list[Message]:
    """Return the last `limit` messages of a channel before the one named, oldest first."""
    rows = await connection.fetch(
        f"""
        SELECT {COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id < $3 AND withheld IS NULL
          AND {said_by_present("chat_history")}
        ORDER BY message_id DESC LIMIT $4
        """,
        guild_id, channel_id, before_message_id, limit,
    )  # fmt: skip
    return [message_of(row) for row in reversed(rows)]


async def above(connection: Connection, *, guild_id: int, message_id: int, limit: int) -> list[Message]:
    """Return the chain of replies that leads up to a message, itself included, `limit` at most, oldest first.

    A withheld message is left out, and the chain goes on above it.
    """
    rows = await connection.fetch(
        f"""
        WITH RECURSIVE chain AS (
            SELECT $2::bigint AS message_id, 1 AS depth
            UNION ALL
            SELECT said.reply_to_id, chain.depth + 1
            FROM chain JOIN chat_history said ON said.guild_id = $1 AND said.message_id = chain.message_id
            WHERE said.reply_to_id < said.message_id AND chain.depth < $3
        )
        SELECT {COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND message_id IN (SELECT message_id FROM chain) AND withheld IS NULL
          AND {said_by_present("chat_history")}
        ORDER BY message_id
        """,
        guild_id, message_id, limit,
    )  # fmt: skip
    return [message_of(row) for row in rows]


async def latest_by_member(
    connection: Connection, *, guild_id: int, user_id: int, audiences: Sequence[int],
    before_message_id: int, limit: int,
) -> list[Message]:  # fmt: skip
    """Return what a member said last, before the message named, in these audiences, oldest first.

    What they said to the bot is left out: that is no talk with the others.
    """
    rows = await connection.fetch(
        f"""
        SELECT {COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3::bigint[])
          AND message_id < $4 AND withheld IS NULL AND {of_present("$2")}
          AND NOT EXISTS (
              SELECT 1 FROM answers
              WHERE answers.guild_id = $1 AND answers.message_id = chat_history.message_id
          )
        ORDER BY timestamp DESC, message_id DESC LIMIT $5
        """,
        guild_id, user_id, list(audiences), before_message_id, limit,
    )  # fmt: skip
    return [message_of(row) for row in reversed(rows)]


async def by_member_since(
    connection: Connection, *, guild_id: int, channel_id: int, user_id: int,
    first_message_id: int, before_message_id: int, limit: int,
) -> list[Message]:  # fmt: skip
    """Return what a member said last in a channel from one message on and before another, oldest first."""
    rows = await connection.fetch(
        f"""
        SELECT {COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id >= $4 AND message_id < $5
          AND user_id = $3 AND withheld IS NULL AND {of_present("$3")}
        ORDER BY message_id DESC LIMIT $6
        """,
        guild_id, channel_id, user_id, first_message_id, before_message_id, limit,
    )  # fmt: skip
    return [message_of(row) for row in reversed(rows)]


_SAID_BY_MEMBER: Final = f"""
        FROM chat_history
        WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3::bigint[])
          AND message_id < $4 AND withheld IS NULL AND {of_present("$2")}
          AND NOT EXISTS (
              SELECT 1 FROM answers
              WHERE answers.guild_id = $1 AND answers.message_id = chat_history.message_id
          )"""


async def tally_of_member(
    connection: Connection, *, guild_id: int, user_id: int, audiences: Sequence[int], before_message_id: int
) -> Tally:
    """Count what a member said before the message named, in these audiences, what they said to the bot left out."""
    (row,) = await connection.fetch(
        f"""
        SELECT count(*) AS messages, min(timestamp) AS first_at, max(timestamp) AS last_at
        {_SAID_BY_MEMBER}
        """,
        guild_id, user_id, list(audiences), before_message_id,
    )  # fmt: skip
    return Tally(messages=row["messages"], first_at=row["first_at"], last_at=row["last_at"])


async def channels_of_member(
    connection: Connection, *, guild_id: int, user_id: int, audiences: Sequence[int], before_message_id: int
) -> list[WroteIn]:
    """Return where a member said what `tally_of_member` counts, the channel with most of it first."""
    rows = await connection.fetch(
        f"""
        SELECT channel_id, count(*) AS messages, max(message_id) AS last_message_id
        {_SAID_BY_MEMBER}
        GROUP BY channel_id
        ORDER BY messages DESC, last_message_id DESC
        """,
        guild_id, user_id, list(audiences), before_message_id,
    )  # fmt: skip
    return [
        WroteIn(
            channel_id=row["channel_id"], messages=row["messages"], last_message_id=row["last_message_id"]
        )
        for row in rows
    ]


async def newest_id(connection: Connection, *, guild_id: int, from_id: int, to_id: int) -> int | None:
    """Return the largest message id of a guild within the range, both ends included."""
    found: int | None = await connection.fetchval(
        "SELECT max(message_id) FROM chat_history WHERE guild_id = $1 AND message_id BETWEEN $2 AND $3",
        guild_id, from_id, to_id,
    )  # fmt: skip
    return found


async def newest_ids(connection: Connection) -> dict[int, int]:
    """Return, by guild, the largest message id; one look into the index for each guild."""
    rows = await connection.fetch(
        """
        SELECT g.guild_id, newest.message_id FROM guilds g
        CROSS JOIN LATERAL (
            SELECT m.message_id FROM chat_history m
            WHERE m.guild_id = g.guild_id ORDER BY m.message_id DESC LIMIT 1
        ) AS newest
        """
    )
    return {row["guild_id"]: row["message_id"] for row in rows}


async def newest_time(connection: Connection, *, guild_id: int) -> datetime | None:
    """Return when the newest message of a guild was written, or `None` if it has none."""
    found: datetime | None = await connection.fetchval(
        "SELECT max(timestamp) FROM chat_history WHERE guild_id = $1", guild_id
    )
    return found


async def versions(
    connection: Connection, *, guild_id: int, channel_id: int, from_id: int, to_id: int
) -> list[Version]:
    """Return which versions are kept of a channel's messages within the range of ids, both ends included."""
    rows = await connection.fetch(
        """
        SELECT message_id, edited_at, withheld FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id BETWEEN $3 AND $4 ORDER BY message_id
        """,
        guild_id, channel_id, from_id, to_id,
    )  # fmt: skip
    return [
        Version(
            message_id=row["message_id"],
            edited_at=row["edited_at"],
            withheld=Withheld(row["withheld"]) if row["withheld"] else None,
        )
        for row in rows
    ]


async def kept_since(connection: Connection, *, guild_id: int, audiences: Sequence[int]) -> datetime | None:
    """Return when the oldest message was written that is kept for these audiences; `None` if there is none."""
    found: datetime | None = await connection.fetchval(
        """
        SELECT timestamp FROM chat_history
        WHERE guild_id = $1 AND audience = ANY($2::bigint[]) AND withheld IS NULL ORDER BY timestamp LIMIT 1
        """,
        guild_id, list(audiences),
    )  # fmt: skip
    return found

"""Reading the message log: windows, counts and words. Withheld messages have no text and are left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.domain import Message, MessageKind, Withheld
from bot.store.database import Connection, Row

_COLUMNS = """guild_id, channel_id, message_id, user_id, audience, kind, message_text, attachments,
    timestamp, edited_at, reply_to_id, withheld"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How much a member has said where the asker may look."""

    messages: int
    first_at: datetime | None
    last_at: datetime | None


def _message(row: Row) -> Message:
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
    )


async def message(connection: Connection, *, guild_id: int, message_id: int) -> Message | None:
    """Return one message, also a withheld one, or `None` if it was never heard."""
    row = await connection.fetchrow(
        f"SELECT {_COLUMNS} FROM chat_history WHERE guild_id = $1 AND message_id = $2", guild_id, message_id
    )
    return _message(row) if row else None


async def latest_in_channel(
    connection: Connection, *, guild_id: int, channel_id: int, before_message_id: int, limit: int
) -> list[Message]:
    """Return the last `limit` messages of a channel before the one named, oldest first."""
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id < $3 AND withheld IS NULL
        ORDER BY message_id DESC LIMIT $4
        """,
        guild_id, channel_id, before_message_id, limit,
    )  # fmt: skip
    return [_message(row) for row in reversed(rows)]


async def latest_by_member(
    connection: Connection, *, guild_id: int, user_id: int, audiences: Sequence[int],
    before_message_id: int, limit: int,
) -> list[Message]:  # fmt: skip
    """Return what a member said last, before the message named, in these audiences, oldest first.

    What they said to the bot is left out: that is no talk with the others.
    """
    rows = await connection.fetch(
        f"""
        SELECT {_COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3::bigint[])
          AND message_id < $4 AND withheld IS NULL
          AND NOT EXISTS (
              SELECT 1 FROM answers
              WHERE answers.guild_id = $1 AND answers.message_id = chat_history.message_id
          )
        ORDER BY timestamp DESC, message_id DESC LIMIT $5
        """,
        guild_id, user_id, list(audiences), before_message_id, limit,
    )  # fmt: skip
    return [_message(row) for row in reversed(rows)]


async def in_conversation_by_member(
    connection: Connection, *, guild_id: int, channel_id: int, user_id: int,
    before_message_id: int, gap: timedelta, longest: int, limit: int,
) -> list[Message]:  # fmt: skip
    """Return what a member said last in the running conversation of a channel, oldest first.

    The conversation reaches back from `before_message_id` until nothing was said for `gap`, or over
    `longest` messages.
    """
    rows = await connection.fetch(
        f"""
        WITH recent AS (
            SELECT *, lag(timestamp) OVER (ORDER BY message_id DESC) AS followed_at
            FROM chat_history
            WHERE guild_id = $1 AND channel_id = $2 AND message_id <= $4
            ORDER BY message_id DESC LIMIT $6
        ), running AS (
            SELECT *, bool_or(followed_at - timestamp >= $5) OVER (ORDER BY message_id DESC) AS is_earlier
            FROM recent
        )
        SELECT {_COLUMNS} FROM running
        WHERE is_earlier IS NOT TRUE AND user_id = $3 AND message_id < $4 AND withheld IS NULL
        ORDER BY message_id DESC LIMIT $7
        """,
        guild_id, channel_id, user_id, before_message_id, gap, longest, limit,
    )  # fmt: skip
    return [_message(row) for row in reversed(rows)]


async def tally_of_member(
    connection: Connection, *, guild_id: int, user_id: int, audiences: Sequence[int], before_message_id: int
) -> Tally:
    """Count what a member said before the message named, in these audiences, what they said to the bot left out."""
    (row,) = await connection.fetch(
        """
        SELECT count(*) AS messages, min(timestamp) AS first_at, max(timestamp) AS last_at
        FROM chat_history
        WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3::bigint[])
          AND message_id < $4 AND withheld IS NULL
          AND NOT EXISTS (
              SELECT 1 FROM answers
              WHERE answers.guild_id = $1 AND answers.message_id = chat_history.message_id
          )
        """,
        guild_id, user_id, list(audiences), before_message_id,
    )  # fmt: skip
    return Tally(messages=row["messages"], first_at=row["first_at"], last_at=row["last_at"])


async def with_words(
    connection: Connection, *, guild_id: int, words: str, audiences: Sequence[int],
    before_message_id: int, limit: int,
) -> list[Message]:  # fmt: skip
    """Return the newest members' messages that hold all of `words`, stemmed as the guild's are."""
    rows = await connection.fetch(
        f"""
        WITH wanted AS (
            SELECT plainto_tsquery(coalesce(
                (SELECT text_search FROM guilds WHERE guild_id = $1), 'russian'), $2) AS query
        )
        SELECT {_COLUMNS} FROM chat_history, wanted
        WHERE guild_id = $1 AND audience = ANY($3::bigint[]) AND message_id < $4
          AND kind = 'member' AND withheld IS NULL AND lexemes @@ query
        ORDER BY timestamp DESC, message_id DESC LIMIT $5
        """,
        guild_id, words, list(audiences), before_message_id, limit,
    )  # fmt: skip
    return [_message(row) for row in rows]


async def newest_id(connection: Connection, *, guild_id: int, from_id: int, to_id: int) -> int | None:
    """Return the largest message id of a guild within the range, both ends included."""
    found: int | None = await connection.fetchval(
        "SELECT max(message_id) FROM chat_history WHERE guild_id = $1 AND message_id BETWEEN $2 AND $3",
        guild_id, from_id, to_id,
    )  # fmt: skip
    return found


async def newest_time(connection: Connection, *, guild_id: int) -> datetime | None:
    """Return when the newest message of a guild was written, or `None` if it has none."""
    found: datetime | None = await connection.fetchval(
        "SELECT max(timestamp) FROM chat_history WHERE guild_id = $1", guild_id
    )
    return found

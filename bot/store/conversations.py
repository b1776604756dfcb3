"""The ends of the message log that conversations are derived from: read backwards by index, never a whole log."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain import Message
from bot.store.database import Connection, Row
from bot.store.history import COLUMNS, message_of
from bot.store.presence import said_by_present
from bot.store.summaries import COLUMNS as SUMMARY_COLUMNS
from bot.store.summaries import Summary, summary_in

_LONGEST_END = 80
"""Characters of a message that may say that this is all, and nothing else."""

# What was said to the bot has a row in answers, from before the bot begins to think about it.
_SPOKEN = f"""
    message_id AS spoken_id, timestamp AS spoken_at, audience AS spoken_in,
    CASE WHEN kind = 'bot' THEN reply_to_id END AS answers_id,
    withheld IS NULL AND {said_by_present("chat_history")} AS is_visible,
    CASE WHEN kind = 'member' AND char_length(message_text) <= {_LONGEST_END} AND message_text ~* 'all|вс[её]'
              AND EXISTS (SELECT FROM answers a WHERE a.guild_id = $1 AND a.message_id = chat_history.message_id)
         THEN message_text ELSE '' END AS last_words
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What of a kept message matters to the conversation that it belongs to."""

    message_id: int
    timestamp: datetime
    audience: int
    answers_id: int | None
    """Of the bot's own message: what it answers."""
    is_visible: bool
    """It was not withheld, and something is kept of whoever said it."""
    last_words: str
    """The text of a short message to the bot that may say that this is all, else empty."""
    message: Message | None = None
    """The message itself, where it was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """The end of what was said in a channel, and the summary that is kept of the channel, if any."""

    said: Sequence[Said]
    """Oldest first, withheld ones too."""
    is_complete: bool
    """Nothing was said before."""
    summary: Summary | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A channel with messages that the bot answered, in conversations whose end nobody has noted."""

    guild_id: int
    channel_id: int
    message_ids: Sequence[int]
    """Oldest first."""


async def tail(
    connection: Connection, *, guild_id: int, channel_id: int, up_to_id: int, limit: int, with_text: int = 0
) -> Tail:
    """Return the last `limit` messages of a channel up to `up_to_id`, included, in one statement.

    The last `with_text` of them that are not withheld come with all that they say.
    """
    rows = await connection.fetch(
        f"""
        WITH latest AS (
            SELECT {_SPOKEN} FROM chat_history
            WHERE guild_id = $1 AND channel_id = $2 AND message_id <= $3
            ORDER BY message_id DESC LIMIT $4
        ), placed AS (
            SELECT *, count(*) FILTER (WHERE is_visible) OVER (ORDER BY spoken_id DESC) AS place,
                   row_number() OVER (ORDER BY spoken_id DESC) = 1 AS is_last
            FROM latest
        )
        SELECT placed.*, {_qualified(COLUMNS, "h")}, {SUMMARY_COLUMNS}
        FROM placed
        LEFT JOIN chat_history h ON h.guild_id = $1 AND h.message_id = spoken_id AND is_visible AND place <= $5
        LEFT JOIN conversation_summaries s ON s.guild_id = $1 AND s.channel_id = $2 AND is_last
        ORDER BY spoken_id
        """,
        guild_id, channel_id, up_to_id, limit, with_text,
    )  # fmt: skip
    return Tail(
        said=[_said_in(row, message=message_of(row) if row["message_id"] else None) for row in rows],
        is_complete=len(rows) < limit,
        summary=summary_in(rows[-1]) if rows and rows[-1]["conversation_id"] else None,
    )


async def onwards(
    connection: Connection, *, guild_id: int, channel_id: int, after_id: int, limit: int
) -> list[Said]:
    """Return the first `limit` messages of a channel after `after_id`, oldest first, withheld ones too."""
    rows = await connection.fetch(
        f"""
        SELECT {_SPOKEN} FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id > $3
        ORDER BY message_id LIMIT $4
        """,
        guild_id, channel_id, after_id, limit,
    )  # fmt: skip
    return [_said_in(row) for row in rows]


async def earlier(
    connection: Connection, *, guild_id: int, channel_id: int, before_id: int, limit: int
) -> list[Said]:
    """Return the last `limit` messages of a channel before `before_id`, oldest first, withheld ones too."""
    rows = await connection.fetch(
        f"""
        SELECT {_SPOKEN} FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id < $3
        ORDER BY message_id DESC LIMIT $4
        """,
        guild_id, channel_id, before_id, limit,
    )  # fmt: skip
    return [_said_in(row) for row in reversed(rows)]


async def messages(
    connection: Connection,
    *,
    guild_id: int,
    channel_id: int,
    from_id: int,
    to_id: int,
    audiences: Sequence[int],
) -> list[Message]:
    """Return what was said in a channel from one message to another, both included, in these audiences.

    Oldest first, without withheld ones and those of members of whom nothing is kept.
    """
    rows = await connection.fetch(
        f"""
        SELECT {COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id BETWEEN $3 AND $4
          AND audience = ANY($5::bigint[]) AND withheld IS NULL AND {said_by_present("chat_history")}
        ORDER BY message_id
        """,
        guild_id, channel_id, from_id, to_id, list(audiences),
    )  # fmt: skip
    return [message_of(row) for row in rows]


async def has_answered(
    connection: Connection, *, guild_id: int, channel_id: int, from_id: int, to_id: int
) -> bool:
    """Tell whether the bot itself, and not another one, answered in a channel from one message to another."""
    found: bool = await connection.fetchval(
        """
        SELECT EXISTS (
            SELECT FROM answers
            WHERE guild_id = $1 AND channel_id = $2 AND message_id BETWEEN $3 AND $4
              AND state IN ('written', 'sent')
        )
        """,
        guild_id, channel_id, from_id, to_id,
    )  # fmt: skip
    return found


async def answered(
    connection: Connection, *, since: datetime, places: Sequence[tuple[int, int]] | None = None
) -> list[Answered]:
    """Return what the bot answered since `since` in conversations whose end is not noted, by channel.

    In all channels, or in `places`, each a guild and a channel of it.
    """
    rows = await connection.fetch(
        """
        SELECT a.guild_id, a.channel_id, array_agg(a.message_id ORDER BY a.message_id) AS message_ids
        FROM answers a
        LEFT JOIN LATERAL (
            SELECT e.last_message_id FROM ended_conversations e
            WHERE e.guild_id = a.guild_id AND e.channel_id = a.channel_id AND e.first_message_id <= a.message_id
            ORDER BY e.first_message_id DESC LIMIT 1
        ) noted ON true
        WHERE a.answered_at >= $1 AND a.state IN ('written', 'sent')
          AND ($2::bigint[] IS NULL
               OR (a.guild_id, a.channel_id) IN (SELECT * FROM unnest($2::bigint[], $3::bigint[])))
          AND coalesce(noted.last_message_id, 0) < a.message_id
        GROUP BY a.guild_id, a.channel_id ORDER BY a.guild_id, a.channel_id
        """,
        since, None if places is None else [guild_id for guild_id, _ in places],
        None if places is None else [channel_id for _, channel_id in places],
    )  # fmt: skip
    return [
        Answered(guild_id=row["guild_id"], channel_id=row["channel_id"], message_ids=row["message_ids"])
        for row in rows
    ]


def _said_in(row: Row, *, message: Message | None = None) -> Said:
    return Said(
        message_id=row["spoken_id"],
        timestamp=row["spoken_at"],
        audience=row["spoken_in"],
        answers_id=row["answers_id"],
        is_visible=row["is_visible"],
        last_words=row["last_words"],
        message=message,
    )


def _qualified(columns: str, table: str) -> str:
    return ", ".join(f"{table}.{column.strip()}" for column in columns.split(","))

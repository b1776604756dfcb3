"""SQL that reads the message log: single messages, windows, counts and versions, and the ends of channels that
conversations are derived from.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.domain import Message, RedactionReason
from bot.db.pool import Connection
from bot.db.rows import columns_of, row_as, rows_as
from bot.memory.policy.repository import HAS_WRITTEN, of_present, said_by_present
from bot.memory.summaries.repository import RollingSummary
from bot.text.languages import either

MESSAGE_COLUMNS: Final = columns_of(Message, text="message_text")


IS_OF_A_WRITE: Final = f"""EXISTS (
        SELECT FROM answers WHERE answers.guild_id = $1 AND {HAS_WRITTEN}
          AND answers.message_id = CASE kind WHEN 'bot' THEN reply_to_id ELSE chat_history.message_id END
    )"""
"""SQL: whether the row of `chat_history` is a command that changed what is remembered, or its answer."""

LAST_COMMAND: Final = 2
"""Messages: what was commanded just now, and the confirmation, which the next message may go on with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageVersion:
    """Which version of a message is kept."""

    message_id: int
    edited_at: datetime | None
    withheld: RedactionReason | None
    """Why it is kept without its text; `None` if it has one."""


async def message(connection: Connection, *, guild_id: int, message_id: int) -> Message | None:
    """Return one message, also a withheld one, or `None` if it was never heard."""
    row = await connection.fetchrow(
        f"SELECT {MESSAGE_COLUMNS} FROM chat_history WHERE guild_id = $1 AND message_id = $2",
        guild_id,
        message_id,
    )
    return row_as(Message, row)


async def messages(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> list[Message]:
    """Return these messages, also withheld ones, oldest first; but for those of members of whom nothing is kept."""
    rows = await connection.fetch(
        f"""
        SELECT {MESSAGE_COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND message_id = ANY($2::bigint[]) AND {said_by_present("chat_history")}
        ORDER BY message_id
        """,
        guild_id, list(message_ids),
    )  # fmt: skip
    return rows_as(Message, rows)


async def latest_in_channel(
    connection: Connection, *, guild_id: int, channel_id: int, before_message_id: int, limit: int
) -> list[Message]:
    """Return the last `limit` messages of a channel before the one named, oldest first.

    Of those that changed what is remembered, and their confirmations, only such as were said last.
    """
    rows = await connection.fetch(
        f"""
        WITH latest AS (
            SELECT *, row_number() OVER (ORDER BY message_id DESC) AS place FROM chat_history
            WHERE guild_id = $1 AND channel_id = $2 AND message_id < $3 AND withheld IS NULL
              AND {said_by_present("chat_history")}
            ORDER BY message_id DESC LIMIT $4
        )
        SELECT {MESSAGE_COLUMNS} FROM latest AS chat_history
        WHERE place <= {LAST_COMMAND} OR NOT {IS_OF_A_WRITE}
        ORDER BY message_id DESC
        """,
        guild_id, channel_id, before_message_id, limit,
    )  # fmt: skip
    return rows_as(Message, rows[::-1])


async def reply_chain(connection: Connection, *, guild_id: int, message_id: int, limit: int) -> list[Message]:
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
        SELECT {MESSAGE_COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND message_id IN (SELECT message_id FROM chain) AND withheld IS NULL
          AND {said_by_present("chat_history")}
        ORDER BY message_id
        """,
        guild_id, message_id, limit,
    )  # fmt: skip
    return rows_as(Message, rows)


NOT_TO_THE_BOT: Final = """NOT EXISTS (
        SELECT FROM answers WHERE answers.guild_id = $1 AND answers.message_id = chat_history.message_id
    )"""
"""SQL: whether the row of `chat_history` is talk with the others, not one that the bot answers."""


async def latest_by_member(
    connection: Connection, *, guild_id: int, user_id: int, audiences: Sequence[int],
    before_message_id: int, limit: int,
) -> list[Message]:  # fmt: skip
    """Return what a member said last, before the message named, in these audiences, oldest first.

    What they said to the bot is left out: that is no talk with the others.
    """
    rows = await connection.fetch(
        f"""
        SELECT {MESSAGE_COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3::bigint[]) AND message_id < $4
          AND withheld IS NULL AND {of_present("$2")} AND {NOT_TO_THE_BOT}
        ORDER BY timestamp DESC, message_id DESC LIMIT $5
        """,
        guild_id, user_id, list(audiences), before_message_id, limit,
    )  # fmt: skip
    return rows_as(Message, rows[::-1])


async def by_member_since(
    connection: Connection, *, guild_id: int, channel_id: int, user_id: int,
    first_message_id: int, before_message_id: int, limit: int,
) -> list[Message]:  # fmt: skip
    """Return what a member said last in a channel from one message on and before another, oldest first."""
    rows = await connection.fetch(
        f"""
        SELECT {MESSAGE_COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id >= $4 AND message_id < $5
          AND user_id = $3 AND withheld IS NULL AND {of_present("$3")}
        ORDER BY message_id DESC LIMIT $6
        """,
        guild_id, channel_id, user_id, first_message_id, before_message_id, limit,
    )  # fmt: skip
    return rows_as(Message, rows[::-1])


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


async def message_versions(
    connection: Connection, *, guild_id: int, channel_id: int, from_id: int, to_id: int
) -> list[MessageVersion]:
    """Return which versions are kept of a channel's messages within the range of ids, both ends included."""
    rows = await connection.fetch(
        """
        SELECT message_id, edited_at, withheld FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id BETWEEN $3 AND $4 ORDER BY message_id
        """,
        guild_id, channel_id, from_id, to_id,
    )  # fmt: skip
    return rows_as(MessageVersion, rows)


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


_SAYS_ALL = either("all")
_LONGEST_END = 80
"""Characters of a message that may say that this is all, and nothing else."""

# What decides where conversations end. What was said to the bot has a row in answers, from before the bot begins to
# think about it.
_SAID = f"""
    message_id, timestamp,
    CASE WHEN kind = 'bot' THEN reply_to_id END AS answers_id,
    CASE WHEN kind = 'member' AND char_length(message_text) <= {_LONGEST_END} AND message_text ~* '{_SAYS_ALL}'
              AND EXISTS (SELECT FROM answers a WHERE a.guild_id = $1 AND a.message_id = chat_history.message_id)
         THEN message_text ELSE '' END AS last_words
"""
_SPOKEN = f"""
    {_SAID}, audience,
    withheld IS NULL AND {said_by_present("chat_history")} AS is_visible,
    {IS_OF_A_WRITE} AS is_of_a_write
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidMessage:
    """What of a kept message decides where conversations end."""

    message_id: int
    timestamp: datetime
    answers_id: int | None
    """Of the bot's own message: what it answers."""
    last_words: str
    """The text of a short message to the bot that may say that this is all, else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationMessage(SaidMessage):
    """What of a kept message matters to the conversation that it belongs to."""

    audience: int
    is_visible: bool
    """It was not withheld, and something is kept of whoever said it."""
    is_of_a_write: bool
    """It is a command that changed what is remembered, or the bot's confirmation."""
    message: Message | None = None
    """The message itself, where it was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelTail:
    """The end of what was said in a channel, and the summary that is kept of the channel, if any."""

    said: Sequence[ConversationMessage]
    """Oldest first, withheld ones too."""
    is_complete: bool
    """Nothing was said before."""
    summary: RollingSummary | None
    noted_end_id: int
    """The last message of the last conversation whose end was noted; 0 if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _KeptOfChannel:
    summary: RollingSummary | None
    noted_end_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredChannel:
    """A channel with messages that the bot answered, in conversations whose end nobody has noted."""

    guild_id: int
    channel_id: int
    message_ids: Sequence[int]
    """Oldest first."""


async def channel_tail(
    connection: Connection,
    *,
    guild_id: int,
    channel_id: int,
    up_to_id: int,
    noted_before_id: int,
    limit: int,
    with_text: int = 0,
) -> ChannelTail:
    """Return the last `limit` messages of a channel up to `up_to_id`, included, in one statement.

    The last `with_text` of them that are not withheld come with all that they say. Of ends that were noted it is the
    last one before `noted_before_id`.
    """
    rows = await connection.fetch(
        f"""
        WITH latest AS (
            SELECT {_SPOKEN} FROM chat_history
            WHERE guild_id = $1 AND channel_id = $2 AND message_id <= $3
            ORDER BY message_id DESC LIMIT $4
        ), placed AS (
            SELECT *, count(*) FILTER (WHERE is_visible) OVER (ORDER BY message_id DESC) AS place,
                   row_number() OVER (ORDER BY message_id DESC) = 1 AS is_last
            FROM latest
        )
        SELECT placed.*, {columns_of(Message, "h", into="message", text="h.message_text")},
               {columns_of(RollingSummary, "s", into="summary")},
               coalesce(CASE WHEN is_last THEN (
                   SELECT last_message_id FROM ended_conversations
                   WHERE guild_id = $1 AND channel_id = $2 AND first_message_id < $6 AND last_message_id < $6
                   ORDER BY first_message_id DESC LIMIT 1
               ) END, 0) AS noted_end_id
        FROM placed
        LEFT JOIN LATERAL (
            -- Looked up for these alone: a join would look up all and then leave most of them out.
            SELECT * FROM chat_history
            WHERE guild_id = $1 AND message_id = placed.message_id AND is_visible AND place <= $5 OFFSET 0
        ) h ON true
        LEFT JOIN conversation_summaries s ON s.guild_id = $1 AND s.channel_id = $2 AND is_last
        ORDER BY placed.message_id
        """,
        guild_id, channel_id, up_to_id, limit, with_text, noted_before_id,
    )  # fmt: skip
    kept = row_as(_KeptOfChannel, rows[-1]) if rows else _KeptOfChannel(summary=None, noted_end_id=0)
    return ChannelTail(
        said=rows_as(ConversationMessage, rows),
        is_complete=len(rows) < limit,
        summary=kept.summary,
        noted_end_id=kept.noted_end_id,
    )


async def said_up_to(
    connection: Connection, *, guild_id: int, channel_id: int, up_to_id: int, limit: int
) -> list[SaidMessage]:
    """Return the last `limit` messages of a channel up to `up_to_id`, included, oldest first, withheld ones too.

    Only what decides where conversations end: where people talk on it takes many to see where one began.
    """
    rows = await connection.fetch(
        f"""
        SELECT {_SAID} FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id <= $3
        ORDER BY message_id DESC LIMIT $4
        """,
        guild_id, channel_id, up_to_id, limit,
    )  # fmt: skip
    return rows_as(SaidMessage, rows[::-1])


async def messages_after(
    connection: Connection, *, guild_id: int, channel_id: int, after_id: int, limit: int
) -> list[ConversationMessage]:
    """Return the first `limit` messages of a channel after `after_id`, oldest first, withheld ones too."""
    rows = await connection.fetch(
        f"""
        SELECT {_SPOKEN} FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id > $3
        ORDER BY message_id LIMIT $4
        """,
        guild_id, channel_id, after_id, limit,
    )  # fmt: skip
    return rows_as(ConversationMessage, rows)


async def conversation_messages(
    connection: Connection,
    *,
    guild_id: int,
    channel_id: int,
    from_id: int,
    to_id: int,
    audiences: Sequence[int],
) -> list[Message]:
    """Return what was said in a channel from one message to another, both included, in these audiences.

    Oldest first, without withheld ones, those of members of whom nothing is kept, and commands that changed what is
    remembered.
    """
    rows = await connection.fetch(
        f"""
        SELECT {MESSAGE_COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND channel_id = $2 AND message_id BETWEEN $3 AND $4
          AND audience = ANY($5::bigint[]) AND withheld IS NULL AND {said_by_present("chat_history")}
          AND NOT {IS_OF_A_WRITE}
        ORDER BY message_id
        """,
        guild_id, channel_id, from_id, to_id, list(audiences),
    )  # fmt: skip
    return rows_as(Message, rows)


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


async def answered_channels(
    connection: Connection, *, since: datetime, silent_since: datetime | None = None
) -> list[AnsweredChannel]:
    """Return what the bot answered since `since` in conversations whose end is not noted, by channel of all guilds.

    Only where nothing was said after `silent_since`, if that is given.
    """
    rows = await connection.fetch(
        f"""
        SELECT answered.* FROM ({_answers_not_noted("answers a")}) answered
        WHERE $2::timestamptz IS NULL OR (
            SELECT timestamp <= $2 FROM chat_history h
            WHERE h.guild_id = answered.guild_id AND h.channel_id = answered.channel_id
            ORDER BY message_id DESC LIMIT 1
        )
        ORDER BY guild_id, channel_id
        """,
        since, silent_since,
    )  # fmt: skip
    return rows_as(AnsweredChannel, rows)


# Place by place, by index: a join may read all answers of a time instead.
_IN_PLACES: Final = """
    unnest($2::bigint[], $3::bigint[]) AS place (guild_id, channel_id) CROSS JOIN LATERAL (
        SELECT * FROM answers
        WHERE guild_id = place.guild_id AND channel_id = place.channel_id AND answered_at >= $1 OFFSET 0
    ) a
"""


async def answered_in(
    connection: Connection, *, since: datetime, places: Sequence[tuple[int, int]]
) -> list[AnsweredChannel]:
    """Return what the bot answered since `since` in conversations whose end is not noted, by channel of `places`.

    Each place is a guild and a channel of it.
    """
    rows = await connection.fetch(
        f"{_answers_not_noted(_IN_PLACES)} ORDER BY guild_id, channel_id",
        since, [guild_id for guild_id, _ in places], [channel_id for _, channel_id in places],
    )  # fmt: skip
    return rows_as(AnsweredChannel, rows)


def _answers_not_noted(answers: str) -> str:
    """Return SQL for what the bot answered since `$1` in conversations whose end is not noted, by channel."""
    return f"""
        SELECT a.guild_id, a.channel_id, array_agg(a.message_id ORDER BY a.message_id) AS message_ids
        FROM {answers}
        LEFT JOIN LATERAL (
            SELECT e.last_message_id FROM ended_conversations e
            WHERE e.guild_id = a.guild_id AND e.channel_id = a.channel_id AND e.first_message_id <= a.message_id
            ORDER BY e.first_message_id DESC LIMIT 1
        ) noted ON true
        WHERE a.answered_at >= $1 AND a.state IN ('written', 'sent')
          AND coalesce(noted.last_message_id, 0) < a.message_id
        GROUP BY a.guild_id, a.channel_id
    """

"""SQL of the quarantine: messages that could not be written, set aside as they were received."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.core.domain import Message
from bot.db.pool import Connection
from bot.db.rows import json_of, row_as, rows_as
from bot.memory.messages.repository import MESSAGE_COLUMNS
from bot.memory.messages.repository_writing import COLUMNS, row_of
from bot.memory.policy.repository import TEXT_SEARCH

RECORD: Final = f"({', '.join(f'{name} {kind}' for name, kind in COLUMNS.items())})"
"""The columns of a message that stands here as JSON."""

_VERSION = "coalesce({}.edited_at, '-infinity')"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarantinedMessage:
    """A message that is set aside."""

    guild_id: int
    message_id: int
    failures: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarantineCount:
    """How many messages are set aside."""

    messages: int
    errors: tuple[str, ...]
    """The types of the errors that kept them from being written."""


async def put(connection: Connection, message: Message, *, error: str, pause: timedelta) -> None:
    """Set `message` aside because of an error of the type `error`, to be tried after `pause` of real time.

    Nothing is set aside of a member of whom nothing is kept, nor what is older than the version that is known.
    """
    await connection.execute(
        f"""
        INSERT INTO quarantined_messages AS known
            (guild_id, message_id, user_id, timestamp, edited_at, message, error, since, due_at)
        SELECT i.guild_id, i.message_id, i.user_id, i.timestamp, i.edited_at, $1::jsonb, $2,
               clock_timestamp(), clock_timestamp() + $3
        FROM jsonb_to_record($1::jsonb) AS i {RECORD}
        WHERE (i.withheld IS NOT NULL OR NOT (
                said_by_absent(i.guild_id, i.user_id, i.kind, i.reply_to_id)
                OR was_erased(i.guild_id, i.user_id, i.timestamp)))
          AND NOT EXISTS (
              SELECT FROM chat_history c
              WHERE c.guild_id = i.guild_id AND c.message_id = i.message_id
                AND (c.withheld IS NOT NULL OR {_VERSION.format("c")} > {_VERSION.format("i")})
          )
        ON CONFLICT (guild_id, message_id) DO UPDATE SET
            user_id = excluded.user_id, timestamp = excluded.timestamp, edited_at = excluded.edited_at,
            message = excluded.message, error = excluded.error, failures = 1, due_at = excluded.due_at
        WHERE known.message ->> 'withheld' IS NULL
          AND (excluded.message ->> 'withheld' IS NOT NULL
               OR {_VERSION.format("excluded")} >= {_VERSION.format("known")})
        """,
        json_of(dict(zip(COLUMNS, row_of(message), strict=True))), error, pause,
    )  # fmt: skip


async def hurry(connection: Connection) -> None:
    """Make everything that is set aside due now."""
    await connection.execute(
        "UPDATE quarantined_messages SET due_at = clock_timestamp() WHERE due_at > clock_timestamp()"
    )


async def due(connection: Connection, *, limit: int) -> list[QuarantinedMessage]:
    """Return what is due to be tried again, once whatever nothing is kept of any more is dropped."""
    await connection.execute(
        f"""
        DELETE FROM quarantined_messages WHERE (guild_id, message_id) IN (
            SELECT q.guild_id, q.message_id FROM quarantined_messages q, jsonb_to_record(q.message) AS i {RECORD}
            WHERE q.due_at <= clock_timestamp() AND i.withheld IS NULL AND (
                said_by_absent(i.guild_id, i.user_id, i.kind, i.reply_to_id)
                OR was_erased(i.guild_id, i.user_id, i.timestamp))
        )
        """
    )
    rows = await connection.fetch(
        """
        SELECT guild_id, message_id, failures FROM quarantined_messages
        WHERE due_at <= clock_timestamp() ORDER BY due_at, message_id LIMIT $1
        """,
        limit,
    )
    return rows_as(QuarantinedMessage, rows)


async def take(connection: Connection, one: QuarantinedMessage) -> Message | None:
    """Take a message out, to be written in the same transaction; `None` if somebody else did."""
    row = await connection.fetchrow(
        f"""
        WITH taken AS (
            DELETE FROM quarantined_messages WHERE guild_id = $1 AND message_id = $2 RETURNING message
        )
        SELECT {MESSAGE_COLUMNS} FROM taken, jsonb_to_record(taken.message) AS i {RECORD}
        """,
        one.guild_id, one.message_id,
    )  # fmt: skip
    return row_as(Message, row)


async def postpone(connection: Connection, one: QuarantinedMessage, *, error: str, pause: timedelta) -> None:
    """Note that a message could not be written once more, to be tried again after `pause` of real time."""
    await connection.execute(
        """
        UPDATE quarantined_messages
        SET failures = failures + 1, error = $3, due_at = clock_timestamp() + $4
        WHERE guild_id = $1 AND message_id = $2
        """,
        one.guild_id, one.message_id, error, pause,
    )  # fmt: skip


async def count(connection: Connection) -> QuarantineCount:
    """Return how many messages are set aside in all guilds, and why."""
    (row,) = await connection.fetch(
        """
        SELECT count(*) AS messages, coalesce(array_agg(DISTINCT error ORDER BY error), '{}') AS errors
        FROM quarantined_messages
        """
    )
    return row_as(QuarantineCount, row)


async def drop_holding(
    connection: Connection,
    *,
    guild_id: int,
    stems: Iterable[Sequence[str]],
    author_ids: Sequence[int] | None,
    audiences: Sequence[int],
) -> None:
    """Drop messages in `audiences` that hold all of one of `stems`, of these authors and the bot if any are named.

    What was never shown to anybody needs no finer rule.
    """
    await connection.execute(
        f"""
        DELETE FROM quarantined_messages WHERE guild_id = $1 AND message_id IN (
            SELECT q.message_id FROM quarantined_messages q, jsonb_to_record(q.message) AS i {RECORD}
            WHERE q.guild_id = $1
              AND (i.kind = 'bot' OR (i.audience = ANY($4::bigint[])
                   AND ($3::bigint[] IS NULL OR i.user_id = ANY($3::bigint[]))))
              AND EXISTS (
                  SELECT FROM jsonb_array_elements($2::jsonb) AS held
                  WHERE jsonb_array_length(held) > 0 AND held <@ to_jsonb(tsvector_to_array(lexemes_of(
                      {TEXT_SEARCH},
                      i.message_text, i.attachments)))
              )
        )
        """,
        guild_id, json_of([list(one) for one in stems]), None if author_ids is None else list(author_ids),
        list(audiences),
    )  # fmt: skip


async def erase_member(connection: Connection, *, guild_id: int, user_id: int) -> None:
    """Drop all that a member wrote and all that the bot said, and let the member be nobody in what others wrote."""
    await connection.execute(
        """
        DELETE FROM quarantined_messages WHERE guild_id = $1 AND (user_id = $2 OR message ->> 'kind' = 'bot')
        """,
        guild_id, user_id,
    )  # fmt: skip
    await connection.execute(
        """
        UPDATE quarantined_messages SET message = without_id(message::text, $2)::jsonb
        WHERE guild_id = $1 AND without_id(message::text, $2) <> message::text
        """,
        guild_id, user_id,
    )  # fmt: skip

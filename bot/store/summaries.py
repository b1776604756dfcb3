"""What is kept in short of what running conversations said before: one row a channel, saved only if it still stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.domain import Message
from bot.store.database import Connection, Row

KIND: Final = "roll"
"""The kind of background work that sums up what running conversations said; its key is the channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a conversation said up to `covers_up_to`."""

    conversation_id: int
    """The first message that it tells of: of this conversation, or of one before it that no episode told of."""
    audience: int
    content: str
    covers_up_to: int
    covered: int
    """Messages that the conversation itself had until there, withheld ones too: if one comes late, there are more."""
    degraded: bool
    failures: int
    """How often in a row no model told it."""


COLUMNS: Final = """s.conversation_id, s.audience AS summary_audience, s.content, s.covers_up_to, s.covered,
    s.degraded, s.failures"""
"""The columns of a summary `s`, as `summary_in` reads them."""


def summary_in(row: Row) -> Summary:
    """Return the summary in a row of `COLUMNS`."""
    return Summary(
        conversation_id=row["conversation_id"],
        audience=row["summary_audience"],
        content=row["content"],
        covers_up_to=row["covers_up_to"],
        covered=row["covered"],
        degraded=row["degraded"],
        failures=row["failures"],
    )


async def epoch(connection: Connection, *, guild_id: int) -> int:
    """Return the epoch of a guild's memory; 0 if the guild is not known."""
    found: int | None = await connection.fetchval(
        "SELECT memory_epoch FROM guilds WHERE guild_id = $1", guild_id
    )
    return found or 0


async def still_stands(
    connection: Connection,
    *,
    guild_id: int,
    memory_epoch: int,
    audiences: Mapping[int, int],
) -> bool:
    """Tell whether nothing was forgotten since this epoch, and messages are still there, each in its audience.

    `audiences` are those that they were read in, by message.

    All of it is held until commit: whoever takes something back meanwhile waits, and then finds what was stored.
    """
    now: int | None = await connection.fetchval(
        "SELECT memory_epoch FROM guilds WHERE guild_id = $1 FOR SHARE", guild_id
    )
    if (now or 0) != memory_epoch:
        return False
    rows = await connection.fetch(
        """
        SELECT message_id, audience FROM chat_history
        WHERE guild_id = $1 AND message_id = ANY($2::bigint[]) AND withheld IS NULL
        ORDER BY message_id FOR SHARE
        """,
        guild_id, list(audiences),
    )  # fmt: skip
    return {row["message_id"]: row["audience"] for row in rows} == dict(audiences)


async def save(
    connection: Connection,
    summary: Summary,
    *,
    guild_id: int,
    channel_id: int,
    before: Summary | None,
    memory_epoch: int,
    now: datetime,
) -> bool:
    """Put `summary` in the place of `before`; `False`, and nothing done, if something else stands there by now."""
    values = (
        guild_id, channel_id, summary.conversation_id, summary.audience, summary.content, summary.covers_up_to,
        summary.covered, summary.degraded, summary.failures, memory_epoch, now,
    )  # fmt: skip
    if before is None:
        saved = await connection.fetchval(
            """
            INSERT INTO conversation_summaries
                (guild_id, channel_id, conversation_id, audience, content, covers_up_to, covered, degraded, failures,
                 memory_epoch, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (guild_id, channel_id) DO NOTHING
            RETURNING true
            """,
            *values,
        )
    else:
        saved = await connection.fetchval(
            """
            UPDATE conversation_summaries
            SET conversation_id = $3, audience = $4, content = $5, covers_up_to = $6, covered = $7, degraded = $8,
                failures = $9, memory_epoch = $10, updated_at = $11
            WHERE guild_id = $1 AND channel_id = $2
              AND (conversation_id, covers_up_to, content, failures) = ($12::bigint, $13::bigint, $14::text, $15::int)
            RETURNING true
            """,
            *values, before.conversation_id, before.covers_up_to, before.content, before.failures,
        )  # fmt: skip
    return bool(saved)


async def drop_told(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> int:
    """Remove the summaries that tell of one of these messages, which was withheld or moved to another audience.

    In the transaction that did so, after it. Returns how many went.
    """
    count: int = await connection.fetchval(
        """
        WITH gone AS (
            DELETE FROM conversation_summaries s
            USING chat_history h
            WHERE h.guild_id = $1 AND h.message_id = ANY($2::bigint[])
              AND s.guild_id = $1 AND s.channel_id = h.channel_id
              AND h.message_id BETWEEN s.conversation_id AND s.covers_up_to
              AND (h.withheld IS NOT NULL OR h.audience NOT IN (0, s.audience))
            RETURNING s.channel_id
        )
        SELECT count(*) FROM gone
        """,
        guild_id, list(message_ids),
    )  # fmt: skip
    return count


async def drop_of(connection: Connection, *, guild_id: int, user_id: int) -> None:
    """Remove the summaries of what a member said, or in which they are named."""
    await connection.execute(
        """
        DELETE FROM conversation_summaries s
        WHERE s.guild_id = $1 AND (s.content ~ ('<@!?' || $2::bigint || '>') OR EXISTS (
            SELECT FROM chat_history h
            WHERE h.guild_id = $1 AND h.user_id = $2 AND h.channel_id = s.channel_id
              AND h.message_id BETWEEN s.conversation_id AND s.covers_up_to
        ))
        """,
        guild_id, user_id,
    )  # fmt: skip


async def drop_all(connection: Connection, *, guild_id: int) -> None:
    """Remove every summary of a guild."""
    await connection.execute("DELETE FROM conversation_summaries WHERE guild_id = $1", guild_id)


async def follow_edits(connection: Connection, heard: Sequence[Message]) -> None:
    """Remove the summaries that tell of an edited message which fewer may read now; to be called after the edits."""
    edited: dict[int, list[int]] = {}
    for message in heard:
        if message.edited_at is not None and message.withheld is None:
            edited.setdefault(message.guild_id, []).append(message.message_id)
    for guild_id, message_ids in edited.items():
        await drop_told(connection, guild_id=guild_id, message_ids=message_ids)


async def ask_again(connection: Connection, *, guild_id: int, channel_id: int, pause: timedelta) -> None:
    """Ask for a channel to be looked at once more, after `pause` of real time."""
    await connection.execute(
        """
        INSERT INTO work AS known (guild_id, kind, work_key, due_at)
        VALUES ($1, $2, $3, clock_timestamp() + $4)
        ON CONFLICT (guild_id, kind, work_key) DO UPDATE SET
            wanted = known.wanted + 1, attempts = 0, due_at = excluded.due_at
        """,
        guild_id, KIND, str(channel_id), pause,
    )  # fmt: skip

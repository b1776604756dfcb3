"""Answers to messages that were edited: what takes the place of the first one."""

from datetime import datetime

from bot.store.answers import Written
from bot.store.database import Connection


async def may_rewrite(connection: Connection, *, guild_id: int, message_id: int, edited_at: datetime) -> bool:
    """Tell whether this version of a message is newer than what was answered; nobody changes that before commit."""
    may: bool | None = await connection.fetchval(
        """
        SELECT edited_at IS NULL OR edited_at < $3 FROM answers
        WHERE guild_id = $1 AND message_id = $2 FOR UPDATE
        """,
        guild_id, message_id, edited_at,
    )  # fmt: skip
    return bool(may)


async def rewrite(
    connection: Connection,
    *,
    guild_id: int,
    message_id: int,
    edited_at: datetime,
    written: Written,
) -> bool:
    """Write down what takes the place of the answer to a message that was edited.

    `False` if this version or a later one was answered before.
    """
    kept = await connection.fetchval(
        """
        UPDATE answers
        SET route = $4, parts = $5, fact_ids = $6, memory_ids = $7, quoted_ids = $8, question = $9::text::jsonb,
            degraded = $10, edited_at = $3, episode_ids = $11
        WHERE guild_id = $1 AND message_id = $2 AND (edited_at IS NULL OR edited_at < $3)
        RETURNING true
        """,
        guild_id, message_id, edited_at, written.route, list(written.parts), list(written.fact_ids),
        list(written.memory_ids), list(written.quoted_ids), written.question, written.degraded,
        list(written.episode_ids),
    )  # fmt: skip
    return bool(kept)

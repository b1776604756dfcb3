"""What the bot asked back and waits to hear: the question of an answer, until a message settles it."""

from datetime import datetime

from bot.store.answers import COLUMNS, Answer, answer_in
from bot.store.database import Connection


async def settle(connection: Connection, *, guild_id: int, message_id: int, settled_by: int) -> bool:
    """Move the question that the bot asked back to the claim of the message that settles it.

    There a process that dies leaves it to the next one. `False` if another message settled it already. Whom it asked
    is nobody then, if nothing is kept of them.
    """
    if message_id == settled_by:
        return True
    settled = await connection.fetchval(
        """
        WITH asked AS (
            SELECT question FROM answers WHERE guild_id = $1 AND message_id = $2 AND question IS NOT NULL
        ), moved AS (
            UPDATE answers SET question = asked.question FROM asked
            WHERE answers.guild_id = $1 AND answers.message_id = $3 AND state = 'claimed'
        )
        UPDATE answers SET question = NULL, settled_by = $3,
            user_id = CASE WHEN keeps_nothing(guild_id, user_id) THEN 0 ELSE user_id END
        WHERE guild_id = $1 AND message_id = $2 AND (question IS NOT NULL OR settled_by = $3) RETURNING true
        """,
        guild_id, message_id, settled_by,
    )  # fmt: skip
    return bool(settled)


async def open_question(
    connection: Connection, *, guild_id: int, channel_id: int, user_id: int, message_id: int, since: datetime
) -> Answer | None:
    """Return the newest answer since `since` that asks this member back in this channel, if still open.

    What a message has begun to settle is open to that message alone, heard again; once its own answer is written
    down and perhaps not sent, that is returned.
    """
    row = await connection.fetchrow(
        f"""
        SELECT {COLUMNS} FROM answers
        WHERE guild_id = $1 AND channel_id = $2 AND user_id = $3 AND answered_at >= $4
          AND (question IS NOT NULL AND state <> 'claimed'
               OR message_id = $5 AND (question IS NOT NULL OR state = 'written'))
        ORDER BY message_id = $5 DESC, answered_at DESC, message_id DESC LIMIT 1
        """,
        guild_id, channel_id, user_id, since, message_id,
    )  # fmt: skip
    return answer_in(row) if row else None


async def has_settled(
    connection: Connection, *, guild_id: int, channel_id: int, message_id: int, since: datetime
) -> bool:
    """Tell whether a message settled a question that the bot asked in this channel since `since`."""
    settled: bool = await connection.fetchval(
        """
        SELECT EXISTS (
            SELECT 1 FROM answers
            WHERE guild_id = $1 AND channel_id = $2 AND answered_at >= $4 AND settled_by = $3
        )
        """,
        guild_id, channel_id, message_id, since,
    )  # fmt: skip
    return settled

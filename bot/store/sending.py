"""That an answer was sent, and what is left of it then."""

from collections.abc import Sequence
from datetime import datetime

from bot.store.database import Connection


async def sent(connection: Connection, *, guild_id: int, message_id: int, sent_ids: Sequence[int]) -> None:
    """Note under which ids the answer to a message was sent.

    Of one to a member of whom nothing is kept, or who was erased meanwhile, nothing is left but that, and what the
    bot asked back; of one to a message that was not kept, since nothing is heard there, no word is.
    """
    await connection.execute(
        """
        WITH answered AS (
            SELECT user_id = 0 OR keeps_nothing(guild_id, user_id) AS is_absent,
                   EXISTS (SELECT FROM chat_history WHERE guild_id = $1 AND message_id = $2) AS is_heard
            FROM answers WHERE guild_id = $1 AND message_id = $2
        )
        UPDATE answers SET state = 'sent', sent_ids = $3,
            parts = CASE WHEN is_absent OR NOT is_heard THEN '{}' ELSE parts END,
            user_id = CASE WHEN is_absent AND question IS NULL THEN 0 ELSE user_id END
        FROM answered WHERE guild_id = $1 AND message_id = $2
        """,
        guild_id, message_id, list(sent_ids),
    )  # fmt: skip


async def empty_to_nobody(connection: Connection, *, guild_id: int, before: datetime) -> None:
    """Empty answers from before this time to messages of which nothing was kept: never sent, or a question left open.

    So is what was still being written when its member was erased.
    """
    await connection.execute(
        """
        UPDATE answers a SET user_id = 0, parts = '{}', question = NULL, turn = NULL
        FROM chat_history h
        WHERE a.guild_id = $1 AND a.answered_at < $2 AND (a.user_id <> 0 OR cardinality(a.parts) > 0)
          AND h.guild_id = $1 AND h.message_id = a.message_id AND h.withheld = 'opted_out'
          AND EXISTS (
              SELECT FROM absences WHERE guild_id = $1 UNION ALL SELECT FROM erased WHERE guild_id = $1
              UNION ALL SELECT FROM guilds WHERE guild_id = $1 AND rights ->> 'consent' = 'asked'
          )
        """,
        guild_id, before,
    )  # fmt: skip

"""SQL that counts a member's messages from `message_counts`, which triggers maintain.

It reads one row for each channel in which they wrote, the newer messages, and those to the bot, however many others
there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.db.pool import Connection
from bot.db.rows import row_as, rows_as
from bot.memory.messages.repository import NOT_TO_THE_BOT
from bot.memory.policy.repository import of_present


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageTally:
    """How much a member has said where the asker may look."""

    messages: int
    first_at: datetime | None
    """When they said the first of it; `None` if they said nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WroteIn:
    """How much a member has said in one channel, and which message of it is the latest."""

    channel_id: int
    messages: int
    last_message_id: int


_MEANT: Final = "audience = ANY($3::bigint[]) AND withheld IS NULL"

# What stands in the counts and is not meant goes off again: what came after the message, and what the bot answers.
# "OFFSET 0" keeps to the key: to the planner, who knows no member, the index of a member's messages looks shorter.
_BY_CHANNEL: Final = f"""
    SELECT channel_id, sum(messages)::bigint AS messages, max(newest_id) AS newest_id
    FROM (
        SELECT channel_id, messages, newest_id FROM message_counts
        WHERE guild_id = $1 AND user_id = $2 AND audience = ANY($3::bigint[]) AND {of_present("$2")}
        UNION ALL
        SELECT channel_id, -1, 0
        FROM (SELECT * FROM chat_history WHERE guild_id = $1 AND message_id >= $4 OFFSET 0) AS chat_history
        WHERE user_id = $2 AND {_MEANT}
        UNION ALL
        SELECT chat_history.channel_id, -1, 0 FROM answers a CROSS JOIN LATERAL (
            SELECT * FROM chat_history WHERE guild_id = $1 AND message_id = a.message_id OFFSET 0
        ) AS chat_history
        WHERE a.guild_id = $1 AND a.user_id = $2 AND a.message_id < $4
          AND chat_history.user_id = $2 AND {_MEANT}
    ) AS counted
    GROUP BY channel_id HAVING sum(messages) > 0
"""


async def tally_of_member(
    connection: Connection, *, guild_id: int, user_id: int, audiences: Sequence[int], before_message_id: int
) -> MessageTally:
    """Count what a member said before the message named, in these audiences, what they said to the bot left out."""
    (row,) = await connection.fetch(
        f"""
        SELECT coalesce(sum(messages), 0)::bigint AS messages, CASE WHEN count(*) > 0 THEN (
            SELECT timestamp FROM chat_history
            WHERE guild_id = $1 AND user_id = $2 AND message_id < $4 AND {_MEANT} AND {NOT_TO_THE_BOT}
            ORDER BY timestamp LIMIT 1
        ) END AS first_at
        FROM ({_BY_CHANNEL}) AS said
        """,
        guild_id, user_id, list(audiences), before_message_id,
    )  # fmt: skip
    return row_as(MessageTally, row)


async def fullest_channels(
    connection: Connection,
    *,
    guild_id: int,
    user_id: int,
    audiences: Sequence[int],
    before_message_id: int,
    limit: int,
) -> list[WroteIn]:
    """Return the `limit` channels where a member said most of what `tally_of_member` counts, the fullest first."""
    # Mostly the newest that was ever counted is the last. If it went, or is not meant, one below it is: of who wrote
    # much it is looked for in the channel, of who wrote little among what they wrote. For that the planner has to know
    # the member, whom as a parameter it takes for any other. What is put into the text are whole numbers.
    rows = await connection.fetch(
        f"""
        SELECT channel_id, messages, (
            SELECT message_id FROM chat_history
            WHERE guild_id = {int(guild_id)} AND user_id = {int(user_id)} AND channel_id = said.channel_id
              AND message_id <= newest_id AND message_id < $4 AND {_MEANT} AND {NOT_TO_THE_BOT}
            ORDER BY message_id DESC LIMIT 1
        ) AS last_message_id
        FROM (SELECT *, rank() OVER (ORDER BY messages DESC) AS place FROM ({_BY_CHANNEL}) AS counted) AS said
        WHERE place <= $5
        ORDER BY messages DESC, last_message_id DESC LIMIT $5
        """,
        guild_id, user_id, list(audiences), before_message_id, limit,
    )  # fmt: skip
    return rows_as(WroteIn, rows)

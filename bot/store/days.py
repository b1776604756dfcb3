"""The messages of one day, as they are told of."""

from collections.abc import Sequence
from datetime import date

from bot.domain import Message
from bot.store import history
from bot.store.database import Connection
from bot.store.presence import said_by_present


async def messages(
    connection: Connection, *, guild_id: int, audience: int, day: date, time_zone: str, after_id: int = 0
) -> Sequence[Message]:
    """Return what was said on `day` of this time zone after the message `after_id`, oldest first.

    Withheld messages are left out and those of members of whom nothing is kept, and so are commands to the bot with
    their answers, also one that is just being answered: they are no part of the talk. The range only helps the
    index: clocks that are put back make days of 25 hours.
    """
    rows = await connection.fetch(
        f"""
        SELECT {history.COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND audience = $2 AND withheld IS NULL AND message_id > $5
          AND timestamp >= ($3::date - 1)::timestamp AT TIME ZONE $4
          AND timestamp < ($3::date + 2)::timestamp AT TIME ZONE $4
          AND (timestamp AT TIME ZONE $4)::date = $3::date
          AND {said_by_present("chat_history")}
          AND NOT EXISTS (
              SELECT FROM answers a
              WHERE a.guild_id = $1
                AND a.message_id IN (chat_history.message_id, CASE WHEN kind = 'bot' THEN reply_to_id END)
                AND (a.route NOT IN ('none', 'chat') OR a.state = 'claimed')
          )
        ORDER BY message_id
        """,
        guild_id, audience, day, time_zone, after_id,
    )  # fmt: skip
    return [history.message_of(row) for row in rows]


async def may_be_stored(
    connection: Connection,
    *,
    guild_id: int,
    audience: int,
    day: date,
    version: int,
    memory_epoch: int,
    time_zone: str,
) -> bool:
    """Tell whether what was told of a day at this version, epoch and time zone may be served.

    All three are held until commit: whoever takes something back meanwhile waits, and then finds what was stored.
    """
    allowed: bool = await connection.fetchval(
        """
        SELECT coalesce((SELECT (memory_epoch, time_zone) = ($5::bigint, $6::text) FROM guilds
                         WHERE guild_id = $1 FOR SHARE), $5 = 0)
           AND coalesce((SELECT taken_back FROM day_marks
                         WHERE guild_id = $1 AND audience = $2 AND day = $3 FOR SHARE), 0) <= $4
        """,
        guild_id, audience, day, version, memory_epoch, time_zone,
    )  # fmt: skip
    return allowed

"""Whether an answer may be sent, that it was, and what is left of it then; and which were not."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsent:
    """An answer that is written down and was not sent."""

    guild_id: int
    channel_id: int
    message_id: int
    """The message that is answered."""


async def tells_forgotten(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> bool:
    """Tell whether one of these facts has lost its text; none of them loses it before commit.

    To be asked before an answer that tells them is written: whoever forgets them takes their text first, and then
    looks for the answers.
    """
    found: bool | None = await connection.fetchval(
        """
        SELECT bool_or(told.content = '')
        FROM (
            SELECT content FROM facts WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) ORDER BY fact_id FOR SHARE
        ) AS told
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return bool(found)


async def sent(connection: Connection, *, guild_id: int, message_id: int, sent_ids: Sequence[int]) -> bool:
    """Note under which ids the answer to a message was sent; `False` if its text was taken while that went on.

    Of one to a member of whom nothing is kept, or who was erased meanwhile, nothing is left but that, and what the
    bot asked back; of one to a message that was not kept, since nothing is heard there, no word is.
    """
    still_stands: bool | None = await connection.fetchval(
        """
        WITH answered AS (
            SELECT user_id = 0 OR keeps_nothing(guild_id, user_id) AS is_absent,
                   EXISTS (SELECT FROM chat_history WHERE guild_id = $1 AND message_id = $2) AS is_heard,
                   cardinality(parts) > 0 AS still_stands
            FROM answers WHERE guild_id = $1 AND message_id = $2
            -- Whoever takes its text at this moment has either done so by now, or finds the ids below.
            FOR UPDATE
        )
        UPDATE answers SET state = 'sent', sent_ids = $3,
            parts = CASE WHEN is_absent OR NOT is_heard THEN '{}' ELSE parts END,
            user_id = CASE WHEN is_absent AND question IS NULL THEN 0 ELSE user_id END
        FROM answered WHERE guild_id = $1 AND message_id = $2
        RETURNING still_stands
        """,
        guild_id, message_id, list(sent_ids),
    )  # fmt: skip
    return still_stands is not False


async def unsent(
    connection: Connection,
    *,
    guild_ids: Sequence[int],
    with_direct: bool,
    unleased_for: timedelta,
    since: datetime,
    most: int,
) -> list[Unsent]:
    """Return answers in these guilds, `with_direct` in direct messages too, that stay written, oldest first.

    They were claimed after `since`, and nobody has had a lease of them for `unleased_for` in real time.
    """
    rows = await connection.fetch(
        """
        SELECT a.guild_id, a.channel_id, a.message_id FROM answers a JOIN guilds g USING (guild_id)
        WHERE a.state = 'written' AND cardinality(a.parts) > 0 AND a.answered_at > $3
          AND a.leased_until < clock_timestamp() - $4::interval
          AND (a.guild_id = ANY($1::bigint[]) OR ($2 AND g.direct))
        ORDER BY a.answered_at, a.message_id LIMIT $5
        """,
        list(guild_ids), with_direct, since, unleased_for, most,
    )  # fmt: skip
    return [
        Unsent(guild_id=row["guild_id"], channel_id=row["channel_id"], message_id=row["message_id"])
        for row in rows
    ]


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

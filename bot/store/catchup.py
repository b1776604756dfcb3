"""What somebody has not read yet: the messages since their own last one, bounded in time and number."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.domain import Message
from bot.store.database import Connection
from bot.store.history import COLUMNS, message_of
from bot.store.presence import of_present

_LOOKED_THROUGH: Final = 4_000
"""The newest messages of a guild that are looked through at most, whatever may be told of them."""

_PER_CHANNEL: Final = 150
"""Messages of one channel, so that a busy one leaves room for the others."""

_GREETING: Final = (
    r"^\W*((hi|hey|hello|hiya|yo|sup|good|morning|afternoon|evening|back|again|i'?m|all|everyone|everybody|folks|there|guys"
    r"|привет|приветик|здравствуй|здравствуйте|добрый|доброе|доброго|утро|утра|день|дня|вечер|вечера|всем|хай|ку"
    r"|я|снова|опять|тут|здесь|вернул(ся|ась))\W*)+$"
)
"""Who only greets has come back, and asks next what was said before that."""

_LONGEST_GREETING: Final = 40


@dataclass(frozen=True, slots=True)
class Unread:
    """What somebody has not read yet."""

    messages: Sequence[Message]
    """The newest, oldest first."""
    total: int
    """How many there are with those that were left out."""


async def unread(
    connection: Connection,
    *,
    guild_id: int,
    asker_id: int,
    audiences: Sequence[int],
    channel_id: int | None,
    since: datetime,
    whole: bool,
    before_message_id: int,
    readable_ids: Collection[int] | None = None,
    limit: int,
) -> Unread:
    """Return what members said since the asker's own last message in each channel, `since` a moment at most.

    Where the asker said nothing since then, their last message anywhere counts. With `whole` everything since that
    moment is told, the asker's own messages too. Only what was said
    in `readable_ids`, if these are known. `channel_id` narrows it down to a channel with its threads. Only what
    `audiences` may see in channels that they may see today; commands to the bot, visitors' words, and those of members
    of whom nothing is kept or others are told nothing are no part of it.
    """
    rows = await connection.fetch(
        f"""
        WITH own AS MATERIALIZED (
            SELECT channel_id, max(message_id) AS last_id FROM chat_history h
            WHERE guild_id = $1 AND user_id = $2 AND timestamp >= $5 AND message_id < $7 AND NOT $6
              AND NOT (char_length(message_text) BETWEEN 1 AND {_LONGEST_GREETING} AND message_text ~* $9)
              AND NOT EXISTS (
                  SELECT FROM answers a
                  WHERE a.guild_id = $1 AND a.message_id = h.message_id AND a.route = 'catch_up'
              )
            GROUP BY channel_id
        ), latest AS MATERIALIZED (
            SELECT {COLUMNS} FROM chat_history
            WHERE guild_id = $1 AND timestamp >= $5 AND message_id < $7
              AND ($4::bigint IS NULL OR channel_id = $4 OR channel_id IN (
                  SELECT c.channel_id FROM channels c WHERE c.guild_id = $1 AND c.parent_id = $4
              ))
            ORDER BY timestamp DESC, message_id DESC LIMIT {_LOOKED_THROUGH}
        ), missed AS (
            SELECT h.*, count(*) OVER () AS total,
                   row_number() OVER (PARTITION BY h.channel_id ORDER BY h.message_id DESC) AS place
            FROM latest h
            LEFT JOIN channels c ON c.guild_id = $1 AND c.channel_id = h.channel_id
            LEFT JOIN own ON own.channel_id = h.channel_id
            WHERE h.kind = 'member' AND h.withheld IS NULL AND NOT h.from_visitor
              AND h.audience = ANY($3::bigint[])
              AND ($10::bigint[] IS NULL OR h.channel_id = ANY($10))
              AND (c.channel_id IS NULL OR c.audience = ANY($3::bigint[]) AND c.deleted_at IS NULL)
              AND ($6 OR h.user_id <> $2
                   AND h.message_id > coalesce(own.last_id, (SELECT max(last_id) FROM own), 0))
              AND {of_present("h.user_id")}
              AND (h.user_id = $2 OR NOT EXISTS (
                  SELECT FROM members m WHERE m.guild_id = $1 AND m.user_id = h.user_id AND m.private
              ))
              AND NOT EXISTS (
                  SELECT FROM answers a
                  WHERE a.guild_id = $1 AND a.message_id = h.message_id AND a.route NOT IN ('chat', 'none')
              )
        )
        SELECT {COLUMNS}, total FROM missed WHERE place <= {_PER_CHANNEL}
        ORDER BY message_id DESC LIMIT $8
        """,
        guild_id, asker_id, list(audiences), channel_id, since, whole, before_message_id, limit, _GREETING,
        None if readable_ids is None else list(readable_ids),
    )  # fmt: skip
    return Unread(messages=[message_of(row) for row in reversed(rows)], total=rows[0]["total"] if rows else 0)

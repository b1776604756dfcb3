"""SQL that reads messages which no search asks for: those around search results, and recent ones of members."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.core.domain import ANYBODY, Message, moment_of, snowflake_at
from bot.db.pool import Connection
from bot.db.rows import rows_as
from bot.memory.messages.repository import IS_OF_A_WRITE, MESSAGE_COLUMNS
from bot.memory.policy.repository import TEXT_SEARCH, of_present, said_by_present

_LOOKED_THROUGH: Final = 1_000
"""Messages in which it is looked for who names somebody: however often all guilds say the name, it takes no longer."""

_BEFORE_IT, _AFTER_IT = 1, 3
_AROUND: Final = timedelta(minutes=10)
"""What of the talk around a message is told with it: answers stand after it more often than before."""


async def said_around(
    connection: Connection,
    *,
    guild_id: int,
    message_ids: Sequence[int],
    before_message_id: int,
    audiences: Sequence[int],
) -> tuple[dict[int, list[Message]], frozenset[int]]:
    """Return for each of these messages what was said in its channel right before and after it, oldest first, and
    those of them that told nothing but facts that others have replaced since.

    Only what these audiences may see, before the message named, without withheld ones and commands that changed what
    is remembered.
    """
    rows = await connection.fetch(
        f"""
        SELECT hit_id, message_id = hit_id AND (
            SELECT coalesce(bool_and(status = 'superseded'), false)
            FROM fact_sources JOIN facts USING (guild_id, fact_id)
            WHERE guild_id = $1 AND fact_sources.message_id = hit_id AND facts.audience = ANY($4::bigint[])
              AND status IN ('active', 'superseded')
        ) AS replaced, {MESSAGE_COLUMNS}
        FROM (
            SELECT message_id AS hit_id, channel_id AS hit_channel_id, timestamp AS hit_at FROM chat_history
            WHERE guild_id = $1 AND message_id = ANY($2::bigint[])
        ) hit CROSS JOIN LATERAL (
            (SELECT * FROM chat_history
             WHERE guild_id = $1 AND channel_id = hit_channel_id AND message_id < hit_id
             ORDER BY message_id DESC LIMIT {_BEFORE_IT})
            UNION ALL
            (SELECT * FROM chat_history
             WHERE guild_id = $1 AND channel_id = hit_channel_id AND message_id >= hit_id AND message_id < $3
             ORDER BY message_id LIMIT 1 + {_AFTER_IT})
        ) chat_history
        WHERE timestamp BETWEEN hit_at - $5::interval AND hit_at + $5::interval
          AND audience = ANY($4::bigint[]) AND withheld IS NULL AND {said_by_present("chat_history")}
          AND (message_id = hit_id OR NOT {IS_OF_A_WRITE})
        ORDER BY hit_id, message_id
        """,
        guild_id, list(message_ids), before_message_id, list(audiences), _AROUND,
    )  # fmt: skip
    around: dict[int, list[Message]] = {}
    for row, one in zip(rows, rows_as(Message, rows), strict=True):
        if one.message_id != row["hit_id"]:
            around.setdefault(row["hit_id"], []).append(one)
    return around, frozenset(row["hit_id"] for row in rows if row["replaced"])


async def said_by_or_in(
    connection: Connection,
    *,
    guild_id: int,
    user_ids: Sequence[int],
    since: datetime,
    span: tuple[datetime, datetime] | None,
    words: Sequence[str],
    before_message_id: int,
    audiences: Sequence[int],
    limit: int,
) -> dict[int, list[Message]]:
    """Return by member the newest messages after `since` that they said, and those of others that name them; by 0 those
    of the channels that are meant; by `ANYBODY`, where that is among `user_ids`, the newest that state something.

    Meant are the channels that `words`, in lower case, name in some form: what was said there in the `span`, else
    after `since`. With a span and no such channel it is all that was said then. `limit` at most for each member and
    for the channels, before the message named; who is named is looked for in the last `_LOOKED_THROUGH`. Only what
    these audiences may see, without withheld ones, what bots say, and commands that changed what is remembered.
    """
    begins, ends = span or (since, moment_of(before_message_id))
    rows = await connection.fetch(
        f"""
        WITH named AS (
            SELECT channel_id FROM channels, unnest($6::text[]) AS word
            WHERE guild_id = $1 AND length(name) > 2 AND abs(length(word) - length(name)) <= 2
              AND left(word, greatest(3, length(name) - 1)) = left(lower(name), greatest(3, length(name) - 1))
        ), bearer AS (
            SELECT user_id AS bearer_id, string_agg(DISTINCT quote_literal(lexeme), ' | ')::tsquery AS names
            FROM (SELECT {TEXT_SEARCH} AS config) guild,
                 members, unnest(ARRAY[user_name, display_name, nickname, user_id::text]) AS name,
                 unnest(lexemes_of(config, split_part(name, ' ', 1)))
            WHERE guild_id = $1 AND user_id = ANY($2::bigint[]) AND {of_present("user_id")}
              AND (length(split_part(name, ' ', 1)) > 2 OR name = user_id::text)
            GROUP BY user_id
        ), lately AS MATERIALIZED (
            SELECT * FROM chat_history WHERE guild_id = $1 AND message_id >= $11 AND message_id < $7
            ORDER BY message_id DESC LIMIT {_LOOKED_THROUGH}
        ), formula AS MATERIALIZED (
            -- What several say in the same words ("see you there") tells nothing of anybody.
            SELECT lower(message_text) AS words FROM lately GROUP BY 1 HAVING min(user_id) < max(user_id)
        ), said AS (
            SELECT member_id AS whose, by_member.* FROM unnest($2::bigint[]) AS member (member_id) CROSS JOIN LATERAL (
                SELECT * FROM chat_history
                WHERE guild_id = $1 AND user_id = member_id AND timestamp >= $3 AND message_id < $7
                ORDER BY timestamp DESC LIMIT $9
            ) by_member
            UNION ALL
            SELECT bearer_id, naming.* FROM bearer CROSS JOIN LATERAL (
                SELECT * FROM lately WHERE lexemes @@ names AND user_id <> bearer_id LIMIT $9
            ) naming
            UNION ALL
            SELECT 0, there.* FROM (
                SELECT * FROM chat_history
                WHERE guild_id = $1 AND message_id >= $4 AND message_id < least($5, $7)
                  AND (channel_id IN (SELECT channel_id FROM named) OR ($10 AND NOT EXISTS (SELECT FROM named)))
                  AND ($10 OR EXISTS (SELECT FROM named))
                ORDER BY message_id DESC LIMIT $9
            ) there
            UNION ALL
            SELECT * FROM (
                SELECT {ANYBODY}, * FROM lately
                WHERE {ANYBODY} = ANY($2::bigint[]) AND audience = ANY($8::bigint[]) AND length(lexemes) > 2
                  AND right(rtrim(message_text), 1) <> '?' AND lower(message_text) NOT IN (SELECT words FROM formula)
                ORDER BY timestamp DESC LIMIT $9
            ) anybody
        )
        SELECT whose, {MESSAGE_COLUMNS} FROM said AS chat_history
        WHERE kind = 'member' AND audience = ANY($8::bigint[]) AND withheld IS NULL
          AND (whose = 0 OR lower(message_text) NOT IN (SELECT words FROM formula))
          AND {said_by_present("chat_history")} AND NOT {IS_OF_A_WRITE}
        """,
        guild_id, list(user_ids), since, snowflake_at(begins), snowflake_at(ends), list(words), before_message_id,
        list(audiences), limit, span is not None, snowflake_at(since),
    )  # fmt: skip
    said: dict[int, list[Message]] = {}
    for row, one in zip(rows, rows_as(Message, rows), strict=True):
        said.setdefault(row["whose"], []).append(one)
    return said

"""Writing the message log: idempotent in any order of creates, edits, deletes and repeats."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain import Message, Withheld
from bot.store.database import Connection

UNKNOWN_AUTHOR: Final = 0
"""The author of a message whose deletion was heard before the message itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A row that a write made or altered."""

    guild_id: int
    message_id: int
    is_new: bool


# One version is newer than another by its time of edit; at the same time the fuller one wins, since an
# embed that unfurls adds words without an edit. What was withheld never gets a text again, whatever comes late.
# Days are marked in the same statement: for a row that changed, also in the audience that it had before, since an
# edit may have closed it: from there it is taken back. (This statement still sees the row as it was.)
# Where nothing is to be heard, and of what was said while nothing was, no new text is taken. A kept text gives
# way to a later edit even so, and leaves an empty version of its time: its author took it back. It comes with
# the same edit heard again once the channel is heard.
# What a member wrote, and what is new about it, is queued to be read for facts.
_HEAR = """
WITH incoming AS (
    SELECT i.*, coalesce(g.text_search, 'russian') AS text_search, coalesce(g.time_zone, 'UTC') AS zone,
           coalesce(c.hearing, true) AND coalesce(p.hearing, true) AND NOT EXISTS (
               SELECT FROM unheard u
               WHERE u.guild_id = i.guild_id AND u.channel_id IN (i.channel_id, c.parent_id)
                 AND i.message_id >= u.from_id AND (u.to_id IS NULL OR i.message_id < u.to_id)
           ) AS is_heard
    FROM jsonb_to_recordset($1::jsonb) AS i (
        guild_id bigint, channel_id bigint, message_id bigint, user_id bigint, audience bigint, kind text,
        message_text text, attachments text[], timestamp timestamptz, edited_at timestamptz,
        reply_to_id bigint, withheld text, from_visitor boolean
    )
    LEFT JOIN guilds g USING (guild_id)
    LEFT JOIN channels c ON c.guild_id = i.guild_id AND c.channel_id = i.channel_id
    LEFT JOIN channels p ON p.guild_id = c.guild_id AND p.channel_id = c.parent_id
), changed AS (
    INSERT INTO chat_history AS kept (
        guild_id, channel_id, message_id, user_id, audience, kind, message_text, attachments,
        timestamp, edited_at, reply_to_id, withheld, lexemes, from_visitor
    )
    SELECT guild_id, channel_id, message_id, user_id, audience, kind,
           CASE WHEN is_heard THEN message_text ELSE '' END, CASE WHEN is_heard THEN attachments ELSE '{}' END,
           timestamp, edited_at, reply_to_id, withheld,
           CASE WHEN is_heard THEN lexemes_of(text_search, message_text, attachments) ELSE '' END,
           from_visitor
    FROM incoming
    WHERE is_heard OR withheld IS NOT NULL OR (
        SELECT true FROM chat_history known
        WHERE known.guild_id = incoming.guild_id AND known.message_id = incoming.message_id
    )
    ORDER BY guild_id, message_id
    ON CONFLICT (guild_id, message_id) DO UPDATE SET
        user_id      = CASE WHEN kept.user_id = 0 THEN excluded.user_id ELSE kept.user_id END,
        kind         = CASE WHEN kept.user_id = 0 THEN excluded.kind ELSE kept.kind END,
        timestamp    = CASE WHEN kept.user_id = 0 THEN excluded.timestamp ELSE kept.timestamp END,
        reply_to_id  = CASE WHEN kept.user_id = 0 THEN excluded.reply_to_id ELSE kept.reply_to_id END,
        from_visitor = CASE WHEN kept.user_id = 0 THEN excluded.from_visitor ELSE kept.from_visitor END,
        audience     = CASE WHEN kept.user_id = 0 THEN excluded.audience
                            WHEN excluded.withheld IS NULL THEN greatest(kept.audience, excluded.audience)
                            ELSE kept.audience END,
        withheld     = coalesce(kept.withheld, excluded.withheld),
        message_text = CASE WHEN coalesce(kept.withheld, excluded.withheld) IS NULL
                            THEN excluded.message_text ELSE '' END,
        attachments  = CASE WHEN coalesce(kept.withheld, excluded.withheld) IS NULL
                            THEN excluded.attachments ELSE '{}' END,
        lexemes      = CASE WHEN coalesce(kept.withheld, excluded.withheld) IS NULL
                            THEN excluded.lexemes ELSE '' END,
        edited_at    = CASE WHEN coalesce(kept.withheld, excluded.withheld) IS NULL
                            THEN excluded.edited_at END
    WHERE (kept.withheld IS NULL AND excluded.withheld IS NOT NULL)
       OR (kept.user_id = 0 AND excluded.user_id <> 0)
       OR (kept.withheld IS NULL AND excluded.withheld IS NULL
           AND (coalesce(excluded.edited_at, '-infinity'), char_length(excluded.message_text),
                excluded.message_text COLLATE "C", char_length(excluded.attachments::text),
                excluded.attachments::text COLLATE "C")
             > (coalesce(kept.edited_at, '-infinity'), char_length(kept.message_text),
                kept.message_text COLLATE "C", char_length(kept.attachments::text),
                kept.attachments::text COLLATE "C"))
    RETURNING guild_id, message_id, audience, timestamp, kind, xmax = 0 AS is_new
), unread AS (
    INSERT INTO unextracted (guild_id, message_id)
    SELECT guild_id, message_id FROM changed WHERE kind = 'member' ORDER BY guild_id, message_id
    ON CONFLICT DO NOTHING
), touched AS (
    SELECT c.guild_id, a.audience, (c.timestamp AT TIME ZONE i.zone)::date AS day,
           bool_or(NOT c.is_new AND (i.edited_at IS NOT NULL OR i.withheld IS NOT NULL
                                     OR a.audience <> c.audience)) AS is_rewritten,
           bool_or(NOT c.is_new AND (i.withheld IS NOT NULL OR a.audience <> c.audience)) AS is_taken_back
    FROM changed c
    JOIN incoming i USING (guild_id, message_id)
    CROSS JOIN LATERAL (
        SELECT c.audience
        UNION
        SELECT coalesce((
            SELECT before.audience FROM chat_history before
            WHERE before.guild_id = c.guild_id AND before.message_id = c.message_id
        ), 0) WHERE NOT c.is_new
    ) a
    GROUP BY 1, 2, 3
), marked AS (
    INSERT INTO day_marks AS mark (guild_id, audience, day, rewritten, taken_back)
    SELECT guild_id, audience, day, is_rewritten::int, is_taken_back::int
    FROM touched ORDER BY guild_id, audience, day
    ON CONFLICT (guild_id, audience, day) DO UPDATE SET
        version    = mark.version + 1,
        rewritten  = CASE WHEN excluded.rewritten > 0 THEN mark.version + 1 ELSE mark.rewritten END,
        taken_back = CASE WHEN excluded.taken_back > 0 THEN mark.version + 1 ELSE mark.taken_back END
)
SELECT guild_id, message_id, is_new FROM changed
"""

_WITHHOLD = """
WITH changed AS (
    UPDATE chat_history
    SET withheld = $3, message_text = '', attachments = '{}', lexemes = '', edited_at = NULL
    WHERE guild_id = $1 AND message_id = ANY($2::bigint[]) AND withheld IS NULL
    RETURNING guild_id, message_id, audience, timestamp
), marked AS (
    INSERT INTO day_marks AS mark (guild_id, audience, day, rewritten, taken_back)
    SELECT DISTINCT
        c.guild_id, c.audience, (c.timestamp AT TIME ZONE coalesce(g.time_zone, 'UTC'))::date AS day, 1, 1
    FROM changed c LEFT JOIN guilds g USING (guild_id)
    ORDER BY 1, 2, 3
    ON CONFLICT (guild_id, audience, day) DO UPDATE SET
        version = mark.version + 1, rewritten = mark.version + 1, taken_back = mark.version + 1
)
SELECT count(*) FROM changed
"""


async def hear(connection: Connection, messages: Sequence[Message]) -> list[Changed]:
    """Write `messages`, no two of them with one id, and return the rows that were made or altered.

    Of a channel whose `hearing` is off, its own or its parent's, no text is written that is not there yet.
    A deletion is a message with `withheld` and no text; of an unknown message it leaves a row that stays
    without text when the message itself comes later.
    """
    rows = await connection.fetch(_HEAR, json.dumps([_as_json(message) for message in messages]))
    return [
        Changed(guild_id=row["guild_id"], message_id=row["message_id"], is_new=row["is_new"]) for row in rows
    ]


async def saying(
    connection: Connection,
    *,
    guild_id: int,
    author_ids: Sequence[int],
    audiences: Sequence[int],
    stems: Sequence[str],
    limit: int,
) -> list[int]:
    """Return the newest messages of these authors in these audiences that hold all of `stems`."""
    rows = await connection.fetch(
        """
        SELECT message_id FROM chat_history
        WHERE guild_id = $1 AND user_id = ANY($2::bigint[]) AND audience = ANY($3::bigint[])
          AND withheld IS NULL AND kind = 'member'
          AND lexemes @@ (
              SELECT string_agg(quote_literal(stem), ' & ')::tsquery FROM unnest($4::text[]) AS stem
          )
        ORDER BY timestamp DESC LIMIT $5
        """,
        guild_id, list(author_ids), list(audiences), list(stems), limit,
    )  # fmt: skip
    return [row["message_id"] for row in rows]


async def bots_answers_to(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> list[int]:
    """Return the bot's messages that answer one of these."""
    rows = await connection.fetch(
        """
        SELECT message_id FROM chat_history
        WHERE guild_id = $1 AND reply_to_id = ANY($2::bigint[]) AND kind = 'bot' AND withheld IS NULL
        """,
        guild_id, list(message_ids),
    )  # fmt: skip
    return [row["message_id"] for row in rows]


async def withhold(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], reason: Withheld
) -> int:
    """Take the text from these messages, keep the rows, and return how many had a text until now."""
    return int(await connection.fetchval(_WITHHOLD, guild_id, list(message_ids), reason))


def _as_json(message: Message) -> dict[str, object]:
    bare = message.withheld is not None
    return {
        "guild_id": message.guild_id,
        "channel_id": message.channel_id,
        "message_id": message.message_id,
        "user_id": message.user_id,
        "audience": message.audience,
        "kind": message.kind,
        "message_text": "" if bare else message.text,
        "attachments": [] if bare else list(message.attachments),
        "timestamp": message.timestamp.isoformat(),
        "edited_at": message.edited_at.isoformat() if message.edited_at and not bare else None,
        "reply_to_id": message.reply_to_id,
        "withheld": message.withheld,
        "from_visitor": message.from_visitor,
    }

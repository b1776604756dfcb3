"""SQL that writes the message log, idempotent in any order of creates, edits, deletes and repeats, and
finds the forwards that repeat a message.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.domain import Message, RedactionReason
from bot.db.pool import Connection
from bot.db.rows import rows_as
from bot.memory.messages.day_marks import MARKED, is_left_out, marking_taken_back
from bot.memory.policy.repository import has_absent


async def hold_origins(connection: Connection, messages: Sequence[Message]) -> None:
    """Lock the originals that these messages forward until commit, so that withholding one finds the forward."""
    origins = [one.forwarded for one in messages if one.forwarded is not None]
    if not origins:
        return
    await connection.execute(
        """
        SELECT FROM chat_history JOIN unnest($1::bigint[], $2::bigint[]) AS origin (guild_id, message_id)
            USING (guild_id, message_id)
        ORDER BY guild_id, message_id FOR SHARE OF chat_history
        """,
        [one.guild_id for one in origins], [one.message_id for one in origins],
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class HangingForwards:
    """Forwards in one guild that are to be withheld for one reason."""

    guild_id: int
    reason: RedactionReason
    message_ids: Sequence[int]


async def take_hanging(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int]
) -> list[HangingForwards]:
    """Return what repeats these messages, and what repeats that, with a text although the words are withheld.

    Forwards of them that are set aside are dropped.
    """
    rows = await connection.fetch(
        """
        WITH RECURSIVE line AS (
            SELECT guild_id, message_id, forwarded_guild_id, forwarded_message_id, withheld FROM chat_history
            WHERE forwarded_guild_id = $1 AND forwarded_message_id = ANY($2::bigint[])
            UNION
            SELECT f.guild_id, f.message_id, f.forwarded_guild_id, f.forwarded_message_id, f.withheld
            FROM line JOIN chat_history f
                ON f.forwarded_guild_id = line.guild_id AND f.forwarded_message_id = line.message_id
        ), unwritten AS (
            DELETE FROM quarantined_messages
            WHERE message ->> 'forwarded_guild_id' = $1::bigint::text
              AND message ->> 'forwarded_message_id' = ANY($2::bigint[]::text[])
        )
        SELECT guild_id, reason, array_agg(message_id ORDER BY message_id) AS message_ids
        FROM line, withheld_forward(guild_id, forwarded_guild_id, forwarded_message_id) AS reason
        WHERE withheld IS NULL AND reason IS NOT NULL
        GROUP BY guild_id, reason ORDER BY guild_id, reason
        """,
        guild_id, list(message_ids),
    )  # fmt: skip
    return rows_as(HangingForwards, rows)


async def forwarded_of(connection: Connection, *, guild_id: int, user_id: int) -> dict[int, list[int]]:
    """Return what is forwarded of a member's messages here, and forwarded into here of elsewhere: ids by guild."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT o.guild_id, o.message_id
        FROM chat_history f
        JOIN chat_history o ON o.guild_id = f.forwarded_guild_id AND o.message_id = f.forwarded_message_id
        WHERE f.forwarded_message_id IS NOT NULL AND (f.forwarded_guild_id = $1 OR f.guild_id = $1)
          AND o.user_id = $2
        ORDER BY 1, 2
        """,
        guild_id, user_id,
    )  # fmt: skip
    found: dict[int, list[int]] = {}
    for row in rows:
        found.setdefault(row["guild_id"], []).append(row["message_id"])
    return found


UNKNOWN_AUTHOR: Final = 0
"""Stands for an author of whom nothing is kept, or whose message was heard to be deleted before it was heard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedMessage:
    """A row that a write made or altered."""

    guild_id: int
    message_id: int
    is_new: bool
    is_absent: bool
    """It stands without text, and without author if the words are theirs, since nothing is kept of whoever wrote it."""
    is_withheld: bool
    """It stands without text, for whatever reason."""


COLUMNS: Final = {
    "guild_id": "bigint",
    "channel_id": "bigint",
    "message_id": "bigint",
    "user_id": "bigint",
    "audience": "bigint",
    "kind": "text",
    "message_text": "text",
    "attachments": "text[]",
    "timestamp": "timestamptz",
    "edited_at": "timestamptz",
    "reply_to_id": "bigint",
    "withheld": "text",
    "from_visitor": "boolean",
    "forwarded_guild_id": "bigint",
    "forwarded_message_id": "bigint",
}
"""What is heard of a message, by the types of its columns."""


def row_of(message: Message) -> tuple[object, ...]:
    """Return the values of `COLUMNS`, without words if `message` is withheld."""
    bare, origin = message.withheld is not None, message.forwarded
    return (
        message.guild_id,
        message.channel_id,
        message.message_id,
        message.user_id,
        message.audience,
        message.kind,
        "" if bare else message.text,
        () if bare else message.attachments,
        message.timestamp,
        None if bare else message.edited_at,
        message.reply_to_id,
        message.withheld,
        message.from_visitor,
        origin and origin.guild_id,
        origin and origin.message_id,
    )


_NAMES: Final = ", ".join(COLUMNS)
_ATTACHMENTS: Final = list(COLUMNS).index("attachments")

# A parameter for each column. Lists within a list must be of one length, so attachments come as JSON; most have none.
_LISTED: Final = """CASE WHEN attachments IS NULL THEN '{}'
           ELSE ARRAY(SELECT jsonb_array_elements_text(attachments::jsonb)) END AS attachments"""
_SAID: Final = f"""
    SELECT {_NAMES.replace("attachments", _LISTED)}
    FROM unnest({", ".join(f"${n}::{kind.rstrip('[]')}[]" for n, kind in enumerate(COLUMNS.values(), 1))})
        AS heard ({_NAMES})
"""

# What holds in each guild of the batch, and whether what is looked up for each message below exists there at all.
_PLACES: Final = f"""
    SELECT guild_id, coalesce(g.text_search, 'russian') AS text_search, coalesce(g.time_zone, 'UTC') AS zone,
           coalesce((g.rights ->> 'hearing')::boolean, true) AS hearing,
           {has_absent("s.guild_id")} AS has_absent,
           EXISTS (SELECT FROM erased e WHERE e.guild_id = s.guild_id) AS has_erased,
           EXISTS (SELECT FROM absences e WHERE e.guild_id = s.guild_id) AS has_absences,
           EXISTS (SELECT FROM unheard u WHERE u.guild_id = s.guild_id) AS has_unheard
    FROM (SELECT DISTINCT guild_id FROM said) s LEFT JOIN guilds g USING (guild_id)
"""
_ROOMS: Final = """
    SELECT s.guild_id, s.channel_id, c.parent_id, p.text_search, p.has_erased, p.has_unheard,
           p.has_absent OR p.has_erased OR p.has_absences AS has_gone,
           p.hearing AND coalesce(c.hearing, true) AND coalesce(above.hearing, true) AS hearing
    FROM (SELECT DISTINCT guild_id, channel_id FROM said) s
    JOIN places p USING (guild_id)
    LEFT JOIN channels c ON c.guild_id = s.guild_id AND c.channel_id = s.channel_id
    LEFT JOIN channels above ON above.guild_id = c.guild_id AND above.channel_id = c.parent_id
"""

# Authors of whom nothing is kept: at all, until a time (they were erased), or of a span of messages (they were absent).
_AUTHORS: Final = """
    SELECT guild_id, user_id, has_absent AND keeps_nothing(guild_id, user_id) AS is_absent,
           CASE WHEN has_erased OR has_absences THEN user_hash(guild_id, user_id) END AS user_hash
    FROM (SELECT DISTINCT guild_id, user_id FROM said WHERE kind <> 'bot' AND user_id <> 0) s
    JOIN places USING (guild_id)
    WHERE has_absent OR has_erased OR has_absences
"""
_GONE: Final = """
    SELECT guild_id, user_id, 'infinity'::timestamptz AS up_to, NULL::bigint AS from_id, NULL::bigint AS to_id
    FROM authors WHERE is_absent
    UNION ALL
    SELECT guild_id, user_id, erased_up_to, NULL, NULL FROM authors JOIN erased USING (guild_id, user_hash)
    UNION ALL
    SELECT guild_id, user_id, NULL, from_id, to_id FROM authors JOIN absences USING (guild_id, user_hash)
"""

# A forward has no words of its own: it is withheld as what it repeats is. So is what the bot answered to the absent.
_JUDGED: Final = """
    SELECT s.*, r.text_search, r.has_erased,
           r.hearing AND NOT (r.has_unheard AND EXISTS (
               SELECT FROM unheard u
               WHERE u.guild_id = s.guild_id AND u.channel_id IN (0, s.channel_id, r.parent_id)
                 AND s.message_id >= u.from_id AND (u.to_id IS NULL OR s.message_id < u.to_id)
           )) AS is_heard,
           CASE WHEN NOT r.has_gone THEN false
                WHEN s.kind = 'bot' THEN said_by_absent(s.guild_id, s.user_id, s.kind, s.reply_to_id)
                ELSE EXISTS (
                    SELECT FROM gone g
                    WHERE g.guild_id = s.guild_id AND g.user_id = s.user_id AND (
                        s.timestamp <= g.up_to
                        OR (s.message_id >= g.from_id AND (g.to_id IS NULL OR s.message_id < g.to_id))
                    )
                ) END AS is_absent,
           CASE WHEN s.forwarded_message_id IS NOT NULL
                THEN withheld_forward(s.guild_id, s.forwarded_guild_id, s.forwarded_message_id) END AS forward
    FROM said s JOIN rooms r USING (guild_id, channel_id)
"""

# Of a member of whom nothing is kept a row without text and without author stays, so that no late event revives it.
# Whom others named before they were erased is nobody in what they said.
_NEW: Final = """
    SELECT guild_id, channel_id, message_id, CASE WHEN is_absent AND kind <> 'bot' THEN 0 ELSE user_id END AS user_id,
           audience, kind,
           CASE WHEN NOT is_heard OR is_absent OR forward IS NOT NULL THEN ''
                WHEN has_erased THEN without_erased(guild_id, message_text, timestamp)
                ELSE message_text END AS message_text,
           CASE WHEN NOT is_heard OR is_absent OR forward IS NOT NULL THEN '{}'::text[]
                WHEN NOT has_erased OR attachments = '{}' THEN attachments
                ELSE ARRAY(SELECT without_erased(guild_id, one, timestamp) FROM unnest(attachments) AS one)
           END AS attachments,
           timestamp, edited_at, reply_to_id,
           coalesce(withheld, CASE WHEN is_absent THEN 'opted_out' WHEN is_heard THEN forward END) AS withheld,
           text_search, from_visitor, is_heard, forwarded_guild_id, forwarded_message_id
    FROM judged
"""

# One version is newer than another by its time of edit; at the same time the fuller one wins, since an embed that
# unfurls adds words without an edit. What was withheld never gets a text again, whatever comes late.
# Where nothing is to be heard, and of what was said while nothing was, no new text is taken. A kept text gives way to
# a later edit even so, and leaves an empty version of its time: its author took it back. It comes with the same edit
# heard again once the channel is heard. What was kept of a member before nothing was stays until they edit it.
_CHANGED: Final = """
    INSERT INTO chat_history AS kept (
        guild_id, channel_id, message_id, user_id, audience, kind, message_text, attachments,
        timestamp, edited_at, reply_to_id, withheld, lexemes, from_visitor, forwarded_guild_id, forwarded_message_id
    )
    SELECT guild_id, channel_id, message_id, user_id, audience, kind, message_text, attachments,
           timestamp, edited_at, reply_to_id, withheld,
           CASE WHEN message_text <> '' OR attachments <> '{}'
                THEN lexemes_of(text_search, message_text, attachments) ELSE '' END,
           from_visitor, forwarded_guild_id, forwarded_message_id
    FROM new
    WHERE is_heard OR withheld IN ('deleted', 'forgotten') OR (
        SELECT true FROM chat_history known
        WHERE known.guild_id = new.guild_id AND known.message_id = new.message_id
    )
    ORDER BY guild_id, message_id
    ON CONFLICT (guild_id, message_id) DO UPDATE SET
        user_id      = CASE WHEN kept.user_id = 0 THEN excluded.user_id ELSE kept.user_id END,
        kind         = CASE WHEN kept.user_id = 0 THEN excluded.kind ELSE kept.kind END,
        timestamp    = CASE WHEN kept.user_id = 0 THEN excluded.timestamp ELSE kept.timestamp END,
        reply_to_id  = CASE WHEN kept.user_id = 0 THEN excluded.reply_to_id ELSE kept.reply_to_id END,
        from_visitor = CASE WHEN kept.user_id = 0 THEN excluded.from_visitor ELSE kept.from_visitor END,
        forwarded_guild_id   = coalesce(kept.forwarded_guild_id, excluded.forwarded_guild_id),
        forwarded_message_id = coalesce(kept.forwarded_message_id, excluded.forwarded_message_id),
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
    WHERE (kept.withheld IS NULL AND excluded.withheld IS NOT NULL
           AND (excluded.withheld <> 'opted_out'
                OR coalesce(excluded.edited_at, '-infinity') > coalesce(kept.edited_at, '-infinity')))
       OR (kept.user_id = 0 AND excluded.user_id <> 0 AND kept.withheld IS DISTINCT FROM 'opted_out')
       OR (kept.withheld IS NULL AND kept.forwarded_message_id IS NULL AND excluded.forwarded_message_id IS NOT NULL)
       OR (kept.withheld IS NULL AND excluded.withheld IS NULL
           AND (coalesce(excluded.edited_at, '-infinity'), char_length(excluded.message_text),
                excluded.message_text COLLATE "C", char_length(excluded.attachments::text),
                excluded.attachments::text COLLATE "C")
             > (coalesce(kept.edited_at, '-infinity'), char_length(kept.message_text),
                kept.message_text COLLATE "C", char_length(kept.attachments::text),
                kept.attachments::text COLLATE "C"))
    RETURNING guild_id, message_id, audience, timestamp, kind, xmax = 0 AS is_new,
              coalesce(withheld = 'opted_out', false) AS is_absent, withheld IS NOT NULL AS is_withheld
"""

# What a member wrote, and what is new about it, is read for facts later.
_UNREAD: Final = """
    INSERT INTO unextracted (guild_id, message_id)
    SELECT guild_id, message_id FROM changed
    WHERE kind = 'member' AND NOT (is_new AND is_absent) ORDER BY guild_id, message_id
    ON CONFLICT DO NOTHING
"""

# What changed of days. Of a row that was known also in the audience that it had before, from which an edit may have
# taken it: the statement still sees it as it was, unless another wrote it just now.
_TOUCHED: Final = """
    SELECT guild_id, message_id, audience, timestamp, false AS is_rewritten, false AS is_taken_back
    FROM changed WHERE is_new AND NOT is_absent
    UNION ALL
    SELECT c.guild_id, c.message_id, a.audience, c.timestamp, c.is_edited OR c.is_bare OR a.audience <> c.audience,
           c.is_bare OR a.audience <> c.audience
    FROM (
        SELECT *, (guild_id, message_id) IN (
                      SELECT guild_id, message_id FROM new WHERE edited_at IS NOT NULL) AS is_edited,
                  (guild_id, message_id) IN (
                      SELECT guild_id, message_id FROM new WHERE withheld IS NOT NULL) AS is_bare
        FROM changed WHERE NOT is_new
    ) c
    LEFT JOIN chat_history before USING (guild_id, message_id)
    CROSS JOIN LATERAL (VALUES (c.audience), (coalesce(before.audience, 0))) AS a (audience)
"""
_DAYS: Final = f"""
    SELECT guild_id, audience, day,
           min(message_id) FILTER (WHERE is_rewritten) AS rewritten_from,
           min(message_id) FILTER (WHERE is_taken_back) AS taken_back_from
    FROM (
        SELECT touched.*, (timestamp AT TIME ZONE zone)::date AS day FROM touched JOIN places USING (guild_id)
    ) said
    WHERE NOT is_rewritten OR NOT {is_left_out("said", day="said.day")}
    GROUP BY guild_id, audience, day
"""

# What is set aside of messages of which a version that is no older is heard, or that were taken back.
_SUPERSEDED: Final = """
    DELETE FROM quarantined_messages q USING said s
    WHERE q.guild_id = s.guild_id AND q.message_id = s.message_id
      AND (s.withheld IS NOT NULL OR coalesce(s.edited_at, '-infinity') >= coalesce(q.edited_at, '-infinity'))
"""

_HEAR: Final = f"""
WITH said       AS MATERIALIZED ({_SAID}),
     places     AS MATERIALIZED ({_PLACES}),
     rooms      AS MATERIALIZED ({_ROOMS}),
     authors    AS MATERIALIZED ({_AUTHORS}),
     gone       AS MATERIALIZED ({_GONE}),
     judged     AS MATERIALIZED ({_JUDGED}),
     new        AS MATERIALIZED ({_NEW}),
     changed    AS ({_CHANGED}),
     unread     AS ({_UNREAD}),
     touched    AS ({_TOUCHED}),
     days       AS ({_DAYS}),
     marked     AS ({MARKED}),
     superseded AS ({_SUPERSEDED})
SELECT guild_id, message_id, is_new, is_absent, is_withheld FROM changed
"""


_WITHHOLD: Final = f"""
WITH changed AS (
    UPDATE chat_history
    SET withheld = $3, message_text = '', attachments = '{{}}', lexemes = '', edited_at = NULL
    WHERE guild_id = $1 AND message_id = ANY($2::bigint[]) AND withheld IS NULL
    RETURNING guild_id, message_id, audience, timestamp
), {marking_taken_back("changed")}, unwritten AS (
    DELETE FROM quarantined_messages WHERE guild_id = $1 AND message_id = ANY($2::bigint[])
)
SELECT count(*) FROM changed
"""


async def write_messages(connection: Connection, messages: Sequence[Message]) -> list[ChangedMessage]:
    """Write `messages`, no two of them with one id, and return the rows that were made or altered.

    Of a channel whose `hearing` is off, its own or its parent's, no text is written that is not there yet.
    A deletion is a message with `withheld` and no text; of an unknown message it leaves a row that stays
    without text when the message itself comes later. What is set aside of an older version goes.
    """
    if not messages:
        return []
    await hold_origins(connection, messages)
    columns = list(zip(*map(row_of, messages), strict=True))
    columns[_ATTACHMENTS] = tuple(json.dumps(one) if one else None for one in columns[_ATTACHMENTS])
    # What is short is filled up with NULL, and most columns that may be NULL are so throughout.
    rows = await connection.fetch(
        _HEAR, *(() if column.count(None) == len(column) else column for column in columns)
    )
    changed = rows_as(ChangedMessage, rows)
    absent: dict[int, list[int]] = {}
    for one in changed:
        if one.is_absent:
            absent.setdefault(one.guild_id, []).append(one.message_id)
    for guild_id, message_ids in absent.items():
        # What is read backwards brings the bot's answer before what it answers.
        answered = await bots_answers_to(connection, guild_id=guild_id, message_ids=message_ids)
        if answered:
            await withhold(
                connection, guild_id=guild_id, message_ids=answered, reason=RedactionReason.OPTED_OUT
            )
    return changed


async def with_text(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> list[int]:
    """Return which of these messages have a text."""
    rows = await connection.fetch(
        """
        SELECT message_id FROM chat_history
        WHERE guild_id = $1 AND message_id = ANY($2::bigint[]) AND withheld IS NULL ORDER BY message_id
        """,
        guild_id, list(message_ids),
    )  # fmt: skip
    return [row["message_id"] for row in rows]


async def bots_answers_to(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> list[int]:
    """Return the bot's messages that answer one of these."""
    if not message_ids:
        return []
    rows = await connection.fetch(
        """
        SELECT message_id FROM chat_history
        WHERE guild_id = $1 AND reply_to_id = ANY($2::bigint[]) AND kind = 'bot' AND withheld IS NULL
        """,
        guild_id, list(message_ids),
    )  # fmt: skip
    return [row["message_id"] for row in rows]


async def hold_messages(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> None:
    """Keep others from summarising these messages before commit; whoever is summarising them has stored it when this
    returns.
    """
    await connection.execute(
        """
        SELECT FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2::bigint[])
        ORDER BY message_id FOR NO KEY UPDATE
        """,
        guild_id, list(message_ids),
    )  # fmt: skip


async def withhold(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], reason: RedactionReason
) -> int:
    """Take the text from these messages, keep the rows, and return how many had a text until now."""
    if not message_ids:
        return 0
    return int(await connection.fetchval(_WITHHOLD, guild_id, list(message_ids), reason))

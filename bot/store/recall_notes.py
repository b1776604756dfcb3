"""Finding facts and episodes again, weighed by the same rule as messages, but each by itself alone."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.store.database import Connection
from bot.store.presence import tells_of_present
from bot.store.recall import query_of
from bot.store.recall_asked import Asked, Constants


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A fact, or an episode, and what it weighs."""

    is_fact: bool
    note_id: int
    channel_id: int
    message_id: int
    """The message that told it; of an episode the first of its conversation."""
    author_id: int
    subject_id: int | None
    audience: int
    said_at: datetime
    text: str
    weight: float


_MOST: Final = 500
"""Facts, and as many episodes, that are looked at for one question."""

_NOTES: Final = f"""
WITH note AS MATERIALIZED (
    (
        SELECT true AS is_fact, fact_id AS note_id, source_channel_id AS channel_id, source_message_id AS message_id,
               author_id, subject_id, audience, said_at, content, lexemes
        FROM facts
        WHERE guild_id = $1 AND audience = ANY($2::bigint[]) AND status = 'active' AND lexemes @@ $3::tsquery
          AND (expires_at IS NULL OR expires_at > $4)
          AND ($5::timestamptz IS NULL OR said_at >= $5) AND ($6::timestamptz IS NULL OR said_at < $6)
          AND ($7::bigint IS NULL OR source_channel_id = $7)
          AND {tells_of_present("subject_id", "content")}
        LIMIT {_MOST}
    ) UNION ALL (
        SELECT false, episode_id, channel_id, first_message_id, 0, NULL, audience, created_at, content, lexemes
        FROM episodes
        WHERE guild_id = $1 AND audience = ANY($2::bigint[]) AND lexemes @@ $3::tsquery
          AND ($5::timestamptz IS NULL OR created_at >= $5) AND ($6::timestamptz IS NULL OR created_at < $6)
          AND ($7::bigint IS NULL OR channel_id = $7)
        LIMIT {_MOST}
    )
), said AS (
    SELECT is_fact, note_id, asked.number, cardinality(token.positions) AS times
    FROM note CROSS JOIN LATERAL unnest(note.lexemes) AS token
         JOIN unnest($8::int[], $9::text[]) AS asked (number, lexeme) USING (lexeme)
    UNION ALL
    SELECT is_fact, note_id, author.number, 1
    FROM note JOIN unnest($10::int[], $11::bigint[]) AS author (number, user_id) ON author.user_id = note.subject_id
    UNION ALL
    SELECT is_fact, note_id, identifier.number, 1
    FROM note JOIN unnest($12::int[], $13::text[]) AS identifier (number, pattern) ON content ~* identifier.pattern
), counted AS (
    SELECT is_fact, note_id, number, sum(times)::float8 AS times FROM said GROUP BY is_fact, note_id, number
), own AS (
    SELECT is_fact, note_id,
           sum(($14::float8[])[number] * times * ({{c.k1}} + 1) / (times + {{c.k1}}))
             * power(sum(($14::float8[])[number]) / $15::float8, {{c.agreement}}) AS weight
    FROM counted GROUP BY is_fact, note_id
)
SELECT note.*, own.weight FROM own JOIN note USING (is_fact, note_id)
ORDER BY weight DESC, said_at DESC, note_id DESC LIMIT $16
"""


async def notes(
    connection: Connection, asked: Asked, *, constants: Constants, now: datetime, limit: int
) -> list[Note]:
    """Return the facts that hold at `now` and the episodes that say most of what is asked, the heaviest first."""
    rows = await connection.fetch(
        _NOTES.format(c=constants),
        asked.guild_id, list(asked.audiences), query_of(asked, everything=True), now, asked.begins, asked.ends,
        asked.channel_id,
        [number for number, _ in asked.lexemes], [lexeme for _, lexeme in asked.lexemes],
        [number for number, _ in asked.authors], [user_id for _, user_id in asked.authors],
        [number for number, _, _ in asked.identifiers], [pattern for _, _, pattern in asked.identifiers],
        list(asked.weights), max(sum(asked.weights), 0.001), limit,
    )  # fmt: skip
    return [
        Note(
            is_fact=row["is_fact"],
            note_id=row["note_id"],
            channel_id=row["channel_id"],
            message_id=row["message_id"],
            author_id=row["author_id"],
            subject_id=row["subject_id"],
            audience=row["audience"],
            said_at=row["said_at"],
            text=row["content"],
            weight=row["weight"],
        )
        for row in rows
    ]

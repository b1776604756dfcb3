"""The search in the database: scores messages by words and neighbours, and facts and episodes by the same rule."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.core.domain import Message
from bot.db.pool import Connection, transaction
from bot.db.rows import rows_as
from bot.memory.messages.repository import MESSAGE_COLUMNS
from bot.memory.policy.repository import HAS_WRITTEN, says, tells_of_present
from bot.memory.recall.lexicon import quoted
from bot.memory.recall.repository_lookup import (
    ASKS,
    HERE_FIRST,
    IN_PREFERRED,
    SEEN,
    TIMELY,
    WITHIN,
    SearchInput,
    framed,
    holds,
    hopeful_messages,
)

K1: Final = 1.2
"""How soon a word that is said again and again adds nothing more."""
B: Final = 0.5
"""How much a long message loses against a short one."""
AGREEMENT: Final = 0.6
"""The power of the share of the question that a message says: most of it said once beats a part of it repeated."""
BEFORE: Final = (0.4, 0.2)
"""What a message lends to the next one, and to the one after."""
AFTER: Final = (0.4, 0.2)
"""What it lends to the one before it, and to the one before that."""
ANSWER: Final = 0.4
"""What a question lends to the message after it besides: the answer often repeats nothing of it."""
CONVERSATION: Final = 0.3
"""What it weighs if the conversation around a message says the words of the question."""
NAMED: Final = 0.3
"""By which share the messages of the one member whom a question names gain."""
ASKING: Final = 0.85
"""What remains of a message that asks something itself: it tells less."""
SYNONYM: Final = 0.25
"""What a word counts that means much the same as one of the question. As much as that one it would hurt."""
ADDRESSED: Final = 0.5
"""What remains of a message that was said to the bot: it asks more often than it tells."""
ATTACHED: Final = 0.5
"""What a word of an attachment counts against one that was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedMessage:
    """A message and what it weighs."""

    message: Message
    weight: float
    rank: float
    """The weight by which it stands among others."""


_SEEDS: Final = 40
"""Candidates whose surroundings are looked at; more if more hits are asked for."""

_COLUMNS_OF_PLACE: Final = "channel_id, user_id, timestamp, asks"
_ANY: Final = ", ".join(f"any_value({column}) AS {column}" for column in _COLUMNS_OF_PLACE.split(", "))
_COMMAND: Final = f"CASE WHEN answered.is_command THEN {ADDRESSED} ELSE 1 END"
_PLACED: Final = f"message_id, {_COLUMNS_OF_PLACE}, length(lexemes) AS length"

# What is known of a message goes along with it instead of being joined again: nothing tells the planner how many
# there are, and for one, as it then believes, it takes the slowest way. OFFSET 0 has the few that are left looked
# up one by one, instead of all messages of the guild held against them.
_WEIGH: Final = f"""
WITH word AS MATERIALIZED (
    SELECT number, lexeme, strength
    FROM unnest($12::int[], $13::text[], $14::float8[]) AS asked (number, lexeme, strength)
), found AS MATERIALIZED (
    SELECT message_id, channel_id, user_id, timestamp, {ASKS} AS asks, message_text, lexemes FROM chat_history
    WHERE {SEEN} AND message_id = ANY($11::bigint[])
), said AS (
    SELECT {_PLACED}, word.number,
           strength * (cardinality(token.positions)
               - (1 - {ATTACHED}) * coalesce(cardinality(array_positions(token.weights, 'C')), 0)) AS times, strength
    FROM found CROSS JOIN LATERAL unnest(found.lexemes) AS token JOIN word USING (lexeme)
    UNION ALL
    SELECT {_PLACED}, author.number, 1, 1
    FROM found JOIN unnest($15::int[], $16::bigint[]) AS author (number, named_id) ON user_id = named_id
    UNION ALL
    SELECT {_PLACED}, part.number, 1, 1
    FROM found JOIN unnest($17::int[], $18::int[], $19::int[], $20::int[]) AS part (number, month, day, year)
      ON coalesce(extract(month FROM timestamp AT TIME ZONE $21) = part.month, true)
     AND coalesce(extract(day FROM timestamp AT TIME ZONE $21) = part.day, true)
     AND coalesce(extract(year FROM timestamp AT TIME ZONE $21) = part.year, true)
    UNION ALL
    SELECT {_PLACED}, identifier.number, 1, 1
    FROM found JOIN unnest($22::int[], $23::text[], $31::text[]) AS identifier (number, pattern, plain)
      ON {holds("message_text")}
    UNION ALL
    SELECT {_PLACED}, $24::int, 1, 1 FROM found WHERE $24 IS NOT NULL AND {IN_PREFERRED}
    UNION ALL
    SELECT {_PLACED}, NULL, 0, 0 FROM found
), counted AS (
    SELECT message_id, {_ANY}, any_value(length) AS length, number, sum(times)::float8 AS times,
           max(strength) AS strength
    FROM said GROUP BY message_id, number
), own AS (
    SELECT message_id, {_ANY}, coalesce(bit_or(1::bigint << number) FILTER (WHERE strength = 1), 0) AS says,
           coalesce(sum(($25::float8[])[number] * times * ({K1} + 1) / (times + {K1}
               * (1 - {B} + {B} * length / $26::float8)))
             * power(sum(($25::float8[])[number] * strength) / $27::float8, {AGREEMENT}), 0) AS weight
    FROM counted GROUP BY message_id
), apart AS (
    SELECT *, (timestamp - lag(timestamp) OVER in_channel > $28::interval)::int AS begins
    FROM own WINDOW in_channel AS (PARTITION BY channel_id ORDER BY timestamp, message_id)
), talk AS (
    SELECT *, sum(begins) OVER (PARTITION BY channel_id ORDER BY timestamp, message_id) AS conversation FROM apart
), spoken AS (
    SELECT *, bit_or(says) OVER (PARTITION BY channel_id, conversation) AS around FROM talk
), seed AS MATERIALIZED (
    SELECT message_id, {_COLUMNS_OF_PLACE}, weight, (
        SELECT coalesce(sum(weight), 0) FROM unnest($25::float8[]) WITH ORDINALITY AS asked (weight, number)
        WHERE around & (1::bigint << number::int) <> 0
    ) AS around
    FROM (
        SELECT * FROM spoken ORDER BY weight * {HERE_FIRST} * {TIMELY} DESC, message_id DESC
        LIMIT greatest({_SEEDS}, $30::int)
    ) AS heaviest
), pool AS (
    SELECT message_id, {_COLUMNS_OF_PLACE}, weight, around FROM seed
    UNION ALL
    SELECT near.message_id, seed.channel_id, near.user_id, near.timestamp, near.asks,
           seed.weight * near.share, seed.around
    FROM seed CROSS JOIN LATERAL (
        (
            SELECT message_id, user_id, timestamp, asks,
                   CASE row_number() OVER (ORDER BY message_id)
                       WHEN 1 THEN {BEFORE[0]} + CASE WHEN seed.asks THEN {ANSWER} ELSE 0 END
                       ELSE {BEFORE[1]} END AS share
            FROM (
                SELECT message_id, user_id, timestamp, {ASKS} AS asks FROM chat_history
                WHERE {SEEN} AND channel_id = seed.channel_id AND message_id > seed.message_id
                ORDER BY channel_id, message_id LIMIT 2
            ) AS following
        ) UNION ALL (
            SELECT message_id, user_id, timestamp, asks,
                   CASE row_number() OVER (ORDER BY message_id DESC)
                       WHEN 1 THEN {AFTER[0]} ELSE {AFTER[1]} END AS share
            FROM (
                SELECT message_id, user_id, timestamp, {ASKS} AS asks FROM chat_history
                WHERE {SEEN} AND channel_id = seed.channel_id AND message_id < seed.message_id
                ORDER BY channel_id DESC, message_id DESC LIMIT 2
            ) AS preceding
        )
    ) AS near
    WHERE near.timestamp BETWEEN seed.timestamp - $28::interval AND seed.timestamp + $28::interval
), gathered AS (
    SELECT message_id, {_ANY}, sum(weight) AS weight, max(around) AS around
    FROM pool GROUP BY message_id
), weighed AS (
    SELECT message_id, {HERE_FIRST} AS here,
           (weight + {CONVERSATION} * around) * {TIMELY} * CASE WHEN asks THEN {ASKING} ELSE 1 END
               * CASE WHEN user_id = $29::bigint THEN 1 + {NAMED} ELSE 1 END AS weight
    FROM gathered
), ranked AS MATERIALIZED (
    SELECT * FROM weighed ORDER BY weight * here DESC, message_id DESC LIMIT $30::int + 10
)
SELECT kept.*, ranked.weight * {_COMMAND} AS weight, ranked.weight * here * {_COMMAND} AS rank
FROM ranked CROSS JOIN LATERAL (
         SELECT {MESSAGE_COLUMNS} FROM chat_history
         WHERE {SEEN} AND {WITHIN} AND chat_history.message_id = ranked.message_id
           AND {tells_of_present("user_id", "message_text")} OFFSET 0
     ) AS kept
     LEFT JOIN LATERAL (
         SELECT true AS is_command, {HAS_WRITTEN} AS has_written FROM answers
         WHERE answers.guild_id = $1 AND answers.message_id = ranked.message_id OFFSET 0
     ) AS answered ON true
WHERE NOT (answered.is_command IS TRUE AND (answered.has_written OR right(rtrim(text), 1) = '?'))
ORDER BY rank DESC, message_id DESC LIMIT $30
"""


@asynccontextmanager
async def swiftly(connection: Connection) -> AsyncIterator[None]:
    """Run a short transaction without compiling or re-planning statements, which would take as long as running them.

    SET LOCAL survives a pooler.
    """
    begin = "BEGIN READ ONLY; SET LOCAL jit = off; SET LOCAL plan_cache_mode = force_generic_plan"
    async with transaction(connection, begin):
        yield


async def weighed_messages(connection: Connection, asked: SearchInput, *, limit: int) -> list[WeighedMessage]:
    """Return the messages that weigh most, the heaviest first; of those that weigh the same the newest first."""
    message_ids = await hopeful_messages(connection, asked)
    if not message_ids:
        return []
    rows = await connection.fetch(
        _WEIGH,
        *framed(asked), message_ids,
        [number for number, _, _ in asked.lexemes], [lexeme for _, lexeme, _ in asked.lexemes],
        [strength for _, _, strength in asked.lexemes],
        [number for number, _ in asked.authors], [user_id for _, user_id in asked.authors],
        *([part[place] for part in asked.dates] for place in range(4)), asked.time_zone,
        [one.number for one in asked.identifiers], [one.pattern for one in asked.identifiers],
        asked.preferred_number, list(asked.weights), asked.words_each, asked.whole, asked.gap, asked.named_id, limit,
        [one.text for one in asked.identifiers],
    )  # fmt: skip
    return rows_as(WeighedMessage, rows)


def _all_asked(asked: SearchInput) -> str:
    """Return the query of the index for everything that is asked."""
    return " | ".join(
        [
            *(quoted(lexeme) for _, lexeme, _ in asked.lexemes),
            *(f"({one.parts})" for one in asked.identifiers if one.parts),
        ]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WeighedNote:
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
               author_id, subject_id, audience, said_at, content AS text, lexemes
        FROM facts
        WHERE {says("$3::tsquery")} AND audience = ANY($2::bigint[]) AND status = 'active'
          AND (expires_at IS NULL OR expires_at > $4)
          AND ($5::timestamptz IS NULL OR said_at >= $5) AND ($6::timestamptz IS NULL OR said_at < $6)
          AND ($7::bigint IS NULL OR source_channel_id = $7)
          AND {tells_of_present("subject_id", "content")}
        LIMIT {_MOST}
    ) UNION ALL (
        SELECT false, episode_id, channel_id, first_message_id, 0, NULL, audience, created_at, content, lexemes
        FROM episodes
        WHERE {says("$3::tsquery")} AND audience = ANY($2::bigint[])
          AND ($5::timestamptz IS NULL OR created_at >= $5) AND ($6::timestamptz IS NULL OR created_at < $6)
          AND ($7::bigint IS NULL OR channel_id = $7)
        LIMIT {_MOST}
    )
), said AS (
    SELECT is_fact, note_id, asked.number, strength * cardinality(token.positions) AS times, strength
    FROM note CROSS JOIN LATERAL unnest(note.lexemes) AS token
         JOIN unnest($8::int[], $9::text[], $17::float8[]) AS asked (number, lexeme, strength) USING (lexeme)
    UNION ALL
    SELECT is_fact, note_id, author.number, 1, 1
    FROM note JOIN unnest($10::int[], $11::bigint[]) AS author (number, user_id) ON author.user_id = note.subject_id
    UNION ALL
    SELECT is_fact, note_id, identifier.number, 1, 1
    FROM note JOIN unnest($12::int[], $13::text[], $18::text[]) AS identifier (number, pattern, plain)
      ON {holds("text")}
), counted AS (
    SELECT is_fact, note_id, number, sum(times)::float8 AS times, max(strength) AS strength
    FROM said GROUP BY is_fact, note_id, number
), own AS (
    SELECT is_fact, note_id,
           sum(($14::float8[])[number] * times * ({K1} + 1) / (times + {K1}))
             * power(sum(($14::float8[])[number] * strength) / $15::float8, {AGREEMENT}) AS weight
    FROM counted GROUP BY is_fact, note_id
)
SELECT note.*, own.weight FROM own JOIN note USING (is_fact, note_id)
ORDER BY weight DESC, said_at DESC, note_id DESC LIMIT $16
"""


async def weighed_notes(
    connection: Connection, asked: SearchInput, *, now: datetime, limit: int
) -> list[WeighedNote]:
    """Return the facts that hold at `now` and the episodes that say most of what is asked, the heaviest first."""
    rows = await connection.fetch(
        _NOTES,
        asked.guild_id, list(asked.audiences), _all_asked(asked), now, asked.begins, asked.ends,
        asked.channel_id,
        [number for number, _, _ in asked.lexemes], [lexeme for _, lexeme, _ in asked.lexemes],
        [number for number, _ in asked.authors], [user_id for _, user_id in asked.authors],
        [one.number for one in asked.identifiers], [one.pattern for one in asked.identifiers],
        list(asked.weights), asked.whole, limit, [strength for _, _, strength in asked.lexemes],
        [one.text for one in asked.identifiers],
    )  # fmt: skip
    return rows_as(WeighedNote, rows)

"""Finding messages again: the rarest words first, each message weighed by what it says and by what stands around it.

One statement does the weighing, since what it looks at is many times what it returns. Nothing of another audience
and nothing withheld is looked at, not even as a neighbour. The bot's own words are no candidates: they repeat what
members said, and are never a source.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from bot.domain import Message
from bot.store.database import Connection
from bot.store.history import COLUMNS, message_of
from bot.store.lexicon import quoted
from bot.store.presence import tells_of_present
from bot.store.recall_asked import Asked, Constants, Lookup


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A message and what it weighs."""

    message: Message
    weight: float


_SEEDS: Final = 40
"""Candidates whose surroundings are looked at; more if more hits are asked for."""

_HOPEFUL: Final = 100
"""Candidates of which it is counted how often they say each word; the others say too little of what is asked."""

_SEEN: Final = """guild_id = $1 AND audience = ANY($2::bigint[]) AND withheld IS NULL
      AND kind IN ('member', 'webhook')"""

_WITHIN: Final = """($8::timestamptz IS NULL OR timestamp >= $8) AND ($9::timestamptz IS NULL OR timestamp < $9)
      AND ($10::bigint IS NULL OR message_id < $10) AND ($11::bigint IS NULL OR channel_id = $11)
      AND message_id <> ALL($12::bigint[])"""

_CANDIDATE: Final = """message_id, channel_id, user_id, timestamp, message_text, lexemes,
        right(rtrim(message_text), 1) = '?' AS asks"""

_BY_WORDS: Final = f"""
    SELECT * FROM (
        SELECT {_CANDIDATE} FROM chat_history
        WHERE {_SEEN} AND {_WITHIN} AND lexemes @@ $3::tsquery
        OFFSET 0
    ) AS saying LIMIT {{most}}"""

_BY_WORDS_NEWEST: Final = f"""
    SELECT {_CANDIDATE} FROM chat_history
    WHERE {_SEEN} AND {_WITHIN} AND lexemes @@ $3::tsquery
    ORDER BY timestamp DESC LIMIT {{most}}"""

# Nothing is chosen by the index of words here: behind OFFSET 0 the messages come newest first, until enough say it.
_BY_WORDS_BACKWARDS: Final = f"""
    SELECT {_CANDIDATE} FROM (
        SELECT * FROM chat_history WHERE {_SEEN} AND {_WITHIN} ORDER BY timestamp DESC OFFSET 0
    ) AS before WHERE lexemes @@ $3::tsquery LIMIT {{newest}}"""

_BY_TIME: Final = f"""
    SELECT {_CANDIDATE} FROM chat_history
    WHERE {_SEEN} AND {_WITHIN} AND $3::text IS NULL
      AND (cardinality($13::bigint[]) = 0 OR user_id = ANY($13::bigint[]))
    ORDER BY timestamp DESC LIMIT {{newest}}"""

_NEWEST: Final = 300
"""Messages that are looked at where a question names nothing but a member, a time or what everybody says."""

_COLUMNS_OF_PLACE: Final = "channel_id, user_id, timestamp, asks"
_ANY: Final = ", ".join(f"any_value({column}) AS {column}" for column in _COLUMNS_OF_PLACE.split(", "))
_PLACED: Final = f"message_id, {_COLUMNS_OF_PLACE}, length(lexemes) AS length"

# What is known of a message goes along with it instead of being joined again: nothing tells the planner how many
# there are, and for one, as it then believes, it takes the slowest way. OFFSET 0 has the few that are left looked
# up one by one, instead of all messages of the guild held against them.
_WEIGH: Final = f"""
WITH candidate AS MATERIALIZED ({{candidates}}
), word AS MATERIALIZED (
    SELECT number, lexeme, quote_literal(lexeme)::tsquery AS query
    FROM unnest($4::int[], $5::text[]) AS asked (number, lexeme)
), found AS MATERIALIZED (
    SELECT message_id, {_ANY}, any_value(message_text) AS message_text, any_value(lexemes) AS lexemes
    FROM (
        SELECT candidate.*, word.number FROM candidate JOIN word ON candidate.lexemes @@ word.query
        UNION ALL
        SELECT candidate.*, author.number
        FROM candidate JOIN unnest($14::int[], $13::bigint[]) AS author (number, named_id) ON user_id = named_id
        UNION ALL
        SELECT candidate.*, identifier.number
        FROM candidate JOIN unnest($20::int[], $21::text[]) AS identifier (number, pattern)
          ON message_text ~* identifier.pattern
        UNION ALL
        SELECT candidate.*, NULL FROM candidate WHERE $3::text IS NULL
    ) AS saying
    GROUP BY message_id
    ORDER BY coalesce(sum(($6::float8[])[number]), 0) DESC, message_id DESC LIMIT {_HOPEFUL}
), said AS (
    SELECT {_PLACED}, word.number,
           cardinality(token.positions)
               - (1 - {{c.attached}}) * coalesce(cardinality(array_positions(token.weights, 'C')), 0) AS times
    FROM found CROSS JOIN LATERAL unnest(found.lexemes) AS token JOIN word USING (lexeme)
    UNION ALL
    SELECT {_PLACED}, author.number, 1
    FROM found JOIN unnest($14::int[], $13::bigint[]) AS author (number, named_id) ON user_id = named_id
    UNION ALL
    SELECT {_PLACED}, part.number, 1
    FROM found JOIN unnest($15::int[], $16::int[], $17::int[], $18::int[]) AS part (number, month, day, year)
      ON coalesce(extract(month FROM timestamp AT TIME ZONE $19) = part.month, true)
     AND coalesce(extract(day FROM timestamp AT TIME ZONE $19) = part.day, true)
     AND coalesce(extract(year FROM timestamp AT TIME ZONE $19) = part.year, true)
    UNION ALL
    SELECT {_PLACED}, identifier.number, 1
    FROM found JOIN unnest($20::int[], $21::text[]) AS identifier (number, pattern)
      ON message_text ~* identifier.pattern
    UNION ALL
    SELECT {_PLACED}, $22::int, 1
    FROM found
    WHERE $22 IS NOT NULL AND ($23::timestamptz IS NULL OR timestamp >= $23)
      AND ($24::timestamptz IS NULL OR timestamp < $24)
    UNION ALL
    SELECT {_PLACED}, NULL, 0 FROM found WHERE $3::text IS NULL
), counted AS (
    SELECT message_id, {_ANY}, any_value(length) AS length, number, sum(times)::float8 AS times
    FROM said GROUP BY message_id, number
), own AS (
    SELECT message_id, {_ANY}, coalesce(bit_or(1::bigint << number), 0) AS says,
           coalesce(sum(($6::float8[])[number] * times * ({{c.k1}} + 1) / (times + {{c.k1}}
               * (1 - {{c.b}} + {{c.b}} * length / $7::float8)))
             * power(sum(($6::float8[])[number]) / $25::float8, {{c.agreement}}), 0) AS weight
    FROM counted GROUP BY message_id
), apart AS (
    SELECT *, (timestamp - lag(timestamp) OVER in_channel > $26::interval)::int AS begins
    FROM own WINDOW in_channel AS (PARTITION BY channel_id ORDER BY timestamp, message_id)
), talk AS (
    SELECT *, sum(begins) OVER (PARTITION BY channel_id ORDER BY timestamp, message_id) AS conversation FROM apart
), spoken AS (
    SELECT *, bit_or(says) OVER (PARTITION BY channel_id, conversation) AS around FROM talk
), seed AS MATERIALIZED (
    SELECT message_id, {_COLUMNS_OF_PLACE}, weight, (
        SELECT coalesce(sum(weight), 0) FROM unnest($6::float8[]) WITH ORDINALITY AS asked (weight, number)
        WHERE around & (1::bigint << number::int) <> 0
    ) AS around
    FROM (
        SELECT * FROM spoken ORDER BY weight DESC, message_id DESC LIMIT greatest({_SEEDS}, $28::int)
    ) AS heaviest
), pool AS (
    SELECT message_id, user_id, weight, around FROM seed
    UNION ALL
    SELECT near.message_id, near.user_id, seed.weight * near.share, seed.around
    FROM seed CROSS JOIN LATERAL (
        (
            SELECT message_id, user_id, timestamp,
                   CASE row_number() OVER (ORDER BY message_id)
                       WHEN 1 THEN {{c.before[0]}} + CASE WHEN seed.asks THEN {{c.answer}} ELSE 0 END
                       ELSE {{c.before[1]}} END AS share
            FROM (
                SELECT message_id, user_id, timestamp FROM chat_history
                WHERE {_SEEN} AND channel_id = seed.channel_id AND message_id > seed.message_id
                ORDER BY channel_id, message_id LIMIT 2
            ) AS following
        ) UNION ALL (
            SELECT message_id, user_id, timestamp,
                   CASE row_number() OVER (ORDER BY message_id DESC)
                       WHEN 1 THEN {{c.after[0]}} ELSE {{c.after[1]}} END AS share
            FROM (
                SELECT message_id, user_id, timestamp FROM chat_history
                WHERE {_SEEN} AND channel_id = seed.channel_id AND message_id < seed.message_id
                ORDER BY channel_id DESC, message_id DESC LIMIT 2
            ) AS preceding
        )
    ) AS near
    WHERE near.timestamp BETWEEN seed.timestamp - $26::interval AND seed.timestamp + $26::interval
), gathered AS (
    SELECT message_id, min(user_id) AS user_id, sum(weight) AS weight, max(around) AS around
    FROM pool GROUP BY message_id
), ranked AS MATERIALIZED (
    SELECT message_id,
           (weight + {{c.conversation}} * around)
               * CASE WHEN user_id = $27::bigint THEN 1 + {{c.named}} ELSE 1 END AS weight
    FROM gathered ORDER BY 2 DESC, 1 DESC LIMIT $28::int + 10
)
SELECT kept.*, ranked.weight * CASE WHEN answered.is_command THEN {{c.addressed}} ELSE 1 END AS weight
FROM ranked CROSS JOIN LATERAL (
         SELECT {COLUMNS} FROM chat_history
         WHERE {_SEEN} AND {_WITHIN} AND chat_history.message_id = ranked.message_id
           AND {tells_of_present("user_id", "message_text")} OFFSET 0
     ) AS kept
     LEFT JOIN LATERAL (
         SELECT true AS is_command FROM answers
         WHERE answers.guild_id = $1 AND answers.message_id = ranked.message_id OFFSET 0
     ) AS answered ON true
WHERE NOT (answered.is_command IS TRUE AND right(rtrim(message_text), 1) = '?')
ORDER BY weight DESC, message_id DESC LIMIT $28
"""


@asynccontextmanager
async def swiftly(connection: Connection) -> AsyncIterator[None]:
    """Give a short transaction in which no statement is compiled: that takes longer than to run it.

    SET LOCAL survives a pooler.
    """
    async with connection.transaction(readonly=True):
        await connection.execute("SET LOCAL jit = off; SET LOCAL plan_cache_mode = force_custom_plan")
        yield


async def messages(
    connection: Connection, asked: Asked, *, constants: Constants, limit: int
) -> list[Weighed]:
    """Return the messages that weigh most, the heaviest first; of those that weigh the same the newest first."""
    query: str | None = query_of(asked)
    if not query:
        candidates, query = _BY_TIME, None
    elif asked.how is Lookup.BACKWARDS:
        candidates = _BY_WORDS_BACKWARDS
    elif asked.how is Lookup.ALL:
        candidates = _BY_WORDS
        # To plan this takes as long as to run it, and one plan is good for all words that are looked up whole.
        await connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
    else:
        candidates = _BY_WORDS_NEWEST
    preferred = asked.preferred or (None, None, None)
    rows = await connection.fetch(
        _WEIGH.format(
            candidates=candidates.format(most=constants.most_candidates, newest=_NEWEST), c=constants
        ),
        asked.guild_id, list(asked.audiences), query,
        [number for number, _ in asked.lexemes], [lexeme for _, lexeme in asked.lexemes],
        list(asked.weights), asked.words_each, asked.begins, asked.ends, asked.before_message_id,
        asked.channel_id, list(asked.exclude_ids),
        [user_id for _, user_id in asked.authors], [number for number, _ in asked.authors],
        *([part[place] for part in asked.dates] for place in range(4)), asked.time_zone,
        [number for number, _, _ in asked.identifiers], [pattern for _, _, pattern in asked.identifiers],
        *preferred, max(sum(asked.weights), 0.001), asked.gap, asked.named_id, limit,
    )  # fmt: skip
    return [Weighed(message=message_of(row), weight=row["weight"]) for row in rows]


def query_of(asked: Asked, *, everything: bool = False) -> str:
    """Return the query of the index for what is to be looked up, or for `everything` that is asked."""
    lookup = [[lexeme] for _, lexeme in asked.lexemes] if everything else asked.lookup
    alternatives = [" & ".join(quoted(lexeme) for lexeme in together) for together in lookup]
    alternatives += [parts for _, parts, _ in asked.identifiers if parts]
    return " | ".join(f"({alternative})" for alternative in alternatives)

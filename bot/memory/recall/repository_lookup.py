"""The first half of the search in the database: finds messages that may answer a question, by an index of words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.db.pool import Connection
from bot.memory.policy.repository import says
from bot.memory.recall.lexicon import quoted

IN_TIME: Final = 0.25
"""By which share those gain that were said at the time of which a question speaks."""
HERE: Final = 0.75
"""By which share those of the asker's channel come before others; what they are worth does not change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """Which messages are looked at."""

    query: str = ""
    """What they say, as a query of the index; empty: those of the members named, else all, the newest first."""
    newest: int | None = None
    """Among how many of the newest messages they are sought; `None` for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedIdentifier:
    """An identifier that is looked for."""

    number: int
    text: str
    """As it was asked for."""
    parts: str
    """The query by which the index finds what it consists of; empty if that is nothing."""
    pattern: str
    """The regular expression by which a text holds the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchInput:
    """What is looked for, by the numbers of its words: those of `weights`, from 1."""

    guild_id: int
    audiences: Sequence[int]
    weights: Sequence[float]
    whole: float
    """The weight of what says all that is asked for."""
    lookup: Lookup
    lexemes: Sequence[tuple[int, str, float]] = ()
    """Numbers with words of the index that say it, and what each counts, 1 at most."""
    authors: Sequence[tuple[int, int]] = ()
    """Numbers of names, with the members who are called so."""
    dates: Sequence[tuple[int, int | None, int | None, int | None]] = ()
    """Numbers of words of dates, with month, day and year; what is `None` may be any."""
    identifiers: Sequence[AskedIdentifier] = ()
    preferred: tuple[datetime | None, datetime | None] | None = None
    """A time that is preferred."""
    preferred_number: int | None = None
    """The number of that time, where no date of the question stands for it."""
    begins: datetime | None = None
    ends: datetime | None = None
    named_id: int | None = None
    """The one member whom the question names."""
    time_zone: str = "UTC"
    words_each: float = 1.0
    channel_id: int | None = None
    near_channel_id: int | None = None
    """The channel whose messages come before others."""
    before_message_id: int | None = None
    exclude_ids: Sequence[int] = ()
    gap: timedelta = timedelta(minutes=30)
    """The silence after which a conversation is another one."""


MOST_LOOKED_AT: Final = 2_000
"""Messages that are looked at, however wrong it was guessed how many say what is looked up."""

_HOPEFUL: Final = 100
"""Candidates of which it is counted how often they say each word; the others say too little of what is asked."""

_NEWEST: Final = 300
"""Messages that are looked at where a question names nothing but a member or a time."""

_FEW: Final = 5_000
"""Among so few of the newest messages one looks at each, instead of asking an index of words for all that say it."""

_MAY_SEE: Final = "audience = ANY($2::bigint[]) AND withheld IS NULL AND kind IN ('member', 'webhook')"
SEEN: Final = f"guild_id = $1 AND {_MAY_SEE}"
WITHIN: Final = """($3::timestamptz IS NULL OR timestamp >= $3) AND ($4::timestamptz IS NULL OR timestamp < $4)
      AND ($5::bigint IS NULL OR message_id < $5) AND ($6::bigint IS NULL OR channel_id = $6)
      AND message_id <> ALL($7::bigint[])"""
HERE_FIRST: Final = f"CASE WHEN channel_id = $8::bigint THEN {1 + HERE} ELSE 1 END"
IN_PREFERRED: Final = """($9::timestamptz IS NULL OR timestamp >= $9)
      AND ($10::timestamptz IS NULL OR timestamp < $10)"""
TIMELY: Final = (
    "CASE WHEN coalesce($9::timestamptz, $10::timestamptz) IS NOT NULL"
    f" AND {IN_PREFERRED} THEN {1 + IN_TIME} ELSE 1 END"
)
"""Conditions and factors of whatever begins its values with `framed`."""


def holds(text: str) -> str:
    """Return the condition that `text` contains an identifier, whose columns are `plain` and `pattern`.

    Most texts are ruled out by a check that takes a tenth of the time of a regular expression.
    """
    return f"CASE WHEN strpos(lower({text}), lower(plain)) > 0 THEN {text} ~* pattern ELSE false END"


ASKS: Final = "right(rtrim(message_text), 1) = '?'"


def framed(asked: SearchInput) -> list[object]:
    """Return the first ten values of a statement: where and when messages are looked for."""
    return [
        asked.guild_id,
        list(asked.audiences),
        asked.begins,
        asked.ends,
        asked.before_message_id,
        asked.channel_id,
        list(asked.exclude_ids),
        asked.near_channel_id,
        *(asked.preferred or (None, None)),
    ]


_CANDIDATE: Final = "message_id, channel_id, user_id, timestamp, message_text, lexemes"
_ALL: Final = f"""
    SELECT {_CANDIDATE} FROM chat_history
    WHERE {says("$11::tsquery")} AND {_MAY_SEE} AND {WITHIN} AND $19::timestamptz IS NULL
    LIMIT {MOST_LOOKED_AT}"""
# Postgres puts two indexes together here, that of words and that of times: it sees how rare both are.
_SINCE: Final = f"""
    SELECT {_CANDIDATE} FROM chat_history
    WHERE {says("$11::tsquery")} AND {_MAY_SEE} AND {WITHIN} AND guild_id = $1 AND timestamp >= $19
    ORDER BY timestamp DESC LIMIT {MOST_LOOKED_AT}"""
_EACH_SINCE: Final = f"""
    SELECT {_CANDIDATE} FROM chat_history
    WHERE lexemes @@ $11::tsquery AND {SEEN} AND {WITHIN} AND ($19::timestamptz IS NULL OR timestamp >= $19)
    ORDER BY timestamp DESC LIMIT {MOST_LOOKED_AT}"""
_BY_TIME: Final = f"""
    SELECT {_CANDIDATE} FROM chat_history
    WHERE {SEEN} AND {WITHIN} AND $11::text IS NULL AND $19::timestamptz IS NULL
      AND (cardinality($14::bigint[]) = 0 OR user_id = ANY($14::bigint[]))
    ORDER BY timestamp DESC LIMIT {_NEWEST}"""

_HOPEFUL_AMONG: Final = f"""
WITH word AS MATERIALIZED (
    SELECT query::tsquery AS query, worth FROM unnest($12::text[], $13::float8[]) AS asked (query, worth)
)
SELECT message_id FROM (
    -- What is said in a channel in the same words again and again is one candidate, or it would crowd out all
    -- others. A question is not: each may have an answer of its own behind it.
    SELECT DISTINCT ON (channel_id, once) message_id, hope FROM (
        SELECT message_id, channel_id,
               CASE WHEN {ASKS} OR message_text = '' THEN message_id
                    ELSE hashtextextended(lower(message_text), 0) END AS once,
               {HERE_FIRST} * {TIMELY} * (
                   coalesce((SELECT sum(worth) FROM word WHERE lexemes @@ word.query), 0)
                   + coalesce((SELECT sum(worth) FROM unnest($14::bigint[], $15::float8[]) AS author (named_id, worth)
                               WHERE named_id = user_id), 0)
                   + coalesce((SELECT sum(worth)
                               FROM unnest($16::text[], $17::text[], $18::float8[]) AS named (plain, pattern, worth)
                               WHERE {holds("message_text")}), 0)
               ) AS hope
        FROM ({{candidates}}) AS candidate
        OFFSET 0  -- or hope would be counted twice, where it is compared as well
    ) AS hoped
    WHERE hope > 0 OR $11::text IS NULL
    ORDER BY channel_id, once, hope DESC, message_id DESC
) AS each_once
ORDER BY hope DESC, message_id DESC LIMIT {_HOPEFUL}
"""

_SINCE_WHEN: Final = """
SELECT timestamp FROM chat_history
WHERE guild_id = $1 AND ($2::timestamptz IS NULL OR timestamp >= $2) AND ($3::timestamptz IS NULL OR timestamp < $3)
ORDER BY timestamp DESC OFFSET $4 LIMIT 1
"""
_SINCE_WHEN_IN_CHANNEL: Final = """
SELECT timestamp FROM chat_history WHERE guild_id = $1 AND message_id = (
    SELECT message_id FROM chat_history WHERE guild_id = $1 AND channel_id = $2
    ORDER BY channel_id DESC, message_id DESC OFFSET $3 LIMIT 1
)
"""


async def hopeful_messages(connection: Connection, asked: SearchInput) -> list[int]:
    """Return the messages that say most of what is asked for, by the weights of words alone, within `swiftly`."""
    query, since, candidates = asked.lookup.query or None, None, _ALL
    if query is None:
        candidates = _BY_TIME
    elif asked.lookup.newest is not None:
        since = await _since(connection, asked, newest=asked.lookup.newest)
        candidates = _SINCE if since is not None and asked.lookup.newest > _FEW else _EACH_SINCE
    values = [
        *framed(asked), query,
        [quoted(lexeme) for _, lexeme, _ in asked.lexemes],
        [asked.weights[number - 1] * strength for number, _, strength in asked.lexemes],
        [user_id for _, user_id in asked.authors], [asked.weights[number - 1] for number, _ in asked.authors],
        [one.text for one in asked.identifiers], [one.pattern for one in asked.identifiers],
        [asked.weights[one.number - 1] for one in asked.identifiers], since,
    ]  # fmt: skip
    statement = _HOPEFUL_AMONG.format(candidates=candidates)
    if candidates is _ALL:
        rows = await connection.fetch(statement, *values)
    else:
        # How many there are in a time is known where it is planned for that time; for all words one plan is good.
        await connection.execute("SET LOCAL plan_cache_mode = force_custom_plan")
        rows = await connection.fetch(statement, *values)
        await connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
    return [row["message_id"] for row in rows]


async def _since(connection: Connection, asked: SearchInput, *, newest: int) -> datetime | None:
    """Return when the first of so many of the newest messages was said; `None` if there are fewer."""
    since: datetime | None
    if asked.channel_id is not None:
        since = await connection.fetchval(_SINCE_WHEN_IN_CHANNEL, asked.guild_id, asked.channel_id, newest)
    else:
        since = await connection.fetchval(_SINCE_WHEN, asked.guild_id, asked.begins, asked.ends, newest)
    return since

"""How many messages of a guild contain each word, by audience, which says how rare a word is; recounted as background
work.
"""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final, NamedTuple

from bot.core.clock import Clock
from bot.db import jobs
from bot.db.jobs import Job
from bot.db.pool import Connection, Database
from bot.memory.policy.repository import says

logger = logging.getLogger(__name__)


COUNTED_AT_MOST: Final = 200_000
"""Messages of an audience that one refresh counts; of a larger one every second, third ... is taken."""

_LIVE_AT_MOST: Final = 2_001
"""Messages that are counted for a word while a guild has no lexicon yet."""

_NAMES_AT_MOST: Final = 200
"""Members called alike that are looked at."""


class Nearness(IntEnum):
    """How a word of the index goes with a word of the question."""

    SAID = 0
    """It is that word."""
    FORM = 1
    """It is another form of it, which no stem shows: "taught" for "teaches"."""
    SYNONYM = 2
    """It means much the same."""


class AskedWord(NamedTuple):
    """A word to be looked up."""

    number: int
    """Which word of the question it stands for; the first is 1."""
    word: str
    nearness: Nearness = Nearness.SAID


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWord:
    """A word of the index."""

    number: int
    """Which word of the question it stands for; the first is 1."""
    nearness: Nearness
    lexeme: str
    messages: int
    """How many messages say it, about; 0 if the lexicon does not know it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownIdentifier:
    """An identifier of the question."""

    parts: str
    """The query by which the index finds its parts; empty if it has none."""
    messages: int
    """How many messages say the rarest of these, about; 0 if the lexicon does not know it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedMember:
    """A member who may be meant, with all names, old ones too."""

    user_id: int
    names: tuple[str, ...]
    messages: int
    """How many messages they wrote, about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWords:
    """What is known of the words of a question."""

    words: tuple[KnownWord, ...]
    identifiers: tuple[KnownIdentifier, ...]
    """In the order in which they were asked for."""
    members: tuple[NamedMember, ...]
    messages: int
    """How many messages these audiences have, about."""
    words_each: float
    """Of how many words a message is on average."""
    refreshed_at: datetime | None
    """When the lexicon was counted; `None` if it was not yet."""


_KNOWN: Final = f"""
WITH here AS (
    SELECT coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian') AS config,
           (SELECT hash_secret FROM installation) AS secret
), word AS MATERIALIZED (
    SELECT DISTINCT ON (found.lexeme) asked.number, asked.nearness, found.lexeme
    FROM here, unnest($3::text[], $9::int[], $10::int[]) AS asked (word, number, nearness),
         unnest(lexemes_of(here.config, asked.word)) AS found
    ORDER BY found.lexeme, asked.nearness, asked.number
), said AS (
    SELECT word.*, (
        SELECT coalesce(sum(known.messages), 0) FROM lexicon known
        WHERE known.guild_id = $1 AND known.audience = ANY($2::bigint[])
          AND known.word = lexicon_word($1, word.lexeme, here.secret)
    ) AS messages
    FROM word, here
), counts AS (
    SELECT sum(messages) AS messages, sum(words) AS words, min(refreshed_at) AS refreshed_at
    FROM lexicon_counts WHERE guild_id = $1 AND audience = ANY($2::bigint[])
), named AS (
    SELECT string_agg('(' || query || ')', ' | ')::tsquery AS query FROM (
        SELECT plainto_tsquery('simple', searchable(name))::text AS query FROM unnest($5::text[]) AS name
        UNION ALL
        SELECT plainto_tsquery('simple', searchable(name))::text || ':*' FROM unnest($8::text[]) AS name
    ) AS name WHERE query NOT IN ('', ':*')
), member AS (
    SELECT user_id, ARRAY[user_name, display_name, nickname] || old_names AS names, (
        SELECT coalesce(sum(known.messages), 0) FROM lexicon known, here
        WHERE known.guild_id = $1 AND known.audience = ANY($2::bigint[])
          AND known.word = lexicon_word($1, '<@' || user_id || '>', here.secret)
    ) AS messages
    FROM members
    WHERE guild_id = $1 AND user_id IN (
        SELECT unnest($7::bigint[])
        UNION SELECT user_id FROM members WHERE {says("(SELECT query FROM named)", words="name_words")}
    )
    ORDER BY user_id LIMIT $6
)
SELECT ARRAY(SELECT number FROM said ORDER BY lexeme) AS numbers,
       ARRAY(SELECT nearness FROM said ORDER BY lexeme) AS nearness,
       ARRAY(SELECT lexeme FROM said ORDER BY lexeme) AS lexemes,
       ARRAY(SELECT messages FROM said ORDER BY lexeme) AS said,
       ARRAY(SELECT plainto_tsquery(here.config, searchable(asked.identifier))::text
             FROM here, unnest($4::text[]) WITH ORDINALITY AS asked (identifier, number)
             ORDER BY asked.number) AS identifiers,
       ARRAY(SELECT coalesce((
                 SELECT min(part.messages) FROM (
                     SELECT coalesce(sum(known.messages), 0) AS messages
                     FROM unnest(lexemes_of(here.config, asked.identifier)) AS said
                     LEFT JOIN lexicon known ON known.guild_id = $1 AND known.audience = ANY($2::bigint[])
                           AND known.word = lexicon_word($1, said.lexeme, here.secret)
                     GROUP BY said.lexeme
                 ) AS part
             ), 0)
             FROM here, unnest($4::text[]) WITH ORDINALITY AS asked (identifier, number)
             ORDER BY asked.number) AS identified,
       (SELECT jsonb_agg(jsonb_build_array(user_id, names, messages)) FROM member)::text AS members,
       counts.messages, counts.words, counts.refreshed_at
FROM counts
"""

_LIVE: Final = f"""
SELECT ARRAY(
           SELECT (
               SELECT count(*) FROM (
                   SELECT FROM chat_history
                   WHERE {says("asked.lexeme::tsquery")}
                     AND audience = ANY($2::bigint[]) AND withheld IS NULL AND kind IN ('member', 'webhook')
                   LIMIT $4
               ) AS saying
           ) FROM unnest($3::text[]) WITH ORDINALITY AS asked (lexeme, number) ORDER BY asked.number
       ) AS said,
       ARRAY(
           SELECT (
               SELECT count(*) FROM (
                   SELECT FROM chat_history
                   WHERE guild_id = $1 AND user_id = asked.user_id AND audience = ANY($2::bigint[])
                     AND withheld IS NULL
                   LIMIT $4
               ) AS wrote
           ) FROM unnest($5::bigint[]) WITH ORDINALITY AS asked (user_id, number) ORDER BY asked.number
       ) AS wrote,
       count(*) AS messages, coalesce(sum(kept.words), 0) AS words
FROM (
    SELECT length(lexemes) AS words FROM chat_history
    WHERE guild_id = $1 AND audience = ANY($2::bigint[]) AND withheld IS NULL AND kind IN ('member', 'webhook')
    LIMIT $4 * 10
) AS kept
"""


async def known_words(
    connection: Connection,
    *,
    guild_id: int,
    audiences: Sequence[int],
    words: Sequence[AskedWord],
    identifiers: Sequence[str],
    names: Sequence[str],
    name_beginnings: Sequence[str],
    user_ids: Sequence[int],
) -> KnownWords:
    """Return what is known of `words`, as the guild's text search stems them, and who is called so.

    `names` are words of names, `name_beginnings` beginnings of such; the members with `user_ids` are found anyway.
    Where the lexicon was not counted yet the messages themselves are, up to a bound.
    """
    (row,) = await connection.fetch(
        _KNOWN,
        guild_id, list(audiences), [asked.word for asked in words], list(identifiers), list(names),
        _NAMES_AT_MOST, list(user_ids), list(name_beginnings), [asked.number for asked in words],
        [asked.nearness for asked in words],
    )  # fmt: skip
    messages, total, total_words = row["said"], row["messages"], row["words"]
    members = _members_in(row["members"])
    if total is None:
        (live,) = await connection.fetch(
            _LIVE, guild_id, list(audiences), [quoted(lexeme) for lexeme in row["lexemes"]], _LIVE_AT_MOST,
            [member.user_id for member in members],
        )  # fmt: skip
        messages, total, total_words = live["said"], live["messages"], live["words"]
        members = [
            replace(member, messages=said) for member, said in zip(members, live["wrote"], strict=True)
        ]
    return KnownWords(
        words=tuple(
            KnownWord(number=number, nearness=Nearness(nearness), lexeme=lexeme, messages=int(said))
            for number, nearness, lexeme, said in zip(
                row["numbers"], row["nearness"], row["lexemes"], messages, strict=True
            )
        ),
        identifiers=tuple(
            KnownIdentifier(parts=parts, messages=int(said))
            for parts, said in zip(row["identifiers"], row["identified"], strict=True)
        ),
        members=tuple(members),
        messages=int(total),
        words_each=float(total_words) / float(total) if total and total_words else 1.0,
        refreshed_at=row["refreshed_at"],
    )


async def audiences_of(connection: Connection, *, guild_id: int) -> list[int]:
    """Return the audiences of which a guild has messages, or has words counted."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT audience FROM message_counts WHERE guild_id = $1
        UNION SELECT audience FROM lexicon_counts WHERE guild_id = $1 ORDER BY audience
        """,
        guild_id,
    )
    return [row["audience"] for row in rows]


async def refresh_counts(
    connection: Connection, *, guild_id: int, audience: int, now: datetime, most: int = COUNTED_AT_MOST
) -> int:
    """Recount the words of one audience, and return how many words are stored."""
    (row,) = await connection.fetch(
        """
        SELECT count(*) AS messages, coalesce(sum(length(lexemes)), 0) AS words FROM chat_history
        WHERE guild_id = $1 AND audience = $2 AND withheld IS NULL AND kind IN ('member', 'webhook')
        """,
        guild_id, audience,
    )  # fmt: skip
    every = max(1, -(-int(row["messages"]) // most))
    # The function takes a statement as text; all that is put into it here are whole numbers.
    sample = f"""
        SELECT lexemes FROM chat_history
        WHERE guild_id = {int(guild_id)} AND audience = {int(audience)} AND withheld IS NULL
          AND kind IN ('member', 'webhook') AND abs(hashint8(message_id)::bigint) % {every} = 0
    """
    await connection.execute("DELETE FROM lexicon WHERE guild_id = $1 AND audience = $2", guild_id, audience)
    kept: int = await connection.fetchval(
        """
        WITH found AS (
            SELECT stat.word, stat.ndoc * $4::bigint AS messages
            FROM ts_stat($3::text) AS stat WHERE stat.ndoc > 1
            UNION ALL
            SELECT '<@' || user_id || '>', sum(messages)::bigint FROM message_counts
            WHERE guild_id = $1 AND audience = $2 AND kind IN ('member', 'webhook')
            GROUP BY user_id
        ), counted AS (
            INSERT INTO lexicon (guild_id, audience, word, messages)
            SELECT $1::bigint, $2::bigint, lexicon_word($1::bigint, found.word, hash_secret), found.messages
            FROM found, installation
            RETURNING 1
        ), noted AS (
            INSERT INTO lexicon_counts (guild_id, audience, messages, words, refreshed_at)
            VALUES ($1, $2, $5::bigint, $6::bigint, $7::timestamptz)
            ON CONFLICT (guild_id, audience) DO UPDATE SET
                messages = excluded.messages, words = excluded.words, refreshed_at = excluded.refreshed_at
        )
        SELECT count(*) FROM counted
        """,
        guild_id, audience, sample, every, row["messages"], row["words"], now,
    )  # fmt: skip
    return kept


def quoted(lexeme: str) -> str:
    """Return a lexeme as it is written in a query of the index."""
    escaped = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _members_in(found: str | None) -> list[NamedMember]:
    return [
        NamedMember(user_id=user_id, names=tuple(name for name in names if name), messages=int(messages))
        for user_id, names, messages in (json.loads(found) if found else [])
    ]


LEXICON_JOB: Final = "lexicon"
"""The kind of background work that counts the words of a guild."""

REFRESHED_EVERY: Final = timedelta(hours=6)
"""How old the counts may be; what is rare today is rare tomorrow."""


class Lexicographer:
    """Counts the words of a guild, one audience after another, each in a transaction of its own."""

    def __init__(self, database: Database, clock: Clock, *, notify: Callable[[], None]) -> None:
        self._database = database
        self._clock = clock
        self._notify = notify

    async def refresh(self, task: Job) -> None:
        """Recount the words of the guild of `task`; if it has very many messages, a sample."""
        guild_id, now = task.guild_id, self._clock.now()
        audiences = await self._database.read(audiences_of, guild_id=guild_id)
        kept = 0
        for audience in audiences:
            kept += await self._database.write(refresh_counts, guild_id=guild_id, audience=audience, now=now)
        logger.info("lexicon of guild %d: %d words in %d audiences", guild_id, kept, len(audiences))

    async def ask_if_old(self, guild_id: int, refreshed_at: datetime | None) -> None:
        """Ask for the count if there is none yet, or if it is too old by the clock; asking twice is once."""
        if refreshed_at is not None and self._clock.now() - refreshed_at < REFRESHED_EVERY:
            return
        await self._database.write_one(jobs.enqueue, guild_id=guild_id, kind=LEXICON_JOB, work_key="")
        self._notify()

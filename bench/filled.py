"""Databases of many messages, filled quickly: guilds of given sizes that all talk at the same time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Self

import asyncpg

from bench.recall_large import Spoken
from bot.core.domain import DISCORD_EPOCH

if TYPE_CHECKING:
    Direct = asyncpg.Connection[asyncpg.Record]

SMALL_ID: Final = 1
LARGE_ID: Final = 2
SMALL: Final = 9_000
"""Messages of the guild that is the same whatever else there is."""
LARGE: Final = 1_000_000
"""Messages of the large guild, where there is one."""
LARGE_FROM: Final = 4_000_000
"""Messages from which on there is a large guild."""
OTHERS: Final = 1_000
"""Guilds that share all others."""

FIRST_CHANNEL: Final = 1_000
SPAN: Final = timedelta(days=120)
"""How long all of them have talked; each guild as evenly as its messages allow."""

_CHANNELS: Final = 10
_MEMBERS: Final = 50
"""Members of a guild who write, the first ones most; of a large guild ten times as many."""
TIMEOUT_SECONDS: Final = 7_200.0
"""Within which each statement ends that fills a database, or builds an index of it."""

_SLICE: Final = 200_000
"""Messages that one statement writes, in the order in which they are said."""
_NOTES_EVERY: Final = 100
"""Messages for each fact, and for each episode."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many messages there are, and in which guilds."""

    of_guilds: Mapping[int, int]
    """Messages by guild."""

    @classmethod
    def among(cls, messages: int) -> Self:
        """Return those of a small guild, a large one where there are many messages, and others of one size."""
        sizes = {SMALL_ID: SMALL} | ({LARGE_ID: LARGE} if messages >= LARGE_FROM else {})
        left, first_id = messages - sum(sizes.values()), 1 + max(SMALL_ID, LARGE_ID)
        others = range(first_id, first_id + OTHERS)
        return cls(
            sizes | {guild_id: left // OTHERS + (guild_id - first_id < left % OTHERS) for guild_id in others}
        )

    @property
    def messages(self) -> int:
        """Of all guilds."""
        return sum(self.of_guilds.values())


async def fill(dsn: str, said: Spoken, begins: datetime, sizes: Sizes) -> None:
    """Write guilds, members, messages, facts and episodes; what is said in a guild depends on its size alone.

    Each message is made of two halves of real ones, and one of ten has a word of its own besides: words are as common,
    and as rare, as in talk. Its lexemes are those of its halves, as the product's writer makes them. All indexes
    but those of keys are made when the rows are there.
    """
    connection = await asyncpg.connect(dsn, command_timeout=TIMEOUT_SECONDS)
    await connection.execute(_SET_UP)
    await _copy(connection, said, sizes)
    indexes = await connection.fetch(_INDEXES)
    for index in indexes:
        await connection.execute(f"DROP INDEX {index['name']}")
    slices = max(1, sizes.messages // _SLICE)
    for number in range(slices):
        await connection.execute(_MESSAGES, begins, DISCORD_EPOCH, SPAN, number, slices)
    await connection.execute(_FACTS, begins, SPAN)
    await connection.execute(_EPISODES, begins, SPAN)
    await connection.execute("SET maintenance_work_mem = '1GB'")
    for index in indexes:
        await connection.execute(index["definition"])
    await connection.execute("DROP TABLE half, sized")
    await connection.execute("VACUUM (ANALYZE)")
    await connection.execute("CHECKPOINT")
    await connection.close()


async def _copy(connection: "Direct", said: Spoken, sizes: Sizes) -> None:
    texts = [text.split() for text in said.texts]
    halves = [
        (number, " ".join(words[: len(words) // 2 + 1]), " ".join(words[len(words) // 2 :]))
        for number, words in enumerate(texts)
    ]
    await connection.copy_records_to_table("half", records=halves, columns=["number", "first", "last"])
    guilds = [
        (guild_id, count, _MEMBERS * (10 if count >= LARGE else 1))
        for guild_id, count in sizes.of_guilds.items()
    ]
    await connection.copy_records_to_table("sized", records=guilds)
    await connection.execute(_HALVES)
    await connection.execute(
        _PLACES.format(first=FIRST_CHANNEL, channels=_CHANNELS, small=SMALL_ID, days=SPAN.days + 1)
    )
    await connection.execute(_NAMES, list(said.names))


_SET_UP: Final = """
    CREATE UNLOGGED TABLE half (number int PRIMARY KEY, first text, last text, begins tsvector, ends tsvector);
    CREATE UNLOGGED TABLE sized (guild_id bigint PRIMARY KEY, messages bigint, members int);
"""
_HALVES: Final = """
    UPDATE half SET begins = lexemes_of('russian', first, '{}'), ends = lexemes_of('russian', last, '{}');
    ANALYZE half, sized;
"""
_PLACES: Final = """
    INSERT INTO guilds (guild_id, name, retention_days)
    SELECT guild_id, 'Guild ' || guild_id, CASE guild_id WHEN {small} THEN {days} ELSE 0 END FROM sized;
    INSERT INTO channels (guild_id, channel_id, name)
    SELECT guild_id, {first} + number, 'room-' || number FROM sized, generate_series(0, {channels} - 1) AS number;
"""
_NAMES: Final = """
    INSERT INTO members (guild_id, user_id, user_name)
    SELECT guild_id, number, ($1::text[])[1 + number % cardinality($1::text[])]
    FROM sized CROSS JOIN LATERAL generate_series(1, members) AS number
"""
_INDEXES: Final = """
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE NOT indisunique AND indrelid = ANY(ARRAY['chat_history', 'facts', 'episodes']::regclass[])
"""

# What is drawn by lot comes from hashes of guild and number: it is the same in every run.
_MESSAGES: Final = f"""
    INSERT INTO chat_history (
        guild_id, channel_id, message_id, user_id, audience, kind, message_text, timestamp, lexemes
    )
    SELECT guild_id, {FIRST_CHANNEL} + (lot & 1023) % {_CHANNELS},
           (extract(epoch FROM said_at - $2::timestamptz) * 1000)::bigint << 22,
           1 + floor(members * (((lot >> 10) & 1023) / 1024.0) ^ 2)::int, 0, 'member',
           one.first || ' ' || other.last || coalesce(' ' || own_word, ''), said_at,
           one.begins || other.ends || coalesce(lexemes_of('russian', own_word, '{{}}'), '')
    FROM (
        SELECT guild_id, members, hashint8extended(number, guild_id) AS lot,
               abs(hashint8extended(number, guild_id + 1000000007) % halves) AS first_number,
               abs(hashint8extended(number, guild_id + 2000000011) % halves) AS last_number,
               CASE WHEN number % 10 = 0 THEN to_hex(hashint8extended(number, guild_id) & {2**40 - 1}) END AS own_word,
               $1::timestamptz + $3::interval * (number / messages::float8) AS said_at
        FROM sized CROSS JOIN (SELECT count(*) AS halves FROM half) counted CROSS JOIN LATERAL generate_series(
            messages * $4::bigint / $5::bigint, messages * ($4 + 1) / $5 - 1
        ) AS number
    ) AS said JOIN half one ON one.number = first_number JOIN half other ON other.number = last_number
    ORDER BY said_at
"""
_NOTES: Final = f"""
    SELECT guild_id, 1 + note.number % members AS user_id, left(first, 200) AS content, begins AS lexemes,
           $1::timestamptz + $2::interval * (note.number * {_NOTES_EVERY} / messages::float8) AS said_at, note.number
    FROM sized CROSS JOIN (SELECT count(*) AS halves FROM half) counted
    CROSS JOIN LATERAL generate_series(1, messages / {_NOTES_EVERY}) AS note (number)
    JOIN half ON half.number = abs(hashint8extended(note.number, guild_id) % halves)
"""
_FACTS: Final = f"""
    INSERT INTO facts (
        guild_id, subject_id, audience, category, key, value, content, raw_content, lexemes, importance, confidence,
        status, origin, author_id, source_channel_id, source_message_id, cause, said_at, updated_at
    )
    SELECT guild_id, user_id, 0, 'other', 'note:' || number, content, content, content, lexemes, 50, 0.9,
           'active', 'command', user_id, {FIRST_CHANNEL}, number, 'filled:' || number, said_at, said_at
    FROM ({_NOTES}) AS noted
"""
_EPISODES: Final = f"""
    INSERT INTO episodes (
        guild_id, channel_id, audience, content, lexemes, importance, first_message_id, last_message_id, created_at,
        updated_at
    )
    SELECT guild_id, {FIRST_CHANNEL}, 0, content, lexemes, 5, number, number, said_at, said_at FROM ({_NOTES}) AS noted
"""

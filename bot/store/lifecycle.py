"""Lines of facts: what was said of one subject under one key, in one audience, and what of it holds.

Whoever changes a line holds it first (`lock`); what holds in it is then decided anew from all its sources.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain import FactOrigin, FactStatus
from bot.store.database import Connection
from bot.store.sources import COLUMNS, Line, Source, as_json, source_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One value in a line, with each time that it was said, and where it stands until now."""

    line: Line
    fact_id: int
    value: str
    sources: tuple[Source, ...]
    status: FactStatus = FactStatus.SUPERSEDED
    supersedes: int | None = None
    superseded_by: int | None = None
    tentative: bool = False
    confirmed_at: datetime | None = None
    origin: FactOrigin = FactOrigin.COMMAND
    importance: int = 0
    confidence: float = 0.0
    expires_at: datetime | None = None
    cause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a row stands, decided from the sources of its line."""

    fact_id: int
    status: FactStatus
    supersedes: int | None
    superseded_by: int | None
    tentative: bool
    importance: int
    confidence: float
    expires_at: datetime | None
    shown: Source
    """The source whose words the row tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Lines as they are, all of one guild."""

    rows: Sequence[Row]
    sources: Mapping[int, Source]
    """Their sources, and those of other lines that named one of these as wrong, and so on, by their ids."""
    time_zone: str


async def lines_of(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> set[Line]:
    """Return the lines of these facts, forgotten ones left out."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT guild_id, subject_id, audience, key FROM facts
        WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) AND status <> 'forgotten'
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return {Line(**row) for row in rows}


async def with_retired(connection: Connection, *, guild_id: int, lines: Iterable[Line]) -> set[Line]:
    """Return these lines and all in which something was named as wrong by a source of them, however far on."""
    rows = await connection.fetch(
        f"""
        WITH RECURSIVE reached AS (
            SELECT subject_id, audience, key FROM {_LINES}
            UNION
            SELECT older.subject_id, older.audience, older.key
            FROM reached
            JOIN facts newer ON newer.guild_id = $1 AND newer.subject_id = reached.subject_id
                AND newer.audience = reached.audience AND newer.key = reached.key
            JOIN fact_sources naming ON naming.guild_id = $1 AND naming.fact_id = newer.fact_id
            JOIN fact_sources named ON named.guild_id = $1 AND named.retired_by = naming.source_id
            JOIN facts older ON older.guild_id = $1 AND older.fact_id = named.fact_id AND older.status <> 'forgotten'
        )
        SELECT $1::bigint AS guild_id, subject_id, audience, key FROM reached
        """,
        guild_id, *_columns(lines),
    )  # fmt: skip
    return {Line(**row) for row in rows}


async def lock(connection: Connection, lines: Iterable[Line]) -> None:
    """Hold these lines until commit, in an order that is the same for everybody."""
    await connection.execute(
        "SELECT pg_advisory_xact_lock(line) FROM unnest($1::bigint[]) AS line",
        sorted({_number(line) for line in lines}),
    )


async def load(connection: Connection, *, guild_id: int, lines: Iterable[Line]) -> Lines:
    """Return the rows of these lines that are not forgotten, with their sources."""
    rows = await connection.fetch(
        f"""
        SELECT f.guild_id, f.subject_id, f.audience, f.key, f.fact_id, f.value, f.status, f.supersedes,
               f.superseded_by, f.tentative, f.confirmed_at, f.origin, f.importance, f.confidence, f.expires_at,
               f.cause, coalesce((SELECT time_zone FROM guilds g WHERE g.guild_id = $1), 'UTC') AS time_zone
        FROM facts f JOIN {_LINES} USING (subject_id, audience, key)
        WHERE f.guild_id = $1 AND f.status <> 'forgotten'
        ORDER BY f.fact_id
        """,
        guild_id, *_columns(lines),
    )  # fmt: skip
    fact_ids = [row["fact_id"] for row in rows]
    own: dict[int, list[Source]] = {fact_id: [] for fact_id in fact_ids}
    known: dict[int, Source] = {}
    for source in await _sources_with_retirers(connection, guild_id=guild_id, fact_ids=fact_ids):
        known[source.source_id] = source
        if source.fact_id in own:
            own[source.fact_id].append(source)
    return Lines(
        rows=[
            Row(
                line=Line(
                    guild_id=row["guild_id"],
                    subject_id=row["subject_id"],
                    audience=row["audience"],
                    key=row["key"],
                ),
                fact_id=row["fact_id"],
                value=row["value"],
                sources=tuple(own[row["fact_id"]]),
                status=FactStatus(row["status"]),
                supersedes=row["supersedes"],
                superseded_by=row["superseded_by"],
                tentative=row["tentative"],
                confirmed_at=row["confirmed_at"],
                origin=FactOrigin(row["origin"]),
                importance=row["importance"],
                confidence=row["confidence"],
                expires_at=row["expires_at"],
                cause=row["cause"],
            )
            for row in rows
            # What somebody else keeps in this table without sources has no part in this.
            if own[row["fact_id"]]
        ],
        sources=known,
        time_zone=rows[0]["time_zone"] if rows else "UTC",
    )


async def write(
    connection: Connection, standings: Sequence[Standing], *, guild_id: int, now: datetime
) -> None:
    """Let rows stand as decided: first those that hold no more, since a key holds one at a time."""
    rest = [one for one in standings if one.status is not FactStatus.ACTIVE]
    holding = [one for one in standings if one.status is FactStatus.ACTIVE]
    for group in (rest, holding):
        if group:
            await connection.execute(_WRITE, guild_id, json.dumps([_as_json(one) for one in group]), now)


async def confirm(connection: Connection, *, guild_id: int, fact_id: int, now: datetime) -> None:
    """Note that its subject said that a fact is so."""
    await connection.execute(
        "UPDATE facts SET confirmed_at = $3, updated_at = $3 WHERE guild_id = $1 AND fact_id = $2",
        guild_id, fact_id, now,
    )  # fmt: skip


async def asked(connection: Connection, *, guild_id: int, fact_id: int, now: datetime) -> bool:
    """Note that its subject is asked about a fact; `False` if that was just asked by somebody else."""
    noted = await connection.fetchval(
        """
        UPDATE facts SET asked_at = $3 WHERE guild_id = $1 AND fact_id = $2 AND (asked_at IS NULL OR EXISTS (
            SELECT FROM fact_sources s
            WHERE s.guild_id = $1 AND s.fact_id = $2 AND NOT s.ended AND s.said_at > facts.asked_at
        ))
        RETURNING true
        """,
        guild_id, fact_id, now,
    )  # fmt: skip
    return bool(noted)


_LINES = "unnest($2::bigint[], $3::bigint[], $4::text[]) AS line (subject_id, audience, key)"

_WRITE = """
UPDATE facts SET
    status = i.status, supersedes = i.supersedes, superseded_by = i.superseded_by, tentative = i.tentative,
    importance = i.importance, confidence = i.confidence, expires_at = i.expires_at, origin = i.origin,
    category = i.category, content = i.content, raw_content = i.raw_content, author_id = i.author_id,
    source_channel_id = i.channel_id, source_message_id = i.message_id, cause = i.cause, said_at = i.said_at,
    holds_on = i.holds_on, updated_at = $3,
    lexemes = CASE WHEN facts.content = i.content THEN facts.lexemes ELSE
        to_tsvector(coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian'), i.content) END
FROM jsonb_to_recordset($2::jsonb) AS i (
    fact_id bigint, status text, supersedes bigint, superseded_by bigint, tentative boolean, importance smallint,
    confidence real, expires_at timestamptz, origin text, category text, content text, raw_content text,
    author_id bigint, channel_id bigint, message_id bigint, cause text, said_at timestamptz, holds_on date
)
WHERE facts.guild_id = $1 AND facts.fact_id = i.fact_id
"""


async def _sources_with_retirers(
    connection: Connection, *, guild_id: int, fact_ids: Sequence[int]
) -> list[Source]:
    rows = await connection.fetch(
        f"""
        WITH RECURSIVE wanted AS (
            SELECT source_id, retired_by FROM fact_sources WHERE guild_id = $1 AND fact_id = ANY($2::bigint[])
            UNION
            SELECT naming.source_id, naming.retired_by
            FROM wanted JOIN fact_sources naming ON naming.guild_id = $1 AND naming.source_id = wanted.retired_by
        )
        SELECT {COLUMNS} FROM fact_sources
        WHERE guild_id = $1 AND source_id IN (SELECT source_id FROM wanted)
        ORDER BY source_id
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return [source_of(row) for row in rows]


def _columns(lines: Iterable[Line]) -> tuple[list[int], list[int], list[str]]:
    ordered = sorted(lines)
    return (
        [line.subject_id for line in ordered],
        [line.audience for line in ordered],
        [line.key for line in ordered],
    )


def _number(line: Line) -> int:
    """Return the number of the lock that stands for a line; two lines that share one only wait for each other."""
    name = f"{line.guild_id}:{line.subject_id}:{line.audience}:{line.key}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)


def _as_json(one: Standing) -> dict[str, object]:
    return {
        **as_json(one.shown),
        "fact_id": one.fact_id,
        "status": one.status,
        "supersedes": one.supersedes,
        "superseded_by": one.superseded_by,
        "tentative": one.tentative,
        "importance": one.importance,
        "confidence": one.confidence,
        "expires_at": one.expires_at.isoformat() if one.expires_at else None,
    }

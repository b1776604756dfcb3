"""SQL of slots, in which facts compete, and of sources: one row for each time that a fact was said."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.core.domain import EXPLICIT, FactCategory, FactOrigin, FactStatus
from bot.db.pool import Connection, Row
from bot.memory.facts.repository import NewFact

SOURCE_COLUMNS = """source_id, fact_id, origin, author_id, channel_id, message_id, cause, said_at, category, content,
    raw_content, importance, confidence, holds_on, expires_at, ended, retired_by"""


@dataclass(frozen=True, slots=True, order=True, kw_only=True)
class Slot:
    """All facts that compete: only one of them can hold at a time."""

    guild_id: int
    subject_id: int
    audience: int
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One time that a fact was said: who said it, in which message, and in which words."""

    source_id: int
    fact_id: int
    origin: FactOrigin
    author_id: int
    channel_id: int
    message_id: int
    cause: str
    said_at: datetime
    category: FactCategory
    content: str
    raw_content: str
    importance: int
    confidence: float
    holds_on: date | None
    expires_at: datetime | None
    ended: bool
    """Counts no more: expired, taken back, forgotten, or said to be so no longer."""
    retired_by: int | None
    """The source that named this one as wrong; while that one counts, this one does not."""

    @property
    def is_explicit(self) -> bool:
        """Whether somebody asked to have it remembered."""
        return self.origin in EXPLICIT


def source_of(row: Row) -> Source:
    """Return a row that has `SOURCE_COLUMNS` as a source."""
    return Source(
        source_id=row["source_id"],
        fact_id=row["fact_id"],
        origin=FactOrigin(row["origin"]),
        author_id=row["author_id"],
        channel_id=row["channel_id"],
        message_id=row["message_id"],
        cause=row["cause"],
        said_at=row["said_at"],
        category=FactCategory(row["category"]),
        content=row["content"],
        raw_content=row["raw_content"],
        importance=row["importance"],
        confidence=row["confidence"],
        holds_on=row["holds_on"],
        expires_at=row["expires_at"],
        ended=row["ended"],
        retired_by=row["retired_by"],
    )


def source_as_json(source: Source) -> dict[str, object]:
    """Return what a source says, and who said it when, for SQL."""
    return {
        "origin": source.origin,
        "author_id": source.author_id,
        "channel_id": source.channel_id,
        "message_id": source.message_id,
        "cause": source.cause,
        "said_at": source.said_at.isoformat(),
        "category": source.category,
        "content": source.content,
        "raw_content": source.raw_content,
        "importance": source.importance,
        "confidence": source.confidence,
        "holds_on": source.holds_on.isoformat() if source.holds_on else None,
        "expires_at": source.expires_at.isoformat() if source.expires_at else None,
    }


async def add_sources(
    connection: Connection, facts: Sequence[NewFact], *, fact_ids: Sequence[int]
) -> list[int]:
    """Note that `facts` were said, each as a further source of the row beside it; return the sources' ids."""
    rows = await connection.fetch(
        """
        INSERT INTO fact_sources (guild_id, fact_id, origin, author_id, channel_id, message_id, cause, said_at,
                                  category, content, raw_content, importance, confidence, holds_on, expires_at)
        SELECT guild_id, fact_id, origin, author_id, channel_id, message_id, cause, said_at,
               category, content, raw_content, importance, confidence, holds_on, expires_at
        FROM jsonb_to_recordset($1::jsonb) AS i (
            place int, guild_id bigint, fact_id bigint, origin text, author_id bigint, channel_id bigint,
            message_id bigint, cause text, said_at timestamptz, category text, content text, raw_content text,
            importance smallint, confidence real, holds_on date, expires_at timestamptz
        )
        ORDER BY place
        RETURNING source_id, fact_id, cause
        """,
        json.dumps(
            [
                {**_said(fact), "place": place, "fact_id": fact_id}
                for place, (fact, fact_id) in enumerate(zip(facts, fact_ids, strict=True))
            ]
        ),
    )
    known = {(row["fact_id"], row["cause"]): row["source_id"] for row in rows}
    return [known[fact_id, fact.cause] for fact, fact_id in zip(facts, fact_ids, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PickedUp:
    """What a message says for a fact."""

    source_id: int
    message_id: int
    line: Slot
    value: str


async def picked_up(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], origin: FactOrigin
) -> list[PickedUp]:
    """Return what these messages say for facts that are not forgotten, by sources of one origin."""
    rows = await connection.fetch(
        """
        SELECT s.source_id, s.message_id, f.subject_id, f.audience, f.key, f.value
        FROM fact_sources s JOIN facts f ON f.guild_id = s.guild_id AND f.fact_id = s.fact_id
        WHERE s.guild_id = $1 AND s.message_id = ANY($2::bigint[]) AND s.origin = $3 AND f.status <> 'forgotten'
        ORDER BY s.source_id
        """,
        guild_id, list(message_ids), origin,
    )  # fmt: skip
    return [
        PickedUp(
            source_id=row["source_id"],
            message_id=row["message_id"],
            line=Slot(
                guild_id=guild_id, subject_id=row["subject_id"], audience=row["audience"], key=row["key"]
            ),
            value=row["value"],
        )
        for row in rows
    ]


async def resting_on(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], origins: Sequence[FactOrigin]
) -> list[int]:
    """Return the sources of these origins in these messages, those of forgotten facts left out."""
    if not message_ids:
        return []
    rows = await connection.fetch(
        """
        SELECT s.source_id FROM fact_sources s JOIN facts f ON f.guild_id = s.guild_id AND f.fact_id = s.fact_id
        WHERE s.guild_id = $1 AND s.message_id = ANY($2::bigint[]) AND s.origin = ANY($3::text[])
          AND f.status <> 'forgotten'
        ORDER BY s.source_id
        """,
        guild_id, list(message_ids), list(origins),
    )  # fmt: skip
    return [row["source_id"] for row in rows]


async def facts_of(connection: Connection, *, guild_id: int, source_ids: Sequence[int]) -> list[int]:
    """Return the facts that these sources say."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT fact_id FROM fact_sources
        WHERE guild_id = $1 AND source_id = ANY($2::bigint[]) ORDER BY fact_id
        """,
        guild_id, list(source_ids),
    )  # fmt: skip
    return [row["fact_id"] for row in rows]


async def drop_sources(connection: Connection, *, guild_id: int, source_ids: Sequence[int]) -> None:
    """Remove these sources.

    What one of them had named as wrong is then named so by what named that one, if anything did.
    """
    await connection.execute(
        """
        WITH gone AS (
            DELETE FROM fact_sources WHERE guild_id = $1 AND source_id = ANY($2::bigint[])
            RETURNING source_id, retired_by
        )
        UPDATE fact_sources named SET retired_by = gone.retired_by
        FROM gone WHERE named.guild_id = $1 AND named.retired_by = gone.source_id
          AND named.source_id <> ALL($2::bigint[])
        """,
        guild_id, list(source_ids),
    )  # fmt: skip


async def end_sources(connection: Connection, *, guild_id: int, source_ids: Sequence[int]) -> None:
    """Let these sources count no more; their words stay."""
    await connection.execute(
        "UPDATE fact_sources SET ended = true WHERE guild_id = $1 AND source_id = ANY($2::bigint[])",
        guild_id, list(source_ids),
    )  # fmt: skip


async def retire_sources(
    connection: Connection, *, guild_id: int, source_ids: Sequence[int], by_id: int
) -> None:
    """Note that the source `by_id` names these as wrong."""
    await connection.execute(
        """
        UPDATE fact_sources SET retired_by = $3
        WHERE guild_id = $1 AND source_id = ANY($2::bigint[]) AND source_id <> $3
        """,
        guild_id, list(source_ids), by_id,
    )  # fmt: skip


async def empty_sources(
    connection: Connection, *, guild_id: int, source_ids: Sequence[int], into: int | None = None
) -> None:
    """Let these sources count no more and lose their words; they become those of the fact `into`, if there is one.

    They stay, so that the same command heard again is known.
    """
    await connection.execute(
        """
        UPDATE fact_sources
        SET ended = true, content = '', raw_content = '', holds_on = NULL, fact_id = coalesce($3, fact_id)
        WHERE guild_id = $1 AND source_id = ANY($2::bigint[])
        """,
        guild_id, list(source_ids), into,
    )  # fmt: skip


async def empty_sources_of_facts(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> None:
    """Let every time that these facts were said count no more and lose its words, as `empty_sources` does."""
    await connection.execute(
        """
        UPDATE fact_sources SET ended = true, content = '', raw_content = '', holds_on = NULL
        WHERE guild_id = $1 AND fact_id = ANY($2::bigint[])
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip


async def sources_of_facts(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> list[Source]:
    """Return every time that these facts were said."""
    if not fact_ids:
        return []
    rows = await connection.fetch(
        f"""
        SELECT {SOURCE_COLUMNS} FROM fact_sources
        WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) ORDER BY source_id
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return [source_of(row) for row in rows]


async def withheld_messages(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> set[int]:
    """Return which of these messages are withheld; the others are not until commit."""
    rows = await connection.fetch(
        """
        SELECT message_id, withheld IS NOT NULL AS gone FROM chat_history
        WHERE guild_id = $1 AND message_id = ANY($2::bigint[]) ORDER BY message_id FOR SHARE
        """,
        guild_id, list(message_ids),
    )  # fmt: skip
    return {row["message_id"] for row in rows if row["gone"]}


async def expired_sources(
    connection: Connection, *, guild_id: int, now: datetime, limit: int
) -> list[Source]:
    """Return the sources that expired first among those that still count at `now`."""
    rows = await connection.fetch(
        f"""
        SELECT {SOURCE_COLUMNS} FROM fact_sources
        WHERE guild_id = $1 AND expires_at <= $2 AND NOT ended
        ORDER BY expires_at LIMIT $3
        """,
        guild_id, now, limit,
    )  # fmt: skip
    return [source_of(row) for row in rows]


def _said(fact: NewFact) -> dict[str, object]:
    return {
        "guild_id": fact.guild_id,
        "origin": fact.origin,
        "author_id": fact.author_id,
        "channel_id": fact.source_channel_id,
        "message_id": fact.source_message_id,
        "cause": fact.cause,
        "said_at": fact.said_at.isoformat(),
        "category": fact.category,
        "content": fact.content,
        "raw_content": fact.raw_content,
        "importance": fact.importance,
        "confidence": fact.confidence,
        "holds_on": fact.holds_on.isoformat() if fact.holds_on else None,
        "expires_at": fact.expires_at.isoformat() if fact.expires_at else None,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotRow:
    """One value in a line, with each time that it was said, and where it stands until now."""

    line: Slot
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
class RowState:
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
class Slots:
    """Lines as they are, all of one guild."""

    rows: Sequence[SlotRow]
    sources: Mapping[int, Source]
    """Their sources, and those of other lines that named one of these as wrong, and so on, by their ids."""
    time_zone: str


async def slots_of(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> set[Slot]:
    """Return the lines of these facts, forgotten ones left out."""
    if not fact_ids:
        return set()
    rows = await connection.fetch(
        """
        SELECT DISTINCT guild_id, subject_id, audience, key FROM facts
        WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) AND status <> 'forgotten'
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return {Slot(**row) for row in rows}


async def with_retired_slots(connection: Connection, *, guild_id: int, lines: Iterable[Slot]) -> set[Slot]:
    """Return these lines and all in which something was named as wrong by a source of them, however far on."""
    rows = await connection.fetch(
        f"""
        WITH RECURSIVE reached AS (
            SELECT subject_id, audience, key FROM {_SLOTS}
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
    return {Slot(**row) for row in rows}


async def lock_slots(connection: Connection, lines: Iterable[Slot]) -> None:
    """Hold these lines until commit, in an order that is the same for everybody."""
    await connection.execute(
        "SELECT pg_advisory_xact_lock(line) FROM unnest($1::bigint[]) AS line",
        sorted({_number(line) for line in lines}),
    )


async def load_slots(connection: Connection, *, guild_id: int, lines: Iterable[Slot]) -> Slots:
    """Return the rows of these lines that are not forgotten, with their sources."""
    rows = await connection.fetch(
        f"""
        SELECT f.guild_id, f.subject_id, f.audience, f.key, f.fact_id, f.value, f.status, f.supersedes,
               f.superseded_by, f.tentative, f.confirmed_at, f.origin, f.importance, f.confidence, f.expires_at,
               f.cause, coalesce((SELECT time_zone FROM guilds g WHERE g.guild_id = $1), 'UTC') AS time_zone
        FROM facts f JOIN {_SLOTS} USING (subject_id, audience, key)
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
    return Slots(
        rows=[
            SlotRow(
                line=Slot(
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


async def write_states(
    connection: Connection, standings: Sequence[RowState], *, guild_id: int, now: datetime
) -> None:
    """Let rows stand as decided: first those that hold no more, since a key holds one at a time."""
    rest = [one for one in standings if one.status is not FactStatus.ACTIVE]
    holding = [one for one in standings if one.status is FactStatus.ACTIVE]
    for group in (rest, holding):
        if group:
            await connection.execute(_WRITE, guild_id, json.dumps([_as_json(one) for one in group]), now)


async def confirm_fact(connection: Connection, *, guild_id: int, fact_id: int, now: datetime) -> None:
    """Note that its subject said that a fact is so."""
    await connection.execute(
        "UPDATE facts SET confirmed_at = $3, updated_at = $3 WHERE guild_id = $1 AND fact_id = $2",
        guild_id, fact_id, now,
    )  # fmt: skip


async def note_asked(connection: Connection, *, guild_id: int, fact_id: int, now: datetime) -> bool:
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


_SLOTS = "unnest($2::bigint[], $3::bigint[], $4::text[]) AS line (subject_id, audience, key)"

_WRITE = """
UPDATE facts SET
    status = i.status, supersedes = i.supersedes, superseded_by = i.superseded_by, tentative = i.tentative,
    importance = i.importance, confidence = i.confidence, expires_at = i.expires_at, origin = i.origin,
    category = i.category, content = i.content, raw_content = i.raw_content, author_id = i.author_id,
    source_channel_id = i.channel_id, source_message_id = i.message_id, cause = i.cause, said_at = i.said_at,
    holds_on = i.holds_on, updated_at = $3,
    lexemes = CASE WHEN facts.content = i.content THEN facts.lexemes ELSE
        lexemes_of(coalesce((SELECT text_search FROM guilds WHERE guild_id = $1), 'russian'), i.content) END
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
        SELECT {SOURCE_COLUMNS} FROM fact_sources
        WHERE guild_id = $1 AND source_id IN (SELECT source_id FROM wanted)
        ORDER BY source_id
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return [source_of(row) for row in rows]


def _columns(lines: Iterable[Slot]) -> tuple[list[int], list[int], list[str]]:
    ordered = sorted(lines)
    return (
        [line.subject_id for line in ordered],
        [line.audience for line in ordered],
        [line.key for line in ordered],
    )


def _number(line: Slot) -> int:
    """Return the number of the lock that stands for a line; two lines that share one only wait for each other."""
    name = f"{line.guild_id}:{line.subject_id}:{line.audience}:{line.key}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)


def _as_json(one: RowState) -> dict[str, object]:
    return {
        **source_as_json(one.shown),
        "fact_id": one.fact_id,
        "status": one.status,
        "supersedes": one.supersedes,
        "superseded_by": one.superseded_by,
        "tentative": one.tentative,
        "importance": one.importance,
        "confidence": one.confidence,
        "expires_at": one.expires_at.isoformat() if one.expires_at else None,
    }

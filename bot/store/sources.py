"""The sources of facts: one row for each time that a fact was said."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from bot.domain import EXPLICIT, FactCategory, FactOrigin
from bot.store.database import Connection, Row
from bot.store.facts import NewFact

COLUMNS = """source_id, fact_id, origin, author_id, channel_id, message_id, cause, said_at, category, content,
    raw_content, importance, confidence, holds_on, expires_at, ended, retired_by"""


@dataclass(frozen=True, slots=True, order=True, kw_only=True)
class Line:
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
    """Return a row that has `COLUMNS` as a source."""
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


def as_json(source: Source) -> dict[str, object]:
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


async def add(connection: Connection, facts: Sequence[NewFact], *, fact_ids: Sequence[int]) -> list[int]:
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
    line: Line
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
            line=Line(
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


async def drop(connection: Connection, *, guild_id: int, source_ids: Sequence[int]) -> None:
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


async def end(connection: Connection, *, guild_id: int, source_ids: Sequence[int]) -> None:
    """Let these sources count no more; their words stay."""
    await connection.execute(
        "UPDATE fact_sources SET ended = true WHERE guild_id = $1 AND source_id = ANY($2::bigint[])",
        guild_id, list(source_ids),
    )  # fmt: skip


async def retire(connection: Connection, *, guild_id: int, source_ids: Sequence[int], by_id: int) -> None:
    """Note that the source `by_id` names these as wrong."""
    await connection.execute(
        """
        UPDATE fact_sources SET retired_by = $3
        WHERE guild_id = $1 AND source_id = ANY($2::bigint[]) AND source_id <> $3
        """,
        guild_id, list(source_ids), by_id,
    )  # fmt: skip


async def empty(
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


async def of_facts(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> list[Source]:
    """Return every time that these facts were said."""
    rows = await connection.fetch(
        f"""
        SELECT {COLUMNS} FROM fact_sources
        WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) ORDER BY source_id
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return [source_of(row) for row in rows]


async def withheld(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> set[int]:
    """Return which of these messages are withheld; the others are not until commit."""
    rows = await connection.fetch(
        """
        SELECT message_id, withheld IS NOT NULL AS gone FROM chat_history
        WHERE guild_id = $1 AND message_id = ANY($2::bigint[]) ORDER BY message_id FOR SHARE
        """,
        guild_id, list(message_ids),
    )  # fmt: skip
    return {row["message_id"] for row in rows if row["gone"]}


async def expired(connection: Connection, *, guild_id: int, now: datetime, limit: int) -> list[Source]:
    """Return the sources that expired first among those that still count at `now`."""
    rows = await connection.fetch(
        f"""
        SELECT {COLUMNS} FROM fact_sources
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

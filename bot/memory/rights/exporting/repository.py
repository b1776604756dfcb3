"""All that is kept about one member of a guild, page by page; unlike any other read it shows what is kept
of members who opted out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.core.domain import Episode, Fact, Message
from bot.db.pool import Connection
from bot.memory.facts import repository as facts_repository
from bot.memory.facts.repository_slots import SOURCE_COLUMNS, Source, source_of
from bot.memory.messages import repository as messages_repository
from bot.memory.messages.repository_quarantine import RECORD
from bot.memory.summaries import repository_episodes

_READABLE = "($3::bigint[] IS NULL OR {table}.audience = ANY($3::bigint[]))"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportScope:
    """Of whom something is handed out, and how far."""

    guild_id: int
    user_id: int
    audiences: Sequence[int] | None
    """Those that the member can read; `None`: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberDetails:
    """What is kept of a member beside words."""

    user_name: str
    display_name: str
    nickname: str
    old_names: tuple[str, ...]
    pronouns: str
    learning: bool
    turns: int
    joined_at: datetime | None
    left_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldStatement:
    """Something that the member told about somebody else, or about the guild."""

    subject_id: int
    audience: int
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldDay:
    """What is told of the member's words of one day."""

    audience: int
    day: str
    content: str
    built_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnswer:
    """What the bot answered to a message of the member."""

    message_id: int
    channel_id: int
    route: str
    parts: tuple[str, ...]
    answered_at: datetime


async def member(connection: Connection, *, guild_id: int, user_id: int) -> MemberDetails | None:
    """Return what is kept of a member beside words; `None` if they are not known."""
    row = await connection.fetchrow(
        """
        SELECT user_name, display_name, nickname, old_names, pronouns, learning, turns, joined_at, left_at
        FROM members WHERE guild_id = $1 AND user_id = $2
        """,
        guild_id, user_id,
    )  # fmt: skip
    return MemberDetails(**{**row, "old_names": tuple(row["old_names"])}) if row else None


async def guilds_of(connection: Connection, *, user_id: int) -> list[int]:
    """Return the guilds that know a member, or keep messages of them."""
    rows = await connection.fetch(
        """
        SELECT guild_id FROM guilds g
        WHERE EXISTS (SELECT FROM members m WHERE m.guild_id = g.guild_id AND m.user_id = $1)
           OR EXISTS (SELECT FROM chat_history c WHERE c.guild_id = g.guild_id AND c.user_id = $1)
           OR EXISTS (SELECT FROM facts f WHERE f.guild_id = g.guild_id AND f.subject_id = $1)
        ORDER BY guild_id
        """,
        user_id,
    )
    return [row["guild_id"] for row in rows]


async def facts_about(connection: Connection, scope: ExportScope, after_id: int, limit: int) -> list[Fact]:
    """Return facts about the member that are no places, with larger ids than `after_id`, by id."""
    return await _about(connection, scope, after_id, limit, places=False)


async def places_about(connection: Connection, scope: ExportScope, after_id: int, limit: int) -> list[Fact]:
    """Return the places of the member with larger ids than `after_id`, by id."""
    return await _about(connection, scope, after_id, limit, places=True)


async def _about(
    connection: Connection, scope: ExportScope, after_id: int, limit: int, *, places: bool
) -> list[Fact]:
    rows = await connection.fetch(
        f"""
        SELECT {facts_repository.FACT_COLUMNS} FROM facts f
        WHERE guild_id = $1 AND subject_id = $2 AND {_READABLE.format(table="f")}
          AND status <> 'forgotten' AND content <> '' AND (category = 'place') = $6 AND fact_id > $4
        ORDER BY fact_id LIMIT $5
        """,
        scope.guild_id, scope.user_id, scope.audiences, after_id, limit, places,
    )  # fmt: skip
    return [facts_repository.fact_of(row) for row in rows]


async def last_change(connection: Connection, scope: ExportScope) -> datetime | None:
    """Return when a fact about the member changed last; `None` if there is none."""
    changed: datetime | None = await connection.fetchval(
        f"""
        SELECT max(updated_at) FROM facts f
        WHERE guild_id = $1 AND subject_id = $2 AND {_READABLE.format(table="f")} AND status <> 'forgotten'
        """,
        scope.guild_id, scope.user_id, scope.audiences,
    )  # fmt: skip
    return changed


async def sources_of(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> list[Source]:
    """Return each time that these facts were said and that still has words, oldest first."""
    rows = await connection.fetch(
        f"""
        SELECT {SOURCE_COLUMNS} FROM fact_sources
        WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) AND content <> ''
        ORDER BY said_at, source_id
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return [source_of(row) for row in rows]


async def statements(
    connection: Connection, scope: ExportScope, after_id: int, limit: int
) -> list[ToldStatement]:
    """Return what the member told about others, with larger ids of the source than `after_id`, by id."""
    columns = ", ".join(f"s.{column.strip()}" for column in SOURCE_COLUMNS.split(","))
    rows = await connection.fetch(
        f"""
        SELECT {columns}, f.subject_id, f.audience FROM fact_sources s
        JOIN facts f ON f.guild_id = s.guild_id AND f.fact_id = s.fact_id
        WHERE s.guild_id = $1 AND s.author_id = $2 AND f.subject_id <> $2 AND {_READABLE.format(table="f")}
          AND f.status <> 'forgotten' AND s.content <> '' AND s.source_id > $4
        ORDER BY s.source_id LIMIT $5
        """,
        scope.guild_id, scope.user_id, scope.audiences, after_id, limit,
    )  # fmt: skip
    return [
        ToldStatement(subject_id=row["subject_id"], audience=row["audience"], source=source_of(row))
        for row in rows
    ]


async def days(
    connection: Connection, scope: ExportScope, after: tuple[str, int], limit: int
) -> list[ToldDay]:
    """Return what is told of the member's days, as `day` and audience after those given; by day.

    What was told before something of its day was taken back is left out, as it is everywhere.
    """
    rows = await connection.fetch(
        f"""
        SELECT DISTINCT ON (period, audience) period, audience, content, built_at FROM distillations d
        WHERE guild_id = $1 AND kind = 'day' AND subject_id = $2 AND {_READABLE.format(table="d")}
          AND content <> '' AND (period, audience) > ($4, $5::bigint)
          AND time_zone = (SELECT g.time_zone FROM guilds g WHERE g.guild_id = $1)
          AND NOT EXISTS (
              SELECT FROM day_marks m
              WHERE m.guild_id = $1 AND m.audience = d.audience AND m.day::text = d.period
                AND m.taken_back > d.sources::bigint
          )
        ORDER BY period, audience, sources::bigint DESC, built_at DESC LIMIT $6
        """,
        scope.guild_id, scope.user_id, scope.audiences, *after, limit,
    )  # fmt: skip
    return [
        ToldDay(audience=row["audience"], day=row["period"], content=row["content"], built_at=row["built_at"])
        for row in rows
    ]


async def episodes_of(connection: Connection, scope: ExportScope, after_id: int, limit: int) -> list[Episode]:
    """Return episodes that rest on words of the member, with larger ids than `after_id`, by id."""
    rows = await connection.fetch(
        f"""
        SELECT DISTINCT e.episode_id, e.audience FROM ended_conversations ended
        JOIN episodes e ON e.guild_id = ended.guild_id AND e.episode_id = ended.episode_id
        JOIN chat_history c ON c.guild_id = ended.guild_id AND c.message_id = ANY(ended.told_ids)
        WHERE ended.guild_id = $1 AND c.user_id = $2 AND {_READABLE.format(table="e")} AND e.episode_id > $4
        ORDER BY e.episode_id LIMIT $5
        """,
        scope.guild_id, scope.user_id, scope.audiences, after_id, limit,
    )  # fmt: skip
    known = await repository_episodes.episodes_with_ids(
        connection,
        guild_id=scope.guild_id,
        episode_ids=[row["episode_id"] for row in rows],
        audiences=[row["audience"] for row in rows],
    )
    return sorted(known, key=lambda episode: episode.episode_id)


async def answers(connection: Connection, scope: ExportScope, after_id: int, limit: int) -> list[GivenAnswer]:
    """Return what the bot answered to the member, to messages with larger ids than `after_id`, by id."""
    rows = await connection.fetch(
        f"""
        SELECT a.message_id, a.channel_id, a.route, a.parts, a.answered_at FROM answers a
        LEFT JOIN chat_history c ON c.guild_id = a.guild_id AND c.message_id = a.message_id
        WHERE a.guild_id = $1 AND a.user_id = $2 AND {_READABLE.format(table="c")}
          AND a.parts <> '{{}}' AND a.message_id > $4
        ORDER BY a.message_id LIMIT $5
        """,
        scope.guild_id, scope.user_id, scope.audiences, after_id, limit,
    )  # fmt: skip
    return [GivenAnswer(**{**row, "parts": tuple(row["parts"])}) for row in rows]


async def messages(
    connection: Connection, scope: ExportScope, after: tuple[datetime, int], limit: int
) -> list[Message]:
    """Return the member's messages after a time and an id, oldest first, also those that lost their text."""
    rows = await connection.fetch(
        f"""
        SELECT {messages_repository.MESSAGE_COLUMNS} FROM (
            SELECT {messages_repository.MESSAGE_COLUMNS} FROM chat_history
            UNION ALL
            SELECT i.* FROM quarantined_messages q, jsonb_to_record(q.message) AS i {RECORD}
            WHERE q.guild_id = $1 AND q.user_id = $2
              AND NOT EXISTS (SELECT FROM chat_history h WHERE h.guild_id = $1 AND h.message_id = q.message_id)
        ) c
        WHERE guild_id = $1 AND user_id = $2 AND {_READABLE.format(table="c")}
          AND (timestamp, message_id) > ($4, $5::bigint)
        ORDER BY timestamp, message_id LIMIT $6
        """,
        scope.guild_id, scope.user_id, scope.audiences, *after, limit,
    )  # fmt: skip
    return [messages_repository.message_of(row) for row in rows]

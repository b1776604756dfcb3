"""Everything that is kept about one member of a guild, page by page; unlike other reads it includes members who opted
out.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from bot.core.domain import Fact
from bot.db.pool import Connection
from bot.db.rows import rows_as
from bot.memory.facts import repository as facts_repository
from bot.memory.messages.repository_quarantine import RECORD
from bot.memory.policy import consent
from bot.memory.rights.exporting.document import (
    ExportedAnswer,
    ExportedCategory,
    ExportedDay,
    ExportedEpisode,
    ExportedGuild,
    ExportedMember,
    ExportedMessage,
    ExportedPart,
    ExportedProfile,
    ExportedSource,
    ExportedStatement,
)
from bot.memory.rights.personal_data import exported_columns


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportScope:
    """Whose data is exported, and how far."""

    guild_id: int
    user_id: int
    audiences: Sequence[int] | None
    """Those that the member can read; `None`: all."""


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


async def guild(connection: Connection, scope: ExportScope) -> ExportedGuild | None:
    """Return the guild; `None` if it is not known."""
    row = await connection.fetchrow(
        f"SELECT {exported_columns('guild', 'g')} FROM guilds g WHERE guild_id = $1", scope.guild_id
    )
    return ExportedGuild(**row) if row else None


_UNKNOWN: Final = {
    "user_name": "", "display_name": "", "nickname": "", "old_names": (), "pronouns": "",
    "joined_at": None, "left_at": None, "turns": 0, "learning": True,
}  # fmt: skip
"""What is told of a member of whom there is no row."""


async def member(connection: Connection, scope: ExportScope) -> ExportedMember:
    """Return what is kept of the member beside words, and how they chose to be remembered."""
    row = await connection.fetchrow(
        f"SELECT {exported_columns('member', 'm')} FROM members m WHERE guild_id = $1 AND user_id = $2",
        scope.guild_id, scope.user_id,
    )  # fmt: skip
    categories = await connection.fetch(
        f"""
        SELECT {exported_columns("categories", "k")} FROM kept_categories k
        WHERE guild_id = $1 AND user_id = $2 ORDER BY category
        """,
        scope.guild_id, scope.user_id,
    )  # fmt: skip
    chosen = await consent.consent_of(connection, guild_id=scope.guild_id, user_id=scope.user_id)
    return ExportedMember(
        id=scope.user_id,
        opted_out=chosen.opted_out,
        opted_in=chosen.opted_in,
        private=chosen.private,
        categories=tuple(ExportedCategory(**one) for one in categories),
        **(row or _UNKNOWN),
    )


_READABLE = "($3::bigint[] IS NULL OR {table}.audience = ANY($3::bigint[]))"
_SOURCE = f"{exported_columns('sources', 's')}, NOT s.ended AND s.retired_by IS NULL AS counts"


async def facts_about(
    connection: Connection, scope: ExportScope, after_id: int, limit: int, *, places: bool
) -> list[Fact]:
    """Return facts about the member with larger ids than `after_id`, by id: places, or all others."""
    rows = await connection.fetch(
        f"""
        SELECT {facts_repository.FACT_COLUMNS} FROM facts f
        WHERE guild_id = $1 AND subject_id = $2 AND {_READABLE.format(table="f")}
          AND status <> 'forgotten' AND content <> '' AND (category = 'place') = $6 AND fact_id > $4
        ORDER BY fact_id LIMIT $5
        """,
        scope.guild_id, scope.user_id, scope.audiences, after_id, limit, places,
    )  # fmt: skip
    return rows_as(Fact, rows)


async def facts_naming(
    connection: Connection, scope: ExportScope, after_id: int, now: datetime, limit: int
) -> list[Fact]:
    """Return what holds about others and names the member, with larger ids than `after_id`, by id."""
    rows = await connection.fetch(
        f"""
        SELECT {facts_repository.FACT_COLUMNS} FROM facts f
        WHERE guild_id = $1 AND subject_id <> $2 AND {_READABLE.format(table="f")} AND status = 'active'
          AND (expires_at IS NULL OR expires_at > $6) AND fact_id > $4 AND fact_id IN (
              SELECT a.fact_id FROM fact_about a WHERE a.guild_id = $1 AND a.user_id = $2 AND a.role = 'named'
          )
        ORDER BY fact_id LIMIT $5
        """,
        scope.guild_id, scope.user_id, scope.audiences, after_id, limit, now,
    )  # fmt: skip
    return rows_as(Fact, rows)


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


async def sources_of(
    connection: Connection, *, guild_id: int, fact_ids: Sequence[int]
) -> Mapping[int, Sequence[ExportedSource]]:
    """Return each time that these facts were said and that still has words, oldest first, by fact."""
    rows = await connection.fetch(
        f"""
        SELECT s.fact_id, {_SOURCE} FROM fact_sources s
        WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) AND content <> ''
        ORDER BY said_at, source_id
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    by_fact: dict[int, list[ExportedSource]] = defaultdict(list)
    for row in rows:
        by_fact[row["fact_id"]].append(_source(dict(row)))
    return by_fact


def _source(row: Mapping[str, object]) -> ExportedSource:
    return ExportedSource.model_validate({name: row[name] for name in ExportedSource.model_fields})


def _statement(row: Mapping[str, object]) -> ExportedStatement:
    told = {name: row[name] for name in ("subject", "audience", "category")}
    return ExportedStatement.model_validate({**told, "source": _source(row)})


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPart:
    """A list in the file, and the rows that it is read from a page at a time."""

    made: Callable[[Mapping[str, object]], ExportedPart]
    query: str
    """Of the member's rows in what they can read; columns `after_1` and on say behind which row the next page begins,
    and are $4 and on there; the last value is the most rows of a page."""
    first: tuple[object, ...] = (0,)
    """Before the first row."""
    is_generated: bool = False
    """Its texts may name others, which is kept from the file if those are private, or nothing is kept of them."""


LISTS: Final[Mapping[str, ListedPart]] = {
    "told": ListedPart(
        made=_statement,
        query=f"""
            SELECT s.source_id AS after_1, {exported_columns("told", "f")}, {_SOURCE} FROM fact_sources s
            JOIN facts f ON f.guild_id = s.guild_id AND f.fact_id = s.fact_id
            WHERE s.guild_id = $1 AND s.author_id = $2 AND f.subject_id <> $2 AND {_READABLE.format(table="f")}
              AND f.status <> 'forgotten' AND s.content <> '' AND s.source_id > $4
            ORDER BY s.source_id LIMIT $5
        """,
    ),
    # A profile is learned from what is open, and is open itself; the newest version comes first.
    "profile": ListedPart(
        made=ExportedProfile.model_validate,
        query=f"""
            SELECT -p.version AS after_1, {exported_columns("profile", "p")} FROM profiles p
            WHERE guild_id = $1 AND user_id = $2 AND ($3::bigint[] IS NULL OR 0 = ANY($3::bigint[]))
              AND -p.version > $4
            ORDER BY p.version DESC LIMIT $5
        """,
        first=(-(2**31) + 1,),
        is_generated=True,
    ),
    # What was told before something of its day was taken back is left out, as it is everywhere.
    "days": ListedPart(
        made=ExportedDay.model_validate,
        query=f"""
            SELECT DISTINCT ON (period, audience, kind)
                   period AS after_1, audience AS after_2, kind AS after_3, {exported_columns("days", "d")}
            FROM distillations d
            WHERE guild_id = $1 AND kind IN ('day', 'mood') AND subject_id = $2 AND {_READABLE.format(table="d")}
              AND content <> '' AND (period, audience, kind) > ($4, $5::bigint, $6)
              AND time_zone = (SELECT g.time_zone FROM guilds g WHERE g.guild_id = $1)
              AND NOT EXISTS (
                  SELECT FROM day_marks m
                  WHERE m.guild_id = $1 AND m.audience = d.audience AND m.day::text = d.period
                    AND m.taken_back > d.sources::bigint
              )
            ORDER BY period, audience, kind, sources::bigint DESC, built_at DESC LIMIT $7
        """,
        first=("", 0, ""),
        is_generated=True,
    ),
    "episodes": ListedPart(
        made=ExportedEpisode.model_validate,
        query=f"""
            SELECT e.episode_id AS after_1, {exported_columns("episodes", "e")} FROM episodes e
            WHERE guild_id = $1 AND {_READABLE.format(table="e")} AND e.episode_id > $4 AND EXISTS (
                SELECT FROM ended_conversations ended
                JOIN chat_history c ON c.guild_id = $1 AND c.message_id = ANY(ended.told_ids) AND c.user_id = $2
                WHERE ended.guild_id = $1 AND ended.episode_id = e.episode_id
            )
            ORDER BY e.episode_id LIMIT $5
        """,
        is_generated=True,
    ),
    "answers": ListedPart(
        made=ExportedAnswer.model_validate,
        query=f"""
            SELECT a.message_id AS after_1, {exported_columns("answers", "a")} FROM answers a
            LEFT JOIN chat_history c ON c.guild_id = a.guild_id AND c.message_id = a.message_id
            WHERE a.guild_id = $1 AND a.user_id = $2 AND {_READABLE.format(table="c")}
              AND a.parts <> '{{}}' AND a.message_id > $4
            ORDER BY a.message_id LIMIT $5
        """,
    ),
    # Also those that lost their text, and those that could not be written into the log yet.
    "messages": ListedPart(
        made=ExportedMessage.model_validate,
        query=f"""
            SELECT timestamp AS after_1, message_id AS after_2, {exported_columns("messages", "c")} FROM (
                SELECT guild_id, channel_id, message_id, user_id, audience, kind, message_text, attachments, timestamp,
                       edited_at, reply_to_id, withheld, from_visitor, forwarded_guild_id, forwarded_message_id
                FROM chat_history
                UNION ALL
                SELECT i.* FROM quarantined_messages q, jsonb_to_record(q.message) AS i {RECORD}
                WHERE q.guild_id = $1 AND q.user_id = $2
                  AND NOT EXISTS (SELECT FROM chat_history h WHERE h.guild_id = $1 AND h.message_id = q.message_id)
            ) c
            WHERE guild_id = $1 AND user_id = $2 AND {_READABLE.format(table="c")}
              AND (timestamp, message_id) > ($4, $5::bigint)
            ORDER BY timestamp, message_id LIMIT $6
        """,
        first=(datetime(1970, 1, 1, tzinfo=UTC), 0),
    ),
}
"""The lists of a file after the memory document, in their order."""


@dataclass(frozen=True, slots=True)
class RowPage:
    """A page of a list, and where it ends."""

    parts: Sequence[ExportedPart]
    last: tuple[object, ...]


async def page_of(
    connection: Connection, scope: ExportScope, part: ListedPart, after: tuple[object, ...], limit: int
) -> RowPage | None:
    """Return the page of a list behind `after`; `None` if there is none."""
    rows = await connection.fetch(part.query, scope.guild_id, scope.user_id, scope.audiences, *after, limit)
    if not rows:
        return None
    made = [
        part.made({name: value for name, value in row.items() if not name.startswith("after_")})
        for row in rows
    ]
    return RowPage(made, tuple(rows[-1][f"after_{number}"] for number in range(1, len(after) + 1)))

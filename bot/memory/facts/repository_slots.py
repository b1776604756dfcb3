"""SQL of slots, in which facts compete, and of sources: one row for each time that a fact was said."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import chain
from typing import Final

from bot.core.domain import EXPLICIT, GUILD_SUBJECT, FactCategory, FactOrigin, FactStatus
from bot.db.pool import Connection
from bot.db.rows import columns_of, records_of, rows_as
from bot.memory.facts.about import about_names, says_a_name
from bot.memory.facts.repository import BuriedFact, NewFact
from bot.memory.facts.repository_narratives import ASK_FOR_NARRATIVES, NARRATIVE_JOB
from bot.memory.members.repository import ASK_TO_BIND, BIND_FACT, BIND_JOB, BIND_MEMBER
from bot.memory.policy.consent import NO_QUESTION, KeepingRules, RulesQuestion, keeping_rules_columns
from bot.memory.policy.repository import TEXT_SEARCH


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


SOURCE_COLUMNS: Final = columns_of(Source)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidFact:
    """A fact that was said once more, or for the first time."""

    fact: NewFact
    fact_id: int
    source_id: int
    is_new: bool
    """Whether no row says so yet, nor another fact that is written with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickedUp:
    """What a message says for a fact."""

    source_id: int
    message_id: int
    line: Slot
    value: str


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


async def drop_sources(connection: Connection, *, guild_id: int, source_ids: Sequence[int]) -> list[int]:
    """Remove these sources, and return the facts, forgotten ones left out, that nobody says any more.

    What one of them had named as wrong is then named so by what named that one, if anything did.
    """
    rows = await connection.fetch(
        """
        WITH gone AS (
            DELETE FROM fact_sources WHERE guild_id = $1 AND source_id = ANY($2::bigint[])
            RETURNING source_id, fact_id, retired_by
        ), named AS (
            UPDATE fact_sources named SET retired_by = gone.retired_by
            FROM gone WHERE named.guild_id = $1 AND named.retired_by = gone.source_id
              AND named.source_id <> ALL($2::bigint[])
        ), noted AS (
            INSERT INTO decisions (guild_id, kind, ids)
            SELECT $1, 'withdrawn', array_agg(source_id ORDER BY source_id) FROM gone HAVING count(*) > 0
        )
        SELECT fact_id FROM facts f
        WHERE guild_id = $1 AND fact_id IN (SELECT fact_id FROM gone) AND status <> 'forgotten' AND NOT EXISTS (
            SELECT FROM fact_sources s
            WHERE s.guild_id = $1 AND s.fact_id = f.fact_id AND s.source_id <> ALL($2::bigint[])
        )
        ORDER BY fact_id
        """,
        guild_id, list(source_ids),
    )  # fmt: skip
    return [row["fact_id"] for row in rows]


async def end_sources(connection: Connection, *, guild_id: int, source_ids: Sequence[int]) -> None:
    """Make these sources not count any more; their words stay."""
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
    """Make these sources not count any more and remove their words; they become those of the fact `into`, if there is
    one.

    The rows stay, so that the same command is recognised when it is heard again.
    """
    await connection.execute(
        """
        UPDATE fact_sources
        SET ended = true, content = '', raw_content = '', holds_on = NULL, fact_id = coalesce($3, fact_id)
        WHERE guild_id = $1 AND source_id = ANY($2::bigint[])
        """,
        guild_id, list(source_ids), into,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeFact:
    """A fact that is about to be forgotten, with every time that it was said."""

    fact: BuriedFact
    said: tuple[Source, ...]
    is_meant: bool
    """Whether it was asked for, and not only superseded by one that was."""


async def with_superseded(
    connection: Connection,
    *,
    guild_id: int,
    fact_ids: Sequence[int],
    unless_asked_since: datetime | None = None,
    held: bool = False,
) -> list[WholeFact]:
    """Return these facts and all that they superseded, however long ago; forgotten ones are left out.

    So are those that somebody asked to have remembered since a moment, be it that the order was read later. What is
    `held` stays as it is until commit; its lines must be held.
    """
    if not fact_ids:
        return []
    rows = await connection.fetch(
        f"""
        WITH RECURSIVE meant AS (
            SELECT fact_id FROM unnest($2::bigint[]) AS asked (fact_id)
            WHERE $3::timestamptz IS NULL OR NOT EXISTS (
                SELECT FROM fact_sources s LEFT JOIN chat_history h ON h.guild_id = s.guild_id
                    AND h.message_id = substring(s.cause FROM '^m:([0-9]+)')::bigint
                WHERE s.guild_id = $1 AND s.fact_id = asked.fact_id AND NOT s.ended
                  AND s.origin IN ('command', 'tool') AND greatest(s.said_at, h.timestamp) > $3
            )
        ), line AS (
            SELECT fact_id FROM meant
            UNION
            SELECT older.fact_id
            FROM line JOIN facts older ON older.guild_id = $1 AND older.superseded_by = line.fact_id
        )
        SELECT {columns_of(BuriedFact, "f")}, fact_id IN (SELECT fact_id FROM meant) AS is_meant, (
            SELECT coalesce(jsonb_agg(to_jsonb(said) ORDER BY source_id), '[]') FROM (
                SELECT {SOURCE_COLUMNS} FROM fact_sources s WHERE s.guild_id = $1 AND s.fact_id = f.fact_id
            ) said
        ) AS said
        FROM facts f
        WHERE guild_id = $1 AND fact_id IN (SELECT fact_id FROM line) AND status <> 'forgotten'
        ORDER BY fact_id {"FOR UPDATE OF f" if held else ""}
        """,
        guild_id, list(fact_ids), unless_asked_since,
    )  # fmt: skip
    return rows_as(WholeFact, rows)


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
    return rows_as(Source, rows)


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
class GoneCause:
    """What a cause said that was taken back or forgotten."""

    subject_id: int
    audience: int
    buried_key: str
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaded:
    """A row of some lines, if there is any, beside what there is but once."""

    row: SlotRow | None
    retirers: tuple[Source, ...]
    """Sources of other lines that named one of these lines' as wrong, and so on."""
    gone: frozenset[GoneCause]
    time_zone: str
    fact_ids: tuple[int, ...]
    source_ids: tuple[int, ...]
    rules: KeepingRules


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

    guild_id: int
    rows: Sequence[SlotRow]
    sources: Mapping[int, Source]
    """Their sources, and those of other lines that named one of these as wrong, and so on, by their ids."""
    gone: frozenset[GoneCause]
    """What was taken back or forgotten under the keys that were asked about."""
    time_zone: str
    lines: frozenset[Slot]
    spare_ids: Sequence[tuple[int, int]]
    """Ids of rows and sources that may be written."""
    rules: KeepingRules
    """What forbids to keep that which was asked about."""
    said: Sequence[SaidFact] = ()
    """What stands in `rows` and `sources` already, and is to be written with what is decided."""


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
    return set(rows_as(Slot, rows))


async def hold_slots(connection: Connection, *, guild_id: int, lines: Iterable[Slot]) -> set[Slot]:
    """Hold these lines of one guild until commit, with all that a change of them may bring back; return them all."""
    columns = _columns(lines)
    if not columns[0]:
        return set()
    rows = await connection.fetch(
        "SELECT $1::bigint AS guild_id, * FROM hold_slots($1, $2::bigint[], $3::bigint[], $4::text[])",
        guild_id, *columns,
    )  # fmt: skip
    return set(rows_as(Slot, rows))


async def hold_said(
    connection: Connection, *, guild_id: int, message_ids: Sequence[int], lines: Iterable[Slot]
) -> tuple[frozenset[int], set[Slot]]:
    """Hold lines as `hold_slots` does, and before them the messages that say what is to be written in them.

    Returns also which of the messages are withheld; the others are not until commit.
    """
    rows = await connection.fetch(
        """
        WITH said AS MATERIALIZED (
            SELECT message_id, withheld FROM chat_history
            WHERE guild_id = $1 AND message_id = ANY($5::bigint[]) ORDER BY message_id FOR SHARE
        )
        SELECT once.*, held.* FROM (
            SELECT $1::bigint AS guild_id,
                   coalesce(array_agg(message_id) FILTER (WHERE withheld IS NOT NULL), '{}') AS withheld_ids
            FROM said
        ) once CROSS JOIN LATERAL hold_slots(once.guild_id, $2::bigint[], $3::bigint[], $4::text[]) AS held
        """,
        guild_id, *_columns(lines), message_ids,
    )  # fmt: skip
    return frozenset(rows[0]["withheld_ids"]), set(rows_as(Slot, rows))


async def hold_slots_of_facts(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> set[Slot]:
    """Hold the lines of these facts as `hold_slots` does, but for those of forgotten ones."""
    rows = await connection.fetch(
        """
        SELECT $1::bigint AS guild_id, held.* FROM (
            SELECT array_agg(subject_id) AS subject_ids, array_agg(audience) AS audiences, array_agg(key) AS keys
            FROM (
                SELECT DISTINCT subject_id, audience, key FROM facts
                WHERE guild_id = $1 AND fact_id = ANY($2::bigint[]) AND status <> 'forgotten'
            ) line
        ) lines, hold_slots($1, subject_ids, audiences, keys) AS held
        """,
        guild_id, list(fact_ids),
    )  # fmt: skip
    return set(rows_as(Slot, rows))


async def load_slots(
    connection: Connection,
    *,
    guild_id: int,
    lines: Iterable[Slot],
    buried_keys: Sequence[str] = (),
    ruled_by: RulesQuestion = NO_QUESTION,
) -> Slots:
    """Return the rows of these lines that are not forgotten, with their sources.

    With what was taken back or forgotten under `buried_keys`, those of the facts that are to be written: the same
    command heard again, by a backfill or a repeated event, must not bring it back. And with what forbids to keep what
    is asked about.
    """
    lines = frozenset(lines)
    rows = await connection.fetch(_LOAD, guild_id, *_columns(lines), buried_keys, *ruled_by.values)
    loaded = rows_as(_Loaded, rows)
    found = [one.row for one in loaded if one.row is not None]
    once = loaded[0]
    sources = chain(once.retirers, *(row.sources for row in found))
    return Slots(
        guild_id=guild_id,
        rows=found,
        sources={source.source_id: source for source in sources},
        gone=once.gone,
        time_zone=once.time_zone,
        lines=lines,
        spare_ids=list(zip(once.fact_ids, once.source_ids, strict=True)),
        rules=once.rules,
    )


async def write_slots(
    connection: Connection,
    said: Sequence[SaidFact],
    standings: Sequence[RowState],
    *,
    guild_id: int,
    retold: Iterable[tuple[int, int]],
    now: datetime,
) -> None:
    """Write what was said, and let rows stand as decided, of which each new one has its state in `standings`.

    The narratives of `retold`, each a subject in an audience, are asked for.
    """
    if said or standings:
        keys = [f"{subject_id}:{audience}" for subject_id, audience in sorted(retold)]
        named = [about_names(one.fact.names, is_subject=one.fact.subject_id == GUILD_SUBJECT) for one in said]
        bound = [f"{BIND_FACT}{one.fact_id}" for one in said if one.fact.names]
        bound += [f"{BIND_MEMBER}{one.fact.subject_id}" for one in said if says_a_name(one.fact.key)]
        await connection.execute(
            _WRITE, guild_id, records_of(standings), now, NARRATIVE_JOB, keys, records_of(said, names=named),
            BIND_JOB, sorted(set(bound)),
        )  # fmt: skip


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


# What somebody else keeps in this table without sources has no part in this.
_LOAD = f"""
WITH RECURSIVE competing AS MATERIALIZED (
    SELECT f.guild_id AS line_guild_id, f.subject_id AS line_subject_id, f.audience AS line_audience,
           f.key AS line_key, f.fact_id, f.value, f.status, f.supersedes, f.superseded_by, f.tentative,
           f.confirmed_at, f.origin, f.importance, f.confidence, f.expires_at, f.cause
    FROM facts f JOIN {_SLOTS} USING (subject_id, audience, key)
    WHERE f.guild_id = $1 AND f.status <> 'forgotten'
), reached AS (
    SELECT source_id, retired_by FROM fact_sources
    WHERE guild_id = $1 AND fact_id IN (SELECT fact_id FROM competing)
    UNION
    SELECT naming.source_id, naming.retired_by
    FROM reached JOIN fact_sources naming ON naming.guild_id = $1 AND naming.source_id = reached.retired_by
), said AS MATERIALIZED (
    SELECT {SOURCE_COLUMNS} FROM fact_sources
    WHERE guild_id = $1 AND source_id IN (SELECT source_id FROM reached)
), own AS (
    SELECT fact_id, jsonb_agg(to_jsonb(said) ORDER BY source_id) AS sources FROM said GROUP BY fact_id
), gone AS (
    SELECT f.subject_id, f.audience, f.key AS buried_key, s.cause
    FROM facts f CROSS JOIN LATERAL (
        SELECT f.cause
        UNION
        SELECT said.cause FROM fact_sources said WHERE said.guild_id = $1 AND said.fact_id = f.fact_id
    ) s
    WHERE f.guild_id = $1 AND f.key = ANY($5::text[]) AND f.status = 'forgotten'
)
SELECT {columns_of(SlotRow, "competing", into="row", sources="own.sources")}, once.* FROM (
    SELECT (SELECT coalesce(jsonb_agg(to_jsonb(said)), '[]') FROM said
            WHERE fact_id NOT IN (SELECT fact_id FROM competing)) AS retirers,
           (SELECT coalesce(jsonb_agg(to_jsonb(gone)), '[]') FROM gone) AS gone,
           coalesce((SELECT time_zone FROM guilds WHERE guild_id = $1), 'UTC') AS time_zone,
           ARRAY(SELECT nextval(pg_get_serial_sequence('facts', 'fact_id')) FROM unnest($5::text[])) AS fact_ids,
           ARRAY(SELECT nextval(pg_get_serial_sequence('fact_sources', 'source_id')) FROM unnest($5::text[]))
               AS source_ids,
           {columns_of(KeepingRules, "rules", into="rules")}
    FROM (SELECT {keeping_rules_columns(first=6)}) rules
) once LEFT JOIN (competing JOIN own USING (fact_id)) ON true
ORDER BY competing.fact_id
"""


_STANDS = """
    status = i.status, supersedes = i.supersedes, superseded_by = i.superseded_by, tentative = i.tentative,
    importance = i.importance, confidence = i.confidence, expires_at = i.expires_at, origin = i.origin,
    category = i.category, content = i.content, raw_content = i.raw_content, author_id = i.author_id,
    source_channel_id = i.channel_id, source_message_id = i.message_id, cause = i.cause, said_at = i.said_at,
    holds_on = i.holds_on, updated_at = $3,
    lexemes = CASE WHEN facts.content = i.content THEN facts.lexemes
        ELSE lexemes_of((SELECT text_search FROM searched), i.content) END
"""

# A key holds one at a time: what holds no more is written before what holds now.
_WRITE = f"""
WITH asked AS ({ASK_FOR_NARRATIVES.format(guild="$1", kind="$4", keys="$5")}),
binding AS ({ASK_TO_BIND.format(guild="$1", kind="$7", key="one", wanted="unnest($8::text[]) AS one")}),
searched AS (SELECT {TEXT_SEARCH} AS text_search),
said AS MATERIALIZED (
    SELECT (one ->> 'source_id')::bigint AS said_id, (one ->> 'fact_id')::bigint AS in_id,
           (one ->> 'is_new')::boolean AS is_new, fact.*
    FROM jsonb_array_elements($6::jsonb) AS one
    CROSS JOIN LATERAL jsonb_populate_record(NULL::facts, one -> 'fact') AS fact
), added AS (
    INSERT INTO fact_sources (source_id, guild_id, fact_id, origin, author_id, channel_id, message_id, cause, said_at,
                              category, content, raw_content, importance, confidence, holds_on, expires_at)
    OVERRIDING SYSTEM VALUE
    SELECT said_id, $1, in_id, origin, author_id, source_channel_id, source_message_id, cause, said_at,
           category, content, raw_content, importance, confidence, holds_on, expires_at
    FROM said
), named AS (
    -- Whom else a fact is about is noted by triggers.
    INSERT INTO fact_about (guild_id, fact_id, role, user_id, name)
    SELECT DISTINCT $1, (one ->> 'fact_id')::bigint, about.role, 0, about.name
    FROM jsonb_array_elements($6::jsonb) AS one
    CROSS JOIN LATERAL jsonb_to_recordset(one -> 'names') AS about (role text, name text)
    ON CONFLICT DO NOTHING
), decided AS MATERIALIZED (
    SELECT i.*, shown.origin, shown.category, shown.content, shown.raw_content, shown.author_id, shown.channel_id,
           shown.message_id, shown.cause, shown.said_at, shown.holds_on
    FROM jsonb_to_recordset($2::jsonb) AS i (
        fact_id bigint, status text, supersedes bigint, superseded_by bigint, tentative boolean, importance smallint,
        confidence real, expires_at timestamptz, shown jsonb
    ) CROSS JOIN LATERAL jsonb_populate_record(NULL::fact_sources, i.shown) AS shown
), resting AS (
    UPDATE facts SET {_STANDS} FROM decided i
    WHERE facts.guild_id = $1 AND facts.fact_id = i.fact_id AND i.status <> 'active'
    RETURNING facts.fact_id
), made AS (
    INSERT INTO facts (
        fact_id, guild_id, subject_id, audience, key, value, status, supersedes, superseded_by, tentative, importance,
        confidence, expires_at, origin, category, content, raw_content, author_id, source_channel_id,
        source_message_id, cause, said_at, holds_on, updated_at, lexemes
    ) OVERRIDING SYSTEM VALUE
    SELECT i.fact_id, $1, said.subject_id, said.audience, said.key, said.value, i.status, i.supersedes,
           i.superseded_by, i.tentative, i.importance, i.confidence, i.expires_at, i.origin, i.category, i.content,
           i.raw_content, i.author_id, i.channel_id, i.message_id, i.cause, i.said_at, i.holds_on, $3,
           lexemes_of((SELECT text_search FROM searched), i.content)
    FROM said JOIN decided i ON i.fact_id = said.in_id
    WHERE said.is_new AND (SELECT count(*) FROM resting) >= 0
)
UPDATE facts SET {_STANDS} FROM decided i
WHERE facts.guild_id = $1 AND facts.fact_id = i.fact_id AND i.status = 'active'
  AND (SELECT count(*) FROM resting) >= 0
"""


def _columns(lines: Iterable[Slot]) -> tuple[list[int], list[int], list[str]]:
    ordered = sorted(lines)
    return (
        [line.subject_id for line in ordered],
        [line.audience for line in ordered],
        [line.key for line in ordered],
    )

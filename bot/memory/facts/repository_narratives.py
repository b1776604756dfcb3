"""SQL of narratives, `user_facts`: the explicit facts of one subject as one text, built in the background,
with the version of the facts that it tells.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.db.pool import Connection
from bot.db.rows import row_as
from bot.memory.policy.repository import tells_of_present


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrative:
    """A narrative and the version of the facts that it tells."""

    memory_blob: str
    facts_version: str
    degraded: bool


async def save_narrative(
    connection: Connection,
    narrative: Narrative,
    *,
    guild_id: int,
    subject_id: int,
    audience: int,
    now: datetime,
) -> None:
    """Put `narrative` in place of the one before."""
    await connection.execute(
        """
        INSERT INTO user_facts (guild_id, user_id, audience, memory_blob, facts_version, degraded, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (guild_id, user_id, audience) DO UPDATE SET
            memory_blob = excluded.memory_blob, facts_version = excluded.facts_version,
            degraded = excluded.degraded, updated_at = excluded.updated_at
        """,
        guild_id, subject_id, audience, narrative.memory_blob, narrative.facts_version, narrative.degraded, now,
    )  # fmt: skip


async def drop_narrative(connection: Connection, *, guild_id: int, subject_id: int, audience: int) -> None:
    """Remove the narrative of one subject: what it tells has been forgotten."""
    await connection.execute(
        "DELETE FROM user_facts WHERE guild_id = $1 AND user_id = $2 AND audience = $3",
        guild_id, subject_id, audience,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsVersion:
    """What changes whenever the facts about a subject in an audience, or their narrative, do."""

    subject_id: int
    audience: int
    version: str
    expires_at: datetime | None
    """When the first of these facts holds no more."""


FACTS_VERSIONS: Final = f"""
    SELECT f.subject_id, f.audience,
           md5(string_agg(
               concat_ws(' ', f.fact_id, f.tentative, f.importance, f.said_at), ',' ORDER BY f.fact_id
           )) || coalesce(u.updated_at::text, '') AS version,
           min(f.expires_at) AS expires_at
    FROM facts f
    LEFT JOIN user_facts u
        ON u.guild_id = f.guild_id AND u.user_id = f.subject_id AND u.audience = f.audience
    WHERE f.guild_id = $1 AND f.audience = ANY($2::bigint[]) AND f.subject_id = ANY($3::bigint[])
      AND f.status = 'active' AND (f.expires_at IS NULL OR f.expires_at > $4)
      AND {tells_of_present("f.subject_id", "f.content")}
    GROUP BY f.subject_id, f.audience, u.updated_at
"""
"""Gives each `FactsVersion` of the guild $1, the audiences $2 and the subjects $3 of what holds at $4.

A subject of whom nothing is known, or kept, has none.
"""


async def narratives_of(
    connection: Connection, *, guild_id: int, audience: int, subject_ids: Sequence[int]
) -> dict[int, Narrative]:
    """Return the narratives of these subjects in one audience, whatever version of the facts they tell."""
    rows = await connection.fetch(
        """
        SELECT user_id, memory_blob, facts_version, degraded FROM user_facts
        WHERE guild_id = $1 AND audience = $2 AND user_id = ANY($3::bigint[])
        """,
        guild_id, audience, list(subject_ids),
    )  # fmt: skip
    return {row["user_id"]: row_as(Narrative, row) for row in rows}


NARRATIVE_JOB: Final = "narrative"
"""The kind of background work that builds narratives; its key is `<subject>:<audience>`."""

ASK_FOR_NARRATIVES: Final = """
    INSERT INTO work AS known (guild_id, kind, work_key, due_at)
    SELECT {guild}, {kind}, work_key, clock_timestamp() FROM unnest({keys}::text[]) AS work_key ORDER BY work_key
    ON CONFLICT (guild_id, kind, work_key) DO UPDATE SET
        wanted = known.wanted + 1, attempts = 0, due_at = excluded.due_at
"""
"""Part of a statement that changes facts: asks for the narratives with these keys."""


async def tell_anew(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> None:
    """Remove the narratives that contain these facts, and request new ones from what is left."""
    asked = ASK_FOR_NARRATIVES.format(
        guild="$1", kind="$3", keys="ARRAY(SELECT subject_id || ':' || audience FROM told)"
    )
    await connection.execute(
        f"""
        WITH told AS (
            SELECT DISTINCT subject_id, audience FROM facts WHERE guild_id = $1 AND fact_id = ANY($2::bigint[])
        ), gone AS (
            DELETE FROM user_facts
            WHERE guild_id = $1 AND (user_id, audience) IN (SELECT subject_id, audience FROM told)
        ) {asked}
        """,
        guild_id, list(fact_ids), NARRATIVE_JOB,
    )  # fmt: skip


async def ask_for_narratives(
    connection: Connection, *, guild_id: int, wanted: Collection[tuple[int, int]]
) -> None:
    """Ask for narratives, each by subject and audience, in the transaction that changes what they tell."""
    await connection.execute(
        ASK_FOR_NARRATIVES.format(guild="$1", kind="$2", keys="$3"),
        guild_id, NARRATIVE_JOB, sorted({f"{subject_id}:{audience}" for subject_id, audience in wanted}),
    )  # fmt: skip

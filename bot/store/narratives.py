"""`user_facts`: the explicit facts of one subject as one narrative; built behind, never the truth."""

from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrative:
    """A narrative and the version of the facts that it tells."""

    memory_blob: str
    facts_version: str
    degraded: bool


async def save(
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


async def drop(connection: Connection, *, guild_id: int, subject_id: int, audience: int) -> None:
    """Remove the narrative of one subject: what it tells has been forgotten."""
    await connection.execute(
        "DELETE FROM user_facts WHERE guild_id = $1 AND user_id = $2 AND audience = $3",
        guild_id, subject_id, audience,
    )  # fmt: skip


async def drop_of(connection: Connection, *, guild_id: int, subject_id: int) -> None:
    """Remove the narratives of one subject in every audience."""
    await connection.execute(
        "DELETE FROM user_facts WHERE guild_id = $1 AND user_id = $2", guild_id, subject_id
    )


async def of_subject(
    connection: Connection, *, guild_id: int, subject_id: int, audience: int
) -> Narrative | None:
    """Return the narrative of one subject in one audience, whatever version of the facts it tells."""
    row = await connection.fetchrow(
        """
        SELECT memory_blob, facts_version, degraded FROM user_facts
        WHERE guild_id = $1 AND user_id = $2 AND audience = $3
        """,
        guild_id, subject_id, audience,
    )  # fmt: skip
    if row is None:
        return None
    return Narrative(
        memory_blob=row["memory_blob"], facts_version=row["facts_version"], degraded=row["degraded"]
    )

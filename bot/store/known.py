"""What is known of many members at once: first only whether it has changed, then its text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Connection
from bot.store.narratives import Narrative
from bot.store.presence import tells_of_present


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What changes whenever the facts about a subject in an audience, or their narrative, do."""

    subject_id: int
    audience: int
    version: str
    expires_at: datetime | None
    """When the first of these facts holds no more."""


async def versions(
    connection: Connection,
    *,
    guild_id: int,
    audiences: Sequence[int],
    subject_ids: Sequence[int],
    now: datetime,
) -> list[Version]:
    """Return the versions of what holds at `now`; a subject of whom nothing is known, or kept, has none."""
    rows = await connection.fetch(
        f"""
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
        """,
        guild_id, list(audiences), list(subject_ids), now,
    )  # fmt: skip
    return [
        Version(
            subject_id=row["subject_id"],
            audience=row["audience"],
            version=row["version"],
            expires_at=row["expires_at"],
        )
        for row in rows
    ]


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
    return {
        row["user_id"]: Narrative(
            memory_blob=row["memory_blob"], facts_version=row["facts_version"], degraded=row["degraded"]
        )
        for row in rows
    }

"""What a member said against what they had asked to be remembered."""

from collections.abc import Sequence
from datetime import datetime

from bot.store.database import Connection
from bot.store.presence import of_present


async def open_of(
    connection: Connection,
    *,
    guild_id: int,
    subject_id: int,
    audiences: Sequence[int],
    explicit: Sequence[str],
    now: datetime,
) -> tuple[int, int] | None:
    """Return the active fact of `explicit` origin and the learned one under the same key that was said after it.

    Both in the subject's own words. What they were asked about since it was last said is left out.
    """
    row = await connection.fetchrow(
        f"""
        WITH said AS (
            SELECT f.fact_id, f.audience, f.key, f.status, f.asked_at, s.said_at, s.message_id,
                   s.origin = ANY($4::text[]) AS explicit
            FROM facts f
            JOIN fact_sources s ON s.guild_id = f.guild_id AND s.fact_id = f.fact_id
            WHERE f.guild_id = $1 AND f.subject_id = $2 AND f.audience = ANY($3::bigint[])
              AND f.status IN ('active', 'superseded') AND s.author_id = f.subject_id AND NOT s.ended
              AND s.retired_by IS NULL AND (s.expires_at IS NULL OR s.expires_at > $5)
              AND {of_present("$2")}
        ), newest AS (
            SELECT fact_id, audience, key, status, asked_at, max(said_at) AS said_at, max(message_id) AS message_id,
                   bool_or(explicit) AS explicit
            FROM said GROUP BY fact_id, audience, key, status, asked_at
        )
        SELECT commanded.fact_id AS commanded_id, learned.fact_id AS said_id
        FROM newest commanded JOIN newest learned USING (audience, key)
        WHERE commanded.status = 'active' AND commanded.explicit AND learned.status = 'superseded'
          AND NOT learned.explicit AND learned.said_at > commanded.said_at
          AND (learned.asked_at IS NULL OR learned.asked_at < learned.said_at)
        ORDER BY learned.said_at DESC, learned.fact_id DESC LIMIT 1
        """,
        guild_id, subject_id, list(audiences), list(explicit), now,
    )  # fmt: skip
    return None if row is None else (row["commanded_id"], row["said_id"])

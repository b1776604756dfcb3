"""Which facts somebody asked to have remembered, and when."""

from collections.abc import Sequence
from datetime import datetime

from bot.store.database import Connection


async def asked_for_since(
    connection: Connection, *, guild_id: int, fact_ids: Sequence[int], since: datetime
) -> set[int]:
    """Return those of these facts that somebody asked `since` this moment to have remembered."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT s.fact_id
        FROM fact_sources s LEFT JOIN chat_history h ON h.guild_id = s.guild_id
            AND h.message_id = CASE WHEN s.cause LIKE 'm:%' THEN split_part(s.cause, ':', 2)::bigint END
        WHERE s.guild_id = $1 AND s.fact_id = ANY($2::bigint[]) AND NOT s.ended
          AND s.origin IN ('command', 'tool') AND greatest(s.said_at, h.timestamp) > $3
        """,
        guild_id, list(fact_ids), since,
    )  # fmt: skip
    return {row["fact_id"] for row in rows}

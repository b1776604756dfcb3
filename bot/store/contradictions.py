"""What one fact took the place of because it contradicts it; a key has nothing to do with it here."""

from datetime import datetime

from bot.store.database import Connection


async def supersede(
    connection: Connection, *, guild_id: int, fact_id: int, by_id: int, now: datetime
) -> bool:
    """Let the active fact `fact_id` be superseded by `by_id`; returns whether that was done.

    Both must be active, of one subject and one audience. Since a fact may contradict several, the older ones
    point to it: forgetting it takes them along, and taking it back revives them all.
    """
    superseded = await connection.fetchval(
        """
        UPDATE facts SET status = 'superseded', superseded_by = $3, updated_at = $4
        WHERE guild_id = $1 AND fact_id = $2 AND status = 'active' AND fact_id <> $3 AND EXISTS (
            SELECT 1 FROM facts newer
            WHERE newer.guild_id = $1 AND newer.fact_id = $3 AND newer.status = 'active'
              AND newer.subject_id = facts.subject_id AND newer.audience = facts.audience
        )
        RETURNING true
        """,
        guild_id, fact_id, by_id, now,
    )  # fmt: skip
    if superseded is None:
        return False
    await connection.execute(
        "UPDATE facts SET supersedes = coalesce(supersedes, $2) WHERE guild_id = $1 AND fact_id = $3",
        guild_id, fact_id, by_id,
    )  # fmt: skip
    return True

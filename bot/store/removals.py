"""What was removed about others and is still to be noted in a guild's log channel: ids and counts, never a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one command removed that was about one member, or by them."""

    guild_id: int
    cause: str
    by_id: int
    about_id: int
    facts: int
    """That were about the member."""
    messages: int
    """That the member wrote."""
    removed_at: datetime


async def note(
    connection: Connection,
    *,
    guild_id: int,
    cause: str,
    by_id: int,
    fact_ids: Sequence[int],
    message_ids: Sequence[int],
    at: datetime,
) -> bool:
    """Note, before they are removed, how many of these facts and messages are about or by others than `by_id`.

    Tells whether there is anything to post: nothing is kept where the guild has no log channel.
    """
    noted = await connection.fetch(
        """
        WITH gone AS (
            SELECT subject_id AS about_id, 1 AS facts, 0 AS messages FROM facts
            WHERE guild_id = $1 AND fact_id = ANY($4::bigint[]) AND status = 'active' AND subject_id NOT IN (0, $3)
            UNION ALL
            SELECT user_id, 0, 1 FROM chat_history
            WHERE guild_id = $1 AND message_id = ANY($5::bigint[]) AND withheld IS NULL
              AND kind = 'member' AND user_id NOT IN (0, $3)
        )
        INSERT INTO removals (guild_id, cause, about_id, by_id, facts, messages, removed_at)
        SELECT $1, $2, about_id, $3, sum(facts), sum(messages), $6 FROM gone
        WHERE EXISTS (SELECT FROM guilds WHERE guild_id = $1 AND rights ->> 'log_channel' IS NOT NULL)
        GROUP BY about_id
        ON CONFLICT (guild_id, cause, about_id) DO UPDATE
            SET facts = removals.facts + excluded.facts, messages = removals.messages + excluded.messages
        RETURNING true
        """,
        guild_id, cause, by_id, list(fact_ids), list(message_ids), at,
    )  # fmt: skip
    return bool(noted)


async def waiting(connection: Connection, *, guild_id: int) -> list[Share]:
    """Return what is still to be noted in a guild, by command, the oldest first."""
    rows = await connection.fetch(
        """
        SELECT guild_id, cause, by_id, about_id, facts, messages, removed_at FROM removals
        WHERE guild_id = $1 ORDER BY min(removed_at) OVER (PARTITION BY cause), cause, facts = 0, about_id
        """,
        guild_id,
    )
    return [Share(**row) for row in rows]


async def guilds_waiting(connection: Connection) -> list[int]:
    """Return the guilds in which something is still to be noted."""
    rows = await connection.fetch("SELECT DISTINCT guild_id FROM removals ORDER BY guild_id")
    return [row["guild_id"] for row in rows]


async def posted(connection: Connection, share: Share) -> None:
    """Keep nothing of what was noted, or has nowhere to be noted; what came to it meanwhile stays."""
    gone = await connection.fetchval(
        """
        DELETE FROM removals
        WHERE guild_id = $1 AND cause = $2 AND about_id = $3 AND facts = $4 AND messages = $5 RETURNING true
        """,
        share.guild_id, share.cause, share.about_id, share.facts, share.messages,
    )  # fmt: skip
    if not gone:
        await connection.execute(
            """
            UPDATE removals SET facts = facts - $4, messages = messages - $5
            WHERE guild_id = $1 AND cause = $2 AND about_id = $3
            """,
            share.guild_id, share.cause, share.about_id, share.facts, share.messages,
        )  # fmt: skip

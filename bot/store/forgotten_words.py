"""Messages that are forgotten as a set: whose, of which channel, since when; found a batch at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.store.database import Connection

_SAID: Final = """guild_id = $1 AND kind <> 'system' AND audience = ANY($2::bigint[])
    AND ($3::bigint IS NULL OR user_id = $3) AND ($4::bigint IS NULL OR channel_id = $4)
    AND ($5::timestamptz IS NULL OR timestamp >= $5) AND message_id <= $6"""
_MEANT: Final = f"{_SAID} AND withheld IS NULL"
_OWN: Final = """({own}::bigint IS NULL OR facts.subject_id = {own}
    OR (facts.author_id = {own} AND (facts.subject_id = 0 OR NOT {spares}::boolean)))"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Which messages are meant."""

    audiences: Sequence[int]
    author_id: int | None
    """`None`: whoever wrote them."""
    channel_id: int | None
    """`None`: wherever they stand."""
    since: datetime | None
    up_to_id: int
    """Not what was said after it was asked for."""
    spares_others: bool = False
    """What the author told about others stays known."""


async def count(connection: Connection, *, guild_id: int, words: Words) -> int:
    """Return how many messages with a text are meant."""
    found: int = await connection.fetchval(
        f"SELECT count(*) FROM chat_history WHERE {_MEANT}",
        guild_id, list(words.audiences), words.author_id, words.channel_id, words.since, words.up_to_id,
    )  # fmt: skip
    return found


async def some(connection: Connection, *, guild_id: int, words: Words, limit: int) -> list[int]:
    """Return the newest `limit` messages that are meant and have a text."""
    rows = await connection.fetch(
        f"SELECT message_id FROM chat_history WHERE {_MEANT} ORDER BY message_id DESC LIMIT $7",
        guild_id, list(words.audiences), words.author_id, words.channel_id, words.since, words.up_to_id, limit,
    )  # fmt: skip
    return [row["message_id"] for row in rows]


async def facts_resting(connection: Connection, *, guild_id: int, words: Words, limit: int) -> list[int]:
    """Return at most `limit` facts that nothing says any more but messages that are meant, or commands in them.

    With an author only those that they told, unless they spare others, or that are about them.
    """
    rows = await connection.fetch(
        f"""
        WITH meant AS MATERIALIZED (SELECT message_id FROM chat_history WHERE {_SAID})
        SELECT facts.fact_id
        FROM facts JOIN fact_sources s ON s.guild_id = $1 AND s.fact_id = facts.fact_id AND NOT s.ended
        WHERE facts.guild_id = $1 AND facts.status <> 'forgotten' AND {_OWN.format(own="$3", spares="$7")}
        GROUP BY facts.fact_id
        HAVING bool_and(s.message_id IN (SELECT message_id FROM meant) OR (
            s.cause LIKE 'm:%' AND split_part(s.cause, ':', 2)::bigint IN (SELECT message_id FROM meant)
        ))
        ORDER BY facts.fact_id LIMIT $8
        """,
        guild_id, list(words.audiences), words.author_id, words.channel_id, words.since, words.up_to_id,
        words.spares_others, limit,
    )  # fmt: skip
    return [row["fact_id"] for row in rows]

"""What is being answered and what was: one claim per message, written before anything is sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.store.database import Connection, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer as it is kept."""

    guild_id: int
    message_id: int
    """The message that is answered."""
    channel_id: int
    user_id: int
    route: str
    state: str
    fact_ids: tuple[int, ...]
    """The facts that it wrote."""
    memory_ids: tuple[int, ...]
    """The facts that it told."""
    question: str | None
    """What the bot asked back, as JSON, until it is settled."""
    answered_at: datetime


def _answer(row: Row) -> Answer:
    return Answer(
        guild_id=row["guild_id"],
        message_id=row["message_id"],
        channel_id=row["channel_id"],
        user_id=row["user_id"],
        route=row["route"],
        state=row["state"],
        fact_ids=tuple(row["fact_ids"]),
        memory_ids=tuple(row["memory_ids"]),
        question=row["question"],
        answered_at=row["answered_at"],
    )


_COLUMNS = "guild_id, message_id, channel_id, user_id, route, state, fact_ids, memory_ids, question::text, answered_at"


async def claim(
    connection: Connection,
    *,
    guild_id: int,
    message_id: int,
    channel_id: int,
    user_id: int,
    lease: timedelta,
    now: datetime,
) -> bool:
    """Claim the answer to a message; `False` if somebody answers or has answered it.

    A claim whose `lease` has run out in real time, since its holder died, may be taken over.
    """
    won = await connection.fetchval(
        """
        INSERT INTO answers AS known
            (guild_id, message_id, channel_id, user_id, route, state, leased_until, answered_at)
        VALUES ($1, $2, $3, $4, 'none', 'claimed', clock_timestamp() + $5, $6)
        ON CONFLICT (guild_id, message_id) DO UPDATE SET leased_until = excluded.leased_until
        WHERE known.state = 'claimed' AND known.leased_until < clock_timestamp()
        RETURNING true
        """,
        guild_id, message_id, channel_id, user_id, lease, now,
    )  # fmt: skip
    return bool(won)


async def write(
    connection: Connection,
    *,
    guild_id: int,
    message_id: int,
    route: str,
    parts: Sequence[str],
    fact_ids: Sequence[int],
    memory_ids: Sequence[int],
    question: str | None,
    degraded: bool,
) -> None:
    """Write down what will be sent in answer to a message; without `parts` it stays silent.

    `fact_ids` are the facts that it wrote, `memory_ids` those that it tells.
    """
    await connection.execute(
        """
        UPDATE answers
        SET route = $3, parts = $4, fact_ids = $5, memory_ids = $6, question = $7::text::jsonb, degraded = $8,
            state = CASE WHEN cardinality($4::text[]) > 0 THEN 'written' ELSE 'silent' END
        WHERE guild_id = $1 AND message_id = $2
        """,
        guild_id, message_id, route, list(parts), list(fact_ids), list(memory_ids), question, degraded,
    )  # fmt: skip


async def sent(connection: Connection, *, guild_id: int, message_id: int, sent_ids: Sequence[int]) -> None:
    """Note under which ids the answer to a message was sent."""
    await connection.execute(
        "UPDATE answers SET state = 'sent', sent_ids = $3 WHERE guild_id = $1 AND message_id = $2",
        guild_id, message_id, list(sent_ids),
    )  # fmt: skip


async def wipe_that_told(
    connection: Connection, *, guild_id: int, fact_ids: Sequence[int], message_ids: Sequence[int]
) -> list[int]:
    """Take the text from the answers that wrote or told these facts, or answered one of these messages.

    Returns the ids under which they were sent, and of the commands that said the facts.
    """
    rows = await connection.fetch(
        """
        UPDATE answers SET parts = '{}', question = NULL
        WHERE guild_id = $1
          AND (fact_ids && $2::bigint[] OR memory_ids && $2::bigint[] OR message_id = ANY($3::bigint[]))
        RETURNING sent_ids || CASE WHEN route IN ('remember', 'correct') THEN ARRAY[message_id] END AS message_ids
        """,
        guild_id, list(fact_ids), list(message_ids),
    )  # fmt: skip
    return [message_id for row in rows for message_id in row["message_ids"]]


async def settle(connection: Connection, *, guild_id: int, message_id: int) -> bool:
    """Take down the question that the bot asked back; `False` if it was settled already."""
    settled = await connection.fetchval(
        """
        UPDATE answers SET question = NULL
        WHERE guild_id = $1 AND message_id = $2 AND question IS NOT NULL RETURNING true
        """,
        guild_id, message_id,
    )  # fmt: skip
    return bool(settled)


async def open_question(
    connection: Connection, *, guild_id: int, channel_id: int, user_id: int, since: datetime
) -> Answer | None:
    """Return the newest answer since `since` that asks this member back in this channel, if still open."""
    row = await connection.fetchrow(
        f"""
        SELECT {_COLUMNS} FROM answers
        WHERE guild_id = $1 AND channel_id = $2 AND user_id = $3 AND answered_at >= $4
          AND question IS NOT NULL
        ORDER BY answered_at DESC, message_id DESC LIMIT 1
        """,
        guild_id, channel_id, user_id, since,
    )  # fmt: skip
    return _answer(row) if row else None


async def to_message(connection: Connection, *, guild_id: int, message_id: int) -> Answer | None:
    """Return the answer to a message."""
    row = await connection.fetchrow(
        f"SELECT {_COLUMNS} FROM answers WHERE guild_id = $1 AND message_id = $2", guild_id, message_id
    )
    return _answer(row) if row else None


async def last_write(
    connection: Connection, *, guild_id: int, channel_id: int, user_id: int, since: datetime
) -> Answer | None:
    """Return the newest answer since `since` by which this member wrote facts in this channel."""
    row = await connection.fetchrow(
        f"""
        SELECT {_COLUMNS} FROM answers
        WHERE guild_id = $1 AND channel_id = $2 AND user_id = $3 AND answered_at >= $4
          AND cardinality(fact_ids) > 0
        ORDER BY answered_at DESC, message_id DESC LIMIT 1
        """,
        guild_id, channel_id, user_id, since,
    )  # fmt: skip
    return _answer(row) if row else None


async def said_route_since(
    connection: Connection, *, guild_id: int, channel_id: int, route: str, since: datetime
) -> bool:
    """Tell whether an answer of this route was given in a channel since `since`."""
    said: bool = await connection.fetchval(
        """
        SELECT EXISTS (
            SELECT 1 FROM answers
            WHERE guild_id = $1 AND channel_id = $2 AND route = $3 AND answered_at > $4
              AND state IN ('written', 'sent')
        )
        """,
        guild_id, channel_id, route, since,
    )  # fmt: skip
    return said

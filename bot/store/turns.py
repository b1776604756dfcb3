"""Turns: which answers count as such, how many a member has had, and which of them no learning has covered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain import OPEN, Message
from bot.store import history
from bot.store.database import Connection

MOST_READ: Final = 500
"""Turns that are looked at at once; what is beyond them is due all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A turn that was just counted."""

    user_id: int
    unlearned: int
    """How many turns of the member no learning has covered, this one included; 0 where nothing is learned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnIds:
    """One turn: what was answered, and the answer."""

    message_id: int
    sent_ids: tuple[int, ...]


async def count(connection: Connection, *, guild_id: int, message_id: int, learns: bool) -> Counted | None:
    """Count the answer to a message as a turn of its author; `None` if it is none, or was counted before.

    None are counted of members of whom nothing is kept. Not to be learned from is a turn where nothing `learns`, or
    of whom nothing may be learned.
    """
    # Who repeats this waits for the row, and then finds it no longer awaited.
    user_id = await connection.fetchval(
        """
        UPDATE answers SET turn = 'due'
        WHERE guild_id = $1 AND message_id = $2 AND turn = 'awaited'
          AND state = 'sent' AND cardinality(sent_ids) > 0
        RETURNING user_id
        """,
        guild_id, message_id,
    )  # fmt: skip
    if user_id is None:
        return None
    row = await connection.fetchrow(
        """
        UPDATE members
        SET turns = turns + 1, unlearned = unlearned + ($3 AND is_learned_about)::integer
        FROM (
            SELECT learning AND NOT EXISTS (
                SELECT FROM kept_categories k
                WHERE k.guild_id = $1 AND k.user_id = $2 AND k.category = 'profile' AND NOT k.kept
            ) AS is_learned_about
            FROM members WHERE guild_id = $1 AND user_id = $2
        ) wanted
        WHERE guild_id = $1 AND user_id = $2 AND NOT is_bot AND NOT keeps_nothing($1, $2)
        RETURNING unlearned, $3 AND is_learned_about AS is_due
        """,
        guild_id, user_id, learns,
    )  # fmt: skip
    if row is not None and row["is_due"]:
        return Counted(user_id=user_id, unlearned=row["unlearned"])
    await connection.execute(
        "UPDATE answers SET turn = 'passed' WHERE guild_id = $1 AND message_id = $2", guild_id, message_id
    )
    return Counted(user_id=user_id, unlearned=0)


async def due(connection: Connection, *, guild_id: int, user_id: int) -> list[TurnIds]:
    """Return the oldest turns of a member that no learning has covered, oldest first."""
    rows = await connection.fetch(
        """
        SELECT message_id, sent_ids FROM answers
        WHERE guild_id = $1 AND user_id = $2 AND turn = 'due' ORDER BY message_id LIMIT $3
        """,
        guild_id, user_id, MOST_READ,
    )  # fmt: skip
    return [TurnIds(message_id=row["message_id"], sent_ids=tuple(row["sent_ids"])) for row in rows]


async def learned_before(
    connection: Connection, *, guild_id: int, user_id: int, message_id: int, limit: int
) -> list[TurnIds]:
    """Return the last turns before this message that a learning has covered, oldest first."""
    rows = await connection.fetch(
        """
        SELECT message_id, sent_ids FROM answers
        WHERE guild_id = $1 AND user_id = $2 AND turn = 'learned' AND message_id < $3
        ORDER BY message_id DESC LIMIT $4
        """,
        guild_id, user_id, message_id, limit,
    )  # fmt: skip
    return [TurnIds(message_id=row["message_id"], sent_ids=tuple(row["sent_ids"])) for row in reversed(rows)]


async def messages(
    connection: Connection, *, guild_id: int, user_id: int, turns: Sequence[TurnIds]
) -> list[Message]:
    """Return what was said in these turns, oldest first, as far as it may be learned from.

    That is what the member said as a member where everybody reads it, and what the bot said to it, still with a text.
    """
    rows = await connection.fetch(
        f"""
        SELECT {history.COLUMNS} FROM chat_history
        WHERE guild_id = $1 AND audience = $2 AND withheld IS NULL AND NOT from_visitor
          AND ((message_id = ANY($3::bigint[]) AND user_id = $5 AND kind = 'member')
               OR (message_id = ANY($4::bigint[]) AND kind = 'bot'))
        ORDER BY message_id
        """,
        guild_id, OPEN, [turn.message_id for turn in turns],
        [sent_id for turn in turns for sent_id in turn.sent_ids], user_id,
    )  # fmt: skip
    return [history.message_of(row) for row in rows]


async def are_unchanged(connection: Connection, *, guild_id: int, messages: Sequence[Message]) -> bool:
    """Tell whether these messages still say what they said, where everybody reads it; they are held until commit."""
    standing: int = await connection.fetchval(
        """
        SELECT count(*) FROM (
            SELECT FROM chat_history said
            JOIN unnest($3::bigint[], $4::timestamptz[]) AS read (message_id, edited_at) USING (message_id)
            WHERE said.guild_id = $1 AND said.audience = $2 AND said.withheld IS NULL
              AND said.edited_at IS NOT DISTINCT FROM read.edited_at
            FOR SHARE OF said
        ) AS held
        """,
        guild_id, OPEN, [message.message_id for message in messages],
        [message.edited_at for message in messages],
    )  # fmt: skip
    return standing == len(messages)


async def cover(connection: Connection, *, guild_id: int, user_id: int, message_ids: Sequence[int]) -> None:
    """Note that the turns with these messages are learned from; whoever calls holds the member's row.

    The member's count falls by as many; never below 0, nor does it stay above what is left to be learned from.
    """
    await connection.execute(
        """
        WITH covered AS (
            UPDATE answers SET turn = 'learned'
            WHERE guild_id = $1 AND user_id = $2 AND message_id = ANY($3::bigint[]) AND turn = 'due'
            RETURNING message_id
        )
        UPDATE members SET unlearned = greatest(0, least(
            unlearned - (SELECT count(*) FROM covered),
            (SELECT count(*) FROM answers a
             WHERE a.guild_id = $1 AND a.user_id = $2 AND a.turn = 'due'
               AND a.message_id NOT IN (SELECT message_id FROM covered))
        ))
        WHERE guild_id = $1 AND user_id = $2
        """,
        guild_id, user_id, list(message_ids),
    )  # fmt: skip


async def pass_over(connection: Connection, *, guild_id: int, user_id: int) -> None:
    """Note that nothing is to be learned from the turns that are due; whoever calls holds the member's row."""
    await connection.execute(
        "UPDATE answers SET turn = 'passed' WHERE guild_id = $1 AND user_id = $2 AND turn = 'due'",
        guild_id, user_id,
    )  # fmt: skip
    await connection.execute(
        "UPDATE members SET unlearned = 0 WHERE guild_id = $1 AND user_id = $2", guild_id, user_id
    )

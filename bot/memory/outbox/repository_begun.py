"""SQL of answers that are shown before they are complete: each beginning is stored before it is sent."""

from collections.abc import Sequence
from uuid import UUID

from bot.db.pool import Connection
from bot.memory.outbox.repository import NewAnswer
from bot.memory.outbox.standing import Standing, all_held, holding


async def begin_answer(
    connection: Connection,
    *,
    guild_id: int,
    message_id: int,
    holder: UUID,
    nonce: str,
    begun: NewAnswer,
    told: Standing,
    memory_epoch: int,
) -> bool:
    """Write down which part of an answer will be shown before it is whole, and under which nonce.

    `False`, and nothing done, if the claim is no longer `holder`'s, if anything was forgotten in the guild since
    `memory_epoch`, or if what was shown, or something that it has `told`, lost its text meanwhile.
    """
    kept = await connection.fetchval(
        f"""
        {holding(11)}
        UPDATE answers
        SET nonce = $4, parts = $5, route = $6, quoted_ids = $7, memory_ids = $8, episode_ids = $9
        WHERE guild_id = $1 AND message_id = $2 AND holder = $3 AND state = 'claimed'
          AND (nonce IS NULL OR cardinality(parts) > 0)
          AND coalesce((SELECT memory_epoch FROM guilds WHERE guild_id = $1), 0) = $10
          AND {all_held(11)}
        RETURNING true
        """,
        guild_id, message_id, holder, nonce, list(begun.parts), begun.route, list(begun.quoted_ids),
        list(begun.memory_ids), list(begun.episode_ids), memory_epoch, *told.parameters, memory_epoch,
    )  # fmt: skip
    return bool(kept)


async def note_begun(
    connection: Connection, *, guild_id: int, message_id: int, holder: UUID, sent_ids: Sequence[int]
) -> None:
    """Note the messages in which the beginning of an answer stands."""
    await connection.execute(
        """
        UPDATE answers SET sent_ids = $4
        WHERE guild_id = $1 AND message_id = $2 AND holder = $3 AND state = 'claimed'
        """,
        guild_id, message_id, holder, list(sent_ids),
    )  # fmt: skip

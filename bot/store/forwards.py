"""Forwards repeat what somebody else said: which of them hang on which messages."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain import Message, Withheld
from bot.store.database import Connection


async def hold_origins(connection: Connection, messages: Sequence[Message]) -> None:
    """Let nobody withhold what these messages forward until commit: whoever does finds the forward then."""
    origins = [one.forwarded for one in messages if one.forwarded is not None]
    if not origins:
        return
    await connection.execute(
        """
        SELECT FROM chat_history JOIN unnest($1::bigint[], $2::bigint[]) AS origin (guild_id, message_id)
            USING (guild_id, message_id)
        ORDER BY guild_id, message_id FOR SHARE OF chat_history
        """,
        [one.guild_id for one in origins], [one.message_id for one in origins],
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Hanging:
    """Forwards in one guild that are to be withheld for one reason."""

    guild_id: int
    reason: Withheld
    message_ids: Sequence[int]


async def hanging_on(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> list[Hanging]:
    """Return what repeats these messages, and what repeats that, with a text although the words are withheld."""
    rows = await connection.fetch(
        """
        WITH RECURSIVE line AS (
            SELECT guild_id, message_id, forwarded_guild_id, forwarded_message_id, withheld FROM chat_history
            WHERE forwarded_guild_id = $1 AND forwarded_message_id = ANY($2::bigint[])
            UNION
            SELECT f.guild_id, f.message_id, f.forwarded_guild_id, f.forwarded_message_id, f.withheld
            FROM line JOIN chat_history f
                ON f.forwarded_guild_id = line.guild_id AND f.forwarded_message_id = line.message_id
        )
        SELECT guild_id, reason, array_agg(message_id ORDER BY message_id) AS message_ids
        FROM line, withheld_forward(guild_id, forwarded_guild_id, forwarded_message_id) AS reason
        WHERE withheld IS NULL AND reason IS NOT NULL
        GROUP BY guild_id, reason ORDER BY guild_id, reason
        """,
        guild_id, list(message_ids),
    )  # fmt: skip
    return [
        Hanging(guild_id=row["guild_id"], reason=Withheld(row["reason"]), message_ids=row["message_ids"])
        for row in rows
    ]


async def forwarded_of(connection: Connection, *, guild_id: int, user_id: int) -> dict[int, list[int]]:
    """Return what is forwarded of a member's messages here, and forwarded into here of elsewhere: ids by guild."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT o.guild_id, o.message_id
        FROM chat_history f
        JOIN chat_history o ON o.guild_id = f.forwarded_guild_id AND o.message_id = f.forwarded_message_id
        WHERE f.forwarded_message_id IS NOT NULL AND (f.forwarded_guild_id = $1 OR f.guild_id = $1)
          AND o.user_id = $2
        ORDER BY 1, 2
        """,
        guild_id, user_id,
    )  # fmt: skip
    found: dict[int, list[int]] = {}
    for row in rows:
        found.setdefault(row["guild_id"], []).append(row["message_id"])
    return found


async def drop_quarantined(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> None:
    """Drop forwards of these messages that are set aside."""
    await connection.execute(
        """
        DELETE FROM quarantined_messages
        WHERE message ->> 'forwarded_guild_id' = $1::text AND message ->> 'forwarded_message_id' = ANY($2::text[])
        """,
        str(guild_id), [str(one) for one in message_ids],
    )  # fmt: skip

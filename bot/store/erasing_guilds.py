"""Erasing guilds: all rows of all tables but the keyed hashes of who must stay forgotten."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.store.database import Connection

EMPTIED: Final = (
    "unextracted",
    "quarantined_messages",
    "chat_history",
    "answers",
    "fact_sources",
    "facts",
    "user_facts",
    "profiles",
    "distillations",
    "conversation_summaries",
    "episodes",
    "ended_conversations",
    "day_marks",
    "lexicon",
    "lexicon_counts",
    "builds",
    "notices",
    "quota",
    "unheard",
    "waiting_notes",
    "forgettings",
    "removals",
    "told",
    "kept_categories",
    "channels",
    "members",
)
"""The tables that keep nothing of an erased guild, in the order in which they are emptied; `guilds` comes last."""

KEPT: Final = ("erased", "absences", "tombstones")
"""The tables whose rows stay: keyed hashes, by which what was erased or forgotten is not kept anew."""


async def note_left(
    connection: Connection,
    *,
    bot_id: int,
    present_ids: Sequence[int],
    shard_ids: Sequence[int],
    shard_count: int,
    at: datetime,
) -> int:
    """Note that the bot was removed from the guilds of these shards in which it was a member and is not present.

    Direct messages, and guilds that it only has the history of, are none. Returns how many it was.
    """
    rows = await connection.fetch(
        """
        UPDATE guilds g SET left_at = $5
        WHERE left_at IS NULL AND NOT direct AND guild_id <> ALL($2::bigint[])
          AND (guild_id >> 22) % $4::bigint = ANY($3::bigint[])
          AND EXISTS (
              SELECT FROM members m WHERE m.guild_id = g.guild_id AND m.user_id = $1 AND m.left_at IS NULL
          )
        RETURNING 1
        """,
        bot_id, list(present_ids), list(shard_ids), shard_count, at,
    )  # fmt: skip
    return len(rows)


async def has_left(connection: Connection, *, guild_id: int, before: datetime) -> bool:
    """Tell whether the bot was removed from a guild before this time, and is not back; it stays so until commit."""
    gone = await connection.fetchval(
        "SELECT true FROM guilds WHERE guild_id = $1 AND left_at <= $2 FOR UPDATE", guild_id, before
    )
    return bool(gone)


async def keep_choices(connection: Connection, *, guild_id: int) -> None:
    """Keep, by their keyed hashes alone, which members of a guild had opted out; and its cost as nobody's."""
    await connection.execute(
        """
        INSERT INTO erased (guild_id, user_hash, opted_out)
        SELECT $1, user_hash($1, user_id), true FROM members WHERE guild_id = $1 AND opted_out_at IS NOT NULL
        ON CONFLICT (guild_id, user_hash) DO UPDATE SET opted_out = true
        """,
        guild_id,
    )
    await connection.execute(
        """
        WITH spent AS (DELETE FROM usage WHERE guild_id = $1 RETURNING *)
        INSERT INTO usage AS known
            (guild_id, day, operation, model, calls, failures, input_tokens, output_tokens)
        SELECT 0, day, operation, model, calls, failures, input_tokens, output_tokens FROM spent
        ON CONFLICT (guild_id, day, operation, model) DO UPDATE SET
            calls = known.calls + excluded.calls, failures = known.failures + excluded.failures,
            input_tokens = known.input_tokens + excluded.input_tokens,
            output_tokens = known.output_tokens + excluded.output_tokens
        """,
        guild_id,
    )


async def empty(connection: Connection, *, guild_id: int, table: str, limit: int) -> int:
    """Remove `limit` rows of a guild from one of the tables in `EMPTIED`; returns how many there were to remove."""
    if table not in EMPTIED:
        raise ValueError(f"{table!r} is no table that is emptied with a guild")
    rows = await connection.fetch(
        f"""
        DELETE FROM {table} WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM {table} WHERE guild_id = $1 LIMIT $2 FOR UPDATE
        ))
        RETURNING 1
        """,
        guild_id, limit,
    )  # fmt: skip
    return len(rows)


async def drop(connection: Connection, *, guild_id: int) -> None:
    """Remove the guild itself, and all that was to be done for it but what erases it."""
    await connection.execute("DELETE FROM work WHERE guild_id = $1 AND kind <> 'erase'", guild_id)
    await connection.execute("DELETE FROM guilds WHERE guild_id = $1", guild_id)

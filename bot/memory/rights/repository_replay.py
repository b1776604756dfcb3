"""The SQL of carrying decisions out once more: rows that stand for what is decided, and whose hashes are whose."""

from collections.abc import Sequence
from typing import Final

from bot.core.domain import DISCORD_EPOCH, RedactionReason
from bot.db.pool import Connection
from bot.db.rows import json_of
from bot.memory.policy.decisions import Decision, DecisionKind
from bot.memory.rights.personal_data import TABLES, Holds

_ROWS: Final = {
    DecisionKind.TOMBSTONE: """
        INSERT INTO tombstones (guild_id, subject_hash, key_hash, stem_hashes, buried_at)
        SELECT $1, decode(subject, 'hex'), decode(key, 'hex'),
               ARRAY(SELECT decode(stem, 'hex') FROM unnest(stems) WITH ORDINALITY AS s (stem, place) ORDER BY place),
               buried_at
        FROM given WHERE NOT EXISTS (
            SELECT FROM tombstones t
            WHERE t.guild_id = $1 AND t.subject_hash = decode(subject, 'hex') AND t.key_hash = decode(key, 'hex')
              AND t.buried_at = given.buried_at
              AND t.stem_hashes = ARRAY(
                  SELECT decode(stem, 'hex') FROM unnest(stems) WITH ORDINALITY AS s (stem, place) ORDER BY place
              )
        )
    """,
    DecisionKind.LIFTED: """
        DELETE FROM tombstones t USING given
        WHERE t.guild_id = $1 AND t.subject_hash = decode(subject, 'hex') AND t.key_hash = decode(key, 'hex')
          AND t.stem_hashes = ARRAY(
              SELECT decode(stem, 'hex') FROM unnest(stems) WITH ORDINALITY AS s (stem, place) ORDER BY place
          )
    """,
    DecisionKind.ERASED: """
        INSERT INTO erased (guild_id, user_hash, erased_up_to, opted_out)
        SELECT $1, $3, erased_up_to, opted_out FROM given
        ON CONFLICT (guild_id, user_hash) DO UPDATE
            SET erased_up_to = greatest(erased.erased_up_to, excluded.erased_up_to), opted_out = excluded.opted_out
    """,
    DecisionKind.ABSENCE: """
        INSERT INTO absences (guild_id, user_hash, from_id, to_id) SELECT $1, $3, from_id, to_id FROM given
        ON CONFLICT (guild_id, user_hash, from_id) DO UPDATE SET to_id = excluded.to_id
    """,
    DecisionKind.UNHEARD: """
        INSERT INTO unheard (guild_id, channel_id, from_id, to_id) SELECT $1, channel_id, from_id, to_id FROM given
        ON CONFLICT (guild_id, channel_id, from_id) DO UPDATE SET to_id = excluded.to_id
    """,
    DecisionKind.CHANNEL: """
        UPDATE channels c SET hearing = given.hearing, audience = given.audience, deleted_at = given.deleted_at
        FROM given WHERE c.guild_id = $1 AND c.channel_id = given.channel_id
    """,
    DecisionKind.GUILD: """
        UPDATE guilds g SET rights = given.rights, retention_days = given.retention_days
        FROM given WHERE g.guild_id = $1
    """,
}
"""What a decision does to the one row that stands for it; `given` are its details, $3 is the hash of its member."""

ROW_KINDS: Final = frozenset(_ROWS)
"""Kinds of which that is all that there is to do."""

_DETAILS: Final = """(
    subject text, key text, stems text[], buried_at timestamptz, erased_up_to timestamptz, opted_out boolean,
    channel_id bigint, from_id bigint, to_id bigint, hearing boolean, audience bigint, deleted_at timestamptz,
    rights jsonb, retention_days integer
)"""


async def put_row(connection: Connection, decision: Decision) -> bool:
    """Let the row that stands for a decision be as it was decided; done again, it changes nothing.

    Tells whether there was something to change: a row of a guild or a channel comes when these are taken up.
    """
    done: str = await connection.execute(
        f"""
        WITH given AS (
            SELECT * FROM jsonb_to_record($2::text::jsonb) AS given {_DETAILS} WHERE $3::bytea IS NULL OR true
        )
        {_ROWS[decision.kind]}
        """,
        decision.guild_id, json_of(decision.details), decision.user_hash,
    )  # fmt: skip
    return not done.endswith(" 0")


async def members_with(
    connection: Connection, *, guild_id: int, hashes: Sequence[bytes], in_texts: bool
) -> dict[bytes, int]:
    """Return which members of a guild have these hashes, as far as their ids stand anywhere in what is kept.

    With `in_texts` also in words, which takes long where much was said.
    """
    if not hashes:
        return {}
    wanted = (Holds.ID, Holds.WORDS) if in_texts else (Holds.ID,)
    found = " UNION ".join(
        f"SELECT hit[1] FROM {table.name} t, regexp_matches(t.{column}::text, '[0-9]{{1,19}}', 'g') AS hit"
        f" WHERE t.guild_id = $1 AND t.{column} IS NOT NULL"
        for table in TABLES
        for column, holds in table.holding.items()
        if holds in wanted
    )
    rows = await connection.fetch(
        f"""
        SELECT user_id, user_hash($1, user_id) AS user_hash FROM (
            SELECT id::bigint AS user_id FROM ({found}) AS said (id)
            WHERE length(id) < 19 OR id COLLATE "C" <= '9223372036854775807'
        ) known
        WHERE user_hash($1, user_id) = ANY($2::bytea[])
        """,
        guild_id, list(hashes),
    )  # fmt: skip
    return {row["user_hash"]: row["user_id"] for row in rows}


async def put_bare(
    connection: Connection,
    *,
    guild_id: int,
    channel_id: int,
    audience: int,
    message_ids: Sequence[int],
    reason: RedactionReason,
) -> None:
    """Leave rows without text for those of these messages that are not known, so that nobody reads them back."""
    await connection.execute(
        """
        INSERT INTO chat_history
            (guild_id, channel_id, message_id, user_id, audience, kind, message_text, timestamp, withheld)
        SELECT $1, $2, message_id, 0, $3, 'member', '',
               $6::timestamptz + (message_id >> 22) * interval '1 millisecond', $5
        FROM unnest($4::bigint[]) AS message_id
        ON CONFLICT (guild_id, message_id) DO NOTHING
        """,
        guild_id, channel_id, audience, list(message_ids), reason, DISCORD_EPOCH,
    )  # fmt: skip


async def existing_sources(connection: Connection, *, guild_id: int, source_ids: Sequence[int]) -> list[int]:
    """Return which of these sources there still are."""
    rows = await connection.fetch(
        """
        SELECT source_id FROM fact_sources WHERE guild_id = $1 AND source_id = ANY($2::bigint[]) ORDER BY source_id
        """,
        guild_id, list(source_ids),
    )  # fmt: skip
    return [row["source_id"] for row in rows]


async def empty_answers(connection: Connection, *, guild_id: int, message_ids: Sequence[int]) -> None:
    """Take the text from the answers to these messages."""
    await connection.execute(
        """
        UPDATE answers SET parts = '{}', question = NULL WHERE guild_id = $1 AND message_id = ANY($2::bigint[])
        """,
        guild_id, list(message_ids),
    )  # fmt: skip


async def keep_out(connection: Connection, *, guild_id: int, user_hash: bytes, opted_out: bool) -> None:
    """Note of a member who is not known, by their hash alone, whether nothing is to be kept of them."""
    await connection.execute(
        """
        INSERT INTO erased (guild_id, user_hash, opted_out) SELECT $1, $2, true WHERE $3
        ON CONFLICT (guild_id, user_hash) DO UPDATE SET opted_out = true
        """,
        guild_id, user_hash, opted_out,
    )  # fmt: skip
    if not opted_out:
        await connection.execute(
            "UPDATE erased SET opted_out = false WHERE guild_id = $1 AND user_hash = $2 AND opted_out",
            guild_id, user_hash,
        )  # fmt: skip

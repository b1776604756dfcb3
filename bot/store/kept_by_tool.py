"""What a message's reply had kept by a tool: facts, facts set aside, and places mentioned once more."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bot.store.database import Connection

# A fact that was set aside says so in its details, with the sources that count no more for it:
# {"set_aside": {"m:1": [7, 8]}}. Once that is undone, nothing is left of the list but that there was one.


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """A fact that a cause set aside, and the sources that it let count no more; none once that is undone."""

    fact_id: int
    source_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A fact that a tool changed, and how."""

    fact_id: int
    what: Literal["kept", "set aside", "mentioned"]


async def mark(
    connection: Connection, *, guild_id: int, fact_id: int, cause: str, source_ids: Sequence[int]
) -> None:
    """Note in a fact which sources of it a cause let count no more; its line must be held."""
    await connection.execute(
        """
        UPDATE facts SET details = details || jsonb_build_object('set_aside',
            coalesce(details->'set_aside', '{}') || jsonb_build_object($3::text, to_jsonb($4::bigint[])))
        WHERE guild_id = $1 AND fact_id = $2
        """,
        guild_id, fact_id, cause, list(source_ids),
    )  # fmt: skip


async def aside(connection: Connection, *, guild_id: int, cause: str) -> list[SetAside]:
    """Return the facts that a cause ever set aside, in the order in which they were written."""
    rows = await connection.fetch(
        """
        SELECT fact_id, (details->'set_aside'->$2::text)::text AS sources FROM facts
        WHERE guild_id = $1
          AND details @> jsonb_build_object('set_aside', jsonb_build_object($2::text, '[]'::jsonb))
        ORDER BY fact_id
        """,
        guild_id, cause,
    )  # fmt: skip
    return [SetAside(fact_id=row["fact_id"], source_ids=tuple(json.loads(row["sources"]))) for row in rows]


async def count_again(connection: Connection, *, guild_id: int, one: SetAside, cause: str) -> None:
    """Let the sources of a fact that was set aside count again; its line must be held, and be settled after."""
    await connection.execute(
        """
        UPDATE fact_sources SET ended = false
        WHERE guild_id = $1 AND source_id = ANY($2::bigint[]) AND content <> ''
        """,
        guild_id, list(one.source_ids),
    )  # fmt: skip
    await mark(connection, guild_id=guild_id, fact_id=one.fact_id, cause=cause, source_ids=[])


async def done_by(connection: Connection, *, guild_id: int, message_id: int, cause: str) -> list[Done]:
    """Return what a tool did by `cause`, the cause of the reply to a message, as far as it stands; in one statement."""
    rows = await connection.fetch(
        """
        SELECT 'kept' AS what, fact_id FROM facts
        WHERE guild_id = $1 AND cause = $2 AND origin = 'tool' AND status = 'active'
        UNION ALL
        SELECT 'set aside', fact_id FROM facts
        WHERE guild_id = $1 AND status = 'inactive'
          AND details @> jsonb_build_object('set_aside', jsonb_build_object($2::text, '[]'::jsonb))
        UNION ALL
        SELECT 'mentioned', fact_id FROM facts
        WHERE guild_id = $1 AND category = 'place' AND status = 'active' AND cause <> $2
          AND details @> $3::text::jsonb
        ORDER BY fact_id
        """,
        guild_id, cause, json.dumps({"mentions": [{"message_id": message_id}]}),
    )  # fmt: skip
    return [Done(fact_id=row["fact_id"], what=row["what"]) for row in rows]

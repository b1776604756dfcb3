"""Places that members told of: facts of the category `place`, whose details hold name, notes and mentions."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.store.database import Connection, Row
from bot.store.presence import tells_of_present

MOST_MENTIONS: Final = 500
"""Mentions that one place keeps; the oldest go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One message that speaks of a place."""

    conversation_id: int
    """The id of the first message of the conversation in which it was said."""
    message_id: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceDetails:
    """What the details of a fact about a place hold."""

    fact_id: int
    guild_id: int
    name: str
    notes: str
    mentions: tuple[Mention, ...]


def details_in(row: Row) -> PlaceDetails:
    """Return the details in a row of `guild_id`, `fact_id` and `details` as text."""
    kept = json.loads(row["details"])
    return PlaceDetails(
        fact_id=row["fact_id"],
        guild_id=row["guild_id"],
        name=kept.get("name", ""),
        notes=kept.get("notes", ""),
        mentions=tuple(
            Mention(
                conversation_id=one["conversation_id"],
                message_id=one["message_id"],
                at=datetime.fromisoformat(one["at"]),
            )
            for one in kept.get("mentions", ())
        ),
    )


async def active(
    connection: Connection,
    *,
    guild_ids: Sequence[int],
    audiences: Sequence[int],
    subject_ids: Sequence[int],
    now: datetime,
) -> list[PlaceDetails]:
    """Return the places of these subjects that hold at `now` in these audiences."""
    rows = await connection.fetch(
        f"""
        SELECT guild_id, fact_id, details::text AS details FROM facts
        WHERE guild_id = ANY($1::bigint[]) AND audience = ANY($2::bigint[]) AND subject_id = ANY($3::bigint[])
          AND category = 'place' AND status = 'active' AND (expires_at IS NULL OR expires_at > $4)
          AND {tells_of_present("subject_id", "content", guild="guild_id", guilds="$1")}
        ORDER BY fact_id
        """,
        list(guild_ids), list(audiences), list(subject_ids), now,
    )  # fmt: skip
    return [details_in(row) for row in rows]


async def with_ids(connection: Connection, *, guild_id: int, fact_ids: Sequence[int]) -> list[PlaceDetails]:
    """Return the details of these places, in any status."""
    rows = await connection.fetch(
        "SELECT guild_id, fact_id, details::text AS details FROM facts WHERE guild_id = $1"
        " AND fact_id = ANY($2::bigint[]) AND category = 'place' ORDER BY fact_id",
        guild_id, list(fact_ids),
    )  # fmt: skip
    return [details_in(row) for row in rows]


async def holding(
    connection: Connection, *, guild_id: int, subject_id: int, audience: int, key: str
) -> PlaceDetails | None:
    """Return the details of the place that holds under a key; its line must be held."""
    row = await connection.fetchrow(
        """
        SELECT guild_id, fact_id, details::text AS details FROM facts
        WHERE guild_id = $1 AND subject_id = $2 AND audience = $3 AND key = $4
          AND status = 'active' AND category = 'place'
        """,
        guild_id, subject_id, audience, key,
    )  # fmt: skip
    return details_in(row) if row else None


async def describe(connection: Connection, details: PlaceDetails) -> None:
    """Write the details of a place; its line must be held, so that no mention of another message is lost."""
    mentions = sorted(details.mentions, key=lambda one: one.message_id)[-MOST_MENTIONS:]
    kept = {"name": details.name, "notes": details.notes, "mentions": [_as_json(one) for one in mentions]}
    await connection.execute(
        "UPDATE facts SET details = details || $3::text::jsonb WHERE guild_id = $1 AND fact_id = $2",
        details.guild_id, details.fact_id, json.dumps(kept, ensure_ascii=False),
    )  # fmt: skip


def _as_json(mention: Mention) -> dict[str, object]:
    return {
        "conversation_id": mention.conversation_id,
        "message_id": mention.message_id,
        "at": mention.at.isoformat(),
    }

"""All that is kept as facts of one subject, whatever its status, for the document of a member's memory."""

from collections.abc import Sequence
from datetime import datetime

from bot.domain import Fact
from bot.store import facts, remembered_places
from bot.store.database import Connection
from bot.store.presence import tells_of_present
from bot.store.remembered_places import PlaceDetails


async def of_subject(
    connection: Connection, *, guild_id: int, subject_id: int, audiences: Sequence[int]
) -> tuple[list[Fact], list[PlaceDetails], datetime | None]:
    """Return a subject's facts but for forgotten ones, the details of the places among them, and the last change.

    What is about members of whom nothing is kept is left out.
    """
    rows = await connection.fetch(
        f"""
        SELECT fact_id, category, updated_at FROM facts
        WHERE guild_id = $1 AND subject_id = $2 AND audience = ANY($3::bigint[]) AND status <> 'forgotten'
          AND {tells_of_present("$2", "content")}
        ORDER BY fact_id
        """,
        guild_id, subject_id, list(audiences),
    )  # fmt: skip
    known = await facts.with_ids(connection, guild_id=guild_id, fact_ids=[row["fact_id"] for row in rows])
    places = await remembered_places.with_ids(
        connection,
        guild_id=guild_id,
        fact_ids=[row["fact_id"] for row in rows if row["category"] == "place"],
    )
    return known, places, max((row["updated_at"] for row in rows), default=None)

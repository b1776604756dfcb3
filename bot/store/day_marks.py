"""The marks of days: their version is the hash of what was said on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from bot.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """How often one day of one audience was changed."""

    audience: int
    day: date
    version: int
    rewritten: int
    """The version at which something was last edited or taken back; 0 if never."""
    taken_back: int = 0
    """The version at which something was last deleted or withheld; 0 if never."""


async def marks(
    connection: Connection, *, guild_id: int, audiences: Sequence[int], first: date, last: date
) -> list[Mark]:
    """Return the marks of the days from `first` to `last`; a day without one has no messages."""
    rows = await connection.fetch(
        """
        SELECT audience, day, version, rewritten, taken_back FROM day_marks
        WHERE guild_id = $1 AND audience = ANY($2::bigint[]) AND day BETWEEN $3 AND $4
        ORDER BY audience, day
        """,
        guild_id, list(audiences), first, last,
    )  # fmt: skip
    return [
        Mark(
            audience=row["audience"],
            day=row["day"],
            version=row["version"],
            rewritten=row["rewritten"],
            taken_back=row["taken_back"],
        )
        for row in rows
    ]

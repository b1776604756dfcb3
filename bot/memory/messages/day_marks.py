"""The marks of days: how often a day changed, up to which message it was read to be told, and whether
anything of that was edited or taken back since.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final

from bot.db.pool import Connection
from bot.db.rows import columns_of, row_as


@dataclass(frozen=True, slots=True, kw_only=True)
class DayMark:
    """How often one day of one audience was changed."""

    audience: int
    day: date
    version: int
    rewritten: int
    """The version at which something that may have been told was last edited or taken back; 0 if never."""
    taken_back: int = 0
    """The version at which something that may have been told was last deleted or withheld; 0 if never."""
    told_up_to: int = 0
    """The newest message of the guild when the day was last read to be told; 0 if it never was."""


async def begin_telling(connection: Connection, *, guild_id: int, audience: int, day: date) -> DayMark | None:
    """Note that the day is about to be read up to the newest message there is, and return its mark as it stands then;
    `None` if the day has no messages.

    It is to be committed before the messages up to `told_up_to` are read. Whoever changes one of them has either
    committed by then, so that what is read has the change, or finds the note and marks the day.
    """
    # Who is marking the day is waited for first: the version below then counts no message that its maximum misses.
    await connection.execute(
        "SELECT FROM day_marks WHERE guild_id = $1 AND audience = $2 AND day = $3 FOR UPDATE",
        guild_id, audience, day,
    )  # fmt: skip
    row = await connection.fetchrow(
        f"""
        UPDATE day_marks SET told_up_to = greatest(
            told_up_to, (SELECT max(message_id) FROM chat_history WHERE guild_id = $1)
        )
        WHERE guild_id = $1 AND audience = $2 AND day = $3
        RETURNING {columns_of(DayMark)}
        """,
        guild_id, audience, day,
    )  # fmt: skip
    return row_as(DayMark, row) if row is not None else None


_TOLD: Final = """mark.told_up_to >= (
            SELECT days.{since} FROM days
            WHERE days.guild_id = mark.guild_id AND days.audience = mark.audience AND days.day = mark.day
        )"""

MARKED: Final = f"""
    INSERT INTO day_marks AS mark (guild_id, audience, day)
    SELECT guild_id, audience, day FROM days ORDER BY guild_id, audience, day
    ON CONFLICT (guild_id, audience, day) DO UPDATE SET
        version    = mark.version + 1,
        rewritten  = CASE WHEN {_TOLD.format(since="rewritten_from")} THEN mark.version + 1 ELSE mark.rewritten END,
        taken_back = CASE WHEN {_TOLD.format(since="taken_back_from")} THEN mark.version + 1 ELSE mark.taken_back END
"""
"""The statement that marks `days` as changed: `guild_id`, `audience`, `day`, and of it `rewritten_from` and
`taken_back_from`, the first message that was edited and the first that was taken from it, NULL if none was.

What was never read to be told is in no text, so a change of it takes none back. `told_up_to` is read from the row that
is being written, and not as it was when the statement began.
"""


def marking_taken_back(rows: str) -> str:
    """Return the parts of a statement that mark the days of these `rows` of the log as ones from which something was
    taken.

    All are of guild $1. A day is marked in the audience where it stood.
    """
    return f"""days AS (
        SELECT $1::bigint AS guild_id, audience, (timestamp AT TIME ZONE coalesce(g.time_zone, 'UTC'))::date AS day,
               min(message_id) AS rewritten_from, min(message_id) AS taken_back_from
        FROM {rows} taken LEFT JOIN guilds g ON g.guild_id = $1
        GROUP BY audience, day
    ), marked AS ({MARKED})"""
